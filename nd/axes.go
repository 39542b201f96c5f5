package nd

import (
	"slices"

	"caloric/internal/misuse"
	"caloric/split"
)

// ExpandDims returns a with axes of extent 1 inserted so that they have the
// numbers axes in the result, as a view.
//
// Local. Result split: a's, shifted by the new axes before it. Communication: none.
// Panics if an axis is out of range or named twice.
func ExpandDims[T Element](a *NDArray[T], axes ...int) *NDArray[T] {
	ndim := a.NDim() + len(axes)
	added, err := split.NormalizeAxes(axes, ndim)
	misuse.Check(err)
	items := make([]Item, ndim)
	for k := range items {
		items[k] = Whole()
		if slices.Contains(added, k) {
			items[k] = NewAxis()
		}
	}
	return a.Slice(items...)
}

// Squeeze returns a without the given axes, which have extent 1, or without all
// axes of extent 1 if none is given. It is a view unless the split axis goes.
//
// Collective if the split axis goes, else local. Result split: a's, shifted by
// the axes before it that go; None if it goes itself. Communication: one
// broadcast of a if the split axis goes, else none.
// Panics if an axis is out of range, named twice or has another extent.
func Squeeze[T Element](a *NDArray[T], axes ...int) *NDArray[T] {
	shape := a.layout.Shape()
	gone, err := split.NormalizeAxes(axes, len(shape))
	misuse.Check(err)
	for _, k := range gone {
		if shape[k] != 1 {
			misuse.Panic("axis %d of shape %v does not have extent 1", k, shape)
		}
	}
	items := make([]Item, len(shape))
	for k, d := range shape {
		items[k] = Whole()
		if d == 1 && len(axes) == 0 || slices.Contains(gone, k) {
			items[k] = Index(0)
		}
	}
	return a.Slice(items...)
}

// MoveAxis returns a with one axis moved to another place, as a view; the other
// axes keep their order.
//
// Local. Result split: the split moves with its axis. Communication: none.
// Panics if an axis is out of range.
func MoveAxis[T Element](a *NDArray[T], from, to int) *NDArray[T] {
	return MoveAxes(a, []int{from}, []int{to})
}

// MoveAxes returns a with axis from[i] moved to place to[i] for every i, as a
// view; the other axes keep their order.
//
// Local. Result split: the split moves with its axis. Communication: none.
// Panics if an axis is out of range or named twice, or if the lists differ in length.
func MoveAxes[T Element](a *NDArray[T], from, to []int) *NDArray[T] {
	if len(from) != len(to) {
		misuse.Panic("%d axes to move to %d places", len(from), len(to))
	}
	for _, axes := range [][]int{from, to} {
		_, err := split.NormalizeAxes(axes, a.NDim())
		misuse.Check(err)
	}
	perm := make([]int, a.NDim())
	for k := range perm {
		perm[k] = -1
	}
	moves := make([]bool, len(perm))
	for i, f := range from {
		perm[axisOf(a, to[i])] = axisOf(a, f)
		moves[axisOf(a, f)] = true
	}
	next := 0
	for k := range perm {
		if perm[k] >= 0 {
			continue
		}
		for moves[next] {
			next++
		}
		perm[k] = next
		next++
	}
	return a.Transpose(perm...)
}

// SwapAxes returns a with two axes exchanged, as a view.
//
// Local. Result split: the split moves with its axis. Communication: none.
// Panics if an axis is out of range.
func SwapAxes[T Element](a *NDArray[T], axis1, axis2 int) *NDArray[T] {
	perm := make([]int, a.NDim())
	for k := range perm {
		perm[k] = k
	}
	i, j := axisOf(a, axis1), axisOf(a, axis2)
	perm[i], perm[j] = j, i
	return a.Transpose(perm...)
}

// MatrixTranspose returns a with its last two axes exchanged, as a view.
//
// Local. Result split: the split moves with its axis. Communication: none.
// Panics if a has fewer than two axes.
func MatrixTranspose[T Element](a *NDArray[T]) *NDArray[T] { return SwapAxes(a, -2, -1) }

// RollAxis returns a with axis moved back until it lies before the axis that is
// numbered start in a, as a view. [MoveAxis] is easier to understand.
//
// Local. Result split: the split moves with its axis. Communication: none.
// Panics if axis or start (which may be the number of axes) is out of range.
func RollAxis[T Element](a *NDArray[T], axis, start int) *NDArray[T] {
	k := axisOf(a, axis)
	if start < -a.NDim() || start > a.NDim() {
		misuse.Panic("start %d is out of range for %d axes", start, a.NDim())
	}
	if start < 0 {
		start += a.NDim()
	}
	if k < start {
		start--
	}
	return MoveAxis(a, k, start)
}

// Atleast1D returns a with at least one axis, as a view: a number as an array of one.
//
// Local. Result split: a's. Communication: none.
func Atleast1D[T Element](a *NDArray[T]) *NDArray[T] {
	if a.NDim() >= 1 {
		return a
	}
	return a.Slice(NewAxis())
}

// Atleast2D returns a with at least two axes, as a view: a vector as one row.
//
// Local. Result split: a's, which of a vector is axis 1. Communication: none.
func Atleast2D[T Element](a *NDArray[T]) *NDArray[T] {
	if a.NDim() >= 2 {
		return a
	}
	return Atleast1D(a).Slice(NewAxis())
}

// Atleast3D returns a with at least three axes, as a view: n numbers get shape
// (1, n, 1), a matrix (m, n, 1).
//
// Local. Result split: a's, which of a vector is axis 1. Communication: none.
func Atleast3D[T Element](a *NDArray[T]) *NDArray[T] {
	if a.NDim() >= 3 {
		return a
	}
	return Atleast2D(a).Slice(Ellipsis(), NewAxis())
}
