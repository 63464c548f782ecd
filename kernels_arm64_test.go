//go:build !purego

package transcode

import "testing"

var neon = kernelTier{"NEON", true}

func init() { kernelTiers, platformKernels = []kernelTier{neon}, kernelsARM64 }

// kernelsARM64 returns the kernels: operation, level, slack, shortest source, of which lengths it leaves nothing, order of code units, function.
func kernelsARM64() []kernel {
	kernels := []kernel{
		{"isASCII", neon, 1, 64, from(0), 0, decision(isASCIINEON)},
		{"asciiPrefix", neon, 16, 0, from(16), 0, prefix(asciiPrefixNEON)},
		{"validUTF8Prefix", neon, 64 + 3, 8, from(0), 0, classedKernel(validUTF8PrefixNEON, finishUTF8)},
		{"runeCount", neon, 1, 16, nil, 0, count(runeCountNEON)},
		{"utf16LenFromUTF8", neon, 1, 16, nil, 0, count(utf16LenFromUTF8NEON)},
		{"utf8LenFromLatin1", neon, 1, 16, nil, 0, count(utf8LenFromLatin1NEON)},
		{"utf8LenFromUTF16", neon, 1, 16, nil, 0, count(utf8LenFromUTF16NEON)},
		{"utf32LenFromUTF16", neon, 1, 16, nil, 0, count(utf32LenFromUTF16NEON)},
		{"utf8LenFromUTF32", neon, 1, 16, nil, 0, count(utf8LenFromUTF32NEON)},
		{"utf16LenFromUTF32", neon, 1, 16, nil, 0, count(utf16LenFromUTF32NEON)},
		{"latin1ToUTF8", neon, 16, 16, from(0), 0, conversion(latin1ToUTF8NEON)},
		{"utf8ToLatin1", neon, 64 + 1, 16, from(0), 0, conversion(utf8ToLatin1NEON)},
		{"swap16", neon, 16, 0, nil, 0, swap(swap16NEON)},
		{"swap32", neon, 16, 0, nil, 0, swap(swap32NEON)},
	}
	for _, k := range []struct {
		kernel
		orders []function
	}{
		{kernel{operation: "validUTF16Prefix", level: neon, slack: 64, min: 32, whole: from(0)}, prefixOfUnits(validUTF16PrefixNEON)},
		{kernel{operation: "validUTF32Prefix", level: neon, slack: 32, min: 16, whole: from(0)}, prefixOfUnits(validUTF32PrefixNEON)},
		{kernel{operation: "latin1ToUTF16", level: neon, slack: 16, whole: from(16)}, toUnits(latin1ToUTF16NEON)},
		{kernel{operation: "latin1ToUTF32", level: neon, slack: 16, whole: from(16)}, toUnits(latin1ToUTF32NEON)},
		{kernel{operation: "utf16ToLatin1", level: neon, slack: 32, whole: from(2 * 16)}, fromUnitsLimited(utf16ToLatin1NEON)},
		{kernel{operation: "utf32ToLatin1", level: neon, slack: 16, whole: from(4 * 16)}, fromUnitsLimited(utf32ToLatin1NEON)},
		{kernel{operation: "utf8ToUTF16", level: neon, slack: 48 + 3, min: 16, whole: from(0)}, toUnits(utf8ToUTF16NEON)},
		{kernel{operation: "utf8ToUTF32", level: neon, slack: 48 + 3, min: 16, whole: from(0)}, toUnits(utf8ToUTF32NEON)},
		{kernel{operation: "utf16ToUTF8", level: neon, slack: 16, min: 16, whole: from(0)}, fromUnits(utf16ToUTF8NEON)},
		{kernel{operation: "utf32ToUTF8", level: neon, slack: 16, min: 16, whole: from(0)}, fromUnits(utf32ToUTF8NEON)},
		{kernel{operation: "utf16ToUTF32", level: neon, slack: 15, min: 16, whole: from(0)}, betweenUnits(utf16ToUTF32NEON)},
		{kernel{operation: "utf32ToUTF16", level: neon, slack: 8, min: 32, whole: from(0)}, betweenUnits(utf32ToUTF16NEON)},
	} {
		for i, f := range k.orders {
			k.order, k.function = i, f
			kernels = append(kernels, k.kernel)
		}
	}
	return kernels
}

func TestAssembly(t *testing.T) { requireAssembly(t, "arm64", maxKernel) }
