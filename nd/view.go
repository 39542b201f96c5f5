package nd

import (
	"caloric/internal/misuse"
	"caloric/split"
	"caloric/spmd"
)

// T returns a with its axes reversed, as a view.
//
// Local. Result split: the split moves with its axis. Communication: none.
func (a *NDArray[T]) T() *NDArray[T] {
	perm := make([]int, a.NDim())
	for k := range perm {
		perm[k] = len(perm) - 1 - k
	}
	return a.Transpose(perm...)
}

// Transpose returns the array whose axis k is axis axes[k] of a, as a view.
// Without arguments it reverses the axes.
//
// Local. Result split: the split moves with its axis. Communication: none.
// Panics if axes are no permutation of a's axes.
func (a *NDArray[T]) Transpose(axes ...int) *NDArray[T] {
	if len(axes) == 0 && a.NDim() > 0 {
		return a.T()
	}
	l, err := split.Transpose(a.layout, axes)
	misuse.Check(err)
	shape, strides := make([]int, len(axes)), make([]int, len(axes))
	for k, p := range axes {
		p, _ = split.NormalizeAxis(p, len(axes))
		shape[k], strides[k] = a.shape[p], a.strides[p]
	}
	return a.view(l, a.offset, shape, strides)
}

// Slice returns the part of a that the items select, one for each axis in turn;
// axes that are not named are taken whole. The result is a view, except where
// data has to move: an [Index] on the split axis gives a replicated copy, and a
// negative step there a balanced copy. Writing to such a copy, which would be
// lost, is a mistake that panics; Range(i, i+1, 1) is a view on any split.
//
//	a.Slice(nd.Range(1, 9, 2), nd.Index(-1), nd.Whole(), nd.NewAxis())
//
// Collective if it communicates, else local. Result split: the split axis keeps
// its data where it is, which leaves an unbalanced layout; None if an index
// fixed it. Communication: one broadcast of the result for an index on the split
// axis, one alltoallv for a negative step there, else none.
// Panics if an index is out of range or a step is zero.
func (a *NDArray[T]) Slice(items ...Item) *NDArray[T] {
	s, err := split.Slice(a.layout, items)
	misuse.Check(err)
	if len(s.Walks) > MaxDims {
		misuse.Panic("the slice has more than %d axes", MaxDims)
	}
	rank := a.comm.Rank()
	lo, hi := a.layout.Range(rank)
	local := func(w split.Walk) split.Walk {
		if w.Axis < 0 || Axis(w.Axis) != a.layout.Axis() {
			return w
		}
		return w.Local(lo, hi)
	}
	offset := a.offset
	shape, strides := make([]int, len(s.Walks)), make([]int, len(s.Walks))
	empty := a.LocalSize() == 0
	for k, w := range s.Walks {
		w = local(w)
		shape[k] = w.Count
		empty = empty || w.Count == 0
		if w.Axis >= 0 {
			offset += w.Start * a.strides[w.Axis]
			strides[k] = w.Step * a.strides[w.Axis]
		}
	}
	holds := s.Owner < 0 || s.Owner == rank
	for axis, i := range s.At {
		if Axis(axis) == a.layout.Axis() {
			i -= lo
		}
		offset += i * a.strides[axis]
	}
	if empty || !holds {
		// Nothing here is read, but the offset has to stay inside the memory.
		offset = a.offset
	}
	v := a.view(s.Layout, offset, shape, strides)
	switch {
	case s.Owner >= 0:
		out := newRaw[T](a.comm, s.Layout)
		if holds {
			copyLocal(out.data, out.strides, v)
		}
		spmd.Bcast(a.comm, out.data, s.Owner)
		out.severed = true
		return out
	case s.Reversed:
		out := reversed(v, split.Block(v.layout.Shape(), v.layout.Axis(), v.comm.Size()))
		out.severed = true
		return out
	}
	return v
}
