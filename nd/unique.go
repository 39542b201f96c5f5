package nd

import (
	"caloric/internal/recycle"
	"caloric/split"
)

// UniqueParts is what [UniqueAll] returns.
type UniqueParts[T Element] struct {
	Values  *NDArray[T]     // the different elements, ascending
	Indices *NDArray[int64] // where each occurs first in the C order of the array
	Inverse *NDArray[int64] // which of the values each element of the array is
	Counts  *NDArray[int64] // how often each occurs
}

// Unique returns the different elements of a in ascending order. NaN are taken
// for one and come last, with every complex number that has a NaN part; -0 is 0.
//
// Each rank sorts its own elements and drops what it has twice; of the rest each
// range of values is brought to one rank. Nothing is gathered.
//
// Collective unless a is replicated. Result split: 0, each rank with the values
// of its range, so that the layout is unbalanced; None if a is replicated.
// Communication: one alltoallv of at most the rank's elements, a few allreduces
// (each at most 1/16 of a rank's share, or 512 bytes) and allgathervs to find the
// ranges, and an allreduce, an alltoallv and an allgatherv of counts; none if a is
// replicated.
func Unique[T Element](a *NDArray[T]) *NDArray[T] { return orderingOf[T]().unique(a, 0).Values }

// UniqueCounts returns the different elements of a, as [Unique] does, and how
// often each occurs.
//
// Collective unless a is replicated. Result split: as [Unique]. Communication: as
// [Unique], and one alltoallv of the counts.
func UniqueCounts[T Element](a *NDArray[T]) (values *NDArray[T], counts *NDArray[int64]) {
	u := orderingOf[T]().unique(a, uniqueCounts)
	return u.Values, u.Counts
}

// UniqueInverse returns the different elements of a, as [Unique] does, and which
// of them each element of a is, in a's shape: TakeFlat(values, inverse) is a.
//
// Collective unless a is replicated. Result split: of the values as [Unique], of
// the inverse a's. Communication: as [Unique], and one alltoallv of the positions.
func UniqueInverse[T Element](a *NDArray[T]) (values *NDArray[T], inverse *NDArray[int64]) {
	u := orderingOf[T]().unique(a, uniqueInverse)
	return u.Values, u.Inverse
}

// UniqueIndex returns the different elements of a, as [Unique] does, and where
// each occurs first in the C order of a.
//
// Collective unless a is replicated. Result split: as [Unique]. Communication: as
// [Unique], and one alltoallv of the indices.
func UniqueIndex[T Element](a *NDArray[T]) (values *NDArray[T], indices *NDArray[int64]) {
	u := orderingOf[T]().unique(a, uniqueIndices)
	return u.Values, u.Indices
}

// UniqueAll returns the different elements of a, as [Unique] does, their first
// places, their counts, and which of them each element of a is.
//
// Collective unless a is replicated. Result split: as [Unique], of the inverse
// a's. Communication: as [Unique], and three alltoallvs.
func UniqueAll[T Element](a *NDArray[T]) UniqueParts[T] {
	return orderingOf[T]().unique(a, uniqueIndices|uniqueInverse|uniqueCounts)
}

// uniqueParts says what beside the values is wanted.
type uniqueParts uint8

const (
	uniqueIndices uniqueParts = 1 << iota
	uniqueInverse
	uniqueCounts
)

func uniqueOf[T, K Element](o keying[T, K], a *NDArray[T], want uniqueParts) UniqueParts[T] {
	src := a.Local()
	keys := recycle.Make[K](len(src))
	inParts(a.comm, len(src), func(lo, hi int) { o.code.encode(keys[lo:hi], src[lo:hi], equalZeros|equalNaNs) })
	g, of := groupKeys(o.kit, keys, want, a.comm.Workers())
	m, lengths := meeting[K]{groups: g}, []int{len(g.keys)}
	alone := a.layout.Replicated() || a.comm.Size() == 1
	if !alone {
		globalPositions(g.first, a.layout, a.comm.Rank())
		m = meet(a.comm, o.kit, g, want&uniqueInverse != 0)
		lengths = partLengths(a.comm, len(m.groups.keys))
	}
	l := uniqueLayout(a, lengths)
	u := UniqueParts[T]{Values: newRaw[T](a.comm, l)}
	o.code.decode(u.Values.data, m.groups.keys, 0)
	recycle.Free(keys)
	if want&uniqueCounts != 0 {
		u.Counts = wrap(a.comm, l, m.groups.count)
	}
	if want&uniqueIndices != 0 {
		u.Indices = wrap(a.comm, l, m.groups.first)
	}
	if want&uniqueInverse != 0 {
		if !alone {
			number := make([]int64, len(m.groups.keys))
			for i := range number {
				number[i] = int64(u.Values.localStart() + i)
			}
			number = answer(m, number)
			for i, j := range of {
				of[i] = number[j]
			}
		}
		u.Inverse = wrap(a.comm, a.layout, of)
	}
	return u
}

func uniqueLayout[T Element](a *NDArray[T], lengths []int) *split.Layout {
	_, n := starts(lengths)
	if a.layout.Replicated() {
		return split.Block(Shape{n}, split.None, a.comm.Size())
	}
	return split.WithCounts(Shape{n}, 0, lengths)
}

// globalPositions turns positions in a rank's memory, in C order, into positions
// in C order of the whole array.
func globalPositions(at []int64, l *split.Layout, rank int) {
	r := newFlatRange(l, rank)
	for i, p := range at {
		o := int(p) / (r.hi - r.lo)
		at[i] = p + int64(o*(r.period-(r.hi-r.lo))+r.lo)
	}
}
