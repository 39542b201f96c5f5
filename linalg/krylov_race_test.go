//go:build race

package linalg_test

// krylovRace tells that the race detector is on, under which pools of memory
// forget at random what they hold.
const krylovRace = true
