//go:build !purego

package level

// NEON is for kernels that use the vectors of 128 bits which every arm64 processor has.
const NEON = true

// AVX2 and AVX512: not on this architecture.
const (
	AVX2   = false
	AVX512 = false
)
