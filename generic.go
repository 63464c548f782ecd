package transcode

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// This file is the specification: every conversion, answer and number of the package in portable Go. Other
// implementations of a function here, by the name that ends in Generic or for both sizes of code units, must give its
// results for every input.
//
// The decode functions say what a character is, and name what is wrong where there is none. The functions that walk a
// text handle a prefix of it and return how much: they stop before the first character that is ill-formed, unfinished,
// or not in the target encoding, and before the first that does not fit in dst. They write whole characters, and nothing
// behind them. They take bytes, or code units in host order, and count these; order and alignment of code units that are
// stored as bytes are dealt with in convert.go.
//
// Indexes are unsigned, and each is compared with a length before it is used: so the compiler needs no checks of its own.

// high marks the bytes of a word that are not ASCII.
const high = 0x8080808080808080

// ones has a 1 in each byte.
const ones = 0x0101010101010101

// lanes has a 1 in each 16-bit lane.
const lanes = 0x0001000100010001

// even has the lower byte of each 16-bit lane set.
const even = 0x00FF00FF00FF00FF

// load64 returns the eight bytes of b at i.
func load64(b []byte, i uint) uint64 { return binary.LittleEndian.Uint64(b[i : i+8 : i+8]) }

// load32 returns the four bytes of b at i.
func load32(b []byte, i uint) uint32 { return binary.LittleEndian.Uint32(b[i : i+4 : i+4]) }

// load16x4 returns the four code units of b at i in 16-bit lanes.
func load16x4(b []uint16, i uint) uint64 {
	b = b[i : i+4 : i+4]
	return uint64(b[0]) | uint64(b[1])<<16 | uint64(b[2])<<32 | uint64(b[3])<<48
}

// load16x2 returns the two code units of b at i in 16-bit lanes.
func load16x2(b []uint16, i uint) uint32 {
	b = b[i : i+2 : i+2]
	return uint32(b[0]) | uint32(b[1])<<16
}

// isContinuation reports whether b is a UTF-8 continuation byte.
func isContinuation(b byte) bool { return b&0xC0 == 0x80 }

// Surrogates: high D800..DBFF, low DC00..DFFF.
func isSurrogate(u uint32) bool     { return u&^0x7FF == 0xD800 }
func isHighSurrogate(u uint16) bool { return u&^0x3FF == 0xD800 }
func isLowSurrogate(u uint16) bool  { return u&^0x3FF == 0xDC00 }

// joinSurrogates returns the code point of a surrogate pair.
func joinSurrogates(hi, lo uint16) uint32 { return 0x10000 + uint32(hi-0xD800)<<10 + uint32(lo-0xDC00) }

// Two code units in 16-bit lanes, the first in the low one: whether they are a surrogate pair, and its code point.
func isPair(w uint32) bool          { return w&0xFC00FC00 == 0xDC00D800 }
func surrogatePair(r uint32) uint32 { return 0xDC00D7C0 + r>>10 | r&0x3FF<<16 }
func areTwoPairs(w uint64) bool     { return w&0xFC00FC00FC00FC00 == 0xDC00D800DC00D800 }
func pairRune(w uint32) uint32      { return 0x10000 + w&0x3FF<<10 + w>>16&0x3FF }

// notSurrogates has the top bit of each lane of w set where that is no surrogate.
func notSurrogates(w uint64) uint64 {
	x := w ^ 0xD800*lanes // below 800 for D800..DFFF and for no others
	return (x&(0x7FFF*lanes) + 0x7800*lanes | x) & (0x8000 * lanes)
}

// isScalar reports whether u is a Unicode scalar value: a code point but no surrogate.
func isScalar(u uint32) bool { return u < 0xD800 || u-0xE000 < 0x110000-0xE000 }

// as16 and as32 return code units of two and four bytes as what they are; they are not for others.

func as16[U uint16 | rune](s []U) []uint16 {
	return unsafe.Slice((*uint16)(unsafe.Pointer(unsafe.SliceData(s))), len(s))
}

func as32[U uint16 | rune](s []U) []rune {
	return unsafe.Slice((*rune)(unsafe.Pointer(unsafe.SliceData(s))), len(s))
}

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
		if !isContinuation(b) {
			return 0, n, KindTooShort
		}
		if n == 1 && (b < lo || b > hi) {
			return 0, 1, outside
		}
		r = r<<6 | rune(b&0x3F)
	}
	return r, n, 0
}

// decodeByte does for ASCII (limit 0x80) and Latin-1 (0x100) what decodeUTF8 does for UTF-8.
func decodeByte(src []byte, limit uint32) (r rune, n int, kind ErrorKind) {
	if uint32(src[0]) >= limit {
		return 0, 1, KindTooLarge
	}
	return rune(src[0]), 1, 0
}

// unit16 returns the first two-byte code unit of b; be says that its high byte comes first.
func unit16(b []byte, be bool) uint16 {
	if be {
		return binary.BigEndian.Uint16(b)
	}
	return binary.LittleEndian.Uint16(b)
}

// unit32 returns the first four-byte code unit of b.
func unit32(b []byte, be bool) uint32 {
	if be {
		return binary.BigEndian.Uint32(b)
	}
	return binary.LittleEndian.Uint32(b)
}

// decodeUTF16 does for UTF-16 in bytes what decodeUTF8 does for UTF-8. A high surrogate that ends src, with or without an odd byte
// behind it, is one unfinished sequence.
func decodeUTF16(src []byte, be bool) (r rune, n int, kind ErrorKind) {
	if len(src) < 2 {
		return 0, len(src), KindTruncated
	}
	u := unit16(src, be)
	switch {
	case !isSurrogate(uint32(u)):
		return rune(u), 2, 0
	case isLowSurrogate(u):
		return 0, 2, KindSurrogate
	case len(src) < 4:
		return 0, len(src), KindTruncated
	}
	lo := unit16(src[2:], be)
	if !isLowSurrogate(lo) {
		return 0, 2, KindSurrogate
	}
	return rune(joinSurrogates(u, lo)), 4, 0
}

// decodeUTF32 does for UTF-32 in bytes what decodeUTF8 does for UTF-8.
func decodeUTF32(src []byte, be bool) (r rune, n int, kind ErrorKind) {
	if len(src) < 4 {
		return 0, len(src), KindTruncated
	}
	u := unit32(src, be)
	switch {
	case isSurrogate(u):
		return 0, 4, KindSurrogate
	case u > 0x10FFFF:
		return 0, 4, KindTooLarge
	}
	return rune(u), 4, 0
}

// Prefixes.

// asciiPrefixGeneric returns the length of the longest ASCII prefix of src.
func asciiPrefixGeneric(src []byte) int {
	i, n := uint(0), uint(len(src))
	for i+32 <= n && isASCII32(src[i:i+32:i+32]) {
		i += 32
	}
	for i+8 <= n {
		if w := load64(src, i) & high; w != 0 {
			return int(i) + bits.TrailingZeros64(w)/8
		}
		i += 8
	}
	for i < n && src[i] < 0x80 {
		i++
	}
	return int(i)
}

// isASCII32 reports whether the first 32 bytes of b are ASCII.
func isASCII32(b []byte) bool {
	_ = b[31]
	return (binary.LittleEndian.Uint64(b)|binary.LittleEndian.Uint64(b[8:])|
		binary.LittleEndian.Uint64(b[16:])|binary.LittleEndian.Uint64(b[24:]))&high == 0
}

// isASCIIGeneric reports whether src is ASCII throughout. Loads overlap at the end.
func isASCIIGeneric(src []byte) bool {
	switch n := len(src); {
	case n >= 8:
		s := src[:n:n]
		if binary.LittleEndian.Uint64(s)&high != 0 {
			return false
		}
		for len(s) > 32 && isASCII32(s) {
			s = s[32:]
		}
		for len(s) > 8 {
			if binary.LittleEndian.Uint64(s)&high != 0 {
				return false
			}
			s = s[8:]
		}
		return binary.LittleEndian.Uint64(src[n-8:])&high == 0
	case n >= 4:
		return (binary.LittleEndian.Uint32(src)|binary.LittleEndian.Uint32(src[n-4:]))&0x80808080 == 0
	case n > 0:
		return src[0]|src[n/2]|src[n-1] < 0x80
	}
	return true
}

// Words of four bytes that begin with a well-formed UTF-8 sequence of two, three or four. One comparison looks at the marker
// bits of all its bytes, the others at what would be overlong, a surrogate, or above U+10FFFF.

func isTwoByte(w uint32) bool { return w&0xC0E0 == 0x80C0 && w&0x1E != 0 }

func isThreeByte(w uint32) bool {
	return w&0xC0C0F0 == 0x8080E0 && w&0x200F != 0 && w&0x200F != 0x200D
}

func isFourByte(w uint32) bool {
	return w&0xC0C0C0F8 == 0x808080F0 && isFourByteRune(fourByteRune(w))
}

// The characters of such words.

func twoByteRune(w uint32) uint32   { return w&0x1F<<6 | w>>8&0x3F }
func threeByteRune(w uint32) uint32 { return w&0x0F<<12 | w>>2&0xFC0 | w>>16&0x3F }
func fourByteRune(w uint32) uint32 {
	return w&0x07<<18 | w<<4&0x3F000 | w>>10&0xFC0 | w>>24&0x3F
}

// validUTF8PrefixGeneric returns the length of the longest well-formed prefix of src, and its class.
func validUTF8PrefixGeneric(src []byte) (n int, class Class) {
	i, end := uint(0), uint(len(src))
	top := uint32(0) // the highest lead byte, which tells the class
	for i+4 <= end {
		w := load32(src, i)
		switch {
		case w&0x80 == 0:
			i++
			if w&0x8000 != 0 {
				continue
			}
			for i+8 <= end && load64(src, i)&high == 0 {
				i += 8
				for i+32 <= end && isASCII32(src[i:i+32:i+32]) {
					i += 32
				}
			}
			for i < end && src[i] < 0x80 {
				i++
			}
			continue
		case isTwoByte(w):
			i += 2
		case isThreeByte(w):
			i += 3
		case isFourByte(w):
			i += 4
		default:
			return int(i), classOfLead(top)
		}
		top = max(top, w&0xFF)
	}
	for i < end { // the last three bytes
		w := uint32(src[i])
		if w < 0x80 {
			i++
			continue
		}
		w |= tail32(src, i)
		switch {
		case isTwoByte(w):
			i += 2
		case isThreeByte(w):
			i += 3
		default:
			return int(i), classOfLead(top)
		}
		top = max(top, w&0xFF)
	}
	return int(i), classOfLead(top)
}

// tail32 returns, at their places in a word, up to three bytes of src behind i. Zeros stand for those that are missing.
func tail32(src []byte, i uint) (w uint32) {
	if n := uint(len(src)); i+1 < n {
		w = uint32(src[i+1]) << 8
		if i+2 < n {
			w |= uint32(src[i+2]) << 16
			if i+3 < n {
				w |= uint32(src[i+3]) << 24
			}
		}
	}
	return w
}

// classOfLead returns the class of a well-formed text whose highest lead byte is given.
func classOfLead(maxLead uint32) Class {
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
func validUTF16PrefixGeneric(src []uint16) int {
	i, n := uint(0), uint(len(src))
	for i < n {
		for i+4 <= n {
			if notSurrogates(load16x4(src, i)) != 0x8000*lanes {
				break
			}
			i += 4
		}
		if i >= n {
			break
		}
		if !isSurrogate(uint32(src[i])) {
			i++
			continue
		}
		if i+2 > n || !isPair(load16x2(src, i)) {
			break
		}
		i += 2
	}
	return int(i)
}

// validUTF32PrefixGeneric returns the length of the longest well-formed prefix of src.
func validUTF32PrefixGeneric(src []rune) int {
	for i, r := range src {
		if !isScalar(uint32(r)) {
			return i
		}
	}
	return len(src)
}

// Counts and lengths: formulas, the same for ill-formed text. A length can exceed the range of int where that has 32 bits.

// sumBytes returns the sum of the bytes of w.
func sumBytes(w uint64) int64 {
	return int64((w&even + w>>8&even) * lanes >> 48)
}

// sumLanes returns the sum of the 16-bit lanes of w.
func sumLanes(w uint64) int64 { return int64(w&0xFFFF + w>>16&0xFFFF + w>>32&0xFFFF + w>>48) }

// leads has a 1 in each byte of w that is not a continuation byte.
func leads(w uint64) uint64 { return (^w>>7 | w>>6) & ones }

// fourByteLeads has a 1 in each byte of w that is F0 or above.
func fourByteLeads(w uint64) uint64 { return w >> 7 & (w >> 6) & (w >> 5) & (w >> 4) & ones }

// words returns the part of src that consists of whole words, at most limit of them, and the rest.
func words(src []byte, limit int) (whole, rest []byte) {
	n := min(len(src)/8, limit) * 8
	return src[:n:n], src[n:]
}

// classOfUTF8Generic returns the class of text in order, which its greatest byte tells.
func classOfUTF8Generic(src []byte) Class {
	var latin1, bmp, supplementary uint64 // in the top bits
	for len(src) > 0 {
		block := src
		if len(src) < 8 {
			var last [8]byte
			copy(last[:], src)
			block = last[:]
		}
		w := load64(block, 0)
		latin1 |= w
		bmp |= w & (w << 1) & (w<<2 | w<<3 | w<<4 | w<<5)   // C4 or more
		supplementary |= w & (w << 1) & (w << 2) & (w << 3) // F0 or more
		src = src[min(8, len(src)):]
	}
	switch {
	case supplementary&high != 0:
		return ClassSupplementary
	case bmp&high != 0:
		return ClassBMP
	case latin1&high != 0:
		return ClassLatin1
	}
	return ClassASCII
}

// runeCountGeneric returns the number of bytes outside 80..BF.
func runeCountGeneric(src []byte) (n int64) {
	for len(src) >= 8 {
		var part []byte
		part, src = words(src, 255)
		var acc uint64 // counts of up to 255 in each byte
		for ; len(part) >= 8; part = part[8:] {
			acc += leads(binary.LittleEndian.Uint64(part))
		}
		n += sumBytes(acc)
	}
	for _, b := range src {
		if !isContinuation(b) {
			n++
		}
	}
	return n
}

// utf16LenFromUTF8Generic returns the number of bytes outside 80..BF plus the number of bytes from F0 on.
func utf16LenFromUTF8Generic(src []byte) (n int64) {
	for len(src) >= 8 {
		var part []byte
		part, src = words(src, 127)
		var acc uint64 // counts of up to 2*127 in each byte
		for ; len(part) >= 8; part = part[8:] {
			w := binary.LittleEndian.Uint64(part)
			acc += leads(w) + fourByteLeads(w)
		}
		n += sumBytes(acc)
	}
	for _, b := range src {
		if !isContinuation(b) {
			n++
		}
		if b >= 0xF0 {
			n++
		}
	}
	return n
}

// utf8LenFromLatin1Generic returns len(src) plus the number of bytes from 80 on.
func utf8LenFromLatin1Generic(src []byte) int64 {
	n := int64(len(src))
	for len(src) >= 8 {
		var part []byte
		part, src = words(src, 255)
		var acc uint64 // counts of up to 255 in each byte
		for ; len(part) >= 8; part = part[8:] {
			acc += binary.LittleEndian.Uint64(part) >> 7 & ones
		}
		n += sumBytes(acc)
	}
	for _, b := range src {
		n += int64(b >> 7)
	}
	return n
}

// utf8LenFromUTF16Generic returns units + units from 80 on + units from 800 on - surrogates.
func utf8LenFromUTF16Generic(src []uint16) (n int64) {
	i, end := uint(0), uint(len(src))
	for i+4 <= end {
		var acc uint64 // counts of up to 3*20000 in each lane
		for stop := min(end, i+4*20000); i+4 <= stop; i += 4 {
			// The top bit of each lane: adding 8000 - limit to the low 15 bits carries into it from the limit on.
			w := load16x4(src, i)
			from80 := w&(0x7FFF*lanes) + 0x7F80*lanes | w
			from800 := w&(0x7FFF*lanes) + 0x7800*lanes | w
			acc += from80>>15&lanes + from800>>15&lanes + notSurrogates(w)>>15
		}
		n += sumLanes(acc)
	}
	for ; i < end; i++ {
		u := src[i]
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
func utf32LenFromUTF16Generic(src []uint16) (n int64) {
	for _, u := range src {
		if !isLowSurrogate(u) {
			n++
		}
	}
	return n
}

// utf8Lens has the length of a code unit of UTF-32 in UTF-8, by the number of bits that it needs.
var utf8Lens = [33]uint8{
	1, 1, 1, 1, 1, 1, 1, 1, // up to 7F
	2, 2, 2, 2, // up to 7FF
	3, 3, 3, 3, 3, // up to FFFF
	4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, // and beyond
}

// utf8LenFromUTF32Generic returns units + units from 80 on + units from 800 on + units from 10000 on.
func utf8LenFromUTF32Generic(src []rune) (n int64) {
	for _, r := range src {
		n += int64(utf8Lens[bits.Len32(uint32(r))])
	}
	return n
}

// utf16LenFromUTF32Generic returns units + units from 10000 on.
func utf16LenFromUTF32Generic(src []rune) (n int64) {
	for _, r := range src {
		n += 1 - (0xFFFF-int64(uint32(r)))>>63
	}
	return n
}

// Byte order.

// swap16Generic copies the whole code units of two bytes in src to dst, as many as fit, with their bytes exchanged, and returns how
// many bytes. dst may be src.
func swap16Generic(dst, src []byte) int {
	n := min(uint(len(src)), uint(len(dst))) &^ 1
	i := uint(0)
	for ; i+8 <= n; i += 8 {
		w := load64(src, i)
		binary.LittleEndian.PutUint64(dst[i:i+8:i+8], w>>8&even|w&even<<8)
	}
	for ; i < n; i += 2 {
		dst[i], dst[i+1] = src[i+1], src[i]
	}
	return int(n)
}

// swap32Generic is swap16Generic for code units of four bytes.
func swap32Generic(dst, src []byte) int {
	n := min(uint(len(src)), uint(len(dst))) &^ 3
	for i := uint(0); i < n; i += 4 {
		binary.LittleEndian.PutUint32(dst[i:i+4:i+4], binary.BigEndian.Uint32(src[i:i+4:i+4]))
	}
	return int(n)
}

// Conversions from one-byte encodings.

// copyASCII copies the longest ASCII prefix of src that fits in dst and returns its length.
func copyASCII(dst, src []byte) int {
	n := min(uint(len(src)), uint(len(dst)))
	i := uint(0)
	for i+8 <= n {
		w := load64(src, i)
		if w&high != 0 {
			break
		}
		binary.LittleEndian.PutUint64(dst[i:i+8:i+8], w)
		i += 8
	}
	for i < n && src[i] < 0x80 {
		dst[i] = src[i]
		i++
	}
	return int(i)
}

// latin1ToUTF8Generic converts Latin-1 to UTF-8.
func latin1ToUTF8Generic(dst, src []byte) (nDst, nSrc int) {
	i, n := uint(0), uint(len(src))
	j, m := uint(0), uint(len(dst))
	for i < n && j < m {
		b := src[i]
		if b >= 0x80 {
			if j+1 >= m {
				break
			}
			dst[j], dst[j+1] = 0xC0|b>>6, 0x80|b&0x3F
			i++
			j += 2
			continue
		}
		dst[j] = b
		i++
		j++
		if i+8 <= n && load64(src, i)&high == 0 {
			k := uint(copyASCII(dst[j:], src[i:]))
			i += k
			j += k
		}
	}
	return int(j), int(i)
}

// latin1ToUTF16Generic converts Latin-1 to UTF-16.
func latin1ToUTF16Generic(dst []uint16, src []byte) (nDst, nSrc int) { return latin1ToUnits(dst, src) }

// latin1ToUTF32Generic converts Latin-1 to UTF-32.
func latin1ToUTF32Generic(dst []rune, src []byte) (nDst, nSrc int) { return latin1ToUnits(dst, src) }

// latin1ToUnits converts Latin-1 to code units of two or four bytes.
func latin1ToUnits[U uint16 | rune](dst []U, src []byte) (nDst, nSrc int) {
	n := min(uint(len(src)), uint(len(dst)))
	i := uint(0)
	for ; i+8 <= n; i += 8 {
		widen8(dst[i:i+8:i+8], src[i:i+8:i+8])
	}
	for ; i < n; i++ {
		dst[i] = U(src[i])
	}
	return int(n), int(n)
}

// widen8 stores eight bytes as code units. Eight small stores take no longer than spreading a word for two large ones.
func widen8[U uint16 | rune](d []U, s []byte) {
	_, _ = d[7], s[7]
	d[0], d[1], d[2], d[3] = U(s[0]), U(s[1]), U(s[2]), U(s[3])
	d[4], d[5], d[6], d[7] = U(s[4]), U(s[5]), U(s[6]), U(s[7])
}

// Conversions from UTF-8.

// utf8ToLatin1Generic converts UTF-8 to Latin-1.
func utf8ToLatin1Generic(dst, src []byte) (nDst, nSrc int) {
	i, n := uint(0), uint(len(src))
	j, m := uint(0), uint(len(dst))
	for i < n && j < m {
		b := src[i]
		if b >= 0x80 {
			if i+1 >= n || b&^1 != 0xC2 || !isContinuation(src[i+1]) {
				break
			}
			dst[j] = b<<6 | src[i+1]&0x3F
			i += 2
			j++
			continue
		}
		dst[j] = b
		i++
		j++
		if i+8 <= n && load64(src, i)&high == 0 {
			k := uint(copyASCII(dst[j:], src[i:]))
			i += k
			j += k
		}
	}
	return int(j), int(i)
}

// utf8ToUTF16Generic converts UTF-8 to UTF-16.
func utf8ToUTF16Generic(dst []uint16, src []byte) (nDst, nSrc int) {
	return utf8ToUnits(dst, src)
}

// utf8ToUTF32Generic converts UTF-8 to UTF-32.
func utf8ToUTF32Generic(dst []rune, src []byte) (nDst, nSrc int) {
	return utf8ToUnits(dst, src)
}

// utf8ToUnits converts UTF-8 to code units of two or four bytes.
func utf8ToUnits[U uint16 | rune](dst []U, src []byte) (nDst, nSrc int) {
	i, n := uint(0), uint(len(src))
	j, m := uint(0), uint(len(dst))
	for i+4 <= n && j+2 <= m {
		w := load32(src, i)
		switch {
		case w&0x80 == 0:
			dst[j] = U(w & 0x7F)
			i++
			j++
			if w&0x8000 != 0 {
				continue
			}
			if i+32 <= n && isASCII32(src[i:i+32:i+32]) {
				run := src[i:min(n, i+m-j)]
				k, _ := latin1ToUnits(dst[j:], run[:asciiPrefixGeneric(run)])
				i += uint(k)
				j += uint(k)
			}
			for i+8 <= n && j+8 <= m && load64(src, i)&high == 0 {
				widen8(dst[j:j+8:j+8], src[i:i+8:i+8])
				i += 8
				j += 8
			}
			for i < n && j < m && src[i] < 0x80 {
				dst[j] = U(src[i])
				i++
				j++
			}
		case isTwoByte(w):
			dst[j] = U(twoByteRune(w))
			i += 2
			j++
		case isThreeByte(w):
			dst[j] = U(threeByteRune(w))
			i += 3
			j++
		case isFourByte(w):
			j += putRune(dst[j:j+2:j+2], fourByteRune(w))
			i += 4
		default:
			return int(j), int(i)
		}
	}
	for i < n && j < m { // the last three bytes of src, or the last unit of dst
		w := uint32(src[i])
		if w < 0x80 {
			dst[j] = U(w)
			i++
			j++
			continue
		}
		w |= tail32(src, i)
		switch {
		case isTwoByte(w):
			dst[j] = U(twoByteRune(w))
			i += 2
			j++
		case isThreeByte(w):
			dst[j] = U(threeByteRune(w))
			i += 3
			j++
		case isFourByte(w) && (unsafe.Sizeof(dst[0]) == 4 || j+2 <= m):
			j += putRune(dst[j:], fourByteRune(w))
			i += 4
		default:
			return int(j), int(i)
		}
	}
	return int(j), int(i)
}

// putRune stores r, above U+FFFF, as one or two code units and returns how many.
func putRune[U uint16 | rune](dst []U, r uint32) uint {
	if unsafe.Sizeof(dst[0]) == 4 {
		dst[0] = U(r)
		return 1
	}
	_ = dst[1]
	w := surrogatePair(r)
	dst[0], dst[1] = U(w), U(w>>16)
	return 2
}

// put4 stores the 16-bit lanes of w. The compiler joins the stores.
func put4(dst []uint16, w uint64) {
	_ = dst[3]
	dst[0], dst[1], dst[2], dst[3] = uint16(w), uint16(w>>16), uint16(w>>32), uint16(w>>48)
}

// Encoding as UTF-8: characters of two, three and four bytes. One word has all of them, so that few stores do.

func putTwoByte(dst []byte, r uint32) {
	x := 0x80C0 | r>>6 | r&0x3F<<8
	_ = dst[1]
	dst[0], dst[1] = byte(x), byte(x>>8)
}

func putThreeByte(dst []byte, r uint32) {
	x := 0x8080E0 | r>>12 | r<<2&0x3F00 | r&0x3F<<16
	_ = dst[2]
	dst[0], dst[1], dst[2] = byte(x), byte(x>>8), byte(x>>16)
}

func putFourByte(dst []byte, r uint32) {
	binary.LittleEndian.PutUint32(dst, 0x808080F0|r>>18|r>>4&0x3F00|r<<10&0x3F0000|r&0x3F<<24)
}

// putTwoTwoByte and putTwoThreeByte store two characters at once.

func putTwoTwoByte(dst []byte, a, b uint32) {
	x := 0x80C080C0 | a>>6 | a&0x3F<<8 | b>>6<<16 | b&0x3F<<24
	binary.LittleEndian.PutUint32(dst, x)
}

func putTwoThreeByte(dst []byte, a, b uint32) {
	x := 0x8080E0 | a>>12 | a<<2&0x3F00 | a&0x3F<<16
	y := 0x8080E0 | b>>12 | b<<2&0x3F00 | b&0x3F<<16
	binary.LittleEndian.PutUint32(dst, x|y<<24)
	binary.LittleEndian.PutUint16(dst[4:], uint16(y>>8))
}

// isTwoByteRune reports whether r has two bytes in UTF-8, isThreeByteRune whether it has three and is below the surrogates,
// isFourByteRune whether it has four.
func isTwoByteRune(r uint32) bool   { return r-0x80 < 0x800-0x80 }
func isThreeByteRune(r uint32) bool { return r-0x800 < 0xD800-0x800 }
func isFourByteRune(r uint32) bool  { return r-0x10000 < 0x110000-0x10000 }

// Conversions from UTF-16.

// narrow8 stores eight code units, all below 0x100, as bytes.
func narrow8[U uint16 | rune](d []byte, s []U) {
	_, _ = d[7], s[7]
	d[0], d[1], d[2], d[3] = byte(s[0]), byte(s[1]), byte(s[2]), byte(s[3])
	d[4], d[5], d[6], d[7] = byte(s[4]), byte(s[5]), byte(s[6]), byte(s[7])
}

// or8 returns the bits of eight code units together.
func or8[U uint16 | rune](s []U) uint32 {
	_ = s[7]
	return uint32(s[0] | s[1] | s[2] | s[3] | s[4] | s[5] | s[6] | s[7])
}

// utf16ToUTF8Generic converts UTF-16 to UTF-8.
func utf16ToUTF8Generic(dst []byte, src []uint16) (nDst, nSrc int) { return unitsToUTF8(dst, src) }

// unitsToUTF8 converts UTF-16 or UTF-32 to UTF-8. Behind a character it looks for more of the same length.
func unitsToUTF8[U uint16 | rune](dst []byte, src []U) (nDst, nSrc int) {
	i, n := uint(0), uint(len(src))
	j, m := uint(0), uint(len(dst))
	units := as16(src)
	for i < n && j < m {
		u := uint32(src[i])
		switch {
		case u < 0x80:
			dst[j] = byte(u)
			i++
			j++
			for i+8 <= n && j+8 <= m {
				s := src[i : i+8 : i+8]
				if unsafe.Sizeof(s[0]) == 2 {
					if (load16x4(units, i)|load16x4(units, i+4))&(0xFF80*lanes) != 0 {
						break
					}
				} else if or8(s) >= 0x80 {
					break
				}
				narrow8(dst[j:j+8:j+8], s)
				i += 8
				j += 8
			}
			for i < n && j < m && uint32(src[i]) < 0x80 {
				dst[j] = byte(src[i])
				i++
				j++
			}
		case u < 0x800:
			if j+2 > m {
				return int(j), int(i)
			}
			putTwoByte(dst[j:j+2:j+2], u)
			i++
			j += 2
			for i+2 <= n && j+4 <= m && isTwoByteRune(uint32(src[i])) && isTwoByteRune(uint32(src[i+1])) {
				putTwoTwoByte(dst[j:j+4:j+4], uint32(src[i]), uint32(src[i+1]))
				i += 2
				j += 4
			}
		case u < 0x10000 && !isSurrogate(u):
			if j+3 > m {
				return int(j), int(i)
			}
			putThreeByte(dst[j:j+3:j+3], u)
			i++
			j += 3
			for i+2 <= n && j+6 <= m && isThreeByteRune(uint32(src[i])) && isThreeByteRune(uint32(src[i+1])) {
				putTwoThreeByte(dst[j:j+6:j+6], uint32(src[i]), uint32(src[i+1]))
				i += 2
				j += 6
			}
		default:
			start := i
			for i < n && j+4 <= m {
				r, k := uint32(src[i]), uint(1)
				if unsafe.Sizeof(src[0]) == 2 {
					if i+2 > n || !isPair(r|uint32(src[i+1])<<16) {
						break
					}
					r, k = pairRune(r|uint32(src[i+1])<<16), 2
				} else if !isFourByteRune(r) {
					break
				}
				putFourByte(dst[j:j+4:j+4], r)
				i += k
				j += 4
			}
			if i == start {
				return int(j), int(i)
			}
		}
	}
	return int(j), int(i)
}

// utf16ToLatin1Generic converts UTF-16 to the one-byte encoding of the characters below limit: Latin-1 or ASCII.
func utf16ToLatin1Generic(dst []byte, src []uint16, limit uint32) (nDst, nSrc int) {
	return unitsToBytes(dst, src, limit)
}

// unitsToBytes converts UTF-16 or UTF-32 to the one-byte encoding of the characters below limit, 0x80 or 0x100.
func unitsToBytes[U uint16 | rune](dst []byte, src []U, limit uint32) (nDst, nSrc int) {
	n := min(uint(len(src)), uint(len(dst)))
	i := uint(0)
	units, mask := as16(src), uint64(uint16(-limit))*lanes
	for i+8 <= n {
		s := src[i : i+8 : i+8]
		if unsafe.Sizeof(s[0]) == 2 {
			if (load16x4(units, i)|load16x4(units, i+4))&mask != 0 {
				break
			}
		} else if or8(s) >= limit {
			break
		}
		narrow8(dst[i:i+8:i+8], s)
		i += 8
	}
	for i < n && uint32(src[i]) < limit {
		dst[i] = byte(src[i])
		i++
	}
	return int(i), int(i)
}

// utf16ToUTF32Generic converts UTF-16 to UTF-32.
func utf16ToUTF32Generic(dst []rune, src []uint16) (nDst, nSrc int) {
	i, n := uint(0), uint(len(src))
	j, m := uint(0), uint(len(dst))
	for i < n && j < m {
		if u := src[i]; !isSurrogate(uint32(u)) {
			dst[j] = rune(u)
			i++
			j++
			for i+8 <= n && j+8 <= m {
				s, d := src[i:i+8:i+8], dst[j:j+8:j+8]
				if notSurrogates(load16x4(s, 0))&notSurrogates(load16x4(s, 4)) != 0x8000*lanes {
					break
				}
				d[0], d[1], d[2], d[3] = rune(s[0]), rune(s[1]), rune(s[2]), rune(s[3])
				d[4], d[5], d[6], d[7] = rune(s[4]), rune(s[5]), rune(s[6]), rune(s[7])
				i += 8
				j += 8
			}
			continue
		}
		if i+2 > n || !isPair(load16x2(src, i)) {
			break
		}
		dst[j] = rune(pairRune(load16x2(src, i)))
		i += 2
		j++
		for i+4 <= n && j+2 <= m {
			w := load16x4(src, i)
			if !areTwoPairs(w) {
				break
			}
			d := dst[j : j+2 : j+2]
			d[0], d[1] = rune(pairRune(uint32(w))), rune(pairRune(uint32(w>>32)))
			i += 4
			j += 2
		}
	}
	return int(j), int(i)
}

// Conversions from UTF-32.

// utf32ToUTF8Generic converts UTF-32 to UTF-8.
func utf32ToUTF8Generic(dst []byte, src []rune) (nDst, nSrc int) { return unitsToUTF8(dst, src) }

// utf32ToLatin1Generic converts UTF-32 to the one-byte encoding of the characters below limit: Latin-1 or ASCII.
func utf32ToLatin1Generic(dst []byte, src []rune, limit uint32) (nDst, nSrc int) {
	return unitsToBytes(dst, src, limit)
}

// utf32ToUTF16Generic converts UTF-32 to UTF-16.
func utf32ToUTF16Generic(dst []uint16, src []rune) (nDst, nSrc int) {
	i, n := uint(0), uint(len(src))
	j, m := uint(0), uint(len(dst))
	for i < n && j < m {
		u := uint32(src[i])
		switch {
		case !isScalar(u):
			return int(j), int(i)
		case u < 0x10000:
			dst[j] = uint16(u)
			i++
			j++
			for i+8 <= n && j+8 <= m {
				s, d := src[i:i+8:i+8], dst[j:j+8:j+8]
				// Cheap, and enough for most scripts; ideographs may need the exact test.
				if or8(s) >= 0xD800 &&
					max(uint32(s[0]), uint32(s[1]), uint32(s[2]), uint32(s[3]), uint32(s[4]), uint32(s[5]), uint32(s[6]), uint32(s[7])) >= 0xD800 {
					break
				}
				d[0], d[1], d[2], d[3] = uint16(s[0]), uint16(s[1]), uint16(s[2]), uint16(s[3])
				d[4], d[5], d[6], d[7] = uint16(s[4]), uint16(s[5]), uint16(s[6]), uint16(s[7])
				i += 8
				j += 8
			}
		default:
			if j+2 > m {
				return int(j), int(i)
			}
			putRune(dst[j:j+2:j+2], u)
			i++
			j += 2
			for i+2 <= n && j+4 <= m && isFourByteRune(uint32(src[i])) && isFourByteRune(uint32(src[i+1])) {
				d := dst[j : j+4 : j+4]
				put4(d, uint64(surrogatePair(uint32(src[i])))|uint64(surrogatePair(uint32(src[i+1])))<<32)
				i += 2
				j += 4
			}
		}
	}
	return int(j), int(i)
}

// maxListed is how many bytes of text listRecords handles at most, so that four times the place of each is a uint16.
const maxListed = 16 << 10

// listRecordsGeneric lists where records of src end, which is UTF-8: the places of delim, each times four, and the class of what is before it, as far as the
// delimiter before that, or most if that is less. Class, not above most, is that of what came before src since the last delimiter, and after the same for what
// follows. It handles blocks of 64 bytes, the last of which may be shorter, within 16 KiB, each if there is room for 64 records, and may write behind the
// result as far.
func listRecordsGeneric(ends []uint16, src []byte, delim byte, class, most Class) (nDst, nSrc int, after Class) {
	src = src[:min(len(src), maxListed)]
	open := [3]uint64{uint64(class+2) / 3, uint64(class) / 2, uint64(class) / 3} // whether there is a character above ASCII, Latin-1 and the BMP
	var last [64]byte
	for nSrc < len(src) && len(ends)-nDst >= 64 {
		block, n := &last, 64
		if len(src)-nSrc >= 64 {
			block = (*[64]byte)(src[nSrc:])
		} else {
			n = copy(last[:], src[nSrc:])
		}
		delimiters := equalBytes(block, uint64(delim)*ones) & (1<<n - 1)
		var above [3]uint64
		if high := leastBytes(block, 0x80); most > ClassASCII && high|open[0] != 0 {
			// From a mark a carry goes up to the delimiter that ends the record.
			for i, marks := range [3]uint64{high, leastBytes(block, 0xC4), leastBytes(block, 0xF0)} {
				if Class(i) < most {
					above[i], open[i] = bits.Add64(marks, ^delimiters, open[i])
				}
			}
		}
		for d := delimiters; d != 0; d &= d - 1 {
			i := bits.TrailingZeros64(d)
			ends[nDst] = uint16((nSrc+i)<<2) + uint16(above[0]>>i&1+above[1]>>i&1+above[2]>>i&1)
			nDst++
		}
		nSrc += n
	}
	return nDst, nSrc, Class(open[0] + open[1] + open[2])
}

// leastBytes returns a bit for each byte of b: whether it is at least as large as least, which is 0x80 or more.
func leastBytes(b *[64]byte, least uint64) (marks uint64) {
	for i := uint(0); i < 64; i += 8 {
		w := load64(b[:], i)
		marks |= topBits(w&high&(w&^high+(0x100-least)*ones)) << i
	}
	return marks
}

// equalBytes returns a bit for each byte of b: whether it is that which every consists of.
func equalBytes(b *[64]byte, every uint64) (marks uint64) {
	for i := uint(0); i < 64; i += 8 {
		x := load64(b[:], i) ^ every
		marks |= topBits(^((x&^high+^uint64(high))|x)&high) << i // the top bits of the bytes of x that are 0
	}
	return marks
}

// topBits returns the top bit of each byte of w, which has no others, in order.
func topBits(w uint64) uint64 { return w >> 7 * 0x0102040810204080 >> 56 }
