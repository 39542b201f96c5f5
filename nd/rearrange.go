package nd

import (
	"fmt"
	"slices"

	"caloric/internal/misuse"
	"caloric/split"
	"caloric/spmd"
)

// A run says where count consecutive indices of a result, along one axis, come
// from: index i of them is index start+i·step of the source array from. A step
// of 0 repeats one index. Rolling, flipping, padding, tiling, joining and the
// like are each a list of runs, and one exchange serves them all.
type run struct {
	from, start, step, count int
	at                       int // of the first of them in the result
}

// nowhere is the source of a run that leaves the result as it is.
const nowhere = -1

// runList is the runs of a result in the order of its indices.
type runList []run

// add appends a run, or extends the last one if it goes on where that ends.
func (rs *runList) add(from, start, step, count int) {
	if count <= 0 {
		return
	}
	if n := len(*rs); n > 0 {
		last := &(*rs)[n-1]
		if last.from == from && last.step == step && last.source(last.count) == start {
			last.count += count
			return
		}
	}
	*rs = append(*rs, run{from, start, step, count, rs.count()})
}

// count returns the number of indices of the result.
func (rs runList) count() int {
	if len(rs) == 0 {
		return 0
	}
	last := rs[len(rs)-1]
	return last.at + last.count
}

// cover reports whether the runs set each of n indices.
func (rs runList) cover(n int) bool {
	for _, u := range rs {
		if u.from == nowhere {
			return false
		}
	}
	return rs.count() == n
}

// sourceWithin returns the range of the run's indices whose source is in lo ≤ i < hi.
func (u run) sourceWithin(lo, hi int) (from, to int) {
	switch {
	case u.step == 0 && (u.start < lo || u.start >= hi):
		return 0, 0
	case u.step == 0:
		return 0, u.count
	case u.step < 0: // the same range read backwards from its last index
		u.start, u.step = u.start+(u.count-1)*u.step, -u.step
		from, to = u.sourceWithin(lo, hi)
		return u.count - to, u.count - from
	}
	from = min(u.count, max(0, ceilDiv(lo-u.start, u.step)))
	return from, max(from, min(u.count, ceilDiv(hi-u.start, u.step)))
}

// ceilDiv returns a/b rounded up, at least 0, for b > 0.
func ceilDiv(a, b int) int {
	if a <= 0 {
		return 0
	}
	return (a-1)/b + 1
}

// source returns the source index of the run's index i.
func (u run) source(i int) int { return u.start + i*u.step }

// rearranged returns the array of layout l that runs describe along axis.
func rearranged[T Element](l *split.Layout, axis int, runs runList, srcs ...*NDArray[T]) *NDArray[T] {
	memory := newArray[T]
	if runs.cover(l.Shape()[axis]) {
		memory = newRaw[T]
	}
	out := memory(srcs[0].comm, l)
	rearrange(out, axis, runs, srcs...)
	return out
}

// rearrange sets out to what runs describe along axis; along the other axes out
// and the sources are alike. Sources may have any layout. Elements whose owner
// changes travel in one exchange, once, straight to their owner in out; there is
// none if no element of the whole array has to move. A replicated source is read
// where it is needed. If out is replicated, split sources are replicated first.
func rearrange[T Element](out *NDArray[T], axis int, runs runList, srcs ...*NDArray[T]) {
	x := exchanger[T]{out: out, axis: axis, runs: runs, rank: out.comm.Rank()}
	for _, s := range srcs {
		sameComm(out.comm, s.comm)
		if out.layout.Replicated() {
			s = moved(s, split.Block(s.layout.Shape(), split.None, s.comm.Size()))
		}
		if out.footprint().touches(s.footprint()) {
			s = Copy(s) // an index may be read after its place has been written, by this rank or another
		}
		x.srcs = append(x.srcs, s)
	}
	if x.stays() {
		x.receives(x.keep)
		return
	}
	x.exchange()
}

// exchanger carries out one rearrangement on one rank.
type exchanger[T Element] struct {
	out  *NDArray[T]
	axis int
	runs runList
	srcs []*NDArray[T]
	rank int
	from []*exchanger[T] // the ranks' own, where they share memory, from this rank's on
}

// agrees reports whether x and y, of two ranks, do the same.
func (x *exchanger[T]) agrees(y *exchanger[T]) bool {
	same := func(a, b *NDArray[T]) bool { return a.layout.Equal(b.layout) }
	return same(x.out, y.out) && x.axis == y.axis && slices.Equal(x.runs, y.runs) && slices.EqualFunc(x.srcs, y.srcs, same)
}

// piece is the part of a run that travels from one rank to another: indices
// from ≤ i < to of the run, and along the other axes what both ranks hold.
type piece struct {
	peer, run, from, to int
}

// splitAxis returns the axis along which a is divided among ranks that have to
// exchange what others want of it, -1 if there is none.
func (x *exchanger[T]) splitAxis(a *NDArray[T]) int {
	if a.comm.Size() == 1 {
		return -1
	}
	return int(a.layout.Axis())
}

// stays reports whether no rank needs an element that it does not hold.
func (x *exchanger[T]) stays() bool {
	to := x.out.layout
	for _, s := range x.srcs {
		if k := x.splitAxis(s); k >= 0 && (Axis(k) != to.Axis() || k != x.axis && !sameRanges(s.layout, to)) {
			return false
		}
	}
	if to.Axis() != Axis(x.axis) {
		return true
	}
	for _, u := range x.runs {
		if u.from == nowhere || x.splitAxis(x.srcs[u.from]) < 0 {
			continue
		}
		from := x.srcs[u.from].layout
		for i := 0; i < u.count; {
			r := to.Owner(u.at + i)
			_, hi := to.Range(r)
			end := min(u.count, hi-u.at)
			lo, hi := from.Range(r)
			if a, b := u.sourceWithin(lo, hi); a > i || b < end {
				return false
			}
			i = end
		}
	}
	return true
}

func sameRanges(l, m *split.Layout) bool {
	for r := range l.Ranks() {
		llo, lhi := l.Range(r)
		if mlo, mhi := m.Range(r); llo != mlo || lhi != mhi {
			return false
		}
	}
	return true
}

// receives calls f with every piece that this rank has to get, from itself and
// from others, in the order of the runs.
func (x *exchanger[T]) receives(f func(p piece)) {
	for k, u := range x.runs {
		if u.from == nowhere {
			continue
		}
		from, to := 0, u.count
		if x.out.layout.Axis() == Axis(x.axis) {
			lo, hi := x.out.layout.Range(x.rank)
			from, to = max(0, lo-u.at), min(u.count, hi-u.at)
		}
		if from >= to {
			continue
		}
		l := x.srcs[u.from].layout
		switch sa := x.splitAxis(x.srcs[u.from]); {
		case sa < 0:
			f(piece{x.rank, k, from, to})
		case sa != x.axis:
			for r := range l.Ranks() {
				f(piece{r, k, from, to})
			}
		default:
			for i := from; i < to; {
				r := l.Owner(u.source(i))
				_, end := u.sourceWithin(l.Range(r))
				end = min(end, to)
				f(piece{r, k, i, end})
				i = end
			}
		}
	}
}

// sends calls f with every piece that this rank has to give to others, in the
// order of the runs.
func (x *exchanger[T]) sends(f func(p piece)) {
	to := x.out.layout
	for k, u := range x.runs {
		if u.from == nowhere {
			continue
		}
		sa := x.splitAxis(x.srcs[u.from])
		if sa < 0 {
			continue // every rank has it
		}
		from, end := 0, u.count
		if sa == x.axis {
			from, end = u.sourceWithin(x.srcs[u.from].layout.Range(x.rank))
		}
		if from >= end {
			continue
		}
		if to.Axis() != Axis(x.axis) {
			for r := range to.Ranks() {
				if r != x.rank {
					f(piece{r, k, from, end})
				}
			}
			continue
		}
		for i := from; i < end; {
			r := to.Owner(u.at + i)
			_, hi := to.Range(r)
			next := min(end, hi-u.at)
			if r != x.rank {
				f(piece{r, k, i, next})
			}
			i = next
		}
	}
}

// views returns the parts of the source's and the result's local memory that
// are piece p when it goes from rank s to rank r. Only the part that this rank
// holds may be read. A repeated index is a piece of one index: see repeated.
func (x *exchanger[T]) views(p piece, s, r int) (src, dst *NDArray[T]) {
	u := x.runs[p.run]
	a := x.srcs[u.from]
	if x.from != nil {
		a = x.from[(s-x.rank+len(x.from))%len(x.from)].srcs[u.from]
	}
	sbox, dbox := a.layout.Local(s), x.out.layout.Local(r)
	if x.splitAxis(a) < 0 {
		sbox = split.Whole(a.layout.Shape())
	}
	// Along axis the two are indexed differently: take the others' common part.
	sbox.Lo[x.axis], sbox.Hi[x.axis] = dbox.Lo[x.axis], dbox.Hi[x.axis]
	box := sbox.Intersect(dbox)
	n := p.to - p.from
	src = &NDArray[T]{comm: a.comm, layout: a.layout, data: a.data, offset: a.offset,
		shape: box.Shape(), strides: append([]int(nil), a.strides...)}
	dst = &NDArray[T]{comm: a.comm, layout: x.out.layout, data: x.out.data, offset: x.out.offset,
		shape: src.shape, strides: x.out.strides}
	src.shape[x.axis] = n
	for k, lo := range box.Lo {
		i, j := lo, lo
		if k == x.axis {
			i, j = u.source(p.from), u.at+p.from
		}
		if Axis(k) == a.layout.Axis() {
			l, _ := a.layout.Range(s)
			i -= l
		}
		if Axis(k) == x.out.layout.Axis() {
			l, _ := x.out.layout.Range(r)
			j -= l
		}
		src.offset += i * src.strides[k]
		dst.offset += j * dst.strides[k]
	}
	src.strides[x.axis] *= u.step
	return src, dst
}

// keep copies a piece that this rank has and keeps.
func (x *exchanger[T]) keep(p piece) {
	if p.peer != x.rank {
		return
	}
	src, dst := x.views(p, x.rank, x.rank)
	if Shape(src.shape).Size() > 0 {
		copyView(dst, src)
	}
}

// copyView copies src's local part to dst's, which has the same shape.
func copyView[T Element](dst, src *NDArray[T]) {
	w := newWalk(dst.shape)
	w.add(dst.offset, dst.shape, dst.strides)
	w.add(src.offset, src.shape, src.strides)
	copyWalk(dst.comm, &w, dst.data, src.data)
}

// once returns how many elements of piece p, of which v is a view, travel: a
// repeated index travels once.
func (x *exchanger[T]) once(p piece, v *NDArray[T]) int {
	if n := v.shape[x.axis]; n > 0 && x.runs[p.run].step == 0 {
		return v.LocalSize() / n
	}
	return v.LocalSize()
}

// patch returns v, a view of piece p, as it is sent, or as it arrives. Of an index
// that is repeated one is sent, and written as often as it is repeated.
func (x *exchanger[T]) patch(p piece, v *NDArray[T], arrives bool) patch[T] {
	b := patchOf(v)
	if x.runs[p.run].step == 0 {
		b.joined = nil
		if arrives {
			b.times, b.step = b.shape[x.axis], b.strides[x.axis]
		}
		b.shape = slices.Delete(slices.Clone(b.shape), x.axis, x.axis+1)
		b.strides = slices.Delete(slices.Clone(b.strides), x.axis, x.axis+1)
	}
	return b
}

// patches returns the patches of the pieces that pieces calls its argument with, of
// which view returns this rank's part, which are sent or arrive.
func (x *exchanger[T]) patches(arrive bool, pieces func(func(p piece)), view func(p piece) *NDArray[T]) *patchLists[T] {
	lists := make([][]piece, x.out.comm.Size())
	list := newPatchLists(len(lists), func(r, i int) patch[T] {
		return x.patch(lists[r][i], view(lists[r][i]), arrive)
	})
	pieces(func(p piece) {
		if p.peer == x.rank {
			return
		}
		if n := x.once(p, view(p)); n > 0 {
			lists[p.peer] = append(lists[p.peer], p)
			list.add(p.peer, n)
		}
	})
	return list
}

// exchange sends and receives the pieces of other ranks, and copies this rank's own.
func (x *exchanger[T]) exchange() {
	c := x.out.comm
	send := x.patches(false, x.sends, func(p piece) *NDArray[T] {
		src, _ := x.views(p, x.rank, p.peer)
		return src
	}).outgoing(c)
	if direct(c) {
		x.exchangeDirect(send.counts)
		return
	}
	recv := x.patches(true, x.receives, func(p piece) *NDArray[T] {
		_, dst := x.views(p, p.peer, x.rank)
		return dst
	}).incoming(c)
	exchangeStreams(c, send, recv, messageSize[T](c, x.fits(), 1), func() { x.receives(x.keep) })
}

// fits reports, on every rank alike, whether every rank may have buffers for its
// part of the result and for all that it may have to send.
func (x *exchanger[T]) fits() bool {
	size := x.out.comm.Size()
	for r := range size {
		n := x.out.layout.LocalSize(r)
		for _, u := range x.runs {
			if u.from == nowhere || x.splitAxis(x.srcs[u.from]) < 0 {
				continue
			}
			l := x.srcs[u.from].layout
			row, count := l.LocalShape(r), u.count
			if l.Axis() == Axis(x.axis) {
				from, to := u.sourceWithin(l.Range(r))
				count = to - from
			}
			if u.step == 0 {
				count = min(count, size-1) // once to each other rank
			}
			row[x.axis] = 1
			n += count * row.Size()
		}
		if !scratchFits[T](n) {
			return false
		}
	}
	return true
}

// exchangeDirect is exchange for ranks that share memory: each copies what it is to
// hold straight from the others' arrays.
func (x *exchanger[T]) exchangeDirect(sendCounts []int) {
	c := x.out.comm
	mine, from := *x, make([]*exchanger[T], 0, c.Size()) // mine is not written while others read it
	spmd.AlltoallvDirect[T](c, x.out.LocalSize(), sendCounts, &mine, func(r int, theirs *exchanger[T]) error {
		if !x.agrees(theirs) {
			return fmt.Errorf("layouts do not fit: ranks %d and %d rearrange different arrays", x.rank, r)
		}
		if from = append(from, theirs); len(from) < c.Size() {
			return nil
		}
		x.from = from
		x.receives(func(p piece) {
			src, dst := x.views(p, p.peer, x.rank)
			if dst.LocalSize() > 0 {
				copyView(dst, src)
			}
		})
		return nil
	})
}

// starts returns where the blocks of the given sizes start, and their total size.
func starts(counts []int) (at []int, total int) {
	at = make([]int, len(counts))
	for r, n := range counts {
		at[r] = total
		total += n
	}
	return at, total
}

// axisOf returns axis of a as a number from 0 on.
func axisOf[T Element](a *NDArray[T], axis int) int {
	k, err := split.NormalizeAxis(axis, a.NDim())
	misuse.Check(err)
	return k
}
