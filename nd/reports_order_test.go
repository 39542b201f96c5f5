package nd_test

import (
	"math"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

func TestReportHeat777ArgSort(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, l := range testLayouts(c, nd.Shape{2, 2}) {
			x := []int64{4, 1, 2, 3}
			a := nd.FromLayout(c, l, func(i []int) int64 { return x[2*i[0]+i[1]] })
			checkValues(t, nd.ArgSort(a, 0), []int64{1, 0, 0, 1})
			checkValues(t, nd.Sort(a, 0), []int64{2, 1, 4, 3})
		}
	})
}

func TestReportHeat2253InverseIsInt64(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, a := range spread(c, []float64{2, 1, 2}) {
			values, inverse := nd.UniqueInverse(a)
			checkValues(t, values, []float64{1, 2})
			checkValues[int64](t, inverse, []int64{1, 0, 1})
			if inverse.Layout() != a.Layout() {
				t.Errorf("the inverse has %v, the array %v", inverse.Layout(), a.Layout())
			}
		}
	})
}

func TestReportSortAlongTheLastAxis(t *testing.T) { // probe P1
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, a := range spread(c, []int64{3, 1, 2}) {
			checkValues(t, nd.Sort(a, -1), []int64{1, 2, 3})
			checkValues(t, nd.Sort(a, 0), []int64{1, 2, 3})
			checkValues(t, nd.Sort(a, -1, nd.Descending()), []int64{3, 2, 1})
		}
	})
}

func TestReportArgSortOfSmallIntegers(t *testing.T) { // probe P3
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		want := make([]int64, 600)
		for i := range want {
			want[i] = int64(i)
		}
		for _, a := range spread(c, make([]uint8, 600)) {
			checkValues(t, nd.ArgSort(a, 0), want)
			checkValues(t, nd.ArgSort(a, 0, nd.Descending()), want)
		}
		for _, a := range spread(c, make([]int8, 600)) {
			checkValues(t, nd.ArgSort(a, 0), want)
		}
	})
}

func TestReportTopKPositions(t *testing.T) { // probe P31
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, a := range spread(c, []int64{1, 5, 9, 2, 8, 7}) {
			values, at := nd.TopK(a, 2, 0)
			checkValues(t, values, []int64{9, 8})
			checkValues(t, at, []int64{2, 4})
			if values.Split() != split.None {
				t.Errorf("TopK along the split axis is split along %v", values.Split())
			}
		}
	})
}

func TestReportDask11989QuantileOfANumber(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, a := range spread(c, []float64{1, 1, 1}) {
			if p := nd.Percentile[float64](a, 50); p.NDim() != 0 || p.Item() != 1 {
				t.Errorf("the percentile is %v", p)
			}
			if p := nd.Percentiles[float64](a, []float64{50}); !p.Shape().Equal(nd.Shape{1}) || p.Item() != 1 {
				t.Errorf("the percentiles are %v", p)
			}
		}
	})
}

func TestReportDask131PercentilesWithEmptyParts(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, a := range spread(c, []float64{4, 1, 3, 2}) {
			checkValues(t, nd.Percentiles[float64](a, []float64{0, 25, 50, 100}), []float64{1, 1.75, 2.5, 4})
		}
		x := nd.Arange[float64](c, 0, 9, 1, 0).Slice(nd.From(6)) // only on the last ranks
		checkValues(t, nd.Percentiles[float64](x, []float64{0, 50, 100}), []float64{6, 7, 8})
	})
}

// More elements than float32 can count. The place of the median is exact.
func TestReportNumPy29003PlacesInDoublePrecision(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("64 MB")
	}
	const n = 1<<24 + 3
	spmdtest.Embedded(t)
	spmdtest.Run(t, 2, func(c *spmd.Comm) {
		a := nd.Zeros[float32](c, nd.Shape{n}, 0)
		lo, _ := a.Layout().Range(c.Rank())
		for i := range a.Local() {
			a.Local()[i] = float32(lo + i)
		}
		wantNumber(t, "median", nd.Percentile[float64](a, 50).Item(), (n-1)/2)
	})
}

func TestReportPercentileOfNaN(t *testing.T) { // Heat hangs
	nan := math.NaN()
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, a := range spread(c, []float64{1, nan, 3, 2}) {
			wantNumber(t, "percentile", nd.Percentile[float64](a, 50).Item(), nan)
			wantNumber(t, "median", nd.Median[float64](a).Item(), nan)
			wantNumber(t, "median of numbers", nd.NanMedian[float64](a).Item(), 2)
		}
		for _, a := range spread(c, []float64{nan, nan}) {
			wantNumber(t, "median of no numbers", nd.NanMedian[float64](a).Item(), nan)
		}
	})
}

// Heat's unique of rows split along another axis than 0 picks one rank's result.
func TestReportUniqueOfAnySplit(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		shape := nd.Shape{3, 7}
		for _, l := range testLayouts(c, shape) {
			a := nd.FromLayout(c, l, func(i []int) int32 { return int32((i[0] + i[1]) % 5) })
			u := nd.UniqueAll(a)
			checkValues(t, u.Values, []int32{0, 1, 2, 3, 4})
			checkValues(t, u.Indices, []int64{0, 1, 2, 3, 4})
			checkValues(t, u.Counts, []int64{4, 5, 5, 4, 3})
		}
	})
}

// Arkouda #2754: the largest value of the type is a value like any other.
func TestReportOrderOfTheLargestValues(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		const most = math.MaxInt64
		for _, a := range spread(c, []int64{most, math.MinInt64, most, 0, most}) {
			checkValues(t, nd.ArgSort(a, 0), []int64{1, 3, 0, 2, 4})
			wantNumber(t, "median", nd.Median[float64](a).Item(), most)
			checkValues(t, nd.Unique(a), []int64{math.MinInt64, 0, most})
			_, at := nd.TopK(a, 2, 0)
			checkValues(t, at, []int64{0, 2})
		}
	})
}
