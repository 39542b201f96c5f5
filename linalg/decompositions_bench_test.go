package linalg_test

import (
	"fmt"
	"testing"

	"caloric/linalg"
	"caloric/nd"
	"caloric/spmd"
)

func benchmarkMatrix(b *testing.B, m, n int, f func(a *nd.NDArray[float64])) {
	for _, ranks := range []int{1, 2} {
		b.Run(fmt.Sprintf("%dx%d/ranks=%d", m, n, ranks), func(b *testing.B) {
			err := spmd.Run(ranks, func(c *spmd.Comm) error {
				a := nd.FromFunc(c, nd.Shape{m, n}, 0, func(i []int) float64 { return smooth[float64](i[0], i[1]) })
				c.Barrier()
				if c.Rank() == 0 {
					b.ResetTimer()
				}
				for range b.N {
					f(a)
				}
				return nil
			})
			if err != nil {
				b.Error(err)
			}
		})
	}
}

func BenchmarkTSQR(b *testing.B) {
	benchmarkMatrix(b, 200000, 50, func(a *nd.NDArray[float64]) { linalg.QR(a, linalg.Reduced) })
}

func BenchmarkQR(b *testing.B) {
	benchmarkMatrix(b, 2000, 2000, func(a *nd.NDArray[float64]) { linalg.QR(a, linalg.Reduced) })
}

func BenchmarkSVD(b *testing.B) {
	benchmarkMatrix(b, 1000, 1000, func(a *nd.NDArray[float64]) { linalg.SVD(a) })
}

func BenchmarkEigH(b *testing.B) {
	benchmarkMatrix(b, 1000, 1000, func(a *nd.NDArray[float64]) {
		s := nd.Add(a, a.T().MoveTo(a.Layout()))
		linalg.EigH(s)
	})
}
