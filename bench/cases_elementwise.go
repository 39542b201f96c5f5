package main

import (
	"math"

	"caloric/nd"
	"caloric/spmd"
)

// elementwiseCases are operations on vectors of two lengths: one for the
// bandwidth of memory, one for overhead. The names ending in /into write to an
// array that exists, the others return a new one.
func elementwiseCases[T nd.Float](s sizes) []benchCase {
	var list []benchCase
	// A row has the arrays that pass through memory, the operations an element.
	type row struct {
		op     string
		arrays int
		flops  int
		setup  func(c *spmd.Comm, n int) func()
	}
	for _, r := range []row{
		{"add/into", 3, 1, binaryInto(nd.AddInto[T])},
		{"add", 3, 1, binary(nd.Add[T])},
		// One pass over memory.
		{"muladd/into", 3, 2, binaryInto(func(z, x, y *nd.NDArray[T]) { nd.Lazy(x).Mul(y).Add(x).Into(z) })},
		{"muladd", 3, 2, binary(func(x, y *nd.NDArray[T]) *nd.NDArray[T] { return nd.Lazy(x).Mul(y).Add(x).Eval() })},
		{"exp/into", 2, 1, unaryInto(nd.ExpInto[T])},
		{"exp", 2, 1, unary(nd.Exp[T])},
		{"log", 2, 1, unary(nd.Log[T])},
		{"sin", 2, 1, unary(nd.Sin[T])},
		{"sqrt", 2, 1, unary(nd.Sqrt[T])},
		{"axpy", 3, 2, func(c *spmd.Comm, n int) func() {
			x, y := vector[T](c, 1, n), vector[T](c, 2, n)
			return func() { nd.Axpy(1e-9, x, y) }
		}},
		{"greater", 2, 1, func(c *spmd.Comm, n int) func() {
			x, y := vector[T](c, 1, n), vector[T](c, 2, n)
			return func() { nd.Greater(x, y) }
		}},
	} {
		for _, n := range []int{s.vector, s.short} {
			k := benchCase{name: vectorName[T](r.op, n), flops: float64(r.flops * n),
				bytes: float64(r.arrays*n) * sizeOf[T](), setup: func(c *spmd.Comm) func() { return r.setup(c, n) }}
			if n == s.vector {
				k.limit = "triad"
			}
			list = append(list, k)
		}
	}
	n := s.vector
	list = append(list, benchCase{name: vectorName[T]("where", n), bytes: float64(n) * (3*sizeOf[T]() + 1), limit: "triad",
		setup: func(c *spmd.Comm) func() {
			x, y := vector[T](c, 1, n), vector[T](c, 2, n)
			mask := nd.Greater(x, y)
			return func() { nd.Where(mask, x, y) }
		}})
	return append(list, bareLoops[T](s.short)...)
}

func binary[T nd.Float](f func(x, y *nd.NDArray[T]) *nd.NDArray[T]) func(*spmd.Comm, int) func() {
	return func(c *spmd.Comm, n int) func() {
		x, y := vector[T](c, 1, n), vector[T](c, 2, n)
		return func() { f(x, y) }
	}
}

func binaryInto[T nd.Float](f func(z, x, y *nd.NDArray[T])) func(*spmd.Comm, int) func() {
	return func(c *spmd.Comm, n int) func() {
		x, y := vector[T](c, 1, n), vector[T](c, 2, n)
		z := nd.Ones[T](c, nd.Shape{n}, 0)
		return func() { f(z, x, y) }
	}
}

func unary[T nd.Float](f func(x *nd.NDArray[T]) *nd.NDArray[T]) func(*spmd.Comm, int) func() {
	return func(c *spmd.Comm, n int) func() {
		x := vector[T](c, 1, n)
		return func() { f(x) }
	}
}

func unaryInto[T nd.Float](f func(z, x *nd.NDArray[T])) func(*spmd.Comm, int) func() {
	return func(c *spmd.Comm, n int) func() {
		x, z := vector[T](c, 1, n), nd.Ones[T](c, nd.Shape{n}, 0)
		return func() { f(z, x) }
	}
}

// bareLoops are what a user would write without arrays, to tell the overhead of
// an operation on few elements: loops into a slice that exists, and those named
// bare/new into one that they make.
func bareLoops[T nd.Float](n int) []benchCase {
	var list []benchCase
	bare := func(op string, fresh bool, loop func(z, x, y []T)) {
		list = append(list, benchCase{name: vectorName[T]("bare/"+op, n), setup: func(c *spmd.Comm) func() {
			n := n / c.Size()
			z, x, y := filled[T](n), filled[T](n), filled[T](n)
			return func() {
				if fresh {
					z = make([]T, n) // kept until the next, so that it cannot be left out
				}
				loop(z, x, y)
			}
		}})
	}
	function := func(f func(float64) float64) func(z, x, y []T) {
		return func(z, x, _ []T) {
			z = z[:len(x)]
			for i, v := range x {
				z[i] = T(f(float64(v)))
			}
		}
	}
	for _, r := range []struct {
		op   string
		loop func(z, x, y []T)
	}{
		{"add", func(z, x, y []T) {
			y, z = y[:len(x)], z[:len(x)]
			for i, v := range x {
				z[i] = v + y[i]
			}
		}},
		{"muladd", func(z, x, y []T) {
			y, z = y[:len(x)], z[:len(x)]
			for i, v := range x {
				z[i] = v*y[i] + v
			}
		}},
		{"exp", function(math.Exp)},
		{"log", function(math.Log)},
		{"sin", function(math.Sin)},
		{"sqrt", func(z, x, _ []T) { // an instruction, no call
			z = z[:len(x)]
			for i, v := range x {
				z[i] = T(math.Sqrt(float64(v)))
			}
		}},
	} {
		bare(r.op, false, r.loop)
		bare("new/"+r.op, true, r.loop)
	}
	bare("sum", false, func(z, x, _ []T) {
		s := T(0)
		for _, v := range x {
			s += v
		}
		if len(z) > 0 {
			z[0] = s
		}
	})
	return list
}
