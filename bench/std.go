package main

import (
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// What a program writes where the standard library has no function, with the standard library's parts. None is inlined, since the
// rivals are not: both sides of a comparison pay for one call.

const (
	high8  = 0x8080808080808080
	even16 = 0x00FF00FF00FF00FF
)

//go:noinline
func stdASCIIPrefixLen(b []byte) int {
	i := 0
	for ; i+8 <= len(b); i += 8 {
		if binary.LittleEndian.Uint64(b[i:])&high8 != 0 {
			break
		}
	}
	for ; i < len(b) && b[i] < utf8.RuneSelf; i++ {
	}
	return i
}

//go:noinline
func stdIsASCII(b []byte) bool {
	for ; len(b) >= 8; b = b[8:] {
		if binary.LittleEndian.Uint64(b)&high8 != 0 {
			return false
		}
	}
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// stdLargestRune is what the standard library's parts give of a class.
//
//go:noinline
func stdLargestRune(s string) (largest rune, ok bool) {
	for i, r := range s {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				return 0, false
			}
		}
		largest = max(largest, r)
	}
	return largest, true
}

//go:noinline
func stdValidUTF16(units []uint16) bool {
	for i := 0; i < len(units); i++ {
		if r := rune(units[i]); utf16.IsSurrogate(r) {
			if i++; i == len(units) || utf16.DecodeRune(r, rune(units[i])) == utf8.RuneError {
				return false
			}
		}
	}
	return true
}

//go:noinline
func stdValidUTF32(runes []rune) bool {
	for _, r := range runes {
		if !utf8.ValidRune(r) {
			return false
		}
	}
	return true
}

//go:noinline
func stdRuneCountUTF16(units []uint16) int {
	n := len(units)
	for _, u := range units {
		if u&0xFC00 == 0xDC00 {
			n--
		}
	}
	return n
}

//go:noinline
func stdUTF16LenFromUTF8(s string) (n int) {
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

//go:noinline
func stdUTF8LenFromLatin1(b []byte) int {
	n := len(b)
	for _, c := range b {
		n += int(c >> 7)
	}
	return n
}

//go:noinline
func stdUTF8LenFromUTF16(units []uint16) (n int) {
	for i := 0; i < len(units); i++ {
		r := rune(units[i])
		if utf16.IsSurrogate(r) && i+1 < len(units) {
			r = utf16.DecodeRune(r, rune(units[i+1]))
			i++
		}
		n += utf8.RuneLen(r)
	}
	return n
}

//go:noinline
func stdUTF8LenFromUTF32(runes []rune) (n int) {
	for _, r := range runes {
		n += utf8.RuneLen(r)
	}
	return n
}

//go:noinline
func stdUTF16LenFromUTF32(runes []rune) (n int) {
	for _, r := range runes {
		n += utf16.RuneLen(r)
	}
	return n
}

//go:noinline
func stdUTF16Offset(s string, at int) (n int) {
	for _, r := range s[:at] {
		n += utf16.RuneLen(r)
	}
	return n
}

//go:noinline
func stdUTF8Offset(s string, at int) int {
	for i, r := range s {
		if at -= utf16.RuneLen(r); at < 0 {
			return i
		}
	}
	return len(s)
}

//go:noinline
func stdAppendValidUTF8(dst, src []byte) []byte {
	if utf8.Valid(src) {
		return append(dst, src...)
	}
	for _, r := range string(src) {
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

//go:noinline
func stdUTF16FromUTF8(dst []uint16, s string) []uint16 {
	for _, r := range s {
		dst = utf16.AppendRune(dst, r)
	}
	return dst
}

//go:noinline
func stdUTF32FromUTF8(dst []rune, s string) []rune {
	for _, r := range s {
		dst = append(dst, r)
	}
	return dst
}

//go:noinline
func stdUTF8FromUTF16(dst []byte, units []uint16) []byte {
	for i := 0; i < len(units); i++ {
		r := rune(units[i])
		if utf16.IsSurrogate(r) && i+1 < len(units) {
			r = utf16.DecodeRune(r, rune(units[i+1]))
			i++
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

//go:noinline
func stdUTF16BEFromUTF8(dst []byte, s string) []byte {
	for _, r := range s {
		if r1, r2 := utf16.EncodeRune(r); r1 != utf8.RuneError {
			dst = binary.BigEndian.AppendUint16(dst, uint16(r1))
			r = r2
		}
		dst = binary.BigEndian.AppendUint16(dst, uint16(r))
	}
	return dst
}

//go:noinline
func stdUTF8FromUTF16BE(dst, src []byte) []byte {
	for ; len(src) >= 2; src = src[2:] {
		r := rune(binary.BigEndian.Uint16(src))
		if utf16.IsSurrogate(r) && len(src) >= 4 {
			r = utf16.DecodeRune(r, rune(binary.BigEndian.Uint16(src[2:])))
			src = src[2:]
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

//go:noinline
func stdUTF32FromUTF16(dst []rune, units []uint16) []rune {
	for i := 0; i < len(units); i++ {
		r := rune(units[i])
		if utf16.IsSurrogate(r) && i+1 < len(units) {
			r = utf16.DecodeRune(r, rune(units[i+1]))
			i++
		}
		dst = append(dst, r)
	}
	return dst
}

//go:noinline
func stdUTF8FromUTF32(dst []byte, runes []rune) []byte {
	for _, r := range runes {
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

//go:noinline
func stdUTF16FromUTF32(dst []uint16, runes []rune) []uint16 {
	for _, r := range runes {
		dst = utf16.AppendRune(dst, r)
	}
	return dst
}

//go:noinline
func stdLatin1FromUTF8(dst []byte, s string) []byte {
	for _, r := range s {
		if r > 0xFF {
			return dst
		}
		dst = append(dst, byte(r))
	}
	return dst
}

//go:noinline
func stdLatin1FromUTF16(dst []byte, units []uint16) []byte {
	for _, u := range units {
		if u > 0xFF {
			return dst
		}
		dst = append(dst, byte(u))
	}
	return dst
}

//go:noinline
func stdLatin1FromUTF32(dst []byte, runes []rune) []byte {
	for _, r := range runes {
		if uint32(r) > 0xFF {
			return dst
		}
		dst = append(dst, byte(r))
	}
	return dst
}

//go:noinline
func stdUTF8FromLatin1(dst, src []byte) []byte {
	for _, c := range src {
		dst = utf8.AppendRune(dst, rune(c))
	}
	return dst
}

//go:noinline
func stdUTF16FromLatin1(dst []uint16, src []byte) []uint16 {
	for _, c := range src {
		dst = append(dst, uint16(c))
	}
	return dst
}

//go:noinline
func stdUTF32FromLatin1(dst []rune, src []byte) []rune {
	for _, c := range src {
		dst = append(dst, rune(c))
	}
	return dst
}

// stdSwap swaps the bytes of four units at once.
//
//go:noinline
func stdSwap(dst, src []byte) []byte {
	for ; len(src) >= 8; src = src[8:] {
		x := binary.LittleEndian.Uint64(src)
		dst = binary.LittleEndian.AppendUint64(dst, x>>8&even16|x&even16<<8)
	}
	for ; len(src) >= 2; src = src[2:] {
		dst = append(dst, src[1], src[0])
	}
	return dst
}
