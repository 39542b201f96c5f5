package linalg

import (
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// A right-hand side is worked on with its rows dealt out as the columns of the
// matrix are: it is a cyclicColumns of its transpose. Its rows may change their
// order on the way: dealt row i is row order[i] of the array.

// rowMove is what this rank exchanges when the rows of arrays of one layout are
// dealt out or put back, and the memory for it.
type rowMove[T nd.Inexact] struct {
	x     *cyclicColumns[T]
	l     *split.Layout
	order []int // nil if it stays
	array []int // elements that this rank has in the array and each rank has dealt
	dealt []int // elements that each rank has in the array and this rank has dealt
	at    []int

	arrayBuffer, dealtBuffer []T
}

// newRowMove prepares the move between arrays of layout l and x. Nothing is sent
// where each rank works for itself on whole columns.
func newRowMove[T nd.Inexact](x *cyclicColumns[T], l *split.Layout, order []int) *rowMove[T] {
	m := &rowMove[T]{x: x, l: l, order: order, array: make([]int, x.size), dealt: make([]int, x.size), at: make([]int, x.size)}
	switch {
	case x.size == 1:
	case l.Replicated():
		for r := range m.dealt {
			m.dealt[r] = x.before(x.cols, r) * x.rows
		}
	default:
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

// fromArray copies this rank's part of each dealt row in the array to a buffer
// ordered by the ranks that have it dealt, or back.
func (m *rowMove[T]) fromArray(v mat[T], buf []T, back bool) {
	starts(m.at, m.array)
	for i := range m.x.cols {
		if first, last := m.holders(i); first <= m.x.rank && m.x.rank < last {
			o := m.x.owner(i)
			copyEither(m.part(v, i), dense(buf[m.at[o]:], 1, v.cols), back)
			m.at[o] += v.cols
		}
	}
}

// fromDealt copies the parts of each row dealt to this rank to a buffer ordered by the
// ranks that have them in the array, or back.
func (m *rowMove[T]) fromDealt(buf []T, back bool) {
	starts(m.at, m.dealt)
	for q := range m.x.own.rows {
		row := m.x.own.rowRange(q, q+1)
		first, last := m.holders(m.x.global(q))
		for r := first; r < last; r++ {
			lo, hi := m.columns(r)
			copyEither(row.colRange(lo, hi), dense(buf[m.at[r]:], 1, hi-lo), back)
			m.at[r] += hi - lo
		}
	}
}

// copyEither copies a to b, or b to a.
func copyEither[T nd.Inexact](a, b mat[T], back bool) {
	if back {
		a, b = b, a
	}
	copyMat(b, a)
}

// starts sets at to where each rank's elements begin in a buffer.
func starts(at, counts []int) {
	n := 0
	for r, k := range counts {
		at[r] = n
		n += k
	}
}

func total(counts []int) (n int) {
	for _, k := range counts {
		n += k
	}
	return n
}

// load deals out the rows of b, a vector or a matrix. It takes one alltoallv if b
// is split. Where each rank works for itself, b has whole columns here and nothing
// is sent.
func (m *rowMove[T]) load(b *nd.NDArray[T]) {
	x, v := m.x, right(b)
	if x.size == 1 || m.l.Replicated() {
		for q := range x.own.rows {
			r := m.row(x.global(q))
			copyMat(x.own.rowRange(q, q+1), v.rowRange(r, r+1))
		}
		return
	}
	m.arrayBuffer, m.dealtBuffer = sized(m.arrayBuffer, total(m.array)), sized(m.dealtBuffer, total(m.dealt))
	m.fromArray(v, m.arrayBuffer, false)
	spmd.Alltoallv(x.comm, m.arrayBuffer, m.array, m.dealtBuffer, m.dealt)
	m.fromDealt(m.dealtBuffer, true)
}

// store puts the rows back into an array. It takes one alltoallv, one allgatherv
// if the array is replicated, nothing where each rank works for itself.
func (m *rowMove[T]) store(dst *nd.NDArray[T]) {
	x, v := m.x, right(dst)
	if x.size == 1 || m.l.Replicated() {
		all := x.own.elements()
		if x.size > 1 {
			m.dealtBuffer = sized(m.dealtBuffer, x.cols*x.rows)
			all = m.dealtBuffer
			spmd.Allgatherv(x.comm, x.own.elements(), all, m.dealt)
		}
		starts(m.at, m.dealt)
		for i := range x.cols {
			o, r := x.owner(i), m.row(i)
			copyMat(v.rowRange(r, r+1), dense(all[m.at[o]+x.before(i, o)*x.rows:], 1, x.rows))
		}
		return
	}
	m.arrayBuffer, m.dealtBuffer = sized(m.arrayBuffer, total(m.array)), sized(m.dealtBuffer, total(m.dealt))
	m.fromDealt(m.dealtBuffer, false)
	spmd.Alltoallv(x.comm, m.dealtBuffer, m.dealt, m.arrayBuffer, m.array)
	m.fromArray(v, m.arrayBuffer, true)
}

// rightSides is the memory for right-hand sides of one layout and solutions of
// another, which the last solution leaves for the next.
type rightSides[T nd.Inexact] struct {
	from, to *split.Layout // of b and of the solution
	adjoint  bool
	x        *cyclicColumns[T]
	in, out  *rowMove[T]
}

// rightSidesOf returns memory for systems whose matrix is dealt out as w: r if it
// fits. Rows come in and go out in the given orders.
func (r *rightSides[T]) of(w *cyclicColumns[T], from, to *split.Layout, adjoint bool, in, out []int) *rightSides[T] {
	if r != nil && r.adjoint == adjoint && r.from.Equal(from) && r.to.Equal(to) {
		return r
	}
	width := 1
	if s := from.Shape(); len(s) == 2 {
		width = s[1]
		if w.size == 1 && from.Axis() == 1 {
			lo, hi := from.Range(w.comm.Rank())
			width = hi - lo
		}
	}
	x := newCyclicColumns[T](w.crew, width, w.cols, w.block)
	return &rightSides[T]{from, to, adjoint, x, newRowMove(x, from, in), newRowMove(x, to, out)}
}

// wholeColumns returns the layout in which each rank has whole columns of b, which
// it needs to work for itself: l, unless that is split along its rows.
func wholeColumns(l *split.Layout) *split.Layout {
	switch {
	case l.Axis() != 0:
		return l
	case len(l.Shape()) == 1:
		return split.Block(l.Shape(), split.None, l.Ranks())
	}
	return split.Block(l.Shape(), 1, l.Ranks())
}

// solvedInto sets dst, which may be b, to b after its rows were dealt out as the
// columns of w, in the given order, worked on in place, and put back in another
// order. It returns the memory that it took, kept if that fits, for the next time.
func solvedInto[T nd.Inexact](dst, b *nd.NDArray[T], w *cyclicColumns[T], kept *rightSides[T], adjoint bool, in, out []int, work func(*cyclicColumns[T])) *rightSides[T] {
	from, to := b.Layout(), dst.Layout()
	if solo := w.size == 1 && w.comm.Size() > 1; solo {
		from = wholeColumns(from)
		to = from
		b = b.MoveTo(from)
	}
	kept = kept.of(w, from, to, adjoint, in, out)
	kept.in.load(b)
	work(kept.x)
	if !to.Equal(dst.Layout()) {
		moved := nd.Wrap(w.comm, to, make([]T, to.LocalSize(w.comm.Rank())))
		kept.out.store(moved)
		nd.CopyInto(dst, moved)
		return kept
	}
	kept.out.store(dst)
	return kept
}

// solved returns what solvedInto sets, in b's layout.
func solved[T nd.Inexact](w *cyclicColumns[T], b *nd.NDArray[T], adjoint bool, in, out []int, work func(*cyclicColumns[T])) *nd.NDArray[T] {
	l := b.Layout()
	dst := nd.Wrap(w.comm, l, make([]T, l.LocalSize(w.comm.Rank())))
	solvedInto(dst, b, w, nil, adjoint, in, out, work)
	return dst
}
