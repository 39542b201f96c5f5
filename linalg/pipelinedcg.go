package linalg

import (
	"math"

	"caloric/nd"
)

// PipelinedCG is [CG] with one allreduce a step, which is under way while A is
// applied, and so costs nothing if it takes no longer than the product (Ghysels and
// Vanroose 2014, "Hiding global synchronization latency in the preconditioned
// Conjugate Gradient algorithm"). It pays where an allreduce over many ranks takes
// as long as a product; it needs six more passes over vectors a step.
//
// It stops as CG does, but computes the residual before it says that it converged,
// because its recurrences drift more; if they were wrong, it goes on from the
// residual computed. It makes one product more than it has steps, and with each
// such residual two more.
//
// The loop allocates nothing but what A, the preconditioner and a callback do,
// room for [Result.Residuals], and, where ranks communicate, one request a step.
//
// Collective. Result split: as [CG]. Communication: one non-blocking allreduce a
// step, of two inner products, with a preconditioner three, 8 bytes each, 16 for
// complex types; one blocking one of one at the end; and those of A's product. No
// allreduces of its own if b is replicated.
// Panics as CG.
func PipelinedCG[T nd.Inexact](A Operator[T], b *nd.NDArray[T], opts ...SolverOption) (*nd.NDArray[T], Result, error) {
	g := newPipelinedCG(A, b, newSettings(opts))
	for g.res.Reason == 0 {
		g.step()
	}
	return g.solution()
}

// pipelinedCG is the state of one run, with the names of the paper: u = M·r,
// w = A·u, mw = M·w (the paper's m), n = A·mw, and the directions p, s = A·p, q = M·s, z = A·q.
// Without a preconditioner u is r, mw is w, and q is s.
type pipelinedCG[T nd.Inexact] struct {
	krylov[T]
	u, w, mw, n, p, s, q, z *nd.NDArray[T]
	gamma, alpha            float64 // of the step before
	fresh                   bool    // there was none
	replaced                bool    // the residual of this step is recorded
}

func newPipelinedCG[T nd.Inexact](A Operator[T], b *nd.NDArray[T], s settings) *pipelinedCG[T] {
	g := &pipelinedCG[T]{krylov: newKrylov("linalg.PipelinedCG", A, b, s, 3)}
	g.w, g.n, g.p, g.s, g.z = g.array(), g.array(), g.array(), g.array(), g.array()
	g.u, g.mw, g.q = g.extra(g.r), g.extra(g.w), g.extra(g.s)
	g.restart()
	return g
}

// restart makes the vectors follow from r.
func (g *pipelinedCG[T]) restart() {
	g.preconditioned(g.u, g.r)
	g.a.Apply(g.w, g.u)
	g.fresh = true
}

func (g *pipelinedCG[T]) step() {
	g.sums.reset()
	g.sums.put(g.r, g.u)
	g.sums.put(g.w, g.u)
	if g.m != nil {
		g.sums.put(g.r, g.r)
	}
	g.sums.start()
	g.preconditioned(g.mw, g.w)
	g.a.Apply(g.n, g.mw)
	g.sums.wait()
	gamma, delta, rr := g.sums.real(0), g.sums.real(1), g.sums.real(0)
	if g.m != nil {
		rr = g.sums.real(2)
	}
	if g.stops(rr) || g.cannot(gamma, delta) {
		return
	}
	alpha, beta := gamma/delta, 0.0
	if !g.fresh {
		beta = gamma / g.gamma
		pAp := delta - beta*gamma/g.alpha
		if pAp <= 0 { // of a definite operator by rounding only
			g.replace()
			return
		}
		alpha = gamma / pAp
	}
	g.update(alpha, beta)
	g.gamma, g.alpha, g.fresh = gamma, alpha, false
	g.res.Iterations++
}

// stops records the residual of the step before and reports whether to stop, or
// to go on from another residual.
func (g *pipelinedCG[T]) stops(rr float64) bool {
	if !g.replaced {
		g.judge(rr)
		if g.res.Iterations > 0 {
			g.called()
		}
	}
	g.replaced = false
	if g.res.Reason == Converged && g.res.Iterations > 0 {
		g.res.Reason = 0
		g.replace()
		return true
	}
	return g.res.Reason != 0
}

// cannot reports, and says why, whether there is no next step.
func (g *pipelinedCG[T]) cannot(gamma, delta float64) bool {
	switch {
	case !isFinite(gamma) || !isFinite(delta):
		g.res.Reason = NotFinite
	case gamma <= 0:
		g.res.Reason = BadPreconditioner
	case delta <= 0: // it is uᴴAu
		g.res.Reason = NotPositiveDefinite
	}
	return g.res.Reason != 0
}

// replace computes the residual from x, corrects what is recorded, and if that is
// no reason to stop starts from there.
func (g *pipelinedCG[T]) replace() {
	g.residual()
	rr := real(g.sums.one(g.r, g.r))
	g.res.Residual = math.Sqrt(rr) * g.scale
	g.res.Residuals[len(g.res.Residuals)-1] = g.res.Residual
	g.res.decide(rr, g.maxIter)
	if g.res.Reason == 0 {
		g.restart()
		g.replaced = true
	}
}

// update makes the step of length alpha along the next directions.
func (g *pipelinedCG[T]) update(alpha, beta float64) {
	preconditioned := g.m != nil
	b, back := inexact[T](beta), inexact[T](-alpha)
	nd.Axpby(1, g.n, b, g.z)
	if preconditioned {
		nd.Axpby(1, g.mw, b, g.q)
	}
	nd.Axpby(1, g.w, b, g.s)
	nd.Axpby(1, g.u, b, g.p)
	nd.Axpy(inexact[T](alpha*g.scale), g.p, g.x)
	nd.Axpy(back, g.s, g.r)
	if preconditioned {
		nd.Axpy(back, g.q, g.u)
	}
	nd.Axpy(back, g.z, g.w)
}
