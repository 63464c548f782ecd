//go:build !purego

package transcode

import "github.com/seed-1959eab6/transcode/internal/level"

const longestKernel = maxKernel

var (
	avx2   = kernelTier{"AVX2", level.AVX2}
	avx512 = kernelTier{"AVX512", level.AVX512}
)

// kernelTiers lists the levels, each of which has all that those before it have.
var kernelTiers = []kernelTier{avx2, avx512}

// platformKernels returns the kernels for amd64: operation, level, slack, shortest source, function.
func platformKernels() []kernel {
	return []kernel{
		{"asciiPrefix", avx512, 1, 0, prefix(asciiPrefixAVX512)},
		{"validUTF8Prefix", avx512, 128 + 3, 0, classedKernel(validUTF8PrefixAVX512)},
		{"latin1ToUTF8", avx512, 64, 0, conversion(latin1ToUTF8AVX512)},
		{"utf8ToLatin1", avx512, 64 + 1, 0, conversion(utf8ToLatin1AVX512)},
	}
}

// classedKernel is classed for a kernel, behind which a dispatcher goes on in its own way.
func classedKernel(f func([]byte) (int, Class)) function {
	k := classed(f)
	k.finish = func(src []byte, part outcome) outcome {
		n, c := finishUTF8(src, part.nSrc, Class(part.answer))
		return outcome{nSrc: n, answer: int64(c)}
	}
	return k
}
