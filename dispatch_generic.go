//go:build purego || !(amd64 || arm64)

package transcode

// Where there are no kernels, every operation is that of generic.go. What each does is said there.

func kernelLevel() string { return "generic" }

// anyAlignment is not so of every processor.
const anyAlignment = false

const levelNEON = false

// No kernel does a part.
func kernelsSwap(_ int, _, _ Encoding) bool                                      { return false }
func convertSwapped(_ []byte, _ Encoding, _ []byte, _ Encoding) (nDst, nSrc int) { return 0, 0 }
func wellFormedSwapped(_ []byte, _ Encoding) int                                 { return 0 }

func isASCII(text string) bool    { return isASCIIGeneric(bytesOf(text)) }
func asciiPrefix(text string) int { return asciiPrefixGeneric(bytesOf(text)) }

func validUTF8(text string) bool {
	n, _ := validUTF8PrefixGeneric(bytesOf(text))
	return n == len(text)
}

func classify(text string) Class {
	n, class := validUTF8PrefixGeneric(bytesOf(text))
	if n < len(text) {
		return ClassInvalid
	}
	return class
}

func validUTF8Prefix(text string) (n int, class Class) { return validUTF8PrefixGeneric(bytesOf(text)) }
func validUTF16Prefix(src []uint16) int                { return validUTF16PrefixGeneric(src) }
func validUTF32Prefix(src []rune) int                  { return validUTF32PrefixGeneric(src) }
func runeCount(text string) int64                      { return runeCountGeneric(bytesOf(text)) }
func utf16LenFromUTF8(text string) int64               { return utf16LenFromUTF8Generic(bytesOf(text)) }
func utf8LenFromLatin1(text string) int64              { return utf8LenFromLatin1Generic(bytesOf(text)) }
func utf8LenFromUTF16(src []uint16) int64              { return utf8LenFromUTF16Generic(src) }
func utf32LenFromUTF16(src []uint16) int64             { return utf32LenFromUTF16Generic(src) }
func utf8LenFromUTF32(src []rune) int64                { return utf8LenFromUTF32Generic(src) }
func utf16LenFromUTF32(src []rune) int64               { return utf16LenFromUTF32Generic(src) }
func latin1ToUTF8(dst, src []byte) (nDst, nSrc int)    { return latin1ToUTF8Generic(dst, src) }
func utf8ToLatin1(dst, src []byte) (nDst, nSrc int)    { return utf8ToLatin1Generic(dst, src) }
func swap16(dst, src []byte) int                       { return swap16Generic(dst, src) }
func swap32(dst, src []byte) int                       { return swap32Generic(dst, src) }

func latin1ToUTF16(dst []uint16, src []byte) (nDst, nSrc int) { return latin1ToUTF16Generic(dst, src) }
func latin1ToUTF32(dst []rune, src []byte) (nDst, nSrc int)   { return latin1ToUTF32Generic(dst, src) }

func utf16ToLatin1(dst []byte, src []uint16, limit uint32) (nDst, nSrc int) {
	return utf16ToLatin1Generic(dst, src, limit)
}

func utf32ToLatin1(dst []byte, src []rune, limit uint32) (nDst, nSrc int) {
	return utf32ToLatin1Generic(dst, src, limit)
}

func utf8ToUTF16(dst []uint16, src []byte) (nDst, nSrc int)  { return utf8ToUTF16Generic(dst, src) }
func utf8ToUTF32(dst []rune, src []byte) (nDst, nSrc int)    { return utf8ToUTF32Generic(dst, src) }
func utf16ToUTF8(dst []byte, src []uint16) (nDst, nSrc int)  { return utf16ToUTF8Generic(dst, src) }
func utf32ToUTF8(dst []byte, src []rune) (nDst, nSrc int)    { return utf32ToUTF8Generic(dst, src) }
func utf16ToUTF32(dst []rune, src []uint16) (nDst, nSrc int) { return utf16ToUTF32Generic(dst, src) }
func utf32ToUTF16(dst []uint16, src []rune) (nDst, nSrc int) { return utf32ToUTF16Generic(dst, src) }

func kernelsList() bool { return false }

func classOfUTF8(text string) Class { return classOfUTF8Generic(bytesOf(text)) }

func listRecords(ends []uint16, src []byte, delim byte, class, most Class) (nDst, nSrc int, after Class) {
	return listRecordsGeneric(ends, src, delim, class, most)
}
