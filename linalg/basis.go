package linalg

import (
	"math"

	"caloric/internal/parallel"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// basis is orthonormal vectors of one layout and room for more. This rank's parts
// of them lie one after another.
type basis[T nd.Inexact] struct {
	data    []T
	vectors []*nd.NDArray[T]
	parts   [][]T        // the same as slices
	h       []complex128 // the coefficients of the vector that came last
	pass    []complex128
	factors []T
	sums    scalars[T]
}

func newBasis[T nd.Inexact](c *spmd.Comm, l *split.Layout, n int) *basis[T] {
	size := l.LocalSize(c.Rank())
	b := &basis[T]{data: make([]T, n*size), h: make([]complex128, n), pass: make([]complex128, n), factors: make([]T, n)}
	for k := range n {
		part := b.data[k*size:][:size:size]
		b.parts = append(b.parts, part)
		b.vectors = append(b.vectors, nd.Wrap(c, l, part))
	}
	b.sums = newScalars[T](c, !l.Replicated(), n+1)
	return b
}

// orthonormalize makes vector n orthogonal to those before it, leaves the
// coefficients that it had along them in h[:n], and divides it by its norm, which
// it returns: 0, and then nothing is divided, if it was a combination of them.
//
// All inner products come from the same vector (classical Gram–Schmidt), so that
// they and the square of the norm share one allreduce. Where that cancels half of
// the vector or more it is done a second time, which is enough (Giraud, Langou,
// Rozložník and van den Eshof 2005, "Rounding error analysis of the classical
// Gram–Schmidt orthogonalization process").
func (b *basis[T]) orthonormalize(n int) float64 {
	clear(b.h[:n])
	first, left := b.subtract(n)
	if left < 0.5*first {
		var second float64
		if second, left = b.subtract(n); left < 0.5*second {
			left = 0
		}
	}
	if eps := 10 * vectorsOf[T]().epsilon(); left <= eps*eps*float64(n+1)*first {
		return 0 // what is left is rounding errors
	}
	norm := math.Sqrt(left)
	if isFinite(norm) {
		nd.Scale(inexact[T](1/norm), b.vectors[n])
	}
	return norm
}

// subtract subtracts from vector n its components along those before it, adds
// them to h, and returns the square of its norm before and after.
func (b *basis[T]) subtract(n int) (before, after float64) {
	w := b.vectors[n]
	b.sums.reset()
	for _, v := range b.vectors[:n] {
		b.sums.put(v, w)
	}
	b.sums.put(w, w)
	b.sums.sum()
	before = b.sums.real(n)
	after = before
	for k := range n {
		c := b.sums.at(k)
		b.pass[k] = -c
		b.h[k] += c
		after -= real(c)*real(c) + imag(c)*imag(c)
	}
	b.combine(b.parts[n], b.pass[:n], w.Comm().Workers())
	return before, max(after, 0*before) // NaN stays
}

// combineBlock is how many elements stay in cache while vectors are added to them.
const combineBlock = 2048

// combine adds to w the vectors of the basis times the coefficients.
func (b *basis[T]) combine(w []T, coefficients []complex128, workers int) {
	for k, c := range coefficients {
		b.factors[k] = coefficient[T](c)
	}
	if n := len(w); workers > 1 && n >= parallelSize {
		b.combineParallel(w, len(coefficients), workers)
		return
	}
	b.combineRange(w, len(coefficients), 0, len(w))
}

func (b *basis[T]) combineParallel(w []T, n, workers int) {
	parallel.Ranges(workers, len(w), func(lo, hi int) { b.combineRange(w, n, lo, hi) })
}

func (b *basis[T]) combineRange(w []T, n, lo, hi int) {
	for ; lo < hi; lo += combineBlock {
		block := w[lo:min(lo+combineBlock, hi)]
		for k, factor := range b.factors[:n] {
			for i, v := range b.parts[k][lo:][:len(block)] {
				block[i] += factor * v
			}
		}
	}
}
