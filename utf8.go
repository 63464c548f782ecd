package transcode

import (
	"fmt"
	"unsafe"
)

// A Class says what the widest character of a text needs. Classes are ordered: that of a concatenation of whole-character
// pieces is the maximum of theirs.
type Class uint8

const (
	ClassASCII         Class = iota // every character up to U+007F; the empty text
	ClassLatin1                     // well-formed, every character up to U+00FF: one byte per character suffices
	ClassBMP                        // well-formed, every character up to U+FFFF: one UTF-16 code unit per character
	ClassSupplementary              // well-formed, with a character above U+FFFF
	ClassInvalid                    // ill-formed
)

var classNames = [...]string{"ASCII", "Latin-1", "BMP", "supplementary", "invalid"}

// String returns "ASCII", "Latin-1", "BMP", "supplementary" or "invalid".
func (c Class) String() string {
	if int(c) >= len(classNames) {
		return fmt.Sprintf("Class(%d)", uint8(c))
	}
	return classNames[c]
}

// Classify returns the class of UTF-8 text, in one pass that costs as much as validation.
func Classify[Bytes ~[]byte | ~string](src Bytes) Class {
	return classify(*(*string)(unsafe.Pointer(&src)))
}

// ClassifyPrefix returns the class and the length in bytes of the longest well-formed prefix of UTF-8 text. If n < len(src),
// CheckUTF8(src[n:]) names the trouble; KindTruncated means that only the last character is unfinished.
func ClassifyPrefix[Bytes ~[]byte | ~string](src Bytes) (c Class, n int) {
	n, c = validUTF8Prefix(*(*string)(unsafe.Pointer(&src)))
	return c, n
}

// IsASCII reports whether every byte of src is below 0x80.
func IsASCII[Bytes ~[]byte | ~string](src Bytes) bool {
	// Where the answer is no, the first byte gives it most often: no call then.
	return len(src) == 0 || src[0] < 0x80 && isASCII(*(*string)(unsafe.Pointer(&src)))
}

// ASCIIPrefixLen returns the length in bytes of the longest prefix of src that is ASCII. ASCIIPrefixLen("naïve") is 2.
func ASCIIPrefixLen[Bytes ~[]byte | ~string](src Bytes) int {
	return asciiPrefix(*(*string)(unsafe.Pointer(&src)))
}

// ValidUTF8 reports whether src is well-formed UTF-8. The answer is that of unicode/utf8.Valid.
func ValidUTF8[Bytes ~[]byte | ~string](src Bytes) bool {
	return len(src) == 0 || validUTF8(*(*string)(unsafe.Pointer(&src)))
}

// CheckUTF8 returns nil if src is well-formed UTF-8, else an *Error. CheckUTF8("a\xE2\x82") tells of a truncated character of
// 2 bytes at offset 1.
func CheckUTF8[Bytes ~[]byte | ~string](src Bytes) error { return Check(src, UTF8) }

// RuneCount returns the number of characters of UTF-8 text: of bytes outside 0x80 to 0xBF. RuneCount("naïve") is 5.
func RuneCount[Bytes ~[]byte | ~string](src Bytes) int {
	return int(runeCount(*(*string)(unsafe.Pointer(&src))))
}

// Latin1LenFromUTF8 returns the length in bytes that UTF-8 text has in Latin-1: its number of characters.
// Latin1LenFromUTF8("naïve") is 5.
func Latin1LenFromUTF8[Bytes ~[]byte | ~string](src Bytes) int { return RuneCount(src) }

// UTF32LenFromUTF8 returns the length in code units that UTF-8 text has in UTF-32: its number of characters.
// UTF32LenFromUTF8("火😀") is 2.
func UTF32LenFromUTF8[Bytes ~[]byte | ~string](src Bytes) int { return RuneCount(src) }

// UTF16LenFromUTF8 returns the length in code units that UTF-8 text has in UTF-16: its number of characters plus that of bytes
// from 0xF0 on. UTF16LenFromUTF8("火😀") is 3.
func UTF16LenFromUTF8[Bytes ~[]byte | ~string](src Bytes) int {
	return saturate(utf16LenFromUTF8(*(*string)(unsafe.Pointer(&src))))
}

// AppendValidUTF8 appends src to dst, with U+FFFD for each maximal subpart that is ill-formed UTF-8. It cannot fail.
func AppendValidUTF8[Bytes ~[]byte | ~string](dst []byte, src Bytes) []byte {
	s := view(src)
	n, _ := validUTF8Prefix(stringOf(s))
	if n == len(s) || n <= cap(dst)-len(dst) {
		dst = append(dst, s[:n]...)
		s = s[n:]
	}
	if len(s) == 0 {
		return dst
	}
	return appendReplacing(dst, UTF8, s, UTF8)
}

// UTF16Offset returns the offset in UTF-16 code units that corresponds to a byte offset in UTF-8 text, as language servers
// need it. Offsets are clamped to the text, and rounded down to the start of their character: a byte outside 0x80 to 0xBF.
func UTF16Offset[Bytes ~[]byte | ~string](src Bytes, utf8Offset int) int {
	s := view(src)
	n := min(max(utf8Offset, 0), len(s))
	if n < len(s) {
		for n > 0 && isContinuation(s[n]) {
			n--
		}
	}
	return saturate(utf16LenFromUTF8(stringOf(s[:n])))
}

// UTF8Offset returns the byte offset in UTF-8 text that corresponds to an offset in UTF-16 code units, the inverse of
// UTF16Offset. Offsets are clamped and rounded down likewise.
func UTF8Offset[Bytes ~[]byte | ~string](src Bytes, utf16Offset int) int {
	s := view(src)
	left := int64(utf16Offset) // code units still to pass
	if left <= 0 {
		return 0
	}
	i := uint(0)
	// A byte begins two code units at most, so half as many bytes are not too many.
	for n := uint(len(s)) - i; left >= 128 && n > 0; n = uint(len(s)) - i {
		n = uint(min(int64(n), left/2))
		left -= utf16LenFromUTF8(stringOf(s[i : i+n]))
		i += n
	}
	for i+8 <= uint(len(s)) {
		w := load64(s, i)
		n := sumBytes(leads(w) + fourByteLeads(w))
		if n > left {
			break
		}
		left -= n
		i += 8
	}
	// Continuation bytes here end a character that began before.
	for ; i < uint(len(s)); i++ {
		if isContinuation(s[i]) {
			continue
		}
		width := int64(1)
		if s[i] >= 0xF0 {
			width = 2
		}
		if left < width {
			return int(i)
		}
		left -= width
	}
	return len(s)
}

// appendUTF8FromUnits appends UTF-16 or UTF-32 text as UTF-8.
func appendUTF8FromUnits[U uint16 | rune](dst []byte, src []U) ([]byte, error) {
	d := dst[len(dst):cap(dst)]
	i, n := uint(0), uint(len(src))
	j, m := uint(0), uint(len(d))
	if n < shortUnits {
	short:
		for i < n && j < m {
			switch u := uint32(src[i]); {
			case u < 0x80:
				d[j] = byte(u)
				i++
				j++
			case u < 0x800 && j+2 <= m:
				putTwoByte(d[j:j+2:j+2], u)
				i++
				j += 2
			case u < 0x10000 && j+3 <= m && !isSurrogate(u):
				putThreeByte(d[j:j+3:j+3], u)
				i++
				j += 3
			case unsafe.Sizeof(src[0]) == 4 && isFourByteRune(u) && j+4 <= m:
				putFourByte(d[j:j+4:j+4], u)
				i++
				j += 4
			case unsafe.Sizeof(src[0]) == 2 && i+2 <= n && isPair(u|uint32(src[i+1])<<16) && j+4 <= m:
				putFourByte(d[j:j+4:j+4], pairRune(u|uint32(src[i+1])<<16))
				i += 2
				j += 4
			default:
				break short
			}
		}
	}
	dst = dst[:len(dst)+int(j)]
	if i == n {
		return dst, nil
	}
	var nDst, nSrc int
	switch two := unsafe.Sizeof(src[0]) == 2; {
	case two && levelNEON && fewForUTF8(as16(src)):
		nDst, nSrc = utf16ToUTF8Generic(d[j:], as16(src[i:]))
	case two:
		nDst, nSrc = utf16ToUTF8(d[j:], as16(src[i:]))
	case levelNEON && n < minUTF32ToUTF8:
		nDst, nSrc = utf32ToUTF8Generic(d[j:], as32(src[i:]))
	default:
		nDst, nSrc = utf32ToUTF8(d[j:], as32(src[i:]))
	}
	dst = dst[:len(dst)+nDst]
	if nSrc += int(i); nSrc == len(src) {
		return dst, nil
	}
	return appendUnits(dst, UTF8, src, nSrc)
}
