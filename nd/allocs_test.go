package nd_test

import "testing"

// allocations returns how often f allocates. Under the race detector, which makes
// pools forget what they hold, it only calls f and returns 0.
func allocations(f func()) float64 {
	if raceEnabled {
		f()
		return 0
	}
	return testing.AllocsPerRun(10, f)
}
