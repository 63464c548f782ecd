//go:build !purego

package transcode

import "github.com/seed-1959eab6/transcode/internal/level"

// This file hands text whose code units are not in host order to the kernels, which load or store them in the other order. What the kernels leave
// over, convert.go takes through buffers. Code units in host order go through the dispatchers.

// A byteOrder tells a kernel in which order the bytes of code units of two or four bytes are stored: it is a place in the table byteOrders.
type byteOrder uint64

const (
	hostOrder    byteOrder = 0
	swappedOrder byteOrder = 64
)

func (e Encoding) byteOrder() byteOrder {
	if e.swapped() {
		return swappedOrder
	}
	return hostOrder
}

// anyAlignment: the processor loads and stores code units at any address.
const anyAlignment = true

// kernelsSwap reports whether kernels take code units in either order, so that what is left over is short.
func kernelsSwap() bool { return level.AVX2 }

// convertSwapped does what convert does where code units of the source, the result or both are not in host order and of different sizes, as far as the
// kernels go: what is left is less than a block, or has trouble in its first one, or no room.
func convertSwapped(dst []byte, to Encoding, src []byte, from Encoding) (nDst, nSrc int) {
	for level.AVX2 && (from.swapped() || to.swapped()) {
		d, s := 0, 0
		switch piece := src[nSrc:min(len(src), nSrc+maxKernel)]; from.unitSize() {
		case 1:
			d, s = bytesToSwapped(dst[nDst:], to, piece, from)
		case 2:
			d, s = utf16ToSwapped(dst[nDst:], to, units16(piece), from)
			s *= 2
		default:
			d, s = utf32ToSwapped(dst[nDst:], to, units32(piece), from)
			s *= 4
		}
		nDst += d
		if nSrc += s; s <= maxKernel-leftOver {
			break
		}
	}
	return nDst, nSrc
}

func bytesToSwapped(dst []byte, to Encoding, src []byte, from Encoding) (nDst, nSrc int) {
	if len(src) == 0 || len(src) > maxKernel {
		return 0, 0
	}
	if from == ASCII {
		src = src[:asciiPrefix(stringOf(src[:min(len(src), len(dst)/to.unitSize())]))]
	}
	avx512 := level.AVX512 && maskable(src)
	switch wide := to.unitSize() == 4; {
	case from == UTF8 && wide && avx512:
		nDst, nSrc = utf8ToUTF32AVX512(units32(dst), src, swappedOrder)
	case from == UTF8 && wide:
		nDst, nSrc = utf8ToUTF32AVX2(units32(dst), src, swappedOrder)
	case from == UTF8 && avx512:
		nDst, nSrc = utf8ToUTF16AVX512(units16(dst), src, swappedOrder)
	case from == UTF8:
		nDst, nSrc = utf8ToUTF16AVX2(units16(dst), src, swappedOrder)
	case wide && level.AVX512 && len(src) >= 64:
		nDst, nSrc = latin1ToUTF32AVX512(units32(dst), src, swappedOrder)
	case wide:
		nDst, nSrc = latin1ToUTF32AVX2(units32(dst), src, swappedOrder)
	case level.AVX512 && len(src) >= 64:
		nDst, nSrc = latin1ToUTF16AVX512(units16(dst), src, swappedOrder)
	default:
		nDst, nSrc = latin1ToUTF16AVX2(units16(dst), src, swappedOrder)
	}
	return nDst * to.unitSize(), nSrc
}

func utf16ToSwapped(dst []byte, to Encoding, src []uint16, from Encoding) (nDst, nSrc int) {
	if len(src) == 0 || len(src) > maxKernel/2 {
		return 0, 0
	}
	avx512 := level.AVX512 && maskable(src)
	switch {
	case to == UTF8 && avx512:
		return utf16ToUTF8AVX512(dst, src, from.byteOrder())
	case to == UTF8:
		return utf16ToUTF8AVX2(dst, src, from.byteOrder())
	case to.unitSize() == 1 && level.AVX512 && maskableUpTo(128, src):
		return utf16ToLatin1AVX512(dst, src, to.limit(), from.byteOrder())
	case to.unitSize() == 1:
		return utf16ToLatin1AVX2(dst, src, to.limit(), from.byteOrder())
	case avx512:
		nDst, nSrc = utf16ToUTF32AVX512(units32(dst), src, from.byteOrder(), to.byteOrder())
		return 4 * nDst, nSrc
	default:
		nDst, nSrc = utf16ToUTF32AVX2(units32(dst), src, from.byteOrder(), to.byteOrder())
		return 4 * nDst, nSrc
	}
}

func utf32ToSwapped(dst []byte, to Encoding, src []rune, from Encoding) (nDst, nSrc int) {
	if len(src) == 0 || len(src) > maxKernel/4 {
		return 0, 0
	}
	avx512 := level.AVX512 && maskable(src)
	switch {
	case to == UTF8 && avx512:
		return utf32ToUTF8AVX512(dst, src, from.byteOrder())
	case to == UTF8:
		return utf32ToUTF8AVX2(dst, src, from.byteOrder())
	case to.unitSize() == 1 && level.AVX512 && maskableUpTo(256, src):
		return utf32ToLatin1AVX512(dst, src, to.limit(), from.byteOrder())
	case to.unitSize() == 1:
		return utf32ToLatin1AVX2(dst, src, to.limit(), from.byteOrder())
	case avx512:
		nDst, nSrc = utf32ToUTF16AVX512(units16(dst), src, from.byteOrder(), to.byteOrder())
		return 2 * nDst, nSrc
	default:
		nDst, nSrc = utf32ToUTF16AVX2(units16(dst), src, from.byteOrder(), to.byteOrder())
		return 2 * nDst, nSrc
	}
}

// wellFormedSwapped returns the length in bytes of a well-formed prefix of src, which is UTF-16 or UTF-32: all that is, but for less than leftOver bytes.
func wellFormedSwapped(src []byte, e Encoding) (n int) {
	for level.AVX2 {
		k := 0
		if piece := src[n:min(len(src), n+maxKernel)]; e.unitSize() == 2 {
			k = 2 * wellFormedUTF16(units16(piece), e.byteOrder())
		} else {
			k = 4 * wellFormedUTF32(units32(piece), e.byteOrder())
		}
		if n += k; k <= maxKernel-leftOver {
			break
		}
	}
	return n
}

func wellFormedUTF16(src []uint16, from byteOrder) int {
	if len(src) < minPairs || len(src) > maxKernel/2 {
		return 0
	}
	if level.AVX512 && maskableUpTo(128, src) {
		return validUTF16PrefixAVX512(src, from)
	}
	return validUTF16PrefixAVX2(src, from)
}

func wellFormedUTF32(src []rune, from byteOrder) int {
	if len(src) < minScalars || len(src) > maxKernel/4 {
		return 0
	}
	if level.AVX512 && maskable(src) {
		return validUTF32PrefixAVX512(src, from)
	}
	return validUTF32PrefixAVX2(src, from)
}
