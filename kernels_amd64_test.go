//go:build !purego

package transcode

import (
	"slices"
	"testing"

	"github.com/seed-1959eab6/transcode/internal/level"
	"github.com/stretchr/testify/require"
)

var (
	avx2   = kernelTier{"AVX2", level.AVX2}
	avx512 = kernelTier{"AVX512", level.AVX512}
)

func init() { kernelTiers, platformKernels = []kernelTier{avx2, avx512}, kernelsAMD64 }

// kernelsAMD64 returns the kernels: operation, level, slack, shortest source, of which lengths it leaves nothing, order of code units, function.
func kernelsAMD64() []kernel {
	kernels := []kernel{
		{"isASCII", avx2, 1, 32, from(0), 0, decision(isASCIIAVX2)},
		{"isASCII", avx512, 1, 64, from(0), 0, decision(isASCIIAVX512)},
		{"asciiPrefix", avx2, 32, 0, from(32), 0, prefix(asciiPrefixAVX2)},
		{"asciiPrefix", avx512, 1, 0, from(0), 0, prefix(asciiPrefixAVX512)},
		{"validUTF8Prefix", avx2, 64 + 3, 0, func(n int) bool { return n >= 8 && n != 33 && n != 34 }, 0, classedKernel(validUTF8PrefixAVX2, finishUTF8)},
		{"validUTF8Prefix", avx512, 3 + 3, 0, func(n int) bool { return n != 65 && n != 66 }, 0, classedKernel(validUTF8PrefixAVX512, finishUTF8)},
		{"classOfUTF8", avx2, 1, 32, nil, 0, classOnly(classOfUTF8AVX2)},
		{"classOfUTF8", avx512, 1, 64, nil, 0, classOnly(classOfUTF8AVX512)},
		{"runeCount", avx2, 1, minCount, nil, 0, count(runeCountAVX2)},
		{"runeCount", avx512, 1, 1, nil, 0, count(runeCountAVX512)},
		{"utf16LenFromUTF8", avx2, 1, minCount, nil, 0, count(utf16LenFromUTF8AVX2)},
		{"utf16LenFromUTF8", avx512, 1, 1, nil, 0, upTo(maxKernel/2, count(utf16LenFromUTF8AVX512))},
		{"utf8LenFromLatin1", avx2, 1, minCount, nil, 0, count(utf8LenFromLatin1AVX2)},
		{"utf8LenFromLatin1", avx512, 1, 1, nil, 0, count(utf8LenFromLatin1AVX512)},
		{"utf8LenFromUTF16", avx2, 1, minCount, nil, 0, count(utf8LenFromUTF16AVX2)},
		{"utf8LenFromUTF16", avx512, 1, 1, nil, 0, count(utf8LenFromUTF16AVX512)},
		{"utf32LenFromUTF16", avx2, 1, minCount, nil, 0, count(utf32LenFromUTF16AVX2)},
		{"utf32LenFromUTF16", avx512, 1, 1, nil, 0, count(utf32LenFromUTF16AVX512)},
		{"utf8LenFromUTF32", avx2, 1, minCount, nil, 0, count(utf8LenFromUTF32AVX2)},
		{"utf8LenFromUTF32", avx512, 1, 1, nil, 0, count(utf8LenFromUTF32AVX512)},
		{"utf16LenFromUTF32", avx2, 1, minCount, nil, 0, count(utf16LenFromUTF32AVX2)},
		{"utf16LenFromUTF32", avx512, 1, 1, nil, 0, count(utf16LenFromUTF32AVX512)},
		{"latin1ToUTF8", avx2, 64, 0, from(32), 0, conversion(latin1ToUTF8AVX2)},
		{"latin1ToUTF8", avx512, 64, 0, from(0), 0, conversion(latin1ToUTF8AVX512)},
		{"utf8ToLatin1", avx2, 2 * 32, 0, from(32), 0, conversion(utf8ToLatin1AVX2)},
		{"utf8ToLatin1", avx512, 64 + 1, 0, from(0), 0, conversion(utf8ToLatin1AVX512)},
		{"swap16", avx2, 32, 0, nil, 0, swap(swap16AVX2)},
		{"swap16", avx512, 64, 0, nil, 0, swap(swap16AVX512)},
		{"swap32", avx2, 32, 0, nil, 0, swap(swap32AVX2)},
		{"swap32", avx512, 64, 0, nil, 0, swap(swap32AVX512)},
		{"listRecords", avx2, 64, 0, nil, 0, listingKernel(listRecordsAVX2)},
		{"listRecords", avx512, 64, 0, nil, 0, listingKernel(listRecordsAVX512)},
	}
	for _, k := range []struct {
		kernel
		orders []function
	}{
		{kernel{operation: "validUTF16Prefix", level: avx2, slack: 64 + 1, whole: from(2 * 33)}, prefixOfUnits(validUTF16PrefixAVX2)},
		{kernel{operation: "validUTF16Prefix", level: avx512, slack: 1, whole: from(0)}, prefixOfUnits(validUTF16PrefixAVX512)},
		{kernel{operation: "validUTF32Prefix", level: avx2, slack: 32}, prefixOfUnits(validUTF32PrefixAVX2)},
		{kernel{operation: "validUTF32Prefix", level: avx512, slack: 64, whole: from(0)}, prefixOfUnits(validUTF32PrefixAVX512)},
		{kernel{operation: "latin1ToUTF16", level: avx2, slack: 16, whole: from(16)}, toUnits(latin1ToUTF16AVX2)},
		{kernel{operation: "latin1ToUTF16", level: avx512, slack: 32, whole: from(32)}, toUnits(latin1ToUTF16AVX512)},
		{kernel{operation: "latin1ToUTF32", level: avx2, slack: 8, whole: from(8)}, toUnits(latin1ToUTF32AVX2)},
		{kernel{operation: "latin1ToUTF32", level: avx512, slack: 16, whole: from(16)}, toUnits(latin1ToUTF32AVX512)},
		{kernel{operation: "utf16ToLatin1", level: avx2, slack: 32, whole: from(2 * 16)}, fromUnitsLimited(utf16ToLatin1AVX2)},
		{kernel{operation: "utf16ToLatin1", level: avx512, slack: 64, whole: from(0)}, fromUnitsLimited(utf16ToLatin1AVX512)},
		{kernel{operation: "utf32ToLatin1", level: avx2, slack: 32, whole: from(4 * 16)}, fromUnitsLimited(utf32ToLatin1AVX2)},
		{kernel{operation: "utf32ToLatin1", level: avx512, slack: 64, whole: from(0)}, fromUnitsLimited(utf32ToLatin1AVX512)},
		{kernel{operation: "utf8ToUTF16", level: avx2, slack: 32 + 1 + 3}, toUnits(utf8ToUTF16AVX2)},
		{kernel{operation: "utf8ToUTF16", level: avx512, slack: 64 + 1, min: 1}, toUnits(utf8ToUTF16AVX512)},
		{kernel{operation: "utf8ToUTF32", level: avx2, slack: 32 + 1 + 3}, toUnits(utf8ToUTF32AVX2)},
		{kernel{operation: "utf8ToUTF32", level: avx512, slack: 64 + 1, min: 1}, toUnits(utf8ToUTF32AVX512)},
		{kernel{operation: "utf16ToUTF8", level: avx2, slack: 48}, fromUnits(utf16ToUTF8AVX2)},
		{kernel{operation: "utf16ToUTF8", level: avx512, slack: 64, min: 2, whole: from(0)}, fromUnits(utf16ToUTF8AVX512)},
		{kernel{operation: "utf32ToUTF8", level: avx2, slack: 64}, fromUnits(utf32ToUTF8AVX2)},
		{kernel{operation: "utf32ToUTF8", level: avx512, slack: 64, min: 4, whole: from(0)}, fromUnits(utf32ToUTF8AVX512)},
		{kernel{operation: "utf16ToUTF32", level: avx2, slack: 16}, betweenUnits(utf16ToUTF32AVX2)},
		{kernel{operation: "utf16ToUTF32", level: avx512, slack: 32, min: 2, whole: from(0)}, betweenUnits(utf16ToUTF32AVX512)},
		{kernel{operation: "utf32ToUTF16", level: avx2, slack: 16}, betweenUnits(utf32ToUTF16AVX2)},
		{kernel{operation: "utf32ToUTF16", level: avx512, slack: 32, min: 4, whole: from(0)}, betweenUnits(utf32ToUTF16AVX512)},
	} {
		for i, f := range k.orders {
			k.order, k.function = i, f
			kernels = append(kernels, k.kernel)
		}
	}
	return kernels
}

// listingKernel is listing for a kernel, which gets at most maxListed bytes.
func listingKernel(f func([]uint16, []byte, byte, Class, Class) (int, int, Class)) function {
	k := upTo(maxListed, listing(f))
	k.finish = func(dst, src []byte, limit uint32, part outcome) outcome {
		nDst, nSrc, after := finishRecords(bytesAs[uint16](dst), src, byte(limit), part.nDst/2, part.nSrc, Class(part.answer), Class(limit>>16))
		return outcome{2 * nDst, nSrc, int64(after)}
	}
	return k
}

// upTo is for a kernel that gets at most so many bytes.
func upTo(most int, f function) function {
	f.most = most
	return f
}

func TestAssembly(t *testing.T) { requireAssembly(t, "amd64", maxKernel) }

// The tables that kernels read, in the memory where they read them.
var (
	packedBytes [256][8]byte
	packedPairs [256][16]byte
	packedWords [2][256][16]byte
	lastBytes   [64]byte
	lastEight   [16]byte

	packedCharacters [256][16]byte
	packedUnits      [16][16]byte
	byteOrders       [3][64]byte
	byteMasks        [2][8]uint64

	interleave, quadruple, doublewords [2][64]byte
	spreadWords, spreadDoublewords     [32]byte
	lowerBytes                         [64]byte
	lowestBytes                        [32]byte
)

func TestTables(t *testing.T) {
	for mask := range 256 {
		var single, pairs, words, swapped []byte
		for i := range byte(8) {
			if mask>>i&1 == 1 {
				single = append(single, i)
				pairs = append(pairs, 2*i)
				words = append(words, 2*i, 2*i+1)
				swapped = append(swapped, 2*i+1, 2*i)
			}
			pairs = append(pairs, 2*i+1)
		}
		require.Equal(t, slices.Concat(single, slices.Repeat([]byte{0x80}, 8-len(single))), packedBytes[mask][:], "mask %#x", mask)
		require.Equal(t, slices.Concat(pairs, slices.Repeat([]byte{0x80}, 16-len(pairs))), packedPairs[mask][:], "mask %#x", mask)
		require.Equal(t, slices.Concat(words, slices.Repeat([]byte{0x80}, 16-len(words))), packedWords[0][mask][:], "mask %#x", mask)
		require.Equal(t, slices.Concat(swapped, slices.Repeat([]byte{0x80}, 16-len(swapped))), packedWords[1][mask][:], "mask %#x", mask)
	}
	for classes := range 256 {
		var bytes []byte
		for i := range 4 {
			for _, place := range []string{"\x03", "\x02\x00", "\x03\x02\x01\x00", "\x02\x01\x00"}[classes>>(2*i)&3] {
				bytes = append(bytes, byte(4*i)+byte(place))
			}
		}
		require.Equal(t, slices.Concat(bytes, slices.Repeat([]byte{0x80}, 16-len(bytes))), packedCharacters[classes][:], "classes %#x", classes)
	}
	for mask := range 16 {
		var units []byte
		for i := range byte(16) {
			if i%4 < 2 || mask>>(i/4)&1 == 1 {
				units = append(units, i)
			}
		}
		require.Equal(t, slices.Concat(units, slices.Repeat([]byte{0x80}, 16-len(units))), packedUnits[mask][:], "mask %#x", mask)
	}
	require.Equal(t, slices.Concat(make([]byte, 32), slices.Repeat([]byte{0xFF}, 32)), lastBytes[:])
	for order, size := range []int{1, 2, 4} {
		for i, b := range byteOrders[order] {
			require.Equal(t, byte(i%16/size*size+size-1-i%size), b)
		}
	}
	for i := range 64 {
		for order, at := range [2][2]int{{i, i}, {i ^ 1, i ^ 3}} {
			require.Equal(t, []int{at[0]/2 | at[0]%2*0x40, at[1]/4*2 | at[1]%2}, []int{int(interleave[order][i]), int(doublewords[order][i])})
			require.Equal(t, at[1]/4|[]int{0, 0x40, 0, 0}[at[1]%4], int(quadruple[order][i]))
			bits := byteMasks[order]
			require.Equal(t, []bool{at[0]%2 == 0, at[1]%4 == 0, at[1]%4 < 2}, []bool{bits[0]>>i&1 == 1, bits[1]>>i&1 == 1, bits[2]>>i&1 == 1})
		}
		require.Equal(t, byte(2*i), lowerBytes[i])
	}
	for i := range 32 {
		want := []byte{0x80, 0x80, byte(4 * i)}
		if i%2 == 0 {
			want[0] = byte(i / 2)
		}
		if i%4 == 0 {
			want[1] = byte(i / 4)
		}
		require.Equal(t, want, []byte{spreadWords[i], spreadDoublewords[i], lowestBytes[i]})
	}
	for i, b := range lastEight {
		require.Equal(t, byte(i), b)
	}
}
