package guard

// canary is what Fill writes at an index: another value for each neighbour and no 0 or all ones, so that neither cleared
// nor moved memory looks like it.
func canary[T Element](i int) T { return T(0x5B01 + i*41%127*2) }

// Fill writes canaries to s.
func Fill[T Element](s []T) {
	for i := range s {
		s[i] = canary[T](i)
	}
}

// Spoilt returns the index of the first element of s outside s[from:to] that is not as Fill left it, or -1. A write of
// the very value that was there is not noticed.
func Spoilt[T Element](s []T, from, to int) int {
	for i, v := range s[:from] {
		if v != canary[T](i) {
			return i
		}
	}
	for i, v := range s[to:] {
		if v != canary[T](to+i) {
			return to + i
		}
	}
	return -1
}
