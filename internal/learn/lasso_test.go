package learn

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/internal/tables"
	"caloric/io/csv"
	"caloric/nd"
	"caloric/random"
	"caloric/spmd"
)

type lassoGolden struct {
	Scaled        bool
	Lambda        float64
	Sweeps        int
	Coefficients  []float64
	Intercept, R2 float64
}

// TestLassoGolden compares with scikit-learn on the tumours: the minimum, and the
// steps on the way to it; with all features in one block, and in several.
func TestLassoGolden(t *testing.T) {
	var all struct{ Lasso []lassoGolden }
	b, err := os.ReadFile("testdata/golden.json")
	if err == nil {
		err = json.Unmarshal(b, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		table, _, err := csv.ReadTable[float64](c, strings.NewReader(tables.BreastCancer), int64(len(tables.BreastCancer)), "breast_cancer.csv", 0, csv.Skip(1))
		if err != nil {
			t.Fatal(err)
		}
		plain, y := table.Slice(nd.Whole(), nd.To(-1)), table.Slice(nd.Whole(), nd.Index(-1))
		scaled := nd.Div(nd.Sub(plain, nd.Mean[float64](plain, nd.Over(0))), nd.Std[float64](plain, nd.Over(0)))
		for i, k := range all.Lasso {
			x := plain
			if k.Scaled {
				x = scaled
			}
			for _, block := range []int{1024, 7} {
				if block == 7 && k.Sweeps == 0 && !(k.Scaled && k.Lambda >= 0.1) {
					continue // thousands of sweeps
				}
				x, y := x.Resplit([]nd.Axis{0, 1, nd.None}[i%3]), y.Resplit([]nd.Axis{0, nd.None}[i%2])
				o := LassoOptions{Sweeps: k.Sweeps}
				if k.Sweeps == 0 {
					o = LassoOptions{Sweeps: 5_000_000, Tol: 1e-13}
				}
				r, err := lasso(x, y, k.Lambda, o, block)
				if err != nil {
					t.Fatal(err)
				}
				name := fmt.Sprintf("scaled %v, lambda %v, %d sweeps, blocks of %d", k.Scaled, k.Lambda, k.Sweeps, block)
				for j, w := range r.Coefficients {
					if want := k.Coefficients[j]; math.Abs(w-want) > 1e-5*math.Abs(want)+1e-7 {
						t.Errorf("%s: coefficient %d is %v, want %v", name, j, w, want)
					}
				}
				if k.Sweeps > 0 {
					continue
				}
				if math.Abs(r.Intercept-k.Intercept) > 1e-6 || math.Abs(r.R2-k.R2) > 1e-8 || !r.Converged {
					t.Errorf("%s: intercept %v, R² %v, converged %v, want %v, %v", name, r.Intercept, r.R2, r.Converged, k.Intercept, k.R2)
				}
			}
		}
	})
}

// TestLassoOptimality: the conditions of Karush, Kuhn and Tucker hold for data of any
// layout; the gap is what it says; blocks take the same steps.
func TestLassoOptimality(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for i, n := range []int{1, 2, 5, 40, 900} {
			p, lambda := 6, 0.05*float64(i+1)
			g := random.New(uint64(i))
			x := random.Normal(g, c, nd.Shape{n, p}, []nd.Axis{0, 1, nd.None}[i%3], 1e3, 1.0)
			x.SetSliceScalar(0.1, nd.Whole(), nd.Index(2)) // one value
			y := nd.Add(nd.MulScalar(x.Slice(nd.Whole(), nd.Index(0)), 3), random.Normal(g, c, nd.Shape{n}, 0, 0, 0.1))
			before := x.Gather()
			r, err := Lasso(x, y, lambda, LassoOptions{Sweeps: 10_000, Tol: 1e-14})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(before, x.Gather()) || !r.Converged || r.Coefficients[2] != 0 || r.Gap > 1e-10*(1+r.Objective) {
				t.Errorf("n %d: %+v", n, r)
			}
			rows, target := before, y.Gather()
			residual, sum := make([]float64, n), 0.0
			for s := range residual {
				residual[s] = target[s] - r.Intercept
				for j, w := range r.Coefficients {
					residual[s] -= w * rows[s*p+j]
				}
				sum += residual[s]
			}
			if math.Abs(sum) > 1e-8*float64(n) {
				t.Errorf("n %d: residuals add up to %v", n, sum)
			}
			for j, w := range r.Coefficients {
				grad := 0.0
				for s, e := range residual {
					grad += e * (rows[s*p+j] - rows[j]) / float64(n)
				}
				if math.Abs(grad) > lambda*(1+1e-4)+1e-7 || w != 0 && math.Abs(grad-math.Copysign(lambda, w)) > 1e-5 {
					t.Errorf("n %d: coefficient %d is %v with gradient %v, lambda %v", n, j, w, grad, lambda)
				}
			}
			for _, block := range []int{1, 4, 6} {
				a, _ := lasso(x, y, lambda, LassoOptions{Sweeps: 3}, 1024)
				b, _ := lasso(x, y, lambda, LassoOptions{Sweeps: 3}, block)
				for j := range a.Coefficients {
					if math.Abs(a.Coefficients[j]-b.Coefficients[j]) > 1e-9 || math.Abs(a.Gap-b.Gap) > 1e-9 || math.Abs(a.Objective-b.Objective) > 1e-9 {
						t.Errorf("n %d, blocks of %d: %+v, want %+v", n, block, b, a)
					}
				}
			}
		}
		// float32, no features, a lambda that leaves no coefficient.
		x := random.Normal[float32](random.New(3), c, nd.Shape{100, 3}, 0, 0, 1)
		y := x.Slice(nd.Whole(), nd.Index(1))
		if r, err := Lasso(x, y, 0, LassoOptions{Sweeps: 99}); err != nil || math.Abs(r.Coefficients[1]-1) > 1e-6 || math.Abs(r.R2-1) > 1e-6 {
			t.Errorf("%+v, error %v", r, err)
		}
		if r, err := Lasso(x, y, 99, LassoOptions{Sweeps: 99, Tol: 1e-9}); err != nil || fmt.Sprint(r.Coefficients) != "[0 0 0]" || r.R2 != 0 || r.Sweeps != 1 {
			t.Errorf("%+v, error %v", r, err)
		}
		if r, err := Lasso(x.Slice(nd.Whole(), nd.To(0)), y, 1, LassoOptions{Sweeps: 9}); err != nil || len(r.Coefficients) != 0 || math.Abs(r.Intercept-nd.Mean[float64](y).Item()) > 1e-12 {
			t.Errorf("%+v, error %v", r, err)
		}
	})
}

func TestLassoErrors(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, axis := range []nd.Axis{0, 1, nd.None} {
			for _, block := range []int{1024, 2} {
				x, y := nd.Ones[float64](c, nd.Shape{9, 3}, axis), nd.Ones[float64](c, nd.Shape{9}, 0)
				y.SetSliceScalar(math.NaN(), nd.Index(7))
				_, err := lasso(x, y, 1, LassoOptions{Sweeps: 3}, block)
				if err == nil || !strings.HasPrefix(err.Error(), "row 8 of the target is not") {
					t.Errorf("error %v", err)
				}
				x.SetSliceScalar(math.Inf(1), nd.Index(3), nd.Index(2))
				_, err = lasso(x, y, 1, LassoOptions{}, block)
				if err == nil || !strings.HasPrefix(err.Error(), "row 4, column 3 of the features is not") {
					t.Errorf("error %v", err)
				}
			}
		}
		huge := nd.FromSlice(c, []float64{1e200, -1e200}, nd.Shape{2, 1}, 0)
		if _, err := Lasso(huge, huge.Slice(nd.Whole(), nd.Index(0)), 1, LassoOptions{}); err == nil || !strings.Contains(err.Error(), "too large") {
			t.Errorf("error %v", err)
		}
		x, y := nd.Ones[float64](c, nd.Shape{2, 3}, 0), nd.Ones[float64](c, nd.Shape{2}, 0)
		if _, err := Lasso(x.Slice(nd.To(0)), y.Slice(nd.To(0)), 1, LassoOptions{}); err == nil {
			t.Error("no error without samples")
		}
		for _, f := range []func(){
			func() { Lasso(y, y, 1, LassoOptions{}) },
			func() { Lasso(x, x, 1, LassoOptions{}) },
			func() { Lasso(x.T(), y, 1, LassoOptions{}) },
			func() { Lasso(x, y, -1, LassoOptions{}) },
			func() { Lasso(x, y, math.NaN(), LassoOptions{}) },
			func() { Lasso(x, y, 1, LassoOptions{Sweeps: -1}) },
		} {
			if nd.Try(f) == nil {
				t.Error("no panic")
			}
		}
	})
}

// TestLassoCommunication: the sweeps communicate nothing.
func TestLassoCommunication(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		x, y := random.Normal(random.New(1), c, nd.Shape{50, 5}, 0, 0, 1.0), random.Normal(random.New(2), c, nd.Shape{50}, 0, 0, 1.0)
		for _, sweeps := range []int{0, 1, 5} {
			before := c.Stats()["allreduce"]
			if _, err := Lasso(x, y, 0.01, LassoOptions{Sweeps: sweeps}); err != nil {
				t.Fatal(err)
			}
			if got := c.Stats()["allreduce"].Calls - before.Calls; got != 3 {
				t.Errorf("%d allreduces for %d sweeps", got, sweeps)
			}
		}
	})
}
