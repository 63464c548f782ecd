package transcode

import (
	"encoding/binary"
	"math/bits"
)

// This file is the specification: every conversion, answer and number of the package in portable Go. Other
// implementations of a function here must give its results for every input.
//
// The decode functions say what a character is, and name what is wrong where there is none. The functions that walk a
// text handle a prefix of it and return how much: they stop before the first character that is ill-formed, unfinished,
// or not in the target encoding, and before the first that does not fit in dst. They write whole characters, and nothing
// behind them. Lengths are in bytes, for code units of two and four bytes too, which may stand at any alignment; be says
// that the high byte of a code unit comes first.

// high marks the bytes of a word that are not ASCII.
const high = 0x8080808080808080

// ones has a 1 in each byte; multiplying by it spreads a byte over a word.
const ones = 0x0101010101010101

func load32(b []byte, i int) uint32 { return binary.LittleEndian.Uint32(b[i:]) }
func load64(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i:]) }

// loadTail returns the last bytes of b, from i on, as load32 would if zeros followed b. Fewer than four are left.
func loadTail(b []byte, i int) uint32 {
	if len(b) >= 4 {
		return load32(b, len(b)-4) >> (8 * uint(4-(len(b)-i)))
	}
	var w uint32
	for j := len(b) - 1; j >= i; j-- {
		w = w<<8 | uint32(b[j])
	}
	return w
}

// unit16 returns the two-byte code unit at b[i:].
func unit16(b []byte, i int, be bool) uint16 {
	u := binary.LittleEndian.Uint16(b[i:])
	if be {
		u = bits.ReverseBytes16(u)
	}
	return u
}

// putUnit16 stores the two-byte code unit u at b[i:].
func putUnit16(b []byte, i int, u uint16, be bool) {
	if be {
		u = bits.ReverseBytes16(u)
	}
	binary.LittleEndian.PutUint16(b[i:], u)
}

// unit32 returns the four-byte code unit at b[i:].
func unit32(b []byte, i int, be bool) uint32 {
	u := binary.LittleEndian.Uint32(b[i:])
	if be {
		u = bits.ReverseBytes32(u)
	}
	return u
}

// putUnit32 stores the four-byte code unit u at b[i:].
func putUnit32(b []byte, i int, u uint32, be bool) {
	if be {
		u = bits.ReverseBytes32(u)
	}
	binary.LittleEndian.PutUint32(b[i:], u)
}

// Surrogates: high D800..DBFF, low DC00..DFFF.
func isSurrogate(u uint32) bool     { return u&^0x7FF == 0xD800 }
func isHighSurrogate(u uint16) bool { return u&^0x3FF == 0xD800 }
func isLowSurrogate(u uint16) bool  { return u&^0x3FF == 0xDC00 }

// joinSurrogates returns the code point of a surrogate pair.
func joinSurrogates(hi, lo uint16) rune { return 0x10000 + rune(hi-0xD800)<<10 + rune(lo-0xDC00) }

// Decoding by the definition.

// decodeUTF8 returns the character that begins src and its length, or the kind of trouble and the length of the maximal
// subpart (Unicode 16.0, 3.9, table 3-7 and "U+FFFD Substitution of Maximal Subparts"). src is not empty.
func decodeUTF8(src []byte) (r rune, n int, kind ErrorKind) {
	lead := src[0]
	need := 2                        // length of the character
	lo, hi := byte(0x80), byte(0xBF) // what its second byte may be
	var outside ErrorKind            // what it means that a continuation byte is not among these
	switch {
	case lead < 0x80:
		return rune(lead), 1, 0
	case lead < 0xC0:
		return 0, 1, KindTooLong
	case lead < 0xC2:
		return 0, 1, KindOverlong
	case lead < 0xE0:
		r = rune(lead & 0x1F)
	case lead < 0xF0:
		need, r = 3, rune(lead&0x0F)
		switch lead {
		case 0xE0:
			lo, outside = 0xA0, KindOverlong
		case 0xED:
			hi, outside = 0x9F, KindSurrogate
		}
	case lead < 0xF5:
		need, r = 4, rune(lead&0x07)
		switch lead {
		case 0xF0:
			lo, outside = 0x90, KindOverlong
		case 0xF4:
			hi, outside = 0x8F, KindTooLarge
		}
	default:
		return 0, 1, KindBadLead
	}
	for n = 1; n < need; n++ {
		if n == len(src) {
			return 0, n, KindTruncated
		}
		b := src[n]
		if b&0xC0 != 0x80 {
			return 0, n, KindTooShort
		}
		if n == 1 && (b < lo || b > hi) {
			return 0, 1, outside
		}
		r = r<<6 | rune(b&0x3F)
	}
	return r, n, 0
}

// decodeByte does for ASCII (max 0x7F) and Latin-1 (max 0xFF) what decodeUTF8 does for UTF-8.
func decodeByte(src []byte, max byte) (r rune, n int, kind ErrorKind) {
	if src[0] > max {
		return 0, 1, KindTooLarge
	}
	return rune(src[0]), 1, 0
}

// decodeUTF16 does for UTF-16 what decodeUTF8 does for UTF-8. A high surrogate that ends src, with or without an odd byte
// behind it, is one unfinished sequence.
func decodeUTF16(src []byte, be bool) (r rune, n int, kind ErrorKind) {
	if len(src) < 2 {
		return 0, len(src), KindTruncated
	}
	u := unit16(src, 0, be)
	switch {
	case !isSurrogate(uint32(u)):
		return rune(u), 2, 0
	case isLowSurrogate(u):
		return 0, 2, KindSurrogate
	case len(src) < 4:
		return 0, len(src), KindTruncated
	}
	lo := unit16(src, 2, be)
	if !isLowSurrogate(lo) {
		return 0, 2, KindSurrogate
	}
	return joinSurrogates(u, lo), 4, 0
}

// decodeUTF32 does for UTF-32 what decodeUTF8 does for UTF-8.
func decodeUTF32(src []byte, be bool) (r rune, n int, kind ErrorKind) {
	if len(src) < 4 {
		return 0, len(src), KindTruncated
	}
	u := unit32(src, 0, be)
	switch {
	case isSurrogate(u):
		return 0, 4, KindSurrogate
	case u > 0x10FFFF:
		return 0, 4, KindTooLarge
	}
	return rune(u), 4, 0
}

// Words of four bytes that begin with a well-formed UTF-8 sequence, in little-endian order. Whether the pattern fits is
// told by the marker bits; overlong forms, surrogates and values above U+10FFFF by the code point.

func isTwoByte(w uint32) bool   { return w&0xC0E0 == 0x80C0 && w&0x1E != 0 }
func isThreeByte(w uint32) bool { return w&0xC0C0F0 == 0x8080E0 }
func isFourByte(w uint32) bool  { return w&0xC0C0C0F8 == 0x808080F0 }

func twoByteRune(w uint32) uint32   { return w&0x1F<<6 | w>>8&0x3F }
func threeByteRune(w uint32) uint32 { return w&0x0F<<12 | w>>8&0x3F<<6 | w>>16&0x3F }
func fourByteRune(w uint32) uint32 {
	return w&0x07<<18 | w>>8&0x3F<<12 | w>>16&0x3F<<6 | w>>24&0x3F
}

// validThreeByteRune reports whether r, from a three-byte sequence, is neither overlong nor a surrogate.
func validThreeByteRune(r uint32) bool { return r >= 0x800 && !isSurrogate(r) }

// validFourByteRune reports whether r, from a four-byte sequence, is neither overlong nor above U+10FFFF.
func validFourByteRune(r uint32) bool { return r-0x10000 < 0x100000 }

// Prefixes.

// asciiPrefixGeneric returns the length of the longest ASCII prefix of src.
func asciiPrefixGeneric(src []byte) int {
	i := 0
	for len(src)-i >= 32 && (load64(src, i)|load64(src, i+8)|load64(src, i+16)|load64(src, i+24))&high == 0 {
		i += 32
	}
	for len(src)-i >= 8 {
		if w := load64(src, i) & high; w != 0 {
			return i + bits.TrailingZeros64(w)/8
		}
		i += 8
	}
	for i < len(src) && src[i] < 0x80 {
		i++
	}
	return i
}

// isASCIIGeneric reports whether src is ASCII throughout.
func isASCIIGeneric(src []byte) bool {
	n := len(src)
	switch {
	case n >= 8:
		i := 0
		for n-i > 32 && (load64(src, i)|load64(src, i+8)|load64(src, i+16)|load64(src, i+24))&high == 0 {
			i += 32
		}
		for ; n-i > 8; i += 8 {
			if load64(src, i)&high != 0 {
				return false
			}
		}
		return load64(src, n-8)&high == 0
	case n >= 4:
		return (load32(src, 0)|load32(src, n-4))&(high&0xFFFFFFFF) == 0
	case n == 0:
		return true
	}
	return src[0]|src[n/2]|src[n-1] < 0x80
}

// validUTF8PrefixGeneric returns the length of the longest well-formed prefix of src, and the highest lead byte in it (0
// for ASCII), which tells its class.
func validUTF8PrefixGeneric(src []byte) (n int, maxLead byte) {
	i := 0
	var top uint32
	for i < len(src) {
		var w uint32
		if len(src)-i >= 4 {
			w = load32(src, i)
		} else {
			w = loadTail(src, i)
		}
		switch {
		case w&0x80 == 0:
			i++
			for len(src)-i >= 8 && load64(src, i)&high == 0 {
				i += 8
				for len(src)-i >= 32 && (load64(src, i)|load64(src, i+8)|load64(src, i+16)|load64(src, i+24))&high == 0 {
					i += 32
				}
			}
			continue
		case isTwoByte(w):
			i += 2
		case isThreeByte(w):
			if !validThreeByteRune(threeByteRune(w)) {
				return i, byte(top)
			}
			i += 3
		case isFourByte(w):
			if !validFourByteRune(fourByteRune(w)) {
				return i, byte(top)
			}
			i += 4
		default:
			return i, byte(top)
		}
		top = max(top, w&0xFF)
	}
	return i, byte(top)
}

// classOfLead returns the class of a well-formed text whose highest lead byte is given.
func classOfLead(maxLead byte) Class {
	switch {
	case maxLead < 0xC2:
		return ClassASCII
	case maxLead < 0xC4:
		return ClassLatin1
	case maxLead < 0xF0:
		return ClassBMP
	}
	return ClassSupplementary
}

// validUTF16PrefixGeneric returns the length of the longest well-formed prefix of src.
func validUTF16PrefixGeneric(src []byte, be bool) int {
	i := 0
	for len(src)-i >= 2 {
		u := unit16(src, i, be)
		switch {
		case !isSurrogate(uint32(u)):
			i += 2
		case len(src)-i >= 4 && isHighSurrogate(u) && isLowSurrogate(unit16(src, i+2, be)):
			i += 4
		default:
			return i
		}
	}
	return i
}

// classOfUTF16Generic returns the class of well-formed UTF-16.
func classOfUTF16Generic(src []byte, be bool) Class {
	var top uint16
	for i := 0; len(src)-i >= 2; i += 2 {
		u := unit16(src, i, be)
		if isSurrogate(uint32(u)) {
			return ClassSupplementary
		}
		top = max(top, u)
	}
	return classOfRune(uint32(top))
}

// classOfUTF32Generic returns the class of well-formed UTF-32.
func classOfUTF32Generic(src []byte, be bool) Class {
	var top uint32
	for i := 0; len(src)-i >= 4; i += 4 {
		top = max(top, unit32(src, i, be))
	}
	return classOfRune(top)
}

// classOfRune returns the class of a text whose highest code point is given.
func classOfRune(maxRune uint32) Class {
	switch {
	case maxRune < 0x80:
		return ClassASCII
	case maxRune < 0x100:
		return ClassLatin1
	case maxRune < 0x10000:
		return ClassBMP
	}
	return ClassSupplementary
}

// validUTF32PrefixGeneric returns the length of the longest well-formed prefix of src.
func validUTF32PrefixGeneric(src []byte, be bool) int {
	i := 0
	for len(src)-i >= 4 {
		if u := unit32(src, i, be); isSurrogate(u) || u > 0x10FFFF {
			return i
		}
		i += 4
	}
	return i
}

// Counts and lengths: formulas, the same for ill-formed text. They return numbers of bytes, characters or code units, in
// 64 bits since a length can exceed the range of int where that has 32.

// sumBytes returns the sum of the bytes of w.
func sumBytes(w uint64) int64 {
	const even = 0x00FF00FF00FF00FF
	return int64((w&even + w>>8&even) * 0x0001000100010001 >> 48)
}

// leads has a 1 in each byte of w that is not a continuation byte.
func leads(w uint64) uint64 { return (^w>>7 | w>>6) & ones }

// fourByteLeads has a 1 in each byte of w that is F0 or above.
func fourByteLeads(w uint64) uint64 { return w >> 7 & (w >> 6) & (w >> 5) & (w >> 4) & ones }

// runeCountGeneric returns the number of bytes outside 80..BF.
func runeCountGeneric(src []byte) (n int64) {
	i := 0
	for len(src)-i >= 8 {
		var acc uint64 // counts of up to 255 in each byte
		for end := min(len(src)-7, i+255*8); i < end; i += 8 {
			acc += leads(load64(src, i))
		}
		n += sumBytes(acc)
	}
	for ; i < len(src); i++ {
		if src[i]&0xC0 != 0x80 {
			n++
		}
	}
	return n
}

// utf16LenFromUTF8Generic returns the number of bytes outside 80..BF plus the number of bytes from F0 on, in code units.
func utf16LenFromUTF8Generic(src []byte) (n int64) {
	i := 0
	for len(src)-i >= 8 {
		var acc uint64 // counts of up to 2*127 in each byte
		for end := min(len(src)-7, i+127*8); i < end; i += 8 {
			w := load64(src, i)
			acc += leads(w) + fourByteLeads(w)
		}
		n += sumBytes(acc)
	}
	for ; i < len(src); i++ {
		if src[i]&0xC0 != 0x80 {
			n++
		}
		if src[i] >= 0xF0 {
			n++
		}
	}
	return n
}

// utf8LenFromLatin1Generic returns len(src) plus the number of bytes from 80 on.
func utf8LenFromLatin1Generic(src []byte) int64 {
	n := int64(len(src))
	i := 0
	for len(src)-i >= 8 {
		var acc uint64 // counts of up to 255 in each byte
		for end := min(len(src)-7, i+255*8); i < end; i += 8 {
			acc += load64(src, i) >> 7 & ones
		}
		n += sumBytes(acc)
	}
	for ; i < len(src); i++ {
		n += int64(src[i] >> 7)
	}
	return n
}

// utf8LenFromUTF16Generic returns units + units from 80 on + units from 800 on - surrogates.
func utf8LenFromUTF16Generic(src []byte, be bool) (n int64) {
	const lanes = 0x0001000100010001
	i := 0
	for len(src)-i >= 8 {
		var acc uint64 // counts of up to 3*20000 in each lane
		for end := min(len(src)-7, i+20000*8); i < end; i += 8 {
			w := load64(src, i)
			if be {
				w = swapBytes16(w)
			}
			// The top bit of each lane: adding 8000 - limit to the low 15 bits carries into it from the limit on.
			low := w & (0x7FFF * lanes)
			from80 := (low + (0x8000-0x80)*lanes) | w
			from800 := (low + (0x8000-0x800)*lanes) | w
			x := w ^ 0xD800*lanes // below 0x800 in the lanes of surrogates
			other := (x&(0x7FFF*lanes) + (0x8000-0x800)*lanes) | x
			acc += from80>>15&lanes + from800>>15&lanes + other>>15&lanes
		}
		n += int64(acc&0xFFFF + acc>>16&0xFFFF + acc>>32&0xFFFF + acc>>48)
	}
	for ; len(src)-i >= 2; i += 2 {
		u := unit16(src, i, be)
		n++
		if u >= 0x80 {
			n++
		}
		if u >= 0x800 && !isSurrogate(uint32(u)) {
			n++
		}
	}
	return n
}

// utf32LenFromUTF16Generic returns the number of units that are not low surrogates.
func utf32LenFromUTF16Generic(src []byte, be bool) (n int64) {
	for i := 0; len(src)-i >= 2; i += 2 {
		if !isLowSurrogate(unit16(src, i, be)) {
			n++
		}
	}
	return n
}

// utf8LenFromUTF32Generic returns units + units from 80 on + units from 800 on + units from 10000 on.
func utf8LenFromUTF32Generic(src []byte, be bool) (n int64) {
	for i := 0; len(src)-i >= 4; i += 4 {
		u := int64(unit32(src, i, be))
		// The sign of a difference is -1 from the limit on.
		n += 1 - (0x7F-u)>>63 - (0x7FF-u)>>63 - (0xFFFF-u)>>63
	}
	return n
}

// utf16LenFromUTF32Generic returns units + units from 10000 on.
func utf16LenFromUTF32Generic(src []byte, be bool) (n int64) {
	for i := 0; len(src)-i >= 4; i += 4 {
		n += 1 - (0xFFFF-int64(unit32(src, i, be)))>>63
	}
	return n
}

// swapBytes16 swaps the bytes of each 16-bit lane of w.
func swapBytes16(w uint64) uint64 {
	const even = 0x00FF00FF00FF00FF
	return w>>8&even | w&even<<8
}

// Conversions from one-byte encodings.

// spread16 returns the low four bytes of w as 16-bit lanes.
func spread16(w uint64) uint64 {
	w = (w | w<<16) & 0x0000FFFF0000FFFF
	return (w | w<<8) & 0x00FF00FF00FF00FF
}

// putBytes16 stores the eight bytes of w as two-byte code units at dst[j:].
func putBytes16(dst []byte, j int, w uint64, be bool) {
	lo, hi := spread16(w&0xFFFFFFFF), spread16(w>>32)
	if be {
		lo, hi = lo<<8, hi<<8
	}
	binary.LittleEndian.PutUint64(dst[j:], lo)
	binary.LittleEndian.PutUint64(dst[j+8:], hi)
}

// putBytes32 stores the eight bytes of w as four-byte code units at dst[j:].
func putBytes32(dst []byte, j int, w uint64, be bool) {
	shift := uint(0)
	if be {
		shift = 24
	}
	d := dst[j : j+32]
	binary.LittleEndian.PutUint64(d[0:], (w&0xFF|w&0xFF00<<24)<<shift)
	binary.LittleEndian.PutUint64(d[8:], (w>>16&0xFF|w>>16&0xFF00<<24)<<shift)
	binary.LittleEndian.PutUint64(d[16:], (w>>32&0xFF|w>>32&0xFF00<<24)<<shift)
	binary.LittleEndian.PutUint64(d[24:], (w>>48&0xFF|w>>48&0xFF00<<24)<<shift)
}

// latin1ToUTF8Generic converts Latin-1 to UTF-8.
func latin1ToUTF8Generic(dst, src []byte) (nDst, nSrc int) {
	i, j := 0, 0
	for i < len(src) {
		b := src[i]
		if b >= 0x80 {
			if len(dst)-j < 2 {
				break
			}
			dst[j] = 0xC0 | b>>6
			dst[j+1] = 0x80 | b&0x3F
			i++
			j += 2
			continue
		}
		k := copyASCII(dst[j:], src[i:])
		if k == 0 {
			break
		}
		i += k
		j += k
	}
	return j, i
}

// latin1ToUTF16Generic converts Latin-1 to UTF-16.
func latin1ToUTF16Generic(dst, src []byte, be bool) (nDst, nSrc int) {
	n := min(len(src), len(dst)/2)
	i := 0
	for ; n-i >= 8; i += 8 {
		putBytes16(dst, 2*i, load64(src, i), be)
	}
	for ; i < n; i++ {
		putUnit16(dst, 2*i, uint16(src[i]), be)
	}
	return 2 * n, n
}

// latin1ToUTF32Generic converts Latin-1 to UTF-32.
func latin1ToUTF32Generic(dst, src []byte, be bool) (nDst, nSrc int) {
	n := min(len(src), len(dst)/4)
	i := 0
	for ; n-i >= 8; i += 8 {
		putBytes32(dst, 4*i, load64(src, i), be)
	}
	for ; i < n; i++ {
		putUnit32(dst, 4*i, uint32(src[i]), be)
	}
	return 4 * n, n
}

// copyASCII copies the longest ASCII prefix of src that fits in dst and returns its length.
func copyASCII(dst, src []byte) int {
	n := min(len(src), len(dst))
	i := 0
	for n-i >= 8 {
		w := load64(src, i)
		if w&high != 0 {
			break
		}
		binary.LittleEndian.PutUint64(dst[i:], w)
		i += 8
	}
	for i < n && src[i] < 0x80 {
		dst[i] = src[i]
		i++
	}
	return i
}

// Conversions from UTF-8.

// utf8ToLatin1Generic converts UTF-8 to Latin-1.
func utf8ToLatin1Generic(dst, src []byte) (nDst, nSrc int) {
	i, j := 0, 0
	for i < len(src) && j < len(dst) {
		if src[i] < 0x80 {
			k := copyASCII(dst[j:], src[i:])
			i += k
			j += k
			continue
		}
		if len(src)-i < 2 || src[i]&^1 != 0xC2 || src[i+1]&0xC0 != 0x80 {
			break
		}
		dst[j] = src[i]<<6 | src[i+1]&0x3F
		i += 2
		j++
	}
	return j, i
}

// utf8ToUTF16Generic converts UTF-8 to UTF-16.
func utf8ToUTF16Generic(dst, src []byte, be bool) (nDst, nSrc int) {
	i, j := 0, 0
	for i < len(src) && len(dst)-j >= 2 {
		var w uint32
		if len(src)-i >= 4 {
			w = load32(src, i)
		} else {
			w = loadTail(src, i)
		}
		switch {
		case w&0x80 == 0:
			putUnit16(dst, j, uint16(w&0xFF), be)
			i++
			j += 2
			for len(src)-i >= 8 && len(dst)-j >= 16 {
				a := load64(src, i)
				if a&high != 0 {
					break
				}
				putBytes16(dst, j, a, be)
				i += 8
				j += 16
			}
		case isTwoByte(w):
			putUnit16(dst, j, uint16(twoByteRune(w)), be)
			i += 2
			j += 2
		case isThreeByte(w):
			r := threeByteRune(w)
			if !validThreeByteRune(r) {
				return j, i
			}
			putUnit16(dst, j, uint16(r), be)
			i += 3
			j += 2
		case isFourByte(w):
			r := fourByteRune(w)
			if !validFourByteRune(r) || len(dst)-j < 4 {
				return j, i
			}
			r -= 0x10000
			putUnit16(dst, j, 0xD800|uint16(r>>10), be)
			putUnit16(dst, j+2, 0xDC00|uint16(r&0x3FF), be)
			i += 4
			j += 4
		default:
			return j, i
		}
	}
	return j, i
}

// utf8ToUTF32Generic converts UTF-8 to UTF-32.
func utf8ToUTF32Generic(dst, src []byte, be bool) (nDst, nSrc int) {
	i, j := 0, 0
	for i < len(src) && len(dst)-j >= 4 {
		var w, r uint32
		if len(src)-i >= 4 {
			w = load32(src, i)
		} else {
			w = loadTail(src, i)
		}
		switch {
		case w&0x80 == 0:
			putUnit32(dst, j, w&0xFF, be)
			i++
			j += 4
			for len(src)-i >= 8 && len(dst)-j >= 32 {
				a := load64(src, i)
				if a&high != 0 {
					break
				}
				putBytes32(dst, j, a, be)
				i += 8
				j += 32
			}
			continue
		case isTwoByte(w):
			r = twoByteRune(w)
			i += 2
		case isThreeByte(w):
			r = threeByteRune(w)
			if !validThreeByteRune(r) {
				return j, i
			}
			i += 3
		case isFourByte(w):
			r = fourByteRune(w)
			if !validFourByteRune(r) {
				return j, i
			}
			i += 4
		default:
			return j, i
		}
		putUnit32(dst, j, r, be)
		j += 4
	}
	return j, i
}

// Conversions from UTF-16.

// nonASCII16 marks what is not ASCII in a word of four two-byte code units.
func nonASCII16(be bool) uint64 {
	if be {
		return 0x80FF80FF80FF80FF
	}
	return 0xFF80FF80FF80FF80
}

// pack16 returns the four two-byte code units of w, all below 0x100, as bytes.
func pack16(w uint64, be bool) uint32 {
	if be {
		w >>= 8
	}
	w = (w | w>>8) & 0x0000FFFF0000FFFF
	return uint32(w | w>>16)
}

// packUnits16 converts the longest prefix of src that consists of whole groups of four code units with no bit of mask set
// and that fits in dst, one byte for each unit. It returns the number of units.
func packUnits16(dst, src []byte, mask uint64, be bool) int {
	n := min(len(src)/2, len(dst))
	i := 0
	for n-i >= 8 {
		a, b := load64(src, 2*i), load64(src, 2*i+8)
		if (a|b)&mask != 0 {
			break
		}
		binary.LittleEndian.PutUint64(dst[i:], uint64(pack16(a, be))|uint64(pack16(b, be))<<32)
		i += 8
	}
	if n-i >= 4 {
		if a := load64(src, 2*i); a&mask == 0 {
			binary.LittleEndian.PutUint32(dst[i:], pack16(a, be))
			i += 4
		}
	}
	return i
}

// utf16ToUTF8Generic converts UTF-16 to UTF-8.
func utf16ToUTF8Generic(dst, src []byte, be bool) (nDst, nSrc int) {
	mask := nonASCII16(be)
	i, j := 0, 0
	for len(src)-i >= 2 && j < len(dst) {
		u := unit16(src, i, be)
		switch {
		case u < 0x80:
			dst[j] = byte(u)
			i += 2
			j++
			if len(src)-i >= 8 && load64(src, i)&mask == 0 {
				k := packUnits16(dst[j:], src[i:], mask, be)
				i += 2 * k
				j += k
			}
		case u < 0x800:
			if len(dst)-j < 2 {
				return j, i
			}
			dst[j] = 0xC0 | byte(u>>6)
			dst[j+1] = 0x80 | byte(u)&0x3F
			i += 2
			j += 2
		case !isSurrogate(uint32(u)):
			if len(dst)-j < 3 {
				return j, i
			}
			dst[j] = 0xE0 | byte(u>>12)
			dst[j+1] = 0x80 | byte(u>>6)&0x3F
			dst[j+2] = 0x80 | byte(u)&0x3F
			i += 2
			j += 3
		default:
			if len(src)-i < 4 || len(dst)-j < 4 {
				return j, i
			}
			lo := unit16(src, i+2, be)
			if !isHighSurrogate(u) || !isLowSurrogate(lo) {
				return j, i
			}
			putFourByte(dst, j, uint32(joinSurrogates(u, lo)))
			i += 4
			j += 4
		}
	}
	return j, i
}

// putFourByte stores r, above U+FFFF, as four bytes of UTF-8 at dst[j:].
func putFourByte(dst []byte, j int, r uint32) {
	binary.LittleEndian.PutUint32(dst[j:], 0x808080F0|r>>18|r>>12&0x3F<<8|r>>6&0x3F<<16|r&0x3F<<24)
}

// utf16ToLatin1Generic converts UTF-16 to a one-byte encoding whose highest code point is max: ASCII or Latin-1.
func utf16ToLatin1Generic(dst, src []byte, max byte, be bool) (nDst, nSrc int) {
	lane := uint64(^uint16(max))
	if be {
		lane = uint64(bits.ReverseBytes16(uint16(lane)))
	}
	i := packUnits16(dst, src, lane*0x0001000100010001, be)
	for len(src)/2 > i && i < len(dst) {
		u := unit16(src, 2*i, be)
		if u > uint16(max) {
			break
		}
		dst[i] = byte(u)
		i++
	}
	return i, 2 * i
}

// utf16ToUTF16Generic checks and copies UTF-16, and swaps the bytes of each code unit if swap says so. be is the source's
// byte order.
func utf16ToUTF16Generic(dst, src []byte, be, swap bool) (nDst, nSrc int) {
	n := validUTF16PrefixGeneric(src[:min(len(src), len(dst))], be)
	if !swap {
		return copy(dst, src[:n]), n
	}
	i := 0
	for ; n-i >= 8; i += 8 {
		binary.LittleEndian.PutUint64(dst[i:], swapBytes16(load64(src, i)))
	}
	for ; i < n; i += 2 {
		dst[i], dst[i+1] = src[i+1], src[i]
	}
	return n, n
}

// utf16ToUTF32Generic converts UTF-16 to UTF-32.
func utf16ToUTF32Generic(dst, src []byte, be, dstBE bool) (nDst, nSrc int) {
	i, j := 0, 0
	for len(src)-i >= 2 && len(dst)-j >= 4 {
		u := unit16(src, i, be)
		r := uint32(u)
		if isSurrogate(r) {
			if len(src)-i < 4 {
				break
			}
			lo := unit16(src, i+2, be)
			if !isHighSurrogate(u) || !isLowSurrogate(lo) {
				break
			}
			r = uint32(joinSurrogates(u, lo))
			i += 2
		}
		putUnit32(dst, j, r, dstBE)
		i += 2
		j += 4
	}
	return j, i
}

// Conversions from UTF-32.

// nonASCII32 marks what is not ASCII in a word of two four-byte code units.
func nonASCII32(be bool) uint64 {
	if be {
		return 0x80FFFFFF80FFFFFF
	}
	return 0xFFFFFF80FFFFFF80
}

// pack32 returns the four code units of a and b, two in each, all below 0x100, as bytes.
func pack32(a, b uint64, be bool) uint32 {
	if be {
		a, b = a>>24, b>>24
	}
	a, b = a|a>>24, b|b>>24
	return uint32(a&0xFFFF | b&0xFFFF<<16)
}

// packUnits32 is packUnits16 for code units of four bytes.
func packUnits32(dst, src []byte, mask uint64, be bool) int {
	n := min(len(src)/4, len(dst))
	i := 0
	for n-i >= 4 {
		a, b := load64(src, 4*i), load64(src, 4*i+8)
		if (a|b)&mask != 0 {
			break
		}
		binary.LittleEndian.PutUint32(dst[i:], pack32(a, b, be))
		i += 4
	}
	return i
}

// utf32ToUTF8Generic converts UTF-32 to UTF-8.
func utf32ToUTF8Generic(dst, src []byte, be bool) (nDst, nSrc int) {
	mask := nonASCII32(be)
	i, j := 0, 0
	for len(src)-i >= 4 && j < len(dst) {
		u := unit32(src, i, be)
		switch {
		case u < 0x80:
			dst[j] = byte(u)
			i += 4
			j++
			if len(src)-i >= 16 && (load64(src, i)|load64(src, i+8))&mask == 0 {
				k := packUnits32(dst[j:], src[i:], mask, be)
				i += 4 * k
				j += k
			}
			continue
		case u < 0x800:
			if len(dst)-j < 2 {
				return j, i
			}
			dst[j] = 0xC0 | byte(u>>6)
			dst[j+1] = 0x80 | byte(u)&0x3F
			j += 2
		case u < 0x10000:
			if isSurrogate(u) || len(dst)-j < 3 {
				return j, i
			}
			dst[j] = 0xE0 | byte(u>>12)
			dst[j+1] = 0x80 | byte(u>>6)&0x3F
			dst[j+2] = 0x80 | byte(u)&0x3F
			j += 3
		default:
			if u > 0x10FFFF || len(dst)-j < 4 {
				return j, i
			}
			putFourByte(dst, j, u)
			j += 4
		}
		i += 4
	}
	return j, i
}

// utf32ToLatin1Generic converts UTF-32 to a one-byte encoding whose highest code point is max: ASCII or Latin-1.
func utf32ToLatin1Generic(dst, src []byte, max byte, be bool) (nDst, nSrc int) {
	lane := ^uint32(max)
	if be {
		lane = bits.ReverseBytes32(lane)
	}
	i := packUnits32(dst, src, uint64(lane)<<32|uint64(lane), be)
	for len(src)/4 > i && i < len(dst) {
		u := unit32(src, 4*i, be)
		if u > uint32(max) {
			break
		}
		dst[i] = byte(u)
		i++
	}
	return i, 4 * i
}

// utf32ToUTF16Generic converts UTF-32 to UTF-16.
func utf32ToUTF16Generic(dst, src []byte, be, dstBE bool) (nDst, nSrc int) {
	i, j := 0, 0
	for len(src)-i >= 4 && len(dst)-j >= 2 {
		u := unit32(src, i, be)
		if u < 0x10000 {
			if isSurrogate(u) {
				break
			}
			putUnit16(dst, j, uint16(u), dstBE)
			j += 2
		} else {
			if u > 0x10FFFF || len(dst)-j < 4 {
				break
			}
			putUnit16(dst, j, 0xD7C0+uint16(u>>10), dstBE)
			putUnit16(dst, j+2, 0xDC00|uint16(u&0x3FF), dstBE)
			j += 4
		}
		i += 4
	}
	return j, i
}

// utf32ToUTF32Generic checks and copies UTF-32, and swaps the bytes of each code unit if swap says so. be is the source's
// byte order.
func utf32ToUTF32Generic(dst, src []byte, be, swap bool) (nDst, nSrc int) {
	n := validUTF32PrefixGeneric(src[:min(len(src), len(dst))], be)
	if !swap {
		return copy(dst, src[:n]), n
	}
	for i := 0; i < n; i += 4 {
		binary.LittleEndian.PutUint32(dst[i:], bits.ReverseBytes32(load32(src, i)))
	}
	return n, n
}
