package linalg

import (
	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/split"
)

// TensorDot returns the sum of products of a and b over a's last n axes and b's
// first n, which have the same extents in the same order. The result has a's
// other axes, then b's. n = 1 is the matrix product of matrices, n = 0 the outer
// product. See [TensorDotOver] for other axes, and what it communicates.
//
// Collective unless local. Result split and communication: as TensorDotOver.
// Panics if n is negative or larger than a's or b's number of axes, if the
// extents differ, or if the communicators do.
func TensorDot[T nd.Number](a, b *nd.NDArray[T], n int) *nd.NDArray[T] {
	if n < 0 || n > a.NDim() || n > b.NDim() {
		misuse.Panic("%d axes of %v and %v cannot be summed over", n, a.Layout(), b.Layout())
	}
	aAxes, bAxes := make([]int, n), make([]int, n)
	for k := range n {
		aAxes[k], bAxes[k] = a.NDim()-n+k, k
	}
	return TensorDotOver(a, b, aAxes, bAxes)
}

// TensorDotOver returns the sum of products of a and b over pairs of axes: axis
// aAxes[i] of a goes with axis bAxes[i] of b. Negative axes count from the end.
// The result has a's other axes, then b's.
//
// What each rank has is multiplied as a matrix, by BLAS for floating-point
// numbers; nothing is moved only to put axes in order.
//
// Collective unless local. Result split: that of the operand that stays if it is
// split along an axis of the result; along the first axis, balanced, if what is
// split is summed over; None if both are replicated or the result has no axes.
// Communication: none if at most one operand is split, along an axis of the
// result. If axes summed over are split, in one operand with the other replicated
// or in both, one reduce-scatter of the result, an allreduce of one element if it
// has no axes; before that one move of the smaller operand unless they are split
// alike. Else one gather of the operand that is split along an axis summed over,
// or if none is of the smaller one. Without axes the operands are multiplied as by
// [nd.Mul].
// Extra memory: the gathered operand, the whole result before a reduce-scatter,
// and a copy of an operand's local part if its axes lie in another order.
// Panics if an axis is out of range or named twice, if extents differ, or if the
// communicators do.
func TensorDotOver[T nd.Number](a, b *nd.NDArray[T], aAxes, bAxes []int) *nd.NDArray[T] {
	sameComm(a, b)
	if len(aAxes) != len(bAxes) {
		misuse.Panic("%d axes of %v against %d of %v", len(aAxes), a.Layout(), len(bAxes), b.Layout())
	}
	x := labeled[T]{a, make([]int, a.NDim())}
	y := labeled[T]{b, make([]int, b.NDim())}
	for i := range aAxes {
		k, err := split.NormalizeAxis(aAxes[i], a.NDim())
		misuse.Check(err)
		l, err := split.NormalizeAxis(bAxes[i], b.NDim())
		misuse.Check(err)
		if x.labels[k] > 0 || y.labels[l] > 0 {
			misuse.Panic("an axis is named twice in %v of %v and %v of %v", aAxes, a.Layout(), bAxes, b.Layout())
		}
		if m, n := a.Layout().Shape()[k], b.Layout().Shape()[l]; m != n {
			misuse.Panic("axis %d of %v has extent %d, axis %d of %v has %d", k, a.Layout(), m, l, b.Layout(), n)
		}
		x.labels[k], y.labels[l] = i+1, i+1
	}
	next := len(aAxes) + 1
	var out []int
	for _, labels := range [][]int{x.labels, y.labels} {
		for k := range labels {
			if labels[k] == 0 {
				labels[k] = next
				out = append(out, next)
				next++
			}
		}
	}
	return contract(x, y, out)
}

// Inner returns the sum of products of a and b over the last axis of both. The
// result has a's other axes, then b's; of two vectors it is a single number. If a
// or b has no axes it is their product. Nothing is conjugated; see [VDot].
//
// Collective unless local. Result split and communication: as [TensorDotOver]; as
// [nd.Mul] if a or b has no axes. Panics if the extents of the last axes differ,
// or the communicators do.
func Inner[T nd.Number](a, b *nd.NDArray[T]) *nd.NDArray[T] {
	if a.NDim() == 0 || b.NDim() == 0 {
		return TensorDot(a, b, 0)
	}
	return TensorDotOver(a, b, []int{-1}, []int{-1})
}

// Outer returns the products of every element of a and every element of b: element
// (i, j) is a[i]·b[j]. Arrays with other than one axis are taken as the vectors of
// their elements in C order. Nothing is conjugated.
//
// Collective unless local. Result split: 0 if a stays where it is split, 1 if b
// does, None if both are replicated. Communication: none if at most one is split,
// else the smaller one is gathered; one move before that of an array that is not a
// vector if its elements change their owner, as [nd.Reshape].
// Panics if the communicators differ.
func Outer[T nd.Number](a, b *nd.NDArray[T]) *nd.NDArray[T] {
	sameComm(a, b)
	if a.NDim() != 1 {
		a = nd.Reshape(a, -1)
	}
	if b.NDim() != 1 {
		b = nd.Reshape(b, -1)
	}
	return TensorDot(a, b, 0)
}
