package nd

import (
	"slices"

	"caloric/internal/misuse"
	"caloric/split"
)

// Split returns a cut along axis into sections of equal extent, as views.
//
// Local. Result split: a's; along the split axis every section stays where it
// is, which leaves it unbalanced. Communication: none.
// Panics if axis is out of range or its extent is no multiple of sections.
func Split[T Element](a *NDArray[T], sections, axis int) []*NDArray[T] {
	n := a.layout.Shape()[axisOf(a, axis)]
	if sections < 1 || n%sections != 0 {
		misuse.Panic("axis %d of shape %v cannot be cut into %d equal sections", axis, a.layout.Shape(), sections)
	}
	return ArraySplit(a, sections, axis)
}

// ArraySplit is [Split] for any number of sections: the first ones get one index
// more where their extents cannot be equal.
//
// Local. Result split: as [Split]. Communication: none.
// Panics if axis is out of range or sections is not positive.
func ArraySplit[T Element](a *NDArray[T], sections, axis int) []*NDArray[T] {
	if sections < 1 {
		misuse.Panic("%d sections", sections)
	}
	n := a.layout.Shape()[axisOf(a, axis)]
	cuts := make([]int, sections-1)
	at := 0
	for i := range cuts {
		at += n / sections
		if i < n%sections {
			at++
		}
		cuts[i] = at
	}
	return SplitAt(a, cuts, axis)
}

// SplitAt returns a cut along axis before each of the given indices, which may
// be negative or past the end as in a slice, as len(indices)+1 views. It is
// NumPy's split with a list.
//
// Local. Result split: as [Split]. Communication: none.
// Panics if axis is out of range.
func SplitAt[T Element](a *NDArray[T], indices []int, axis int) []*NDArray[T] {
	items := slices.Repeat([]Item{Whole()}, a.NDim())
	k := axisOf(a, axis)
	out := make([]*NDArray[T], len(indices)+1)
	start := 0
	for i := range out {
		stop := Open
		if i < len(indices) {
			stop = indices[i]
		}
		items[k] = Range(start, stop, 1)
		out[i] = a.Slice(items...)
		start = stop
	}
	return out
}

// HSplit is [Split] along axis 1, of a vector along axis 0.
//
// Local. Result split: as [Split]. Communication: none.
// Panics if a has no axes or its extent there is no multiple of sections.
func HSplit[T Element](a *NDArray[T], sections int) []*NDArray[T] {
	return Split(a, sections, min(1, a.NDim()-1))
}

// VSplit is [Split] along axis 0 of an array with two axes or more.
//
// Local. Result split: as [Split]. Communication: none.
// Panics if a has fewer axes or its extent there is no multiple of sections.
func VSplit[T Element](a *NDArray[T], sections int) []*NDArray[T] {
	needAxes(a, 2)
	return Split(a, sections, 0)
}

// DSplit is [Split] along axis 2 of an array with three axes or more.
//
// Local. Result split: as [Split]. Communication: none.
// Panics if a has fewer axes or its extent there is no multiple of sections.
func DSplit[T Element](a *NDArray[T], sections int) []*NDArray[T] {
	needAxes(a, 3)
	return Split(a, sections, 2)
}

// needAxes panics if a has fewer than n axes.
func needAxes[T Element](a *NDArray[T], n int) {
	if a.NDim() < n {
		misuse.Panic("shape %v has fewer than %d axes", a.layout.Shape(), n)
	}
}

// Unstack returns the parts of a at each index of axis, without that axis, as views.
//
// Collective if a is split along axis, else local. Result split: a's, shifted;
// None if a is split along axis. Communication: one allgatherv of a if it is
// split along axis, else none. Panics if axis is out of range.
func Unstack[T Element](a *NDArray[T], axis int) []*NDArray[T] {
	k := axisOf(a, axis)
	if a.layout.Axis() == Axis(k) {
		a = moved(a, split.Block(a.layout.Shape(), split.None, a.comm.Size()))
	}
	items := slices.Repeat([]Item{Whole()}, a.NDim())
	out := make([]*NDArray[T], a.layout.Shape()[k])
	for i := range out {
		items[k] = Index(i)
		out[i] = a.Slice(items...)
	}
	return out
}
