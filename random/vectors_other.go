//go:build !amd64

package random

const hasVectors = false

const noVectors = "no vector instructions"

func philoxVectors(dst *uint64, groups int, c0, c1, c2, c3, k0, k1 uint64) { panic(noVectors) }

func uniformVectors64(dst *float64, words *uint64, vectors int, lo, width, last float64) {
	panic(noVectors)
}

func uniformVectors32(dst *float32, words *uint64, vectors int, lo, width, last float32) {
	panic(noVectors)
}

func centralVectors(x *float64, words *uint64, vectors int, coefficients *float64, tails *uint64) int {
	panic(noVectors)
}

func scaleVectors64(dst, x *float64, vectors int, mean, std float64) { panic(noVectors) }

func scaleVectors32(dst *float32, x *float64, vectors int, mean, std float64) { panic(noVectors) }
