package nd_test

import (
	"math"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/spmd"
)

func TestReportDask8352NanMinOfEmptyBlocks(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		x := []float64{-1, -2, -3, 1, 2, 3}
		for _, l := range testLayouts(c, nd.Shape{2, 3}) {
			a := nd.FromLayout(c, l, func(i []int) float64 { return x[3*i[0]+i[1]] })
			picked := nd.MaskedSelect(a, nd.GreaterEqualScalar(a, 0))
			wantNumber(t, "nanmin", nd.NanMin(picked).Item(), 1)
			wantNumber(t, "nanptp", nd.NanPtp(picked).Item(), 2)
			wantNumber(t, "ptp", nd.Ptp(picked).Item(), 2)
		}
		for _, a := range spread(c, []float64{math.NaN(), math.NaN()}) {
			wantNumber(t, "nanmin of NaN", nd.NanMin(a).Item(), math.NaN())
		}
	})
}

func TestReportDask3906MomentsAfterAFilter(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, a := range spread(c, []float64{0, 1, 2, 3}) {
			b := nd.MaskedSelect(a, nd.NotEqualScalar(a, 0))
			wantNumber(t, "min", nd.Min(b).Item(), 1)
			for _, v := range []float64{nd.Std[float64](b).Item(), nd.NanStd[float64](b).Item(),
				nd.Std[float64](a, nd.OnlyWhere(nd.NotEqualScalar(a, 0))).Item()} {
				if math.Abs(v-math.Sqrt(2.0/3)) > 1e-15 {
					t.Errorf("std %v", v)
				}
			}
			wantNumber(t, "skew", nd.Skew[float64](b).Item(), 0)
			if k := nd.Kurtosis[float64](b).Item(); math.Abs(k+1.5) > 1e-15 {
				t.Errorf("kurtosis %v", k)
			}
		}
	})
}

func TestReportHeat2495MomentsOfUnbalancedArrays(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		x := nd.Arange[float64](c, 0, 9, 1, 0).Slice(nd.From(6))
		wantNumber(t, "nanmean", nd.NanMean[float64](x).Item(), 7)
		wantNumber(t, "average", nd.Average[float64](x, nd.OnesLike(x)).Item(), 7)
		wantNumber(t, "cov", nd.Cov[float64](x, nil).Item(), 1)
		wantNumber(t, "skew", nd.Skew[float64](x).Item(), 0)
		wantNumber(t, "ptp", nd.Ptp(x).Item(), 2)
	})
}

func TestReportJax18379NanMeanCountsIn64Bits(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		// 2³⁴ elements in the memory of one: only the counter's type is at stake.
		n := 1 << 17
		if testing.Short() || raceEnabled {
			n = 1 << 8
		}
		a := nd.BroadcastTo(nd.FromSlice(c, []float32{3}, nd.Shape{1, 1}, nd.None), 4, n)
		var count *nd.NDArray[int64] = nd.CountNotNaN(a)
		wantNumber(t, "count", float64(count.Item()), float64(4*n))
		wantNumber(t, "nanmean", nd.NanMean[float64](a).Item(), 3)
	})
}

func TestReportProbeP27NanToNum(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, a := range spread(c, []float64{math.NaN(), 1, -2}) {
			checkValues(t, nd.NanToNum(a), []float64{0, 1, -2})
		}
	})
}

func TestReportProbeP29IsCloseOnUnevenChunks(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a, b := nd.Arange[float64](c, 0, 5, 1, 0), nd.Arange[float64](c, 0, 5, 1, 0)
		r := nd.IsClose(a, b)
		if r.Split() != 0 {
			t.Errorf("split %v", r.Split())
		}
		checkValues(t, r, []bool{true, true, true, true, true})
		for _, u := range spread(c, []float64{0, 1, 2, 3, 4}) {
			checkValues(t, nd.IsClose(u, a), []bool{true, true, true, true, true})
			if !nd.AllClose(u, a) || !nd.ArrayEqual(u, a) || nd.AllClose(u, nd.AddScalar(a, 1)) {
				t.Errorf("%v does not compare", u.Layout())
			}
		}
	})
}

func TestReportProbesP5AndP7NaNIsNotHiddenByStatistics(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for at := range 6 {
			x := []float64{0, 1, 2, 3, 4, 5}
			x[at] = math.NaN()
			for _, a := range spread(c, x) {
				wantNumber(t, "ptp", nd.Ptp(a).Item(), math.NaN())
				wantNumber(t, "skew", nd.Skew[float64](a).Item(), math.NaN())
				wantNumber(t, "average", nd.Average[float64](a, nd.OnesLike(a)).Item(), math.NaN())
				wantNumber(t, "cov", nd.Cov[float64](a, nil).Item(), math.NaN())
				wantNumber(t, "nanmean", nd.NanMean[float64](a).Item(), float64(15-at)/5)
				wantNumber(t, "NaN", float64(nd.CountNaN(a).Item()), 1)
			}
		}
	})
}

func TestReportProbeP9StatisticsKeepTheirPrecision(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.Full(c, nd.Shape{10}, 0.1, 0)
		for _, v := range []float64{nd.NanMean[float64](a).Item(), nd.Average[float64](a, a).Item()} {
			if math.Abs(v-0.1) > 1e-16 {
				t.Errorf("mean %v", v)
			}
		}
	})
}

func TestReportHeatBalancedCov(t *testing.T) { // Heat's cov requires balanced input; its ptp raises on empty parts
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		x := []float64{0, 1, 2, 2, 1, 0}
		for _, l := range testLayouts(c, nd.Shape{2, 3}) {
			a := nd.FromLayout(c, l, func(i []int) float64 { return x[3*i[0]+i[1]] })
			checkValues(t, nd.Cov[float64](a, nil), []float64{1, -1, -1, 1})
			checkValues(t, nd.CorrCoef[float64](a, nil), []float64{1, -1, -1, 1})
			if s := nd.Cov[float64](a, nil).Split(); (s == 0) != (l.Axis() == 0) || s > 0 {
				t.Errorf("the covariance of %v is split along %v", l, s)
			}
			wantNumber(t, "ptp", nd.Ptp(a).Item(), 2)
		}
	})
}
