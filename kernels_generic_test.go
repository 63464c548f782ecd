//go:build purego || !amd64

package transcode

const longestKernel = 64 << 10

var kernelTiers []kernelTier

// platformKernels: there are none.
func platformKernels() []kernel { return nil }
