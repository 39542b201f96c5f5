package linalg_test

import (
	"fmt"
	"maps"
	"math"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

type leastSquaresSolver[T nd.Inexact] func(A linalg.Operator[T], b *nd.NDArray[T], opts ...linalg.SolverOption) (*nd.NDArray[T], linalg.LeastSquaresResult, error)

func leastSquaresSolvers[T nd.Inexact]() map[string]leastSquaresSolver[T] {
	return map[string]leastSquaresSolver[T]{"CGLS": linalg.CGLS[T], "LSQR": linalg.LSQR[T]}
}

var leastSquaresNames = []string{"CGLS", "LSQR"}

func TestLeastSquares(t *testing.T) {
	t.Run("float64", func(t *testing.T) { testLeastSquares[float64](t, 1e-12) })
	t.Run("complex128", func(t *testing.T) { testLeastSquares[complex128](t, 1e-12) })
	t.Run("float32", func(t *testing.T) { testLeastSquares[float32](t, 2e-6) })
	t.Run("complex64", func(t *testing.T) { testLeastSquares[complex64](t, 2e-6) })
}

// testLeastSquares checks that the gradient vanishes, for tall, wide, square,
// empty and rank-deficient matrices of every split.
func testLeastSquares[T nd.Inexact](t *testing.T, tolerance float64) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, shape := range []nd.Shape{{12, 4}, {4, 12}, {6, 6}, {1, 5}, {5, 1}, {0, 3}, {3, 0}} {
			rows, cols := testLayouts(c, nd.Shape{shape[0]}), testLayouts(c, nd.Shape{shape[1]})
			for k, la := range testLayouts(c, shape) {
				for s, name := range leastSquaresNames {
					a, b := array[T](c, la, 1, k%2 == 1), array[T](c, rows[(k+s)%len(rows)], 2, false)
					damp := float64((k+s)%3) / 2
					opts := []linalg.SolverOption{linalg.Rtol(tolerance), linalg.Damp(damp), linalg.MaxIter(200)}
					start := (k/2+s)%2 == 0
					x0 := array[T](c, cols[(k+2*s)%len(cols)], 3, false)
					if start {
						opts = append(opts, linalg.Start(x0))
					}
					what := fmt.Sprintf("%s, %v x = %v, damp %v, start %v", name, la, b.Layout(), damp, start)
					x, res, err := leastSquaresSolvers[T]()[name](linalg.AsOperator(a), b, opts...)
					if err != nil || len(res.Misfits) != res.Iterations+1 || len(res.Residuals) != res.Iterations+1 {
						t.Errorf("%s: %+v, error %v", what, res, err)
					}
					if start && !x.Layout().Equal(x0.Layout()) || !start && x.Layout().Replicated() != b.Layout().Replicated() {
						t.Errorf("%s: solution %v", what, x.Layout())
					}
					misfit := residualNorm(a, x, b)
					scale := linalg.Norm(a)*linalg.Norm(b) + 1
					if math.Abs(misfit-res.Misfit) > 1e3*tolerance*scale {
						t.Errorf("%s: misfit %v, really %v", what, res.Misfit, misfit)
					}
					if g := gradientNorm(a, x, b, x0, damp, name == "LSQR" && start); g > 1e3*tolerance*scale {
						t.Errorf("%s: gradient %v", what, g)
					}
					checkArray(t, "start", x0, func(i []int) T { return at[T](3, i) })
					checkArray(t, "right-hand side", b, func(i []int) T { return at[T](2, i) })
				}
			}
		}
	})
}

// gradientNorm returns ‖Aᴴ(b − A·x) − damp²·x‖, with x − x0 in the last place if from.
func gradientNorm[T nd.Inexact](a, x, b, x0 *nd.NDArray[T], damp float64, from bool) float64 {
	r := nd.Copy(b)
	ax := nd.EmptyLike(b)
	linalg.MatMulInto(ax, a, x)
	nd.Axpy(number[T](-1, 0), ax, r)
	g := nd.EmptyLike(x)
	linalg.AsOperator(a).ApplyAdjoint(g, r)
	nd.Axpy(number[T](-damp*damp, 0), x, g)
	if from {
		nd.Axpy(number[T](damp*damp, 0), x0, g)
	}
	return linalg.Norm(g)
}

// TestReportCGLSDamp is the example of P18: damping counts squared, in the setup too.
func TestReportCGLSDamp(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, axis := range []split.Axis{split.None, 0, 1} {
			a := nd.FromSlice(c, []float64{2, 0, 0, 1, 1, 1}, nd.Shape{3, 2}, axis)
			y, x0 := vector(c, min(axis, 0), 1.0, 2, 3), vector(c, min(axis, 0), 1.0, -1)
			x, res, _ := linalg.CGLS(linalg.AsOperator(a), y, linalg.Start(x0), linalg.Damp(2), linalg.MaxIter(2), linalg.Rtol(1e-13))
			if want := []float64{0.4716981132075472, 0.7547169811320755}; !closeTo(x.Gather(), want, 1e-13) || res.Iterations != 2 {
				t.Errorf("split %v: x = %v, want %v: %+v", axis, x.Gather(), want, res)
			}
			if cost := res.Misfits[0]; math.Abs(cost-math.Sqrt(1+9+9)) > 1e-14 {
				t.Errorf("misfit of the start: %v", cost)
			}
			if cost := res.DampedMisfits[0]; math.Abs(cost-math.Sqrt(19+4*2)) > 1e-14 {
				t.Errorf("what is minimized at the start: %v", cost)
			}
			checkArray(t, "start", x0, func(i []int) float64 { return []float64{1, -1}[i[0]] })
		}
	})
}

// TestLeastSquaresBudget: two allreduces a step, with few inner products, and A's
// two products.
func TestLeastSquaresBudget(t *testing.T) {
	const n = 24
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		if c.Size() == 1 {
			return
		}
		for _, tt := range []struct {
			name  string
			damp  float64
			bytes float64
		}{{"CGLS", 0, 24}, {"CGLS", 0.1, 40}, {"LSQR", 0, 24}, {"LSQR", 0.1, 24}} {
			for _, k := range []struct {
				a, b split.Axis
				own  map[string]int64 // of A's products
			}{
				{0, 0, map[string]int64{"allreduce": 2, "allgatherv": 1, "reducescatter": 1}},
				{1, 0, map[string]int64{"allreduce": 2, "allgatherv": 1, "reducescatter": 1}},
				{0, split.None, map[string]int64{"allgatherv": 1, "allreduce": 1}},
				{split.None, split.None, map[string]int64{}},
			} {
				a := nd.FromFunc(c, nd.Shape{n + 8, n}, k.a, func(i []int) float64 { return 1 / (1 + math.Abs(float64(i[0]-i[1]))) })
				b := nd.FromFunc(c, nd.Shape{n + 8}, k.b, func(i []int) float64 { return math.Sin(float64(3*i[0])) + 0.5 })
				A := linalg.AsOperator(a)
				got, bytes := stepCalls(t, c, 3, 7, func(steps int) {
					_, res, _ := leastSquaresSolvers[float64]()[tt.name](A, b, linalg.Rtol(0), linalg.MaxIter(steps), linalg.Damp(tt.damp))
					if res.Iterations != steps {
						t.Errorf("%s: %+v", tt.name, res)
					}
				})
				if !maps.Equal(got, k.own) || k.b == 0 && bytes != tt.bytes {
					t.Errorf("%s, damp %v, A split %v, b %v: %v and %v bytes, want %v and %v",
						tt.name, tt.damp, k.a, k.b, got, bytes, k.own, tt.bytes)
				}
			}
		}
	})
}

func TestLeastSquaresGuards(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, axis := range []split.Axis{split.None, 0} {
			// Of rank 1, so that there are many minima.
			a := nd.FromSlice(c, []float64{1, 2, 2, 4, 3, 6}, nd.Shape{3, 2}, axis)
			nan := nd.FromSlice(c, []float64{1, 2, math.NaN(), 4, 3, 6}, nd.Shape{3, 2}, axis)
			zero := nd.Zeros[float64](c, nd.Shape{3, 2}, axis)
			across := vector(c, axis, 2.0, -1, 0)
			for _, name := range leastSquaresNames {
				for _, tt := range []struct {
					what   string
					a      *nd.NDArray[float64]
					b      *nd.NDArray[float64]
					opts   []linalg.SolverOption
					reason linalg.Reason
					steps  int
					x      []float64
				}{
					{"smallest solution", a, vector(c, axis, 5.0, 10, 15), nil, linalg.Converged, 1, []float64{1, 2}},
					{"smallest minimum", a, vector(c, axis, 7.0, 9, 15), nil, linalg.Converged, 1, []float64{1, 2}},
					{"from a solution", a, vector(c, axis, 5.0, 10, 15), []linalg.SolverOption{linalg.Start(vector(c, axis, 5.0, 0))}, linalg.Converged, 0, []float64{5, 0}},
					{"zero from elsewhere", a, vector(c, axis, 0.0, 0, 0), []linalg.SolverOption{linalg.Start(vector(c, axis, 5.0, 0))}, linalg.Converged, 0, []float64{0, 0}},
					{"b across the range", a, across, nil, linalg.Converged, 0, []float64{0, 0}},
					{"zero matrix", zero, across, nil, linalg.Converged, 0, []float64{0, 0}},
					{"small", a, vector(c, axis, 5e-200, 10e-200, 15e-200), nil, linalg.Converged, 1, []float64{1e-200, 2e-200}},
					{"large", a, vector(c, axis, 5e200, 10e200, 15e200), nil, linalg.Converged, 1, []float64{1e200, 2e200}},
					{"infinite", a, vector(c, axis, 5, 10, math.Inf(-1)), nil, linalg.NotFinite, 0, []float64{0, 0}},
					{"NaN", nan, across, nil, linalg.NotFinite, 0, []float64{0, 0}},
					{"no steps", a, vector(c, axis, 7.0, 9, 15), []linalg.SolverOption{linalg.MaxIter(0)}, linalg.MaxIterations, 0, []float64{0, 0}},
				} {
					x, res, err := leastSquaresSolvers[float64]()[name](linalg.AsOperator(tt.a), tt.b, tt.opts...)
					if res.Reason != tt.reason || res.Iterations != tt.steps || !closeTo(x.Gather(), tt.x, 1e-14) {
						t.Errorf("%s, %s: %v, %+v", name, tt.what, x.Gather(), res)
					}
					checkFailure(t, name+", "+tt.what, err, res.Result)
				}
			}
		}
	})
}

// TestLSQRIllConditioned: a Hilbert matrix, whose solution LSQR finds as far as the
// residual tells.
func TestLSQRIllConditioned(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		const n = 8
		a := nd.FromFunc(c, nd.Shape{n + 4, n}, 0, func(i []int) float64 { return 1 / float64(i[0]+i[1]+1) })
		b := linalg.MatMul(a, nd.Ones[float64](c, nd.Shape{n}, 0))
		calls := 0
		x, res, err := linalg.LSQR(linalg.AsOperator(a), b, linalg.Rtol(1e-12), linalg.MaxIter(200),
			linalg.Callback(func(int, *nd.NDArray[float64], float64) { calls++ }))
		if r := residualNorm(a, x, b); err != nil || !res.Compatible || r > 3e-11 || calls != res.Iterations {
			t.Errorf("residual %v, %d calls: %+v, error %v", r, calls, res, err)
		}
		if math.Abs(res.NormX-linalg.Norm(x)) > 1e-6 || res.CondA < 1e7 {
			t.Errorf("norm %v, not %v; condition %v", res.NormX, linalg.Norm(x), res.CondA)
		}
	})
}

func TestLeastSquaresOperator(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		const n = 20
		for _, l := range testLayouts(c, nd.Shape{n}) {
			b := nd.FromLayout(c, l, func([]int) float64 { return 1 })
			for _, name := range leastSquaresNames {
				x, res, err := leastSquaresSolvers[float64]()[name](tridiagonal{n}, b, linalg.Rtol(1e-11))
				if err != nil || x.Layout().Replicated() != l.Replicated() {
					t.Errorf("%s, %v: %+v, error %v", name, l, res, err)
				}
				for i, got := range x.Gather() {
					if want := float64((i+1)*(n-i)) / 2; math.Abs(got-want) > 1e-7 {
						t.Errorf("%s, %v: x[%d] = %v, want %v", name, l, i, got, want)
					}
				}
			}
		}
	})
}
