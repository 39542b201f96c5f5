package nd

import (
	"caloric/internal/misuse"
	"caloric/split"
	"caloric/spmd"
)

// Resplit returns a split along another axis, balanced, or replicated for
// [split.None]. It returns a itself if a has that layout already; take a [Copy] to
// write to the result alone.
//
// Collective. Result split: axis. Communication: split to split one alltoallv,
// split to None one allgatherv, None to split none. Extra memory: from split to
// split at most two local blocks, one where a leaves or enters axis 0; to None
// one whole array unless a is split along axis 0.
// Panics if axis is out of range.
func (a *NDArray[T]) Resplit(axis Axis) *NDArray[T] {
	misuse.Check(split.Check(a.layout.Shape(), axis, a.comm.Size()))
	return relocated(a, split.Block(a.layout.Shape(), axis, a.comm.Size()))
}

// Balance returns a with its indices spread evenly over the ranks along the
// split axis, a itself if they are already.
//
// Collective. Result split: a's. Communication: none if a is balanced, else one
// alltoallv. Extra memory: at most two local blocks, none if a is split along axis 0.
func (a *NDArray[T]) Balance() *NDArray[T] { return a.Resplit(a.layout.Axis()) }

// Redistribute returns a with counts[r] indices of the split axis on rank r.
// It returns a itself if a has that layout already.
//
// Collective; counts are the same on every rank. Result split: a's.
// Communication: one alltoallv. Panics if a is replicated, or counts do not fit.
func (a *NDArray[T]) Redistribute(counts []int) *NDArray[T] {
	misuse.Check(split.CheckCounts(a.layout.Shape(), a.layout.Axis(), counts))
	if len(counts) != a.comm.Size() {
		misuse.Panic("%d counts for %d ranks", len(counts), a.comm.Size())
	}
	return relocated(a, split.WithCounts(a.layout.Shape(), a.layout.Axis(), counts))
}

// MoveTo returns a in layout l, which has a's shape and ranks. It returns a
// itself if a has that layout already.
//
// Collective. Result split: l's. Communication and memory: as [NDArray.Resplit].
func (a *NDArray[T]) MoveTo(l *split.Layout) *NDArray[T] {
	if !l.Shape().Equal(a.layout.Shape()) || l.Ranks() != a.comm.Size() {
		misuse.Panic("array of layout %v over %d ranks cannot move to layout %v over %d",
			a.layout, a.comm.Size(), l, l.Ranks())
	}
	return relocated(a, l)
}

// relocated is moved with memory of the result's own, whatever the number of ranks.
func relocated[T Element](a *NDArray[T], l *split.Layout) *NDArray[T] {
	if a.layout.Equal(l) {
		return a
	}
	b := moved(a, l)
	if overlap(b.data, a.data) {
		return Copy(b)
	}
	return b
}

// moved returns a in layout l. The result may share memory with a where
// nothing has to be sent.
func moved[T Element](a *NDArray[T], l *split.Layout) *NDArray[T] {
	plan := split.Move(a.layout, l, a.comm.Rank())
	switch plan.Kind {
	case split.Nothing:
		return a.view(l, a.offset, a.shape, a.strides)
	case split.Cut:
		return a.cut(l)
	case split.AllGather:
		return allGather(a, l)
	}
	return exchange(a, l, plan)
}

// cut returns the view of a replicated array's memory, or of a single rank's,
// that this rank owns in layout l.
func (a *NDArray[T]) cut(l *split.Layout) *NDArray[T] {
	offset, shape := a.offset, l.LocalShape(a.comm.Rank())
	// An empty part stays at the start, so that its offset is inside the memory.
	if l.Axis() != split.None && shape.Size() > 0 {
		lo, _ := l.Range(a.comm.Rank())
		offset += lo * a.strides[l.Axis()]
	}
	return a.view(l, offset, shape, a.strides)
}

// allGather returns the replicated array of layout l. Blocks of axis 0 arrive in
// place; those of another axis arrive one after another and are put in order.
func allGather[T Element](a *NDArray[T], l *split.Layout) *NDArray[T] {
	axis := int(a.layout.Axis())
	counts := make([]int, a.comm.Size())
	for r := range counts {
		counts[r] = a.layout.LocalSize(r)
	}
	out := newArray[T](a.comm, l)
	recv := out.data
	if axis != 0 {
		recv = make([]T, len(out.data))
	}
	spmd.Allgatherv(a.comm, a.Local(), recv, counts)
	if axis != 0 {
		pos := 0
		for r := range counts {
			shape := a.layout.LocalShape(r)
			lo, _ := a.layout.Range(r)
			out.setBox(boxAt(shape, axis, lo), recv[pos:pos+counts[r]])
			pos += counts[r]
		}
	}
	return out
}

// boxAt returns the box of the given shape that starts at lo along axis.
func boxAt(shape Shape, axis, lo int) split.Box {
	b := split.Whole(shape)
	b.Lo[axis] += lo
	b.Hi[axis] += lo
	return b
}

// exchange carries out a plan of one alltoallv. The blocks for the ranks are
// consecutive in a's memory, and need no packing, if the result is split along
// axis 0; blocks from the ranks are consecutive in the result's memory if a is.
func exchange[T Element](a *NDArray[T], l *split.Layout, plan split.Plan) *NDArray[T] {
	size := a.comm.Size()
	sendCounts, recvCounts := partCounts(plan.Send, size), partCounts(plan.Recv, size)
	out := newArray[T](a.comm, l)
	var send []T
	if l.Axis() == 0 && a.IsContiguous() {
		send = a.Local()
	} else {
		send = make([]T, a.LocalSize())
		pos := 0
		for _, p := range plan.Send {
			n := p.Box.Size()
			a.getBox(send[pos:pos+n], p.Box)
			pos += n
		}
	}
	recv := out.data
	if a.layout.Axis() != 0 {
		recv = make([]T, len(out.data))
	}
	spmd.Alltoallv(a.comm, send, sendCounts, recv, recvCounts)
	if a.layout.Axis() != 0 {
		pos := 0
		for _, p := range plan.Recv {
			n := p.Box.Size()
			out.setBox(p.Box, recv[pos:pos+n])
			pos += n
		}
	}
	return out
}

func partCounts(parts []split.Part, ranks int) []int {
	counts := make([]int, ranks)
	for _, p := range parts {
		counts[p.Rank] = p.Box.Size()
	}
	return counts
}

// box returns the view of the part of a's local memory that holds the global box b.
func (a *NDArray[T]) box(b split.Box) *NDArray[T] {
	offset := a.offset
	for k := range b.Lo {
		lo := b.Lo[k]
		if Axis(k) == a.layout.Axis() {
			lo -= a.localStart()
		}
		offset += lo * a.strides[k]
	}
	return a.view(a.layout, offset, b.Shape(), a.strides)
}

// getBox copies the global box b, which this rank holds, to dst in C order.
func (a *NDArray[T]) getBox(dst []T, b split.Box) {
	v := a.box(b)
	copyLocal(dst, contiguousStrides(v.shape), v)
}

// setBox copies src, in C order, to the global box b, which this rank holds.
func (a *NDArray[T]) setBox(b split.Box, src []T) {
	v := a.box(b)
	w := newWalk(v.shape)
	w.add(v.offset, v.shape, v.strides)
	w.add(0, v.shape, contiguousStrides(v.shape))
	copyWalk(a, &w, a.data, src)
}
