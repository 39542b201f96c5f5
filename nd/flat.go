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
// alltoallv: the element at position f goes from its owner in a to its owner in
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
	// Of a whole array, the blocks for the ranks follow each other in memory
	// already if the other layout gives each rank one range of positions.
	whole := len(runs) == 1 && runs[0].count == a.Size() && runs[0].count == l.Shape().Size()
	src := a.local()
	if direct(a.comm) {
		mine := flatExhibit[T]{src, a.layout, l, runs}
		all := make([][]T, 0, a.comm.Size())
		spmd.AlltoallvDirect[T](a.comm, len(src), sendCounts, &mine, func(r int, theirs *flatExhibit[T]) error {
			if !theirs.from.Equal(a.layout) || !theirs.to.Equal(l) || !slices.Equal(theirs.runs, runs) {
				return fmt.Errorf("layouts do not fit: rank %d moves %v to %v, rank %d moves %v to %v", r, theirs.from, theirs.to, rank, a.layout, l)
			}
			all = append(all, theirs.src) // this rank's own first
			if len(all) == a.comm.Size() {
				receives(func(peer, pos, n, other int) {
					at := newFlatRange(a.layout, peer).local(other)
					copy(out.data[pos:pos+n], all[(peer-rank+len(all))%len(all)][at:])
				})
			}
			return nil
		})
		return out
	}
	send, recv := src, out.data
	pack, unpack := !whole || l.Outer() != 1, !whole || a.layout.Outer() != 1
	if pack && unpack { // what stays need not pass through the buffers
		sendCounts[rank], recvCounts[rank] = 0, 0
	}
	if pack {
		at, total := starts(sendCounts)
		send = borrowScratch[T](total)
		sends(func(peer, pos, n, _ int) {
			if unpack && peer == rank {
				return
			}
			copy(send[at[peer]:at[peer]+n], src[pos:])
			at[peer] += n
		})
	}
	at, total := starts(recvCounts)
	if unpack {
		recv = borrowScratch[T](total)
	}
	spmd.Alltoallv(a.comm, send, sendCounts, recv, recvCounts)
	if pack {
		returnScratch(send)
	}
	if !unpack {
		return out
	}
	receives(func(peer, pos, n, other int) {
		if pack && peer == rank {
			copy(out.data[pos:pos+n], src[from.local(other):])
			return
		}
		copy(out.data[pos:pos+n], recv[at[peer]:])
		at[peer] += n
	})
	returnScratch(recv)
	return out
}

// flatExhibit is what a rank shows to ranks that copy from it: its elements in C
// order, and what it is moving.
type flatExhibit[T Element] struct {
	src      []T
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
