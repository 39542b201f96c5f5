package linalg_test

import (
	"fmt"
	"math"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/linalg"
	"caloric/nd"
	"caloric/spmd"
)

// residualKind returns an element of the matrices that every factorization is tried on: without
// structure, nearly singular, graded over eighteen orders of magnitude, and rank deficient.
func residualKind[T nd.Inexact](kind string, n, i, j int) T {
	switch kind {
	case "diagonal 1e-9 to 1e9":
		if i != j {
			return 0
		}
		return number[T](math.Pow(10, 18*float64(i)/float64(max(n-1, 1))-9), 0)
	case "ones":
		return number[T](1, 0)
	}
	return kindOf[T](kind, i, j)
}

// TestResiduals tries every factorization on every kind of matrix and shape, also
// with fewer rows or columns than ranks, and without any.
func TestResiduals(t *testing.T) {
	narrowBlocks(t)
	t.Run("float64", testResiduals[float64])
	t.Run("float32", testResiduals[float32])
	t.Run("complex128", testResiduals[complex128])
}

func testResiduals[T nd.Inexact](t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		count := 0
		for _, s := range []nd.Shape{{1, 8}, {8, 1}, {0, 4}, {4, 0}, {2, 7}, {7, 2}, {3, 3}, {10, 10}, {21, 4}, {4, 21}} {
			for _, kind := range []string{"smooth", "hilbert", "diagonal 1e-9 to 1e9", "rank 2", "ones", "zero"} {
				ls := testLayouts(c, s)
				l := ls[count%len(ls)]
				count++
				r := residual[T]{t, c, fmt.Sprintf("%T %v, %s", *new(T), l, kind), 4 * precision[T](s[0], s[1])}
				f := func(i, j int) T { return residualKind[T](kind, min(s[0], s[1]), i, j) }
				a := matrixOf(c, l, count%2 == 1, f)
				r.general(a, newSmallMatrix(s[0], s[1], f))
				if s[0] == s[1] {
					h := func(i, j int) T { // Hermitian, with real numbers on the diagonal
						return (f(i, j) + conjugateOf(f(j, i))) * number[T](0.5, 0)
					}
					if kind == "smooth" {
						h = dominant[T](s[0])
					}
					r.hermitian(matrixOf(c, l, count%2 == 1, h), newSmallMatrix(s[0], s[0], h), kind)
				}
			}
		}
	})
}

type residual[T nd.Inexact] struct {
	t         testing.TB
	c         *spmd.Comm
	what      string
	tolerance float64
}

func (r residual[T]) failed(name string, err error) bool {
	if err != nil {
		r.t.Errorf("%s of %s: %v", name, r.what, err)
	}
	return err != nil
}

// near reports a product that is not a, relative to its largest element, and
// columns of q that are not orthonormal.
func (r residual[T]) near(name string, product, a smallMatrix[T], orthonormal ...smallMatrix[T]) {
	if a.m*a.n > 0 {
		if d := product.distance(a); !(d <= r.tolerance*max(a.largest(), math.SmallestNonzeroFloat64)) {
			r.t.Errorf("%s of %s is off by %g of %g", name, r.what, d, a.largest())
		}
	}
	for _, q := range orthonormal {
		if d := orthogonality(q); q.n > 0 && !(d <= r.tolerance) {
			r.t.Errorf("%s of %s: QᴴQ is off by %g", name, r.what, d)
		}
	}
}

// scaled returns m with its columns multiplied by s.
func scaled[T nd.Inexact](m smallMatrix[T], s []float64) smallMatrix[T] {
	return newSmallMatrix(m.m, m.n, func(i, j int) T { return m.at(i, j) * number[T](s[j], 0) })
}

func (r residual[T]) general(a *nd.NDArray[T], want smallMatrix[T]) {
	lu := linalg.LU(a)
	r.near("LU", gathered(lu.P()).times(gathered(lu.L())).times(gathered(lu.U())), want)
	q, upper := linalg.QR(a, linalg.Reduced)
	r.near("QR", gathered(q).times(gathered(upper)), want, gathered(q))
	qp, rp, pivots := linalg.QRPivot(a)
	order := newSmallMatrix(want.m, want.n, func(i, j int) T { return want.at(i, pivots[j]) })
	r.near("QRPivot", gathered(qp).times(gathered(rp)), order, gathered(qp))
	u, s, vh, err := linalg.SVD(a)
	if !r.failed("SVD", err) {
		us, vs := gathered(u), gathered(vh)
		r.near("SVD", scaled(us, s.Gather()).times(vs), want, us, vs.adjoint())
	}
	pu, ph, err := linalg.Polar(a)
	if !r.failed("Polar", err) {
		us := gathered(pu)
		if us.m < us.n {
			us = us.adjoint()
		}
		r.near("Polar", gathered(pu).times(gathered(ph)), want, us)
	}
	if lu.L().Shape()[0] != lu.U().Shape()[1] {
		return
	}
	n := want.n
	b := nd.FromFunc(r.c, nd.Shape{n, 2}, 0, func(i []int) T { return smooth[T](i[0], i[1]) })
	x, err := lu.Solve(b)
	if err != nil || n == 0 {
		return // singular, and known to be
	}
	// The residual is small against ‖A‖·‖X‖, whatever the condition (Higham 2002, section 9.3).
	xs, bs := gathered(x), gathered(b)
	if d := want.times(xs).distance(bs); xs.largest() < math.Inf(1) && !(d <= 10*r.tolerance*(want.largest()*xs.largest()+1)) {
		r.t.Errorf("Solve of %s: A·X is off by %g, X as large as %g", r.what, d, xs.largest())
	}
}

func (r residual[T]) hermitian(a *nd.NDArray[T], want smallMatrix[T], kind string) {
	w, v, err := linalg.EigH(a)
	if !r.failed("EigH", err) {
		vs := gathered(v)
		r.near("EigH", scaled(vs, w.Gather()).times(vs.adjoint()), want, vs)
	}
	if kind != "smooth" && kind != "diagonal 1e-9 to 1e9" && (kind != "hilbert" || want.n > 3) {
		return // not positive definite, or not in single precision
	}
	l, err := linalg.Cholesky(a)
	if !r.failed("Cholesky", err) {
		ls := gathered(l)
		r.near("Cholesky", ls.times(ls.adjoint()), want)
	}
}
