package nd

import (
	"caloric/internal/misuse"
	"caloric/split"
)

// ArgSort returns the indices along axis that sort a: element i of the result is
// the index of the element that [Sort] puts in place i. Equal elements keep their
// order, and so do all NaN.
//
// Collective along the split axis, else local. Result split: a's, balanced if it
// is axis. Communication: along the split axis, as [Sort], with an alltoallv of
// the indices beside that of the elements when there are few lanes, and with the
// indices sent back in the elements' place when there are many. Else none.
// Panics if axis is out of range.
func ArgSort[T Element](a *NDArray[T], axis int, opts ...SortOption) *NDArray[int64] {
	axis = axisOf(a, axis)
	l, at := orderingOf[T]().argSort(a, axis, codingOf(opts)|equalZeros)
	return fromLanes(a, l, axis, at)
}

// ArgSortInto sets dst to [ArgSort] of a.
//
// Collective along the split axis, else local. Result split: dst's. Communication:
// as [ArgSort], and one move of the result if dst is split in another way.
// Panics if axis is out of range or dst has another shape.
func ArgSortInto[T Element](dst *NDArray[int64], a *NDArray[T], axis int, opts ...SortOption) {
	checkSameShape(dst, a)
	axis = axisOf(a, axis)
	l, at := orderingOf[T]().argSort(a, axis, codingOf(opts)|equalZeros)
	intoFromLanes(dst, a, l, axis, at)
}

// ArgPartition returns the indices along axis that [Partition] a.
//
// Collective along the split axis, else local. Result split and communication:
// as [ArgSort], which it is. Panics if axis or a position is out of range.
func ArgPartition[T Element](a *NDArray[T], kth []int, axis int) *NDArray[int64] {
	axis = axisOf(a, axis)
	positions(a.layout.Shape()[axis], kth)
	return ArgSort(a, axis)
}

// LexSort returns the indices along axis that sort several arrays of one shape
// by the last of them, where that is equal by the one before, and so on.
//
// Collective along the split axis, else local. Result split: that of the keys,
// balanced if it is axis. Communication: for each key that of [ArgSort], and for
// each but the first that of two [TakeAlongAxis].
// Panics if there are no keys, the shapes differ or axis is out of range.
func LexSort[T Element](axis int, keys ...*NDArray[T]) *NDArray[int64] {
	if len(keys) == 0 {
		misuse.Panic("no keys to sort by")
	}
	axis = axisOf(keys[0], axis)
	for _, k := range keys[1:] {
		checkSameShape(k, keys[0])
	}
	order := ArgSort(keys[0], axis)
	for _, k := range keys[1:] {
		order = TakeAlongAxis(order, ArgSort(TakeAlongAxis(k, order, axis), axis), axis)
	}
	return order
}

func argSortLanes[T, K Element](o keying[T, K], a *NDArray[T], axis int, c coding) (*split.Layout, []int64) {
	l, across := sortedLayout(a, axis)
	keys := laneKeys(o.code, a, c, axis)
	if across && a.Size() > 0 {
		return l, newAcrossSort(a.comm, o.kit, keys.count, a.layout).argSort(keys)
	}
	return l, keys.sortIndexed(a.comm, o.kit, 0)
}
