package main

import (
	"caloric/nd"
	"caloric/random"
	"caloric/spmd"
)

// orderCases put the elements of a vector in order, along its split.
func orderCases[T nd.Float](s sizes) []benchCase {
	n := s.order
	return []benchCase{
		{name: vectorName[T]("sort", n), setup: func(c *spmd.Comm) func() {
			x := vector[T](c, 1, n)
			return func() { nd.Sort(x, 0) }
		}},
		{name: vectorName[T]("percentile", n), setup: func(c *spmd.Comm) func() {
			x := vector[T](c, 1, n)
			return func() { nd.Percentile[T](x, 50) }
		}},
	}
}

// uniqueCase has about 632 different numbers among 1000, and so on.
func uniqueCase(s sizes) benchCase {
	n := s.order
	return benchCase{name: vectorName[int64]("unique", n), setup: func(c *spmd.Comm) func() {
		x := random.Integers(random.New(1), c, nd.Shape{n}, 0, 0, int64(n))
		return func() { nd.Unique(x) }
	}}
}
