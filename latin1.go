package transcode

import "unsafe"

// UTF8LenFromLatin1 returns the length in bytes that Latin-1 text has in UTF-8: its own and its number of bytes from 0x80 on.
// UTF8LenFromLatin1("caf\xE9") is 5.
func UTF8LenFromLatin1[Bytes ~[]byte | ~string](src Bytes) int {
	return saturate(utf8LenFromLatin1(*(*string)(unsafe.Pointer(&src))))
}

// AppendUTF8FromLatin1 appends Latin-1 text to dst as UTF-8. It cannot fail.
func AppendUTF8FromLatin1[Bytes ~[]byte | ~string](dst []byte, src Bytes) []byte {
	return appendUTF8FromLatin1(dst, *(*string)(unsafe.Pointer(&src)))
}

// AppendUTF16FromLatin1 appends Latin-1 text to dst as UTF-16. It cannot fail. "\xE9" becomes U+00E9.
func AppendUTF16FromLatin1[Bytes ~[]byte | ~string](dst []uint16, src Bytes) []uint16 {
	return appendUnitsFromLatin1(dst, *(*string)(unsafe.Pointer(&src)))
}

// AppendUTF32FromLatin1 appends Latin-1 text to dst as UTF-32. It cannot fail. "\xE9" becomes U+00E9.
func AppendUTF32FromLatin1[Bytes ~[]byte | ~string](dst []rune, src Bytes) []rune {
	return appendUnitsFromLatin1(dst, *(*string)(unsafe.Pointer(&src)))
}

// AppendLatin1FromUTF8 appends UTF-8 text to dst as Latin-1. At the first character above U+00FF (KindUnencodable), or that
// is ill-formed, it returns dst with what stood before it and an *Error.
func AppendLatin1FromUTF8[Bytes ~[]byte | ~string](dst []byte, src Bytes) ([]byte, error) {
	return appendLatin1FromUTF8(dst, *(*string)(unsafe.Pointer(&src)))
}

// AppendLatin1FromUTF16 appends UTF-16 text to dst as Latin-1. At the first character above U+00FF (KindUnencodable), or that
// is ill-formed, it returns dst with what stood before it and an *Error that counts code units. []uint16{0x63, 0xE9} gives
// "c\xE9".
//
//go:noinline // inlined, the call of the generic function moves the buffers of callers in other packages to the heap
func AppendLatin1FromUTF16(dst []byte, src []uint16) ([]byte, error) {
	return appendLatin1FromUnits(dst, src)
}

// AppendLatin1FromUTF32 appends UTF-32 text to dst as Latin-1. At the first character above U+00FF (KindUnencodable), or that
// is ill-formed, it returns dst with what stood before it and an *Error that counts code units. []rune("cé") gives "c\xE9".
//
//go:noinline // inlined, the call of the generic function moves the buffers of callers in other packages to the heap
func AppendLatin1FromUTF32(dst []byte, src []rune) ([]byte, error) {
	return appendLatin1FromUnits(dst, src)
}

// appendLatin1FromUTF8 appends UTF-8 text as Latin-1.
func appendLatin1FromUTF8(dst []byte, src string) ([]byte, error) {
	s := bytesOf(src)
	d := dst[len(dst):cap(dst)]
	i, n := uint(0), uint(len(s))
	j, m := uint(0), uint(len(d))
	if n < shortText {
		for i < n && j < m {
			b := s[i]
			if b >= 0x80 {
				if i+2 > n || b&^1 != 0xC2 || !isContinuation(s[i+1]) {
					break
				}
				b = b<<6 | s[i+1]&0x3F
				i++
			}
			d[j] = b
			i++
			j++
		}
		dst = dst[:len(dst)+int(j)]
		if i == n {
			return dst, nil
		}
		d = d[j:]
	}
	nDst, nSrc := utf8ToLatin1(d, s[i:])
	dst = dst[:len(dst)+nDst]
	if nSrc += int(i); nSrc == len(s) {
		return dst, nil
	}
	return appendRest(dst, Latin1, s, nSrc, UTF8)
}

// appendUTF8FromLatin1 appends Latin-1 text as UTF-8.
func appendUTF8FromLatin1(dst []byte, src string) []byte {
	s := bytesOf(src)
	d := dst[len(dst):cap(dst)]
	i, n := uint(0), uint(len(s))
	j, m := uint(0), uint(len(d))
	if n < shortText {
		for i < n && j+2 <= m {
			b := s[i]
			if b >= 0x80 {
				d[j] = 0xC0 | b>>6
				j++
				b = 0x80 | b&0x3F
			}
			d[j] = b
			i++
			j++
		}
		dst = dst[:len(dst)+int(j)]
		if i == n {
			return dst
		}
		d = d[j:]
	}
	nDst, nSrc := latin1ToUTF8(d, s[i:])
	dst = dst[:len(dst)+nDst]
	if nSrc += int(i); nSrc < len(s) {
		dst, _ = appendRest(dst, UTF8, s, nSrc, Latin1)
	}
	return dst
}

// appendUnitsFromLatin1 appends Latin-1 text as UTF-16 or UTF-32.
func appendUnitsFromLatin1[U uint16 | rune](dst []U, src string) []U {
	s := bytesOf(src)
	d := dst[len(dst):cap(dst)]
	if len(s) < shortText && len(s) <= len(d) {
		d = d[:len(s)]
		for i, b := range s {
			d[i] = U(b)
		}
		return dst[:len(dst)+len(s)]
	}
	var n int
	if unsafe.Sizeof(d[0]) == 2 {
		n, _ = latin1ToUTF16(as16(d), s)
	} else {
		n, _ = latin1ToUTF32(as32(d), s)
	}
	dst = dst[:len(dst)+n]
	if n < len(s) {
		dst, _ = appendRest(dst, hostEncoding(int(unsafe.Sizeof(d[0]))), s, n, Latin1)
	}
	return dst
}

// appendLatin1FromUnits appends UTF-16 or UTF-32 text as Latin-1.
func appendLatin1FromUnits[U uint16 | rune](dst []byte, src []U) ([]byte, error) {
	d := dst[len(dst):cap(dst)]
	i := 0
	if len(src) < shortNarrow {
		for i+8 <= len(src) && i+8 <= len(d) && or8(src[i:i+8:i+8]) < 0x100 {
			narrow8(d[i:i+8:i+8], src[i:i+8:i+8])
			i += 8
		}
		for i < len(src) && i < len(d) && uint32(src[i]) < 0x100 {
			d[i] = byte(src[i])
			i++
		}
	}
	if i < len(src) {
		var n int
		if unsafe.Sizeof(src[0]) == 2 {
			n, _ = utf16ToLatin1(d[i:], as16(src[i:]), 0x100)
		} else {
			n, _ = utf32ToLatin1(d[i:], as32(src[i:]), 0x100)
		}
		i += n
	}
	dst = dst[:len(dst)+i]
	if i == len(src) {
		return dst, nil
	}
	return appendUnits(dst, Latin1, src, i)
}
