package linalg_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

func TestPreconditioners(t *testing.T) {
	t.Run("float64", func(t *testing.T) { testPreconditioners[float64](t, 1e-13) })
	t.Run("complex128", func(t *testing.T) { testPreconditioners[complex128](t, 1e-13) })
	t.Run("float32", func(t *testing.T) { testPreconditioners[float32](t, 1e-5) })
	t.Run("complex64", func(t *testing.T) { testPreconditioners[complex64](t, 1e-5) })
}

// testPreconditioners multiplies what a preconditioner returns by the blocks.
func testPreconditioners[T nd.Inexact](t *testing.T, tolerance float64) {
	// Small pivots make rows change places.
	entry := func(n, i, j int) T {
		if i == j {
			return number[T](0.45, 0)
		}
		return skewed[T](n, i, j) * number[T](float64(1+(i+2*j)%5), 0)
	}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, n := range []int{0, 1, 7, 40} {
			for k, la := range testLayouts(c, nd.Shape{n, n}) {
				a := element[T](entry).matrix(c, la)
				vectors := testLayouts(c, nd.Shape{n})
				lx, ly := vectors[k%len(vectors)], vectors[(k+1)%len(vectors)]
				for _, size := range []int{-1, 1, 5, 0} {
					M := jacobiOf(t, a)
					if size >= 0 {
						M = blockJacobiOf(t, a, size)
					}
					start := blockStart(la, size)
					for _, adjoint := range []bool{false, true} {
						x, y := array[T](c, lx, 1, false), nd.Wrap(c, ly, make([]T, ly.LocalSize(c.Rank())))
						if adjoint {
							M.ApplyAdjoint(y, x)
						} else {
							M.Apply(y, x)
						}
						all, diff, most := y.Gather(), 0.0, 1.0
						for i := range n {
							var sum T
							for j := range n {
								if start(i) != start(j) {
									continue
								}
								if adjoint {
									sum += conjOf(entry(n, j, i)) * all[j]
								} else {
									sum += entry(n, i, j) * all[j]
								}
							}
							diff = max(diff, distance([]T{sum}, []T{at[T](1, []int{i})}))
							most = max(most, math.Hypot(real(toComplex(all[i])), imag(toComplex(all[i]))))
						}
						if diff > tolerance*float64(n+1)*most || math.IsNaN(diff) {
							t.Errorf("%v, size %d, from %v to %v, adjoint %v: off by %v", la, size, lx, ly, adjoint, diff)
						}
						checkArray(t, "argument", x, func(i []int) T { return at[T](1, i) })
					}
				}
			}
		}
	})
}

func conjOf[T nd.Inexact](v T) T {
	z := toComplex(v)
	return number[T](real(z), -imag(z))
}

// blockStart returns the function that says where an index's block starts.
func blockStart(l *split.Layout, size int) func(i int) int {
	return func(i int) int {
		lo := 0
		if !l.Replicated() {
			lo, _ = l.Range(l.Owner(i))
		}
		switch size {
		case -1:
			return i
		case 0:
			return lo
		}
		return lo + (i-lo)/size*size
	}
}

func TestPreconditionerErrors(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, axis := range []split.Axis{split.None, 0, 1} {
			for _, bad := range []float64{0, math.NaN(), math.Inf(1)} {
				a := nd.FromFunc(c, nd.Shape{9, 9}, axis, func(i []int) float64 {
					switch {
					case i[0] != i[1]:
						return 0
					case i[0] == 4 || i[0] == 7:
						return bad
					}
					return 2
				})
				if M, err := linalg.Jacobi(a); M != nil || err == nil || !strings.Contains(err.Error(), "diagonal element 4 is zero or not finite") {
					t.Errorf("split %v: %v, error %v", axis, M, err)
				}
				got := calls(c, func() {
					M, err := linalg.BlockJacobi(a, 1)
					if M != nil || err == nil || !strings.Contains(err.Error(), "from row 4 on") {
						t.Errorf("split %v: %v, error %v", axis, M, err)
					}
				})
				want := int64(1)
				if axis == split.None || c.Size() == 1 {
					want = 0
				}
				if got["allreduce"] != want || len(got) > 1 {
					t.Errorf("split %v: %v", axis, got)
				}
			}
		}
	})
}

// TestPreconditionedSteps: better preconditioners, fewer steps; with one block for
// the whole matrix one.
func TestPreconditionedSteps(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		const n = 60
		a := nd.FromFunc(c, nd.Shape{n, n}, 0, func(i []int) float64 {
			switch abs(i[0] - i[1]) {
			case 0:
				return 2 + 100*float64(i[0]%7)
			case 1:
				return -1
			}
			return 0
		})
		b := nd.Ones[float64](c, nd.Shape{n}, 0)
		A := linalg.AsOperator(a)
		for _, name := range squareNames {
			var steps [4]int
			for k, M := range []linalg.Operator[float64]{nil, jacobiOf(t, a), blockJacobiOf(t, a, 0), blockJacobiOf(t, a.Resplit(split.None), 0)} {
				opts := []linalg.SolverOption{linalg.Rtol(1e-8)}
				if M != nil {
					opts = append(opts, linalg.Precondition(M))
				}
				x, res, err := squareSolvers[float64]()[name](A, b, opts...)
				if r := residualNorm(a, x, b); err != nil || r > 1e-6*linalg.Norm(b) {
					t.Errorf("%s, preconditioner %d: residual %v, error %v", name, k, r, err)
				}
				steps[k] = res.Iterations
			}
			if steps[1] > steps[0] || steps[2] > steps[1] || steps[3] != 1 {
				t.Errorf("%s: steps %v", name, fmt.Sprint(steps))
			}
		}
	})
}
