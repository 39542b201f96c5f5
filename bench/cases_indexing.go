package main

import (
	"caloric/nd"
	"caloric/spmd"
)

// indexingCases select from vectors, join them and shift them.
func indexingCases[T nd.Float](s sizes) []benchCase {
	n := s.vector
	size := float64(n) * sizeOf[T]()
	roll := func(n int, limit string) benchCase {
		return benchCase{name: vectorName[T]("roll", n), bytes: 2 * float64(n) * sizeOf[T](), limit: limit,
			setup: func(c *spmd.Comm) func() {
				x := vector[T](c, 1, n)
				return func() { nd.Roll(x, 1) }
			}}
	}
	return []benchCase{
		{name: vectorName[T]("mask", n), bytes: 1.5*size + 2*float64(n), limit: "triad", setup: func(c *spmd.Comm) func() {
			x := vector[T](c, 1, n)
			return func() { nd.MaskedSelect(x, nd.GreaterScalar(x, 1)) }
		}},
		{name: vectorName[T]("getitem", n), setup: func(c *spmd.Comm) func() {
			x := vector[T](c, 1, n)
			return func() { x.At(5) }
		}},
		{name: vectorName[T]("concatenate", n), bytes: 4 * size, limit: "triad", setup: func(c *spmd.Comm) func() {
			x, y := vector[T](c, 1, n), vector[T](c, 2, n)
			return func() { nd.Concatenate(0, x, y) }
		}},
		roll(s.roll, ""),
		roll(n, "triad"),
		{name: vectorName[T]("cumsum", n), bytes: 2 * size, limit: "triad", setup: func(c *spmd.Comm) func() {
			x := vector[T](c, 1, n)
			return func() { nd.CumSum(x, 0) }
		}},
	}
}
