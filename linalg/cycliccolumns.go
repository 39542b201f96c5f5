package linalg

import (
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// crew is who works on one factorization: all ranks of a communicator, or each
// rank for itself, on a matrix that all of them have or on a part of its own.
type crew struct {
	comm       *spmd.Comm
	size, rank int
}

// crewOf returns all ranks if a is split, else each rank for itself.
func crewOf[T nd.Element](a *nd.NDArray[T]) crew {
	c := a.Comm()
	if a.Layout().Replicated() {
		return soloCrew(c)
	}
	return crew{c, c.Size(), c.Rank()}
}

func soloCrew(c *spmd.Comm) crew { return crew{comm: c, size: 1} }

// cyclicColumns is a matrix whose columns are dealt out to the ranks of a crew
// in blocks, in turns, so that the columns that an algorithm has yet to work on
// stay evenly spread.
type cyclicColumns[T nd.Inexact] struct {
	crew
	rows, cols int
	block      int
	// own has this rank's columns, in order, as its rows. Those of at least a
	// given number are the last ones of every rank.
	own mat[T]
}

func newCyclicColumns[T nd.Inexact](g crew, rows, cols, block int) *cyclicColumns[T] {
	m := &cyclicColumns[T]{crew: g, rows: rows, cols: cols, block: block}
	n := m.before(cols, g.rank)
	m.own = dense(make([]T, n*rows), n, rows)
	return m
}

// blockOf returns the number of columns in a block for n columns: enough to make
// the products of a block worth while, few enough to give every rank some.
func (g crew) blockOf(n int) int {
	if g.size == 1 {
		return 32
	}
	return min(max((n+4*g.size-1)/(4*g.size), 8), 32)
}

// reflectedBlock is blockOf for a factorization whose panels are products throughout:
// of a large matrix they may be wider.
func (g crew) reflectedBlock(n int) int {
	if n < 1024 {
		return g.blockOf(n)
	}
	return min(max((n+4*g.size-1)/(4*g.size), 8), 64)
}

// owner returns the rank that has column j.
func (m *cyclicColumns[T]) owner(j int) int { return j / m.block % m.size }

// before returns how many columns of a rank come before column j.
func (m *cyclicColumns[T]) before(j, rank int) int {
	turn := m.block * m.size
	return j/turn*m.block + min(max(j%turn-rank*m.block, 0), m.block)
}

// global returns the number of this rank's column l.
func (m *cyclicColumns[T]) global(l int) int {
	return (l/m.block*m.size+m.rank)*m.block + l%m.block
}

// column returns column l of this rank.
func (m *cyclicColumns[T]) column(l int) []T { return m.own.data[m.own.off+l*m.own.rs:][:m.rows] }

// from returns this rank's columns of at least j, as rows.
func (m *cyclicColumns[T]) from(j int) mat[T] {
	return m.own.rowRange(m.before(j, m.rank), m.own.rows)
}

// dealt returns a, a matrix, in columns that are dealt out. It takes one
// alltoallv, nothing if each rank works for itself.
func dealt[T nd.Inexact](a *nd.NDArray[T], g crew, block int) *cyclicColumns[T] {
	s := a.Layout().Shape()
	m := newCyclicColumns[T](g, s[0], s[1], block)
	here := right(a)
	if g.size == 1 {
		copyMat(m.own, here.t())
		return m
	}
	l := a.Layout()
	if l.Replicated() {
		m.runs(m.rank, 0, m.cols, func(lo, hi, at int) {
			copyMat(m.own.rowRange(at, at+hi-lo), here.colRange(lo, hi).t())
		})
		return m
	}
	r0, r1, c0, c1 := boxOf(l, g.rank)
	sends, recvs := make([]int, g.size), make([]int, g.size)
	for r := range g.size {
		sends[r] = m.overlap(r, l, g.rank)
		recvs[r] = m.overlap(g.rank, l, r)
	}
	send, recv := make([]T, (r1-r0)*(c1-c0)), make([]T, m.own.rows*m.rows)
	pos := 0
	for r := range g.size {
		m.runs(r, c0, c1, func(lo, hi, _ int) {
			n := (hi - lo) * (r1 - r0)
			copyMat(dense(send[pos:pos+n], hi-lo, r1-r0), here.colRange(lo-c0, hi-c0).t())
			pos += n
		})
	}
	spmd.Alltoallv(g.comm, send, sends, recv, recvs)
	pos = 0
	for r := range g.size {
		r0, r1, c0, c1 := boxOf(l, r)
		lo, hi := m.before(c0, m.rank), m.before(c1, m.rank)
		copyMat(m.own.rowRange(lo, hi).colRange(r0, r1), dense(recv[pos:], hi-lo, r1-r0))
		pos += (hi - lo) * (r1 - r0)
	}
	return m
}

// collected returns m in the given layout. It takes one alltoallv, to a
// replicated layout one allgatherv, nothing if each rank works for itself.
func (m *cyclicColumns[T]) collected(l *split.Layout) *nd.NDArray[T] {
	out := make([]T, l.LocalSize(m.comm.Rank()))
	a := nd.Wrap(m.comm, l, out)
	here := right(a)
	if m.size == 1 {
		copyMat(here.t(), m.own)
		return a
	}
	sends, recvs := make([]int, m.size), make([]int, m.size)
	for r := range m.size {
		sends[r] = m.overlap(m.rank, l, r)
		recvs[r] = m.overlap(r, l, m.rank)
	}
	recv := make([]T, len(out))
	if l.Replicated() {
		spmd.Allgatherv(m.comm, m.own.elements(), recv, recvs)
	} else {
		send := make([]T, m.own.rows*m.rows)
		pos := 0
		for r := range m.size {
			r0, r1, c0, c1 := boxOf(l, r)
			lo, hi := m.before(c0, m.rank), m.before(c1, m.rank)
			copyMat(dense(send[pos:], hi-lo, r1-r0), m.own.rowRange(lo, hi).colRange(r0, r1))
			pos += (hi - lo) * (r1 - r0)
		}
		spmd.Alltoallv(m.comm, send, sends, recv, recvs)
	}
	r0, r1, c0, c1 := boxOf(l, m.rank)
	pos := 0
	for r := range m.size {
		m.runs(r, c0, c1, func(lo, hi, _ int) {
			n := (hi - lo) * (r1 - r0)
			copyMat(here.colRange(lo-c0, hi-c0).t(), dense(recv[pos:pos+n], hi-lo, r1-r0))
			pos += n
		})
	}
	return a
}

// runs calls f with each range of consecutive columns from c0 to c1 that a rank
// has, and with the place of the first among the rank's columns.
func (m *cyclicColumns[T]) runs(rank, c0, c1 int, f func(lo, hi, at int)) {
	for j := (c0/(m.block*m.size)*m.size + rank) * m.block; j < c1; j += m.block * m.size {
		if lo, hi := max(j, c0), min(j+m.block, c1); lo < hi {
			f(lo, hi, m.before(lo, rank))
		}
	}
}

// overlap returns how many elements of a rank's columns another one has in layout l.
func (m *cyclicColumns[T]) overlap(rank int, l *split.Layout, other int) int {
	r0, r1, c0, c1 := boxOf(l, other)
	return (m.before(c1, rank) - m.before(c0, rank)) * (r1 - r0)
}

// boxOf returns the rows r0 ≤ i < r1 and columns c0 ≤ j < c1 that a rank has of
// a matrix of layout l.
func boxOf(l *split.Layout, rank int) (r0, r1, c0, c1 int) {
	r1, c1 = l.Shape()[0], l.Shape()[1]
	switch l.Axis() {
	case 0:
		r0, r1 = l.Range(rank)
	case 1:
		c0, c1 = l.Range(rank)
	}
	return r0, r1, c0, c1
}
