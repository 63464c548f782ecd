//go:build race

package race

// Enabled: the race detector allocates for itself, so that tests must not count allocations.
const Enabled = true
