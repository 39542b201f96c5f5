package linalg

import (
	"math"

	"caloric/nd"
)

// CGLS minimizes ‖b − A·x‖² + damp²‖x‖² for any operator A by conjugate gradients
// on the normal equations, which it does not form (Björck, Elfving and Strakoš
// 1998, "Stability of conjugate gradient and Lanczos methods for linear least
// squares problems", algorithm CGLS1):
//
//	x, res, err := linalg.CGLS(A, b, linalg.Damp(0.1), linalg.Rtol(1e-8))
//
// It stops when the norm of the gradient Aᴴ(b − A·x) − damp²·x is at most
// max(rtol·‖Aᴴb‖, atol); see [Rtol], [Atol], [Damp], [MaxIter], [Start] and
// [Callback], which gets that norm. For b = 0 the solution is 0, from any start.
// If it stops for another reason, the error is a *[NotConvergedError], the same
// on every rank, and x is what it had come to. From zero it converges to the
// smallest of the minima. [LSQR] loses less in ill-conditioned problems.
//
// The loop allocates nothing but what A and a callback do, and room for the
// histories of the result.
//
// Collective. Result split: the start's; without one, None if b is replicated,
// else along A's columns if A is a matrix split so, else balanced.
// Communication: two allreduces a step, of one inner product and of two, with
// damping of two and three, 8 bytes each, 16 for complex types; and those of A's
// two products. No allreduces of its own if b and the unknowns are replicated.
// Panics if b is not a vector of A's rows, damp is negative, or the
// communicators or the types of options differ.
func CGLS[T nd.Inexact](A Operator[T], b *nd.NDArray[T], opts ...SolverOption) (*nd.NDArray[T], LeastSquaresResult, error) {
	g := newCGLS(A, b, newSettings(opts))
	for g.res.Reason == 0 {
		g.step()
	}
	return g.solution("linalg.CGLS")
}

// cgls is the state of one run: the gradient r and the search direction c in the
// domain, q = A·c in the range. r, c and q are divided by scale as s is.
type cgls[T nd.Inexact] struct {
	leastSquares[T]
	r, c, q *nd.NDArray[T]
	rr      float64
}

func newCGLS[T nd.Inexact](A Operator[T], b *nd.NDArray[T], s settings) *cgls[T] {
	g := &cgls[T]{}
	var started bool
	g.leastSquares, started = newLeastSquares(A, b, s, 3, false)
	g.r, g.c, g.q = vectorOf[T](g.comm, g.domain), vectorOf[T](g.comm, g.domain), vectorOf[T](g.comm, g.rng)
	if started {
		A.ApplyAdjoint(g.r, g.s)
		g.res.Target = gradientTarget(s, math.Sqrt(real(g.sums.one(g.r, g.r)))*g.scale)
		g.subtractStart(g.q)
	}
	g.gradient()
	if !started {
		g.res.Target = gradientTarget(s, math.Sqrt(g.rr)*g.scale)
	}
	nd.CopyInto(g.c, g.r)
	g.judge()
	return g
}

// gradient sets r to Aᴴs − damp²·x and adds up the squares of a step.
func (g *cgls[T]) gradient() {
	g.a.ApplyAdjoint(g.r, g.s)
	g.sums.reset()
	if g.damp != 0 {
		nd.Axpy(inexact[T](-g.damp*g.damp/g.scale), g.x, g.r)
	}
	g.sums.put(g.r, g.r)
	g.sums.put(g.s, g.s)
	if g.damp != 0 {
		g.sums.put(g.x, g.x)
	}
	g.sums.sum()
	g.rr = g.sums.real(0)
}

// judge records a step of which the sums are known and decides whether to go on.
func (g *cgls[T]) judge() {
	misfit := math.Sqrt(g.sums.real(1)) * g.scale
	damped := misfit
	if g.damp != 0 {
		damped = math.Hypot(misfit, g.damp*math.Sqrt(g.sums.real(2)))
	}
	g.record(math.Sqrt(g.rr)*g.scale, misfit, damped)
	g.res.decide(g.rr, g.maxIter)
}

func (g *cgls[T]) step() {
	g.a.Apply(g.q, g.c)
	g.sums.reset()
	g.sums.put(g.q, g.q)
	if g.damp != 0 {
		g.sums.put(g.c, g.c)
	}
	g.sums.sum()
	qq := g.sums.real(0)
	if g.damp != 0 {
		qq += g.damp * g.damp * g.sums.real(1)
	}
	switch {
	case !isFinite(qq):
		g.res.Reason = NotFinite
		return
	case qq == 0: // the gradient is rounding errors outside the range of Aᴴ
		g.res.Reason = Converged
		return
	}
	alpha := g.rr / qq
	nd.Axpy(inexact[T](alpha*g.scale), g.c, g.x)
	nd.Axpy(inexact[T](-alpha), g.q, g.s)
	before := g.rr
	g.gradient()
	nd.Axpby(1, g.r, inexact[T](g.rr/before), g.c)
	g.res.Iterations++
	g.judge()
	g.called()
}
