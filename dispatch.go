//go:build (amd64 || arm64) && !purego

package transcode

import (
	"math/bits"
	"unsafe"

	"github.com/seed-1959eab6/transcode/internal/level"
)

// One dispatcher per operation: the same name without a level. Each deals with short texts in its own body, where a further call would
// cost more than the work, and hands the others to the best kernel that this machine can run. Calls are direct, since a buffer that is
// passed to a function value escapes to the heap. A level that the architecture does not have is a constant, false: so nothing calls
// kernels that are declared here for the other architecture alone. Where the level is one of several conditions it is the first and the others are in
// brackets, or a program that is built for a debugger (-gcflags=-N) does not link.
//
// The contract of a kernel: it handles a prefix of src, stops before trouble, and returns how much that was; generic.go, the
// specification, does the rest and so has the last word. It reads nothing outside src and writes nothing outside the result. A
// kernel that counts handles all of src, which is at least one block.
//
// The scheduler cannot stop assembly. So a kernel sees at most maxKernel bytes, and a dispatcher goes through a longer text by
// calls of itself, each with a frame that it can be stopped in.

// maxKernel is how many bytes of the source a kernel sees at most.
const maxKernel = 64 << 10

// Below these lengths, in bytes or where it says so in code units, code is faster than kernels, or kernels cannot do.
const (
	minCount     = 16 // of what kernels of the AVX2 level count
	minMask      = 16 // of code units that those of the AVX512 level count
	minScalars   = 8  // of UTF-32 to check, in code units
	minPairs     = 16 // of UTF-16 to check, in code units
	minPairsAVX2 = 33 // the same for the AVX2 level
	minConverted = 16 // of what is converted
	minUTF32     = 16 // of UTF-32 that becomes UTF-8, in code units
	minValid     = 6  // of UTF-8 that is not ASCII, to check
	minBlock     = 8  // the same for the AVX2 level
)

// levelNEON tells convert.go that kernels take longer to begin.
const levelNEON = level.NEON

// maskable reports whether a kernel of the AVX512 level may take src, which is not empty, with a mask: whether 64 bytes from its start on, if it
// has less, lie in one page. The next page may not be mapped, and then a load that leaves it out by a mask takes hundreds of cycles.
func maskable[U unit](src []U) bool { return maskableUpTo(64, src) }

// maskableUpTo is maskable for a kernel that loads n bytes.
func maskableUpTo[U unit](n int, src []U) bool {
	p := uintptr(unsafe.Pointer(unsafe.SliceData(src)))
	return len(src) >= n/int(unsafe.Sizeof(src[0])) || p%4096 <= uintptr(4096-n)
}

// word returns up to eight bytes, and zeros behind them.
func word(src []byte) uint64 {
	p, n := unsafe.Pointer(unsafe.SliceData(src)), len(src)
	if n >= 4 {
		return uint64(*(*uint32)(p)) | uint64(*(*uint32)(unsafe.Add(p, n-4)))<<(8*n-32)
	}
	if n == 0 {
		return 0
	}
	return uint64(*(*byte)(p)) | uint64(*(*byte)(unsafe.Add(p, n/2)))<<(n/2*8) | uint64(*(*byte)(unsafe.Add(p, n-1)))<<(n*8-8)
}

// twoWords returns eight to 16 bytes, and zeros behind them.
func twoWords(src []byte) (lo, hi uint64) {
	n := uint(len(src))
	return load64(src, 0), load64(src, n-8) >> (8 * (16 - n))
}

// continuations marks the continuation bytes of w in their top bits.
func continuations(w uint64) uint64 { return w & ^(w << 1) & high }

// ends returns the bits that the first and the last eight bytes have together.
func ends(src []byte) uint64 { return load64(src, 0) | load64(src, uint(len(src))-8) }

func kernelLevel() string {
	switch {
	case level.AVX512:
		return "avx512"
	case level.AVX2:
		return "avx2"
	case level.NEON:
		return "neon"
	}
	return "generic"
}

func isASCII(text string) bool {
	src := bytesOf(text)
	n := len(src)
	if n > 64 {
		if level.NEON { // most texts that are not ASCII tell it soon
			w := (*[8]uint64)(unsafe.Pointer(unsafe.SliceData(src)))
			if (w[0]|w[1])&high != 0 || (w[2]|w[3]|w[4]|w[5]|w[6]|w[7])&high != 0 {
				return false
			}
		}
		switch {
		case n > maxKernel:
			return isASCII(text[:256]) && areASCII(text)
		case level.AVX512:
			return isASCIIAVX512(src)
		case level.AVX2:
			return isASCIIAVX2(src)
		case level.NEON:
			return isASCIINEON(src)
		}
		return isASCIIGeneric(src)
	}
	switch {
	case n < 8:
		return word(src)&high == 0
	case n <= 16:
		return ends(src)&high == 0
	case n <= 32:
		return (ends(src[:16])|ends(src[n-16:]))&high == 0
	}
	return (ends(src[:16])|ends(src[16:32])|ends(src[n-32:n-16])|ends(src[n-16:]))&high == 0
}

// areASCII is isASCII for a text of several pieces.
func areASCII(text string) bool {
	for len(text) > maxKernel {
		if !isASCII(text[:maxKernel]) {
			return false
		}
		text = text[maxKernel:]
	}
	return isASCII(text)
}

// isASCIIAVX512 needs 64 bytes or more.
//
//go:noescape
func isASCIIAVX512(src []byte) (all bool)

// isASCIIAVX2 needs 32 bytes or more.
//
//go:noescape
func isASCIIAVX2(src []byte) (all bool)

// isASCIINEON needs 64 bytes or more.
//
//go:noescape
func isASCIINEON(src []byte) (all bool)

func asciiPrefix(text string) (n int) {
	src := bytesOf(text)
	if len(src) < 8 {
		if w := word(src) & high; w != 0 {
			return bits.TrailingZeros64(w) / 8
		}
		return len(src)
	}
	if w := load64(src, 0) & high; w != 0 { // as with most texts in other scripts
		return bits.TrailingZeros64(w) / 8
	}
	if n := uint(len(src)); n <= 64 {
		i := uint(8)
		switch {
		case n > 32:
			if (ends(src[:16])|ends(src[16:32]))&high == 0 {
				if (ends(src[n-32:n-16])|ends(src[n-16:]))&high == 0 {
					return len(src)
				}
				i = 32
			}
		case n > 16:
			if ends(src[:16])&high == 0 {
				if ends(src[n-16:])&high == 0 {
					return len(src)
				}
				i = 16
			}
		}
		for ; i < n; i += 8 {
			i = min(i, n-8)
			if w := load64(src, i) & high; w != 0 {
				return int(i) + bits.TrailingZeros64(w)/8
			}
		}
		return len(src)
	}
	for len(src)-n > maxKernel {
		k := asciiPrefix(text[n : n+maxKernel])
		if n += k; k < maxKernel {
			return n
		}
	}
	switch src := src[n:]; {
	case len(src) < 32:
		break
	case level.AVX512 && maskable(src):
		return n + asciiPrefixAVX512(src)
	case level.AVX2:
		return n + asciiPrefixAVX2(src)
	case level.NEON:
		return n + asciiPrefixNEON(src)
	}
	if n < len(src) {
		n += asciiPrefixGeneric(src[n:])
	}
	return n
}

// asciiPrefixAVX512 leaves over nothing.
//
//go:noescape
func asciiPrefixAVX512(src []byte) (n int)

// asciiPrefixAVX2 leaves over a source of less than 32 bytes.
//
//go:noescape
func asciiPrefixAVX2(src []byte) (n int)

// asciiPrefixNEON leaves over a source of less than 16 bytes.
//
//go:noescape
func asciiPrefixNEON(src []byte) (n int)

// classOfWord returns the class of up to eight bytes with zeros behind them, which are ASCII.
func classOfWord(w uint64) Class {
	top := uint32(0)
	for w != 0 {
		r := uint32(w)
		switch {
		case r&0x80 == 0:
			w >>= 8
			continue
		case isTwoByte(r):
			w >>= 16
		case isThreeByte(r):
			w >>= 24
		case isFourByte(r):
			w >>= 32
		default:
			return ClassInvalid
		}
		top = max(top, r&0xFF)
	}
	return classOfLead(top)
}

// asciiVectors returns how many bytes at the start of src, which has 17 to 64, are ASCII for certain: a multiple of 16, or all.
func asciiVectors(src []byte) int {
	n := len(src)
	switch {
	case ends(src[:16])&high != 0:
		return 0
	case n <= 32:
		if ends(src[n-16:])&high == 0 {
			return n
		}
		return 16
	case ends(src[16:32])&high != 0:
		return 16
	case (ends(src[n-32:n-16])|ends(src[n-16:]))&high == 0:
		return n
	case n >= 48 && ends(src[32:48])&high == 0:
		return 48
	}
	return 32
}

// validUTF8 is classify without the class, which takes a nanosecond more.
func validUTF8(text string) bool {
	src := bytesOf(text)
	switch n := len(src); {
	case n < 8 || level.NEON && n == 8:
		for w := word(src); w != 0; { // zeros are ASCII, and stand behind the text
			switch {
			case w&0x80 == 0:
				w >>= 8
			case isTwoByte(uint32(w)):
				w >>= 16
			case isThreeByte(uint32(w)):
				w >>= 24
			case isFourByte(uint32(w)):
				w >>= 32
			default:
				return false
			}
		}
		return true
	case n <= 16:
		if ends(src)&high == 0 {
			return true
		}
	case level.NEON && n <= 64:
		if i := asciiVectors(src); i == n {
			return true
		} else if i > 0 && n-i <= 16 {
			k, _ := validUTF8PrefixGeneric(src[i:])
			return k == n-i
		}
	case n <= 32:
		if (ends(src[:16])|ends(src[n-16:]))&high == 0 {
			return true
		}
	case n <= 64 && (ends(src[:16])|ends(src[16:32])|ends(src[n-32:n-16])|ends(src[n-16:]))&high == 0:
		return true
	case n > maxKernel:
		break
	case level.AVX512 && maskable(src): // without a call between
		k, class := validUTF8PrefixAVX512(src)
		if k < n {
			k, _ = finishUTF8(src, k, class)
		}
		return k == n
	case level.AVX2 && n >= minBlock:
		k, class := validUTF8PrefixAVX2(src)
		if k < n {
			k, _ = finishUTF8(src, k, class)
		}
		return k == n
	}
	if len(src) > maxKernel || !level.NEON {
		k, _ := validUTF8Prefix(text)
		return k == len(text)
	}
	k, class := validUTF8PrefixNEON(src)
	if k < len(src) {
		k, _ = finishUTF8(src, k, class)
	}
	return k == len(src)
}

func classify(text string) Class {
	src := bytesOf(text)
	n := len(src)
	switch {
	case n <= 8:
		return classOfWord(word(src))
	case n <= 16:
		if ends(src)&high == 0 {
			return ClassASCII
		}
	case level.NEON && n <= 64:
		if i := asciiVectors(src); i == n {
			return ClassASCII
		} else if i > 0 && n-i <= 16 {
			k, class := validUTF8PrefixGeneric(src[i:])
			return classOfAll(n-i, k, class)
		}
	case n <= 32:
		if (ends(src[:16])|ends(src[n-16:]))&high == 0 {
			return ClassASCII
		}
	case n <= 64:
		if (ends(src[:16])|ends(src[16:32])|ends(src[n-32:n-16])|ends(src[n-16:]))&high == 0 {
			return ClassASCII
		}
	}
	k, class := 0, ClassASCII
	switch {
	case n > maxKernel:
		k, class = validUTF8Prefix(text)
		return classOfAll(n, k, class)
	case level.AVX512 && maskable(src):
		k, class = validUTF8PrefixAVX512(src)
	case level.AVX2:
		k, class = validUTF8PrefixAVX2(src)
	case level.NEON:
		k, class = validUTF8PrefixNEON(src)
	}
	if k < n {
		k, class = finishUTF8(src, k, class)
	}
	return classOfAll(n, k, class)
}

// classOfAll returns the class of n bytes of which the first k are well-formed and have class.
func classOfAll(n, k int, class Class) Class {
	if k < n {
		return ClassInvalid
	}
	return class
}

func validUTF8Prefix(text string) (n int, class Class) {
	src := bytesOf(text)
	for len(src)-n > maxKernel {
		cut := cutUTF8(src[n:])
		k, c := validUTF8Prefix(text[n : n+cut])
		class = max(class, c)
		if n += k; k < cut {
			return n, class
		}
	}
	k, c := 0, ClassASCII
	rest := src[n:]
	switch {
	case len(rest) <= minValid:
		break
	case level.AVX512 && maskable(rest):
		k, c = validUTF8PrefixAVX512(rest)
	case level.AVX2 && len(rest) >= minBlock:
		k, c = validUTF8PrefixAVX2(rest)
	case level.NEON && len(rest) > 8:
		k, c = validUTF8PrefixNEON(rest)
	}
	switch {
	case k == 0:
		k, c = validUTF8PrefixGeneric(rest)
	case k < len(rest):
		k, c = finishUTF8(rest, k, c)
	}
	return n + k, max(class, c)
}

// cutUTF8 returns how much of src, which is longer, a kernel gets at once: whole characters, if they are well-formed.
func cutUTF8(src []byte) int {
	for n := maxKernel; n > maxKernel-4; n-- {
		if !isContinuation(src[n]) {
			return n
		}
	}
	return maxKernel // no well-formed character reaches across four continuation bytes
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

// validUTF8PrefixAVX512 leaves over what is behind three bytes before trouble, and of 65 or 66 bytes that are not ASCII those from 61 on.
//
//go:noescape
func validUTF8PrefixAVX512(src []byte) (n int, class Class)

// validUTF8PrefixAVX2 leaves over a source of less than 8 bytes, up to 66 bytes before trouble, a source of less than 32 with trouble, and of 33 or
// 34 bytes that are not ASCII those from 29 on.
//
//go:noescape
func validUTF8PrefixAVX2(src []byte) (n int, class Class)

// validUTF8PrefixNEON leaves over what is behind three bytes before trouble, and a source of less than 8 bytes.
//
//go:noescape
func validUTF8PrefixNEON(src []byte) (n int, class Class)

// cutUTF16 is cutUTF8 for UTF-16, in code units.
func cutUTF16(src []uint16) int {
	if isHighSurrogate(src[maxKernel/2-1]) {
		return maxKernel/2 - 1
	}
	return maxKernel / 2
}

func validUTF16Prefix(src []uint16) (n int) {
	if level.NEON && len(src) < 8 {
		if k := uint(len(src)) - 4; len(src) >= 4 && notSurrogates(load16x4(src, 0))&notSurrogates(load16x4(src, k)) == 0x8000*lanes {
			return len(src)
		}
		for n < len(src) {
			switch u := src[n]; {
			case !isSurrogate(uint32(u)):
				n++
			case n+2 <= len(src) && isHighSurrogate(u) && isLowSurrogate(src[n+1]):
				n += 2
			default:
				return n
			}
		}
		return n
	}
	if !level.NEON && len(src) < minPairs {
		return validUTF16PrefixGeneric(src)
	}
	for len(src)-n > maxKernel/2 {
		cut := cutUTF16(src[n:])
		k := validUTF16Prefix(src[n : n+cut])
		if n += k; k < cut {
			return n
		}
	}
	switch src := src[n:]; {
	case level.NEON && (len(src) >= 8 && len(src) < 16):
		last := uint(len(src)) - 8
		if notSurrogates(load16x4(src, 0))&notSurrogates(load16x4(src, 4))&
			notSurrogates(load16x4(src, last))&notSurrogates(load16x4(src, last+4)) == 0x8000*lanes {
			return n + len(src)
		}
		var block [16]uint16 // zeros behind the text
		copy(block[:], src)
		if validUTF16PrefixNEON(block[:], hostOrder) == len(block) {
			return n + len(src)
		}
	case len(src) < minPairs:
		break
	case level.AVX512 && maskableUpTo(128, src):
		n += validUTF16PrefixAVX512(src, hostOrder)
	case level.AVX2 && len(src) >= minPairsAVX2:
		n += validUTF16PrefixAVX2(src, hostOrder)
	case level.NEON:
		n += validUTF16PrefixNEON(src, hostOrder)
	}
	if n < len(src) {
		n += validUTF16PrefixGeneric(src[n:])
	}
	return n
}

// validUTF16PrefixAVX512 leaves over nothing.
//
//go:noescape
func validUTF16PrefixAVX512(src []uint16, from byteOrder) (n int)

// validUTF16PrefixAVX2 leaves over a source of up to 32 code units, and up to 64 before trouble.
//
//go:noescape
func validUTF16PrefixAVX2(src []uint16, from byteOrder) (n int)

// validUTF16PrefixNEON leaves over a source of less than 16 code units, and less than 64 before trouble.
//
//go:noescape
func validUTF16PrefixNEON(src []uint16, from byteOrder) (n int)

func validUTF32Prefix(src []rune) (n int) {
	if len(src) < minScalars {
		return validUTF32PrefixGeneric(src)
	}
	for len(src)-n > maxKernel/4 {
		cut := maxKernel / 4
		k := validUTF32Prefix(src[n : n+cut])
		if n += k; k < cut {
			return n
		}
	}
	switch src := src[n:]; {
	case len(src) < minScalars:
		break
	case level.AVX512 && maskable(src):
		n += validUTF32PrefixAVX512(src, hostOrder)
	case level.AVX2:
		n += validUTF32PrefixAVX2(src, hostOrder)
	case level.NEON:
		n += validUTF32PrefixNEON(src, hostOrder)
	}
	if n < len(src) {
		n += validUTF32PrefixGeneric(src[n:])
	}
	return n
}

// validUTF32PrefixAVX512 leaves over up to 63 code units before trouble.
//
//go:noescape
func validUTF32PrefixAVX512(src []rune, from byteOrder) (n int)

// validUTF32PrefixAVX2 leaves over less than 8 code units, and up to 31 before trouble.
//
//go:noescape
func validUTF32PrefixAVX2(src []rune, from byteOrder) (n int)

// validUTF32PrefixNEON leaves over a source of less than 4 code units, and less than 32 before trouble.
//
//go:noescape
func validUTF32PrefixNEON(src []rune, from byteOrder) (n int)

func classOfUTF8(text string) (class Class) {
	for len(text) > maxKernel {
		if class = max(class, classOfUTF8(text[:maxKernel])); class == ClassSupplementary {
			return class
		}
		text = text[maxKernel:]
	}
	switch src := bytesOf(text); {
	case level.AVX512 && len(src) >= 64:
		return max(class, classOfUTF8AVX512(src))
	case level.AVX2 && len(src) >= 32:
		return max(class, classOfUTF8AVX2(src))
	default:
		return max(class, classOfUTF8Generic(src))
	}
}

// classOfUTF8AVX512 takes 64 bytes or more.
//
//go:noescape
func classOfUTF8AVX512(src []byte) Class

// classOfUTF8AVX2 takes 32 bytes or more.
//
//go:noescape
func classOfUTF8AVX2(src []byte) Class

func runeCount(text string) (n int64) {
	if level.NEON && len(text) < 8 { // before the stack is used
		return int64(len(text) - bits.OnesCount64(continuations(word(bytesOf(text)))))
	}
	for len(text) > maxKernel {
		n += runeCount(text[:maxKernel])
		text = text[maxKernel:]
	}
	src := bytesOf(text)
	switch {
	case len(src) < 8:
		return n + int64(len(src)-bits.OnesCount64(continuations(word(src))))
	case len(src) <= 16:
		lo, hi := twoWords(src)
		return n + int64(len(src)-bits.OnesCount64(continuations(lo)|continuations(hi)>>1))
	case level.AVX512 && maskable(src):
		return n + runeCountAVX512(src)
	case level.AVX2 && len(src) >= minCount:
		return n + runeCountAVX2(src)
	case level.NEON:
		return n + runeCountNEON(src)
	}
	return n + runeCountGeneric(src)
}

// runeCountAVX512 counts in any source that is not empty and maskable.
//
//go:noescape
func runeCountAVX512(src []byte) (n int64)

// runeCountAVX2 counts in any source of minCount bytes or more.
//
//go:noescape
func runeCountAVX2(src []byte) (n int64)

// runeCountNEON counts in any source of 16 bytes or more.
//
//go:noescape
func runeCountNEON(src []byte) (n int64)

func utf16LenFromUTF8(text string) (n int64) {
	for len(text) > maxKernel/2 {
		n += utf16LenFromUTF8(text[:maxKernel/2])
		text = text[maxKernel/2:]
	}
	src := bytesOf(text)
	switch {
	case len(src) < 8:
		w := word(src)
		return n + int64(len(src)-bits.OnesCount64(continuations(w))+bits.OnesCount64(fourByteLeads(w)))
	case len(src) <= 16:
		lo, hi := twoWords(src)
		return n + int64(len(src)-bits.OnesCount64(continuations(lo)|continuations(hi)>>1)+bits.OnesCount64(fourByteLeads(lo)|fourByteLeads(hi)<<1))
	case level.AVX512 && maskable(src):
		return n + utf16LenFromUTF8AVX512(src)
	case level.AVX2 && len(src) >= minCount:
		return n + utf16LenFromUTF8AVX2(src)
	case level.NEON:
		return n + utf16LenFromUTF8NEON(src)
	}
	return n + utf16LenFromUTF8Generic(src)
}

// utf16LenFromUTF8AVX512 counts in any source of up to maxKernel/2 bytes that is not empty and maskable.
//
//go:noescape
func utf16LenFromUTF8AVX512(src []byte) (n int64)

// utf16LenFromUTF8AVX2 counts in any source of minCount bytes or more.
//
//go:noescape
func utf16LenFromUTF8AVX2(src []byte) (n int64)

// utf16LenFromUTF8NEON counts in any source of 16 bytes or more.
//
//go:noescape
func utf16LenFromUTF8NEON(src []byte) (n int64)

func utf8LenFromLatin1(text string) (n int64) {
	for len(text) > maxKernel {
		n += utf8LenFromLatin1(text[:maxKernel])
		text = text[maxKernel:]
	}
	src := bytesOf(text)
	switch {
	case len(src) < 8:
		return n + int64(len(src)+bits.OnesCount64(word(src)&high))
	case len(src) <= 16:
		lo, hi := twoWords(src)
		return n + int64(len(src)+bits.OnesCount64(lo&high|hi&high>>1))
	case level.AVX512 && maskable(src):
		return n + utf8LenFromLatin1AVX512(src)
	case level.AVX2 && len(src) >= minCount:
		return n + utf8LenFromLatin1AVX2(src)
	case level.NEON:
		return n + utf8LenFromLatin1NEON(src)
	}
	return n + utf8LenFromLatin1Generic(src)
}

// utf8LenFromLatin1AVX512 counts in any source that is not empty and maskable.
//
//go:noescape
func utf8LenFromLatin1AVX512(src []byte) (n int64)

// utf8LenFromLatin1AVX2 counts in any source of minCount bytes or more.
//
//go:noescape
func utf8LenFromLatin1AVX2(src []byte) (n int64)

// utf8LenFromLatin1NEON counts in any source of 16 bytes or more.
//
//go:noescape
func utf8LenFromLatin1NEON(src []byte) (n int64)

func utf8LenFromUTF16(src []uint16) (n int64) {
	if len(src) < minMask/2 {
		return utf8LenFromUTF16Generic(src)
	}
	for len(src) > maxKernel/2 {
		n += utf8LenFromUTF16(src[:maxKernel/2])
		src = src[maxKernel/2:]
	}
	switch {
	case len(src) < minMask/2:
		break
	case level.AVX512 && maskable(src):
		return n + utf8LenFromUTF16AVX512(src)
	case level.AVX2 && len(src) >= minCount/2:
		return n + utf8LenFromUTF16AVX2(src)
	case level.NEON:
		return n + utf8LenFromUTF16NEON(src)
	}
	return n + utf8LenFromUTF16Generic(src)
}

// utf8LenFromUTF16AVX512 counts in any source that is not empty and maskable.
//
//go:noescape
func utf8LenFromUTF16AVX512(src []uint16) (n int64)

// utf8LenFromUTF16AVX2 counts in any source of minCount bytes or more.
//
//go:noescape
func utf8LenFromUTF16AVX2(src []uint16) (n int64)

// utf8LenFromUTF16NEON counts in any source of 16 bytes or more.
//
//go:noescape
func utf8LenFromUTF16NEON(src []uint16) (n int64)

func utf32LenFromUTF16(src []uint16) (n int64) {
	if len(src) < minMask/2 {
		return utf32LenFromUTF16Generic(src)
	}
	for len(src) > maxKernel/2 {
		n += utf32LenFromUTF16(src[:maxKernel/2])
		src = src[maxKernel/2:]
	}
	switch {
	case len(src) < minMask/2:
		break
	case level.AVX512 && maskable(src):
		return n + utf32LenFromUTF16AVX512(src)
	case level.AVX2 && len(src) >= minCount/2:
		return n + utf32LenFromUTF16AVX2(src)
	case level.NEON:
		return n + utf32LenFromUTF16NEON(src)
	}
	return n + utf32LenFromUTF16Generic(src)
}

// utf32LenFromUTF16AVX512 counts in any source that is not empty and maskable.
//
//go:noescape
func utf32LenFromUTF16AVX512(src []uint16) (n int64)

// utf32LenFromUTF16AVX2 counts in any source of minCount bytes or more.
//
//go:noescape
func utf32LenFromUTF16AVX2(src []uint16) (n int64)

// utf32LenFromUTF16NEON counts in any source of 16 bytes or more.
//
//go:noescape
func utf32LenFromUTF16NEON(src []uint16) (n int64)

func utf8LenFromUTF32(src []rune) (n int64) {
	if len(src) < minMask/4 {
		return utf8LenFromUTF32Generic(src)
	}
	for len(src) > maxKernel/4 {
		n += utf8LenFromUTF32(src[:maxKernel/4])
		src = src[maxKernel/4:]
	}
	switch {
	case len(src) < minMask/4:
		break
	case level.AVX512 && maskable(src):
		return n + utf8LenFromUTF32AVX512(src)
	case level.AVX2 && len(src) >= minCount/4:
		return n + utf8LenFromUTF32AVX2(src)
	case level.NEON:
		return n + utf8LenFromUTF32NEON(src)
	}
	return n + utf8LenFromUTF32Generic(src)
}

// utf8LenFromUTF32AVX512 counts in any source that is not empty and maskable.
//
//go:noescape
func utf8LenFromUTF32AVX512(src []rune) (n int64)

// utf8LenFromUTF32AVX2 counts in any source of minCount bytes or more.
//
//go:noescape
func utf8LenFromUTF32AVX2(src []rune) (n int64)

// utf8LenFromUTF32NEON counts in any source of 16 bytes or more.
//
//go:noescape
func utf8LenFromUTF32NEON(src []rune) (n int64)

func utf16LenFromUTF32(src []rune) (n int64) {
	if len(src) < minMask/4 {
		return utf16LenFromUTF32Generic(src)
	}
	for len(src) > maxKernel/4 {
		n += utf16LenFromUTF32(src[:maxKernel/4])
		src = src[maxKernel/4:]
	}
	switch {
	case len(src) < minMask/4:
		break
	case level.AVX512 && maskable(src):
		return n + utf16LenFromUTF32AVX512(src)
	case level.AVX2 && len(src) >= minCount/4:
		return n + utf16LenFromUTF32AVX2(src)
	case level.NEON:
		return n + utf16LenFromUTF32NEON(src)
	}
	return n + utf16LenFromUTF32Generic(src)
}

// utf16LenFromUTF32AVX512 counts in any source that is not empty and maskable.
//
//go:noescape
func utf16LenFromUTF32AVX512(src []rune) (n int64)

// utf16LenFromUTF32AVX2 counts in any source of minCount bytes or more.
//
//go:noescape
func utf16LenFromUTF32AVX2(src []rune) (n int64)

// utf16LenFromUTF32NEON counts in any source of 16 bytes or more.
//
//go:noescape
func utf16LenFromUTF32NEON(src []rune) (n int64)

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
	case len(src) < minConverted:
		break
	case level.AVX512 && maskable(src):
		d, s = latin1ToUTF8AVX512(dst, src)
	case level.AVX2 && len(src) < 32: // a block with zeros behind the text
		var block [32]byte
		var result [64]byte
		copy(block[:], src)
		k, _ := latin1ToUTF8AVX2(result[:], block[:])
		if k -= len(block) - len(src); k <= len(dst) {
			d, s = copy(dst, result[:k]), len(src)
		}
	case level.AVX2:
		d, s = latin1ToUTF8AVX2(dst, src)
	case level.NEON:
		d, s = latin1ToUTF8NEON(dst, src)
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

// latin1ToUTF8AVX512 leaves over nothing but what has no room.
//
//go:noescape
func latin1ToUTF8AVX512(dst, src []byte) (nDst, nSrc int)

// latin1ToUTF8AVX2 leaves over a source of less than 32 bytes, or what has less room than 64.
//
//go:noescape
func latin1ToUTF8AVX2(dst, src []byte) (nDst, nSrc int)

// latin1ToUTF8NEON leaves over a source of less than 16 bytes, and less than 16 more where room ends.
//
//go:noescape
func latin1ToUTF8NEON(dst, src []byte) (nDst, nSrc int)

func latin1ToUTF16(dst []uint16, src []byte) (nDst, nSrc int) {
	for len(src)-nSrc > maxKernel {
		d, s := latin1ToUTF16(dst[nDst:], src[nSrc:nSrc+maxKernel])
		nDst += d
		if nSrc += s; s < maxKernel {
			return nDst, nSrc
		}
	}
	dst, src = dst[nDst:], src[nSrc:]
	d, s := 0, 0
	switch {
	case len(src) < minConverted:
		break
	case level.AVX512 && len(src) >= 64:
		d, s = latin1ToUTF16AVX512(dst, src, hostOrder)
	case level.AVX2:
		d, s = latin1ToUTF16AVX2(dst, src, hostOrder)
	case level.NEON:
		d, s = latin1ToUTF16NEON(dst, src, hostOrder)
	}
	nDst += d
	nSrc += s
	if s < len(src) {
		d, s = latin1ToUTF16Generic(dst[d:], src[s:])
		nDst += d
		nSrc += s
	}
	return nDst, nSrc
}

// latin1ToUTF16AVX512 leaves over a source, or room, of less than 32.
//
//go:noescape
func latin1ToUTF16AVX512(dst []uint16, src []byte, to byteOrder) (nDst, nSrc int)

// latin1ToUTF16AVX2 leaves over a source or room of less than 16.
//
//go:noescape
func latin1ToUTF16AVX2(dst []uint16, src []byte, to byteOrder) (nDst, nSrc int)

// latin1ToUTF16NEON leaves over a source or room of less than 16.
//
//go:noescape
func latin1ToUTF16NEON(dst []uint16, src []byte, to byteOrder) (nDst, nSrc int)

func latin1ToUTF32(dst []rune, src []byte) (nDst, nSrc int) {
	for len(src)-nSrc > maxKernel {
		d, s := latin1ToUTF32(dst[nDst:], src[nSrc:nSrc+maxKernel])
		nDst += d
		if nSrc += s; s < maxKernel {
			return nDst, nSrc
		}
	}
	dst, src = dst[nDst:], src[nSrc:]
	d, s := 0, 0
	switch {
	case len(src) < minConverted:
		break
	case level.AVX512 && len(src) >= 64:
		d, s = latin1ToUTF32AVX512(dst, src, hostOrder)
	case level.AVX2:
		d, s = latin1ToUTF32AVX2(dst, src, hostOrder)
	case level.NEON:
		d, s = latin1ToUTF32NEON(dst, src, hostOrder)
	}
	nDst += d
	nSrc += s
	if s < len(src) {
		d, s = latin1ToUTF32Generic(dst[d:], src[s:])
		nDst += d
		nSrc += s
	}
	return nDst, nSrc
}

// latin1ToUTF32AVX512 leaves over a source, or room, of less than 16.
//
//go:noescape
func latin1ToUTF32AVX512(dst []rune, src []byte, to byteOrder) (nDst, nSrc int)

// latin1ToUTF32AVX2 leaves over a source or room of less than 8.
//
//go:noescape
func latin1ToUTF32AVX2(dst []rune, src []byte, to byteOrder) (nDst, nSrc int)

// latin1ToUTF32NEON leaves over a source or room of less than 16.
//
//go:noescape
func latin1ToUTF32NEON(dst []rune, src []byte, to byteOrder) (nDst, nSrc int)

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
	case len(src) < minConverted:
		break
	case level.AVX512 && maskable(src):
		d, s = utf8ToLatin1AVX512(dst, src)
	case level.AVX2:
		d, s = utf8ToLatin1AVX2(dst, src)
	case level.NEON:
		d, s = utf8ToLatin1NEON(dst, src)
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

// utf8ToLatin1AVX512 leaves over a block with trouble, and what has no room.
//
//go:noescape
func utf8ToLatin1AVX512(dst, src []byte) (nDst, nSrc int)

// utf8ToLatin1AVX2 leaves over a source of less than 32 bytes, or what has less room than 32, and up to 32 bytes before trouble.
//
//go:noescape
func utf8ToLatin1AVX2(dst, src []byte) (nDst, nSrc int)

// utf8ToLatin1NEON leaves over a source of less than 16 bytes, less than 16 more where room ends, and a block with trouble.
//
//go:noescape
func utf8ToLatin1NEON(dst, src []byte) (nDst, nSrc int)

func utf16ToLatin1(dst []byte, src []uint16, limit uint32) (nDst, nSrc int) {
	for len(src)-nSrc > maxKernel/2 {
		d, s := utf16ToLatin1(dst[nDst:], src[nSrc:nSrc+maxKernel/2], limit)
		nDst += d
		if nSrc += s; s < maxKernel/2 {
			return nDst, nSrc
		}
	}
	dst, src = dst[nDst:], src[nSrc:]
	d, s := 0, 0
	switch {
	case len(src) < minConverted:
		break
	case level.AVX512 && maskableUpTo(128, src):
		d, s = utf16ToLatin1AVX512(dst, src, limit, hostOrder)
	case level.AVX2:
		d, s = utf16ToLatin1AVX2(dst, src, limit, hostOrder)
	case level.NEON:
		d, s = utf16ToLatin1NEON(dst, src, limit, hostOrder)
	}
	nDst += d
	nSrc += s
	if s < len(src) {
		d, s = utf16ToLatin1Generic(dst[d:], src[s:], limit)
		nDst += d
		nSrc += s
	}
	return nDst, nSrc
}

// utf16ToLatin1AVX512 leaves over up to 63 code units before what does not fit.
//
//go:noescape
func utf16ToLatin1AVX512(dst []byte, src []uint16, limit uint32, from byteOrder) (nDst, nSrc int)

// utf16ToLatin1AVX2 leaves over a source of less than 16 code units, and up to 31 before what does not fit.
//
//go:noescape
func utf16ToLatin1AVX2(dst []byte, src []uint16, limit uint32, from byteOrder) (nDst, nSrc int)

// utf16ToLatin1NEON leaves over a source of less than 16 code units, and up to 31 before what does not fit.
//
//go:noescape
func utf16ToLatin1NEON(dst []byte, src []uint16, limit uint32, from byteOrder) (nDst, nSrc int)

func utf32ToLatin1(dst []byte, src []rune, limit uint32) (nDst, nSrc int) {
	for len(src)-nSrc > maxKernel/4 {
		d, s := utf32ToLatin1(dst[nDst:], src[nSrc:nSrc+maxKernel/4], limit)
		nDst += d
		if nSrc += s; s < maxKernel/4 {
			return nDst, nSrc
		}
	}
	dst, src = dst[nDst:], src[nSrc:]
	d, s := 0, 0
	switch {
	case len(src) < minConverted:
		break
	case level.AVX512 && maskableUpTo(256, src):
		d, s = utf32ToLatin1AVX512(dst, src, limit, hostOrder)
	case level.AVX2:
		d, s = utf32ToLatin1AVX2(dst, src, limit, hostOrder)
	case level.NEON:
		d, s = utf32ToLatin1NEON(dst, src, limit, hostOrder)
	}
	nDst += d
	nSrc += s
	if s < len(src) {
		d, s = utf32ToLatin1Generic(dst[d:], src[s:], limit)
		nDst += d
		nSrc += s
	}
	return nDst, nSrc
}

// utf32ToLatin1AVX512 leaves over up to 63 code units before what does not fit.
//
//go:noescape
func utf32ToLatin1AVX512(dst []byte, src []rune, limit uint32, from byteOrder) (nDst, nSrc int)

// utf32ToLatin1AVX2 leaves over a source of less than 16 code units, and up to 31 before what does not fit.
//
//go:noescape
func utf32ToLatin1AVX2(dst []byte, src []rune, limit uint32, from byteOrder) (nDst, nSrc int)

// utf32ToLatin1NEON leaves over a source of less than 16 code units, and up to 15 before what does not fit.
//
//go:noescape
func utf32ToLatin1NEON(dst []byte, src []rune, limit uint32, from byteOrder) (nDst, nSrc int)

func swap16(dst, src []byte) (n int) {
	if len(src) < 32 {
		return swap16Generic(dst, src)
	}
	for len(src)-n > maxKernel {
		k := swap16(dst[n:], src[n:n+maxKernel])
		if n += k; k < maxKernel {
			return n
		}
	}
	dst, src = dst[n:], src[n:]
	k := 0
	switch {
	case len(src) < 32:
		break
	case level.AVX512 && len(src) >= 64:
		k = swap16AVX512(dst, src)
	case level.AVX2:
		k = swap16AVX2(dst, src)
	case level.NEON:
		k = swap16NEON(dst, src)
	}
	return n + k + swap16Generic(dst[k:], src[k:])
}

// swap16AVX512 leaves over less than 64 bytes.
//
//go:noescape
func swap16AVX512(dst, src []byte) (n int)

// swap16AVX2 leaves over less than 32 bytes.
//
//go:noescape
func swap16AVX2(dst, src []byte) (n int)

// swap16NEON leaves over less than 16 bytes.
//
//go:noescape
func swap16NEON(dst, src []byte) (n int)

func swap32(dst, src []byte) (n int) {
	if len(src) < 32 {
		return swap32Generic(dst, src)
	}
	for len(src)-n > maxKernel {
		k := swap32(dst[n:], src[n:n+maxKernel])
		if n += k; k < maxKernel {
			return n
		}
	}
	dst, src = dst[n:], src[n:]
	k := 0
	switch {
	case len(src) < 32:
		break
	case level.AVX512 && len(src) >= 64:
		k = swap32AVX512(dst, src)
	case level.AVX2:
		k = swap32AVX2(dst, src)
	case level.NEON:
		k = swap32NEON(dst, src)
	}
	return n + k + swap32Generic(dst[k:], src[k:])
}

// swap32AVX512 leaves over less than 64 bytes.
//
//go:noescape
func swap32AVX512(dst, src []byte) (n int)

// swap32AVX2 leaves over less than 32 bytes.
//
//go:noescape
func swap32AVX2(dst, src []byte) (n int)

// swap32NEON leaves over less than 16 bytes.
//
//go:noescape
func swap32NEON(dst, src []byte) (n int)

func utf8ToUTF16(dst []uint16, src []byte) (nDst, nSrc int) {
	if level.NEON && len(src) < minUTF8ToUTF16 {
		return utf8ToUTF16Generic(dst, src)
	}
	for len(src)-nSrc > maxKernel {
		cut := cutUTF8(src[nSrc:])
		d, s := utf8ToUTF16(dst[nDst:], src[nSrc:nSrc+cut])
		nDst += d
		if nSrc += s; s < cut {
			return nDst, nSrc
		}
	}
	dst, src = dst[nDst:], src[nSrc:]
	d, s := 0, 0
	switch {
	case len(src) < minConverted:
		break
	case level.AVX512 && maskable(src):
		d, s = utf8ToUTF16AVX512(dst, src, hostOrder)
	case level.AVX2:
		d, s = utf8ToUTF16AVX2(dst, src, hostOrder)
	case level.NEON:
		d, s = utf8ToUTF16NEON(dst, src, hostOrder)
	}
	nDst += d
	nSrc += s
	if s < len(src) {
		d, s = utf8ToUTF16Generic(dst[d:], src[s:])
		nDst += d
		nSrc += s
	}
	return nDst, nSrc
}

// utf8ToUTF16AVX512 leaves over what has no room, less than three bytes before trouble and the character that they end, and of 65 or 66 bytes what
// does not end in the first 64.
//
//go:noescape
func utf8ToUTF16AVX512(dst []uint16, src []byte, to byteOrder) (nDst, nSrc int)

// utf8ToUTF16AVX2 leaves over nothing of 16 bytes or more, but for up to two bytes behind the first 32, and a block that has no room.
//
//go:noescape
func utf8ToUTF16AVX2(dst []uint16, src []byte, to byteOrder) (nDst, nSrc int)

// utf8ToUTF16NEON leaves over a source of less than 16 bytes, the next 48 where they have no room, and what is before trouble in 16.
//
//go:noescape
func utf8ToUTF16NEON(dst []uint16, src []byte, to byteOrder) (nDst, nSrc int)

func utf8ToUTF32(dst []rune, src []byte) (nDst, nSrc int) {
	if level.NEON && len(src) < minUTF8ToUTF32 {
		return utf8ToUTF32Generic(dst, src)
	}
	for len(src)-nSrc > maxKernel {
		cut := cutUTF8(src[nSrc:])
		d, s := utf8ToUTF32(dst[nDst:], src[nSrc:nSrc+cut])
		nDst += d
		if nSrc += s; s < cut {
			return nDst, nSrc
		}
	}
	dst, src = dst[nDst:], src[nSrc:]
	d, s := 0, 0
	switch {
	case len(src) < minConverted:
		break
	case level.AVX512 && maskable(src):
		d, s = utf8ToUTF32AVX512(dst, src, hostOrder)
	case level.AVX2:
		d, s = utf8ToUTF32AVX2(dst, src, hostOrder)
	case level.NEON:
		d, s = utf8ToUTF32NEON(dst, src, hostOrder)
	}
	nDst += d
	nSrc += s
	if s < len(src) {
		d, s = utf8ToUTF32Generic(dst[d:], src[s:])
		nDst += d
		nSrc += s
	}
	return nDst, nSrc
}

// utf8ToUTF32AVX512 leaves over what has no room, less than three bytes before trouble and the character that they end, and of 65 or 66 bytes what
// does not end in the first 64.
//
//go:noescape
func utf8ToUTF32AVX512(dst []rune, src []byte, to byteOrder) (nDst, nSrc int)

// utf8ToUTF32AVX2 leaves over nothing of 16 bytes or more, but for up to two bytes behind the first 32, and a block that has no room.
//
//go:noescape
func utf8ToUTF32AVX2(dst []rune, src []byte, to byteOrder) (nDst, nSrc int)

// utf8ToUTF32NEON leaves over a source of less than 16 bytes, the next 48 where they have no room, and what is before trouble in 16.
//
//go:noescape
func utf8ToUTF32NEON(dst []rune, src []byte, to byteOrder) (nDst, nSrc int)

func utf16ToUTF8(dst []byte, src []uint16) (nDst, nSrc int) {
	if level.NEON && fewForUTF8(src) {
		return utf16ToUTF8Generic(dst, src)
	}
	for len(src)-nSrc > maxKernel/2 {
		cut := cutUTF16(src[nSrc:])
		d, s := utf16ToUTF8(dst[nDst:], src[nSrc:nSrc+cut])
		nDst += d
		if nSrc += s; s < cut {
			return nDst, nSrc
		}
	}
	dst, src = dst[nDst:], src[nSrc:]
	d, s := 0, 0
	switch {
	case len(src) < minConverted/2:
		break
	case level.AVX512 && maskable(src):
		d, s = utf16ToUTF8AVX512(dst, src, hostOrder)
	case level.AVX2 && len(src) >= 16:
		d, s = utf16ToUTF8AVX2(dst, src, hostOrder)
	case level.NEON:
		d, s = utf16ToUTF8NEON(dst, src, hostOrder)
	}
	nDst += d
	nSrc += s
	if s < len(src) {
		d, s = utf16ToUTF8Generic(dst[d:], src[s:])
		nDst += d
		nSrc += s
	}
	return nDst, nSrc
}

// utf16ToUTF8AVX512 leaves over what has trouble, or no room.
//
//go:noescape
func utf16ToUTF8AVX512(dst []byte, src []uint16, from byteOrder) (nDst, nSrc int)

// utf16ToUTF8AVX2 leaves over less than 16 code units, those that have less than 48 bytes of room, and what is before trouble in a block.
//
//go:noescape
func utf16ToUTF8AVX2(dst []byte, src []uint16, from byteOrder) (nDst, nSrc int)

// utf16ToUTF8NEON leaves over a source of less than 8 code units, and the next 16 where they have no room or trouble.
//
//go:noescape
func utf16ToUTF8NEON(dst []byte, src []uint16, from byteOrder) (nDst, nSrc int)

func utf32ToUTF8(dst []byte, src []rune) (nDst, nSrc int) {
	if level.NEON && len(src) < minUTF32ToUTF8 {
		return utf32ToUTF8Generic(dst, src)
	}
	for len(src)-nSrc > maxKernel/4 {
		d, s := utf32ToUTF8(dst[nDst:], src[nSrc:nSrc+maxKernel/4])
		nDst += d
		if nSrc += s; s < maxKernel/4 {
			return nDst, nSrc
		}
	}
	dst, src = dst[nDst:], src[nSrc:]
	d, s := 0, 0
	switch {
	case len(src) < minUTF32:
		break
	case level.AVX512 && maskable(src):
		d, s = utf32ToUTF8AVX512(dst, src, hostOrder)
	case level.AVX2:
		d, s = utf32ToUTF8AVX2(dst, src, hostOrder)
	case level.NEON:
		d, s = utf32ToUTF8NEON(dst, src, hostOrder)
	}
	nDst += d
	nSrc += s
	if s < len(src) {
		d, s = utf32ToUTF8Generic(dst[d:], src[s:])
		nDst += d
		nSrc += s
	}
	return nDst, nSrc
}

// utf32ToUTF8AVX512 leaves over a block with trouble, and what has no room.
//
//go:noescape
func utf32ToUTF8AVX512(dst []byte, src []rune, from byteOrder) (nDst, nSrc int)

// utf32ToUTF8AVX2 leaves over less than 16 code units, those that have less than 64 bytes of room, and what is before trouble in a block.
//
//go:noescape
func utf32ToUTF8AVX2(dst []byte, src []rune, from byteOrder) (nDst, nSrc int)

// utf32ToUTF8NEON leaves over a source of less than 4 code units, and the next 16 where they have no room or trouble.
//
//go:noescape
func utf32ToUTF8NEON(dst []byte, src []rune, from byteOrder) (nDst, nSrc int)

func utf16ToUTF32(dst []rune, src []uint16) (nDst, nSrc int) {
	if level.NEON && fewForUTF32(src) {
		return utf16ToUTF32Generic(dst, src)
	}
	for len(src)-nSrc > maxKernel/2 {
		cut := cutUTF16(src[nSrc:])
		d, s := utf16ToUTF32(dst[nDst:], src[nSrc:nSrc+cut])
		nDst += d
		if nSrc += s; s < cut {
			return nDst, nSrc
		}
	}
	dst, src = dst[nDst:], src[nSrc:]
	d, s := 0, 0
	switch {
	case len(src) < minConverted/2:
		break
	case level.AVX512 && maskable(src):
		d, s = utf16ToUTF32AVX512(dst, src, hostOrder, hostOrder)
	case level.AVX2:
		d, s = utf16ToUTF32AVX2(dst, src, hostOrder, hostOrder)
	case level.NEON:
		d, s = utf16ToUTF32NEON(dst, src, hostOrder, hostOrder)
	}
	nDst += d
	nSrc += s
	if s < len(src) {
		d, s = utf16ToUTF32Generic(dst[d:], src[s:])
		nDst += d
		nSrc += s
	}
	return nDst, nSrc
}

// utf16ToUTF32AVX512 leaves over what has trouble, or no room.
//
//go:noescape
func utf16ToUTF32AVX512(dst []rune, src []uint16, from, to byteOrder) (nDst, nSrc int)

// utf16ToUTF32AVX2 leaves over less than 8 code units with surrogates, or of room, a source of less than 8, and what is before trouble in a block.
//
//go:noescape
func utf16ToUTF32AVX2(dst []rune, src []uint16, from, to byteOrder) (nDst, nSrc int)

// utf16ToUTF32NEON leaves over a source of less than 8 code units, less than 8 of room, and what is before trouble in a block.
//
//go:noescape
func utf16ToUTF32NEON(dst []rune, src []uint16, from, to byteOrder) (nDst, nSrc int)

func utf32ToUTF16(dst []uint16, src []rune) (nDst, nSrc int) {
	if level.NEON && len(src) < minUTF32ToUTF16 {
		return utf32ToUTF16Generic(dst, src)
	}
	for len(src)-nSrc > maxKernel/4 {
		cut := maxKernel / 4
		d, s := utf32ToUTF16(dst[nDst:], src[nSrc:nSrc+cut])
		nDst += d
		if nSrc += s; s < cut {
			return nDst, nSrc
		}
	}
	dst, src = dst[nDst:], src[nSrc:]
	d, s := 0, 0
	switch {
	case len(src) < minConverted/2:
		break
	case level.AVX512 && maskable(src):
		d, s = utf32ToUTF16AVX512(dst, src, hostOrder, hostOrder)
	case level.AVX2:
		d, s = utf32ToUTF16AVX2(dst, src, hostOrder, hostOrder)
	case level.NEON:
		d, s = utf32ToUTF16NEON(dst, src, hostOrder, hostOrder)
	}
	nDst += d
	nSrc += s
	if s < len(src) {
		d, s = utf32ToUTF16Generic(dst[d:], src[s:])
		nDst += d
		nSrc += s
	}
	return nDst, nSrc
}

// utf32ToUTF16AVX512 leaves over a block with trouble, and what has no room.
//
//go:noescape
func utf32ToUTF16AVX512(dst []uint16, src []rune, from, to byteOrder) (nDst, nSrc int)

// utf32ToUTF16AVX2 leaves over less than 8 code units, or room for 16, and what is before trouble in a block.
//
//go:noescape
func utf32ToUTF16AVX2(dst []uint16, src []rune, from, to byteOrder) (nDst, nSrc int)

// utf32ToUTF16NEON leaves over a source of less than 8 code units, or the next 8 where they have no room or trouble.
//
//go:noescape
func utf32ToUTF16NEON(dst []uint16, src []rune, from, to byteOrder) (nDst, nSrc int)

// Order of bytes: what follows hands text whose code units are not in host order to the kernels, which load or store them in the other order. What
// the kernels leave over, convert.go takes through buffers. Code units in host order go through the dispatchers.

func (e Encoding) byteOrder() byteOrder {
	if e.swapped() {
		return swappedOrder
	}
	return hostOrder
}

// anyAlignment: the processor loads and stores code units at any address.
const anyAlignment = true

// kernelsSwap reports whether kernels take code units in either order of a source of n bytes, so that what is left over is short.
func kernelsSwap(n int, to, from Encoding) bool {
	if level.NEON {
		return n >= 2*minConverted || n >= minConverted && (from.unitSize() == 1 || from.unitSize() == 2 && (to == UTF8 || to.unitSize() == 4))
	}
	return level.AVX2
}

// convertSwapped does what convert does where code units of the source, the result or both are not in host order and of different sizes, as far as the
// kernels go: what is left is less than a block, or has trouble in its first one, or no room.
func convertSwapped(dst []byte, to Encoding, src []byte, from Encoding) (nDst, nSrc int) {
	for from.swapped() || to.swapped() {
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
	case level.NEON && (from == UTF8 && wide):
		nDst, nSrc = utf8ToUTF32NEON(units32(dst), src, swappedOrder)
	case level.NEON && from == UTF8:
		nDst, nSrc = utf8ToUTF16NEON(units16(dst), src, swappedOrder)
	case level.NEON && wide:
		nDst, nSrc = latin1ToUTF32NEON(units32(dst), src, swappedOrder)
	case level.NEON:
		nDst, nSrc = latin1ToUTF16NEON(units16(dst), src, swappedOrder)
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
	case level.NEON && to == UTF8:
		return utf16ToUTF8NEON(dst, src, from.byteOrder())
	case level.NEON && to.unitSize() == 1:
		return utf16ToLatin1NEON(dst, src, to.limit(), from.byteOrder())
	case level.NEON:
		nDst, nSrc = utf16ToUTF32NEON(units32(dst), src, from.byteOrder(), to.byteOrder())
		return 4 * nDst, nSrc
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
	case level.NEON && to == UTF8:
		return utf32ToUTF8NEON(dst, src, from.byteOrder())
	case level.NEON && to.unitSize() == 1:
		return utf32ToLatin1NEON(dst, src, to.limit(), from.byteOrder())
	case level.NEON:
		nDst, nSrc = utf32ToUTF16NEON(units16(dst), src, from.byteOrder(), to.byteOrder())
		return 2 * nDst, nSrc
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
	for {
		k := 0
		if piece := src[n:min(len(src), n+maxKernel)]; e.unitSize() == 2 {
			k = 2 * wellFormedUTF16(units16(piece), e.byteOrder())
		} else {
			k = 4 * wellFormedUTF32(units32(piece), e.byteOrder())
		}
		if n += k; k <= maxKernel-leftOver {
			return n
		}
	}
}

func wellFormedUTF16(src []uint16, from byteOrder) int {
	if len(src) < minPairs || len(src) > maxKernel/2 {
		return 0
	}
	switch {
	case level.AVX512 && maskableUpTo(128, src):
		return validUTF16PrefixAVX512(src, from)
	case level.NEON:
		return validUTF16PrefixNEON(src, from)
	}
	return validUTF16PrefixAVX2(src, from)
}

func wellFormedUTF32(src []rune, from byteOrder) int {
	if len(src) < minScalars || len(src) > maxKernel/4 {
		return 0
	}
	switch {
	case level.AVX512 && maskable(src):
		return validUTF32PrefixAVX512(src, from)
	case level.NEON:
		return validUTF32PrefixNEON(src, from)
	}
	return validUTF32PrefixAVX2(src, from)
}

// kernelsList reports whether listRecords is as fast as the standard library's search for a byte.
func kernelsList() bool { return level.AVX2 }

func listRecords(ends []uint16, src []byte, delim byte, class, most Class) (nDst, nSrc int, after Class) {
	if len(src) > maxKernel/4 {
		return listRecords(ends, src[:maxKernel/4], delim, class, most)
	}
	switch {
	case len(src) < 64:
		break
	case level.AVX512:
		nDst, nSrc, class = listRecordsAVX512(ends, src, delim, class, most)
	case level.AVX2:
		nDst, nSrc, class = listRecordsAVX2(ends, src, delim, class, most)
	}
	if nSrc < len(src) {
		return finishRecords(ends, src, delim, nDst, nSrc, class, most)
	}
	return nDst, nSrc, class
}

// finishRecords goes on behind a kernel.
func finishRecords(ends []uint16, src []byte, delim byte, nDst, nSrc int, class, most Class) (int, int, Class) {
	d, s, class := listRecordsGeneric(ends[nDst:], src[nSrc:], delim, class, most)
	for i := range ends[nDst : nDst+d] {
		ends[nDst+i] += uint16(nSrc << 2)
	}
	return nDst + d, nSrc + s, class
}

// listRecordsAVX512 takes at most maxListed bytes and leaves over less than a block, or what has no room.
//
//go:noescape
func listRecordsAVX512(ends []uint16, src []byte, delim byte, class, most Class) (nDst, nSrc int, after Class)

// listRecordsAVX2 takes at most maxListed bytes and leaves over less than a block, or what has no room.
//
//go:noescape
func listRecordsAVX2(ends []uint16, src []byte, delim byte, class, most Class) (nDst, nSrc int, after Class)
