package linalg

import (
	"math"

	"caloric/nd"
)

// LSQR minimizes ‖b − A·x‖² + damp²‖x‖² for any operator A, or with a start x₀
// ‖b − A·x‖² + damp²‖x − x₀‖², by the bidiagonalization of Golub and Kahan (Paige
// and Saunders 1982, "LSQR: an algorithm for sparse linear equations and sparse
// least squares"):
//
//	x, res, err := linalg.LSQR(A, b, linalg.Rtol(1e-10))
//
// It stops as SciPy's lsqr does with atol = btol = rtol: when the system is solved,
// ‖b − A·x‖ ≤ rtol·(‖b‖ + ‖A‖·‖x‖), or x minimizes, ‖Aᴴr‖ ≤ rtol·‖A‖·‖r‖, where ‖A‖
// is an estimate of the Frobenius norm; and also if ‖Aᴴr‖ ≤ atol. An rtol below
// the precision of T counts as that. See [Rtol], [Atol], [Damp], [MaxIter],
// [Start] and [Callback], which gets ‖Aᴴr‖. For b = 0 without damping the solution is
// 0, from any start. If it stops for another reason, the error is a *[NotConvergedError], the
// same on every rank, and x is what it had come to.
//
// The loop allocates nothing but what A and a callback do, and room for the
// histories of the result.
//
// Collective. Result split: as [CGLS]. Communication: two allreduces a step, of
// two inner products and of one, 8 bytes each, 16 for complex types; and those of
// A's two products. No allreduces of its own if b and the unknowns are replicated.
// Panics as CGLS.
func LSQR[T nd.Inexact](A Operator[T], b *nd.NDArray[T], opts ...SolverOption) (*nd.NDArray[T], LeastSquaresResult, error) {
	g := newLSQR(A, b, newSettings(opts))
	for g.res.Reason == 0 {
		g.step()
	}
	return g.solution("linalg.LSQR")
}

// lsqr is the state of one run, with the names of the paper; s of leastSquares is u.
type lsqr[T nd.Inexact] struct {
	leastSquares[T]
	v, w, av, atu *nd.NDArray[T]
	tol, atol     float64

	alpha, beta, rhoBar, phiBar float64
	normA2, dd, res2            float64 // ‖A‖², Σ‖w/ρ‖², what damping adds to the misfit
	cs2, sn2, z, zBar, xx       float64 // of ‖x‖² = xx + zBar²
}

func newLSQR[T nd.Inexact](A Operator[T], b *nd.NDArray[T], s settings) *lsqr[T] {
	g := &lsqr[T]{tol: max(s.rtol, vectorsOf[T]().epsilon()), atol: s.atol, cs2: -1}
	var started bool
	g.leastSquares, started = newLeastSquares(A, b, s, 2, true)
	g.v, g.w, g.atu = vectorOf[T](g.comm, g.domain), vectorOf[T](g.comm, g.domain), vectorOf[T](g.comm, g.domain)
	g.av = vectorOf[T](g.comm, g.rng)
	if started {
		g.subtractStart(g.av)
	}
	g.beta = math.Sqrt(real(g.sums.one(g.s, g.s)))
	if g.beta > 0 && isFinite(g.beta) {
		nd.Scale(inexact[T](1/g.beta), g.s)
		A.ApplyAdjoint(g.v, g.s)
		g.alpha = math.Sqrt(real(g.sums.one(g.v, g.v)))
	}
	if g.alpha > 0 {
		nd.Scale(inexact[T](1/g.alpha), g.v)
	}
	nd.CopyInto(g.w, g.v)
	g.rhoBar, g.phiBar = g.alpha, g.beta
	g.judge(g.alpha*g.beta, g.beta)
	return g
}

// judge records the norms of the gradient and of the damped misfit, both to be
// multiplied by scale, and decides whether to go on.
func (g *lsqr[T]) judge(gradient, damped float64) {
	normA, norm := math.Sqrt(g.normA2), g.norm/g.scale
	normX := math.Sqrt(g.xx + g.zBar*g.zBar)
	misfit := damped
	if g.damp != 0 {
		misfit = math.Sqrt(max(0, damped*damped-g.damp*g.damp*normX*normX))
	}
	g.res.Target = max(g.tol*normA*damped*g.scale, g.atol)
	g.record(gradient*g.scale, misfit*g.scale, damped*g.scale)
	g.res.NormA, g.res.CondA, g.res.NormX = normA, normA*math.Sqrt(g.dd), normX*g.scale
	g.res.decide(gradient+damped, g.maxIter)
	if isFinite(damped) && damped <= g.tol*(norm+normA*normX) {
		g.res.Compatible, g.res.Reason = true, Converged
	}
}

func (g *lsqr[T]) step() {
	// The next vectors: β·u = A·v − α·u, α·v = Aᴴu − β·v.
	g.a.Apply(g.av, g.v)
	nd.Axpby(1, g.av, inexact[T](-g.alpha), g.s)
	g.sums.reset()
	g.sums.put(g.s, g.s)
	g.sums.put(g.w, g.w)
	g.sums.sum()
	g.beta = math.Sqrt(g.sums.real(0))
	ww := g.sums.real(1)
	if !isFinite(g.beta) {
		g.res.Reason = NotFinite
		return
	}
	g.normA2 += g.alpha*g.alpha + g.beta*g.beta + g.damp*g.damp
	if g.beta > 0 {
		nd.Scale(inexact[T](1/g.beta), g.s)
		g.a.ApplyAdjoint(g.atu, g.s)
		nd.Axpby(1, g.atu, inexact[T](-g.beta), g.v)
		g.alpha = math.Sqrt(real(g.sums.one(g.v, g.v)))
		if !isFinite(g.alpha) {
			g.res.Reason = NotFinite
			return
		}
		if g.alpha > 0 {
			nd.Scale(inexact[T](1/g.alpha), g.v)
		}
	}
	// A rotation takes the damping out, another one β.
	psi, rhoBar1 := 0.0, g.rhoBar
	if g.damp != 0 {
		rhoBar1 = root2(g.rhoBar, g.damp)
		psi = g.damp / rhoBar1 * g.phiBar
		g.phiBar *= g.rhoBar / rhoBar1
	}
	rho := root2(rhoBar1, g.beta)
	if rho == 0 {
		g.res.breakdown("ρ")
		return
	}
	cs, sn := rhoBar1/rho, g.beta/rho
	theta := sn * g.alpha
	g.rhoBar = -cs * g.alpha
	phi := cs * g.phiBar
	g.phiBar *= sn
	nd.Axpy(inexact[T](phi/rho*g.scale), g.w, g.x)
	nd.Axpby(1, g.v, inexact[T](-theta/rho), g.w)
	g.dd += ww / (rho * rho)
	g.estimateX(rho, theta, phi)
	g.res2 += psi * psi
	g.res.Iterations++
	g.judge(g.alpha*math.Abs(sn*phi), math.Sqrt(g.phiBar*g.phiBar+g.res2))
	g.called()
}

// estimateX updates what gives ‖x‖², or ‖x − x₀‖², by a rotation from the right.
func (g *lsqr[T]) estimateX(rho, theta, phi float64) {
	delta, gammaBar := g.sn2*rho, -g.cs2*rho
	rhs := phi - delta*g.z
	// z of the step before is final now.
	g.xx += g.z * g.z
	g.zBar = rhs / gammaBar
	gamma := root2(gammaBar, theta)
	g.cs2, g.sn2 = gammaBar/gamma, theta/gamma
	g.z = rhs / gamma
}
