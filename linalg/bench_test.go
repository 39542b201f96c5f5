package linalg_test

import (
	"fmt"
	"testing"

	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// onRanks times f on embedded ranks.
func onRanks(b *testing.B, ranks int, flops float64, f func(c *spmd.Comm) func()) {
	err := spmd.Run(ranks, func(c *spmd.Comm) error {
		step := f(c)
		step() // workspace and caches
		c.Barrier()
		if c.Rank() == 0 {
			b.ResetTimer()
		}
		for range b.N {
			step()
		}
		c.Barrier()
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(flops*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}

func ones(c *spmd.Comm, axis split.Axis, shape ...int) *nd.NDArray[float64] {
	return nd.FromFunc(c, shape, axis, func(i []int) float64 { return 1 / float64(1+i[0]) })
}

func BenchmarkMatMul(b *testing.B) {
	const n = 512
	for _, ranks := range []int{1, 2} {
		for _, axes := range [][2]split.Axis{{0, split.None}, {0, 0}, {1, 1}, {1, 0}} {
			b.Run(fmt.Sprintf("ranks=%d/%v·%v", ranks, axes[0], axes[1]), func(b *testing.B) {
				onRanks(b, ranks, 2*n*n*n, func(c *spmd.Comm) func() {
					x, y := ones(c, axes[0], n, n), ones(c, axes[1], n, n)
					dst := linalg.MatMul(x, y)
					return func() { linalg.MatMulInto(dst, x, y) }
				})
			})
		}
	}
}

// BenchmarkGram is the product XᵀX of a tall matrix.
func BenchmarkGram(b *testing.B) {
	const rows, cols = 100_000, 20
	for _, ranks := range []int{1, 2} {
		b.Run(fmt.Sprintf("ranks=%d", ranks), func(b *testing.B) {
			onRanks(b, ranks, 2*rows*cols*cols, func(c *spmd.Comm) func() {
				x := ones(c, 0, rows, cols)
				dst := nd.Zeros[float64](c, nd.Shape{cols, cols}, split.None)
				return func() { linalg.MatMulInto(dst, x.T(), x) }
			})
		})
	}
}

func BenchmarkVDot(b *testing.B) {
	for _, n := range []int{1000, 100_000, 10_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			onRanks(b, 1, 2*float64(n), func(c *spmd.Comm) func() {
				x, y := ones(c, 0, n), ones(c, 0, n)
				return func() { linalg.VDot(x, y) }
			})
		})
	}
}

func BenchmarkNorm(b *testing.B) {
	const rows, cols = 1000, 1000
	x := func(c *spmd.Comm) *nd.NDArray[float64] { return ones(c, 0, rows, cols) }
	for name, f := range map[string]func(a *nd.NDArray[float64]){
		"all":     func(a *nd.NDArray[float64]) { linalg.Norm(a) },
		"rows":    func(a *nd.NDArray[float64]) { linalg.NormOver(a, 1) },
		"columns": func(a *nd.NDArray[float64]) { linalg.NormOver(a, 0) },
	} {
		b.Run(name, func(b *testing.B) {
			onRanks(b, 1, 2*rows*cols, func(c *spmd.Comm) func() { a := x(c); return func() { f(a) } })
		})
	}
}

// BenchmarkCGStep times 20 steps on a matrix split along its rows.
func BenchmarkCGStep(b *testing.B) {
	const n, steps = 1000, 20
	for _, ranks := range []int{1, 2} {
		b.Run(fmt.Sprintf("ranks=%d", ranks), func(b *testing.B) {
			onRanks(b, ranks, steps*2*n*n, func(c *spmd.Comm) func() {
				a := linalg.AsOperator(nd.FromFunc(c, nd.Shape{n, n}, 0, func(i []int) float64 {
					if i[0] == i[1] {
						return float64(1 + i[0])
					}
					return 0
				}))
				rhs := nd.Ones[float64](c, nd.Shape{n}, 0)
				return func() { linalg.CG(a, rhs, linalg.Rtol(0), linalg.MaxIter(steps)) }
			})
		})
	}
}
