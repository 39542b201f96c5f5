package nd_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/spmd"
)

// BenchmarkOrder runs the functions that order a million numbers.
func BenchmarkOrder(b *testing.B) {
	const n = 1_000_000
	r := rand.New(rand.NewPCG(1, 2))
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	for _, ranks := range []int{1, 2} {
		for _, f := range []struct {
			name string
			do   func(a *nd.NDArray[float64], k *nd.NDArray[int64])
		}{
			{"Sort", func(a *nd.NDArray[float64], _ *nd.NDArray[int64]) { nd.Sort(a, 0) }},
			{"SortRows", func(a *nd.NDArray[float64], _ *nd.NDArray[int64]) { nd.Sort(a.Reshape(n/100, 100), 1) }},
			{"ArgSort", func(a *nd.NDArray[float64], _ *nd.NDArray[int64]) { nd.ArgSort(a, 0) }},
			{"SortInts", func(_ *nd.NDArray[float64], k *nd.NDArray[int64]) { nd.Sort(k, 0) }},
			{"Partition", func(a *nd.NDArray[float64], _ *nd.NDArray[int64]) { nd.Partition(a, []int{n / 2}, 0) }},
			{"TopK", func(a *nd.NDArray[float64], _ *nd.NDArray[int64]) { nd.TopK(a, 100, 0) }},
			{"Unique", func(_ *nd.NDArray[float64], k *nd.NDArray[int64]) { nd.Unique(k) }},
			{"UniqueInverse", func(_ *nd.NDArray[float64], k *nd.NDArray[int64]) { nd.UniqueInverse(k) }},
			{"Histogram", func(a *nd.NDArray[float64], _ *nd.NDArray[int64]) { nd.Histogram(a, nd.EqualBins(100)) }},
			{"Bincount", func(_ *nd.NDArray[float64], k *nd.NDArray[int64]) { nd.Bincount(k, 0) }},
			{"Median", func(a *nd.NDArray[float64], _ *nd.NDArray[int64]) { nd.Median[float64](a) }},
			{"MedianOfRows", func(a *nd.NDArray[float64], _ *nd.NDArray[int64]) {
				nd.Median[float64](a.Reshape(n/100, 100), nd.Over(1))
			}},
		} {
			b.Run(fmt.Sprintf("%s/ranks=%d", f.name, ranks), func(b *testing.B) {
				spmdtest.Run(b, ranks, func(c *spmd.Comm) {
					a := nd.FromSlice(c, x, nd.Shape{n}, 0)
					k := nd.AsType[int64](nd.MulScalar(a, 1000))
					k = nd.AddScalar(k, 10000)
					c.Barrier()
					if c.Rank() == 0 {
						b.ResetTimer()
					}
					for range b.N {
						f.do(a, k)
					}
				})
			})
		}
	}
}
