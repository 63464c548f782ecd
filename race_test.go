//go:build race

package transcode

// raceEnabled: the race detector allocates for itself, so that tests must not count allocations.
const raceEnabled = true
