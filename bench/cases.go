package main

import (
	"fmt"

	"caloric/linalg"
	"caloric/nd"
	"caloric/random"
	"caloric/split"
	"caloric/spmd"
)

// benchCase is one thing to time: setup returns what to run, and bytes is what it
// moves through memory or between ranks, on all ranks together.
type benchCase struct {
	name  string
	bytes int
	setup func(c *spmd.Comm) func()
}

// cases returns the cases to time, the triad first.
func cases() []benchCase {
	list := []benchCase{{"triad n=1e7", 24e7, triad}}
	list = append(list, communication()...)
	for _, n := range []int{1e3, 1e5, 1e7} {
		list = append(list, arrays(n)...)
	}
	return append(list, matrices()...)
}

// triad runs z = x + 3y over each rank's share of 1e7 elements.
func triad(c *spmd.Comm) func() {
	n := int(1e7) / c.Size()
	x, y, z := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], y[i] = float64(i), 1
	}
	return func() {
		y, z := y[:len(x)], z[:len(x)]
		for i, v := range x {
			z[i] = v + 3*y[i]
		}
	}
}

func communication() []benchCase {
	return []benchCase{
		{"barrier", 0, func(c *spmd.Comm) func() { return c.Barrier }},
		{"allreduce n=1", 0, func(c *spmd.Comm) func() {
			return func() { spmd.AllreduceOne(c, 1.0, spmd.Max) }
		}},
		{"allreduce n=1e6", 8e6, func(c *spmd.Comm) func() {
			buf := make([]float64, 1e6)
			return func() { spmd.Allreduce(c, buf, spmd.Sum) }
		}},
		{"alltoallv n=1e6", 8e6, func(c *spmd.Comm) func() {
			n := int(1e6) / c.Size() / c.Size()
			counts := make([]int, c.Size())
			for r := range counts {
				counts[r] = n
			}
			send, recv := make([]float64, n*c.Size()), make([]float64, n*c.Size())
			return func() { spmd.Alltoallv(c, send, counts, recv, counts) }
		}},
	}
}

// arrays returns the cases on vectors of n float64. "add" writes to fresh memory,
// "add into" to memory that is warm.
func arrays(n int) []benchCase {
	name := func(op string) string { return fmt.Sprintf("%s n=%.0e", op, float64(n)) }
	vector := func(c *spmd.Comm) *nd.NDArray[float64] { return nd.Linspace(c, 0.0, 1, n, 0) }
	return []benchCase{
		{name("add"), 24 * n, func(c *spmd.Comm) func() {
			x, y := vector(c), vector(c)
			return func() { nd.Add(x, y) }
		}},
		{name("add into"), 24 * n, func(c *spmd.Comm) func() {
			x, y, z := vector(c), vector(c), vector(c)
			return func() { nd.AddInto(z, x, y) }
		}},
		{name("axpy"), 24 * n, func(c *spmd.Comm) func() {
			x, y := vector(c), vector(c)
			return func() { nd.Axpy(1e-9, x, y) }
		}},
		{name("exp into"), 16 * n, func(c *spmd.Comm) func() {
			x, y := vector(c), vector(c)
			return func() { nd.ExpInto(y, x) }
		}},
		{name("sum"), 8 * n, func(c *spmd.Comm) func() {
			x, s := vector(c), nd.Zeros[float64](c, nd.Shape{}, split.None)
			return func() { nd.SumInto(s, x) }
		}},
		{name("std"), 8 * n, func(c *spmd.Comm) func() {
			x, s := vector(c), nd.Zeros[float64](c, nd.Shape{}, split.None)
			return func() { nd.StdInto(s, x) }
		}},
		{name("random normal"), 8 * n, func(c *spmd.Comm) func() {
			g, x := random.New(1), vector(c)
			return func() { random.NormalInto(g, x, 0, 1) }
		}},
	}
}

func matrices() []benchCase {
	square := func(c *spmd.Comm, m int, axis nd.Axis) *nd.NDArray[float64] {
		return nd.FromFunc(c, nd.Shape{m, m}, axis, func(i []int) float64 { return float64(i[0]*m+i[1]) / float64(m*m) })
	}
	list := []benchCase{}
	for _, m := range []int{32, 316, 3162} {
		list = append(list, benchCase{fmt.Sprintf("resplit 0→1 n=%d²", m), 8 * m * m, func(c *spmd.Comm) func() {
			a := square(c, m, 0)
			return func() { a.Resplit(1) }
		}})
	}
	for _, s := range []struct{ a, b nd.Axis }{{split.None, split.None}, {0, split.None}, {0, 0}, {1, 0}, {1, 1}} {
		list = append(list, benchCase{fmt.Sprintf("matmul 500² %v·%v", s.a, s.b), 0, func(c *spmd.Comm) func() {
			a, b := square(c, 500, s.a), square(c, 500, s.b)
			return func() { linalg.MatMul(a, b) }
		}})
	}
	return list
}
