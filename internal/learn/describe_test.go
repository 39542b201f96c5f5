package learn_test

import (
	"math"
	"testing"

	"caloric/internal/learn"
	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/random"
	"caloric/spmd"
)

// statistics returns the moments in the order of golden.json.
func statistics(m *learn.Moments) []*nd.NDArray[float64] {
	return []*nd.NDArray[float64]{m.Mean, m.Var, m.Std, m.Skew, m.Kurtosis, m.Min, m.Max}
}

func near(a, b, tol float64) bool {
	return math.Abs(a-b) <= tol*(1+math.Abs(b)) || math.IsNaN(a) && math.IsNaN(b)
}

// TestDescribeGolden compares with NumPy and SciPy on both tables.
func TestDescribeGolden(t *testing.T) {
	all := golden(t)
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		digits, cancer := table(t, c, "digits"), table(t, c, "breast_cancer")
		for i, k := range all.Moments {
			over := map[int]learn.Over{-1: learn.All, 0: learn.Rows, 1: learn.Columns}[k.Axis]
			for layout := range 5 {
				a := digits
				if k.Table == "breast_cancer" {
					a = cancer
				}
				a = layouts(c, a, i+layout)
				for s, got := range statistics(learn.Describe(a, over, 0)) {
					values := got.Gather()
					for j, want := range k.Values[s] {
						w := math.NaN()
						if want != nil {
							w = *want
						}
						if !near(values[j], w, 1e-11) {
							t.Fatalf("%s over %d, statistic %d: element %d is %v, want %v", k.Table, k.Axis, s, j, values[j], w)
						}
					}
				}
			}
		}
	})
}

// TestDescribeAgainstReductions compares with package nd, far from 0, with NaN, with
// few rows.
func TestDescribeAgainstReductions(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for i, n := range []int{1, 2, 3, 700} {
			x := random.Normal[float64](random.New(7), c, nd.Shape{n, 3}, 0, 1e6, 1)
			if n > 2 {
				x.SetSliceScalar(math.NaN(), nd.Index(2), nd.Index(1))
			}
			x = layouts(c, x, i)
			for over, opts := range [][]nd.Option{learn.All: nil, learn.Rows: {nd.Over(0)}, learn.Columns: {nd.Over(1)}} {
				m := learn.Describe(x, learn.Over(over), 1)
				ddof := append([]nd.Option{nd.DDof(1)}, opts...)
				for s, want := range []*nd.NDArray[float64]{nd.Mean[float64](x, opts...), nd.Var[float64](x, ddof...), nd.Std[float64](x, ddof...),
					nd.Skew[float64](x, opts...), nd.Kurtosis[float64](x, opts...), nd.Min(x, opts...), nd.Max(x, opts...)} {
					for j, w := range want.Gather() {
						if got := statistics(m)[s].Gather()[j]; !near(got, w, 1e-8) {
							t.Errorf("n %d, over %d, statistic %d: element %d is %v, want %v", n, over, s, j, got, w)
						}
					}
				}
			}
		}
		before := c.Stats()["allreduce"].Calls
		learn.Describe(nd.Ones[float32](c, nd.Shape{9, 2}, 0), learn.Rows, 0)
		if got := c.Stats()["allreduce"].Calls - before; got != 1 {
			t.Errorf("%d allreduces", got)
		}
		if nd.Try(func() { learn.Describe(nd.Ones[float64](c, nd.Shape{0, 2}, 0), learn.All, 0) }) == nil {
			t.Error("no panic")
		}
	})
}
