package linalg

import (
	"math"

	"caloric/nd"
)

// MINRES solves A·x = b for a Hermitian operator A, definite or not, by minimizing
// the residual over Krylov spaces with vectors of a fixed number (Paige and Saunders
// 1975, "Solution of sparse indefinite systems of linear equations"):
//
//	x, res, err := linalg.MINRES(A, b, linalg.Rtol(1e-10))
//
// It stops when ‖b − A·x‖ ≤ max(rtol·‖b‖, atol), which is the rule of the other
// solvers here; SciPy's minres has a rule of its own. With a preconditioner, which
// has to be Hermitian and positive definite, both norms are √(rᴴMr), which is what
// the method knows. See [Rtol], [Atol], [MaxIter], [Start], [Callback] and
// [Precondition]. For b = 0 the solution is 0, from any start. If it stops for
// another reason, the error is a *[NotConvergedError], the same on every rank, and
// x is what it had come to; of a singular system without a solution the reason is
// [Minimal], and x has the smallest residual there is.
//
// The loop allocates nothing but what A, the preconditioner and a callback do,
// and room for [Result.Residuals].
//
// Collective. Result split: as [CG]. Communication: one allreduce a step of three
// inner products, 8 bytes each, 16 for complex types, and a second one of one where
// the next vector of Lanczos comes out ten times smaller than A's product; with a
// preconditioner two a step of one each; and those of A's product. No allreduces
// of its own if b is replicated.
// Panics as CG.
func MINRES[T nd.Inexact](A Operator[T], b *nd.NDArray[T], opts ...SolverOption) (*nd.NDArray[T], Result, error) {
	g := newMINRES(A, b, newSettings(opts))
	for g.res.Reason == 0 {
		g.step()
	}
	return g.solution()
}

// minres is the state of one run: r1 and r2 are the last two vectors of Lanczos,
// not divided by their norms, v is the last one divided, w, w1 and w2 the last
// directions of x.
type minres[T nd.Inexact] struct {
	krylov[T]
	r1, r2, v, y, w, w1, w2 *nd.NDArray[T]
	z                       *nd.NDArray[T] // M·r2 if there is a preconditioner

	beta, betaBefore float64
	deltaBar, epsilon, phiBar,
	cos, sin float64
	normA2 float64 // ‖T‖²
}

func newMINRES[T nd.Inexact](A Operator[T], b *nd.NDArray[T], s settings) *minres[T] {
	g := &minres[T]{krylov: newKrylov("linalg.MINRES", A, b, s, 3), cos: -1}
	g.r1, g.y, g.v = g.array(), g.array(), g.array()
	g.w, g.w1, g.w2 = g.array(), g.array(), g.array()
	g.r2 = g.r
	if g.m != nil {
		g.z = g.array()
		g.m.Apply(g.z, g.b)
		g.res.Target = max(s.rtol*math.Sqrt(max(0, real(g.sums.one(g.b, g.z)))), s.atol)
	}
	rr := g.normalize()
	g.phiBar = g.beta
	if g.res.Reason == 0 {
		g.judge(rr)
	} else {
		g.res.record(math.Sqrt(-rr) * g.scale)
	}
	return g
}

// normalize sets beta to the root of r2ᴴMr2, which it returns: without a
// preconditioner the square of r2's norm. The next v is M·r2 / beta.
func (g *minres[T]) normalize() float64 {
	rr := real(g.sums.one(g.r2, g.preconditioned(g.z, g.r2)))
	g.setBeta(rr)
	return rr
}

func (g *minres[T]) setBeta(rr float64) {
	if rr < 0 {
		g.res.Reason = BadPreconditioner
	}
	g.betaBefore, g.beta = g.beta, math.Sqrt(rr)
}

func (g *minres[T]) step() {
	if g.m == nil {
		nd.CopyInto(g.v, g.r2)
	} else {
		nd.CopyInto(g.v, g.z)
	}
	if g.beta > 0 {
		nd.Scale(inexact[T](1/g.beta), g.v)
	}
	g.a.Apply(g.y, g.v)
	if g.res.Iterations > 0 {
		nd.Axpy(inexact[T](-g.beta/g.betaBefore), g.r1, g.y)
	}
	g.sums.reset()
	g.sums.put(g.v, g.y)
	if g.m == nil {
		g.sums.put(g.y, g.y)
		g.sums.put(g.v, g.v)
	}
	g.sums.sum()
	alpha := g.sums.real(0)
	if g.m == nil {
		alpha /= g.sums.real(2)
	}
	if g.beta > 0 {
		nd.Axpy(inexact[T](-alpha/g.beta), g.r2, g.y)
	}
	g.r1, g.r2, g.y = g.r2, g.y, g.r1
	if !g.next(alpha) {
		return
	}
	g.normA2 += alpha*alpha + g.beta*g.beta
	if g.res.Iterations > 0 {
		g.normA2 += g.betaBefore * g.betaBefore
	}
	g.rotate(alpha)
}

// next sets beta for the new r2. It reports whether to go on.
func (g *minres[T]) next(alpha float64) bool {
	if g.m != nil {
		g.normalize()
	} else if rr, accurate := leftOver(g.sums.real(1), alpha*g.sums.real(0)); accurate {
		// That takes v's norm as it is: for 1 the error that it has would grow.
		g.setBeta(rr)
	} else {
		g.setBeta(real(g.sums.one(g.r2, g.r2)))
	}
	if g.res.Reason == 0 && !isFinite(alpha+g.beta) {
		g.res.Reason = NotFinite
	}
	return g.res.Reason == 0
}

// rotate takes the new column of the tridiagonal matrix to the triangle and
// extends x.
func (g *minres[T]) rotate(alpha float64) {
	before := g.epsilon
	delta := g.cos*g.deltaBar + g.sin*alpha
	gammaBar := g.sin*g.deltaBar - g.cos*alpha
	g.epsilon = g.sin * g.beta
	g.deltaBar = -g.cos * g.beta
	gamma := root2(gammaBar, g.beta)
	// ‖A·r‖ = ‖r‖·root for the r before this step.
	root := root2(gammaBar, g.deltaBar)
	if tiny := 10 * vectorsOf[T]().epsilon() * math.Sqrt(g.normA2); gamma <= tiny || root <= tiny {
		g.res.Reason = Minimal
		return
	}
	g.cos, g.sin = gammaBar/gamma, g.beta/gamma
	phi := g.cos * g.phiBar
	g.phiBar *= g.sin
	g.w, g.w1, g.w2 = g.w1, g.w2, g.w
	nd.CopyInto(g.w, g.v)
	nd.Axpy(inexact[T](-before), g.w1, g.w)
	nd.Axpy(inexact[T](-delta), g.w2, g.w)
	nd.Scale(inexact[T](1/gamma), g.w)
	nd.Axpy(inexact[T](phi*g.scale), g.w, g.x)
	g.advance(g.phiBar * g.phiBar)
}
