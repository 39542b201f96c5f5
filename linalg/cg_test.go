package linalg_test

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// definite returns element (i, j) of a Hermitian positive definite matrix: a
// dominant diagonal and a decaying rest.
func definite[T nd.Inexact](n, i, j int) T {
	re, im := 1/float64(1+abs(i-j)), float64(i-j)/float64(4+(i-j)*(i-j))
	if i == j {
		re = float64(n) / float64(1+i%3)
	}
	return number[T](re, im)
}

func solution[T nd.Inexact](i int) T { return number[T](math.Sin(float64(i+1)), float64(i%3)) }

func number[T nd.Inexact](re, im float64) (t T) {
	switch t := any(&t).(type) {
	case *float32:
		*t = float32(re)
	case *float64:
		*t = re
	case *complex64:
		*t = complex(float32(re), float32(im))
	case *complex128:
		*t = complex(re, im)
	}
	return t
}

func abs(i int) int { return max(i, -i) }

// rightSide returns the product of the definite matrix and the solution.
func rightSide[T nd.Inexact](c *spmd.Comm, l *split.Layout) *nd.NDArray[T] {
	n := l.Shape()[0]
	return nd.FromLayout(c, l, func(i []int) (sum T) {
		for j := range n {
			sum += definite[T](n, i[0], j) * solution[T](j)
		}
		return sum
	})
}

func definiteMatrix[T nd.Inexact](c *spmd.Comm, l *split.Layout) *nd.NDArray[T] {
	return nd.FromLayout(c, l, func(i []int) T { return definite[T](l.Shape()[0], i[0], i[1]) })
}

func TestCG(t *testing.T) {
	t.Run("float64", func(t *testing.T) { testCG[float64](t, 1e-11) })
	t.Run("complex128", func(t *testing.T) { testCG[complex128](t, 1e-11) })
	t.Run("float32", func(t *testing.T) { testCG[float32](t, 1e-5) })
	t.Run("complex64", func(t *testing.T) { testCG[complex64](t, 1e-5) })
}

func testCG[T nd.Inexact](t *testing.T, tolerance float64) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, n := range []int{0, 1, 3, 12} {
			starts := testLayouts(c, nd.Shape{n})
			for k, la := range testLayouts(c, nd.Shape{n, n}) {
				for m, lb := range testLayouts(c, nd.Shape{n}) {
					a, b := definiteMatrix[T](c, la), rightSide[T](c, lb)
					ones := func([]int) T { return number[T](1, 1) }
					x0 := nd.FromLayout(c, starts[(k+m)%len(starts)], ones)
					opts := []linalg.SolverOption{linalg.Rtol(tolerance)}
					if (k+m)%2 == 0 {
						opts = append(opts, linalg.Start(x0))
					}
					x, res, err := linalg.CG(linalg.AsOperator(a), b, opts...)
					what := fmt.Sprintf("%v x = %v", la, lb)
					if err != nil || res.Reason != linalg.Converged || res.Iterations > 3*n || len(res.Residuals) != res.Iterations+1 {
						t.Errorf("%s: %+v, error %v", what, res, err)
					}
					if x.Split() != lb.Axis() {
						t.Errorf("%s: solution %v", what, x.Layout())
					}
					error := nd.FromLayout(c, x.Layout(), func(i []int) T { return solution[T](i[0]) })
					nd.Axpy(number[T](-1, 0), x, error)
					if d := linalg.Norm(error, linalg.Ord(math.Inf(1))); d > 20*tolerance {
						t.Errorf("%s: solution off by %v", what, d)
					}
					checkArray(t, "start", x0, ones)
					checkArray(t, "right-hand side", b, func(i []int) T {
						return rightSide[T](c, split.Block(nd.Shape{n}, split.None, c.Size())).At(i...)
					})
				}
			}
		}
	})
}

// TestCGBudget: two scalar allreduces a step, and the product's own.
func TestCGBudget(t *testing.T) {
	tests := []struct {
		a, b split.Axis
		want map[string]int64
	}{
		{0, 0, map[string]int64{"allreduce": 2, "allgatherv": 1}},
		{1, 0, map[string]int64{"allreduce": 2, "reducescatter": 1}},
		{split.None, split.None, map[string]int64{}},
		{0, split.None, map[string]int64{"allgatherv": 1}},
		{1, split.None, map[string]int64{"allreduce": 1}},
	}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		if c.Size() == 1 {
			return
		}
		for _, tt := range tests {
			a := definiteMatrix[float64](c, split.Block(nd.Shape{9, 9}, tt.a, c.Size()))
			b := rightSide[float64](c, split.Block(nd.Shape{9}, tt.b, c.Size()))
			steps := 0
			var last spmd.Stats
			_, _, err := linalg.CG(linalg.AsOperator(a), b, linalg.Rtol(1e-10),
				linalg.Callback(func(step int, x *nd.NDArray[float64], residual float64) {
					steps++
					now := c.Stats()
					if steps > 1 {
						got := map[string]int64{}
						for op, n := range now.Sub(last) {
							got[op] = n.Calls
						}
						if !maps.Equal(got, tt.want) {
							t.Errorf("A split %v, b split %v, step %d: %v, want %v", tt.a, tt.b, step, got, tt.want)
						}
						if k := now["allreduce"]; k.Calls > last["allreduce"].Calls && tt.b == 0 && k.Bytes-last["allreduce"].Bytes != 16 {
							t.Errorf("allreduces of %d bytes a step", k.Bytes-last["allreduce"].Bytes)
						}
					}
					last = c.Stats()
				}))
			if err != nil || steps < 3 {
				t.Errorf("A split %v: %d steps, error %v", tt.a, steps, err)
			}
		}
	})
}

// TestCGUnbalanced: of operands that are split differently, b is moved once and
// not in every step.
func TestCGUnbalanced(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		if c.Size() == 1 {
			return
		}
		for _, la := range testLayouts(c, nd.Shape{9, 9})[1:] {
			for _, lb := range testLayouts(c, nd.Shape{9})[1:] {
				a, b := definiteMatrix[float64](c, la), rightSide[float64](c, lb)
				got := calls(c, func() {
					if _, _, err := linalg.CG(linalg.AsOperator(a), b); err != nil {
						t.Error(err)
					}
				})
				if got["alltoallv"] > 1 {
					t.Errorf("%v and %v: %v", la, lb, got)
				}
			}
		}
	})
}

// TestCGGuards: nothing to do, and nothing that can be done.
func TestCGGuards(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, axis := range []split.Axis{split.None, 0} {
			eye := linalg.AsOperator(nd.Eye[float64](c, 3, 3, 0, axis))
			zero := nd.Zeros[float64](c, nd.Shape{3}, axis)
			b := vector(c, axis, 1.0, -2, 3)
			inf := vector(c, axis, 1.0, math.Inf(1), 0)
			saddle := linalg.AsOperator(nd.FromSlice(c, []float64{1, 0, 0, 0, -1, 0, 0, 0, 1}, nd.Shape{3, 3}, axis))
			hilbert := linalg.AsOperator(nd.FromFunc(c, nd.Shape{3, 3}, axis, func(i []int) float64 { return 1 / float64(i[0]+i[1]+1) }))
			tests := []struct {
				name       string
				a          linalg.Operator[float64]
				b          *nd.NDArray[float64]
				opts       []linalg.SolverOption
				reason     linalg.Reason
				iterations int
				x          []float64
			}{
				{"P43: zero from zero", eye, zero, []linalg.SolverOption{linalg.Start(zero)}, linalg.Converged, 0, []float64{0, 0, 0}},
				{"zero from elsewhere", eye, zero, []linalg.SolverOption{linalg.Start(b)}, linalg.Converged, 0, []float64{0, 0, 0}},
				{"from the solution", eye, b, []linalg.SolverOption{linalg.Start(b), linalg.Rtol(0)}, linalg.Converged, 0, []float64{1, -2, 3}},
				{"identity", eye, b, []linalg.SolverOption{linalg.Rtol(0)}, linalg.Converged, 1, []float64{1, -2, 3}},
				{"near enough", eye, b, []linalg.SolverOption{linalg.Atol(4)}, linalg.Converged, 0, []float64{0, 0, 0}},
				{"no steps", eye, b, []linalg.SolverOption{linalg.MaxIter(0)}, linalg.MaxIterations, 0, []float64{0, 0, 0}},
				{"too few steps", hilbert, b, []linalg.SolverOption{linalg.MaxIter(1)}, linalg.MaxIterations, 1, nil},
				{"indefinite", saddle, vector(c, axis, 0.0, 1, 0), nil, linalg.NotPositiveDefinite, 0, []float64{0, 0, 0}},
				{"infinite", eye, inf, nil, linalg.NotFinite, 0, []float64{0, 0, 0}},
				{"small", eye, vector(c, axis, 1e-200, -2e-200, 0), []linalg.SolverOption{linalg.Rtol(1e-15)}, linalg.Converged, 1, []float64{1e-200, -2e-200, 0}},
				{"large", eye, vector(c, axis, 1e200, -2e200, 0), []linalg.SolverOption{linalg.Rtol(1e-15)}, linalg.Converged, 1, []float64{1e200, -2e200, 0}},
			}
			for _, tt := range tests {
				x, res, err := linalg.CG(tt.a, tt.b, tt.opts...)
				if res.Reason != tt.reason || res.Iterations != tt.iterations {
					t.Errorf("%s: %+v", tt.name, res)
				}
				if got := x.Gather(); tt.x != nil && !slices.Equal(got, tt.x) {
					t.Errorf("%s: x = %v, want %v", tt.name, got, tt.x)
				}
				var failed *linalg.NotConvergedError
				if (err == nil) != (tt.reason == linalg.Converged) || err != nil && !errors.As(err, &failed) {
					t.Errorf("%s: error %v", tt.name, err)
				}
				if err != nil && !strings.Contains(err.Error(), "linalg.CG did not converge ("+tt.reason.String()+")") {
					t.Errorf("%s: error %v", tt.name, err)
				}
			}
		}
	})
}

// TestCGAllocations: the loop allocates nothing.
func TestCGAllocations(t *testing.T) {
	spmdtest.Run(t, 1, func(c *spmd.Comm) {
		const n = 80
		diagonal := nd.FromFunc(c, nd.Shape{n, n}, 0, func(i []int) float64 {
			if i[0] == i[1] {
				return math.Pow(1.2, float64(i[0]))
			}
			return 0
		})
		op, b := linalg.AsOperator(diagonal), nd.Ones[float64](c, nd.Shape{n}, 0)
		steps := func(n int) float64 {
			return testing.AllocsPerRun(5, func() {
				if _, res, err := linalg.CG(op, b, linalg.Rtol(0), linalg.MaxIter(n)); err == nil || res.Iterations != n {
					t.Errorf("%+v, error %v", res, err)
				}
			})
		}
		if few, many := steps(2), steps(40); few != many {
			t.Errorf("%v allocations in 2 steps, %v in 40", few, many)
		}
	})
}

// tridiagonal is an operator without a matrix: 2 on the diagonal, -1 beside it.
type tridiagonal struct{ n int }

func (o tridiagonal) Shape() (int, int) { return o.n, o.n }

func (o tridiagonal) Apply(dst, x *nd.NDArray[float64]) {
	all := x.Gather()
	lo, _ := dst.Layout().Range(dst.Comm().Rank())
	for k := range dst.Local() {
		i := lo + k
		v := 2 * all[i]
		if i > 0 {
			v -= all[i-1]
		}
		if i+1 < o.n {
			v -= all[i+1]
		}
		dst.Local()[k] = v
	}
}

func (o tridiagonal) ApplyAdjoint(dst, x *nd.NDArray[float64]) { o.Apply(dst, x) }

func TestCGOperator(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		const n = 20
		for _, l := range testLayouts(c, nd.Shape{n}) {
			x, res, err := linalg.CG(tridiagonal{n}, nd.FromLayout(c, l, func([]int) float64 { return 1 }), linalg.Rtol(1e-12))
			if err != nil || res.Iterations != n/2 || !x.Layout().Equal(l) {
				t.Errorf("%v: %+v, error %v", l, res, err)
			}
			for i, got := range x.Gather() {
				if want := float64((i+1)*(n-i)) / 2; math.Abs(got-want) > 1e-10 {
					t.Errorf("%v: x[%d] = %v, want %v", l, i, got, want)
				}
			}
		}
	})
}

func TestAdjoint(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, la := range testLayouts(c, nd.Shape{6, 4}) {
			for _, lx := range testLayouts(c, nd.Shape{6}) {
				for _, ly := range testLayouts(c, nd.Shape{4}) {
					op := linalg.AsOperator(array[complex128](c, la, 1, false))
					x, y := array[complex128](c, lx, 2, false), array[complex128](c, ly, 3, false)
					op.ApplyAdjoint(y, x)
					checkArray(t, fmt.Sprintf("adjoint of %v", la), y, func(i []int) (sum complex128) {
						for k := range 6 {
							sum += conj(value[complex128](1, k, i[0])) * value[complex128](2, k, 0)
						}
						return sum
					})
					checkArray(t, "the argument", x, func(i []int) complex128 { return at[complex128](2, i) })
				}
			}
		}
	})
}

func TestCGMisuse(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		wide, square := nd.Zeros[float64](c, nd.Shape{2, 3}, 0), nd.Zeros[float64](c, nd.Shape{3, 3}, 0)
		b := nd.Ones[float64](c, nd.Shape{3}, 0)
		for want, f := range map[string]func(){
			"not square":           func() { linalg.CG(linalg.AsOperator(wide), b) },
			"linalg.CG at":         func() { linalg.CG(linalg.AsOperator(square), nd.Ones[float64](c, nd.Shape{4}, 0)) },
			"(4,)":                 func() { linalg.CG(linalg.AsOperator(square), nd.Ones[float64](c, nd.Shape{4}, 0)) },
			"linalg.AsOperator at": func() { linalg.AsOperator(b) },
			"*nd.NDArray[float32]": func() { linalg.CG(linalg.AsOperator(square), b, linalg.Start(nd.Ones[float32](c, nd.Shape{3}, 0))) },
		} {
			if err := nd.Try(f); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v does not say %q", err, want)
			}
		}
	})
}
