package main

import (
	"caloric/nd"
	"caloric/random"
	"caloric/spmd"
)

// randomCases draw new arrays.
func randomCases[T nd.Float](s sizes) []benchCase {
	n := s.vector
	size := float64(n) * sizeOf[T]()
	return []benchCase{
		{name: vectorName[T]("uniform", n), bytes: size, limit: "triad", setup: func(c *spmd.Comm) func() {
			g := random.New(1)
			return func() { random.Uniform[T](g, c, nd.Shape{n}, 0, 0, 1) }
		}},
		{name: vectorName[T]("normal", n), bytes: size, limit: "triad", setup: func(c *spmd.Comm) func() {
			g := random.New(1)
			return func() { random.Normal[T](g, c, nd.Shape{n}, 0, 0, 1) }
		}},
	}
}
