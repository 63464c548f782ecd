//go:build !purego

package transcode

import (
	"encoding/binary"
	"unsafe"

	"github.com/seed-1959eab6/transcode/internal/level"
)

// One dispatcher per operation: the same name without a level. Each deals with short texts in its own body, where a further call would
// cost more than the work, and hands the others to the best kernel that this machine can run. Calls are direct, since a buffer that is
// passed to a function value escapes to the heap.
//
// The contract of a kernel: it handles a prefix of src, stops before trouble, and returns how much that was; generic.go, the
// specification, does the rest and so has the last word. It reads nothing outside src and writes nothing outside the result. A
// kernel that counts handles all of src, which is at least one block.
//
// The scheduler cannot stop assembly. So a kernel sees at most maxKernel bytes, and a dispatcher goes through a longer text by
// calls of itself, each with a frame that it can be stopped in.

// maxKernel is how many bytes of the source a kernel sees at most.
const maxKernel = 64 << 10

// Kernels of the AVX512 level take less than a block by a mask. Where such a block reaches into another page, which may not be mapped,
// the processor needs hundreds of cycles for it.

// inPage reports whether the n bytes at p lie in one page.
func inPage(p *byte, n uintptr) bool { return uintptr(unsafe.Pointer(p))%4096 <= 4096-n }

func kernelLevel() string {
	switch {
	case level.AVX512:
		return "avx512"
	case level.AVX2:
		return "avx2"
	}
	return "generic"
}

func isASCII(src []byte) bool {
	switch n := len(src); {
	case n <= 16 || n > maxKernel:
		break
	case n <= 32:
		return (binary.LittleEndian.Uint64(src)|binary.LittleEndian.Uint64(src[8:])|
			binary.LittleEndian.Uint64(src[n-16:])|binary.LittleEndian.Uint64(src[n-8:]))&high == 0
	case level.AVX512:
		return asciiPrefixAVX512(src) == n
	}
	return isASCIIGeneric(src)
}

func asciiPrefix(src []byte) (n int) {
	for len(src)-n > maxKernel {
		k := asciiPrefix(src[n : n+maxKernel])
		if n += k; k < maxKernel {
			return n
		}
	}
	switch src := src[n:]; {
	case level.AVX512:
		n += asciiPrefixAVX512(src)
	}
	return n + asciiPrefixGeneric(src[n:])
}

//go:noescape
func asciiPrefixAVX512(src []byte) (n int)

func validUTF8(src []byte) bool {
	n, _ := validUTF8Prefix(src)
	return n == len(src)
}

func validUTF8Prefix(src []byte) (n int, class Class) {
	for len(src)-n > maxKernel {
		cut := cutUTF8(src[n:])
		k, c := validUTF8Prefix(src[n : n+cut])
		class = max(class, c)
		if n += k; k < cut {
			return n, class
		}
	}
	k, c := 0, ClassASCII
	rest := src[n:]
	switch {
	case level.AVX512:
		k, c = validUTF8PrefixAVX512(rest)
	}
	if k < len(rest) {
		k, c = finishUTF8(rest, k, c)
	}
	return n + k, max(class, c)
}

// cutUTF8 returns how much of src, which is longer, a kernel gets at once: whole characters, if they are well-formed.
func cutUTF8(src []byte) int {
	n := maxKernel
	for n > maxKernel-4 && isContinuation(src[n]) {
		n--
	}
	return n
}

// finishUTF8 does what validUTF8PrefixGeneric does for a text of which a kernel found the first n bytes in order, and the three behind
// them, but for a character that these may begin. Class is that of the first n.
func finishUTF8(src []byte, n int, class Class) (int, Class) {
	if n > 0 {
		for end := n + 3; n < end && isContinuation(src[n]); {
			n++
		}
	}
	k, c := validUTF8PrefixGeneric(src[n:])
	return n + k, max(class, c)
}

//go:noescape
func validUTF8PrefixAVX512(src []byte) (n int, class Class)

func validUTF16Prefix(src []uint16) int    { return validUTF16PrefixGeneric(src) }
func validUTF32Prefix(src []rune) int      { return validUTF32PrefixGeneric(src) }
func runeCount(src []byte) int64           { return runeCountGeneric(src) }
func utf16LenFromUTF8(src []byte) int64    { return utf16LenFromUTF8Generic(src) }
func utf8LenFromLatin1(src []byte) int64   { return utf8LenFromLatin1Generic(src) }
func utf8LenFromUTF16(src []uint16) int64  { return utf8LenFromUTF16Generic(src) }
func utf32LenFromUTF16(src []uint16) int64 { return utf32LenFromUTF16Generic(src) }
func utf8LenFromUTF32(src []rune) int64    { return utf8LenFromUTF32Generic(src) }
func utf16LenFromUTF32(src []rune) int64   { return utf16LenFromUTF32Generic(src) }

//go:noescape
func latin1ToUTF8AVX512(dst, src []byte) (nDst, nSrc int)

func latin1ToUTF8(dst, src []byte) (nDst, nSrc int) {
	for len(src)-nSrc > maxKernel {
		d, s := latin1ToUTF8(dst[nDst:], src[nSrc:nSrc+maxKernel])
		nDst += d
		if nSrc += s; s < maxKernel {
			return nDst, nSrc
		}
	}
	dst, src = dst[nDst:], src[nSrc:]
	d, s := 0, 0
	switch {
	case level.AVX512:
		d, s = latin1ToUTF8AVX512(dst, src)
	}
	nDst += d
	nSrc += s
	if s < len(src) {
		d, s = latin1ToUTF8Generic(dst[d:], src[s:])
		nDst += d
		nSrc += s
	}
	return nDst, nSrc
}

func swap16(dst, src []byte) int                              { return swap16Generic(dst, src) }
func swap32(dst, src []byte) int                              { return swap32Generic(dst, src) }
func latin1ToUTF16(dst []uint16, src []byte) (nDst, nSrc int) { return latin1ToUTF16Generic(dst, src) }
func latin1ToUTF32(dst []rune, src []byte) (nDst, nSrc int)   { return latin1ToUTF32Generic(dst, src) }

func utf16ToLatin1(dst []byte, src []uint16, limit uint32) (nDst, nSrc int) {
	return utf16ToLatin1Generic(dst, src, limit)
}

func utf32ToLatin1(dst []byte, src []rune, limit uint32) (nDst, nSrc int) {
	return utf32ToLatin1Generic(dst, src, limit)
}

func utf8ToLatin1(dst, src []byte) (nDst, nSrc int) {
	for len(src)-nSrc > maxKernel {
		cut := cutUTF8(src[nSrc:])
		d, s := utf8ToLatin1(dst[nDst:], src[nSrc:nSrc+cut])
		nDst += d
		if nSrc += s; s < cut {
			return nDst, nSrc
		}
	}
	dst, src = dst[nDst:], src[nSrc:]
	d, s := 0, 0
	switch {
	case level.AVX512:
		d, s = utf8ToLatin1AVX512(dst, src)
	}
	nDst += d
	nSrc += s
	if s < len(src) {
		d, s = utf8ToLatin1Generic(dst[d:], src[s:])
		nDst += d
		nSrc += s
	}
	return nDst, nSrc
}

//go:noescape
func utf8ToLatin1AVX512(dst, src []byte) (nDst, nSrc int)
