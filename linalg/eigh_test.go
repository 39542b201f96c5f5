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

func TestEigH(t *testing.T) {
	t.Run("float64", testEigH[float64])
	t.Run("complex128", testEigH[complex128])
	t.Run("float32", testEigH[float32])
	t.Run("complex64", testEigH[complex64])
}

// hermitianOf makes a Hermitian matrix of any.
func hermitianOf[T nd.Inexact](f func(i, j int) T) func(i, j int) T {
	return func(i, j int) T { return f(i, j) + conjugateOf(f(j, i)) }
}

// The kinds of Hermitian matrices beside those of kinds.
var hermitianKinds = append([]string{"diagonal", "identity", "wilkinson"}, kinds...)

func hermitianKind[T nd.Inexact](kind string) func(i, j int) T {
	switch kind {
	case "diagonal":
		return func(i, j int) T {
			if i != j {
				return 0
			}
			return number[T](math.Pow(10, float64(i%19-9)), 0)
		}
	case "identity":
		return func(i, j int) T {
			if i != j {
				return 0
			}
			return 1
		}
	case "wilkinson": // pairs of eigenvalues that nearly agree
		return func(i, j int) T {
			switch i - j {
			case 0:
				return number[T](math.Abs(float64(i)-10), 0)
			case 1, -1:
				return 1
			}
			return 0
		}
	}
	return hermitianOf(func(i, j int) T { return kindOf[T](kind, i, j) })
}

func testEigH[T nd.Inexact](t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		count := 0
		for i, n := range []int{0, 1, 2, 3, 9, 21, 34} {
			for _, l := range someLayouts[T](c, nd.Shape{n, n}, i) {
				kind := hermitianKinds[count%len(hermitianKinds)]
				checkEigH(t, c, l, count%2 == 1, kind, hermitianKind[T](kind))
				count++
			}
		}
	})
}

func TestEigHKinds(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, kind := range hermitianKinds {
			checkEigH(t, c, split.Block(nd.Shape{37, 37}, 0, c.Size()), false, kind, hermitianKind[float64](kind))
		}
	})
}

func checkEigH[T nd.Inexact](t testing.TB, c *spmd.Comm, l *split.Layout, transposed bool, kind string, f func(i, j int) T) {
	n := l.Shape()[0]
	a := matrixOf(c, l, transposed, f)
	what := fmt.Sprintf("%T %v, %s, transposed %v", f(0, 0), l, kind, transposed)
	wv, v, err := linalg.EigH(a)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	if !v.Layout().Equal(l) || !wv.Shape().Equal(nd.Shape{n}) || wv.Split() != split.None {
		t.Errorf("%s: results %v and %v", what, wv.Layout(), v.Layout())
		return
	}
	w := wv.Local()
	if !slices.IsSorted(w) {
		t.Errorf("%s: eigenvalues %v", what, w)
	}
	vs := gathered(v)
	vals, err := linalg.EigValsH(a)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	got := gathered(a)
	if !picked(c, what) {
		return
	}
	wa := newSmallMatrix(n, n, f)
	if !a.Layout().Equal(l) || got.distance(wa) != 0 {
		t.Errorf("%s: the operand has changed", what)
	}
	tol, norm := precision[T](n, n), 0.0
	for _, x := range w {
		norm = max(norm, math.Abs(x))
	}
	vw := newSmallMatrix(n, n, func(i, j int) T { return vs.at(i, j) * number[T](w[j], 0) })
	if d := wa.times(vs).distance(vw); !(d <= tol*norm) {
		t.Errorf("%s: AV − VW is %g of %g", what, d, norm)
	}
	if d := orthogonality(vs); !(d <= tol) {
		t.Errorf("%s: VᴴV is off by %g", what, d)
	}
	for i, x := range vals.Local() {
		if !(math.Abs(x-w[i]) <= tol*norm) {
			t.Errorf("%s: eigenvalue %d is %v alone, %v with vectors", what, i, x, w[i])
		}
	}
}

func TestEigHCommunication(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		const n = 24
		f := hermitianKind[float64]("smooth")
		got := calls(c, func() { linalg.EigH(matrixOf(c, split.Block(nd.Shape{n, n}, split.None, c.Size()), false, f)) })
		if len(got) > 0 {
			t.Errorf("replicated: %v", got)
		}
		if c.Size() == 1 {
			return
		}
		a := matrixOf(c, split.Block(nd.Shape{n, n}, 0, c.Size()), false, f)
		got = calls(c, func() { linalg.EigValsH(a) })
		if want := map[string]int64{"alltoallv": 1, "bcast": n, "allgatherv": n - 1}; !maps.Equal(got, want) {
			t.Errorf("values: %v, want %v", got, want)
		}
		got = calls(c, func() { linalg.EigH(a) })
		if want := map[string]int64{"alltoallv": 3, "bcast": n + 3, "allgatherv": n - 1}; !maps.Equal(got, want) {
			t.Errorf("vectors: %v, want %v", got, want)
		}
	})
}

func TestEigHErrors(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, l := range testLayouts(c, nd.Shape{6, 6}) {
			a := matrixOf(c, l, false, func(i, j int) float64 {
				if i == 4 && j == 4 {
					return math.NaN()
				}
				return 1
			})
			if _, _, err := linalg.EigH(a); !errors.Is(err, linalg.ErrNotFinite) || !strings.Contains(err.Error(), "linalg.EigH of "+l.String()) {
				t.Errorf("%v: %v", l, err)
			}
		}
		err := nd.Try(func() { linalg.EigH(nd.Ones[float64](c, nd.Shape{3, 4}, 0)) })
		if err == nil || !strings.Contains(err.Error(), "linalg.EigH at") || !strings.Contains(err.Error(), "(3, 4)") {
			t.Errorf("EigH of a wide matrix: %v", err)
		}
	})
}
