package nd

import (
	"fmt"

	"caloric/split"
	"caloric/spmd"
)

// transferTag is the tag of the messages of a move in rounds.
const transferTag = 1<<15 - 2

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
	w.add(dst.boxOffset(b), shape, dst.strides)
	w.add(src.boxOffset(b), shape, src.strides)
	copyWalk(dst, &w, dst.data, src.data)
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

// run returns the memory of the global box b if that is one run in C order.
func (a *NDArray[T]) run(b split.Box) ([]T, bool) {
	n := 1
	shape := b.Shape()
	for k := len(shape) - 1; k >= 0; k-- {
		if shape[k] != 1 && a.strides[k] != n {
			return nil, false
		}
		n *= shape[k]
	}
	at := a.boxOffset(b)
	return a.data[at : at+n : at+n], true
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

// transferPiece returns the largest number of elements of a message of a move in
// rounds: there are two buffers, of which one is packed while the other travels, to
// and from every other rank.
func transferPiece[T Element](c *spmd.Comm) int {
	return max(1, int(scratchLimit.Load())/(4*itemSize[T]()*max(1, c.Size()-1)))
}

// transfer carries out plan in rounds of messages, each of a piece of what one rank
// has for another. Pieces that are a run of memory on a side are neither packed nor
// unpacked there.
func transfer[T Element](out, a *NDArray[T], plan split.Plan) {
	c, n := a.comm, transferPiece[T](a.comm)
	me := c.Rank()
	type lane struct {
		peer   int
		pieces []split.Box
		bufs   [2][]T
	}
	lanes := func(parts []split.Part) (list []*lane, rounds int) {
		for _, p := range parts {
			if p.Rank == me || p.Box.Size() == 0 {
				continue
			}
			l := &lane{peer: p.Rank, pieces: piecesOf(p.Box, n)}
			list, rounds = append(list, l), max(rounds, len(l.pieces))
		}
		return list, rounds
	}
	sends, sendRounds := lanes(plan.Send)
	recvs, recvRounds := lanes(plan.Recv)
	buffer := func(l *lane, round int) []T {
		b := &l.bufs[round&1]
		if *b == nil {
			*b = borrowScratch[T](l.pieces[0].Size()) // which is the largest
		}
		return (*b)[:l.pieces[round].Size()]
	}
	type arrival struct {
		request *spmd.Request
		box     split.Box
		buf     []T // nil if it arrived where it belongs
	}
	var pending [2][]arrival
	start := func(round int) {
		var list []arrival
		for _, l := range recvs {
			if round >= len(l.pieces) {
				continue
			}
			p := arrival{box: l.pieces[round]}
			to, ok := out.run(p.box)
			if !ok {
				p.buf = buffer(l, round)
				to = p.buf
			}
			p.request = spmd.Irecv(c, to, l.peer, transferTag)
			list = append(list, p)
		}
		for _, l := range sends {
			if round >= len(l.pieces) {
				continue
			}
			box := l.pieces[round]
			from, ok := a.run(box)
			if !ok {
				from = buffer(l, round)
				a.getBox(from, box)
			}
			list = append(list, arrival{request: spmd.Isend(c, from, l.peer, transferTag)})
		}
		pending[round&1] = list
	}
	finish := func(round int) {
		for _, p := range pending[round&1] {
			p.request.Wait()
			if p.buf != nil {
				out.setBox(p.box, p.buf)
			}
		}
	}
	start(0)
	for _, p := range plan.Recv { // what stays, while the first messages travel
		if p.Rank == me && p.Box.Size() > 0 {
			copyBox(out, a, p.Box)
		}
	}
	rounds := max(sendRounds, recvRounds)
	for round := 1; round < rounds; round++ {
		start(round)
		finish(round - 1)
	}
	finish(max(rounds-1, 0))
	for _, l := range append(sends, recvs...) {
		for _, b := range l.bufs {
			returnScratch(b)
		}
	}
}

// allGatherRounds is allGather where the buffer for what arrives would be larger
// than the limit: each round gathers a piece from every rank.
func allGatherRounds[T Element](out, a *NDArray[T]) {
	c := a.comm
	n := max(1, int(scratchLimit.Load())/(itemSize[T]()*(c.Size()+1)))
	list, rounds := make([][]split.Box, c.Size()), 0
	for r := range list {
		list[r] = piecesOf(a.layout.Local(r), n)
		rounds = max(rounds, len(list[r]))
	}
	send, recv := borrowScratch[T](n), borrowScratch[T](n*c.Size())
	counts := make([]int, c.Size())
	for round := range rounds {
		total := 0
		for r, p := range list {
			counts[r] = 0
			if round < len(p) {
				counts[r] = p[round].Size()
			}
			total += counts[r]
		}
		mine := send[:counts[c.Rank()]]
		if len(mine) > 0 {
			a.getBox(mine, list[c.Rank()][round])
		}
		spmd.Allgatherv(c, mine, recv[:total], counts)
		at := 0
		for r, p := range list {
			if counts[r] > 0 {
				out.setBox(p[round], recv[at:at+counts[r]])
				at += counts[r]
			}
		}
	}
	returnScratch(send)
	returnScratch(recv)
}

// scratchFits reports whether buffers of the given numbers of elements are within the limit.
func scratchFits[T Element](elements int) bool {
	return int64(elements)*int64(itemSize[T]()) <= scratchLimit.Load()
}
