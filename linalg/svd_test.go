package linalg_test

import (
	"cmp"
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

func TestSVD(t *testing.T) {
	t.Run("float64", testSVD[float64])
	t.Run("complex128", testSVD[complex128])
	t.Run("float32", testSVD[float32])
	t.Run("complex64", testSVD[complex64])
}

func testSVD[T nd.Inexact](t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		n := 0
		for i, s := range matrixShapes {
			for _, l := range someLayouts[T](c, s, i) {
				kind := kinds[n%len(kinds)]
				checkSVD(t, c, l, n%2 == 1, kind, func(i, j int) T { return kindOf[T](kind, i, j) })
				n++
			}
		}
	})
}

func checkSVD[T nd.Inexact](t testing.TB, c *spmd.Comm, l *split.Layout, transposed bool, kind string, f func(i, j int) T) {
	m, n := l.Shape()[0], l.Shape()[1]
	k := min(m, n)
	a := matrixOf(c, l, transposed, f)
	what := fmt.Sprintf("%T %v, %s, transposed %v", f(0, 0), l, kind, transposed)
	u, sv, vh, err := linalg.SVD(a)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	if !u.Shape().Equal(nd.Shape{m, k}) || !vh.Shape().Equal(nd.Shape{k, n}) || !sv.Shape().Equal(nd.Shape{k}) || sv.Split() != split.None {
		t.Errorf("%s: factors %v, %v and %v", what, u.Layout(), sv.Layout(), vh.Layout())
		return
	}
	wantU, wantV := l.Axis(), l.Axis()
	switch {
	case m >= n && m >= n*c.Size():
		wantV = split.None
	case m < n && n >= m*c.Size():
		wantU = split.None
	}
	if c.Size() > 1 && (u.Split() != wantU || vh.Split() != wantV) {
		t.Errorf("%s: factors %v and %v", what, u.Layout(), vh.Layout())
	}
	s := sv.Local()
	if !slices.IsSortedFunc(s, func(x, y float64) int { return cmp.Compare(y, x) }) || k > 0 && s[k-1] < 0 {
		t.Errorf("%s: singular values %v", what, s)
	}
	us, vs := gathered(u), gathered(vh)
	vals, err := linalg.SVDVals(a)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	got := gathered(a)
	if !picked(c, what) {
		return
	}
	ws := newSmallMatrix(m, n, f)
	if !a.Layout().Equal(l) || got.distance(ws) != 0 {
		t.Errorf("%s: the operand has changed", what)
	}
	tol := precision[T](m, n)
	us2 := newSmallMatrix(m, k, func(i, j int) T { return us.at(i, j) * number[T](s[j], 0) })
	norm := 0.0
	if k > 0 {
		norm = s[0]
	}
	if d := us2.times(vs).distance(ws); !(d <= tol*norm) {
		t.Errorf("%s: USVᴴ is off by %g of %g", what, d, norm)
	}
	if d := orthogonality(us); !(d <= tol) {
		t.Errorf("%s: UᴴU is off by %g", what, d)
	}
	if d := orthogonality(vs.adjoint()); !(d <= tol) {
		t.Errorf("%s: VᴴV is off by %g", what, d)
	}
	for i, v := range vals.Local() {
		if !(math.Abs(v-s[i]) <= tol*norm) {
			t.Errorf("%s: singular value %d is %v alone, %v with vectors", what, i, v, s[i])
		}
	}
}

// TestSVDSquare: several panels and blocks of columns.
func TestSVDSquare(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, s := range []nd.Shape{{40, 40}, {41, 37}} {
			for _, axis := range []split.Axis{0, 1} {
				for _, kind := range []string{"smooth", "rank 2"} {
					checkSVD(t, c, split.Block(s, axis, c.Size()), false, kind, func(i, j int) float64 { return kindOf[float64](kind, i, j) })
				}
			}
		}
	})
}

func TestSVDCommunication(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		if c.Size() == 1 {
			return
		}
		const n = 24
		a := nd.FromFunc(c, nd.Shape{n, n}, 0, func(i []int) float64 { return smooth[float64](i[0], i[1]) })
		got := calls(c, func() { linalg.SVDVals(a) })
		if want := map[string]int64{"alltoallv": 1, "bcast": n, "allgatherv": n - 1, "allreduce": n - 1}; !maps.Equal(got, want) {
			t.Errorf("values: %v, want %v", got, want)
		}
		got = calls(c, func() { linalg.SVD(a) })
		if want := map[string]int64{"alltoallv": 5, "bcast": n + 6, "allgatherv": n - 1, "allreduce": n - 1}; !maps.Equal(got, want) {
			t.Errorf("vectors: %v, want %v", got, want)
		}
		got = calls(c, func() { linalg.SVD(nd.Ones[float64](c, nd.Shape{9, 5}, split.None)) })
		if len(got) > 0 {
			t.Errorf("replicated: %v", got)
		}
	})
}

func TestSVDErrors(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, s := range []nd.Shape{{40, 3}, {5, 5}, {2, 40}} {
			for _, l := range testLayouts(c, s) {
				for _, bad := range []float64{math.NaN(), math.Inf(1)} {
					a := matrixOf(c, l, false, func(i, j int) float64 {
						if i == 1 && j == 1 {
							return bad
						}
						return smooth[float64](i, j)
					})
					_, _, _, err := linalg.SVD(a)
					_, err2 := linalg.SVDVals(a)
					if !errors.Is(err, linalg.ErrNotFinite) || !errors.Is(err2, linalg.ErrNotFinite) || !strings.Contains(err.Error(), "linalg.SVD of "+l.String()) {
						t.Errorf("%v with %v: %v, %v", l, bad, err, err2)
					}
				}
			}
		}
	})
}
