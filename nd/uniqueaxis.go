package nd

import "caloric/split"

// UniqueAxis returns the different sub-arrays of a along axis, such as the rows of
// a matrix for axis 0, ordered by their elements in C order, and what [UniqueAll]
// returns of each: where it occurs first along axis, how often, and which of the
// values is at each index of axis.
//
// Sub-arrays are numbered by their elements one after another: two have one
// number if they had one before and are equal in the next element.
//
// Collective unless a is replicated. Result split: None if a is replicated; else of
// the inverse 0, of the others as [Unique], with that axis in axis' place for the
// values. Communication: for each element of a sub-array that of two
// [UniqueInverse] of a vector, then [UniqueAll] and [Take]; one alltoallv of a
// before if it is split along another axis. It suits short sub-arrays.
// Panics if axis is out of range.
func UniqueAxis[T Element](a *NDArray[T], axis int) UniqueParts[T] {
	axis = axisOf(a, axis)
	if k := a.layout.Axis(); k != split.None && k != Axis(axis) {
		a = a.Resplit(Axis(axis))
	}
	n := a.layout.Shape()[axis]
	l, _ := split.Reduce(a.layout, allBut(axis, a.NDim()), false)
	number := newArray[int64](a.comm, l)
	if n > 0 {
		columns := MoveAxis(a, axis, 0)
		eachItems(columns.shape[1:], []Item{Whole()}, func(items []Item) {
			values, rank := UniqueInverse(columns.Slice(items...))
			MulScalarInto(number, number, int64(values.Size()))
			AddInto(number, number, rank)
			_, number = UniqueInverse(number)
		})
	}
	u := UniqueAll(number)
	return UniqueParts[T]{Take(a, u.Indices, axis), u.Indices, u.Inverse, u.Counts}
}

func allBut(axis, ndim int) []int {
	var axes []int
	for k := range ndim {
		if k != axis {
			axes = append(axes, k)
		}
	}
	return axes
}

// eachItems calls f with items followed by every index of shape, in C order.
func eachItems(shape []int, items []Item, f func(items []Item)) {
	if len(shape) == 0 {
		f(items)
		return
	}
	for i := range shape[0] {
		eachItems(shape[1:], append(items[:len(items):len(items)], Index(i)), f)
	}
}
