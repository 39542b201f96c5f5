package nd

import (
	"fmt"
	"slices"

	"caloric/split"
	"caloric/spmd"
)

// flatRun says that count elements of a result, from position at of its C order
// on, are those from position start of the source's C order on.
type flatRun struct{ start, at, count int }

// flatMoved returns the array of split layout l whose elements in C order are
// those of a, which is split too, that runs name. It communicates by one
// exchange: the element at position f goes from its owner in a to its owner in
// the result. Each rank's elements come in C order, so runs of consecutive
// positions, cut where an owner changes in either layout, are copied as blocks.
func flatMoved[T Element](a *NDArray[T], l *split.Layout, runs []flatRun) *NDArray[T] {
	rank := a.comm.Rank()
	set := 0
	for _, u := range runs {
		set += u.count
	}
	memory := newArray[T]
	if set == l.Shape().Size() {
		memory = newRaw[T]
	}
	out := memory(a.comm, l)
	from, to := newFlatRange(a.layout, rank), newFlatRange(l, rank)
	// sends and receives call f with each block: the other rank, where the block
	// lies in this rank's memory, its length, and its first position in the other array.
	type block func(peer, pos, n, other int)
	sends := func(f block) {
		theirs := newFlatOwner(l)
		for _, u := range runs {
			from.each(u.start, u.start+u.count, func(i, pos, n int) {
				i += u.at - u.start
				theirs.each(i, n, func(peer, done, m int) { f(peer, pos+done, m, i+done) })
			})
		}
	}
	receives := func(f block) {
		theirs := newFlatOwner(a.layout)
		for _, u := range runs {
			to.each(u.at, u.at+u.count, func(i, pos, n int) {
				i += u.start - u.at
				theirs.each(i, n, func(peer, done, m int) { f(peer, pos+done, m, i+done) })
			})
		}
	}
	sendCounts, recvCounts := make([]int, a.comm.Size()), make([]int, a.comm.Size())
	sends(func(peer, _, n, _ int) { sendCounts[peer] += n })
	receives(func(peer, _, n, _ int) { recvCounts[peer] += n })
	c := a.comm
	// It pays to put elements in order at once, if there is room for them.
	if n := a.LocalSize(); !a.IsContiguous() && int64(n)*int64(itemSize[T]()) <= scratchLimit.Load()/2 {
		buf := borrowScratch[T](n)
		defer returnScratch(buf)
		copyLocal(buf, contiguousStrides(a.shape), a)
		a = wrap(c, a.layout, buf)
	}
	mine := patchOf(a)
	if direct(c) {
		mine := flatExhibit[T]{mine, a.layout, l, runs}
		all := make([]patch[T], 0, c.Size())
		spmd.AlltoallvDirect[T](c, a.LocalSize(), sendCounts, &mine, func(r int, theirs *flatExhibit[T]) error {
			if !theirs.from.Equal(a.layout) || !theirs.to.Equal(l) || !slices.Equal(theirs.runs, runs) {
				return fmt.Errorf("layouts do not fit: rank %d moves %v to %v, rank %d moves %v to %v", r, theirs.from, theirs.to, rank, a.layout, l)
			}
			all = append(all, theirs.src) // this rank's own first
			if len(all) == a.comm.Size() {
				receives(func(peer, pos, n, other int) {
					at := newFlatRange(a.layout, peer).local(other)
					all[(peer-rank+len(all))%len(all)].get(c, at, out.data[pos:pos+n])
				})
			}
			return nil
		})
		return out
	}
	send := flatStream(c, sendCounts, runs, rank, a.layout, l, true, &mine)
	place := patchOf(out)
	recv := flatStream(c, recvCounts, runs, rank, a.layout, l, false, &place)
	// Of a whole array, the blocks for the ranks follow each other in memory already
	// if the other layout gives each rank one range of positions.
	if len(runs) == 1 && runs[0].count == a.Size() && runs[0].count == l.Shape().Size() {
		if l.Outer() == 1 && a.IsContiguous() {
			send.all = a.local()
		}
		if a.layout.Outer() == 1 {
			recv.all = out.data
		}
	}
	exchangeStreams(c, send, recv, messageSize[T](c, flatFits[T](a.layout, l, runs), 2), func() {
		p := flatPairs{runs: runs, from: from, to: to}
		for n := p.next(); n > 0; n = p.next() {
			mine.get(c, p.src, out.data[p.dst:p.dst+n])
		}
	})
	return out
}

// flatFits reports, on every rank alike, whether every rank may have buffers for its
// part of the result and for all that it may have to send.
func flatFits[T Element](from, to *split.Layout, runs []flatRun) bool {
	for r := range from.Ranks() {
		n, own := to.LocalSize(r), newFlatRange(from, r)
		for _, u := range runs {
			n += own.before(u.start+u.count) - own.before(u.start)
		}
		if !scratchFits[T](2 * n) { // half of it is for elements that are put in order
			return false
		}
	}
	return true
}

// flatStream returns the stream of the blocks that runs move from rank to others,
// or to it from them; memory is its memory in C order.
func flatStream[T Element](c *spmd.Comm, counts []int, runs []flatRun, rank int, a, l *split.Layout, sends bool, memory *patch[T]) *stream[T] {
	cursors := func() func(r, from int) *flatCursor {
		list := make([]*flatCursor, len(counts))
		return func(r, from int) *flatCursor {
			if list[r] == nil || from < list[r].done {
				other, mine := newFlatRange(a, r), newFlatRange(l, rank)
				if sends {
					other, mine = newFlatRange(l, r), newFlatRange(a, rank)
					list[r] = &flatCursor{flatPairs: flatPairs{runs: runs, from: mine, to: other}}
				} else {
					list[r] = &flatCursor{flatPairs: flatPairs{runs: runs, from: other, to: mine}}
				}
			}
			list[r].seek(from)
			return list[r]
		}
	}
	// Rounds look ahead for what need not be copied.
	ahead, at := cursors(), cursors()
	place := func(x *flatCursor) int {
		if sends {
			return x.src + x.within
		}
		return x.dst + x.within
	}
	return &stream[T]{
		counts: counts,
		run: func(r, from, n int) []T {
			x := ahead(r, from)
			if x.n-x.within < n {
				return nil
			}
			return memory.run(place(x), place(x)+n)
		},
		move: func(r, from int, buf []T) {
			for len(buf) > 0 {
				x := at(r, from)
				n, lo := min(len(buf), x.n-x.within), place(x)
				if sends {
					memory.get(c, lo, buf[:n])
				} else {
					memory.set(c, lo, buf[:n])
				}
				buf, from = buf[n:], from+n
			}
		},
	}
}

// flatPairs goes through the blocks that one rank owns of an array's positions, and
// another one of a result's: next returns the length of the next one, 0 if there is
// none, and src and dst then say where it lies in their memories.
type flatPairs struct {
	runs     []flatRun
	from, to flatRange
	at       int // positions of the first run that have been passed
	src, dst int
}

func (p *flatPairs) next() int {
	for ; len(p.runs) > 0; p.runs, p.at = p.runs[1:], 0 {
		u := p.runs[0]
		for p.at < u.count {
			s, src, sends := p.from.find(u.start + p.at)
			d, dst, takes := p.to.find(u.at + p.at)
			ahead := max(s-u.start, d-u.at) - p.at // to the next position that either may have
			if sends == 0 || takes == 0 || ahead >= u.count-p.at {
				break
			}
			if ahead > 0 {
				p.at += ahead
				continue
			}
			n := min(sends, takes, u.count-p.at)
			p.src, p.dst = src, dst
			p.at += n
			return n
		}
	}
	return 0
}

// flatCursor is a place in the sequence of the elements of flatPairs.
type flatCursor struct {
	flatPairs
	done, n, within int // the elements before the present block, its length, and the place in it
}

// seek moves to element from, which is not before the present block.
func (x *flatCursor) seek(from int) {
	for from >= x.done+x.n {
		x.done += x.n
		x.n = x.next()
	}
	x.within = from - x.done
}

// flatExhibit is what a rank shows to ranks that copy from it: its elements in C
// order, and what it is moving.
type flatExhibit[T Element] struct {
	src      patch[T]
	from, to *split.Layout
	runs     []flatRun
}

// flatRange is what one rank owns of an array of a layout, in C order: a block
// of positions in each of the array's periods.
type flatRange struct{ lo, hi, period, outer int }

func newFlatRange(l *split.Layout, rank int) flatRange {
	if l.Replicated() {
		return flatRange{0, l.Shape().Size(), l.Shape().Size(), 1}
	}
	lo, hi := l.Range(rank)
	inner := l.Inner()
	return flatRange{lo * inner, hi * inner, l.Shape()[l.Axis()] * inner, l.Outer()}
}

// find returns the first position from i on that the rank owns, where it lies in
// the rank's memory, and how many follow it in its block, with it; 0 if there is none.
func (b flatRange) find(i int) (at, pos, n int) {
	if b.lo == b.hi {
		return i, 0, 0
	}
	o := i / b.period
	base := o * b.period
	switch {
	case i >= base+b.hi:
		o, base = o+1, base+b.period
		i = base + b.lo
	case i < base+b.lo:
		i = base + b.lo
	}
	if o >= b.outer {
		return i, 0, 0
	}
	return i, o*(b.hi-b.lo) + i - base - b.lo, base + b.hi - i
}

// before returns how many positions before i the rank owns.
func (b flatRange) before(i int) int {
	if b.period == 0 {
		return 0
	}
	return i/b.period*(b.hi-b.lo) + min(max(i%b.period-b.lo, 0), b.hi-b.lo)
}

// each calls f with each block of the rank's positions from lo to hi: the first
// position, where it lies in the rank's memory, and the length.
func (b flatRange) each(lo, hi int, f func(i, pos, n int)) {
	if b.lo == b.hi || lo >= hi {
		return
	}
	for o := lo / b.period; o < b.outer && o*b.period < hi; o++ {
		first, last := max(lo, o*b.period+b.lo), min(hi, o*b.period+b.hi)
		if first < last {
			f(first, first-o*b.period-b.lo+o*(b.hi-b.lo), last-first)
		}
	}
}

// local returns where position i, which the rank owns, lies in its memory.
func (b flatRange) local(i int) int { return i/b.period*(b.hi-b.lo) + i%b.period - b.lo }

// flatOwner finds the owners of positions in C order.
type flatOwner struct {
	l             *split.Layout
	inner, period int
	owner         int
	lo, hi        int // positions around the last one asked for that have that owner
}

func newFlatOwner(l *split.Layout) *flatOwner {
	inner := l.Inner()
	return &flatOwner{l: l, inner: inner, period: max(1, l.Shape()[l.Axis()]*inner)}
}

// each calls f with the parts of the n positions from i on that have one owner:
// the owner, how many came before, and the length.
func (o *flatOwner) each(i, n int, f func(owner, done, n int)) {
	for done := 0; done < n; {
		at := i + done
		if at < o.lo || at >= o.hi {
			base := at / o.period * o.period
			o.owner = o.l.Owner((at - base) / o.inner)
			lo, hi := o.l.Range(o.owner)
			o.lo, o.hi = base+lo*o.inner, base+hi*o.inner
		}
		m := min(n-done, o.hi-at)
		f(o.owner, done, m)
		done += m
	}
}
