package nd

import (
	"slices"
	"strings"

	"caloric/internal/misuse"
	"caloric/split"
	"caloric/spmd"
)

// Delete returns a without the given indices along axis, or without an axis
// without those elements of the flattened array. Indices may be negative, and
// may repeat.
//
// Local, but for [Ravel] without an axis; indices are the same on every rank.
// Result split: a's; every rank keeps what it has, which may leave the result
// unbalanced. Communication: none, but for Ravel without an axis.
// Panics if an index or axis is out of range.
func Delete[T Element](a *NDArray[T], indices []int, axis ...int) *NDArray[T] {
	a, k := alongOrFlat(a, axis)
	n := a.layout.Shape()[k]
	gone := fromZero(indices, n, n-1)
	slices.Sort(gone)
	gone = slices.Compact(gone)
	var runs runList
	next := 0
	for _, i := range gone {
		runs.add(0, next, 1, i-next)
		next = i + 1
	}
	runs.add(0, next, 1, n-next)
	l := split.Stretch(a.layout, k, n-len(gone), func(i int) int {
		before, _ := slices.BinarySearch(gone, i)
		return i - before
	})
	return rearranged(l, k, runs, a)
}

// fromZero returns indices of an axis of n with negative ones counted from the
// end, after checking that they are at most last.
func fromZero(indices []int, n, last int) []int {
	out := slices.Clone(indices)
	for i, v := range out {
		if v < -n || v > last {
			misuse.Panic("index %d is out of range for %d indices", v, n)
		}
		if v < 0 {
			out[i] += n
		}
	}
	return out
}

// Insert returns a with values inserted before the given indices along axis, or
// without an axis before those elements of the flattened array. The indices are
// a's, in any order; what goes before the same index keeps its order. Along axis
// values have one index for each of indices, or one for all, and before a single
// index any number; along the other axes they broadcast to a's shape.
//
// Collective, local if values are replicated and an axis is given; indices are
// the same on every rank. Result split: a's; every rank keeps what it has and
// gets what goes before it, which may leave the result unbalanced.
// Communication: none if values are replicated, else one alltoallv of them;
// without an axis also that of [Ravel].
// Panics if an index or axis is out of range, or values do not broadcast.
func Insert[T Element](a *NDArray[T], indices []int, values *NDArray[T], axis ...int) *NDArray[T] {
	sameComm(a.comm, values.comm)
	a, k := alongOrFlat(a, axis)
	n := a.layout.Shape()[k]
	where := fromZero(indices, n, n)
	if values.NDim() > a.NDim() {
		misuse.Panic("values of shape %v for an array of shape %v", values.layout.Shape(), a.layout.Shape())
	}
	for values.NDim() < a.NDim() {
		values = values.Slice(NewAxis())
	}
	shape := slices.Clone(a.layout.Shape())
	if shape[k] = len(where); len(where) == 1 {
		shape[k] = values.layout.Shape()[k]
		where = slices.Repeat(where, shape[k])
	}
	values = BroadcastTo(values, shape...)
	order := make([]int, len(where))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return where[i] - where[j] })
	var runs runList
	next := 0
	for _, i := range order {
		runs.add(0, next, 1, where[i]-next)
		next = where[i]
		runs.add(1, i, 1, 1)
	}
	runs.add(0, next, 1, n-next)
	slices.Sort(where)
	l := split.Stretch(a.layout, k, n+len(where), func(i int) int {
		before, _ := slices.BinarySearch(where, i)
		return i + before
	})
	return rearranged(l, k, runs, a, values)
}

// TrimZeros returns a without the zeros at its front, for trim "f", its back,
// for "b", or both, for "fb": of an array with several axes, the box of its
// elements that are not zero, open at the back for "f" and at the front for "b".
// It is a view.
//
// Collective unless a is replicated. Result split: a's, which may leave it
// unbalanced. Communication: one allreduce of 16 bytes an axis, none if a is
// replicated. Panics if trim is something else.
func TrimZeros[T Element](a *NDArray[T], trim string) *NDArray[T] {
	front, back := strings.Contains(trim, "f"), strings.Contains(trim, "b")
	if len(trim) != 1 && len(trim) != 2 || front && back != (len(trim) == 2) || !front && !back {
		misuse.Panic("trim %q", trim)
	}
	// The largest -index and index of an element along each axis.
	ndim := a.NDim()
	const unseen = -1 << 62
	ends := slices.Repeat([]int64{unseen}, 2*ndim)
	index := slices.Clone(a.layout.Local(a.comm.Rank()).Lo)
	var zero T
	for _, v := range a.Local() {
		if v != zero {
			for k, i := range index {
				ends[k], ends[ndim+k] = max(ends[k], int64(-i)), max(ends[ndim+k], int64(i))
			}
		}
		a.step(index)
	}
	if !a.layout.Replicated() {
		spmd.Allreduce(a.comm, ends, spmd.Max)
	}
	items := make([]Item, ndim)
	for k := range items {
		start, stop := Open, Open
		if front {
			start = int(-ends[k])
		}
		if back {
			stop = int(ends[ndim+k]) + 1
		}
		if ends[k] == unseen {
			start, stop = 0, 0
		}
		items[k] = Range(start, stop, 1)
	}
	return a.Slice(items...)
}

// step moves a global index to the next one, in C order, of this rank's part.
func (a *NDArray[T]) step(index []int) {
	for k := len(index) - 1; k >= 0; k-- {
		lo := 0
		if Axis(k) == a.layout.Axis() {
			lo = a.localStart()
		}
		if index[k]++; index[k] < lo+a.shape[k] {
			return
		}
		index[k] = lo
	}
}
