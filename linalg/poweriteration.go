package linalg

import (
	"math"
	"math/cmplx"

	"caloric/nd"
)

// PowerIteration returns the eigenvalue of a square operator A that is largest in
// magnitude, and a vector of norm 1 of it, by multiplying a start vector by A again
// and again (von Mises and Pollaczek-Geiringer 1929, "Praktische Verfahren der
// Gleichungsauflösung"):
//
//	lambda, v, res, err := linalg.PowerIteration(A, start, linalg.Rtol(1e-8))
//
// The eigenvalue is the Rayleigh quotient vᴴAv. It stops when ‖A·v − λ·v‖ ≤
// max(rtol·|λ|, atol), which is Residual in the result; see [Rtol], [Atol],
// [MaxIter], which is 1000 by default, and [Callback]. It converges as |λ₂/λ₁|ᵏ, and
// not at all if another eigenvalue is as large, as that of opposite sign or, of a
// real matrix, the conjugate. Then the error is a *[NotConvergedError], the same on
// every rank. If A takes a vector to zero, the eigenvalue is 0; from a start of zeros
// there is a [Breakdown].
//
// The loop allocates nothing but what A and a callback do, and room for
// [Result.Residuals].
//
// Collective. Result split: v as the start, with A's counts if both are split.
// Communication: two allreduces a step, of two inner products and of one, 8 bytes
// each, 16 for complex types; and those of A's product. No allreduces of its own if
// the start is replicated.
// Panics if A is not square, start is not a vector of its size, or the types of
// options differ.
func PowerIteration[T nd.Inexact](A Operator[T], start *nd.NDArray[T], opts ...SolverOption) (lambda T, v *nd.NDArray[T], res Result, err error) {
	checkSystem(A, start)
	s := newSettings(opts)
	p := &powerIteration[T]{a: A, callback: callbackOf[T](s), settings: s}
	if p.maxIter < 0 {
		p.maxIter = 1000
	}
	c, l := start.Comm(), workLayout(A, start)
	p.v, p.w, p.d = vectorOf[T](c, l), vectorOf[T](c, l), vectorOf[T](c, l)
	p.sums = newScalars[T](c, !l.Replicated(), 2)
	p.res.Residuals = make([]float64, 0, min(p.maxIter, 1000))
	nd.CopyInto(p.v, start)
	norm := Norm(p.v)
	switch {
	case !isFinite(norm):
		p.res.Reason = NotFinite
	case norm == 0:
		p.res.breakdown("the start")
	case p.maxIter == 0:
		p.res.Reason = MaxIterations
	}
	if p.res.Reason == 0 {
		scale := scaleFor(norm) // the inverse of a small norm may overflow
		nd.Scale(inexact[T](1/scale), p.v)
		nd.Scale(inexact[T](scale/norm), p.v)
	}
	for p.res.Reason == 0 {
		p.step()
	}
	return coefficient[T](p.lambda), p.v, p.res, p.res.failure("linalg.PowerIteration")
}

// powerIteration is the state of one run: w = A·v, d = w − λ·v.
type powerIteration[T nd.Inexact] struct {
	settings
	a        Operator[T]
	v, w, d  *nd.NDArray[T]
	norm     float64 // of w
	lambda   complex128
	callback func(int, *nd.NDArray[T], float64)
	sums     scalars[T]
	res      Result
}

func (p *powerIteration[T]) step() {
	if p.res.Iterations > 0 {
		p.v, p.w = p.w, p.v
		nd.Scale(inexact[T](1/p.norm), p.v)
	}
	p.a.Apply(p.w, p.v)
	p.sums.reset()
	p.sums.put(p.v, p.w)
	p.sums.put(p.w, p.w)
	p.sums.sum()
	p.lambda, p.norm = p.sums.at(0), math.Sqrt(p.sums.real(1))
	nd.CopyInto(p.d, p.w)
	nd.Axpy(coefficient[T](-p.lambda), p.v, p.d)
	p.res.Iterations++
	p.res.Target = max(p.rtol*cmplx.Abs(p.lambda), p.atol)
	dd := real(p.sums.one(p.d, p.d))
	p.res.record(math.Sqrt(dd))
	p.res.decide(dd+p.norm, p.maxIter)
	if p.callback != nil {
		p.callback(p.res.Iterations, p.v, p.res.Residual)
	}
}
