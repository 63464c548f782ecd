package transcode

// ValidUTF32 reports whether every code unit of src is a Unicode scalar value: at most U+10FFFF and no surrogate.
func ValidUTF32(src []rune) bool {
	return validUTF32PrefixGeneric(src) == len(src)
}

// CheckUTF32 returns nil if src is well-formed UTF-32, else an *Error that counts code units.
func CheckUTF32(src []rune) error { return inUnits(Check(unitBytes(src), hostEncoding(4)), 4) }

// UTF8LenFromUTF32 returns the length in bytes that UTF-32 text has in UTF-8: its number of code units, of those from 80, from
// 800 and from 10000 on, all taken as unsigned.
func UTF8LenFromUTF32(src []rune) int {
	return saturate(utf8LenFromUTF32Generic(src))
}

// UTF16LenFromUTF32 returns the length in code units that UTF-32 text has in UTF-16: its number of code units, and of those
// from 10000 on, taken as unsigned.
func UTF16LenFromUTF32(src []rune) int {
	return saturate(utf16LenFromUTF32Generic(src))
}

// AppendUTF32FromUTF8 appends UTF-8 text to dst as UTF-32. At the first ill-formed sequence it returns dst with what stood
// before it and an *Error.
func AppendUTF32FromUTF8[Bytes ~[]byte | ~string](dst []rune, src Bytes) ([]rune, error) {
	return appendUnitsFromUTF8(dst, text(src))
}

// AppendUTF32FromUTF16 appends UTF-16 text to dst as UTF-32. At the first unpaired surrogate it returns dst with what stood
// before it and an *Error that counts code units.
func AppendUTF32FromUTF16(dst []rune, src []uint16) ([]rune, error) {
	nDst, nSrc := utf16ToUTF32Generic(dst[len(dst):cap(dst)], src)
	dst = dst[:len(dst)+nDst]
	if nSrc == len(src) {
		return dst, nil
	}
	return appendUnits(dst, hostEncoding(4), src, nSrc)
}

// AppendUTF8FromUTF32 appends UTF-32 text to dst as UTF-8. At the first ill-formed code unit it returns dst with what stood
// before it and an *Error that counts code units.
func AppendUTF8FromUTF32(dst []byte, src []rune) ([]byte, error) {
	nDst, nSrc := utf32ToUTF8Generic(dst[len(dst):cap(dst)], src)
	dst = dst[:len(dst)+nDst]
	if nSrc == len(src) {
		return dst, nil
	}
	return appendUnits(dst, UTF8, src, nSrc)
}

// AppendValidUTF32FromUTF8 appends UTF-8 text to dst as UTF-32, with U+FFFD for each maximal subpart that is ill-formed. It
// cannot fail.
func AppendValidUTF32FromUTF8[Bytes ~[]byte | ~string](dst []rune, src Bytes) []rune {
	return appendReplacing(dst, hostEncoding(4), view(src), UTF8)
}
