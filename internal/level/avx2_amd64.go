//go:build !purego && !amd64.v3

package level

// AVX2 is for kernels that use AVX2, BMI1, BMI2 and POPCNT: Haswell, Zen and later.
var AVX2 = hasAVX2()
