package transcode

import "unsafe"

// ValidUTF16 reports whether every surrogate of src belongs to a pair. []uint16{0xD800} is not.
func ValidUTF16(src []uint16) bool {
	return validUTF16Prefix(src) == len(src)
}

// CheckUTF16 returns nil if src is well-formed UTF-16, else an *Error that counts code units. []uint16{0x61, 0xDC00} gives an
// unpaired surrogate at offset 1.
func CheckUTF16(src []uint16) error {
	n := validUTF16Prefix(src)
	if n == len(src) {
		return nil
	}
	return unitFault(src, n)
}

// RuneCountUTF16 returns the number of characters of UTF-16 text: of code units that are not low surrogates. []uint16{0xD83D,
// 0xDE00} has one.
func RuneCountUTF16(src []uint16) int {
	return int(utf32LenFromUTF16(src))
}

// UTF32LenFromUTF16 returns the length in code units that UTF-16 text has in UTF-32: its number of characters.
// []uint16{0xD83D, 0xDE00} has 1.
func UTF32LenFromUTF16(src []uint16) int { return RuneCountUTF16(src) }

// UTF8LenFromUTF16 returns the length in bytes that UTF-16 text has in UTF-8: its number of code units, of those from 0x80 on,
// and of those from 0x800 on that are not surrogates. []uint16{0xD83D, 0xDE00} has 4.
func UTF8LenFromUTF16(src []uint16) int {
	return saturate(utf8LenFromUTF16(src))
}

// AppendUTF16FromUTF8 appends UTF-8 text to dst as UTF-16. At the first ill-formed sequence it returns dst with what stood
// before it and an *Error.
func AppendUTF16FromUTF8[Bytes ~[]byte | ~string](dst []uint16, src Bytes) ([]uint16, error) {
	return appendUnitsFromUTF8(dst, *(*string)(unsafe.Pointer(&src)))
}

// AppendUTF16FromUTF32 appends UTF-32 text to dst as UTF-16. At the first ill-formed code unit it returns dst with what stood
// before it and an *Error that counts code units. []rune("😀") gives 0xD83D, 0xDE00.
func AppendUTF16FromUTF32(dst []uint16, src []rune) ([]uint16, error) {
	d := dst[len(dst):cap(dst)]
	i, n := uint(0), uint(len(src))
	j, m := uint(0), uint(len(d))
	if n < shortUnits {
		for i < n && j < m {
			if u := uint32(src[i]); u < 0x10000 && !isSurrogate(u) {
				d[j] = uint16(u)
				j++
			} else if j+2 <= m && u-0x10000 < 0x100000 {
				j += putRune(d[j:j+2:j+2], u)
			} else {
				break
			}
			i++
		}
		dst = dst[:len(dst)+int(j)]
		if i == n {
			return dst, nil
		}
		d = d[j:]
	}
	var nDst, nSrc int
	if levelNEON && n < minUTF32ToUTF16 {
		nDst, nSrc = utf32ToUTF16Generic(d, src[i:])
	} else {
		nDst, nSrc = utf32ToUTF16(d, src[i:])
	}
	dst = dst[:len(dst)+nDst]
	if nSrc += int(i); nSrc == len(src) {
		return dst, nil
	}
	return appendUnits(dst, hostEncoding(2), src, nSrc)
}

// AppendUTF8FromUTF16 appends UTF-16 text to dst as UTF-8. At the first unpaired surrogate it returns dst with what stood
// before it and an *Error that counts code units.
//
//go:noinline // inlined, the call of the generic function moves the buffers of callers in other packages to the heap
func AppendUTF8FromUTF16(dst []byte, src []uint16) ([]byte, error) {
	return appendUTF8FromUnits(dst, src)
}

// AppendValidUTF16FromUTF8 appends UTF-8 text to dst as UTF-16, with U+FFFD for each maximal subpart that is ill-formed. It
// cannot fail. "a\xFF" gives 0x61, 0xFFFD.
func AppendValidUTF16FromUTF8[Bytes ~[]byte | ~string](dst []uint16, src Bytes) []uint16 {
	return appendValidUnitsFromUTF8(dst, view(src))
}

// AppendValidUTF8FromUTF16 appends UTF-16 text to dst as UTF-8, with U+FFFD for each unpaired surrogate. It cannot fail.
// []uint16{0x61, 0xD800} gives "a\uFFFD".
func AppendValidUTF8FromUTF16(dst []byte, src []uint16) []byte {
	for len(src) > maxPiece {
		n := maxPiece
		if isHighSurrogate(src[n-1]) { // its pair is not to be cut
			n--
		}
		dst = appendReplacing(dst, UTF8, unitBytes(src[:n]), hostEncoding(2))
		src = src[n:]
	}
	nDst, nSrc := utf16ToUTF8(dst[len(dst):cap(dst)], src)
	dst, src = dst[:len(dst)+nDst], src[nSrc:]
	if len(src) == 0 {
		return dst
	}
	return appendReplacing(dst, UTF8, unitBytes(src), hostEncoding(2))
}

// ToWellFormedUTF16 replaces each unpaired surrogate of s with U+FFFD, in place, and returns their number.
func ToWellFormedUTF16(s []uint16) (replaced int) {
	for i := validUTF16Prefix(s); i < len(s); {
		s[i] = 0xFFFD
		replaced++
		i++
		// Often there is more trouble close by, where kernels would stop at once.
		if k := validUTF16PrefixGeneric(s[i:min(len(s), i+32)]); k >= 31 || i+k == len(s) {
			i += k + validUTF16Prefix(s[i+k:])
		} else {
			i += k
		}
	}
	return replaced
}

// appendUnitsFromUTF8 appends UTF-8 text as UTF-16 or UTF-32.
func appendUnitsFromUTF8[U uint16 | rune](dst []U, src string) ([]U, error) {
	s := bytesOf(src)
	d := dst[len(dst):cap(dst)]
	i, n := uint(0), uint(len(s))
	j, m := uint(0), uint(len(d))
	if n < shortASCII {
		for i+8 <= n && j+8 <= m && load64(s, i)&high == 0 {
			widen8(d[j:j+8:j+8], s[i:i+8:i+8])
			i += 8
			j += 8
		}
	}
	short := uint(shortText)
	switch {
	case levelNEON && unsafe.Sizeof(*new(U)) == 2:
		short = minUTF8ToUTF16
	case levelNEON:
		short = minUTF8ToUTF32
	}
	if n-i < short {
	characters:
		for i < n && j < m {
			w := uint32(s[i])
			if w < 0x80 {
				d[j] = U(w)
				i++
				j++
				continue
			}
			if i+4 <= n {
				w = load32(s, i)
			} else {
				w |= tail32(s, i)
			}
			switch {
			case isTwoByte(w):
				d[j] = U(twoByteRune(w))
				i += 2
				j++
			case isThreeByte(w):
				d[j] = U(threeByteRune(w))
				i += 3
				j++
			case isFourByte(w) && j+2 <= m:
				j += putRune(d[j:j+2:j+2], fourByteRune(w))
				i += 4
			default:
				break characters
			}
		}
	}
	dst = dst[:len(dst)+int(j)]
	if i == n {
		return dst, nil
	}
	nDst, nSrc := unitsFromUTF8(d[j:], s[i:])
	dst = dst[:len(dst)+nDst]
	if nSrc += int(i); nSrc == len(s) {
		return dst, nil
	}
	return appendRest(dst, hostEncoding(int(unsafe.Sizeof(d[0]))), s, nSrc, UTF8)
}

// unitsFromUTF8 is utf8ToUTF16 or utf8ToUTF32.
func unitsFromUTF8[U uint16 | rune](dst []U, src []byte) (nDst, nSrc int) {
	if unsafe.Sizeof(*new(U)) == 2 {
		return utf8ToUTF16(as16(dst), src)
	}
	return utf8ToUTF32(as32(dst), src)
}

// appendValidUnitsFromUTF8 appends UTF-8 text as UTF-16 or UTF-32, with U+FFFD for what is ill-formed.
func appendValidUnitsFromUTF8[U uint16 | rune](dst []U, src []byte) []U {
	nDst, nSrc := unitsFromUTF8(dst[len(dst):cap(dst)], src)
	dst, src = dst[:len(dst)+nDst], src[nSrc:]
	if len(src) == 0 {
		return dst
	}
	return appendReplacing(dst, hostEncoding(int(unsafe.Sizeof(*new(U)))), src, UTF8)
}

// ValidUTF32 reports whether every code unit of src is a Unicode scalar value: at most U+10FFFF and no surrogate.
// []rune{0xD800} is not.
func ValidUTF32(src []rune) bool {
	return validUTF32Prefix(src) == len(src)
}

// CheckUTF32 returns nil if src is well-formed UTF-32, else an *Error that counts code units. []rune{'a', -1} gives a value
// too large at offset 1.
func CheckUTF32(src []rune) error {
	n := validUTF32Prefix(src)
	if n == len(src) {
		return nil
	}
	return unitFault(src, n)
}

// UTF8LenFromUTF32 returns the length in bytes that UTF-32 text has in UTF-8: its number of code units, of those from 0x80,
// from 0x800 and from 0x10000 on, all taken as unsigned. []rune("é火") has 5.
func UTF8LenFromUTF32(src []rune) int {
	return saturate(utf8LenFromUTF32(src))
}

// UTF16LenFromUTF32 returns the length in code units that UTF-32 text has in UTF-16: its number of code units, and of those
// from 0x10000 on, taken as unsigned. []rune("火😀") has 3.
func UTF16LenFromUTF32(src []rune) int {
	return saturate(utf16LenFromUTF32(src))
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
	var nDst, nSrc int
	if levelNEON && fewForUTF32(src) {
		nDst, nSrc = utf16ToUTF32Generic(d, src[i:])
	} else {
		nDst, nSrc = utf16ToUTF32(d, src[i:])
	}
	dst = dst[:len(dst)+nDst]
	if nSrc += int(i); nSrc == len(src) {
		return dst, nil
	}
	return appendUnits(dst, hostEncoding(4), src, nSrc)
}

// AppendUTF8FromUTF32 appends UTF-32 text to dst as UTF-8. At the first ill-formed code unit it returns dst with what stood
// before it and an *Error that counts code units. []rune("é") gives "\xC3\xA9".
//
//go:noinline // inlined, the call of the generic function moves the buffers of callers in other packages to the heap
func AppendUTF8FromUTF32(dst []byte, src []rune) ([]byte, error) {
	return appendUTF8FromUnits(dst, src)
}

// AppendValidUTF32FromUTF8 appends UTF-8 text to dst as UTF-32, with U+FFFD for each maximal subpart that is ill-formed. It
// cannot fail. "a\xFF" gives 'a', U+FFFD.
func AppendValidUTF32FromUTF8[Bytes ~[]byte | ~string](dst []rune, src Bytes) []rune {
	return appendValidUnitsFromUTF8(dst, view(src))
}
