package nd

import (
	"math"
	"slices"

	"caloric/internal/misuse"
	"caloric/split"
)

// Tile returns a repeated reps[k] times along axis k. If the numbers of axes
// differ, a gets new axes, or reps gets ones, in front.
//
// Collective if the split axis is repeated, else local. Result split: a's,
// shifted by the new axes; balanced if it is repeated. Communication: one
// alltoallv of at most the result if the split axis is repeated, or one
// allgatherv of a if it is repeated more often than there are ranks; else none.
// Panics if a number is negative.
func Tile[T Element](a *NDArray[T], reps ...int) *NDArray[T] {
	for len(reps) < a.NDim() {
		reps = slices.Insert(slices.Clone(reps), 0, 1)
	}
	if n := len(reps) - a.NDim(); n > 0 {
		a = a.Slice(append(slices.Repeat([]Item{NewAxis()}, n), Ellipsis())...)
	}
	if len(reps) > 0 && slices.Min(reps) < 0 {
		misuse.Panic("repeats %v", reps)
	}
	shape := a.Shape()
	for k, r := range reps {
		shape[k] = times(shape[k], r)
	}
	misuse.Check(split.Check(shape, split.None, 1))
	out := a
	for _, k := range splitAxisFirst(a.layout) {
		if reps[k] != 1 {
			out = tileAxis(out, k, reps[k])
		}
	}
	if out == a {
		return Copy(a)
	}
	return out
}

func tileAxis[T Element](a *NDArray[T], k, reps int) *NDArray[T] {
	n := a.layout.Shape()[k]
	l := split.Resize(a.layout, k, times(n, reps))
	if reps > a.comm.Size() && l.Axis() == Axis(k) {
		// A rank's part of the result holds all of a.
		a = moved(a, split.Block(a.layout.Shape(), split.None, a.comm.Size()))
	}
	var runs runList
	if n > 0 && reps > 2*(longRun/n) && reps > a.comm.Size() {
		// Many short runs would take more memory than the result: longer ones of a
		// that is repeated already.
		if some := longRun / n; some > 1 {
			a = tileAxis(a, k, some)
			for range reps / some {
				runs.add(0, 0, 1, n*some)
			}
			runs.add(0, 0, 1, n*(reps%some))
			return rearranged(l, k, runs, a)
		}
	}
	for range min(reps, n*reps) { // none if there is nothing to repeat
		runs.add(0, 0, 1, n)
	}
	return rearranged(l, k, runs, a)
}

// longRun is a number of indices beside which the memory of a run is nothing.
const longRun = 1 << 12

// splitAxisFirst returns the axes in an order in which the split axis comes
// first: what enlarges an array along each axis moves the least then.
func splitAxisFirst(l *split.Layout) []int {
	axes := make([]int, 0, len(l.Shape()))
	if !l.Replicated() {
		axes = append(axes, int(l.Axis()))
	}
	for k := range l.Shape() {
		if Axis(k) != l.Axis() {
			axes = append(axes, k)
		}
	}
	return axes
}

// Repeat returns a with every index along axis repeated count times, or without
// an axis every element of the flattened array.
//
// Local, but for [Ravel] without an axis. Result split: a's; every rank repeats
// what it has. Communication: none, but for Ravel without an axis.
// Panics if axis is out of range, count is negative, or more than one axis is given.
func Repeat[T Element](a *NDArray[T], count int, axis ...int) *NDArray[T] {
	if count < 0 {
		misuse.Panic("%d repeats", count)
	}
	a, k := alongOrFlat(a, axis)
	n := a.layout.Shape()[k]
	out := newArray[T](a.comm, split.Stretch(a.layout, k, times(n, count), func(i int) int { return i * count }))
	if a.NDim() == MaxDims {
		var runs runList
		for i := range n {
			runs.add(0, i, 0, count)
		}
		rearrange(out, k, runs, a)
		return out
	}
	if out.LocalSize() == 0 {
		return out
	}
	// Both as arrays with an axis for the repeats, of stride 0 in a.
	shape := slices.Insert(slices.Clone(a.shape), k+1, count)
	dst := out.view(out.layout, 0, shape, contiguousStrides(shape))
	src := a.view(a.layout, a.offset, shape, slices.Insert(slices.Clone(a.strides), k+1, 0))
	if count >= longRow {
		copyView(dst, src)
		return out
	}
	for i := range count { // a at a time rather than a few repeats
		dst.offset, shape[k+1] = i*dst.strides[k+1], 1
		copyView(dst, src)
	}
	return out
}

// RepeatEach is [Repeat] with a count for each index along axis.
//
// Local, but for [Ravel] without an axis; counts are the same on every rank.
// Result split: a's; every rank repeats what it has, which may leave the result
// unbalanced. Communication: none, but for Ravel without an axis.
// Panics if axis is out of range, a count is negative or there are not as many
// counts as indices.
func RepeatEach[T Element](a *NDArray[T], counts []int, axis ...int) *NDArray[T] {
	a, k := alongOrFlat(a, axis)
	n := a.layout.Shape()[k]
	if len(counts) != n {
		misuse.Panic("%d counts for axis %d of shape %v", len(counts), k, a.layout.Shape())
	}
	var runs runList
	ends := make([]int, n+1)
	for i, c := range counts {
		if c < 0 {
			misuse.Panic("%d repeats", c)
		}
		if c == 1 {
			runs.add(0, i, 1, 1)
		} else {
			runs.add(0, i, 0, c)
		}
		if c > math.MaxInt-ends[i] {
			misuse.Panic("counts %v add up to more than an array can have", counts)
		}
		ends[i+1] = ends[i] + c
	}
	return rearranged(split.Stretch(a.layout, k, ends[n], func(i int) int { return ends[i] }), k, runs, a)
}

// alongOrFlat returns a and the axis that is given, or without one a flattened
// and 0.
func alongOrFlat[T Element](a *NDArray[T], axis []int) (*NDArray[T], int) {
	if len(axis) == 0 {
		return Ravel(a), 0
	}
	return a, axisOf(a, oneAxis(axis))
}
