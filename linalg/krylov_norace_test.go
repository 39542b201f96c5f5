//go:build !race

package linalg_test

const krylovRace = false
