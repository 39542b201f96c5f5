package linalg

import (
	"math"
	"slices"

	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// RCond returns an estimate of 1/(‖A‖₁·‖A⁻¹‖₁), the reciprocal condition number
// in the 1-norm, as LAPACK's gecon does: hardly ever wrong by more than a factor of
// 3. It is 0 for a singular matrix and NaN for one with NaN. A solution has lost
// about −log₁₀(RCond) of its digits.
//
// It takes some four or five solutions with A or Aᴴ (Higham 1988, "FORTRAN codes for
// estimating the one-norm of a real or complex matrix, with applications to
// condition estimation").
//
// Collective unless A is replicated. Communication: one allreduce of 8 bytes, and
// that of at most ten of [LUFactors.Solve] for a replicated vector; none if A
// is replicated. Panics if A is not square.
func (f *LUFactors[T]) RCond() float64 {
	checkFactored(f.layout)
	norm := f.norm
	if f.w.size > 1 {
		norm = spmd.AllreduceOne(f.w.comm, norm, spmd.Max)
	}
	switch {
	case f.w.cols == 0:
		return math.Inf(1)
	case math.IsNaN(norm):
		return norm
	case f.zero >= 0 || math.IsInf(norm, 0):
		return 0
	}
	return newInverseNorm[T](f.w.comm, f.w.cols, func(x *nd.NDArray[T]) { f.SolveInto(x, x) },
		func(x *nd.NDArray[T]) { f.SolveAdjointInto(x, x) }).reciprocal(norm)
}

// RCond returns an estimate of 1/(‖A‖₁·‖A⁻¹‖₁); see [LUFactors.RCond].
//
// Collective unless A is replicated. Communication: one allreduce of 8n bytes for
// the column sums of A, and that of at most ten of [CholeskyFactors.Solve] for a
// replicated vector; none if A is replicated.
func (f *CholeskyFactors[T]) RCond() float64 {
	sums := slices.Clone(f.sums)
	if f.w.size > 1 {
		spmd.Allreduce(f.w.comm, sums, spmd.Sum)
	}
	if len(sums) == 0 {
		return math.Inf(1)
	}
	norm := slices.Max(sums)
	if math.IsNaN(norm) || math.IsInf(norm, 0) {
		return 1 / norm
	}
	solve := func(x *nd.NDArray[T]) { f.SolveInto(x, x) }
	return newInverseNorm(f.w.comm, f.w.cols, solve, solve).reciprocal(norm)
}

// inverseNorm estimates ‖A⁻¹‖₁ with a vector that is the same on every rank.
type inverseNorm[T nd.Inexact] struct {
	x              []T
	array          *nd.NDArray[T]       // x
	solve, adjoint func(*nd.NDArray[T]) // replace it by A⁻¹·x and A⁻ᴴ·x
}

func newInverseNorm[T nd.Inexact](c *spmd.Comm, n int, solve, adjoint func(*nd.NDArray[T])) *inverseNorm[T] {
	x := make([]T, n)
	return &inverseNorm[T]{x, nd.Wrap(c, split.Block(split.Shape{n}, split.None, c.Size()), x), solve, adjoint}
}

// reciprocal returns 1/(‖A⁻¹‖₁·norm).
func (e *inverseNorm[T]) reciprocal(norm float64) float64 { return 1 / e.estimate() / norm }

func (e *inverseNorm[T]) estimate() float64 {
	n := len(e.x)
	for i := range e.x {
		e.x[i] = inexact[T](1 / float64(n))
	}
	best := e.apply()
	if n == 1 {
		return best
	}
	at := -1
	for range 4 {
		next := e.gradient()
		if at >= 0 && magnitudeOf(e.x[next]) == magnitudeOf(e.x[at]) {
			break
		}
		at = next
		clear(e.x)
		e.x[at] = 1
		norm := e.apply()
		if !(norm > best) {
			break
		}
		best = norm
	}
	// A vector that guards against what cancels in the steps above.
	for i := range e.x {
		v := 1 + float64(i)/float64(n-1)
		if i%2 == 1 {
			v = -v
		}
		e.x[i] = inexact[T](v)
	}
	return math.Max(best, 2*e.apply()/(3*float64(n)))
}

// apply replaces x by A⁻¹·x and returns its 1-norm.
func (e *inverseNorm[T]) apply() float64 {
	e.solve(e.array)
	var norm float64
	for _, v := range e.x {
		norm += magnitudeOf(v)
	}
	return norm
}

// gradient replaces x by A⁻ᴴ·sign(x) and returns the index of its largest element.
func (e *inverseNorm[T]) gradient() int {
	for i, v := range e.x {
		if size := magnitudeOf(v); size > 0 {
			re, im := parts(v)
			e.x[i] = fromParts[T](re/size, im/size)
		} else {
			e.x[i] = 1
		}
	}
	e.adjoint(e.array)
	at := 0
	for i, v := range e.x {
		if magnitudeOf(v) > magnitudeOf(e.x[at]) {
			at = i
		}
	}
	return at
}

func magnitudeOf[T nd.Inexact](v T) float64 {
	re, im := parts(v)
	return math.Hypot(re, im)
}
