package transcode

import "unsafe"

// ValidUTF32 reports whether every code unit of src is a Unicode scalar value: at most U+10FFFF and no surrogate.
// []rune{0xD800} is not.
func ValidUTF32(src []rune) bool {
	return validUTF32PrefixGeneric(src) == len(src)
}

// CheckUTF32 returns nil if src is well-formed UTF-32, else an *Error that counts code units. []rune{'a', -1} gives a value
// too large at offset 1.
func CheckUTF32(src []rune) error {
	n := validUTF32PrefixGeneric(src)
	if n == len(src) {
		return nil
	}
	return unitFault(src, n)
}

// UTF8LenFromUTF32 returns the length in bytes that UTF-32 text has in UTF-8: its number of code units, of those from 0x80,
// from 0x800 and from 0x10000 on, all taken as unsigned. []rune("é火") has 5.
func UTF8LenFromUTF32(src []rune) int {
	return saturate(utf8LenFromUTF32Generic(src))
}

// UTF16LenFromUTF32 returns the length in code units that UTF-32 text has in UTF-16: its number of code units, and of those
// from 0x10000 on, taken as unsigned. []rune("火😀") has 3.
func UTF16LenFromUTF32(src []rune) int {
	return saturate(utf16LenFromUTF32Generic(src))
}

// AppendUTF32FromUTF8 appends UTF-8 text to dst as UTF-32. At the first ill-formed sequence it returns dst with what stood
// before it and an *Error.
func AppendUTF32FromUTF8[Bytes ~[]byte | ~string](dst []rune, src Bytes) ([]rune, error) {
	return appendUnitsFromUTF8(dst, *(*string)(unsafe.Pointer(&src)))
}

// AppendUTF32FromUTF16 appends UTF-16 text to dst as UTF-32. At the first unpaired surrogate it returns dst with what stood
// before it and an *Error that counts code units. 0xD83D, 0xDE00 become U+1F600.
func AppendUTF32FromUTF16(dst []rune, src []uint16) ([]rune, error) {
	d := dst[len(dst):cap(dst)]
	i, n := uint(0), uint(len(src))
	j, m := uint(0), uint(len(d))
	if n < shortUnits {
		for i < n && j < m {
			r := uint32(src[i])
			if isSurrogate(r) {
				if i+2 > n || !isPair(load16x2(src, i)) {
					break
				}
				r = pairRune(load16x2(src, i))
				i++
			}
			d[j] = rune(r)
			i++
			j++
		}
		dst = dst[:len(dst)+int(j)]
		if i == n {
			return dst, nil
		}
		d = d[j:]
	}
	nDst, nSrc := utf16ToUTF32Generic(d, src[i:])
	dst = dst[:len(dst)+nDst]
	if nSrc += int(i); nSrc == len(src) {
		return dst, nil
	}
	return appendUnits(dst, hostEncoding(4), src, nSrc)
}

// AppendUTF8FromUTF32 appends UTF-32 text to dst as UTF-8. At the first ill-formed code unit it returns dst with what stood
// before it and an *Error that counts code units. []rune("é") gives "\xC3\xA9".
func AppendUTF8FromUTF32(dst []byte, src []rune) ([]byte, error) {
	return appendUTF8FromUnits(dst, src)
}

// AppendValidUTF32FromUTF8 appends UTF-8 text to dst as UTF-32, with U+FFFD for each maximal subpart that is ill-formed. It
// cannot fail. "a\xFF" gives 'a', U+FFFD.
func AppendValidUTF32FromUTF8[Bytes ~[]byte | ~string](dst []rune, src Bytes) []rune {
	return appendValidUnitsFromUTF8(dst, view(src))
}
