package linalg_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"strings"
	"sync"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// decomposition is a case of testdata/decompositions.json.
type decomposition struct {
	Name                                            string
	M, N                                            int
	Complex                                         bool
	A, B, S, Lstsq, Residuals, Pinv, R, H, Eigvalsh []float64
	Rank, LstsqRank                                 int
	Norm2, Nuc, Cond                                float64
}

var decompositions = sync.OnceValue(func() (cases []decomposition) {
	text, err := os.ReadFile("testdata/decompositions.json")
	if err == nil {
		err = json.Unmarshal(text, &cases)
	}
	if err != nil {
		panic(err)
	}
	return cases
})

// numbersOf returns the matrix written in a case.
func numbersOf[T nd.Inexact](d decomposition, x []float64, m, n int) smallMatrix[T] {
	return newSmallMatrix(m, n, func(i, j int) T {
		if d.Complex {
			return number[T](x[2*(i*n+j)], x[2*(i*n+j)+1])
		}
		return number[T](x[i*n+j], 0)
	})
}

func TestGoldenDecompositions(t *testing.T) {
	t.Run("float64", func(t *testing.T) { testGoldenDecompositions[float64](t, 1e-12, false) })
	t.Run("complex128", func(t *testing.T) { testGoldenDecompositions[complex128](t, 1e-12, true) })
	t.Run("float32", func(t *testing.T) { testGoldenDecompositions[float32](t, 2e-5, false) })
	t.Run("complex64", func(t *testing.T) { testGoldenDecompositions[complex64](t, 2e-5, true) })
}

func testGoldenDecompositions[T nd.Inexact](t *testing.T, tol float64, complex bool) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for i, d := range decompositions() {
			// Of these, single precision sees another rank or nothing right.
			bad := tol > 1e-10 && (d.Name == "hilbert" || d.Name == "graded")
			if complex != d.Complex || bad {
				continue
			}
			for n, l := range someLayouts[T](c, nd.Shape{d.M, d.N}, i) {
				lb := testLayouts(c, nd.Shape{d.M, 2})
				checkDecomposition[T](t, c, d, l, lb[n%len(lb)], tol)
			}
		}
	})
}

func checkDecomposition[T nd.Inexact](t testing.TB, c *spmd.Comm, d decomposition, l, lb *split.Layout, tol float64) {
	what := fmt.Sprintf("%s, %v, b %v", d.Name, l, lb)
	check := func(name string, got, want []float64, size float64) {
		t.Helper()
		if len(got) != len(want) {
			t.Errorf("%s: %s has %d numbers, want %d", what, name, len(got), len(want))
			return
		}
		for i := range got {
			if !(math.Abs(got[i]-want[i]) <= tol*size) {
				t.Errorf("%s: %s is %v, want %v", what, name, got, want)
				return
			}
		}
	}
	fail := func(err error) {
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	wa, wb := numbersOf[T](d, d.A, d.M, d.N), numbersOf[T](d, d.B, d.M, 2)
	a, b := matrixOf(c, l, false, wa.at), matrixOf(c, lb, false, wb.at)
	s, err := linalg.SVDVals(a)
	fail(err)
	check("s", s.Local(), d.S, d.Norm2)
	condition := 1.0
	for _, v := range d.S {
		if v > 1e-13*d.Norm2 {
			condition = d.Norm2 / v
		}
	}

	x, res, err := linalg.LstSq(a, b)
	fail(err)
	lstsq, pinv := numbersOf[T](d, d.Lstsq, d.N, 2), numbersOf[T](d, d.Pinv, d.N, d.M)
	if e := gathered(x).distance(lstsq); !(e <= 3*tol*condition*(1+lstsq.largest())) {
		t.Errorf("%s: x is off by %g of %g", what, e, lstsq.largest())
	}
	if res.Rank != d.LstsqRank {
		t.Errorf("%s: rank %d, want %d", what, res.Rank, d.LstsqRank)
	}
	check("s of LstSq", res.SingularValues.Local(), d.S, d.Norm2)
	check("residuals", res.Residuals, d.Residuals, 30*condition)
	column := b.Slice(nd.Whole(), nd.Index(1))
	x1, res1, err := linalg.LstSq(a, column)
	fail(err)
	got := smallMatrix[T]{d.N, 1, x1.Gather()}
	if e := got.distance(newSmallMatrix(d.N, 1, func(i, _ int) T { return lstsq.at(i, 1) })); !(e <= 3*tol*condition*(1+lstsq.largest())) || x1.NDim() != 1 {
		t.Errorf("%s: of a vector, x is off by %g, %v", what, e, x1.Layout())
	}
	check("residual of a vector", res1.Residuals, d.Residuals[1:], 30*condition)
	wantSplit := split.Axis(0)
	switch {
	case c.Size() == 1: // any
		wantSplit = x.Split()
	case l.Axis() != split.None && d.M >= (d.N+2)*c.Size(), l.Axis() == split.None && lb.Axis() == split.None:
		wantSplit = split.None
	case l.Axis() == split.None:
		wantSplit = lb.Axis()
	}
	if x.Split() != wantSplit {
		t.Errorf("%s: x is %v, want split %v", what, x.Layout(), wantSplit)
	}

	p, err := linalg.PInv(a)
	fail(err)
	if lt, _ := split.Transpose(l, []int{1, 0}); !p.Layout().Equal(lt) {
		t.Errorf("%s: pseudo-inverse %v", what, p.Layout())
	}
	if e := gathered(p).distance(pinv); !(e <= 3*tol*condition*(1e-300+pinv.largest())) {
		t.Errorf("%s: pseudo-inverse off by %g of %g", what, e, pinv.largest())
	}
	rank, err := linalg.MatrixRank(a)
	fail(err)
	if rank != d.Rank {
		t.Errorf("%s: rank %d, want %d", what, rank, d.Rank)
	}
	spectral, err := linalg.MatrixNorm(a, linalg.Spectral)
	fail(err)
	nuclear, err := linalg.MatrixNorm(a, linalg.Nuclear)
	fail(err)
	check("norms", []float64{spectral, nuclear}, []float64{d.Norm2, d.Nuc}, 1+d.Nuc)
	if d.R != nil {
		_, r := linalg.QR(a, linalg.OnlyR)
		want := numbersOf[T](d, d.R, min(d.M, d.N), d.N)
		if e := gathered(r).distance(want); !(e <= tol*condition*d.Norm2) {
			t.Errorf("%s: R is off by %g of %g", what, e, d.Norm2)
		}
		cond, err := linalg.Cond(a)
		fail(err)
		if !(math.Abs(cond/d.Cond-1) <= tol*condition) {
			t.Errorf("%s: condition %v, want %v", what, cond, d.Cond)
		}
	}
	if d.H != nil {
		h := numbersOf[T](d, d.H, d.M, d.M)
		w, err := linalg.EigValsH(matrixOf(c, split.Block(nd.Shape{d.M, d.M}, l.Axis(), c.Size()), false, h.at))
		fail(err)
		check("eigenvalues", w.Local(), d.Eigvalsh, d.Norm2*d.Norm2+3)
	}
	if gathered(a).distance(wa) != 0 || gathered(b).distance(wb) != 0 {
		t.Errorf("%s: an operand has changed", what)
	}
}

func TestCond(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, axis := range []split.Axis{split.None, 0, 1} {
			if k, err := linalg.Cond(nd.Zeros[float64](c, nd.Shape{3, 3}, axis)); err != nil || !math.IsInf(k, 1) {
				t.Errorf("split %v: condition of zero is %v, %v", axis, k, err)
			}
			d := nd.FromSlice(c, []float64{1e9, 0, 0, 1e-9}, nd.Shape{2, 2}, axis)
			if k, err := linalg.Cond(d); err != nil || math.Abs(k/1e18-1) > 1e-12 {
				t.Errorf("split %v: condition %v, %v", axis, k, err)
			}
			if r, err := linalg.MatrixRank(d, linalg.Rcond(1e-20)); r != 2 || err != nil {
				t.Errorf("split %v: rank %d, %v", axis, r, err)
			}
			if r, err := linalg.MatrixRank(d, linalg.Rcond(1e-10)); r != 1 || err != nil {
				t.Errorf("split %v: rank %d, %v", axis, r, err)
			}
		}
	})
}

func TestLstSqCommunication(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		const n = 4
		p := c.Size()
		a := nd.FromFunc(c, nd.Shape{(n + 1) * p, n}, 0, func(i []int) float64 { return smooth[float64](i[0], i[1]) })
		b := nd.Ones[float64](c, nd.Shape{(n + 1) * p}, 0)
		got := calls(c, func() { linalg.LstSq(a, b) })
		delete(got, "sendrecv")
		delete(got, "send")
		delete(got, "recv")
		if len(got) > 0 {
			t.Errorf("tall: %v", got)
		}
		got = calls(c, func() {
			linalg.LstSq(nd.Ones[float64](c, nd.Shape{9, 5}, split.None), nd.Ones[float64](c, nd.Shape{9}, split.None))
		})
		if want := map[string]int64{}; !maps.Equal(got, want) {
			t.Errorf("replicated: %v", got)
		}
	})
}

func TestLstSqMisuse(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.Ones[float64](c, nd.Shape{4, 3}, 0)
		for want, f := range map[string]func(){
			"linalg.LstSq at": func() { linalg.LstSq(a, nd.Ones[float64](c, nd.Shape{3}, 0)) },
			"(4, 3) split 0":  func() { linalg.LstSq(a, nd.Ones[float64](c, nd.Shape{3}, 0)) },
			"no elements":     func() { linalg.Cond(nd.Ones[float64](c, nd.Shape{3, 0}, 0)) },
			"rcond":           func() { linalg.PInv(a, linalg.Rcond(-1)) },
			"two axes":        func() { linalg.MatrixRank(nd.Ones[float64](c, nd.Shape{3}, 0)) },
		} {
			if err := nd.Try(f); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v does not say %q", err, want)
			}
		}
	})
}
