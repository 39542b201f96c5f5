package linalg

import (
	"math"

	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// krylov is what the solvers of A·x = b have in common: the system, the iterate
// x and the residual r, which is divided by scale.
type krylov[T nd.Inexact] struct {
	name     string
	comm     *spmd.Comm
	layout   *split.Layout
	a, m     Operator[T] // m, the preconditioner, is nil if there is none
	b, x, r  *nd.NDArray[T]
	scale    float64
	maxIter  int
	callback func(int, *nd.NDArray[T], float64)
	sums     scalars[T]
	res      Result
}

// newKrylov sets up a solver whose steps need n inner products at a time.
func newKrylov[T nd.Inexact](name string, A Operator[T], b *nd.NDArray[T], s settings, n int) krylov[T] {
	size := checkSystem(A, b)
	c := b.Comm()
	k := krylov[T]{name: name, comm: c, layout: workLayout(A, b), a: A, m: preconditioner[T](s, size), maxIter: s.maxIter}
	k.callback = callbackOf[T](s)
	k.sums = newScalars[T](c, !k.layout.Replicated(), n)
	if k.maxIter < 0 {
		k.maxIter = 10 * size
	}
	x0 := startOf(s, b, k.layout.Shape())
	k.b = b
	if !b.Layout().Equal(k.layout) || !b.IsContiguous() {
		k.b = k.array()
		nd.CopyInto(k.b, b)
	}
	k.x, k.r = k.array(), k.array()
	nd.CopyInto(k.r, k.b)
	norm := Norm(k.r)
	k.res.Target = max(s.rtol*norm, s.atol)
	k.scale = scaleFor(norm)
	if x0 != nil && norm > 0 {
		nd.CopyInto(k.x, x0)
		k.residual()
	} else if k.scale != 1 {
		nd.Scale(inexact[T](1/k.scale), k.r)
	}
	k.res.Residuals = make([]float64, 0, min(k.maxIter, 1000)+1)
	return k
}

// array returns a new vector of the layout that the solver works with.
func (k *krylov[T]) array() *nd.NDArray[T] { return vectorOf[T](k.comm, k.layout) }

func vectorOf[T nd.Inexact](c *spmd.Comm, l *split.Layout) *nd.NDArray[T] {
	return nd.Wrap(c, l, make([]T, l.LocalSize(c.Rank())))
}

// residual sets r to (b − A·x) / scale.
func (k *krylov[T]) residual() {
	k.a.Apply(k.r, k.x)
	nd.Axpby(inexact[T](1/k.scale), k.b, inexact[T](-1/k.scale), k.r)
}

// preconditioned returns M·v in space, or v if there is no preconditioner.
func (k *krylov[T]) preconditioned(space, v *nd.NDArray[T]) *nd.NDArray[T] {
	if k.m == nil {
		return v
	}
	k.m.Apply(space, v)
	return space
}

// extra returns another vector if there is a preconditioner, else v.
func (k *krylov[T]) extra(v *nd.NDArray[T]) *nd.NDArray[T] {
	if k.m == nil {
		return v
	}
	return k.array()
}

// judge records the square of the residual's norm, as far as it is scaled, and
// decides whether to go on. All that it looks at is the same on every rank.
func (k *krylov[T]) judge(rr float64) {
	k.res.record(math.Sqrt(rr) * k.scale)
	k.res.decide(rr, k.maxIter)
}

// advance counts a step, judges it and calls back.
func (k *krylov[T]) advance(rr float64) {
	k.res.Iterations++
	k.judge(rr)
	k.called()
}

func (k *krylov[T]) called() {
	if k.callback != nil {
		k.callback(k.res.Iterations, k.x, k.res.Residual)
	}
}

func (k *krylov[T]) solution() (*nd.NDArray[T], Result, error) {
	return k.x, k.res, k.res.failure(k.name)
}

func (r *Result) record(residual float64) {
	r.Residual = residual
	r.Residuals = append(r.Residuals, residual)
}

// decide sets the reason to stop after a step whose residual, of the square rr,
// is recorded, if there is one.
func (r *Result) decide(rr float64, maxIter int) {
	switch {
	case r.Residual <= r.Target && !math.IsInf(r.Residual, 0):
		r.Reason = Converged
	case !isFinite(rr):
		r.Reason = NotFinite
	case r.Iterations >= maxIter:
		r.Reason = MaxIterations
	}
}

// breakdown stops because what is 0.
func (r *Result) breakdown(what string) {
	r.Reason, r.Detail = Breakdown, what
}

// failure returns the error of a solver that has stopped, nil if it converged.
func (r *Result) failure(solver string) error {
	if r.Reason == Converged {
		return nil
	}
	return &NotConvergedError{solver, *r}
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// scaleFor returns what to divide a right-hand side of the given norm by: 1, or a
// power of two, which divides without rounding, if squares of such numbers leave
// the range of float64.
func scaleFor(norm float64) float64 {
	if norm > 0 && (norm < 1e-120 || norm > 1e120) && !math.IsInf(norm, 0) {
		_, e := math.Frexp(norm)
		return math.Ldexp(1, e-1)
	}
	return 1
}

// startOf returns the vector to start from, nil for zero.
func startOf[T nd.Inexact](s settings, b *nd.NDArray[T], shape split.Shape) *nd.NDArray[T] {
	if s.start == nil {
		return nil
	}
	x0 := optionAs[*nd.NDArray[T]](s.start)
	sameComm(x0, b)
	if !x0.Layout().Shape().Equal(shape) {
		misuse.Panic("start %v for %d unknowns and a right-hand side %v", x0.Layout(), shape[0], b.Layout())
	}
	return x0
}

func callbackOf[T nd.Inexact](s settings) func(int, *nd.NDArray[T], float64) {
	if s.callback == nil {
		return nil
	}
	return optionAs[func(int, *nd.NDArray[T], float64)](s.callback)
}

// preconditionerOf holds an operator, so that its element type can be told.
type preconditionerOf[T nd.Inexact] struct{ m Operator[T] }

// preconditioner returns the one that is asked for, nil if none is.
func preconditioner[T nd.Inexact](s settings, n int) Operator[T] {
	if s.precondition == nil {
		return nil
	}
	m := optionAs[preconditionerOf[T]](s.precondition).m
	if rows, cols := m.Shape(); rows != n || cols != n {
		misuse.Panic("preconditioner of %d × %d for %d unknowns", rows, cols, n)
	}
	return m
}
