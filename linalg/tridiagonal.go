package linalg

import (
	"caloric/nd"
	"caloric/spmd"

	"gonum.org/v1/gonum/blas"
)

// tridiagonal is a Hermitian matrix as Q·T·Qᴴ, where T is real with the diagonal
// d and e beside it, which every rank has.
type tridiagonal[T nd.Inexact] struct {
	q    *reflectors[T]
	d, e []float64
}

// tridiagonalize reduces w, which is Hermitian and which it changes, to
// tridiagonal form (Householder 1958). The reflections of a panel are put off and
// applied as one product (Dongarra, Sorensen, Hammarling 1989).
//
// For each column there is a broadcast of a vector of the column's length and an
// allgatherv of one.
func tridiagonalize[T nd.Inexact](w *cyclicColumns[T]) *tridiagonal[T] {
	k := vectorsOf[T]()
	n := w.cols
	f := &tridiagonal[T]{
		q: &reflectors[T]{k: k, v: w, shift: 1, count: max(n-1, 0), workers: w.comm.Workers()},
		d: make([]float64, n), e: make([]float64, max(n-1, 0)),
	}
	useWorkers(f.q.workers)
	checkExtents(level3RoutinesOf[T]().implementation(), w.rows)
	for j := 0; j < n; j += w.block {
		b := min(w.block, n-j)
		s := &tridiagonalPanel[T]{tridiagonal: f, k: k, a: w, first: j,
			v: dense(make([]T, b*n), b, n), w: dense(make([]T, b*n), b, n),
			tau: make([]T, b), scratch: make([]T, n+3), own: make([]T, w.own.rows)}
		for p := range b {
			s.column(p)
		}
		s.update(j + b)
		if c := min(b, n-1-j); c > 0 {
			f.q.t = append(f.q.t, triangleOf(k, s.v.rowRange(0, c), s.tau))
		}
	}
	return f
}

// tridiagonalPanel is the state of a panel: the matrix is, in its rows and
// columns from first on, a − V·Wᴴ − W·Vᴴ. V and W are replicated, as rows.
type tridiagonalPanel[T nd.Inexact] struct {
	*tridiagonal[T]
	k            vectorKernels[T]
	a            *cyclicColumns[T]
	first        int
	v, w         mat[T]
	tau          []T
	scratch, own []T
}

// column brings column first+p up to date, eliminates it below the subdiagonal,
// and computes row p of W.
func (s *tridiagonalPanel[T]) column(p int) {
	a, k, i := s.a, s.k, s.first+p
	// The diagonal element, beta, tau, and the vector, of which the first element is 1.
	msg := s.scratch[:a.rows-i+2]
	owner := a.owner(i)
	if owner == a.rank {
		c := a.column(a.before(i, a.rank))[i:]
		for q := range p {
			v, w := rowOf(s.v, q)[i:], rowOf(s.w, q)[i:]
			k.axpy(-conjugateOf(w[0]), v, c)
			k.axpy(-conjugateOf(v[0]), w, c)
		}
		msg[0] = c[0]
		if len(c) > 1 {
			beta, tau := reflector(k, c[1:])
			msg[1], msg[2] = inexact[T](beta), tau
			copy(msg[3:], c[2:])
		}
	}
	if a.size > 1 {
		spmd.Bcast(a.comm, msg, owner)
	}
	s.d[i], _ = parts(msg[0])
	if i == a.cols-1 {
		return
	}
	s.e[i], _ = parts(msg[1])
	tau := msg[2]
	s.tau[p] = tau
	v := rowOf(s.v, p)[i+1:]
	v[0] = 1
	copy(v[1:], msg[3:])
	// A·v: element c is the product of v and column c, conjugated.
	l0 := a.before(i+1, a.rank)
	mine := s.own[:a.own.rows-l0]
	z := s.scratch[:len(v)]
	copy(z, v)
	k.conj(z)
	if len(mine) > 0 {
		multiply(dense(mine, len(mine), 1), a.own.rowRange(l0, a.own.rows).colRange(i+1, a.rows), dense(z, len(z), 1), s.q.workers)
		k.conj(mine)
	}
	w := rowOf(s.w, p)[i+1:]
	a.gatherVector(w, mine, i+1, s.scratch)
	for q := range p {
		vq, wq := rowOf(s.v, q)[i+1:], rowOf(s.w, q)[i+1:]
		wv, vv := k.dot(wq, v), k.dot(vq, v)
		k.axpy(-wv, vq, w)
		k.axpy(-vv, wq, w)
	}
	// w = tau·A·v − ½|tau|²·(vᴴAv)·v
	gamma, _ := parts(k.dot(v, w))
	re, im := parts(tau)
	k.scale(tau, w)
	k.axpy(inexact[T](-(re*re+im*im)*gamma/2), v, w)
}

// update applies the panel's reflections to the columns from j on.
func (s *tridiagonalPanel[T]) update(j int) {
	a := s.a
	c := a.from(min(j, a.cols))
	if c.rows == 0 {
		return
	}
	c = c.colRange(j, a.rows)
	l0 := a.own.rows - c.rows
	// The rows of V and W that belong to this rank's columns.
	v, w := dense(make([]T, c.rows*s.v.rows), c.rows, s.v.rows), dense(make([]T, c.rows*s.v.rows), c.rows, s.v.rows)
	for l := range c.rows {
		g := a.global(l0 + l)
		for q := range s.v.rows {
			v.data[l*v.rs+q], w.data[l*w.rs+q] = rowOf(s.v, q)[g], rowOf(s.w, q)[g]
		}
	}
	s.k.conj(v.data)
	s.k.conj(w.data)
	k := level3Of[T](s.q.workers)
	k.sub(blas.NoTrans, c, w, s.v.colRange(j, a.rows))
	k.sub(blas.NoTrans, c, v, s.w.colRange(j, a.rows))
}
