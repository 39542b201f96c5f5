package random

import (
	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/split"
)

// Choice returns n items of a along axis, each chosen independently of the others,
// all equally likely: NumPy's choice with replacement. For items that are not
// equally likely take [Categorical]:
//
//	nd.Take(a, random.Sample(g, c, nd.Shape{n}, 0, random.Categorical(weights...)), 0)
//
// Collective. Result split: a's. Communication: as [nd.Take] with split indices if
// a is split along axis, else none. Panics if axis is out of range, n is negative,
// or there is nothing to choose from.
func Choice[T nd.Element](g *Generator, a *nd.NDArray[T], n, axis int) *nd.NDArray[T] {
	items, along := itemsOf(a, axis)
	if n < 0 || n > 0 && items == 0 {
		misuse.Panic("no %d of %d items", n, items)
	}
	return nd.Take(a, Integers(g, a.Comm(), nd.Shape{n}, along, 0, max(1, int64(items))), axis)
}

// Subset returns n different items of a along axis in random order, all choices
// and orders equally likely: NumPy's choice without replacement.
//
// Collective. Result split: a's. Communication: as [nd.Take] with split indices if
// a is split along axis, else none. Panics if axis is out of range, or n is
// negative or more than there are.
func Subset[T nd.Element](g *Generator, a *nd.NDArray[T], n, axis int) *nd.NDArray[T] {
	items, along := itemsOf(a, axis)
	if n < 0 || n > items {
		misuse.Panic("no %d different ones of %d items", n, items)
	}
	order := Permutation(g, a.Comm(), items, along).Slice(nd.To(n))
	return nd.Take(a, order.Balance(), axis)
}

// Shuffle returns the items of a along axis in random order, all orders equally
// likely. a itself does not change.
//
// Collective. Result split: a's. Communication: as [nd.Take] with split indices if
// a is split along axis, else none. Panics if axis is out of range.
func Shuffle[T nd.Element](g *Generator, a *nd.NDArray[T], axis int) *nd.NDArray[T] {
	items, along := itemsOf(a, axis)
	return nd.Take(a, Permutation(g, a.Comm(), items, along), axis)
}

// itemsOf returns the number of items along axis, and the split of the indices
// that keeps a's.
func itemsOf[T nd.Element](a *nd.NDArray[T], axis int) (int, nd.Axis) {
	k, err := split.NormalizeAxis(axis, a.NDim())
	misuse.Check(err)
	if nd.Axis(k) == a.Split() {
		return a.Shape()[k], 0
	}
	return a.Shape()[k], nd.None
}
