package linalg_test

import (
	"errors"
	"fmt"
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

func TestQRPivot(t *testing.T) {
	t.Run("float64", testQRPivot[float64])
	t.Run("complex64", testQRPivot[complex64])
	t.Run("complex128", testQRPivot[complex128])
}

func testQRPivot[T nd.Inexact](t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		count := 0
		for _, s := range matrixShapes {
			var want []int
			for i, l := range someLayouts[T](c, s, count) {
				m, n := s[0], s[1]
				kind := kinds[count%len(kinds)]
				count++
				f := func(i, j int) T { return kindOf[T](kind, i, j) }
				ws := newSmallMatrix(m, n, f)
				what := fmt.Sprintf("%v, %s", l, kind)
				q, r, pivots := linalg.QRPivot(matrixOf(c, l, i%2 == 1, f))
				if !slices.Equal(slices.Sorted(slices.Values(pivots)), indices(n)) {
					t.Errorf("%s: pivots %v", what, pivots)
					continue
				}
				qs, rs := gathered(q), gathered(r)
				// Of a matrix without near ties every layout gives the same pivots.
				if _, _, p := linalg.QRPivot(matrixOf(c, l, false, smooth[T])); want == nil {
					want = p
				} else if !slices.Equal(p, want) {
					t.Errorf("%v: pivots %v, elsewhere %v", l, p, want)
				}
				if !picked(c, what) {
					continue
				}
				tol := precision[T](m, n)
				ap := newSmallMatrix(m, n, func(i, j int) T { return ws.at(i, pivots[j]) })
				if d := qs.times(rs).distance(ap); !(d <= tol*ws.largest()) {
					t.Errorf("%s: QR is off by %g of %g", what, d, ws.largest())
				}
				if d := orthogonality(qs); !(d <= tol) {
					t.Errorf("%s: QᴴQ is off by %g", what, d)
				}
				last := math.Inf(1)
				for i := range min(m, n) {
					d := real(asComplex(rs.at(i, i)))
					if rs.at(i, i) != conjugateOf(rs.at(i, i)) || d < 0 || d > last+tol*ws.largest() {
						t.Errorf("%s: R[%d, %d] = %v after %v", what, i, i, rs.at(i, i), last)
					}
					last = d
					for j := range i {
						if rs.at(i, j) != 0 {
							t.Errorf("%s: R[%d, %d] = %v", what, i, j, rs.at(i, j))
						}
					}
				}
			}
		}
	})
}

func indices(n int) []int {
	var x []int
	for i := range n {
		x = append(x, i)
	}
	return x
}

// decaying is a matrix of the given rank whose singular values decay.
func decaying[T nd.Inexact](rank int) func(i, j int) T {
	return func(i, j int) (sum T) {
		for r := range rank {
			sum += smooth[T](i, 100+r) * smooth[T](200+r, j) * number[T](math.Pow(0.5, float64(r)), 0)
		}
		return sum
	}
}

// checkTruncated checks a decomposition of rank r of the matrix f: its
// distance, its orthogonality, and its layouts.
func checkTruncated[T nd.Inexact](t testing.TB, what string, a, u *nd.NDArray[T], s *nd.NDArray[float64], vh *nd.NDArray[T], r int, within float64) {
	t.Helper()
	m, n := a.Shape()[0], a.Shape()[1]
	if !u.Shape().Equal(nd.Shape{m, r}) || !vh.Shape().Equal(nd.Shape{r, n}) || s.Size() != r {
		t.Errorf("%s: factors %v, %v and %v, want rank %d", what, u.Layout(), s.Layout(), vh.Layout(), r)
		return
	}
	wantU, wantV := split.None, split.None
	switch a.Split() {
	case 0:
		wantU = 0
	case 1:
		wantV = 1
	}
	if u.Split() != wantU || vh.Split() != wantV || s.Split() != split.None {
		t.Errorf("%s: factors %v, %v and %v", what, u.Layout(), s.Layout(), vh.Layout())
	}
	ws, us, vs := gathered(a), gathered(u), gathered(vh)
	if !picked(a.Comm(), what) {
		return
	}
	tol := precision[T](m, n)
	us2 := newSmallMatrix(m, r, func(i, j int) T { return us.at(i, j) * number[T](s.Local()[j], 0) })
	d := us2.times(vs)
	sum := 0.0
	for i, v := range ws.data {
		e := modulus(v - d.data[i])
		sum += e * e
	}
	if e := math.Sqrt(sum); !(e <= within+tol*ws.largest()*math.Sqrt(float64(m*n))) {
		t.Errorf("%s: off by %g, want %g", what, e, within)
	}
	if e := max(orthogonality(us), orthogonality(vs.adjoint())); !(e <= tol) {
		t.Errorf("%s: orthogonality off by %g", what, e)
	}
}

func TestHierarchicalSVD(t *testing.T) {
	t.Run("float64", testHierarchicalSVD[float64])
	t.Run("complex128", testHierarchicalSVD[complex128])
	t.Run("float32", testHierarchicalSVD[float32])
}

func testHierarchicalSVD[T nd.Inexact](t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for i, s := range []nd.Shape{{15, 12}, {7, 20}, {20, 6}, {5, 5}} {
			for _, l := range someLayouts[T](c, s, i) {
				a := matrixOf(c, l, false, decaying[T](4))
				u, sv, vh, bound, err := linalg.HierarchicalSVD(a, 0, 1e-5)
				what := fmt.Sprintf("%v of rank 4", l)
				if err != nil {
					t.Errorf("%s: %v", what, err)
					continue
				}
				checkTruncated(t, what, a, u, sv, vh, 4, 1e-5*linalg.Norm(a))
				if bound > 1e-5*linalg.Norm(a) {
					t.Errorf("%s: bound %g of %g", what, bound, linalg.Norm(a))
				}
				u, sv, vh, bound, err = linalg.HierarchicalSVD(a, 2, 0)
				if err != nil {
					t.Errorf("%s: %v", what, err)
					continue
				}
				checkTruncated(t, what+", wanted 2", a, u, sv, vh, 2, bound)
				u, sv, vh, _, err = linalg.HierarchicalSVD(a, 0, 0.3)
				if err != nil || sv.Size() >= 4 {
					t.Errorf("%s: rank %d for 30 percent, %v", what, sv.Size(), err)
					continue
				}
				checkTruncated(t, what+", 30 percent", a, u, sv, vh, sv.Size(), 0.3*linalg.Norm(a))
			}
		}
		for _, axis := range []split.Axis{split.None, 0, 1} {
			a := nd.Zeros[T](c, nd.Shape{6, 5}, axis)
			u, sv, vh, bound, err := linalg.HierarchicalSVD(a, 0, 0)
			if err != nil || bound != 0 {
				t.Errorf("zero: bound %v, error %v", bound, err)
				continue
			}
			checkTruncated(t, "zero", a, u, sv, vh, 0, 0)
			nan := nd.Full(c, nd.Shape{6, 5}, number[T](math.NaN(), 0), axis)
			if _, _, _, _, err := linalg.HierarchicalSVD(nan, 0, 0); !errors.Is(err, linalg.ErrNotFinite) {
				t.Errorf("NaN: %v", err)
			}
		}
	})
}

func TestRandomizedSVD(t *testing.T) {
	t.Run("float64", testRandomizedSVD[float64])
	t.Run("complex128", testRandomizedSVD[complex128])
	t.Run("float32", testRandomizedSVD[float32])
}

func testRandomizedSVD[T nd.Inexact](t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for i, s := range []nd.Shape{{15, 12}, {7, 20}, {20, 6}, {1, 9}} {
			r := min(4, s[0])
			for _, l := range someLayouts[T](c, s, i) {
				a := matrixOf(c, l, false, decaying[T](r))
				powers := 2 * (i % 2) // the matrix has rank r: without any the result is as good
				what := fmt.Sprintf("%v of rank %d, %d power iterations", l, r, powers)
				u, sv, vh, err := linalg.RandomizedSVD(a, r, linalg.Seed(3), linalg.Oversampling(2), linalg.PowerIterations(powers))
				if err != nil {
					t.Errorf("%s: %v", what, err)
					continue
				}
				checkTruncated(t, what, a, u, sv, vh, r, 0)
				exact, err := linalg.SVDVals(a)
				if err != nil {
					t.Error(err)
				}
				for i, v := range sv.Local() {
					if w := exact.Local()[i]; !(math.Abs(v-w) <= precision[T](s[0], s[1])*exact.Local()[0]) {
						t.Errorf("%s: singular value %v, want %v", what, v, w)
					}
				}
			}
		}
	})
}

func TestPolar(t *testing.T) {
	t.Run("float64", testPolar[float64])
	t.Run("complex128", testPolar[complex128])
	t.Run("float32", testPolar[float32])
}

func testPolar[T nd.Inexact](t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		count := 0
		for i, s := range []nd.Shape{{6, 6}, {30, 3}, {9, 7}, {3, 30}, {7, 9}, {1, 1}} {
			for _, l := range someLayouts[T](c, s, i) {
				kind := kinds[count%len(kinds)]
				count++
				f := func(i, j int) T { return kindOf[T](kind, i, j) }
				a, ws := matrixOf(c, l, false, f), newSmallMatrix(s[0], s[1], f)
				what := fmt.Sprintf("%v, %s", l, kind)
				u, h, err := linalg.Polar(a)
				if err != nil {
					t.Errorf("%s: %v", what, err)
					continue
				}
				wantH := l.Axis()
				if s[0] >= s[1]*c.Size() {
					wantH = split.None
				}
				if !u.Layout().Equal(l) || c.Size() > 1 && h.Split() != wantH {
					t.Errorf("%s: factors %v and %v", what, u.Layout(), h.Layout())
				}
				us, hs := gathered(u), gathered(h)
				tol := precision[T](s[0], s[1])
				size := ws.largest() * math.Sqrt(float64(s[0]*s[1]))
				if d := us.times(hs).distance(ws); !(d <= tol*size) {
					t.Errorf("%s: UH is off by %g of %g", what, d, size)
				}
				o := us
				if s[0] < s[1] {
					o = us.adjoint()
				}
				if d := orthogonality(o); !(d <= tol) {
					t.Errorf("%s: orthogonality off by %g", what, d)
				}
				if d := hs.distance(hs.adjoint()); !(d <= tol*size) {
					t.Errorf("%s: H is off by %g from Hermitian", what, d)
				}
				w, err := linalg.EigValsH(h)
				if err != nil || w.Local()[0] < -tol*size {
					t.Errorf("%s: H has eigenvalues %v, %v", what, w.Local(), err)
				}
			}
		}
	})
}

func TestLowRankMisuse(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.Ones[float64](c, nd.Shape{4, 3}, 0)
		v := nd.Ones[float64](c, nd.Shape{3}, 0)
		for want, f := range map[string]func(){
			"linalg.RandomizedSVD at":   func() { linalg.RandomizedSVD(a, 0) },
			"linalg.HierarchicalSVD at": func() { linalg.HierarchicalSVD(a, -1, 0) },
			"tolerance NaN":             func() { linalg.HierarchicalSVD(a, 1, math.NaN()) },
			"linalg.QRPivot at":         func() { linalg.QRPivot(v) },
			"linalg.Polar at":           func() { linalg.Polar(v) },
			"linalg.SVD at":             func() { linalg.SVD(v) },
		} {
			if err := nd.Try(f); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v does not say %q", err, want)
			}
		}
	})
}
