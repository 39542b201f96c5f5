package linalg_test

import (
	"fmt"
	"testing"

	"caloric/linalg"
	"caloric/nd"
	"caloric/spmd"
)

// benchFactor times f on matrices of n × n that are split along axis 0.
func benchFactor[T nd.Inexact](b *testing.B, flops float64, n int, f func(a, rhs *nd.NDArray[T])) {
	for _, ranks := range []int{1, 2} {
		b.Run(fmt.Sprintf("ranks=%d", ranks), func(b *testing.B) {
			onRanks(b, ranks, flops, func(c *spmd.Comm) func() {
				a := nd.FromFunc(c, nd.Shape{n, n}, 0, func(i []int) T {
					if i[0] == i[1] {
						return number[T](float64(n), 0)
					}
					return general[T](max(i[0], i[1]), min(i[0], i[1]))
				})
				rhs := nd.FromFunc(c, nd.Shape{n}, 0, func(i []int) T { return general[T](i[0], 0) })
				return func() { f(a, rhs) }
			})
		})
	}
}

const benchSize = 2000

func BenchmarkLU(b *testing.B) {
	const flops = 2. / 3 * benchSize * benchSize * benchSize
	b.Run("float64", func(b *testing.B) {
		benchFactor(b, flops, benchSize, func(a, _ *nd.NDArray[float64]) { linalg.LU(a) })
	})
	b.Run("float32", func(b *testing.B) {
		benchFactor(b, flops, benchSize, func(a, _ *nd.NDArray[float32]) { linalg.LU(a) })
	})
	b.Run("complex128", func(b *testing.B) {
		benchFactor(b, 4*flops/8, benchSize/2, func(a, _ *nd.NDArray[complex128]) { linalg.LU(a) })
	})
}

func BenchmarkCholesky(b *testing.B) {
	benchFactor(b, 1./3*benchSize*benchSize*benchSize, benchSize, func(a, _ *nd.NDArray[float64]) {
		if _, err := linalg.FactorCholesky(a); err != nil {
			panic(err)
		}
	})
}

func BenchmarkInv(b *testing.B) {
	benchFactor(b, 2./8*benchSize*benchSize*benchSize, benchSize/2, func(a, _ *nd.NDArray[float64]) { linalg.Inv(a) })
}

// BenchmarkSolveTriangular solves for one vector.
func BenchmarkSolveTriangular(b *testing.B) {
	benchFactor(b, benchSize*benchSize, benchSize, func(a, rhs *nd.NDArray[float64]) { linalg.SolveTriangular(a, rhs) })
}
