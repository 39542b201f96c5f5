package nd

import (
	"slices"

	"caloric/internal/misuse"
	"caloric/split"
)

// Concatenate returns the arrays joined along an axis that they have.
//
// Collective, local if nothing has to move. Result split: the arrays', balanced
// along axis; if they differ, that of the one for which the fewest bytes move;
// None if all are replicated. Communication: none if no array is split along
// axis and all that are split have one layout, else one alltoallv of what
// changes its owner. Replicated arrays are never sent.
// Panics if there are no arrays, their shapes differ along another axis, or axis
// is out of range.
func Concatenate[T Element](axis int, arrays ...*NDArray[T]) *NDArray[T] {
	l, axis := joinedLayout(axis, arrays)
	return rearranged(l, axis, joinRuns(axis, arrays), arrays...)
}

// ConcatenateInto sets dst to [Concatenate] of the arrays.
//
// Collective, local if nothing has to move. Result split: dst's. Communication:
// as [Concatenate]; if dst is replicated, one allgatherv for each split array.
// Panics as [Concatenate] does, and if dst does not have the result's shape.
func ConcatenateInto[T Element](dst *NDArray[T], axis int, arrays ...*NDArray[T]) {
	l, axis := joinedLayout(axis, arrays)
	checkResultShape(dst, l.Shape())
	rearrange(dst, axis, joinRuns(axis, arrays), arrays...)
}

// joinedLayout returns the layout of the arrays joined along axis, and axis from 0 on.
func joinedLayout[T Element](axis int, arrays []*NDArray[T]) (*split.Layout, int) {
	if len(arrays) == 0 {
		misuse.Panic("no arrays")
	}
	axis = axisOf(arrays[0], axis)
	ops := make([]split.Operand, len(arrays))
	for i, a := range arrays {
		sameComm(arrays[0].comm, a.comm)
		ops[i] = split.Operand{Layout: a.layout, Elem: itemSize[T]()}
	}
	l, err := split.Concatenate(axis, ops...)
	misuse.Check(err)
	return l, axis
}

func joinRuns[T Element](axis int, arrays []*NDArray[T]) runList {
	var runs runList
	for i, a := range arrays {
		runs.add(i, 0, 1, a.layout.Shape()[axis])
	}
	return runs
}

// checkResultShape panics unless dst has the shape of the result.
func checkResultShape[T Element](dst *NDArray[T], shape Shape) {
	if !dst.layout.Shape().Equal(shape) {
		misuse.Panic("the result has shape %v, the destination %v", shape, dst.layout.Shape())
	}
}

// Append returns values joined to a along axis, or without an axis both
// flattened and joined.
//
// Collective, local if nothing has to move. Result split and communication: as
// [Concatenate], after [Ravel] of each without an axis.
// Panics if the shapes do not fit, or if more than one axis is given.
func Append[T Element](a, values *NDArray[T], axis ...int) *NDArray[T] {
	if len(axis) == 0 {
		return Concatenate(0, Ravel(a), Ravel(values))
	}
	return Concatenate(oneAxis(axis), a, values)
}

// oneAxis returns the only element of axis.
func oneAxis(axis []int) int {
	if len(axis) != 1 {
		misuse.Panic("%d axes given, one expected", len(axis))
	}
	return axis[0]
}

// Stack returns arrays of one shape along a new axis, which has that number in
// the result.
//
// Collective, local if all split arrays have one layout. Result split: the
// arrays', shifted by the new axis; if they differ, that of the one for which
// the fewest bytes move. Communication: none if all split arrays have one
// layout, else one alltoallv of the others.
// Panics if there are no arrays, their shapes differ, or axis is out of range.
func Stack[T Element](axis int, arrays ...*NDArray[T]) *NDArray[T] {
	return Concatenate(axis, stacked(axis, arrays)...)
}

// StackInto sets dst to [Stack] of the arrays.
//
// Collective, local if all layouts agree. Result split: dst's. Communication:
// as [Stack]. Panics as [Stack] does, and if dst does not have the result's shape.
func StackInto[T Element](dst *NDArray[T], axis int, arrays ...*NDArray[T]) {
	ConcatenateInto(dst, axis, stacked(axis, arrays)...)
}

// stacked returns the arrays with a new axis.
func stacked[T Element](axis int, arrays []*NDArray[T]) []*NDArray[T] {
	out := make([]*NDArray[T], len(arrays))
	for i, a := range arrays {
		if !a.layout.Shape().Equal(arrays[0].layout.Shape()) {
			misuse.Panic("shapes %v and %v differ", arrays[0].layout.Shape(), a.layout.Shape())
		}
		out[i] = ExpandDims(a, axis)
	}
	return out
}

// HStack returns the arrays joined along axis 1, vectors along axis 0.
//
// Collective, local if nothing has to move. Result split and communication: as
// [Concatenate]. Panics as [Concatenate] does.
func HStack[T Element](arrays ...*NDArray[T]) *NDArray[T] {
	arrays = each(arrays, Atleast1D)
	if len(arrays) > 0 && arrays[0].NDim() > 1 {
		return Concatenate(1, arrays...)
	}
	return Concatenate(0, arrays...)
}

// VStack returns the arrays joined along axis 0, vectors as one row each.
//
// Collective, local if nothing has to move. Result split and communication: as
// [Concatenate]; rows of split vectors stay where they are.
// Panics as [Concatenate] does.
func VStack[T Element](arrays ...*NDArray[T]) *NDArray[T] {
	return Concatenate(0, each(arrays, Atleast2D)...)
}

// DStack returns the arrays joined along axis 2, after [Atleast3D].
//
// Collective, local if nothing has to move. Result split and communication: as
// [Concatenate]. Panics as [Concatenate] does.
func DStack[T Element](arrays ...*NDArray[T]) *NDArray[T] {
	return Concatenate(2, each(arrays, Atleast3D)...)
}

// ColumnStack returns the arrays joined along axis 1, vectors as one column each.
//
// Collective, local if nothing has to move. Result split and communication: as
// [Concatenate]. Panics as [Concatenate] does.
func ColumnStack[T Element](arrays ...*NDArray[T]) *NDArray[T] {
	return Concatenate(1, each(arrays, func(a *NDArray[T]) *NDArray[T] {
		if a.NDim() >= 2 {
			return a
		}
		return Atleast1D(a).Slice(Whole(), NewAxis())
	})...)
}

// Assemble returns a matrix of blocks, NumPy's block: the arrays of each row,
// with at least two axes, joined along the last axis, and the rows along the one
// before it.
//
// Collective, local if nothing has to move. Result split and communication: as
// [Concatenate], once for each row and once for the rows.
// Panics as [Concatenate] does.
func Assemble[T Element](rows ...[]*NDArray[T]) *NDArray[T] {
	joined := make([]*NDArray[T], len(rows))
	for i, row := range rows {
		joined[i] = Concatenate(-1, each(row, Atleast2D)...)
	}
	return Concatenate(-2, joined...)
}

func each[T Element](arrays []*NDArray[T], f func(*NDArray[T]) *NDArray[T]) []*NDArray[T] {
	out := slices.Clone(arrays)
	for i, a := range out {
		out[i] = f(a)
	}
	return out
}
