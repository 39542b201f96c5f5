package linalg

import (
	"math"

	"caloric/nd"
)

// BiCGSTAB solves A·x = b for any square operator A by the stabilized method of
// biconjugate gradients (van der Vorst 1992, "Bi-CGSTAB: a fast and smoothly
// converging variant of Bi-CG for the solution of nonsymmetric linear systems"),
// with the preconditioner on the right:
//
//	x, res, err := linalg.BiCGSTAB(A, b, linalg.Rtol(1e-10), linalg.Precondition(M))
//
// It stops when ‖b − A·x‖ ≤ max(rtol·‖b‖, atol), as SciPy's bicgstab does, also
// in the middle of a step; see [Rtol], [Atol], [MaxIter], [Start], [Callback]
// and [Precondition]. For b = 0 the solution is 0, from any start. If it stops for
// another reason, the error is a *[NotConvergedError], the same on every rank, and
// x is what it had come to. Of a [Breakdown] it says which number was 0.
//
// The loop allocates nothing but what A, the preconditioner and a callback do,
// and room for [Result.Residuals].
//
// Collective. Result split: as [CG]. Communication: two allreduces a step, of one
// inner product and of five, 8 bytes each, 16 for complex types, and a third of
// two in a step that makes the residual ten times smaller; and those of A's two
// products. No allreduces of its own if b is replicated.
// Panics as CG.
func BiCGSTAB[T nd.Inexact](A Operator[T], b *nd.NDArray[T], opts ...SolverOption) (*nd.NDArray[T], Result, error) {
	g := newBiCGSTAB(A, b, newSettings(opts))
	for g.res.Reason == 0 {
		g.step()
	}
	return g.solution()
}

// bicgstab is the state of one run, with the names of the paper; shadow is r̂.
type bicgstab[T nd.Inexact] struct {
	krylov[T]
	shadow, p, v, t  *nd.NDArray[T]
	pHat, sHat       *nd.NDArray[T] // preconditioned p and s
	rho              complex128     // r̂ᴴr
	rr, shadowNorm   float64
	rhoBefore, alpha complex128
	omega            complex128
}

func newBiCGSTAB[T nd.Inexact](A Operator[T], b *nd.NDArray[T], s settings) *bicgstab[T] {
	g := &bicgstab[T]{krylov: newKrylov("linalg.BiCGSTAB", A, b, s, 5)}
	g.shadow, g.p, g.v, g.t = g.array(), g.array(), g.array(), g.array()
	g.pHat, g.sHat = g.extra(g.p), g.extra(g.r)
	nd.CopyInto(g.shadow, g.r)
	g.rr = real(g.sums.one(g.r, g.r))
	g.rho, g.shadowNorm = complex(g.rr, 0), math.Sqrt(g.rr)
	g.judge(g.rr)
	return g
}

func (g *bicgstab[T]) step() {
	if vanishes(g.rho, math.Sqrt(g.rr)*g.shadowNorm) {
		g.res.breakdown("r̂ᴴr")
		return
	}
	if g.res.Iterations == 0 {
		nd.CopyInto(g.p, g.r)
	} else {
		beta := g.rho / g.rhoBefore * (g.alpha / g.omega)
		nd.Axpby(coefficient[T](-beta*g.omega), g.v, coefficient[T](beta), g.p)
		nd.Axpy(1, g.r, g.p)
	}
	g.preconditioned(g.pHat, g.p)
	g.a.Apply(g.v, g.pHat)
	rv := g.sums.one(g.shadow, g.v)
	switch {
	case !isFinite(real(rv)) || !isFinite(imag(rv)):
		g.res.Reason = NotFinite
		return
	case rv == 0:
		g.res.breakdown("r̂ᴴA·p")
		return
	}
	g.alpha = g.rho / rv
	nd.Axpy(coefficient[T](-g.alpha), g.v, g.r) // r is the paper's s until ω is known
	g.preconditioned(g.sHat, g.r)
	g.a.Apply(g.t, g.sHat)
	ts, tt, ss, rs, rt := g.products()
	nd.Axpy(coefficient[T](g.alpha*complex(g.scale, 0)), g.pHat, g.x)
	switch {
	case math.Sqrt(ss)*g.scale <= g.res.Target || !isFinite(ss):
		g.advance(ss) // half a step was enough
		return
	case tt == 0 || ts == 0:
		g.res.breakdown("tᴴs")
		g.res.Iterations++
		g.res.record(math.Sqrt(ss) * g.scale)
		return
	}
	g.omega = ts / complex(tt, 0)
	nd.Axpy(coefficient[T](g.omega*complex(g.scale, 0)), g.sHat, g.x)
	nd.Axpy(coefficient[T](-g.omega), g.t, g.r)
	g.rhoBefore = g.rho
	// The products with the new r = s − ω·t follow from those known.
	g.rho = rs - g.omega*rt
	part := (real(ts)*real(ts) + imag(ts)*imag(ts)) / tt
	var accurate bool
	if g.rr, accurate = leftOver(ss, part); !accurate {
		g.sums.reset()
		g.sums.put(g.r, g.r)
		g.sums.put(g.shadow, g.r)
		g.sums.sum()
		g.rr, g.rho = g.sums.real(0), g.sums.at(1)
	}
	g.advance(g.rr)
}

// products returns the inner products that ω, r·r and ρ need: tᴴs, tᴴt, sᴴs,
// r̂ᴴs, which is 0 but for rounding, and r̂ᴴt.
func (g *bicgstab[T]) products() (ts complex128, tt, ss float64, rs, rt complex128) {
	g.sums.reset()
	g.sums.put(g.t, g.r)
	g.sums.put(g.t, g.t)
	g.sums.put(g.r, g.r)
	g.sums.put(g.shadow, g.r)
	g.sums.put(g.shadow, g.t)
	g.sums.sum()
	return g.sums.at(0), g.sums.real(1), g.sums.real(2), g.sums.at(3), g.sums.at(4)
}

// vanishes reports whether an inner product is 0 up to the square of rounding
// errors of vectors whose norms have the given product.
func vanishes(v complex128, norms float64) bool {
	return math.Hypot(real(v), imag(v)) <= 0x1p-104*norms
}
