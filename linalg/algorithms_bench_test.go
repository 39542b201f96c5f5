package linalg_test

import (
	"fmt"
	"testing"

	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// BenchmarkAlgorithms multiplies square matrices by every algorithm that takes the splits.
func BenchmarkAlgorithms(b *testing.B) {
	const n = 1000
	for _, ranks := range []int{1, 2, 4} {
		for _, axes := range [][2]split.Axis{{0, 0}, {1, 0}, {1, 1}} {
			for _, alg := range allAlgorithms {
				la, lb := split.Block(nd.Shape{n, n}, axes[0], ranks), split.Block(nd.Shape{n, n}, axes[1], ranks)
				if nd.Try(func() { linalg.PlanMatMul[float64](la, lb, linalg.UseAlgorithm(alg)) }) != nil || ranks == 1 && alg != linalg.LocalProduct {
					continue
				}
				b.Run(fmt.Sprintf("ranks=%d/%v·%v/%v", ranks, axes[0], axes[1], alg), func(b *testing.B) {
					onRanks(b, ranks, 2*n*n*n, func(c *spmd.Comm) func() {
						x, y := ones(c, axes[0], n, n), ones(c, axes[1], n, n)
						dst := linalg.MatMul(x, y)
						return func() { linalg.MatMulInto(dst, x, y, linalg.UseAlgorithm(alg)) }
					})
				})
			}
		}
	}
}
