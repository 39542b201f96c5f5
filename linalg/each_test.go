package linalg_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// stackValue returns element (i, j) of matrix k of a stack of n × n Hermitian
// positive definite matrices, or of matrices without structure.
func stackValue[T nd.Inexact](definite bool, k, n, i, j int) T {
	if definite {
		return dominant[T](n)(i, j) + number[T](float64(k*(1-min(1, abs(i-j)))), 0)
	}
	return smooth[T](i+7*k, j+k)
}

// stackArray returns a stack of layout l.
func stackArray[T nd.Inexact](c *spmd.Comm, l *split.Layout, definite bool) *nd.NDArray[T] {
	s := l.Shape()
	n := len(s)
	return nd.FromLayout(c, l, func(i []int) T {
		k := 0
		for d := range n - 2 {
			k = k*s[d] + i[d]
		}
		return stackValue[T](definite, k, s[n-1], i[n-2], i[n-1])
	})
}

// matrixOfStack returns matrix k of those along the last two axes, gathered.
func matrixOfStack[T nd.Inexact](all []T, k, m, n int) smallMatrix[T] {
	return smallMatrix[T]{m, n, all[k*m*n : (k+1)*m*n]}
}

// whereEach says along which axis results are split for a stack of layout l.
func whereEach(l *split.Layout) split.Axis {
	s := l.Shape()
	n := len(s) - 2
	switch {
	case int(l.Axis()) < n || l.Ranks() == 1 && int(l.Axis()) < n:
		return l.Axis()
	case n == 1 || s[0] >= s[1]:
		return 0
	}
	return 1
}

func TestEach(t *testing.T) {
	t.Run("float64", testEach[float64])
	t.Run("float32", testEach[float32])
	t.Run("complex128", testEach[complex128])
}

func testEach[T nd.Inexact](t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for at, s := range []nd.Shape{{5, 4, 4}, {2, 3, 3, 3}, {1, 2, 2}, {0, 3, 3}, {3, 0, 0}, {2, 5, 3}, {3, 2, 4}} {
			for _, l := range someLayouts[T](c, s, at) {
				checkEach[T](t, c, l)
			}
		}
	})
}

func checkEach[T nd.Inexact](t testing.TB, c *spmd.Comm, l *split.Layout) {
	s := l.Shape()
	m, n := s[len(s)-2], s[len(s)-1]
	count := 1
	for _, e := range s[:len(s)-2] {
		count *= e
	}
	a := stackArray[T](c, l, m == n)
	what := fmt.Sprintf("%T %v", a.Local()[:0], l)
	all, tol := a.Gather(), 4*precision[T](m, n)
	place := func(name string, got split.Axis, comm map[string]int64, agrees bool) {
		if c.Size() > 1 && got != whereEach(l) {
			t.Errorf("%s of %s is split %v", name, what, got)
		}
		want := map[string]int64{}
		if c.Size() > 1 && int(l.Axis()) >= len(s)-2 {
			want["alltoallv"] = 1
		}
		if agrees && !l.Replicated() {
			want["allreduce"] = 1
		}
		if !reflect.DeepEqual(comm, want) {
			t.Errorf("%s of %s communicates %v, want %v", name, what, comm, want)
		}
	}
	near := func(name string, x, y smallMatrix[T], size float64) {
		if d := x.distance(y); x.m*x.n > 0 && !(d <= tol*size) {
			t.Errorf("%s of %s is off by %g", name, what, d)
		}
	}
	var q, r, u, vh *nd.NDArray[T]
	var sv *nd.NDArray[float64]
	var err error
	got := calls(c, func() { q, r = linalg.QREach(a, linalg.Reduced) })
	place("QREach", q.Split(), got, false)
	got = calls(c, func() { u, sv, vh, err = linalg.SVDEach(a) })
	if err != nil {
		t.Errorf("SVDEach of %s: %v", what, err)
		return
	}
	place("SVDEach", u.Split(), got, true)
	k := min(m, n)
	qs, rs, us, ss, vs := q.Gather(), r.Gather(), u.Gather(), sv.Gather(), vh.Gather()
	for i := range count {
		w := matrixOfStack(all, i, m, n)
		x := matrixOfStack(qs, i, m, k)
		near("QREach", x.times(matrixOfStack(rs, i, k, n)), w, w.largest())
		near("QREach: QᴴQ", x.adjoint().times(x), unitMatrix[T](k), 1)
		y := matrixOfStack(us, i, m, k)
		z := newSmallMatrix(m, k, func(i2, j int) T { return y.at(i2, j) * number[T](ss[i*k+j], 0) })
		near("SVDEach", z.times(matrixOfStack(vs, i, k, n)), w, w.largest())
	}
	if m != n {
		return
	}
	inv, err := linalg.InvEach(a)
	var lower, ev *nd.NDArray[T]
	var ew *nd.NDArray[float64]
	if err == nil {
		got = calls(c, func() { lower, err = linalg.CholeskyEach(a) })
		place("CholeskyEach", lower.Split(), got, true)
	}
	if err == nil {
		ew, ev, err = linalg.EigHEach(a)
	}
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	var det *nd.NDArray[T]
	got = calls(c, func() { det = linalg.DetEach(a) })
	place("DetEach", det.Split(), got, false)
	sign, logAbs := linalg.SlogDetEach(a)
	is, ls, ws, es, ds, gs, lgs := inv.Gather(), lower.Gather(), ew.Gather(), ev.Gather(), det.Gather(), sign.Gather(), logAbs.Gather()
	for i := range count {
		w := matrixOfStack(all, i, n, n)
		near("InvEach", w.times(matrixOfStack(is, i, n, n)), unitMatrix[T](n), 1)
		x := matrixOfStack(ls, i, n, n)
		near("CholeskyEach", x.times(x.adjoint()), w, w.largest())
		y := matrixOfStack(es, i, n, n)
		near("EigHEach", w.times(y), newSmallMatrix(n, n, func(i2, j int) T { return y.at(i2, j) * number[T](ws[i*n+j], 0) }), w.largest())
		if e := math.Log(modulus(ds[i])) - lgs[i]; n > 0 && !(math.Abs(e) < 10*tol) || modulus(gs[i]-number[T](1, 0)) > tol {
			t.Errorf("SlogDetEach of %s: %v, %v; DetEach %v", what, gs[i], lgs[i], ds[i])
		}
	}
}

func TestSolveEach(t *testing.T) {
	t.Run("float64", testSolveEach[float64])
	t.Run("complex64", testSolveEach[complex64])
}

func testSolveEach[T nd.Inexact](t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, shapes := range [][2]nd.Shape{
			{{5, 3, 3}, {5, 3, 2}}, {{5, 3, 3}, {3}}, {{5, 3, 3}, {3, 2}}, {{3, 3}, {4, 3, 2}},
			{{2, 1, 3, 3}, {4, 3, 1}}, {{1, 3, 3}, {4, 3, 2}}, {{0, 3, 3}, {3, 2}}, {{3, 3}, {3, 2}}, {{2, 0, 0}, {2, 0, 2}},
		} {
			for i, la := range someLayouts[T](c, shapes[0], len(shapes[1])) {
				lbs := testLayouts(c, shapes[1])
				for j := range 2 {
					lb := lbs[(i+j)%len(lbs)]
					checkSolveEach[T](t, c, la, lb)
				}
			}
		}
	})
}

func checkSolveEach[T nd.Inexact](t testing.TB, c *spmd.Comm, la, lb *split.Layout) {
	a := stackArray[T](c, la, true)
	b := nd.FromLayout(c, lb, func(i []int) T { return smooth[T](3*i[0]+i[len(i)-1], len(i)) })
	x, err := linalg.SolveEach(a, b)
	if err != nil {
		t.Errorf("SolveEach of %v and %v: %v", la, lb, err)
		return
	}
	rhs := b
	if b.NDim() == 1 {
		rhs = nd.Reshape(b, b.Size(), 1)
		x = nd.Reshape(x, append(x.Shape(), 1)...)
	}
	back := linalg.MatMul(a, x)
	want := nd.BroadcastTo(rhs, back.Shape()...).Gather()
	for i, v := range back.Gather() {
		if d := modulus(v - want[i]); !(d <= precision[T](9, 9)) {
			t.Errorf("SolveEach of %v and %v: A·X is off by %g", la, lb, d)
			return
		}
	}
}

// TestEachErrors: every rank gets the error of the first matrix that has one.
func TestEachErrors(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, l := range testLayouts(c, nd.Shape{2, 3, 2, 2}) {
			a := nd.FromLayout(c, l, func(i []int) float64 {
				if i[2] == i[3] && (i[0]*3+i[1] < 4 || i[2] == 0) {
					return 2
				}
				return 0 // matrices (1, 1) and (1, 2) are singular in column 1
			})
			var m *linalg.MatrixError
			var singular *linalg.SingularError
			_, err := linalg.InvEach(a)
			if !errors.As(err, &m) || !slices.Equal(m.Index, []int{1, 1}) || !errors.As(err, &singular) || singular.Column != 1 {
				t.Errorf("InvEach of %v: %v", l, err)
			}
			var indefinite *linalg.NotPositiveDefiniteError
			if _, err := linalg.CholeskyEach(a); !errors.As(err, &m) || !slices.Equal(m.Index, []int{1, 1}) || !errors.As(err, &indefinite) || indefinite.Order != 2 {
				t.Errorf("CholeskyEach of %v: %v", l, err)
			}
			if _, err := linalg.SolveEach(a, nd.Ones[float64](c, nd.Shape{2}, 0)); !errors.As(err, &singular) {
				t.Errorf("SolveEach of %v: %v", l, err)
			}
			if _, _, _, err := linalg.SVDEach(nd.Full(c, nd.Shape{2, 2, 2}, math.NaN(), 0)); !errors.Is(err, linalg.ErrNotFinite) {
				t.Errorf("SVDEach of NaN: %v", err)
			}
		}
	})
}
