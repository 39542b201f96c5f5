package linalg

import (
	"math"

	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// LeastSquaresResult says how [CGLS] or [LSQR] went. It is the same on every
// rank. Residual, Residuals and Target are of the gradient, which vanishes at the
// minimum: ‖Aᴴ(b − A·x) − damp²·x‖.
type LeastSquaresResult struct {
	Result
	Compatible    bool      // b − A·x is as small as [LSQR] was asked for
	Misfit        float64   // ‖b − A·x‖
	Damped        float64   // √(‖b − A·x‖² + damp²‖x‖²), what is minimized
	Misfits       []float64 // Misfit at the start and after each step
	DampedMisfits []float64 // Damped at the start and after each step; nil without damping

	// Estimates by LSQR only.
	NormA float64 // Frobenius norm of A, with the damping below it
	CondA float64 // condition number of the same
	NormX float64 // ‖x‖, with a start ‖x − x₀‖
}

// leastSquares is what the solvers of min ‖b − A·x‖ have in common: vectors of
// the unknowns have layout domain, those of the data layout rng. What is
// subtracted from b is divided by scale.
type leastSquares[T nd.Inexact] struct {
	comm        *spmd.Comm
	domain, rng *split.Layout
	a           Operator[T]
	x, s        *nd.NDArray[T] // the iterate and (b − A·x) / scale
	norm, scale float64        // of b
	damp        float64
	maxIter     int
	callback    func(int, *nd.NDArray[T], float64)
	sums        scalars[T]
	res         LeastSquaresResult
}

// newLeastSquares sets up a solver, whose steps need n inner products at a time,
// and reports whether it has something to start from other than zero. For b = 0 it
// has not, unless damping is of the distance from the start.
func newLeastSquares[T nd.Inexact](A Operator[T], b *nd.NDArray[T], s settings, n int, fromStart bool) (g leastSquares[T], started bool) {
	rows, cols := A.Shape()
	if l := b.Layout().Shape(); len(l) != 1 || l[0] != rows {
		misuse.Panic("right-hand side %v for an operator of %d × %d", b.Layout(), rows, cols)
	}
	if s.damp < 0 || !isFinite(s.damp) {
		misuse.Panic("damping by %v", s.damp)
	}
	c := b.Comm()
	g = leastSquares[T]{comm: c, a: A, damp: s.damp, maxIter: s.maxIter, callback: callbackOf[T](s)}
	if g.maxIter < 0 {
		g.maxIter = 10 * cols
	}
	x0 := startOf(s, b, split.Shape{cols})
	g.rng, g.domain = dataLayout(A, b), unknownsLayout(A, b, x0, cols)
	g.sums = newScalars[T](c, !g.domain.Replicated() || !g.rng.Replicated(), n)
	g.x, g.s = vectorOf[T](c, g.domain), vectorOf[T](c, g.rng)
	nd.CopyInto(g.s, b)
	g.norm = Norm(g.s)
	g.scale = scaleFor(g.norm)
	if g.scale != 1 {
		nd.Scale(inexact[T](1/g.scale), g.s)
	}
	if x0 != nil && (g.norm > 0 || fromStart && s.damp > 0) {
		nd.CopyInto(g.x, x0)
		started = true
	}
	length := min(g.maxIter, 1000) + 1
	g.res.Residuals, g.res.Misfits = make([]float64, 0, length), make([]float64, 0, length)
	if g.damp != 0 {
		g.res.DampedMisfits = make([]float64, 0, length)
	}
	return g, started
}

// subtractStart subtracts A·x from the scaled right-hand side s, with space for
// the product.
func (g *leastSquares[T]) subtractStart(space *nd.NDArray[T]) {
	g.a.Apply(space, g.x)
	nd.Axpy(inexact[T](-1/g.scale), space, g.s)
}

// record notes the norms after a step: of the gradient, the misfit, and with
// damping what is minimized.
func (g *leastSquares[T]) record(gradient, misfit, damped float64) {
	g.res.record(gradient)
	g.res.Misfit, g.res.Damped = misfit, damped
	g.res.Misfits = append(g.res.Misfits, misfit)
	if g.damp != 0 {
		g.res.DampedMisfits = append(g.res.DampedMisfits, damped)
	}
}

func (g *leastSquares[T]) called() {
	if g.callback != nil {
		g.callback(g.res.Iterations, g.x, g.res.Residual)
	}
}

func (g *leastSquares[T]) solution(name string) (*nd.NDArray[T], LeastSquaresResult, error) {
	return g.x, g.res, g.res.failure(name)
}

// unknownsLayout returns the layout of the unknowns: that of the start if there is
// one, else what suits A, if b is split as well.
func unknownsLayout[T nd.Inexact](A Operator[T], b, x0 *nd.NDArray[T], n int) *split.Layout {
	if x0 != nil {
		return x0.Layout()
	}
	if b.Layout().Replicated() {
		return split.Block(split.Shape{n}, split.None, b.Comm().Size())
	}
	if d, ok := A.(domainer); ok && d.Domain() != nil {
		return d.Domain()
	}
	return split.Block(split.Shape{n}, 0, b.Comm().Size())
}

// dataLayout returns the layout of the vectors that are subtracted from b.
func dataLayout[T nd.Inexact](A Operator[T], b *nd.NDArray[T]) *split.Layout {
	if d, ok := A.(ranger); ok && !b.Layout().Replicated() {
		if l := d.Range(); l != nil {
			return l
		}
	}
	return b.Layout()
}

// gradientTarget is the target of a solver that stops by the gradient alone.
func gradientTarget(s settings, gradient float64) float64 {
	return max(s.rtol*gradient, s.atol)
}

// root2 returns √(a² + b²) of numbers whose squares are known to be in range.
func root2(a, b float64) float64 { return math.Sqrt(a*a + b*b) }
