package linalg_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

func TestLanczos(t *testing.T) {
	t.Run("float64", func(t *testing.T) { testLanczos[float64](t, 1e-13) })
	t.Run("complex128", func(t *testing.T) { testLanczos[complex128](t, 1e-13) })
	t.Run("float32", func(t *testing.T) { testLanczos[float32](t, 1e-5) })
	t.Run("complex64", func(t *testing.T) { testLanczos[complex64](t, 1e-5) })
}

func testLanczos[T nd.Inexact](t *testing.T, tolerance float64) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, n := range []int{1, 3, 12} {
			vectors := testLayouts(c, nd.Shape{n})
			for k, la := range testLayouts(c, nd.Shape{n, n}) {
				for _, m := range []int{0, 1, 4, 20} {
					a := element[T](flipped[T]).matrix(c, la)
					start := array[T](c, vectors[(k+m)%len(vectors)], 2, false)
					what := fmt.Sprintf("%v, from %v, %d steps", la, start.Layout(), m)
					V, tri, err := linalg.Lanczos(linalg.AsOperator(a), start, m)
					cols := min(m, n)
					if err != nil || !V.Shape().Equal(nd.Shape{n, cols}) || !tri.Shape().Equal(nd.Shape{cols, cols}) {
						t.Errorf("%s: V %v, T %v, error %v", what, V.Layout(), tri.Layout(), err)
						return
					}
					if V.Split() != start.Split() || tri.Split() != split.None {
						t.Errorf("%s: V %v, T %v", what, V.Layout(), tri.Layout())
					}
					checkProjection(t, what, a, V, tri, tolerance*float64(n*n))
					if cols > 0 {
						first := V.Slice(nd.Whole(), nd.Index(0))
						if d := math.Abs(toAbs(linalg.VDot(first, start)) - linalg.Norm(start)); d > tolerance*100 {
							t.Errorf("%s: the first vector is not the start", what)
						}
					}
				}
			}
		}
	})
}

func toAbs[T nd.Inexact](v T) float64 { return math.Hypot(real(toComplex(v)), imag(toComplex(v))) }

// checkProjection reports VᴴV other than I, VᴴAV other than T, and T other than
// real and tridiagonal.
func checkProjection[T nd.Inexact](t testing.TB, what string, a, V, tri *nd.NDArray[T], tolerance float64) {
	t.Helper()
	v, av, k := V.Gather(), linalg.MatMul(a, V).Gather(), V.Shape()[1]
	n := V.Shape()[0]
	local := tri.Local()
	for i := range k {
		for j := range k {
			var one, product complex128
			for r := range n {
				one += toComplex(conjOf(v[r*k+i])) * toComplex(v[r*k+j])
				product += toComplex(conjOf(v[r*k+i])) * toComplex(av[r*k+j])
			}
			if i == j {
				one--
			}
			entry := toComplex(local[i*k+j])
			if d := math.Hypot(real(one), imag(one)); d > tolerance {
				t.Errorf("%s: VᴴV - I has %v at %d, %d", what, one, i, j)
			}
			if d := product - entry; math.Hypot(real(d), imag(d)) > 10*tolerance {
				t.Errorf("%s: VᴴAV has %v at %d, %d, T %v", what, product, i, j, entry)
			}
			if imag(entry) != 0 || abs(i-j) > 1 && entry != 0 {
				t.Errorf("%s: T has %v at %d, %d", what, entry, i, j)
			}
		}
	}
}

// TestLanczosInvariant: a space that grows no more ends it.
func TestLanczosInvariant(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		const n = 30
		for _, axis := range []split.Axis{split.None, 0} {
			a := nd.FromFunc(c, nd.Shape{n, n}, axis, func(i []int) float64 {
				if i[0] == i[1] {
					return []float64{1, 2, 5}[i[0]%3]
				}
				return 0
			})
			A := linalg.AsOperator(a)
			start := nd.FromFunc(c, nd.Shape{n}, axis, func(i []int) float64 { return 1e200 * math.Sin(float64(i[0]+1)) })
			V, tri, err := linalg.Lanczos(A, start, 10)
			if err != nil || V.Shape()[1] != 3 {
				t.Errorf("V %v, T %v, error %v", V.Layout(), tri.Layout(), err)
				continue
			}
			checkProjection(t, "invariant", a, V, tri, 1e-13)
			if V, _, err := linalg.Lanczos(A, nd.Zeros[float64](c, nd.Shape{n}, axis), 10); err != nil || V.Shape()[1] != 0 {
				t.Errorf("from zeros: V %v, error %v", V.Layout(), err)
			}
			bad := nd.FromFunc(c, nd.Shape{n}, axis, func(i []int) float64 { return math.NaN() })
			var failed *linalg.NotConvergedError
			if V, _, err := linalg.Lanczos(A, bad, 10); !errors.As(err, &failed) || V.Shape()[1] != 0 {
				t.Errorf("from NaN: V %v, error %v", V.Layout(), err)
			}
		}
	})
}

// TestLanczosBudget: one or two allreduces a step, however many vectors there are.
func TestLanczosBudget(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		if c.Size() == 1 {
			return
		}
		const n, m = 40, 15
		start := nd.FromFunc(c, nd.Shape{n}, 0, func(i []int) float64 { return math.Sin(float64(3 * i[0])) })
		got := calls(c, func() {
			linalg.Lanczos[float64](linalg.AsOperator(element[float64](definite[float64]).matrix(c, split.Block(nd.Shape{n, n}, 0, c.Size()))), start, m)
		})
		if k := got["allreduce"]; k < m || k > 2*m+3 || got["allgatherv"] != m || len(got) != 2 {
			t.Errorf("%v", got)
		}
	})
}

func TestPowerIteration(t *testing.T) {
	t.Run("float64", func(t *testing.T) { testPower[float64](t, 1e-10) })
	t.Run("complex128", func(t *testing.T) { testPower[complex128](t, 1e-10) })
	t.Run("float32", func(t *testing.T) { testPower[float32](t, 1e-5) })
	t.Run("complex64", func(t *testing.T) { testPower[complex64](t, 1e-5) })
}

func testPower[T nd.Inexact](t *testing.T, tolerance float64) {
	// The eigenvalue of a triangle is its diagonal's.
	triangle := func(n, i, j int) T {
		switch {
		case i == j && i == n/2:
			return number[T](-9, 2)
		case i <= j:
			return number[T](1/float64(1+i+j), 0.5)
		}
		return 0
	}
	want := number[T](-9, 2)
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, n := range []int{1, 3, 12} {
			vectors := testLayouts(c, nd.Shape{n})
			for k, la := range testLayouts(c, nd.Shape{n, n}) {
				a := element[T](triangle).matrix(c, la)
				start := nd.FromLayout(c, vectors[k%len(vectors)], func(i []int) T { return number[T](1e30, 0) })
				lambda, v, res, err := linalg.PowerIteration(linalg.AsOperator(a), start, linalg.Rtol(tolerance))
				if err != nil || distance([]T{lambda}, []T{want}) > 10*tolerance || math.Abs(linalg.Norm(v)-1) > 1e-5 || len(res.Residuals) != res.Iterations {
					t.Errorf("%v, from %v: %v, %+v, error %v", la, start.Layout(), lambda, res, err)
				}
				r := nd.Copy(v)
				nd.Scale(lambda, r)
				if d := residualNorm(a, v, r); d > 20*tolerance {
					t.Errorf("%v: residual %v", la, d)
				}
			}
		}
	})
}

func TestPowerIterationGuards(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		matrix := func(x ...float64) linalg.Operator[float64] {
			return linalg.AsOperator(nd.FromSlice(c, x, nd.Shape{2, 2}, 0))
		}
		for _, tt := range []struct {
			name   string
			a      linalg.Operator[float64]
			start  *nd.NDArray[float64]
			reason linalg.Reason
			lambda float64
		}{
			{"eigenvector", matrix(3, 0, 0, 1), vector(c, 0, 1e-300, 0), linalg.Converged, 3},
			{"no eigenvector", matrix(0, 1, -1, 0), vector(c, 0, 1.0, 0), linalg.MaxIterations, 0},
			{"nilpotent", matrix(0, 1, 0, 0), vector(c, 0, 0.0, 1), linalg.Converged, 0},
			{"zeros", matrix(3, 0, 0, 1), vector(c, 0, 0.0, 0), linalg.Breakdown, 0},
			{"NaN", matrix(3, 0, 0, math.NaN()), vector(c, 0, 1.0, 0), linalg.NotFinite, math.NaN()},
			{"infinite", matrix(3, 0, 0, 1), vector(c, 0, math.Inf(1), 0), linalg.NotFinite, 0},
		} {
			lambda, _, res, err := linalg.PowerIteration(tt.a, tt.start, linalg.MaxIter(50))
			if res.Reason != tt.reason || !closeTo([]float64{lambda}, []float64{tt.lambda}, 1e-14) && lambda == lambda {
				t.Errorf("%s: %v, %+v", tt.name, lambda, res)
			}
			checkFailure(t, tt.name, err, res)
		}
	})
}
