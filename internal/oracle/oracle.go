// Package oracle decodes and encodes by the definition of each encoding, written for the tests of package transcode and
// sharing nothing with it, so that tests inside it can use the oracle too. It is slow and obvious. Its own tests hold it to
// unicode/utf8, unicode/utf16 and golang.org/x/text.
package oracle

import (
	"encoding/binary"
)

// An Encoding is one of the encodings of package transcode, by the same number. Functions take any type of such numbers,
// so that the tests of the library pass its own Encoding.
type Encoding uint8

const (
	UTF8 Encoding = iota
	ASCII
	Latin1
	UTF16LE
	UTF16BE
	UTF32LE
	UTF32BE
)

// A Kind is one of the kinds of errors of package transcode, by the same number.
type Kind uint8

const (
	KindTruncated Kind = iota + 1
	KindTooLong
	KindOverlong
	KindSurrogate
	KindTooLarge
	KindBadLead
	KindTooShort
	KindUnencodable // not of decoding: what a target cannot hold
)

// An Item is one step of decoding: the character R, or an ill-formed sequence when Kind is not 0. Off and N count
// elements of the source.
type Item struct {
	Off, N int
	R      rune
	Kind   Kind
}

// table37 is table 3-7 of the Unicode Standard, "Well-Formed UTF-8 Byte Sequences": a range for each byte of a row.
var table37 = [][][2]byte{
	{{0x00, 0x7F}},
	{{0xC2, 0xDF}, {0x80, 0xBF}},
	{{0xE0, 0xE0}, {0xA0, 0xBF}, {0x80, 0xBF}},
	{{0xE1, 0xEC}, {0x80, 0xBF}, {0x80, 0xBF}},
	{{0xED, 0xED}, {0x80, 0x9F}, {0x80, 0xBF}},
	{{0xEE, 0xEF}, {0x80, 0xBF}, {0x80, 0xBF}},
	{{0xF0, 0xF0}, {0x90, 0xBF}, {0x80, 0xBF}, {0x80, 0xBF}},
	{{0xF1, 0xF3}, {0x80, 0xBF}, {0x80, 0xBF}, {0x80, 0xBF}},
	{{0xF4, 0xF4}, {0x80, 0x8F}, {0x80, 0xBF}, {0x80, 0xBF}},
}

// DecodeUTF8 decodes src. An ill-formed sequence is the maximal subpart of definition D93b: the longest prefix of any row of
// table 3-7, or one byte where no row has a prefix.
func DecodeUTF8(src []byte) []Item {
	items := make([]Item, 0, len(src))
	for off := 0; off < len(src); {
		it := DecodeUTF8At(src, off)
		items = append(items, it)
		off += it.N
	}
	return items
}

// DecodeUTF8At decodes what begins at src[off].
func DecodeUTF8At(src []byte, off int) Item {
	longest := 0
	for _, row := range table37 {
		n := 0
		for n < len(row) && off+n < len(src) && row[n][0] <= src[off+n] && src[off+n] <= row[n][1] {
			n++
		}
		if n == len(row) {
			// The bits after the length marker of the lead byte, then six of each continuation byte.
			r := rune(src[off]) & [...]rune{0x7F, 0x1F, 0x0F, 0x07}[n-1]
			for _, b := range src[off+1 : off+n] {
				r = r<<6 | rune(b&0x3F)
			}
			return Item{Off: off, N: n, R: r}
		}
		longest = max(longest, n)
	}
	if longest > 0 && off+longest == len(src) {
		return Item{Off: off, N: longest, Kind: KindTruncated}
	}
	it := Item{Off: off, N: max(longest, 1), Kind: KindTooShort}
	lead, second := src[off], byte(0)
	if off+1 < len(src) {
		second = src[off+1]
	}
	in := func(b, lo, hi byte) bool { return lo <= b && b <= hi }
	switch {
	case in(lead, 0x80, 0xBF):
		it.Kind = KindTooLong
	case in(lead, 0xC0, 0xC1), lead == 0xE0 && in(second, 0x80, 0x9F), lead == 0xF0 && in(second, 0x80, 0x8F):
		it.Kind = KindOverlong
	case lead == 0xED && in(second, 0xA0, 0xBF):
		it.Kind = KindSurrogate
	case lead == 0xF4 && in(second, 0x90, 0xBF):
		it.Kind = KindTooLarge
	case in(lead, 0xF5, 0xFF):
		it.Kind = KindBadLead
	}
	return it
}

// DecodeUTF16 decodes code units: a high surrogate and a low one are a character, any other surrogate is ill-formed.
func DecodeUTF16(src []uint16) []Item {
	items := make([]Item, 0, len(src))
	for off := 0; off < len(src); {
		it := Item{Off: off, N: 1, R: rune(src[off])}
		if src[off]>>11 == 0xD8>>3 {
			switch high := src[off] < 0xDC00; {
			case high && off+1 == len(src):
				it = Item{Off: off, N: 1, Kind: KindTruncated}
			case high && src[off+1] >= 0xDC00 && src[off+1] <= 0xDFFF:
				it.N = 2
				it.R = 0x10000 + (rune(src[off])-0xD800)*0x400 + rune(src[off+1]) - 0xDC00
			default:
				it = Item{Off: off, N: 1, Kind: KindSurrogate}
			}
		}
		items = append(items, it)
		off += it.N
	}
	return items
}

// DecodeUTF32 decodes code units, which are code points unless they are surrogates or above U+10FFFF.
func DecodeUTF32(src []rune) []Item {
	items := make([]Item, 0, len(src))
	for off, r := range src {
		it := Item{Off: off, N: 1, R: r}
		switch {
		case r < 0 || r > 0x10FFFF:
			it = Item{Off: off, N: 1, Kind: KindTooLarge}
		case r >= 0xD800 && r <= 0xDFFF:
			it = Item{Off: off, N: 1, Kind: KindSurrogate}
		}
		items = append(items, it)
	}
	return items
}

// Decode decodes bytes in encoding e; offsets are bytes.
func Decode[E ~uint8](src []byte, e E) []Item {
	switch Encoding(e) {
	case UTF8:
		return DecodeUTF8(src)
	case ASCII, Latin1:
		items := make([]Item, 0, len(src))
		for off, b := range src {
			it := Item{Off: off, N: 1, R: rune(b)}
			if Encoding(e) == ASCII && b > 0x7F {
				it = Item{Off: off, N: 1, Kind: KindTooLarge}
			}
			items = append(items, it)
		}
		return items
	case UTF16LE, UTF16BE:
		var units []uint16
		for i := 0; i+2 <= len(src); i += 2 {
			lo, hi := src[i], src[i+1]
			if Encoding(e) == UTF16BE {
				lo, hi = hi, lo
			}
			units = append(units, uint16(lo)+0x100*uint16(hi))
		}
		items := DecodeUTF16(units)
		for i := range items {
			items[i].Off *= 2
			items[i].N *= 2
		}
		if len(src)%2 == 1 {
			// An odd byte at the end belongs to a high surrogate before it; else it stands alone.
			if k := len(items); k > 0 && items[k-1].Kind == KindTruncated {
				items[k-1].N++
			} else {
				items = append(items, Item{Off: len(src) - 1, N: 1, Kind: KindTruncated})
			}
		}
		return items
	case UTF32LE, UTF32BE:
		var units []rune
		for i := 0; i+4 <= len(src); i += 4 {
			var u uint32
			for k := range 4 {
				b := src[i+3-k]
				if Encoding(e) == UTF32BE {
					b = src[i+k]
				}
				u = u<<8 | uint32(b)
			}
			units = append(units, rune(u))
		}
		items := DecodeUTF32(units)
		for i := range items {
			items[i].Off *= 4
			items[i].N *= 4
		}
		if rest := len(src) % 4; rest > 0 {
			items = append(items, Item{Off: len(src) - rest, N: rest, Kind: KindTruncated})
		}
		return items
	}
	panic("oracle: unknown encoding")
}

// Encode returns the bytes of the character r in encoding e; ok is false if e cannot hold it.
func Encode[E ~uint8](r rune, e E) (b []byte, ok bool) {
	switch Encoding(e) {
	case UTF8:
		return RawUTF8(uint32(r)), true
	case ASCII:
		return []byte{byte(r)}, r <= 0x7F
	case Latin1:
		return []byte{byte(r)}, r <= 0xFF
	case UTF16LE, UTF16BE:
		return Bytes16(Units(r), e), true
	case UTF32LE, UTF32BE:
		return Bytes32([]rune{r}, e), true
	}
	panic("oracle: unknown encoding")
}

// Units returns the UTF-16 code units of the character r.
func Units(r rune) []uint16 {
	if r < 0x10000 {
		return []uint16{uint16(r)}
	}
	return []uint16{0xD800 + uint16((r-0x10000)/0x400), 0xDC00 + uint16((r-0x10000)%0x400)}
}

// EncodeRunes returns characters in an encoding, as bytes.
func EncodeRunes[E ~uint8](runes []rune, e E) []byte {
	out := make([]byte, 0, 4*len(runes))
	for _, r := range runes {
		if r < 0x80 && UnitSize(e) == 1 {
			out = append(out, byte(r))
			continue
		}
		b, _ := Encode(r, e)
		out = append(out, b...)
	}
	return out
}

// EncodeUnits returns characters as UTF-16 code units.
func EncodeUnits(runes []rune) []uint16 {
	out := make([]uint16, 0, len(runes))
	for _, r := range runes {
		out = append(out, Units(r)...)
	}
	return out
}

// UnitSize returns the bytes in a code unit of e.
func UnitSize[E ~uint8](e E) int {
	switch Encoding(e) {
	case UTF16LE, UTF16BE:
		return 2
	case UTF32LE, UTF32BE:
		return 4
	}
	return 1
}

// BOM returns the byte order mark of e, nil for the encodings that have none.
func BOM[E ~uint8](e E) []byte {
	if Encoding(e) == ASCII || Encoding(e) == Latin1 {
		return nil
	}
	b, _ := Encode(0xFEFF, e)
	return b
}

// FirstFault returns the first ill-formed item, nil if there is none.
func FirstFault(items []Item) *Item {
	for i := range items {
		if items[i].Kind != 0 {
			return &items[i]
		}
	}
	return nil
}

// Runes returns the characters of items with U+FFFD once per ill-formed item.
func Runes(items []Item) []rune {
	out := make([]rune, 0, len(items))
	for _, it := range items {
		if it.Kind != 0 {
			it.R = 0xFFFD
		}
		out = append(out, it.R)
	}
	return out
}

// RawUTF8 encodes r by the pattern of UTF-8 without looking at whether that is allowed, so that surrogates and values
// above U+10FFFF get the bytes that a careless encoder gives them.
func RawUTF8(r uint32) []byte {
	switch {
	case r < 0x80:
		return []byte{byte(r)}
	case r < 0x800:
		return []byte{0xC0 | byte(r>>6), 0x80 | byte(r&0x3F)}
	case r < 0x10000:
		return []byte{0xE0 | byte(r>>12), 0x80 | byte(r>>6&0x3F), 0x80 | byte(r&0x3F)}
	}
	return []byte{0xF0 | byte(r>>18&7), 0x80 | byte(r>>12&0x3F), 0x80 | byte(r>>6&0x3F), 0x80 | byte(r&0x3F)}
}

// Bytes16 stores units in the byte order of e.
func Bytes16[E ~uint8](units []uint16, e E) []byte {
	order := binary.AppendByteOrder(binary.LittleEndian)
	if Encoding(e) == UTF16BE {
		order = binary.BigEndian
	}
	out := make([]byte, 0, 2*len(units))
	for _, u := range units {
		out = order.AppendUint16(out, u)
	}
	return out
}

// Bytes32 stores runes in the byte order of e.
func Bytes32[E ~uint8](runes []rune, e E) []byte {
	order := binary.AppendByteOrder(binary.LittleEndian)
	if Encoding(e) == UTF32BE {
		order = binary.BigEndian
	}
	out := make([]byte, 0, 4*len(runes))
	for _, r := range runes {
		out = order.AppendUint32(out, uint32(r))
	}
	return out
}

// Units16 reads whole little-endian units from b.
func Units16(b []byte) []uint16 {
	out := make([]uint16, 0, len(b)/2)
	for ; len(b) >= 2; b = b[2:] {
		out = append(out, binary.LittleEndian.Uint16(b))
	}
	return out
}

// Units32 reads whole little-endian units from b.
func Units32(b []byte) []rune {
	out := make([]rune, 0, len(b)/4)
	for ; len(b) >= 4; b = b[4:] {
		out = append(out, rune(binary.LittleEndian.Uint32(b)))
	}
	return out
}
