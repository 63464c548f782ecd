//go:build !purego

package level

import "golang.org/x/sys/cpu"

// AVX512 is for kernels that use AVX-512 F, BW, DQ, VL, VBMI, VBMI2 and BITALG, besides what AVX2 has: Ice Lake, Zen 4 and
// later. Earlier processors, which lower their clock for wide registers, have no VBMI2.
var AVX512 = hasAVX2() && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL &&
	cpu.X86.HasAVX512VBMI && cpu.X86.HasAVX512VBMI2 && cpu.X86.HasAVX512BITALG

// NEON: not on this architecture.
const NEON = false

// hasAVX2 tests the features of the AVX2 level.
func hasAVX2() bool {
	return cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT
}
