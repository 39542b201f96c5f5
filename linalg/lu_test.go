package linalg_test

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/cmplx"
	"slices"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

func TestLU(t *testing.T) {
	narrowBlocks(t)
	t.Run("float64", testLU[float64])
	t.Run("float32", testLU[float32])
	t.Run("complex128", testLU[complex128])
	t.Run("complex64", testLU[complex64])
}

func testLU[T nd.Inexact](t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		n := 0
		for _, s := range []nd.Shape{{0, 0}, {0, 3}, {3, 0}, {1, 1}, {1, 6}, {6, 1}, {2, 2}, {4, 11}, {11, 4}, {25, 25}} {
			for _, l := range testLayouts(c, s) {
				checkLU(t, elements(c, l, n%2 == 1, general[T]), general[T])
				n++
			}
		}
	})
}

// checkLU checks the factors of a, whose elements are f.
func checkLU[T nd.Inexact](t testing.TB, a *nd.NDArray[T], f func(i, j int) T) {
	t.Helper()
	c, layout := a.Comm(), a.Layout()
	m, n := layout.Shape()[0], layout.Shape()[1]
	k := min(m, n)
	var lu *linalg.LUFactors[T]
	got := calls(c, func() { lu = linalg.LU(a) })
	want := map[string]int64{}
	if c.Size() > 1 && !layout.Replicated() {
		want = map[string]int64{"alltoallv": 1, "bcast": blocksOf(k)}
	}
	if !maps.Equal(got, nonzero(want)) {
		t.Errorf("LU of %v: communicates %v, want %v", layout, got, want)
	}
	var p, l, u *nd.NDArray[T]
	if got := calls(c, func() { p = lu.P() }); len(got) > 0 {
		t.Errorf("P of %v: communicates %v", layout, got)
	}
	delete(want, "bcast")
	if got := calls(c, func() { l = lu.L() }); !maps.Equal(got, want) {
		t.Errorf("L of %v: communicates %v", layout, got)
	}
	if got := calls(c, func() { u = lu.U() }); !maps.Equal(got, want) {
		t.Errorf("U of %v: communicates %v", layout, got)
	}
	if p.Split() != layout.Axis() || l.Split() != layout.Axis() || u.Split() != layout.Axis() {
		t.Errorf("factors of %v: %v, %v, %v", layout, p.Layout(), l.Layout(), u.Layout())
	}
	if m == n && !(l.Layout().Equal(layout) && u.Layout().Equal(layout) && p.Layout().Equal(layout)) {
		t.Errorf("factors of %v: %v, %v, %v", layout, p.Layout(), l.Layout(), u.Layout())
	}
	A, P, L, U := whole(a), whole(p), whole(l), whole(u)
	if L.cols != k || U.rows != k || !isTriangle(L, true) || !isTriangle(U, false) {
		t.Errorf("factors of %v are no triangles", layout)
	}
	for i := range k {
		if L.at(i, i) != 1 {
			t.Errorf("L of %v has %v on the diagonal", layout, L.at(i, i))
		}
	}
	if size := L.largest(); size > 1.42 || size > 1 && imag(complexOf(number[T](0, 1))) == 0 {
		t.Errorf("L of %v has an element of size %v", layout, size)
	}
	limit := roundoff[T]() * float64(4+4*max(m, n)) * math.Max(1, A.largest()*U.largest())
	if d := P.times(L).times(U).apart(A); !(d <= limit) {
		t.Errorf("%v: P·L·U is off by %v", layout, d)
	}
	for i, r := range lu.Perm() {
		if P.at(r, i) != 1 {
			t.Errorf("%v: permutation %v is not P", layout, lu.Perm())
		}
	}
	if !a.Layout().Equal(layout) || A.apart(tabulate(m, n, func(i, j int) complex128 { return complexOf(f(i, j)) })) > 0 {
		t.Errorf("LU changed its operand %v", layout)
	}
}

// TestLUSingular: factors exist for every matrix.
func TestLUSingular(t *testing.T) {
	narrowBlocks(t)
	deficient := func(i, j int) float64 { return float64((i%3+1)*(j%4+1) + i%2) }
	zero := func(i, j int) float64 { return 0 }
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, l := range testLayouts(c, nd.Shape{10, 10}) {
			checkLU(t, elements(c, l, false, deficient), deficient)
			checkLU(t, elements(c, l, false, zero), zero)
			_, err := linalg.Inv(elements(c, l, false, zero))
			var singular *linalg.SingularError
			if !errors.As(err, &singular) || singular.Column != 0 {
				t.Errorf("inverse of zero: %v", err)
			}
			if d := linalg.Det(elements(c, l, false, zero)); d != 0 {
				t.Errorf("det of zero is %v", d)
			}
			if s, d := linalg.SlogDet(elements(c, l, false, zero)); s != 0 || !math.IsInf(d, -1) {
				t.Errorf("slogdet of zero is %v, %v", s, d)
			}
			// Column 5 is empty.
			hole := elements(c, l, false, func(i, j int) float64 {
				if j == 5 {
					return 0
				}
				return general[float64](i, j)
			})
			b := elements(c, testLayouts(c, nd.Shape{10})[0], false, general[float64])
			for _, solve := range []func() error{
				func() error { _, err := linalg.Solve(hole, b); return err },
				func() error { _, err := linalg.LU(hole).SolveAdjoint(b); return err },
				func() error { _, err := linalg.LU(hole).Inv(); return err },
			} {
				if err := solve(); !errors.As(err, &singular) || singular.Column != 5 {
					t.Errorf("column 5 is zero: %v", err)
				}
			}
			if r := linalg.LU(hole).RCond(); r != 0 {
				t.Errorf("rcond of a singular matrix is %v", r)
			}
			// NaN is not lost, and not an error.
			nan := elements(c, l, false, func(i, j int) float64 {
				if i == 7 && j == 2 {
					return math.NaN()
				}
				return general[float64](i, j)
			})
			if d := linalg.Det(nan); d == d {
				t.Errorf("det of a matrix with NaN is %v", d)
			}
			if r := linalg.LU(nan).RCond(); r == r {
				t.Errorf("rcond of a matrix with NaN is %v", r)
			}
			if x, err := linalg.Solve(nan, b); err != nil || whole(x).largest() == whole(x).largest() {
				t.Errorf("solution with NaN: %v, error %v", whole(x).data, err)
			}
		}
	})
}

// TestLUVolume: a block of w columns from j on is w·(m−j+2) elements to each rank.
func TestLUVolume(t *testing.T) {
	narrowBlocks(t)
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		const m, n = 20, 14
		for axis := range split.Axis(2) {
			a := elements(c, split.Block(nd.Shape{m, n}, axis, c.Size()), false, general[float64])
			before := c.Stats()
			linalg.LU(a)
			got := c.Stats().Sub(before)
			var bytes, lines int64
			for j := 0; j < n; j += testBlock {
				w := min(testBlock, n-j)
				if j/testBlock%c.Size() == c.Rank() {
					bytes += int64(8 * w * (m - j + 2) * (c.Size() - 1))
					lines += int64(w)
				}
			}
			if got["bcast"].Bytes != bytes {
				t.Errorf("broadcasts %d bytes, want %d", got["bcast"].Bytes, bytes)
			}
			if axis == 0 {
				lo, hi := a.Layout().Range(c.Rank())
				if want := int64(8*(hi-lo)) * (n - lines); got["alltoallv"].Bytes != want {
					t.Errorf("deals out %d bytes, want %d", got["alltoallv"].Bytes, want)
				}
			}
		}
	})
}

// TestReportP41DetOfSmallPivots: no pivot is too small to count.
func TestReportP41DetOfSmallPivots(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		diagonal := func(d ...float64) func(i, j int) float64 {
			return func(i, j int) float64 {
				if i == j {
					return d[i]
				}
				return 0
			}
		}
		for _, l := range testLayouts(c, nd.Shape{2, 2}) {
			a := elements(c, l, false, diagonal(1e-9, 1e9))
			if d := linalg.Det(a); math.Abs(d-1) > 1e-15 {
				t.Errorf("det(diag(1e-9, 1e9)) = %v", d)
			}
			if s, d := linalg.SlogDet(a); s != 1 || math.Abs(d) > 1e-15 {
				t.Errorf("slogdet(diag(1e-9, 1e9)) = %v, %v", s, d)
			}
			if x, err := linalg.Inv(a); err != nil || cmplx.Abs(whole(x).at(0, 0)-1e9) > 1e-6 || cmplx.Abs(whole(x).at(1, 1)-1e-9) > 1e-24 {
				t.Errorf("inv(diag(1e-9, 1e9)): %v", err)
			}
		}
		// Products of pivots leave the range of float64 and come back.
		d := []float64{1e300, 1e300, -1e-300, 5e-324, 1e-290, 1e3, 2e300}
		for _, l := range testLayouts(c, nd.Shape{7, 7}) {
			a := elements(c, l, false, diagonal(d...))
			want := -1e300 * d[3] * 1e-290 * 1e3 * 2e300
			if got := linalg.Det(a); math.Abs(got/want-1) > 1e-14 {
				t.Errorf("det of a graded matrix is %v, want %v", got, want)
			}
			if s, got := linalg.SlogDet(a); s != -1 || math.Abs(got-math.Log(-want)) > 1e-12 {
				t.Errorf("slogdet of a graded matrix is %v, %v, want %v", s, got, math.Log(-want))
			}
			a = elements(c, l, false, diagonal(1e300, -1e300, 1, 1, 1, 1, 1))
			if got := linalg.Det(a); !math.IsInf(got, -1) {
				t.Errorf("det is %v, want -Inf", got)
			}
			if s, got := linalg.SlogDet(a); s != -1 || math.Abs(got-600*math.Ln10) > 1e-11 {
				t.Errorf("slogdet is %v, %v", s, got)
			}
		}
	})
}

// TestDetOfPermutation: the sign is that of the exchanges.
func TestDetOfPermutation(t *testing.T) {
	narrowBlocks(t)
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for n := range 8 {
			cycle := func(i, j int) complex64 {
				if (i+1)%n == j {
					return 1i
				}
				return 0
			}
			want := cmplx.Pow(1i, complex(float64(n), 0)) * complex(float64(1-2*((n+1)%2)), 0)
			if n == 0 {
				want = 1
			}
			for _, l := range testLayouts(c, nd.Shape{n, n}) {
				f := linalg.LU(elements(c, l, false, cycle))
				if d := complex128(f.Det()); cmplx.Abs(d-want) > 1e-6 {
					t.Errorf("det of a cycle of %d is %v, want %v", n, d, want)
				}
				perm := f.Perm()
				slices.Sort(perm)
				for i, p := range perm {
					if i != p {
						t.Errorf("no permutation: %v", f.Perm())
					}
				}
			}
		}
	})
}

func TestRCond(t *testing.T) {
	narrowBlocks(t)
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		n := 8
		hilbert := func(i, j int) float64 { return 1 / float64(1+i+j) }
		for _, l := range testLayouts(c, nd.Shape{n, n}) {
			for _, tt := range []struct {
				f        func(i, j int) float64
				lo, hi   float64
				describe string
			}{
				{func(i, j int) float64 { return float64(btoi(i == j)) }, 1, 1, "unit"},
				{func(i, j int) float64 { return float64(btoi(i == j)) * math.Pow(10, float64(i)) }, 0.99e-7, 1.01e-7, "graded"},
				{hilbert, 1 / 3.5e10, 1 / 3e10, "Hilbert"}, // cond₁ is 3.387e10
			} {
				f := linalg.LU(elements(c, l, false, tt.f))
				var r float64
				got := calls(c, func() { r = f.RCond() })
				if r < tt.lo*(1-1e-4) || r > tt.hi*(1+1e-4) {
					t.Errorf("%s: rcond %v", tt.describe, r)
				}
				if c.Size() == 1 || l.Replicated() {
					if len(got) > 0 {
						t.Errorf("%s: communicates %v", tt.describe, got)
					}
				} else if got["allreduce"] != 1 || got["allgatherv"] > 10 || got["alltoallv"] > 0 {
					t.Errorf("%s: communicates %v", tt.describe, got)
				}
			}
			f := linalg.LU(elements(c, l, true, general[complex64]))
			if r := f.RCond(); !(r > 1e-4 && r < 1) {
				t.Errorf("complex: rcond %v", r)
			}
		}
	})
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestTrace(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, s := range []nd.Shape{{0, 0}, {0, 3}, {1, 1}, {5, 5}, {3, 8}, {8, 3}} {
			for _, l := range testLayouts(c, s) {
				var want int64
				for i := range min(s[0], s[1]) {
					want += value[int64](1, i, i)
				}
				a, b := array[int64](c, l, 1, true), array[complex64](c, l, 1, false)
				var got int64
				n := calls(c, func() { got = linalg.Trace(a) })
				if got != want {
					t.Errorf("trace of %v is %d, want %d", l, got, want)
				}
				if z := linalg.Trace(b); int64(real(z)) != want {
					t.Errorf("trace of %v is %v", l, z)
				}
				if k := int64(btoi(!l.Replicated())); n["allreduce"] != k || int64(len(n)) != k {
					t.Errorf("trace of %v communicates %v", l, n)
				}
			}
		}
	})
}

func TestFactorMisuse(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		wide := nd.Zeros[float64](c, nd.Shape{2, 3}, 0)
		square, three := nd.Zeros[float64](c, nd.Shape{2, 2}, 1), nd.Zeros[float64](c, nd.Shape{3}, 0)
		for i, f := range []func(){
			func() { linalg.LU(three) },
			func() { linalg.LU(wide).Det() },
			func() { linalg.LU(wide).Inv() },
			func() { linalg.Solve(wide, three) },
			func() { linalg.Solve(square, three) },
			func() { linalg.Cholesky(wide) },
			func() { linalg.Trace(three) },
			func() { linalg.Det(three) },
			func() { linalg.SolveTriangular(square, three) },
			func() {
				linalg.SolveTriangular(square, square, linalg.TransposedSolve, linalg.AdjointSolve)
			},
		} {
			if err := nd.Try(f); err == nil {
				t.Errorf("misuse %d is not noticed", i)
			} else if i == 4 && err.Error() == "" {
				t.Error(fmt.Sprint(err))
			}
		}
	})
}
