package nd

import (
	"caloric/internal/misuse"
	"caloric/split"
)

// Nonzero returns the indices of a's nonzero elements in C order, one array for
// each axis, so that TakeAt(a, Nonzero(a)...) are the elements. NaN is nonzero.
//
// Collective unless a is replicated. Result split: 0, unbalanced: indices stay with
// the elements that they are of if a is split along axis 0 or only axes of extent 1
// come before, else each rank has those of a block of axis 0; None if a is
// replicated. Communication: one allgatherv of 8 bytes; if indices cannot stay, a
// move of one byte an element before.
// Panics if a has no axes.
func Nonzero[T Element](a *NDArray[T]) []*NDArray[int64] {
	if a.NDim() == 0 {
		misuse.Panic("the indices of the nonzero elements of an array without axes")
	}
	l, at := nonzero(a)
	out := make([]*NDArray[int64], a.NDim())
	for k := range out {
		out[k] = newArray[int64](a.comm, l)
	}
	shape := a.layout.Shape()
	for i, p := range at {
		for k := len(out) - 1; k >= 0; k-- {
			out[k].data[i] = int64(p % shape[k])
			p /= shape[k]
		}
	}
	return out
}

// FlatNonzero returns the positions of a's nonzero elements in its C order.
//
// Collective unless a is replicated. Result split and communication: as [Nonzero].
func FlatNonzero[T Element](a *NDArray[T]) *NDArray[int64] {
	l, at := nonzero(a)
	out := newArray[int64](a.comm, l)
	for i, p := range at {
		out.data[i] = int64(p)
	}
	return out
}

// ArgWhere returns the indices of a's nonzero elements in C order, one a row.
//
// Collective unless a is replicated. Result split and communication: as [Nonzero].
func ArgWhere[T Element](a *NDArray[T]) *NDArray[int64] {
	l, at := nonzero(a)
	n := a.NDim()
	shape := Shape{l.Shape()[0], n}
	rows := split.Block(shape, split.None, l.Ranks())
	if l.Axis() != split.None {
		rows = split.WithCounts(shape, 0, l.Counts())
	}
	out := newArray[int64](a.comm, rows)
	for i, p := range at {
		for k := n - 1; k >= 0; k-- {
			out.data[i*n+k] = int64(p % a.layout.Shape()[k])
			p /= a.layout.Shape()[k]
		}
	}
	return out
}

// nonzero returns the positions in C order of the nonzero elements that this rank
// has in the result, and the result's layout.
func nonzero[T Element](a *NDArray[T]) (*split.Layout, []int) {
	c := a.comm
	mask, ok := any(a).(*NDArray[bool])
	if !ok {
		mask = AsType[bool](a)
	}
	l := a.layout
	if l.Axis() != split.None && l.Outer() > 1 {
		l = split.Block(l.Shape(), 0, c.Size())
		mask = moved(mask, l)
	}
	strides, base := contiguousStrides(l.Shape()), 0
	if l.Axis() != split.None {
		lo, _ := l.Range(c.Rank())
		base = lo * strides[l.Axis()]
	}
	at := trueOffsets(mask, strides, base)
	if l.Replicated() {
		return split.Block(Shape{len(at)}, split.None, c.Size()), at
	}
	counts := gatherCounts(c, len(at))
	return split.WithCounts(Shape{sumOfCounts(counts)}, 0, counts), at
}
