package linalg

import (
	"caloric/nd"
	"caloric/spmd"

	"gonum.org/v1/gonum/blas"
)

// bidiagonal is a matrix as Q·B·Pᴴ, where B is real with the diagonal d and the
// superdiagonal e, which every rank has.
type bidiagonal[T nd.Inexact] struct {
	q, p *reflectors[T]
	d, e []float64
}

// bidiagonalize reduces w, which has no more columns than rows and which it
// changes, to bidiagonal form (Golub and Kahan 1965). The reflections of a panel
// are put off and applied as one product (Dongarra, Sorensen, Hammarling 1989).
//
// For each column there is a broadcast of a vector of the column's length, an
// allgatherv of one of the row's length and an allreduce of one of the column's.
func bidiagonalize[T nd.Inexact](w *cyclicColumns[T]) *bidiagonal[T] {
	k := vectorsOf[T]()
	m, n := w.rows, w.cols
	right := newCyclicColumns[T](w.crew, n, n, w.block)
	f := &bidiagonal[T]{
		q: &reflectors[T]{k: k, v: w, count: n, workers: w.comm.Workers()},
		p: &reflectors[T]{k: k, v: right, shift: 1, count: max(n-1, 0), workers: w.comm.Workers()},
		d: make([]float64, n), e: make([]float64, max(n-1, 0)),
	}
	useWorkers(f.q.workers)
	checkExtents(level3RoutinesOf[T]().implementation(), w.rows)
	for j := 0; j < n; j += w.block {
		b := min(w.block, n-j)
		s := &bidiagonalPanel[T]{bidiagonal: f, k: k, w: w, first: j,
			v: dense(make([]T, b*m), b, m), x: dense(make([]T, b*m), b, m), u: dense(make([]T, b*n), b, n),
			y:       dense(make([]T, w.own.rows*b), w.own.rows, b),
			tq:      make([]T, b),
			tp:      make([]T, b),
			scratch: make([]T, max(m, n)+2), row: make([]T, w.own.rows+n)}
		for p := range b {
			s.column(p)
			if j+p+1 < n {
				s.rowOf(p)
			}
		}
		s.update(j + b)
		f.q.t = append(f.q.t, triangleOf(k, s.v, s.tq))
		if c := min(b, n-1-j); c > 0 {
			f.p.t = append(f.p.t, triangleOf(k, s.u.rowRange(0, c), s.tp))
		}
	}
	return f
}

// bidiagonalPanel is the state of a panel: the matrix is, in its columns from
// first on, w − V·Yᴴ − X·Uᴴ. V, X and U are replicated, as rows; of Y each rank
// has the rows of its columns.
type bidiagonalPanel[T nd.Inexact] struct {
	*bidiagonal[T]
	k            vectorKernels[T]
	w            *cyclicColumns[T]
	first        int
	v, x, u, y   mat[T]
	tq, tp       []T
	scratch, row []T
}

func rowOf[T nd.Inexact](m mat[T], i int) []T { return m.data[m.off+i*m.rs:][:m.cols] }

// column brings column first+p up to date, eliminates it below the diagonal, and
// computes row p of Y.
func (s *bidiagonalPanel[T]) column(p int) {
	w, k, i := s.w, s.k, s.first+p
	msg := s.scratch[:w.rows-i+2]
	v := msg[2:]
	owner := w.owner(i)
	if owner == w.rank {
		l := w.before(i, w.rank)
		c := w.column(l)[i:]
		for q := range p {
			k.axpy(-conjugateOf(s.y.data[l*s.y.rs+q]), rowOf(s.v, q)[i:], c)
			k.axpy(-conjugateOf(rowOf(s.u, q)[i]), rowOf(s.x, q)[i:], c)
		}
		beta, tau := reflector(k, c)
		msg[0], msg[1] = inexact[T](beta), tau
		copy(v, c)
	}
	if w.size > 1 {
		spmd.Bcast(w.comm, msg, owner)
	}
	s.d[i], _ = parts(msg[0])
	tau := msg[1]
	s.tq[p] = tau
	copy(rowOf(s.v, p)[i:], v)
	v = rowOf(s.v, p)[i:]
	l0 := w.before(i+1, w.rank)
	nl := w.own.rows - l0
	if nl == 0 {
		return
	}
	y := s.row[:nl]
	z := s.scratch[:len(v)]
	copy(z, v)
	k.conj(z)
	multiply(dense(y, nl, 1), w.own.rowRange(l0, w.own.rows).colRange(i, w.rows), dense(z, len(z), 1), s.q.workers)
	k.conj(y)
	for q := range p {
		vv, xv := k.dot(rowOf(s.v, q)[i:], v), k.dot(rowOf(s.x, q)[i:], v)
		u := rowOf(s.u, q)
		for l := range nl {
			y[l] -= s.y.data[(l0+l)*s.y.rs+q]*vv + u[w.global(l0+l)]*xv
		}
	}
	for l := range nl {
		s.y.data[(l0+l)*s.y.rs+p] = tau * y[l]
	}
}

// rowOf brings row first+p up to date, eliminates it beyond the superdiagonal,
// and computes row p of X.
func (s *bidiagonalPanel[T]) rowOf(p int) {
	w, k, i := s.w, s.k, s.first+p
	l0 := w.before(i+1, w.rank)
	nl := w.own.rows - l0
	r := s.row[:nl]
	for l := range nl {
		c := w.global(l0 + l)
		z := w.own.data[(l0+l)*w.own.rs+i]
		for q := range p + 1 {
			z -= rowOf(s.v, q)[i] * conjugateOf(s.y.data[(l0+l)*s.y.rs+q])
			if q < p {
				z -= rowOf(s.x, q)[i] * conjugateOf(rowOf(s.u, q)[c])
			}
		}
		r[l] = conjugateOf(z)
	}
	u := rowOf(s.u, p)[i+1:]
	w.gatherVector(u, r, i+1, s.scratch)
	beta, tau := reflector(k, u)
	s.e[i], s.tp[p] = beta, tau
	if w.owner(i) == w.rank {
		copy(s.p.v.column(w.before(i, w.rank))[i+1:], u)
	}
	for l := range nl {
		r[l] = u[w.global(l0+l)-i-1]
	}
	z := rowOf(s.x, p)[i+1:]
	if len(z) == 0 {
		return
	}
	multiply(dense(z, len(z), 1), w.own.rowRange(l0, w.own.rows).colRange(i+1, w.rows).t(), dense(r, nl, 1), s.q.workers)
	for q := range p + 1 {
		var yu, uu T
		for l := range nl {
			yu += conjugateOf(s.y.data[(l0+l)*s.y.rs+q]) * r[l]
			if q < p {
				uu += conjugateOf(rowOf(s.u, q)[w.global(l0+l)]) * r[l]
			}
		}
		k.axpy(-yu, rowOf(s.v, q)[i+1:], z)
		if q < p {
			k.axpy(-uu, rowOf(s.x, q)[i+1:], z)
		}
	}
	if w.size > 1 {
		spmd.Allreduce(w.comm, z, spmd.Sum)
	}
	k.scale(tau, z)
}

// update applies the panel's reflections to the columns from j on.
func (s *bidiagonalPanel[T]) update(j int) {
	w := s.w
	c := w.from(min(j, w.cols))
	if c.rows == 0 {
		return
	}
	c = c.colRange(j, w.rows)
	l0 := w.own.rows - c.rows
	u := dense(make([]T, c.rows*s.u.rows), c.rows, s.u.rows)
	for l := range c.rows {
		for q := range s.u.rows {
			u.data[l*u.rs+q] = rowOf(s.u, q)[w.global(l0+l)]
		}
	}
	s.k.conj(u.data)
	k := level3Of[T](s.q.workers)
	k.sub(blas.NoTrans, c, conjugated(s.k, s.y.rowRange(l0, s.y.rows)), s.v.colRange(j, w.rows))
	k.sub(blas.NoTrans, c, u, s.x.colRange(j, w.rows))
}

// triangleOf returns T of I − V·T·Vᴴ for the reflectors of vectors v, as rows,
// and factors tau.
func triangleOf[T nd.Inexact](k vectorKernels[T], v mat[T], tau []T) mat[T] {
	b := v.rows
	gram := productOf(conjugated(k, v), v.t(), 1)
	t := dense(make([]T, b*b), b, b)
	for j := range b {
		for i := range j {
			var sum T
			for l := i; l < j; l++ {
				sum += t.data[i*b+l] * gram.data[l*b+j]
			}
			t.data[i*b+j] = -tau[j] * sum
		}
		t.data[j*b+j] = tau[j]
	}
	return t
}

// gatherVector sets out to the numbers of all columns from j on, of which each
// rank has those of its own columns in mine. It takes one allgatherv.
func (m *cyclicColumns[T]) gatherVector(out, mine []T, j int, scratch []T) {
	if m.size == 1 {
		copy(out, mine)
		return
	}
	counts := make([]int, m.size)
	for r := range counts {
		counts[r] = m.before(m.cols, r) - m.before(j, r)
	}
	all := scratch[:m.cols-j]
	spmd.Allgatherv(m.comm, mine, all, counts)
	for r := range counts {
		m.runs(r, j, m.cols, func(lo, hi, _ int) {
			copy(out[lo-j:hi-j], all)
			all = all[hi-lo:]
		})
	}
}
