//go:build race

package kernel

// raceEnabled is set where the race detector is on: pools then drop at random
// what they are given, so that allocations cannot be counted.
const raceEnabled = true
