package nd_test

import (
	"math/rand/v2"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// TestOrderCommunication checks how often the functions that order elements
// communicate, and that no rank sends much more than it has, so that nothing is
// gathered.
func TestOrderCommunication(t *testing.T) {
	const n = 24000
	r := rand.New(rand.NewPCG(7, 8))
	x, few := make([]float64, n), make([]int64, n)
	for i := range x {
		x[i], few[i] = r.NormFloat64(), int64(r.IntN(1000))
	}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a, k := nd.FromSlice(c, x, nd.Shape{n}, 0), nd.FromSlice(c, few, nd.Shape{n}, 0)
		all := a.Resplit(split.None)
		tall, wide := a.Reshape(n/2, 2), a.Reshape(n/20, 20)
		cut := nd.MoveAxis(wide, 0, 1) // split along axis 1
		other := nd.FromSlice(c, few[:n/2], nd.Shape{n / 2}, 0)
		weights := nd.FromSlice(c, x, nd.Shape{n}, 0)
		bounds := nd.Linspace(c, -2.0, 2, 20, split.None)
		local := int64(8 * len(a.Local()))
		for _, row := range []struct {
			name      string
			do        func()
			alltoallv int64   // data and counts
			calls     int64   // of others, at most
			share     float64 // of a rank's part, at most, that it sends
		}{
			{"sort", func() { nd.Sort(a, 0) }, 2, 9, 1.4},
			{"sort few values", func() { nd.Sort(k, 0) }, 2, 9, 1.4},
			{"sort few lanes", func() { nd.Sort(tall, 0) }, 2, 10, 1.4},
			{"sort many lanes", func() { nd.Sort(wide, 0) }, 2, 0, 2},
			{"sort along another axis", func() { nd.Sort(wide, 1) }, 0, 0, 0},
			{"sort a replicated array", func() { nd.Sort(all, 0) }, 0, 0, 0},
			{"argsort", func() { nd.ArgSort(a, 0) }, 3, 9, 2.2},
			{"argsort many lanes", func() { nd.ArgSort(cut, 1) }, 2, 0, 2},
			{"argsort along another axis", func() { nd.ArgSort(cut, 0) }, 0, 0, 0},
			{"partition along another axis", func() { nd.Partition(cut, []int{5}, 0) }, 0, 0, 0},
			{"topk", func() { nd.TopK(a, 5, 0) }, 0, 2, 0.05},
			{"topk along another axis", func() { nd.TopK(cut, 5, 0) }, 0, 0, 0},
			{"unique", func() { nd.Unique(a) }, 2, 10, 1.4},
			{"unique of few values", func() { nd.Unique(k) }, 2, 10, 0.4},
			{"unique inverse", func() { nd.UniqueInverse(a) }, 3, 10, 2.2},
			{"unique all", func() { nd.UniqueAll(a) }, 5, 10, 4.2},
			{"unique of a replicated array", func() { nd.UniqueAll(all) }, 0, 0, 0},
			{"union", func() { nd.Union1D(k, other) }, 3, 9, 0.5},
			{"intersect", func() { nd.Intersect1D(k, other) }, 3, 9, 0.5},
			{"isin", func() { nd.IsIn(k, other) }, 4, 9, 0.5},
			{"isin a replicated array", func() { nd.IsIn(a, all) }, 0, 0, 0},
			{"isin, replicated in split", func() { nd.IsIn(bounds, a) }, 0, 1, 0.01},
			{"bincount", func() { nd.Bincount(k, 0) }, 0, 2, 0.4},
			{"bincount with weights", func() { nd.BincountWeights(k, weights, 0) }, 0, 2, 0.4},
			{"digitize", func() { nd.Digitize(a, bounds, false); nd.Bucketize(a, bounds, false) }, 0, 0, 0},
			{"histogram", func() { nd.Histogram(a, nd.EqualBins(10)) }, 0, 2, 0.02},
			{"histogram in a range", func() { nd.Histogram(a, nd.BinsIn(10, -1, 1)) }, 0, 1, 0.02},
			{"histogram of given bins", func() { nd.Histogram(a, nd.BinEdges(-1, 0, 1)) }, 0, 1, 0.02},
			{"histogram of a replicated array", func() { nd.Histogram(all, nd.EqualBins(10)) }, 0, 0, 0},
			{"histogram 2d", func() { nd.Histogram2D(a, weights, nd.EqualBins(4), nd.EqualBins(5)) }, 0, 3, 0.05},
			{"median", func() { nd.Median[float64](a) }, 0, 8, 0.2},
			{"median of integers", func() { nd.Median[float64](k) }, 0, 8, 0.2},
			{"percentiles", func() { nd.Percentiles[float64](a, []float64{1, 25, 50, 99}) }, 0, 9, 0.3},
			{"median over the split axis of few lanes", func() { nd.Median[float64](tall, nd.Over(0)) }, 0, 9, 0.3},
			{"median over another axis", func() { nd.Median[float64](wide, nd.Over(1)) }, 0, 0, 0},
			{"median of a replicated array", func() { nd.Median[float64](all) }, 0, 0, 0},
			{"median of many short lanes", func() { nd.Median[float64](nd.Zeros[float64](c, nd.Shape{10, n / 10}, 0), nd.Over(0)) }, 1, 2, 3.1},
		} {
			before := c.Stats()
			row.do()
			got := c.Stats().Sub(before)
			total := got.Total()
			switch exchanges := got["alltoallv"].Calls; {
			case c.Size() == 1 && total.Bytes != 0:
				t.Errorf("%s communicates %v on one rank", row.name, got)
			case c.Size() > 1 && exchanges != row.alltoallv:
				t.Errorf("%s makes %d exchanges, want %d\n%v", row.name, exchanges, row.alltoallv, got)
			case total.Calls-exchanges > row.calls:
				t.Errorf("%s makes more than %d other calls\n%v", row.name, row.calls, got)
			case float64(total.Bytes) > row.share*float64(local):
				t.Errorf("%s sends %.2f of the rank's part, want at most %v\n%v", row.name, float64(total.Bytes)/float64(local), row.share, got)
			}
		}
	})
}
