package nd

import "caloric/internal/misuse"

// Trapezoid returns the integral of y along axis by the trapezoidal rule, for
// points at distance dx.
//
// Collective if axis is the split axis, else local. Result split: as [Sum] over
// axis. Communication: one allreduce of the result (8 bytes an element for float32,
// 16 for complex64) if axis is the split axis, else none. Extra memory: one local
// block. Panics if axis is out of range.
func Trapezoid[T Inexact](y *NDArray[T], dx float64, axis int) *NDArray[T] {
	k := axisOf(y, axis)
	n := y.layout.Shape()[k]
	if n < 2 {
		return nothingAlong(y, k)
	}
	p := Copy(y)
	for i, end := range []int{0, n - 1} {
		if lo, hi := p.held(k); lo <= end && end < hi && (i == 0 || n > 1) {
			half := p.sliceOf(k, end-lo, end-lo+1)
			apply2(mulKernel[T]{}, half, half, nil, inexact[T](0.5))
		}
	}
	sum := Sum(p, Over(k))
	Scale(inexact[T](dx), sum)
	return sum
}

// TrapezoidAt is [Trapezoid] for points at coordinates x: of one axis, as long as
// y's axis, or of y's shape.
//
// Collective if axis is the split axis or x is split, else local. Result split: as
// [Sum] over axis. Communication: one allreduce of the result if axis is the split
// axis; if x is split along it too, one alltoallv of one index to each neighbour;
// one move of x if it has another layout than y, which for an x of one axis along
// which y is not split is an allgatherv of x. Extra memory: two local blocks.
// Panics if axis is out of range or shapes do not fit.
func TrapezoidAt[T Inexact](y, x *NDArray[T], axis int) *NDArray[T] {
	sameComm(y.comm, x.comm)
	k := axisOf(y, axis)
	shape := y.layout.Shape()
	switch {
	case x.NDim() == 1 && x.layout.Shape()[0] == shape[k]:
		others := make([]int, 0, len(shape)-1)
		for i := range shape {
			if i != k {
				others = append(others, i)
			}
		}
		x = ExpandDims(x, others...)
	case !x.layout.Shape().Equal(shape):
		misuse.Panic("coordinates of shape %v for axis %d of shape %v", x.layout.Shape(), k, shape)
	}
	if shape[k] < 2 {
		return nothingAlong(y, k)
	}
	x = aligned(y.layout, x)
	// Each value counts half the distance of its neighbours, an end half that to its one.
	weights := like[T](x)
	halves := stencil{n: shape[k], order: 1, span: 2, first: [2]float64{2}, last: [2]float64{2}}
	applyStencil(&halves, weights, x, k)
	return Sum(Mul(y, weights), Over(k))
}

// held returns the indices of axis k that this rank has.
func (a *NDArray[T]) held(k int) (lo, hi int) {
	if Axis(k) == a.layout.Axis() {
		return a.layout.Range(a.comm.Rank())
	}
	return 0, a.layout.Shape()[k]
}

// nothingAlong returns the sums of no elements of a along axis k.
func nothingAlong[T Inexact](a *NDArray[T], k int) *NDArray[T] {
	return Sum(a.sliceAlong(k, To(0)), Over(k))
}

// sliceAlong returns a.Slice of one axis.
func (a *NDArray[T]) sliceAlong(axis int, item Item) *NDArray[T] {
	items := make([]Item, axis+1)
	for i := range items {
		items[i] = Whole()
	}
	items[axis] = item
	return a.Slice(items...)
}
