package linalg

import (
	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/split"
)

// QRMode says which factors [QR] computes.
type QRMode uint8

// The modes. Of an m × n matrix, with k = min(m, n),
const (
	Reduced  QRMode = iota // Q is m × k and R is k × n
	Complete               // Q is m × m and R is m × n
	OnlyR                  // R is k × n, and Q is nil
)

// QR returns the factors of a = Q·R: QᴴQ is the identity, also if a is rank
// deficient, and R is upper triangular. R's diagonal is real and not negative,
// so that for an a of full rank the factors, but for the columns of a complete Q
// beyond n, do not depend on the number of ranks.
//
// A tall matrix, with m ≥ n·P on P ranks, is factored by TSQR: each rank factors
// its rows and the triangles are combined in pairs (Demmel, Grigori, Hoemmen,
// Langou 2012, "Communication-optimal parallel and sequential QR and LU
// factorizations"). Otherwise columns are dealt out to the ranks in blocks of b,
// between 8 and 32, and eliminated by blocked Householder reflections (Schreiber
// and Van Loan 1989; Elmroth and Gustavson 2000). A complete Q is always computed
// that way. a may have any counts.
//
// Collective, local if a is replicated. Result split: Q's as a's, along axis 0
// with a's counts; R's None if a is tall and the mode is not [Complete], else as a's.
// Communication: none if a is replicated. By TSQR ⌈log₂ P⌉ messages a rank of
// n(n+1)/2 elements, if P is a power of two, up to two more of these and one of n²
// if not; if a is split along its columns, one alltoallv of a and one of Q. Otherwise one alltoallv
// of a and of each result, and for each factor ⌈k/b⌉ broadcasts, of at most
// (m+b+1)·b elements. Extra memory: two local parts, by TSQR (2n)·n elements a
// step, otherwise (m+b)·b.
// Panics if a is not a matrix.
func QR[T nd.Inexact](a *nd.NDArray[T], mode QRMode) (q, r *nd.NDArray[T]) {
	m, n := matrixShape(a)
	k := min(m, n)
	c := a.Comm()
	g := crewOf(a)
	if g.size > 1 && mode != Complete && isTall(m, n, g.size) {
		rows := byRows(a)
		t := tsqrOf(rows)
		if mode == Reduced {
			q = rowsResult(rows, k, t.apply(unitMatrix[T](k)))
			if a.Split() == 1 {
				q = q.MoveTo(columnsLike(a, m, k))
			}
		}
		return q, nd.Wrap(c, split.Block(split.Shape{k, n}, split.None, c.Size()), packed(t.r).data)
	}
	f := householderQR(dealt(a, g, g.blockOf(k)))
	if mode == Complete {
		k = m
	}
	r = f.factor(k).collected(columnsLike(a, k, n))
	if mode != OnlyR {
		q = f.columns(k).collected(columnsLike(a, m, k))
	}
	return q, r
}

// matrixShape returns the shape of a, and panics if it is not a matrix.
func matrixShape[T nd.Element](a *nd.NDArray[T]) (m, n int) {
	s := a.Layout().Shape()
	if len(s) != 2 {
		misuse.Panic("a matrix has two axes, the array is %v", a.Layout())
	}
	return s[0], s[1]
}

// columnsLike returns a layout of an m × n matrix that is split as a is, with a's
// counts if they fit.
func columnsLike[T nd.Element](a *nd.NDArray[T], m, n int) *split.Layout {
	s := split.Shape{m, n}
	l := a.Layout()
	if axis := l.Axis(); axis != split.None && s[axis] == l.Shape()[axis] {
		return split.WithCounts(s, axis, l.Counts())
	}
	return split.Block(s, l.Axis(), l.Ranks())
}

// rowsResult returns the matrix of n columns that is split as a is along its
// rows, of which this rank has those of m.
func rowsResult[T nd.Inexact](a *nd.NDArray[T], n int, m mat[T]) *nd.NDArray[T] {
	l := split.WithCounts(split.Shape{a.Layout().Shape()[0], n}, 0, a.Layout().Counts())
	return nd.Wrap(a.Comm(), l, packed(m).data)
}

func unitMatrix[T nd.Inexact](n int) mat[T] {
	m := dense(make([]T, n*n), n, n)
	for i := range n {
		m.data[i*n+i] = 1
	}
	return m
}
