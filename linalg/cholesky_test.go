package linalg_test

import (
	"errors"
	"maps"
	"math"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

func TestCholesky(t *testing.T) {
	narrowBlocks(t)
	t.Run("float64", testCholesky[float64])
	t.Run("float32", testCholesky[float32])
	t.Run("complex128", testCholesky[complex128])
	t.Run("complex64", testCholesky[complex64])
}

func testCholesky[T nd.Inexact](t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, n := range []int{0, 1, 2, 4, 11, 25} {
			for k, l := range testLayouts(c, nd.Shape{n, n}) {
				f := func(i, j int) T { return definite[T](n, i, j) }
				a := elements(c, l, k%2 == 1, func(i, j int) T {
					if j > i { // is not read
						return number[T](math.NaN(), 0)
					}
					if i == j { // nor is the imaginary part
						return f(i, j) + number[T](0, 3)
					}
					return f(i, j)
				})
				split := c.Size() > 1 && !l.Replicated()
				want := map[string]int64{}
				if split {
					want = nonzero(map[string]int64{"alltoallv": 2, "bcast": blocksOf(n)})
				}
				var low *nd.NDArray[T]
				var err error
				if got := calls(c, func() { low, err = linalg.Cholesky(a) }); !maps.Equal(got, want) {
					t.Errorf("%v: communicates %v, want %v", l, got, want)
				}
				if err != nil || !low.Layout().Equal(l) {
					t.Errorf("%v: factor %v, error %v", l, low.Layout(), err)
					continue
				}
				L := whole(low)
				A := tabulate(n, n, func(i, j int) complex128 { return complexOf(f(i, j)) })
				if d := L.times(L.h()).apart(A); !(d <= roundoff[T]()*float64(n*n)) || !isTriangle(L, true) {
					t.Errorf("%v: L·Lᴴ is off by %v", l, d)
				}
				for i := range n {
					if z := L.at(i, i); real(z) <= 0 || imag(z) != 0 {
						t.Errorf("%v: diagonal has %v", l, z)
					}
				}
				if before := whole(a); !a.Layout().Equal(l) || before.rows > 1 && before.at(1, 0) != complexOf(f(1, 0)) {
					t.Errorf("%v: operand changed", l)
				}
			}
		}
	})
}

func TestCholeskyFactors(t *testing.T) {
	narrowBlocks(t)
	t.Run("float64", testCholeskyFactors[float64])
	t.Run("complex64", testCholeskyFactors[complex64])
}

func testCholeskyFactors[T nd.Inexact](t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, n := range []int{0, 1, 13} {
			f := func(i, j int) T { return definite[T](n, i, j) }
			A := tabulate(n, n, func(i, j int) complex128 { return complexOf(f(i, j)) })
			limit := roundoff[T]() * float64(10*n+10)
			for k, l := range testLayouts(c, nd.Shape{n, n}) {
				ch, err := linalg.FactorCholesky(elements(c, l, k%2 == 0, f))
				if err != nil {
					t.Errorf("%v: %v", l, err)
					continue
				}
				for _, shape := range []nd.Shape{{n}, {n, 4}} {
					for m, lb := range testLayouts(c, shape) {
						b := elements(c, lb, m%2 == 0, general[T])
						var x *nd.NDArray[T]
						got := calls(c, func() { x = ch.Solve(b) })
						want := map[string]int64{}
						if c.Size() > 1 && !l.Replicated() {
							countMoves(want, lb)
							want["reduce"], want["bcast"] = max(0, blocksOf(n)-1), max(0, blocksOf(n)-1)
							if !maps.Equal(got, nonzero(want)) {
								t.Errorf("%v, b %v: communicates %v, want %v", l, lb, got, want)
							}
						}
						if d := A.times(whole(x)).apart(whole(b)); !(d <= limit*3) || !x.Layout().Equal(lb) {
							t.Errorf("%v, b %v: A·x is off by %v", l, lb, d)
						}
					}
				}
				if d := A.times(whole(ch.Inv())).apart(tabulate(n, n, func(i, j int) complex128 { return complex(float64(btoi(i == j)), 0) })); !(d <= limit) {
					t.Errorf("%v: A·A⁻¹ is off by %v", l, d)
				}
				lu := linalg.LU(elements(c, l, false, f))
				_, want := lu.SlogDet()
				if d := ch.LogDet() - want; math.Abs(d) > limit {
					t.Errorf("%v: logdet is off by %v", l, d)
				}
				x, y := real(complexOf(ch.Det())), real(complexOf(lu.Det()))
				if math.Abs(x-y) > limit*math.Abs(y) {
					t.Errorf("%v: det %v, by LU %v", l, x, y)
				}
			}
		}
	})
}

// TestCholeskyFails: every rank gets the same error.
func TestCholeskyFails(t *testing.T) {
	narrowBlocks(t)
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		const n = 11
		for _, l := range testLayouts(c, nd.Shape{n, n}) {
			for bad := range n {
				for _, v := range []float64{0, -1, math.NaN()} {
					_, err := linalg.Cholesky(elements(c, l, false, func(i, j int) float64 {
						if i != j {
							return 0
						}
						if i == bad {
							return v
						}
						return 2
					}))
					var e *linalg.NotPositiveDefiniteError
					if !errors.As(err, &e) || e.Order != bad+1 {
						t.Errorf("%v: %v at %d: %v", l, v, bad, err)
					}
				}
			}
		}
	})
}

// TestCholeskyHilbert: the residual is small though the matrix is nearly singular.
func TestCholeskyHilbert(t *testing.T) {
	narrowBlocks(t)
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		const n = 12
		for axis := split.None; axis < 2; axis++ {
			a := elements(c, split.Block(nd.Shape{n, n}, axis, c.Size()), false, func(i, j int) float64 { return 1 / float64(1+i+j) })
			l, err := linalg.Cholesky(a)
			if err != nil {
				t.Errorf("split %v: %v", axis, err)
				continue
			}
			if d := whole(l).times(whole(l).h()).apart(whole(a)); d > 1e-15 {
				t.Errorf("split %v: L·Lᴴ is off by %v", axis, d)
			}
		}
	})
}
