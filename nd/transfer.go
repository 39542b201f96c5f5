package nd

import (
	"fmt"

	"caloric/split"
	"caloric/spmd"
)

// exhibit is what a rank shows to ranks that copy from it: where its elements lie,
// and what it is moving.
type exhibit[T Element] struct {
	a  *NDArray[T]
	to *split.Layout
}

// agrees returns an error unless rank r, which shows theirs, moves the same as this one.
func (x *exhibit[T]) agrees(r int, theirs *exhibit[T]) error {
	if theirs.a.layout.Equal(x.a.layout) && theirs.to.Equal(x.to) {
		return nil
	}
	return fmt.Errorf("layouts do not fit: rank %d moves %v to %v, rank %d moves %v to %v",
		r, theirs.a.layout, theirs.to, x.a.comm.Rank(), x.a.layout, x.to)
}

// copyBox copies the global box b from src's local memory to dst's, which have one
// shape and may be of different ranks.
func copyBox[T Element](dst, src *NDArray[T], b split.Box) {
	shape := b.Shape()
	w := newWalk(shape)
	w.past = writtenPast(dst)
	w.add(dst.boxOffset(b), shape, dst.strides)
	w.add(src.boxOffset(b), shape, src.strides)
	copyWalk(dst.comm, &w, dst.data, src.data)
}

// boxOffset returns where the global box b, which this rank holds, starts in memory.
func (a *NDArray[T]) boxOffset(b split.Box) int {
	offset := a.offset
	for k, lo := range b.Lo {
		if Axis(k) == a.layout.Axis() {
			lo -= a.localStart()
		}
		offset += lo * a.strides[k]
	}
	return offset
}

// exchangeDirect is exchange for ranks that share memory: each copies what it is to
// hold straight from the others' arrays.
func exchangeDirect[T Element](out, a *NDArray[T], plan split.Plan, sendCounts []int) {
	mine := exhibit[T]{a, out.layout}
	from := make([]split.Box, len(sendCounts))
	for _, p := range plan.Recv {
		from[p.Rank] = p.Box
	}
	spmd.AlltoallvDirect[T](a.comm, a.LocalSize(), sendCounts, &mine, func(r int, theirs *exhibit[T]) error {
		if err := mine.agrees(r, theirs); err != nil {
			return err
		}
		if from[r].Size() > 0 && from[r].Lo != nil {
			copyBox(out, theirs.a, from[r])
		}
		return nil
	})
}

// allGatherDirect is allGather for ranks that share memory.
func allGatherDirect[T Element](out, a *NDArray[T]) {
	mine := exhibit[T]{a, out.layout}
	spmd.AllgathervDirect[T](a.comm, a.LocalSize(), &mine, func(r int, theirs *exhibit[T]) error {
		if err := mine.agrees(r, theirs); err != nil {
			return err
		}
		if box := a.layout.Local(r); box.Size() > 0 {
			copyBox(out, theirs.a, box)
		}
		return nil
	})
}

// allGatherStreams is allGather by messages from each rank to each other one, where
// its buffers would be larger than they may be. Blocks of axis 0 arrive in place.
func allGatherStreams[T Element](out, a *NDArray[T]) {
	c := a.comm
	own := patchOf(a)
	send := newPatchLists(c.Size(), func(int, int) patch[T] { return own })
	recv := newPatchLists(c.Size(), func(r, _ int) patch[T] { return patchOf(out.box(a.layout.Local(r))) })
	for r := range c.Size() {
		if n := a.LocalSize(); n > 0 {
			send.add(r, n)
		}
		if n := a.layout.LocalSize(r); n > 0 {
			recv.add(r, n)
		}
	}
	exchangeStreams(c, send.outgoing(c), recv.incoming(c), messageSize[T](c, false, 1), func() {
		copyView(out.box(a.layout.Local(c.Rank())), a)
	})
}
