package nd

import (
	"slices"

	"caloric/internal/misuse"
	"caloric/split"
)

// Unfold returns the windows of size indices of a along axis that start at every
// step-th index: axis numbers the windows, and a new last axis the indices in
// each. It is a view without memory of its own, and must not be written to, as
// NumPy's sliding_window_view; a window that crosses ranks lies in a copy of the
// rank's part and what of the next ones it needs.
//
//	nd.Mean[float64](nd.Unfold(a, 0, 5, 1), nd.Over(-1))    // moving average
//
// Collective if a is split along axis, else local. Result split: a's; along the
// split axis a window is on the rank that has its first index, as in
// a.Slice(Range(0, n-size+1, step)). Communication: one alltoallv of the up to
// size-1 indices that follow a rank's if a is split along axis, else none.
// Panics if axis is out of range, or size or step is not positive, or size is
// larger than the axis.
func Unfold[T Element](a *NDArray[T], axis, size, step int) *NDArray[T] {
	k := axisOf(a, axis)
	n := a.layout.Shape()[k]
	if size < 1 || size > n || step < 1 {
		misuse.Panic("windows of %d by steps of %d along axis %d of shape %v", size, step, k, a.layout.Shape())
	}
	if a.NDim() == MaxDims {
		misuse.Panic("the windows have more than %d axes", MaxDims)
	}
	windows := (n-size)/step + 1
	// The layout of the windows, without the new axis.
	l := split.Stretch(a.layout, k, windows, func(i int) int { return ceilDiv(i, step) })
	if a.layout.Axis() == Axis(k) && a.comm.Size() > 1 {
		a = withHalo(a, l, k, size, step)
	}
	shape := append(slices.Clone(l.Shape()), size)
	local := append(l.LocalShape(a.comm.Rank()), size)
	strides := append(slices.Clone(a.strides), a.strides[k])
	strides[k] *= step
	full := split.Block(shape, split.None, a.comm.Size())
	if l.Axis() != split.None {
		full = split.WithCounts(shape, l.Axis(), l.Counts())
	}
	return a.view(full, a.offset, local, strides)
}

// withHalo returns an array in which each rank holds the indices along axis k
// that its windows, of layout l, cover. What several ranks' windows cover is
// there several times: it is an array of the ranks' parts, one after another.
func withHalo[T Element](a *NDArray[T], l *split.Layout, k, size, step int) *NDArray[T] {
	counts := make([]int, a.comm.Size())
	var runs runList
	total := 0
	for r := range counts {
		lo, hi := l.Range(r)
		if lo < hi {
			counts[r] = (hi-1-lo)*step + size
			runs = append(runs, run{0, lo * step, 1, counts[r], total})
			total += counts[r]
		}
	}
	shape := slices.Clone(a.layout.Shape())
	shape[k] = total
	return rearranged(split.WithCounts(shape, Axis(k), counts), k, runs, a)
}
