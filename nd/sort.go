package nd

import (
	"slices"

	"caloric/internal/misuse"
	"caloric/split"
)

// SortOption says how to sort; see [Descending].
type SortOption func(*coding)

// Descending sorts large elements first. NaN comes last all the same, and equal
// elements keep their order.
func Descending() SortOption { return func(c *coding) { *c |= descending } }

func codingOf(opts []SortOption) coding {
	var c coding
	for _, o := range opts {
		o(&c)
	}
	return c
}

// Sort returns a sorted along axis. NaN comes last. Complex numbers are ordered
// by their real, then by their imaginary part; those with a NaN part come last,
// and a zero real part loses its sign. False comes before true. -0 equals 0, and
// of real numbers comes before it.
//
// Along the split axis of an array with as many lanes along axis as ranks, or
// more, the lanes are shared out, sorted, and sent back; of one with fewer, such
// as a vector, the elements are parted by exact splitters, exchanged and sorted
// where they belong, after Frazer & McKellar 1970, "Samplesort: a sampling approach
// to minimal storage tree sorting". Meanwhile that takes memory for three more of a
// rank's parts.
//
// Collective along the split axis, else local. Result split: a's, balanced if it
// is axis. Communication: along the split axis, with few lanes one alltoallv of
// the elements, a few allreduces and allgathervs (each at most 1/16 of a rank's
// share, or 512 bytes) and an allgatherv of at most 1/8 of a share or 128 elements to
// find the splitters, and one exscan and one alltoallv of counts; with many lanes two
// alltoallvs of the elements. Else none.
// Panics if axis is out of range.
func Sort[T Element](a *NDArray[T], axis int, opts ...SortOption) *NDArray[T] {
	axis = axisOf(a, axis)
	l, values := orderingOf[T]().sort(a, axis, codingOf(opts))
	return fromLanes(a, l, axis, values)
}

// SortInto sets dst to [Sort] of a; dst may be a.
//
// Collective along the split axis, else local. Result split: dst's.
// Communication: as [Sort], and one move of the result if dst is split in another way.
// Panics if axis is out of range or dst has another shape.
func SortInto[T Element](dst, a *NDArray[T], axis int, opts ...SortOption) {
	checkSameShape(dst, a)
	axis = axisOf(a, axis)
	l, values := orderingOf[T]().sort(a, axis, codingOf(opts))
	intoFromLanes(dst, a, l, axis, values)
}

// Partition returns a with its elements along axis rearranged so that those at
// the positions kth are where [Sort] puts them, no larger ones before and no
// smaller ones after each. Negative positions count from the end.
//
// Collective along the split axis, else local. Result split and communication:
// as [Sort]; along the split axis it is one.
// Panics if axis is out of range, or a position is and there are elements.
func Partition[T Element](a *NDArray[T], kth []int, axis int) *NDArray[T] {
	axis = axisOf(a, axis)
	at := positions(a.layout.Shape()[axis], kth)
	l, values := orderingOf[T]().partition(a, axis, at)
	return fromLanes(a, l, axis, values)
}

// positions returns kth as ascending positions from 0 on among n.
func positions(n int, kth []int) []int {
	if n == 0 {
		return nil // nothing is in order at any position
	}
	at := make([]int, len(kth))
	for i, k := range kth {
		if k < -n || k >= n {
			misuse.Panic("position %d is out of range for an extent of %d", k, n)
		}
		at[i] = mod(k, n)
	}
	slices.Sort(at)
	return slices.Compact(at)
}

func checkSameShape[R, T Element](dst *NDArray[R], a *NDArray[T]) {
	sameComm(dst.comm, a.comm)
	if !dst.layout.Shape().Equal(a.layout.Shape()) {
		misuse.Panic("the result has shape %v, the destination is %v", a.layout.Shape(), dst.layout)
	}
}

// fromLanes returns the array of layout l whose lanes along axis are values.
func fromLanes[R, T Element](a *NDArray[T], l *split.Layout, axis int, values []R) *NDArray[R] {
	if axis == a.NDim()-1 {
		return wrap(a.comm, l, values)
	}
	out := newArray[R](a.comm, l)
	storeLanes(out, axis, values)
	return out
}

func intoFromLanes[R, T Element](dst *NDArray[R], a *NDArray[T], l *split.Layout, axis int, values []R) {
	if dst.layout.Equal(l) {
		storeLanes(dst, axis, values)
		return
	}
	CopyInto(dst, fromLanes(a, l, axis, values))
}

// sortedLayout returns the layout of a sorted along axis, and whether that takes
// communication.
func sortedLayout[T Element](a *NDArray[T], axis int) (*split.Layout, bool) {
	if a.layout.Axis() != Axis(axis) || a.comm.Size() == 1 {
		return a.layout, false
	}
	if a.layout.Balanced() {
		return a.layout, true
	}
	return split.Block(a.layout.Shape(), Axis(axis), a.comm.Size()), true
}

// sortLanes returns the lanes of a along axis, sorted, and the result's layout.
func sortLanes[T, K Element](o keying[T, K], a *NDArray[T], axis int, c coding) (*split.Layout, []T) {
	l, across := sortedLayout(a, axis)
	keys := laneKeys(o.code, a, c, axis)
	if across && a.Size() > 0 {
		keys.keys = newAcrossSort(a.comm, o.kit, keys.count, a.layout).sort(keys)
	} else {
		keys.sort(a.comm, o.kit)
	}
	return l, decoded(o.code, a.comm, keys.keys, c)
}

func partitionLanes[T, K Element](o keying[T, K], a *NDArray[T], axis int, at []int) (*split.Layout, []T) {
	if _, across := sortedLayout(a, axis); across {
		return sortLanes(o, a, axis, 0)
	}
	keys := laneKeys(o.code, a, 0, axis)
	keys.eachLane(a.comm, func(from, to int) {
		for i := from; i < to; i++ {
			o.kit.selectAt(keys.lane(i), at)
		}
	})
	return a.layout, decoded(o.code, a.comm, keys.keys, 0)
}
