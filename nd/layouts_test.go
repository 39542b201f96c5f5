package nd_test

import (
	"maps"
	"slices"

	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// testLayouts returns the layouts that every operation is tried on for a shape:
// replicated, and for each axis balanced, everything on the last rank, and
// ragged with empty ranks.
func testLayouts(c *spmd.Comm, shape split.Shape) []*split.Layout {
	p := c.Size()
	layouts := []*split.Layout{split.Block(shape, split.None, p)}
	for k, n := range shape {
		axis := split.Axis(k)
		layouts = append(layouts, split.Block(shape, axis, p))
		if p == 1 {
			continue
		}
		last, ragged := make([]int, p), make([]int, p)
		last[p-1] = n
		left := n
		for r := 0; r < p && left > 0; r += 2 {
			ragged[r] = min(left, r+1)
			left -= ragged[r]
		}
		ragged[0] += left
		layouts = append(layouts, split.WithCounts(shape, axis, last), split.WithCounts(shape, axis, ragged))
	}
	return layouts
}

// eachIndex calls f with every index of shape in C order. f must not keep it.
func eachIndex(shape []int, f func(index []int)) {
	n := split.Shape(shape).Size()
	index := make([]int, len(shape))
	for range n {
		f(index)
		for k := len(index) - 1; k >= 0; k-- {
			index[k]++
			if index[k] < shape[k] {
				break
			}
			index[k] = 0
		}
	}
}

// flat returns the position of index in the C order of shape.
func flat(shape, index []int) int {
	at := 0
	for k, i := range index {
		at = at*shape[k] + i
	}
	return at
}

// eachLocal calls f with every element of a that this rank holds and its position
// in the C order of the whole array.
func eachLocal[T nd.Element](a *nd.NDArray[T], f func(at int, v T)) {
	box := a.Layout().Local(a.Comm().Rank())
	local, n, index := a.Local(), 0, make([]int, a.NDim())
	eachIndex(box.Shape(), func(i []int) {
		for k := range i {
			index[k] = i[k] + box.Lo[k]
		}
		f(flat(a.Layout().Shape(), index), local[n])
		n++
	})
}

// sortedKeys returns m's keys in an order that is the same on every rank.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
