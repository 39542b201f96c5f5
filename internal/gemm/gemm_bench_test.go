package gemm

import (
	"fmt"
	"testing"
)

func BenchmarkMul(b *testing.B) {
	b.Run("float64", func(b *testing.B) { benchmarkMul[float64](b) })
	b.Run("float32", func(b *testing.B) { benchmarkMul[float32](b) })
}

func benchmarkMul[T Float](b *testing.B) {
	for _, s := range [][3]int{{1000, 1000, 1000}, {4000, 50, 50}, {50, 50, 4000}, {100, 100, 100}, {16, 16, 16}, {3, 3, 3}} {
		m, n, k := s[0], s[1], s[2]
		b.Run(fmt.Sprintf("%dx%dx%d", m, n, k), func(b *testing.B) {
			x, y, z := make([]T, m*k), make([]T, k*n), make([]T, m*n)
			for b.Loop() {
				Mul(false, false, m, n, k, 1, x, k, y, n, 0, z, n)
			}
			b.ReportMetric(2*float64(m*n*k)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
		})
	}
}
