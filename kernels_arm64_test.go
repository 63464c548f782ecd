//go:build !purego

package transcode

import "testing"

var neon = kernelTier{"NEON", true}

func init() { kernelTiers, platformKernels = []kernelTier{neon}, kernelsARM64 }

// kernelsARM64 returns the kernels: operation, level, slack, shortest source, whether it leaves nothing, order of code units, function.
func kernelsARM64() []kernel {
	return []kernel{
		{"asciiPrefix", neon, 16, 0, false, 0, prefix(asciiPrefixNEON)},
		{"validUTF8Prefix", neon, 64 + 3, 0, false, 0, classedKernel(validUTF8PrefixNEON)},
		{"runeCount", neon, 1, 16, false, 0, count(runeCountNEON)},
		{"utf16LenFromUTF8", neon, 1, 16, false, 0, count(utf16LenFromUTF8NEON)},
		{"utf8LenFromLatin1", neon, 1, 16, false, 0, count(utf8LenFromLatin1NEON)},
		{"utf8LenFromUTF16", neon, 1, 16, false, 0, count(utf8LenFromUTF16NEON)},
		{"utf32LenFromUTF16", neon, 1, 16, false, 0, count(utf32LenFromUTF16NEON)},
		{"utf8LenFromUTF32", neon, 1, 16, false, 0, count(utf8LenFromUTF32NEON)},
		{"utf16LenFromUTF32", neon, 1, 16, false, 0, count(utf16LenFromUTF32NEON)},
	}
}

func TestAssembly(t *testing.T) { requireAssembly(t, "arm64", maxKernel) }
