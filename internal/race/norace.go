//go:build !race

// Package race says whether the race detector watches.
package race

// Enabled: the race detector allocates for itself, so that tests must not count allocations.
const Enabled = false
