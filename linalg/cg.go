package linalg

import (
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
// [Atol], [MaxIter], [Start], [Callback] and [Precondition], whose operator has to
// be definite as well. For b = 0 the solution is 0, from
// any start. If it stops for another reason, the error is a *[NotConvergedError],
// the same on every rank, and x is what it had come to.
//
// Scalars are kept in double precision, also for float32 and complex64. The loop
// allocates nothing but what A and a callback do, and room for [Result.Residuals].
//
// Collective. Result split: b's; if A is a split matrix and b is split, with the
// counts of the matrix. Communication: two scalar allreduces a step and those of
// A's product, for a matrix split along its rows one allgatherv of a vector; no
// allreduces if b is replicated. An inner product is 8 bytes, 16 for complex
// types; the second allreduce has one, with a preconditioner two.
// Panics if A is not square, b is not a vector of its size, or the
// communicators or the types of options differ.
func CG[T nd.Inexact](A Operator[T], b *nd.NDArray[T], opts ...SolverOption) (*nd.NDArray[T], Result, error) {
	g := newCG(A, b, newSettings(opts))
	for g.res.Reason == 0 {
		g.step()
	}
	return g.solution()
}

// cg is the state of one run: the preconditioned residual z, which is r itself
// without a preconditioner, the search direction c, and q = A·c.
type cg[T nd.Inexact] struct {
	krylov[T]
	z, c, q *nd.NDArray[T]
	rz      float64 // r·z
}

func newCG[T nd.Inexact](A Operator[T], b *nd.NDArray[T], s settings) *cg[T] {
	g := &cg[T]{krylov: newKrylov("linalg.CG", A, b, s, 2)}
	g.c, g.q, g.z = g.array(), g.array(), g.extra(g.r)
	g.judge(g.products())
	nd.CopyInto(g.c, g.z)
	return g
}

// products sets z and r·z and returns r·r.
func (g *cg[T]) products() float64 {
	g.preconditioned(g.z, g.r)
	g.sums.reset()
	g.sums.put(g.r, g.z)
	if g.m != nil {
		g.sums.put(g.r, g.r)
	}
	g.sums.sum()
	g.rz = g.sums.real(0)
	if g.m != nil {
		return g.sums.real(1)
	}
	return g.rz
}

// step does one iteration.
func (g *cg[T]) step() {
	if g.m != nil && g.rz <= 0 {
		g.res.Reason = BadPreconditioner
		return
	}
	g.a.Apply(g.q, g.c)
	cq := real(g.sums.one(g.c, g.q))
	switch {
	case !isFinite(cq) || !isFinite(g.rz):
		g.res.Reason = NotFinite
		return
	case cq <= 0:
		g.res.Reason = NotPositiveDefinite
		return
	}
	alpha := g.rz / cq
	nd.Axpy(inexact[T](alpha*g.scale), g.c, g.x)
	nd.Axpy(inexact[T](-alpha), g.q, g.r)
	before := g.rz
	rr := g.products()
	nd.Axpby(1, g.z, inexact[T](g.rz/before), g.c)
	g.advance(rr)
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
