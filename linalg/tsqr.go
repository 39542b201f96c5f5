package linalg

import (
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// tsqr is the QR factorization of a matrix of few columns that is split along its
// rows: each rank factors its rows, then the triangles are put on top of each
// other and factored in pairs, until every rank has the one of all rows
// (Demmel, Grigori, Hoemmen, Langou 2012, "Communication-optimal parallel and
// sequential QR and LU factorizations", with the butterfly of an allreduce: both
// ranks of a pair factor the same numbers).
type tsqr[T nd.Inexact] struct {
	comm   *spmd.Comm
	size   int // ranks of the crew
	cols   int
	keep   bool
	pow    int   // the ranks of the butterfly, a power of two; the others are folded into it
	height []int // of each rank's first triangle
	own    localQR[T]
	stages []stage[T]
	r      mat[T] // R on every rank, min(rows, cols) × cols
}

// stage is one factorization of two triangles, of which this rank's is rows lo to hi.
type stage[T nd.Inexact] struct {
	f      localQR[T]
	lo, hi int
	folded bool // the rows after hi belong to the rank that was folded in
}

// newTSQR factors the matrix of which this rank has the rows m, and rank r of the
// crew counts[r] rows. Q can be applied only if keep is set. It takes memory, if it
// can, of as many elements as m, which may be m's own.
func newTSQR[T nd.Inexact](g crew, m mat[T], counts []int, keep bool, memory []T) *tsqr[T] {
	c := g.comm
	q := &tsqr[T]{comm: c, size: g.size, cols: m.cols, pow: 1, keep: keep}
	q.own = localQROf(c, m, keep, memory)
	q.r = q.own.triangle()
	if g.size == 1 {
		return q
	}
	for 2*q.pow <= c.Size() {
		q.pow *= 2
	}
	for _, n := range counts {
		q.height = append(q.height, min(n, q.cols))
	}
	me, size := c.Rank(), c.Size()
	height := append([]int(nil), q.height...)
	if me >= q.pow {
		spmd.Send(c, packTriangle(q.r), me-q.pow, 0)
	} else if me+q.pow < size {
		below := make([]T, triangleSize(height[me+q.pow], q.cols))
		spmd.Recv(c, below, me+q.pow, 0)
		q.stack(q.r, unpackTriangle(below, height[me+q.pow], q.cols), true, true)
	}
	for r := q.pow; r < size; r++ {
		height[r-q.pow] = min(height[r-q.pow]+height[r], q.cols)
	}
	for step := 1; step < q.pow; step *= 2 {
		if me < q.pow {
			other := me ^ step
			theirs := make([]T, triangleSize(height[other], q.cols))
			spmd.Sendrecv(c, packTriangle(q.r), other, theirs, other, 0)
			if t := unpackTriangle(theirs, height[other], q.cols); me < other {
				q.stack(q.r, t, true, false)
			} else {
				q.stack(t, q.r, false, false)
			}
		}
		for r := range q.pow {
			if r&step == 0 {
				h := min(height[r]+height[r|step], q.cols)
				height[r], height[r|step] = h, h
			}
		}
	}
	// The ranks that were folded in have not seen R yet.
	if me >= q.pow {
		all := make([]T, triangleSize(height[0], q.cols))
		spmd.Recv(c, all, me-q.pow, 1)
		q.r = unpackTriangle(all, height[0], q.cols)
	} else if me+q.pow < size {
		spmd.Send(c, packTriangle(q.r), me+q.pow, 1)
	}
	return q
}

// stack factors two triangles on top of each other; upper says which one is this rank's.
func (q *tsqr[T]) stack(a, b mat[T], upper, folded bool) {
	both := dense(make([]T, q.cols*(a.rows+b.rows)), a.rows+b.rows, q.cols)
	copyMat(both.rowRange(0, a.rows), a)
	copyMat(both.rowRange(a.rows, both.rows), b)
	s := stage[T]{f: localQROf(q.comm, both, q.keep, nil), lo: 0, hi: a.rows, folded: folded}
	if !upper {
		s.lo, s.hi = a.rows, a.rows+b.rows
	}
	q.stages = append(q.stages, s)
	q.r = s.f.triangle()
}

// apply returns this rank's rows of Q·x for an x of as many rows as R that
// every rank has. It is local, but for a message to each rank that was folded in.
func (q *tsqr[T]) apply(x mat[T]) mat[T] {
	me := q.comm.Rank()
	for i := len(q.stages) - 1; i >= 0; i-- {
		s := q.stages[i]
		y := s.f.times(x)
		x = y.rowRange(s.lo, s.hi)
		if s.folded {
			spmd.Send(q.comm, packed(y.rowRange(s.hi, y.rows)).data, me+q.pow, 2)
		}
	}
	if q.size > 1 && me >= q.pow {
		h := q.height[me]
		x = dense(make([]T, h*x.cols), h, x.cols)
		spmd.Recv(q.comm, x.data, me-q.pow, 2)
	}
	return q.own.times(x)
}

// localReflectors factors the matrix whose columns are the rows of wt, in its memory.
func localReflectors[T nd.Inexact](c *spmd.Comm, wt mat[T]) *reflectors[T] {
	g := soloCrew(c)
	return householderQR(&cyclicColumns[T]{crew: g, rows: wt.cols, cols: wt.rows, block: g.blockOf(wt.rows), own: wt})
}

// triangle returns R of a factorization on one rank.
func (f *reflectors[T]) triangle() mat[T] { return f.factor(f.count).own.t() }

// times returns the product of the reflectors, on one rank, and the matrix of
// x and zeros below it. Its columns lie in a row each.
func (f *reflectors[T]) times(x mat[T]) mat[T] {
	y := newCyclicColumns[T](f.v.crew, f.v.rows, x.cols, f.v.block)
	copyMat(y.own.colRange(0, x.rows), x.t())
	f.apply(y, false)
	return y.own.t()
}

// triangleSize returns the number of elements on and above the diagonal.
func triangleSize(rows, cols int) int { return rows*cols - rows*(rows-1)/2 }

// packTriangle returns those elements of m, row by row.
func packTriangle[T nd.Inexact](m mat[T]) []T {
	out := make([]T, 0, triangleSize(m.rows, m.cols))
	for i := range m.rows {
		for j := i; j < m.cols; j++ {
			out = append(out, m.data[m.off+i*m.rs+j*m.cs])
		}
	}
	return out
}

func unpackTriangle[T nd.Inexact](x []T, rows, cols int) mat[T] {
	m := dense(make([]T, rows*cols), rows, cols)
	for i := range rows {
		x = x[copy(m.data[i*cols+i:(i+1)*cols], x):]
	}
	return m
}

// isTall reports whether R is no larger than a rank's share of an m × n matrix.
func isTall(m, n, ranks int) bool { return m >= n*ranks }

// byRows returns a split along its rows: a itself if it is, or if each rank works
// for itself, else balanced.
func byRows[T nd.Inexact](g crew, a *nd.NDArray[T]) *nd.NDArray[T] {
	if g.size == 1 || a.Split() == 0 {
		return a
	}
	return a.MoveTo(split.Block(a.Layout().Shape(), 0, a.Comm().Size()))
}

// byTSQR reports whether a crew factors an m × n matrix by rows: if it is tall, and
// if each rank works for itself, where blocks of rows are worth while.
func byTSQR(g crew, m, n int) bool {
	if g.size > 1 {
		return isTall(m, n, g.size)
	}
	return m >= 2*n && n <= tallWidth
}

// tsqrOf factors a, which does not change and is split along its rows unless each
// rank works for itself. It takes memory if that is not nil; see newTSQR.
func tsqrOf[T nd.Inexact](g crew, a *nd.NDArray[T], keep bool, memory []T) *tsqr[T] {
	return newTSQR(g, right(a), a.Layout().Counts(), keep, memory)
}
