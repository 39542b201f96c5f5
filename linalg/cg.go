package linalg

import (
	"math"

	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/split"
)

// CG solves A·x = b for a Hermitian positive definite operator A by the method
// of conjugate gradients (Hestenes and Stiefel 1952, "Methods of conjugate
// gradients for solving linear systems"):
//
//	x, res, err := linalg.CG(linalg.AsOperator(a), b, linalg.Rtol(1e-10))
//
// It stops when ‖b − A·x‖ ≤ max(rtol·‖b‖, atol), as SciPy's cg does; see [Rtol],
// [Atol], [MaxIter], [Start] and [Callback]. For b = 0 the solution is 0, from
// any start. If it stops for another reason, the error is a *[NotConvergedError],
// the same on every rank, and x is what it had come to.
//
// Scalars are kept in double precision, also for float32 and complex64. The loop
// allocates nothing but what A and a callback do, and room for [Result.Residuals].
//
// Collective. Result split: b's; if A is a split matrix and b is split, with the
// counts of the matrix. Communication: two scalar allreduces a step and those of
// A's product, for a matrix split along its rows one allgatherv of a vector; no
// allreduces if b is replicated.
// Panics if A is not square, b is not a vector of its size, or the
// communicators or the types of options differ.
func CG[T nd.Inexact](A Operator[T], b *nd.NDArray[T], opts ...SolverOption) (*nd.NDArray[T], Result, error) {
	g := newCG(A, b, newSettings(opts))
	for g.res.Reason == 0 {
		g.step()
	}
	if g.res.Reason != Converged {
		return g.x, g.res, &NotConvergedError{"linalg.CG", g.res}
	}
	return g.x, g.res, nil
}

// cg is the state of one run: the iterate x, the residual r, the search
// direction c, and q = A·c.
type cg[T nd.Inexact] struct {
	a          Operator[T]
	x, r, c, q *nd.NDArray[T]
	rr         float64 // r·r
	scale      float64 // r, c and q are divided by it
	maxIter    int
	callback   func(int, *nd.NDArray[T], float64)
	res        Result
}

func newCG[T nd.Inexact](A Operator[T], b *nd.NDArray[T], s settings) *cg[T] {
	n := checkSystem(A, b)
	g := &cg[T]{a: A, maxIter: s.maxIter, scale: 1}
	if g.maxIter < 0 {
		g.maxIter = 10 * n
	}
	if s.callback != nil {
		g.callback = optionAs[func(int, *nd.NDArray[T], float64)](s.callback)
	}
	l := workLayout(A, b)
	array := func() *nd.NDArray[T] {
		return nd.Wrap(b.Comm(), l, make([]T, l.LocalSize(b.Comm().Rank())))
	}
	g.x, g.r, g.c, g.q = array(), array(), array(), array()
	nd.CopyInto(g.r, b)
	norm := Norm(g.r)
	g.res.Target = max(s.rtol*norm, s.atol)
	if s.start != nil && norm > 0 {
		x0 := optionAs[*nd.NDArray[T]](s.start)
		sameComm(x0, b)
		if !x0.Layout().Shape().Equal(l.Shape()) {
			misuse.Panic("start %v for a right-hand side %v", x0.Layout(), b.Layout())
		}
		nd.CopyInto(g.x, x0)
		A.Apply(g.q, g.x)
		nd.Axpy(-1, g.q, g.r)
	}
	if norm > 0 && (norm < 1e-120 || norm > 1e120) && !math.IsInf(norm, 0) {
		// Squares of such numbers leave the range of float64. A power of two
		// scales without rounding.
		_, e := math.Frexp(norm)
		g.scale = math.Ldexp(1, e-1)
		nd.Scale(inexact[T](1/g.scale), g.r)
	}
	nd.CopyInto(g.c, g.r)
	g.res.Residuals = make([]float64, 0, min(g.maxIter, 1000)+1)
	g.rr = real(innerProduct(g.r, g.r))
	g.judge()
	return g
}

// step does one iteration.
func (g *cg[T]) step() {
	g.a.Apply(g.q, g.c)
	cq := real(innerProduct(g.c, g.q))
	switch {
	case math.IsNaN(cq) || math.IsInf(cq, 0):
		g.res.Reason = NotFinite
		return
	case cq <= 0:
		g.res.Reason = NotPositiveDefinite
		return
	}
	alpha := g.rr / cq
	nd.Axpy(inexact[T](alpha*g.scale), g.c, g.x)
	nd.Axpy(inexact[T](-alpha), g.q, g.r)
	before := g.rr
	g.rr = real(innerProduct(g.r, g.r))
	nd.Axpby(1, g.r, inexact[T](g.rr/before), g.c)
	g.res.Iterations++
	g.judge()
	if g.callback != nil {
		g.callback(g.res.Iterations, g.x, g.res.Residual)
	}
}

// judge records the residual and decides whether to go on. All that it looks at
// is the same on every rank.
func (g *cg[T]) judge() {
	g.res.Residual = math.Sqrt(g.rr) * g.scale
	g.res.Residuals = append(g.res.Residuals, g.res.Residual)
	switch {
	case g.res.Residual <= g.res.Target && !math.IsInf(g.res.Residual, 0):
		g.res.Reason = Converged
	case math.IsNaN(g.rr) || math.IsInf(g.rr, 0):
		g.res.Reason = NotFinite
	case g.res.Iterations >= g.maxIter:
		g.res.Reason = MaxIterations
	}
}

// checkSystem panics unless A is square and b a vector of its size, which it returns.
func checkSystem[T nd.Inexact](A Operator[T], b *nd.NDArray[T]) int {
	rows, cols := A.Shape()
	if rows != cols {
		misuse.Panic("the operator is not square but %d × %d", rows, cols)
	}
	if s := b.Layout().Shape(); len(s) != 1 || s[0] != rows {
		misuse.Panic("right-hand side %v for an operator of %d × %d", b.Layout(), rows, cols)
	}
	return rows
}

// workLayout returns the layout of the vectors that a solver works on.
func workLayout[T nd.Inexact](A Operator[T], b *nd.NDArray[T]) *split.Layout {
	if d, ok := A.(domainer); ok && !b.Layout().Replicated() {
		if l := d.Domain(); l != nil {
			return l
		}
	}
	return b.Layout()
}

// optionAs returns an option's value, which has to be of type V.
func optionAs[V any](v any) V {
	w, ok := v.(V)
	if !ok {
		misuse.Panic("an option is for %T, the system for %T", v, w)
	}
	return w
}

// inexact returns v as a T.
func inexact[T nd.Inexact](v float64) (t T) {
	switch t := any(&t).(type) {
	case *float32:
		*t = float32(v)
	case *float64:
		*t = v
	case *complex64:
		*t = complex(float32(v), 0)
	case *complex128:
		*t = complex(v, 0)
	}
	return t
}
