//go:build !purego && amd64.v3

package level

// AVX2 is on for every processor that runs a program compiled with GOAMD64=v3 or v4.
const AVX2 = true
