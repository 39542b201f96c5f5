package nd_test

import (
	"fmt"
	"testing"

	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// onRanks runs one benchmark body on ranks embedded ranks. Every rank runs the
// same number of iterations; the time is that of all together.
func onRanks(b *testing.B, ranks int, bytes int, setup func(c *spmd.Comm) func()) {
	b.Run(fmt.Sprintf("ranks=%d", ranks), func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(bytes))
		err := spmd.Run(ranks, func(c *spmd.Comm) error {
			f := setup(c)
			f()
			c.Barrier()
			if c.Rank() == 0 {
				b.ResetTimer()
			}
			for range b.N {
				f()
			}
			c.Barrier()
			if c.Rank() == 0 {
				b.StopTimer()
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	})
}

var benchSizes = []int{1e3, 1e5, 1e7}

func eachSize(b *testing.B, words int, setup func(c *spmd.Comm, n int) func()) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprintf("n=%.0e", float64(n)), func(b *testing.B) {
			for _, ranks := range []int{1, 2} {
				onRanks(b, ranks, words*8*n, func(c *spmd.Comm) func() { return setup(c, n) })
			}
		})
	}
}

func ramp(c *spmd.Comm, n int) *nd.NDArray[float64] { return nd.Arange(c, 0, float64(n), 1, 0) }

func BenchmarkSumInto(b *testing.B) {
	eachSize(b, 1, func(c *spmd.Comm, n int) func() {
		x, s := ramp(c, n), nd.Zeros[float64](c, nd.Shape{}, split.None)
		return func() { nd.SumInto(s, x) }
	})
}

func BenchmarkSumOverAxis(b *testing.B) {
	for axis := range 2 {
		b.Run(fmt.Sprintf("axis=%d", axis), func(b *testing.B) {
			for _, ranks := range []int{1, 2} {
				onRanks(b, ranks, 8*4000*2500, func(c *spmd.Comm) func() {
					x := nd.FromFunc(c, nd.Shape{4000, 2500}, 0, func(i []int) float64 { return float64(i[0] ^ i[1]) })
					s := nd.Sum(x, nd.Over(axis))
					return func() { nd.SumInto(s, x, nd.Over(axis)) }
				})
			}
		})
	}
}

func BenchmarkStd(b *testing.B) {
	eachSize(b, 1, func(c *spmd.Comm, n int) func() {
		x, s := ramp(c, n), nd.Zeros[float64](c, nd.Shape{}, split.None)
		return func() { nd.StdInto(s, x) }
	})
}

func BenchmarkArgMax(b *testing.B) {
	eachSize(b, 1, func(c *spmd.Comm, n int) func() {
		x, s := ramp(c, n), nd.Zeros[int64](c, nd.Shape{}, split.None)
		return func() { nd.ArgMaxInto(s, x) }
	})
}

// BenchmarkResplit moves a square matrix of n elements from rows to columns.
func BenchmarkResplit(b *testing.B) {
	for _, m := range []int{32, 316, 3162} {
		b.Run(fmt.Sprintf("n=%.0e", float64(m*m)), func(b *testing.B) {
			for _, ranks := range []int{1, 2} {
				onRanks(b, ranks, 8*m*m, func(c *spmd.Comm) func() {
					x := nd.Ones[float64](c, nd.Shape{m, m}, 0)
					return func() { x.Resplit(1) }
				})
			}
		})
	}
}

// BenchmarkTriad is the machine's memory bandwidth: the same traffic as AddInto
// of 1e7 elements, in a plain loop.
func BenchmarkTriad(b *testing.B) {
	const n = 1e7
	x, y, z := make([]float64, n), make([]float64, n), make([]float64, n)
	b.SetBytes(24 * n)
	for b.Loop() {
		for i := range z {
			z[i] = x[i] + 3*y[i]
		}
	}
}
