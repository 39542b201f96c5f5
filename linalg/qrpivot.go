package linalg

import (
	"math"

	"caloric/nd"
	"caloric/spmd"
)

// QRPivot returns the factors of a·P = Q·R, where P brings column pivots[j] of a
// to place j: in each step the column is taken of which most is left (Businger and
// Golub 1965), of equal ones the first. R's diagonal is real, not negative and
// does not increase, so that it shows the rank of a. As in [QR] in reduced mode, Q is
// m × k and R is k × n with k = min(m, n).
//
// Columns are dealt out to the ranks in blocks and eliminated one at a time, which
// is slower than QR: what is left of a column is known only once the one before has
// been eliminated.
//
// Collective, local if a is replicated. Result split: both as a, with a's counts
// where they fit. Communication: none if a is replicated, otherwise for each of k
// columns an allreduce of 16 bytes and a broadcast of the column, an alltoallv of
// a, one of the vectors and one of each result, and ⌈k/b⌉ broadcasts of b columns twice.
// Extra memory: four local parts. Panics if a is not a matrix.
func QRPivot[T nd.Inexact](a *nd.NDArray[T]) (q, r *nd.NDArray[T], pivots []int) {
	m, n := matrixShape(a)
	g := crewOf(a)
	s := newPivoting(dealt(a, g, g.blockOf(min(m, n))))
	for range s.tau {
		s.step()
	}
	for j := range n {
		if !s.done[j] {
			s.pivots = append(s.pivots, j)
		}
	}
	w := s.w.permuted(s.pivots)
	f := &reflectors[T]{k: s.k, v: w, count: len(s.tau), workers: a.Comm().Workers(), signs: s.signs}
	for j := 0; j < f.count; j += w.block {
		b := f.width(j)
		f.t = append(f.t, triangleOf(s.k, f.panel(j), s.tau[j:j+b]))
	}
	upper := f.factor(f.count)
	for l := range upper.own.rows {
		for i, sign := range s.signs[:min(upper.global(l)+1, f.count)] {
			upper.column(l)[i] *= inexact[T](sign)
		}
	}
	return f.columns(f.count).collected(columnsLike(a, m, f.count)), upper.collected(columnsLike(a, f.count, n)), s.pivots
}

// pivoting is the state of a QR factorization with pivoting.
type pivoting[T nd.Inexact] struct {
	k         vectorKernels[T]
	w         *cyclicColumns[T]
	left      []float64 // the norm of what is left of each of this rank's columns
	reference []float64 // the norm when it was last computed, and not updated
	done      []bool    // which columns have been taken, on every rank
	pivots    []int
	tau       []T
	signs     []float64
	msg       []T
}

// candidate is a column and the norm of what is left of it.
type candidate struct {
	norm   float64
	column int64
}

func newPivoting[T nd.Inexact](w *cyclicColumns[T]) *pivoting[T] {
	count := min(w.rows, w.cols)
	s := &pivoting[T]{k: vectorsOf[T](), w: w, done: make([]bool, w.cols),
		tau: make([]T, count), signs: make([]float64, count), msg: make([]T, w.rows+2)}
	for l := range w.own.rows {
		s.left = append(s.left, s.k.norm(w.column(l)))
	}
	s.reference = append(s.reference, s.left...)
	return s
}

// step takes and eliminates the next column.
func (s *pivoting[T]) step() {
	w, i := s.w, len(s.pivots)
	best := candidate{-1, math.MaxInt64}
	for l, norm := range s.left {
		if j := w.global(l); !s.done[j] {
			best = best.or(candidate{norm, int64(j)})
		}
	}
	if w.size > 1 {
		all := []candidate{best}
		spmd.AllreduceFunc(w.comm, all, func(acc, next []candidate) { acc[0] = acc[0].or(next[0]) })
		best = all[0]
	}
	p := int(best.column)
	s.done[p] = true
	s.pivots = append(s.pivots, p)
	msg := s.msg[:w.rows-i+2]
	if w.owner(p) == w.rank {
		x := w.column(w.before(p, w.rank))[i:]
		beta, tau := reflector(s.k, x)
		msg[0], msg[1] = inexact[T](beta), tau
		copy(msg[2:], x)
		x[0] = msg[0]
	}
	if w.size > 1 {
		spmd.Bcast(w.comm, msg, w.owner(p))
	}
	tau, v := msg[1], msg[2:]
	s.tau[i], s.signs[i] = tau, 1
	if beta, _ := parts(msg[0]); beta < 0 {
		s.signs[i] = -1
	}
	for l := range w.own.rows {
		if s.done[w.global(l)] {
			continue
		}
		x := w.column(l)[i:]
		s.k.axpy(-conjugateOf(tau)*s.k.dot(v, x), v, x)
		s.update(l, x)
	}
}

// or returns the candidate of larger norm, NaN being the largest, and of equal
// ones the first column.
func (c candidate) or(d candidate) candidate {
	switch {
	case d.norm > c.norm, math.IsNaN(d.norm) && !math.IsNaN(c.norm):
		return d
	case d.norm == c.norm || math.IsNaN(d.norm):
		c.column = min(c.column, d.column)
	}
	return c
}

// update sets the norm of what is left of column l, whose first element is no
// longer part of it. It is computed anew where cancellation would spoil the
// difference (Drmač and Bujanović 2008, "On the failure of rank-revealing QR
// factorization software").
func (s *pivoting[T]) update(l int, x []T) {
	if s.left[l] == 0 {
		return
	}
	ratio := s.k.norm(x[:1]) / s.left[l]
	rest := max(0, 1-ratio*ratio)
	if against := s.left[l] / s.reference[l]; !(rest*against*against > math.Sqrt(s.k.epsilon())) {
		s.left[l] = s.k.norm(x[1:])
		s.reference[l] = s.left[l]
		return
	}
	s.left[l] *= math.Sqrt(rest)
}

// permuted returns the matrix whose column j is column from[j] of m. It takes one alltoallv.
func (m *cyclicColumns[T]) permuted(from []int) *cyclicColumns[T] {
	out := newCyclicColumns[T](m.crew, m.rows, m.cols, m.block)
	if m.size == 1 {
		for j, p := range from {
			copy(out.column(j), m.column(p))
		}
		return out
	}
	sends, recvs := make([]int, m.size), make([]int, m.size)
	var to []int // of this rank's columns, in the order of their new places
	for j, p := range from {
		if m.owner(p) == m.rank {
			sends[m.owner(j)] += m.rows
			to = append(to, j)
		}
		if m.owner(j) == m.rank {
			recvs[m.owner(p)] += m.rows
		}
	}
	send, recv := make([]T, 0, len(to)*m.rows), make([]T, out.own.rows*m.rows)
	for r := range m.size {
		for _, j := range to {
			if m.owner(j) == r {
				send = append(send, m.column(m.before(from[j], m.rank))...)
			}
		}
	}
	spmd.Alltoallv(m.comm, send, sends, recv, recvs)
	for r := range m.size {
		for l := range out.own.rows {
			if m.owner(from[out.global(l)]) == r {
				recv = recv[copy(out.column(l), recv):]
			}
		}
	}
	return out
}
