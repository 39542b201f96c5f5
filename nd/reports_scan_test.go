package nd_test

import (
	"math"
	"slices"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// Reports about scans and differences; see reports_test.go.

func TestReportHeat804CumSumIsOneScan(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, n := range []int{0, 1, 3, 100} {
			a := nd.Arange[float64](c, 0, float64(n), 1, 0)
			want := make([]float64, n)
			for i := range want {
				want[i] = float64(i * (i + 1) / 2)
			}
			before := c.Stats()
			s := nd.CumSum(a)
			calls := c.Stats().Sub(before)
			if c.Size() > 1 && calls["exscan"].Calls != 1 || calls.Total().Calls > 1 {
				t.Errorf("%d elements:\n%v", n, calls)
			}
			if s.Layout() != a.Layout() {
				t.Errorf("layout %v of %v", s.Layout(), a.Layout())
			}
			checkValues(t, s, want)
		}
	})
}

func TestReportDask11872CumSumKeepsTheLayout(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, a := range spread(c, make([]float64, 10000)) {
			for _, s := range []*nd.NDArray[float64]{nd.CumSum(a), nd.CumSum(a, 0), nd.NanCumProd(a)} {
				if s.Layout() != a.Layout() {
					t.Errorf("%v becomes %v", a.Layout(), s.Layout())
				}
			}
		}
		m := nd.Ones[int64](c, nd.Shape{9, 4}, 0)
		if s := nd.CumSum(m); !slices.Equal(s.Layout().Counts(), nd.Ravel(m).Layout().Counts()) {
			t.Errorf("flattened %v becomes %v", m.Layout(), s.Layout())
		}
	})
}

// The first ranks hold nothing, or the array is the rest of a longer one.
func TestReportHeat2495ScansWithEmptyFirstRanks(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		x := nd.Arange[float64](c, 0, 9, 1, 0).Slice(nd.From(6))
		checkValues(t, nd.CumSum(x), []float64{6, 13, 21})
		checkValues(t, nd.CumProd(x), []float64{6, 42, 336})
		checkValues(t, nd.CumMin(x), []float64{6, 6, 6})
		checkValues(t, nd.CumMax(nd.Neg(x)), []float64{-6, -6, -6})
		checkValues(t, nd.Diff(x, 1, 0), []float64{1, 1})
		checkValues(t, nd.Gradient(x, 0), []float64{1, 1, 1})
		wantNumber(t, "integral", nd.Trapezoid(x, 1, 0).Item(), 14)
		checkValues(t, nd.CumulativeSum(x, 0, nd.IncludeInitial), []float64{0, 6, 13, 21})
	})
}

func TestReportP7NaNOnALaterRankReachesTheRest(t *testing.T) {
	nan := math.NaN()
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, a := range spread(c, []float64{1, 2, 7, 4, nan, 3, 9, 0}) {
			for i, s := range []*nd.NDArray[float64]{nd.CumMax(a), nd.CumMin(a), nd.CumSum(a), nd.CumProd(a)} {
				for j, v := range s.Gather() {
					if (v != v) != (j >= 4) {
						t.Errorf("scan %d of %v: element %d is %v", i, a.Layout(), j, v)
					}
				}
			}
			checkValues(t, nd.NanCumSum(a), []float64{1, 3, 10, 14, 14, 17, 26, 26})
			checkValues(t, nd.NanCumProd(a), []float64{1, 2, 14, 56, 56, 168, 1512, 0})
		}
	})
}

func TestReportP9ScansKeepTheirPrecision(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		s := nd.CumSum(nd.Full(c, nd.Shape{10}, 0.1, 0)).Gather()
		for i, v := range s {
			if math.Abs(v-float64(i+1)/10) > 3e-16 {
				t.Errorf("element %d is %v", i, v)
			}
		}
		// Narrow integers: in their own type they wrap, in a wider one they do not.
		b := nd.Full[int8](c, nd.Shape{6}, 100, 0)
		checkValues(t, nd.CumSum(b), []int8{100, -56, 44, -112, -12, 88})
		checkValues(t, nd.CumSumAs[int64](b), []int64{100, 200, 300, 400, 500, 600})
		checkValues(t, nd.CumProdAs[int64](b), []int64{100, 1e4, 1e6, 1e8, 1e10, 1e12})
	})
}

func TestReportHeat880NeighboursOfAnUnbalancedArray(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.Arange[int64](c, 0, 10, 1, 0)
		squared := nd.Mul(a, a)
		want := []int64{1, 3, 5, 7, 9, 11, 13, 15, 17}
		d := nd.Diff(squared, 1, 0)
		checkValues(t, d, want)
		if d.Split() != 0 {
			t.Errorf("the differences have %v", d.Layout())
		}
		checkValues(t, nd.Sub(squared.Slice(nd.From(1)), squared.Slice(nd.To(-1))), want)
		checkValues(t, nd.Diff(squared.Slice(nd.Range(2, 8)), 2, -1), []int64{2, 2, 2, 2})
		checkValues(t, squared.Slice(nd.To(3)), []int64{0, 1, 4})
	})
}

// More ranks than rows, all data on one rank, and nothing at all.
func TestReportHeat568DifferencesWithEmptyRanks(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.Ones[float64](c, nd.Shape{6, 3, 2}, 0)
		for _, g := range nd.Gradients(a.Slice(nd.Whole(), nd.Whole(), nd.Index(0))) {
			if !g.Shape().Equal(nd.Shape{6, 3}) || nd.Any(g).Item() {
				t.Errorf("gradient %v", g.Gather())
			}
		}
		for _, one := range spread(c, []float64{4}) {
			checkValues(t, nd.Diff(one, 1, 0), nil)
			checkValues(t, nd.Diff(one, 1, 0, nd.WithPrependScalar(1.0), nd.WithAppendScalar(9.0)), []float64{3, 5})
			checkValues(t, nd.CumSum(one), []float64{4})
			wantNumber(t, "integral of one point", nd.Trapezoid(one, 1, 0).Item(), 0)
		}
		for _, none := range spread(c, []float64{}) {
			checkValues(t, nd.CumSum(none), nil)
			checkValues(t, nd.CumulativeProd(none, 0, nd.IncludeInitial), []float64{1})
			checkValues(t, nd.Diff(none, 1, 0), nil)
			checkValues(t, nd.EDiff1D(none, []float64{5}, nil), []float64{5})
		}
	})
}

func TestReportDask131InterpolationWithPointsOnSomeRanks(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		xp, fp := []float64{0, 1, 2, 4}, []float64{0, 10, 0, 8}
		for i, p := range spread(c, xp) {
			f := spread(c, fp)[i]
			for _, x := range spread(c, []float64{-1, 0.5, 1, 3, 5}) {
				y := nd.Interp(x, p, f)
				checkValues(t, y, []float64{0, 5, 10, 4, 8})
				if y.Layout() != x.Layout() {
					t.Errorf("%v becomes %v", x.Layout(), y.Layout())
				}
			}
		}
		x := nd.FromSlice(c, []float64{-180, -170, -185, 185, -10, -5, 0, 365}, nd.Shape{8}, split.None)
		p := nd.FromSlice(c, []float64{190, -190, 350, -350}, nd.Shape{4}, split.None)
		f := nd.FromSlice(c, []float64{5, 10, 3, 4}, nd.Shape{4}, 0)
		checkValues(t, nd.Interp(x, p, f, nd.InterpPeriod(360.0)), []float64{7.5, 5, 8.75, 6.25, 3, 3.25, 3.5, 3.75})
	})
}
