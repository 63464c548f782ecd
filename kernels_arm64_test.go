//go:build !purego

package transcode

import "testing"

var neon = kernelTier{"NEON", true}

func init() { kernelTiers, platformKernels = []kernelTier{neon}, kernelsARM64 }

// kernelsARM64 returns the kernels: operation, level, slack, shortest source, whether it leaves nothing, order of code units, function.
func kernelsARM64() []kernel {
	return []kernel{
		{"asciiPrefix", neon, 16, 0, false, 0, prefix(asciiPrefixNEON)},
	}
}

func TestAssembly(t *testing.T) { requireAssembly(t, "arm64", maxKernel) }
