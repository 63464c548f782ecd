package transcode

import (
	"unsafe"
)

// Most texts are short. The functions of this file deal with these in their own body, one character at a time, since a further
// call costs more than the work; what is longer, and what is not in order, they leave to generic.go. The exported functions that
// take []byte or string call them and nothing else, and so disappear into their callers. The conversions from code units do the
// same where they stand.

// From these lengths on, in bytes and in code units, a call pays.
const (
	shortText  = 16
	shortUnits = 8
)

// bytesOf returns the bytes of s, which must not be written to.
func bytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// validUTF8 reports whether src is well-formed UTF-8.
func validUTF8(src string) bool {
	s := bytesOf(src)
	i, n := uint(0), uint(len(s))
	for i+8 <= n && load64(s, i)&high == 0 {
		i += 8
		for i+32 <= n && isASCII32(s[i:i+32:i+32]) {
			i += 32
		}
	}
	if n-i >= shortText {
		k, _ := validUTF8PrefixGeneric(s[i:])
		return i+uint(k) == n
	}
	for i < n {
		b0 := s[i]
		if b0 < 0x80 {
			i++
			continue
		}
		if i+2 > n {
			return false
		}
		b1 := s[i+1]
		if b0 < 0xE0 {
			if b0 < 0xC2 || b1&0xC0 != 0x80 {
				return false
			}
			i += 2
			continue
		}
		if i+3 > n {
			return false
		}
		r := uint32(b0&0x0F)<<12 | uint32(b1&0x3F)<<6 | uint32(s[i+2]&0x3F)
		if b1&0xC0 != 0x80 || s[i+2]&0xC0 != 0x80 {
			return false
		}
		if b0 < 0xF0 {
			if r < 0x800 || isSurrogate(r) {
				return false
			}
			i += 3
			continue
		}
		// r is the code point without its last six bits.
		if i+4 > n || s[i+3]&0xC0 != 0x80 || b0 > 0xF4 || r-0x400 >= 0x4000 {
			return false
		}
		i += 4
	}
	return true
}

// appendUnitsFromUTF8 appends UTF-8 text as UTF-16 or UTF-32.
func appendUnitsFromUTF8[U uint16 | rune](dst []U, src string) ([]U, error) {
	s := bytesOf(src)
	d := dst[len(dst):cap(dst)]
	i, n := uint(0), uint(len(s))
	j, m := uint(0), uint(len(d))
	if n < shortText {
		if n >= 8 && m >= 8 {
			if w := load64(s, 0); w&high == 0 {
				storeBytes(d[:8:8], w)
				i, j = 8, 8
			}
		}
		for i < n && j < m {
			b0 := s[i]
			if b0 < 0x80 {
				d[j] = U(b0)
				i++
				j++
				continue
			}
			if i+2 > n {
				break
			}
			b1 := s[i+1]
			if b0 < 0xE0 {
				if b0 < 0xC2 || b1&0xC0 != 0x80 {
					break
				}
				d[j] = U(b0&0x1F)<<6 | U(b1&0x3F)
				i += 2
				j++
				continue
			}
			if i+3 > n {
				break
			}
			r := uint32(b0&0x0F)<<12 | uint32(b1&0x3F)<<6 | uint32(s[i+2]&0x3F)
			if b1&0xC0 != 0x80 || s[i+2]&0xC0 != 0x80 {
				break
			}
			if b0 < 0xF0 {
				if r < 0x800 || isSurrogate(r) {
					break
				}
				d[j] = U(r)
				i += 3
				j++
				continue
			}
			// r is the code point without its last six bits.
			if i+4 > n || s[i+3]&0xC0 != 0x80 || b0 > 0xF4 || r-0x400 >= 0x4000 || j+2 > m {
				break
			}
			j += putRune(d[j:j+2:j+2], r<<6|uint32(s[i+3]&0x3F))
			i += 4
		}
		dst = dst[:len(dst)+int(j)]
		if i == n {
			return dst, nil
		}
		d = d[j:]
	}
	nDst, nSrc := utf8ToUnits(d, s[i:])
	dst = dst[:len(dst)+nDst]
	if nSrc += int(i); nSrc == len(s) {
		return dst, nil
	}
	return appendRest(dst, hostEncoding(int(unsafe.Sizeof(d[0]))), s, nSrc, UTF8)
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
				if i+2 > n || b&^1 != 0xC2 || s[i+1]&0xC0 != 0x80 {
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
	nDst, nSrc := utf8ToLatin1Generic(d, s[i:])
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
	nDst, nSrc := latin1ToUTF8Generic(d, s[i:])
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
	n, _ := latin1ToUnits(d, s)
	dst = dst[:len(dst)+n]
	if n < len(s) {
		dst, _ = appendRest(dst, hostEncoding(int(unsafe.Sizeof(d[0]))), s, n, Latin1)
	}
	return dst
}
