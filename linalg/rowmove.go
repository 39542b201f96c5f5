package linalg

import (
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// A right-hand side is worked on with its rows dealt out as the columns of the
// matrix are: it is a cyclicColumns of its transpose. Its rows may change their
// order on the way: dealt row i is row order[i] of the array.

// rowMove is what this rank exchanges when the rows of an array are dealt out or
// put back.
type rowMove[T nd.Inexact] struct {
	x     *cyclicColumns[T]
	l     *split.Layout
	order []int // nil if it stays
	array []int // elements that this rank has in the array and each rank has dealt
	dealt []int // elements that each rank has in the array and this rank has dealt
}

func newRowMove[T nd.Inexact](x *cyclicColumns[T], l *split.Layout, order []int) *rowMove[T] {
	m := &rowMove[T]{x: x, l: l, order: order, array: make([]int, x.size), dealt: make([]int, x.size)}
	for i := range x.cols {
		o := x.owner(i)
		first, last := m.holders(i)
		for r := first; r < last; r++ {
			lo, hi := m.columns(r)
			if r == x.rank {
				m.array[o] += hi - lo
			}
			if o == x.rank {
				m.dealt[r] += hi - lo
			}
		}
	}
	return m
}

// row returns which row of the array dealt row i is.
func (m *rowMove[T]) row(i int) int {
	if m.order == nil {
		return i
	}
	return m.order[i]
}

// holders returns the ranks first ≤ r < last that have parts of dealt row i in
// the array.
func (m *rowMove[T]) holders(i int) (first, last int) {
	if m.l.Axis() == 0 {
		r := m.l.Owner(m.row(i))
		return r, r + 1
	}
	return 0, m.x.size
}

// columns returns which columns of its rows a rank has in the array.
func (m *rowMove[T]) columns(rank int) (lo, hi int) {
	if m.l.Axis() == 1 {
		return m.l.Range(rank)
	}
	return 0, m.x.rows
}

// part returns this rank's part of row i of the array, whose elements here are v.
func (m *rowMove[T]) part(v mat[T], i int) mat[T] {
	r := m.row(i)
	if m.l.Axis() == 0 {
		lo, _ := m.l.Range(m.x.rank)
		r -= lo
	}
	return v.rowRange(r, r+1)
}

// fromArray calls f with this rank's part of each dealt row in the array and where
// it lies in a buffer ordered by the ranks that have it dealt.
func (m *rowMove[T]) fromArray(v mat[T], buf []T, f func(part, buffered mat[T])) {
	at := starts(m.array)
	for i := range m.x.cols {
		if first, last := m.holders(i); first <= m.x.rank && m.x.rank < last {
			o := m.x.owner(i)
			f(m.part(v, i), dense(buf[at[o]:], 1, v.cols))
			at[o] += v.cols
		}
	}
}

// fromDealt calls f with the parts of each row dealt to this rank and where they
// lie in a buffer ordered by the ranks that have them in the array.
func (m *rowMove[T]) fromDealt(buf []T, f func(part, buffered mat[T])) {
	at := starts(m.dealt)
	for q := range m.x.own.rows {
		row := m.x.own.rowRange(q, q+1)
		first, last := m.holders(m.x.global(q))
		for r := first; r < last; r++ {
			lo, hi := m.columns(r)
			f(row.colRange(lo, hi), dense(buf[at[r]:], 1, hi-lo))
			at[r] += hi - lo
		}
	}
}

// starts returns where each rank's elements begin in a buffer.
func starts(counts []int) []int {
	at := make([]int, len(counts))
	for r := 1; r < len(at); r++ {
		at[r] = at[r-1] + counts[r-1]
	}
	return at
}

func total(counts []int) (n int) {
	for _, k := range counts {
		n += k
	}
	return n
}

// dealtRows returns the rows of b, a vector or a matrix, dealt out in blocks, in
// the given order. It takes one alltoallv if b is split. Where each rank works
// for itself, b has whole columns here and nothing is sent.
func dealtRows[T nd.Inexact](b *nd.NDArray[T], order []int, g crew, block int) *cyclicColumns[T] {
	v, l := right(b), b.Layout()
	n := l.Shape()[0]
	if g.size == 1 || l.Replicated() {
		x := newCyclicColumns[T](g, v.cols, n, block)
		m := rowMove[T]{x: x, order: order}
		for q := range x.own.rows {
			r := m.row(x.global(q))
			copyMat(x.own.rowRange(q, q+1), v.rowRange(r, r+1))
		}
		return x
	}
	width := 1
	if b.NDim() == 2 {
		width = l.Shape()[1]
	}
	x := newCyclicColumns[T](g, width, n, block)
	m := newRowMove(x, l, order)
	send, recv := make([]T, total(m.array)), make([]T, total(m.dealt))
	m.fromArray(v, send, func(part, buffered mat[T]) { copyMat(buffered, part) })
	spmd.Alltoallv(g.comm, send, m.array, recv, m.dealt)
	m.fromDealt(recv, func(part, buffered mat[T]) { copyMat(part, buffered) })
	return x
}

// collectedRows puts rows that were dealt out back into an array of layout l. It
// takes one alltoallv, one allgatherv if l is replicated.
func collectedRows[T nd.Inexact](x *cyclicColumns[T], l *split.Layout, order []int) *nd.NDArray[T] {
	out := nd.Wrap(x.comm, l, make([]T, l.LocalSize(x.comm.Rank())))
	v := right(out)
	if x.size == 1 || l.Replicated() {
		all, counts := x.own.elements(), make([]int, x.size)
		for r := range counts {
			counts[r] = x.before(x.cols, r) * x.rows
		}
		if x.size > 1 {
			all = make([]T, x.cols*x.rows)
			spmd.Allgatherv(x.comm, x.own.elements(), all, counts)
		}
		m, at := rowMove[T]{x: x, order: order}, starts(counts)
		for i := range x.cols {
			o, r := x.owner(i), m.row(i)
			copyMat(v.rowRange(r, r+1), dense(all[at[o]+x.before(i, o)*x.rows:], 1, x.rows))
		}
		return out
	}
	m := newRowMove(x, l, order)
	send, recv := make([]T, total(m.dealt)), make([]T, total(m.array))
	m.fromDealt(send, func(part, buffered mat[T]) { copyMat(buffered, part) })
	spmd.Alltoallv(x.comm, send, m.dealt, recv, m.array)
	m.fromArray(v, recv, func(part, buffered mat[T]) { copyMat(part, buffered) })
	return out
}
