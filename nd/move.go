package nd

import (
	"slices"

	"caloric/internal/misuse"
	"caloric/split"
	"caloric/spmd"
)

// Resplit returns a split along another axis, balanced, or replicated for
// [split.None]. It returns a itself if a has that layout already; take a [Copy] to
// write to the result alone.
//
// Collective. Result split: axis. Communication: split to split one alltoallv, in
// which a rank of P sends (P-1)/P of its block if a is balanced; split to None one
// allgatherv of the blocks; None to split none. Ranks that share memory copy
// from each other. Others need buffers: from split to split at most two local
// blocks, one where a leaves or enters axis 0; to None one whole array unless a is
// split along axis 0. Where those would be larger than 4 MiB or the limit L of
// [SetScratchLimit], the move is done in rounds within it instead, and counted as
// isend: of messages of at most L/(4(P-1)) bytes, and 256 KiB. A move from split 0 to
// None needs no buffers, and is done in rounds only where a block is larger than L.
// Panics if axis is out of range.
func (a *NDArray[T]) Resplit(axis Axis) *NDArray[T] {
	misuse.Check(split.Check(a.layout.Shape(), axis, a.comm.Size()))
	return relocated(a, split.Block(a.layout.Shape(), axis, a.comm.Size()))
}

// Balance returns a with its indices spread evenly over the ranks along the
// split axis, a itself if they are already.
//
// Collective. Result split: a's. Communication: none if a is balanced, else one
// alltoallv. Extra memory: as [NDArray.Resplit].
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
	out := newRaw[T](a.comm, l)
	block := slices.Max(counts)
	switch {
	case direct(a.comm):
		allGatherDirect(out, a)
		return out
	case axis == 0 && int64(block)*int64(itemSize[T]()) > scratchLimit.Load(),
		axis != 0 && !scratchFits[T](len(out.data)+block):
		allGatherStreams(out, a)
		return out
	case axis == 0:
		send, packed := patchOf(a).joined, []T(nil)
		if send == nil {
			packed = borrowScratch[T](a.LocalSize())
			copyLocal(packed, contiguousStrides(a.shape), a)
			send = packed
		}
		spmd.Allgatherv(a.comm, send, out.data, counts)
		returnScratch(packed)
		return out
	}
	recv := borrowScratch[T](len(out.data))
	spmd.Allgatherv(a.comm, a.local(), recv, counts)
	pos := 0
	for r := range counts {
		shape := a.layout.LocalShape(r)
		lo, _ := a.layout.Range(r)
		out.setBox(boxAt(shape, axis, lo), recv[pos:pos+counts[r]])
		pos += counts[r]
	}
	returnScratch(recv)
	return out
}

// boxAt returns the box of the given shape that starts at lo along axis.
func boxAt(shape Shape, axis, lo int) split.Box {
	b := split.Whole(shape)
	b.Lo[axis] += lo
	b.Hi[axis] += lo
	return b
}

// exchange carries out a plan of one exchange. What goes to the ranks is
// consecutive in a's memory if the result is split along axis 0; what comes from
// them is consecutive in the result's memory if a is.
func exchange[T Element](a *NDArray[T], l *split.Layout, plan split.Plan) *NDArray[T] {
	c := a.comm
	out := newRaw[T](c, l)
	if direct(c) {
		exchangeDirect(out, a, plan, partCounts(plan.Send, c.Size()))
		return out
	}
	send, recv := partPatches(a, plan.Send).outgoing(c), partPatches(out, plan.Recv).incoming(c)
	if l.Axis() == 0 && a.IsContiguous() {
		send.all = a.local()
	}
	if a.layout.Axis() == 0 {
		recv.all = out.data
	}
	exchangeStreams(c, send, recv, messageSize[T](c, exchangeFits[T](l, a.layout), 1), func() {
		for _, p := range plan.Recv {
			if p.Rank == c.Rank() {
				copyBox(out, a, p.Box)
			}
		}
	})
	return out
}

// partPatches returns the parts of a plan as they lie in a, of which this rank
// holds them.
func partPatches[T Element](a *NDArray[T], parts []split.Part) *patchLists[T] {
	boxes := make([]split.Box, a.comm.Size())
	list := newPatchLists(a.comm.Size(), func(r, _ int) patch[T] { return patchOf(a.box(boxes[r])) })
	for _, p := range parts {
		boxes[p.Rank] = p.Box
		list.add(p.Rank, p.Box.Size())
	}
	return list
}

// exchangeFits reports, on every rank alike, whether every rank may have buffers for
// what it holds in all of the layouts.
func exchangeFits[T Element](layouts ...*split.Layout) bool {
	for r := range layouts[0].Ranks() {
		n := 0
		for _, l := range layouts {
			n += l.LocalSize(r)
		}
		if !scratchFits[T](n) {
			return false
		}
	}
	return true
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
	return a.view(a.layout, a.boxOffset(b), b.Shape(), a.strides)
}

// setBox copies src, in C order, to the global box b, which this rank holds.
func (a *NDArray[T]) setBox(b split.Box, src []T) {
	shape := b.Shape()
	w := newWalk(shape)
	w.add(a.boxOffset(b), shape, a.strides)
	w.add(0, shape, contiguousStrides(shape))
	copyWalk(a.comm, &w, a.data, src)
}
