package nd

import (
	"slices"

	"caloric/internal/misuse"
	"caloric/split"
)

// Take returns the parts of a that indices name along axis, in the order of the
// indices, which may repeat and count from the end if negative: a[:, indices]
// for axis 1. The result's shape is a's with axis replaced by indices' shape.
//
// Collective if a is split along axis or indices are split, else local. Result
// split: a's if that is another axis; else as the indices are; along their first
// axis, balanced, if they are replicated and a is not; None if indices is a single
// number. Communication: if a is split along axis, one alltoallv of what is taken,
// one broadcast for a single number; split indices travel there first, in one
// alltoallv, after one of 8 bytes for each rank. Else none for replicated indices;
// for split ones one allreduce of 8 bytes if a is replicated, one allgatherv of
// the indices if it is split along another axis.
// Panics if an index or axis is out of range.
func Take[T Element](a *NDArray[T], indices *NDArray[int64], axis int) *NDArray[T] {
	return takeSelection(a, indices, axis).get(nil)
}

// TakeInto sets dst to [Take] of a.
//
// Collective. Result split: dst's. Communication: as [Take], and a move of the
// result if dst has another layout. Panics if dst does not have the result's shape.
func TakeInto[T Element](dst, a *NDArray[T], indices *NDArray[int64], axis int) {
	takeSelection(a, indices, axis).get(dst)
}

func takeSelection[T Element](a *NDArray[T], indices *NDArray[int64], axis int) *selection[T] {
	k := axisOf(a, axis)
	return newSelection(a, []int{k}, newKeyMaker(a.comm, keyTerm{indices, 0, k, a.layout.Shape()[k]}))
}

// TakeFlat returns the elements of a at positions in its C order, in the shape of
// indices: NumPy's a.flat[indices], and take without an axis.
//
// Collective unless a and indices are replicated. Result split: as the indices
// are; along their first axis, balanced, if they are replicated and a is not; None
// if indices is a single number. Communication: as [Take] along the split axis.
// Panics if an index is out of range.
func TakeFlat[T Element](a *NDArray[T], indices *NDArray[int64]) *NDArray[T] {
	return flatSelection(a, indices).get(nil)
}

// TakeFlatInto sets dst to [TakeFlat] of a; see [TakeInto].
func TakeFlatInto[T Element](dst, a *NDArray[T], indices *NDArray[int64]) {
	flatSelection(a, indices).get(dst)
}

func flatSelection[T Element](a *NDArray[T], indices *NDArray[int64]) *selection[T] {
	keys := newKeyMaker(a.comm, keyTerm{indices, 0, 0, a.Size()})
	s := newSelection(a, allAxes(a.NDim()), keys)
	s.flat = true
	return s
}

func allAxes(n int) []int {
	axes := make([]int, n)
	for k := range axes {
		axes[k] = k
	}
	return axes
}

// TakeAt returns the elements that arrays of indices name together, one array for
// each axis from the first on: a[i, j]. The arrays broadcast against each other;
// indices may repeat and count from the end if negative. Axes without an array, or
// with a nil one, are taken whole. The indices' axes are in the result where the
// indexed axes are in a, or first if those are no neighbours.
//
// Collective if a is split along an indexed axis or an index array is split, else
// local. Result split and communication: as [Take], where indices of different
// layouts first move to that of the one with the most bytes.
// Panics if an index is out of range, or there are more arrays than axes or none.
func TakeAt[T Element](a *NDArray[T], indices ...*NDArray[int64]) *NDArray[T] {
	return pairSelection(a, indices).get(nil)
}

// TakeAtInto sets dst to [TakeAt] of a; see [TakeInto].
func TakeAtInto[T Element](dst, a *NDArray[T], indices ...*NDArray[int64]) {
	pairSelection(a, indices).get(dst)
}

// pairSelection returns what a[indices…] selects.
func pairSelection[T Element](a *NDArray[T], indices []*NDArray[int64]) *selection[T] {
	if len(indices) > a.NDim() {
		misuse.Panic("%d arrays of indices for the %d axes of shape %v", len(indices), a.NDim(), a.layout.Shape())
	}
	var axes []int
	var terms []keyTerm
	for k, x := range indices {
		if x != nil {
			terms = append(terms, keyTerm{x, len(axes), k, a.layout.Shape()[k]})
			axes = append(axes, k)
		}
	}
	if len(axes) == 0 {
		misuse.Panic("no array of indices")
	}
	return newSelection(a, axes, newKeyMaker(a.comm, terms...))
}

// TakeAlongAxis returns, at each position of indices, the element of a that the
// index there names along axis, at that position along the other axes: what
// [ArgSort] and [ArgMin] give positions for. Along the other axes a and indices
// broadcast.
//
// Collective if a is split along axis or the layouts differ, else local. Result
// split: a's if that is not axis; else as the indices are; along their first axis,
// balanced, if they are replicated and a is not. Communication: if a is split along
// another axis, none for replicated indices, else one allreduce of 8 bytes, and a
// move of indices that are not split like a; if along axis, as [Take].
// Panics if the shapes do not broadcast, or an index or axis is out of range.
func TakeAlongAxis[T Element](a *NDArray[T], indices *NDArray[int64], axis int) *NDArray[T] {
	return alongSelection(a, indices, axis, true).get(nil)
}

// TakeAlongAxisInto sets dst to [TakeAlongAxis] of a; see [TakeInto].
func TakeAlongAxisInto[T Element](dst, a *NDArray[T], indices *NDArray[int64], axis int) {
	alongSelection(a, indices, axis, true).get(dst)
}

// alongSelection returns the elements of a that indices name along axis. Along
// the other axes indices broadcast to a and, if both is true, a to indices.
func alongSelection[T Element](a *NDArray[T], indices *NDArray[int64], axis int, both bool) *selection[T] {
	k := axisOf(a, axis)
	sameComm(a.comm, indices.comm)
	as, is := a.layout.Shape(), indices.layout.Shape()
	shape := slices.Clone(as)
	fits := len(as) == len(is)
	for j := range shape {
		switch {
		case !fits:
		case j == k:
			shape[j] = is[j]
		case as[j] == 1 && both:
			shape[j] = is[j]
		case is[j] != 1 && is[j] != as[j]:
			fits = false
		}
	}
	if !fits {
		misuse.Panic("indices of shape %v do not fit an array of shape %v along axis %d", is, as, k)
	}
	whole := slices.Clone(shape)
	whole[k] = as[k]
	if !whole.Equal(as) {
		a = BroadcastTo(a, whole...)
	}
	l, ok := split.Broadcast(indices.layout, shape)
	if !ok {
		l = split.Block(shape, split.None, a.comm.Size())
	}
	keys := &keyMaker{layout: l, terms: []keyTerm{{indices, k, k, as[k]}}, along: k}
	return newSelection(a, allAxes(a.NDim()), keys)
}
