package linalg

import (
	"math"
	"math/cmplx"

	"caloric/nd"
)

// GMRES solves A·x = b for any square operator A by minimizing the residual over
// Krylov spaces of growing dimension (Saad and Schultz 1986, "GMRES: a generalized
// minimal residual algorithm for solving nonsymmetric linear systems"), starting
// anew after [Restart] steps, with the preconditioner on the right, so that the
// residual is that of the system itself:
//
//	x, res, err := linalg.GMRES(A, b, linalg.Restart(50), linalg.Rtol(1e-10))
//
// It stops when ‖b − A·x‖ ≤ max(rtol·‖b‖, atol), as SciPy's gmres does, which it
// computes from x before it says so; see [Rtol], [Atol], [Start], [Callback] and
// [Precondition]. [MaxIter] bounds the steps in all. The iterate is made at the end
// of a cycle of steps, and so the callback sees that of the cycle's start, with the
// residual's norm as it is after the step. For b = 0 the solution is 0, from any
// start. If it stops for another reason, the error is a *[NotConvergedError], the
// same on every rank, and x is what it had come to: of a singular operator the
// [Breakdown], when the Krylov space is exhausted without a solution in it.
//
// It keeps restart + 1 vectors. The loop allocates nothing but what A, the
// preconditioner and a callback do, and room for [Result.Residuals].
//
// Collective. Result split: as [CG]. Communication: in step j of a cycle one
// allreduce of j + 1 inner products, 8 bytes each, 16 for complex types, a second
// one where orthogonalization cancels more than half of a vector; one more at the
// end of a cycle; and those of A's products, one a step and one a cycle. No
// allreduces of its own if b is replicated.
// Panics as CG.
func GMRES[T nd.Inexact](A Operator[T], b *nd.NDArray[T], opts ...SolverOption) (*nd.NDArray[T], Result, error) {
	g := newGMRES(A, b, newSettings(opts))
	for g.res.Reason == 0 {
		g.cycle()
	}
	return g.solution()
}

// gmres is the state of one run. The columns of the triangle R, of restart
// elements each, lie one after another.
type gmres[T nd.Inexact] struct {
	krylov[T]
	basis     *basis[T]
	z         *nd.NDArray[T] // preconditioned
	rr        float64
	restart   int
	triangle  []complex128
	cosines   []float64
	sines     []complex128
	rhs, y    []complex128 // Qᴴ·‖r‖e₁ and the solution R⁻¹·rhs
	exhausted bool         // the Krylov space grows no more
	singular  bool         // and R is singular
}

func newGMRES[T nd.Inexact](A Operator[T], b *nd.NDArray[T], s settings) *gmres[T] {
	g := &gmres[T]{krylov: newKrylov("linalg.GMRES", A, b, s, 1)}
	n, _ := A.Shape()
	m := max(1, min(s.restart, n))
	g.restart = m
	g.basis = newBasis[T](g.comm, g.layout, m+1)
	g.triangle, g.y, g.rhs = make([]complex128, m*m), make([]complex128, m), make([]complex128, m+1)
	g.cosines, g.sines = make([]float64, m), make([]complex128, m)
	if g.m != nil {
		g.z = g.array()
	}
	g.rr = real(g.sums.one(g.r, g.r))
	g.judge(g.rr)
	return g
}

// cycle builds a Krylov space from the residual, up to the restart, and adds to x
// what is best in it.
func (g *gmres[T]) cycle() {
	norm := math.Sqrt(g.rr)
	nd.CopyInto(g.basis.vectors[0], g.r)
	nd.Scale(inexact[T](1/norm), g.basis.vectors[0])
	clear(g.rhs)
	g.rhs[0] = complex(norm, 0)
	g.exhausted, g.singular = false, false
	n := 0
	for n < g.restart && g.res.Iterations < g.maxIter && !g.exhausted {
		if !g.step(n) {
			g.res.Reason = NotFinite
			break
		}
		n++
		residual := cmplx.Abs(g.rhs[n]) * g.scale
		g.res.Iterations++
		g.res.record(residual)
		g.called()
		if residual <= g.res.Target {
			break
		}
	}
	g.correct(n)
	if g.res.Reason != 0 {
		return
	}
	g.residual()
	g.rr = real(g.sums.one(g.r, g.r))
	g.res.Residual = math.Sqrt(g.rr) * g.scale
	g.res.Residuals[len(g.res.Residuals)-1] = g.res.Residual
	g.res.decide(g.rr, g.maxIter)
	if g.singular && g.res.Reason == 0 {
		g.res.breakdown("the last pivot, in a Krylov space that grows no more")
	}
}

// step extends the basis by A·M·v and the triangle by a column. It reports
// whether all numbers are finite.
func (g *gmres[T]) step(n int) bool {
	g.a.Apply(g.basis.vectors[n+1], g.preconditioned(g.z, g.basis.vectors[n]))
	below := g.basis.orthonormalize(n + 1)
	column := g.triangle[n*g.restart:][:n+1]
	size := below
	for i, c := range g.basis.h[:n+1] {
		column[i] = c
		size = math.Hypot(size, cmplx.Abs(c))
	}
	if !isFinite(size) {
		return false
	}
	for i := range n {
		above := column[i]
		column[i] = complex(g.cosines[i], 0)*above + g.sines[i]*column[i+1]
		column[i+1] = -cmplx.Conj(g.sines[i])*above + complex(g.cosines[i], 0)*column[i+1]
	}
	cos, sin := 0.0, complex128(1)
	if d := cmplx.Abs(column[n]); d > 0 {
		r := math.Hypot(d, below)
		cos, sin = d/r, column[n]/complex(d, 0)*complex(below/r, 0)
	}
	column[n] = complex(cos, 0)*column[n] + sin*complex(below, 0)
	g.cosines[n], g.sines[n] = cos, sin
	g.rhs[n], g.rhs[n+1] = complex(cos, 0)*g.rhs[n], -cmplx.Conj(sin)*g.rhs[n]
	g.exhausted = below == 0
	if g.exhausted && cmplx.Abs(column[n]) <= 10*vectorsOf[T]().epsilon()*float64(n+1)*size {
		g.singular = true
		g.rhs[n+1], column[n] = g.rhs[n], 0
	}
	return true
}

// correct adds M·V·y to x, where y solves R·y = rhs of the first n columns.
func (g *gmres[T]) correct(n int) {
	for i := n - 1; i >= 0; i-- {
		sum := g.rhs[i]
		for j := i + 1; j < n; j++ {
			sum -= g.triangle[j*g.restart+i] * g.y[j]
		}
		g.y[i] = 0
		if d := g.triangle[i*g.restart+i]; d != 0 {
			g.y[i] = sum / d
		}
	}
	space := g.r // which is computed anew
	local := space.Local()
	clear(local)
	g.basis.combine(local, g.y[:n], g.comm.Workers())
	if g.m != nil {
		g.m.Apply(g.z, space)
		space = g.z
	}
	nd.Axpy(inexact[T](g.scale), space, g.x)
}
