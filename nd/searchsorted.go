package nd

import (
	"sort"

	"caloric/internal/misuse"
	"caloric/spmd"
)

// Side says which of the positions among equal elements [SearchSorted] returns.
type Side uint8

// Left is the position before equal elements, Right the one after them.
const (
	Left Side = iota
	Right
)

// SearchSorted returns, for each of values, the position in the ascending array
// sorted at which it can be inserted so that the order stays: with Left the first
// one, sorted[i-1] < v ≤ sorted[i], with Right the last, sorted[i-1] ≤ v < sorted[i].
// NaN comes after every number.
//
// Collective if sorted is split, else local. Result split: values'. Communication:
// none if sorted is replicated; else for replicated values one allreduce of 8 bytes
// a value; for split values one allgatherv of one element, one alltoallv of 8 bytes
// for each rank, one of the values to the ranks whose part they fall in and one of
// 8 bytes a value back.
// Panics if sorted does not have one axis. What comes of an array that is not in
// order is undefined.
func SearchSorted[T Real](sorted, values *NDArray[T], side Side) *NDArray[int64] {
	sameComm(sorted.comm, values.comm)
	if sorted.NDim() != 1 {
		misuse.Panic("a sorted array of shape %v", sorted.layout.Shape())
	}
	out := newArray[int64](values.comm, values.layout)
	x, v := sorted.Local(), values.Local()
	c := sorted.comm
	switch {
	case sorted.layout.Replicated() || c.Size() == 1:
		search(out.data, x, v, side, 0)
	case values.layout.Replicated():
		// A position is the number of elements before it, on all ranks together.
		search(out.data, x, v, side, 0)
		spmd.Allreduce(c, out.data, spmd.Sum)
	default:
		searchSplit(out.data, sorted, v, side)
	}
	return out
}

// search sets out to base plus the positions of the values in x.
func search[T Real](out []int64, x, values []T, side Side, base int) {
	for i, v := range values {
		out[i] = int64(base + searchOne(x, v, side))
	}
}

func searchOne[T Real](x []T, v T, side Side) int {
	if side == Right {
		return sort.Search(len(x), func(i int) bool { return before(v, x[i]) })
	}
	return sort.Search(len(x), func(i int) bool { return !before(x[i], v) })
}

// before reports whether x comes before y in sorted order, in which NaN is last.
func before[T Real](x, y T) bool { return x < y || y != y && x == x }

// searchSplit sends each value to the last rank that has elements before its
// position, or the first that has any, which finds the position.
func searchSplit[T Real](out []int64, sorted *NDArray[T], values []T, side Side) {
	c := sorted.comm
	ones, counts := make([]int, c.Size()), sorted.layout.Counts()
	var firsts []T
	var ranks []int
	for r, n := range counts {
		if ones[r] = min(n, 1); n > 0 {
			ranks = append(ranks, r)
		}
	}
	if len(ranks) == 0 {
		return // every position is 0
	}
	firsts = make([]T, len(ranks))
	x := sorted.Local()
	spmd.Allgatherv(c, x[:ones[c.Rank()]], firsts, ones)
	// The values in the order of the ranks they go to.
	slots, want, to := make([]int, len(values)), make([]int, c.Size()), make([]int, len(values))
	for i, v := range values {
		to[i] = ranks[max(0, searchOne(firsts, v, side)-1)]
		want[to[i]]++
	}
	at, _ := starts(want)
	for i, r := range to {
		slots[at[r]] = i
		at[r]++
	}
	serve := keyList{bad: badKey{extent: -1}}.exchangeCounts(c, want)
	send, asked := make([]T, len(values)), make([]T, sumOfCounts(serve))
	for i, slot := range slots {
		send[i] = values[slot]
	}
	spmd.Alltoallv(c, send, want, asked, serve)
	found, back := make([]int64, len(asked)), make([]int64, len(values))
	search(found, x, asked, side, sorted.localStart())
	spmd.Alltoallv(c, found, serve, back, want)
	for i, slot := range slots {
		out[slot] = back[i]
	}
}
