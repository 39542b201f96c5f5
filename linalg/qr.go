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
// its rows, in blocks that stay in cache if n is at most 64, and the triangles are
// combined in pairs (Demmel, Grigori, Hoemmen, Langou 2012, "Communication-optimal
// parallel and sequential QR and LU factorizations"). Otherwise columns are dealt
// out to the ranks in blocks of b, between 8 and 32, 64 if k is 1024 or more, and
// eliminated by blocked Householder reflections (Schreiber and Van Loan 1989;
// Elmroth and Gustavson 2000). A complete Q is always computed that way. a may have
// any counts.
//
// Collective, local if a is replicated. Result split: Q's as a's, along axis 0
// with a's counts; R's None if a is tall and the mode is not [Complete], else as a's.
// Communication: none if a is replicated. By TSQR ⌈log₂ P⌉ messages a rank of
// n(n+1)/2 elements, if P is a power of two, up to two more of these and one of n²
// if not; if a is split along its columns, one alltoallv of a and one of Q.
// Otherwise one alltoallv of a and of each result, and for the block from column j
// on a broadcast of (m−j+b+1)·b elements for R and one of (m−j)·b for Q. Extra
// memory: by TSQR of at most 64 columns some blocks of about 2¹⁶ elements and two squares
// of n² for each of them, of more columns two local parts, and (2n)·n elements
// a step; otherwise two local parts and (m+b)·b elements.
// Panics if a is not a matrix.
func QR[T nd.Inexact](a *nd.NDArray[T], mode QRMode) (q, r *nd.NDArray[T]) {
	return qrIn(nil, a, mode)
}

// QRInto sets q and r to the factors of a = Q·R; see [QR]. q's shape says which:
// m × k for the reduced factors, m × m for complete ones. One of the two may be nil, if only
// the other is asked for. q and r may have any layouts. A tall matrix of at most 64 columns is
// factored in q's memory if q is contiguous and its rows are where a's are; then q
// may also be a, if that is contiguous, and nothing of a's size is allocated.
//
// Collective unless all are replicated. Result split: q's and r's, which stay.
// Communication: as QR, and one move of each result whose layout is not QR's.
// Panics as QR, if the shapes do not fit, if the communicators differ, or if q and r are nil.
func QRInto[T nd.Inexact](q, r, a *nd.NDArray[T]) {
	m, n := matrixShape(a)
	k, mode := min(m, n), OnlyR
	if q == nil && r == nil {
		misuse.Panic("no destination for the factors of %v", a.Layout())
	}
	var memory []T
	if q != nil {
		sameComm(a, q)
		switch s := q.Layout().Shape(); {
		case s.Equal(split.Shape{m, k}):
			mode = Reduced
			memory = memoryForQ(q, a)
		case s.Equal(split.Shape{m, m}):
			mode, k = Complete, m
		default:
			misuse.Panic("destination %v for the Q of %v", q.Layout(), a.Layout())
		}
	}
	if r != nil {
		sameComm(a, r)
		if !r.Layout().Shape().Equal(split.Shape{k, n}) {
			misuse.Panic("destination %v for the R of %v", r.Layout(), a.Layout())
		}
	}
	gotQ, gotR := qrIn(memory, a, mode)
	if q != nil && !(memory != nil && sharesMemory(gotQ, q)) {
		nd.CopyInto(q, gotQ)
	}
	if r != nil {
		nd.CopyInto(r, gotR)
	}
}

// memoryForQ returns the memory of q if a can be factored there.
func memoryForQ[T nd.Inexact](q, a *nd.NDArray[T]) []T {
	if !q.Layout().Equal(a.Layout()) || !q.IsContiguous() || a.Comm().Size() > 1 && a.Split() == 1 {
		return nil
	}
	memory := right(q).elements()
	if sharesMemory(q, a) {
		data, off, _ := a.Memory()
		if !a.IsContiguous() || len(memory) == 0 || &data[off] != &memory[0] {
			return nil
		}
	}
	return memory
}

// qrIn is QR, in memory of as many elements as a has on this rank if it can.
func qrIn[T nd.Inexact](memory []T, a *nd.NDArray[T], mode QRMode) (q, r *nd.NDArray[T]) {
	m, n := matrixShape(a)
	k := min(m, n)
	c := a.Comm()
	g := crewOf(a)
	if mode != Complete && byTSQR(g, m, n) {
		rows := byRows(g, a)
		t := tsqrOf(g, rows, mode == Reduced, memory)
		if mode == Reduced {
			q = rowsResult(rows, k, t.apply(unitMatrix[T](k)))
			if g.size > 1 && a.Split() == 1 {
				q = q.MoveTo(columnsLike(a, m, k))
			}
		}
		return q, nd.Wrap(c, split.Block(split.Shape{k, n}, split.None, c.Size()), packed(t.r).data)
	}
	f := householderQR(dealt(a, g, g.reflectedBlock(k)))
	if mode == Complete {
		k = m
	}
	lr := columnsLike(a, k, n)
	if mode != Complete && isTall(m, n, g.size) {
		lr = split.Block(split.Shape{k, n}, split.None, c.Size())
	}
	r = f.factor(k).collected(lr)
	if mode != OnlyR {
		q = f.columns(k).collected(columnsLike(a, m, k))
	}
	return q, r
}

// matrixShape returns the shape of a, and panics if it is not a matrix.
func matrixShape[T nd.Element](a *nd.NDArray[T]) (m, n int) {
	s := a.Layout().Shape()
	if len(s) != 2 {
		panicNoMatrix(a.Layout())
	}
	return s[0], s[1]
}

func panicNoMatrix(l *split.Layout) {
	misuse.Panic("a matrix has two axes, the array is %v; functions of stacks of matrices are named …Each", l)
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

// rowsResult returns the matrix of n columns whose rows are on the ranks that have
// a's, of which this rank has those of m. It takes m's memory if it can.
func rowsResult[T nd.Inexact](a *nd.NDArray[T], n int, m mat[T]) *nd.NDArray[T] {
	if !m.contiguous() {
		m = packed(m)
	}
	return nd.Wrap(a.Comm(), columnsLike(a, a.Layout().Shape()[0], n), m.elements())
}

func unitMatrix[T nd.Inexact](n int) mat[T] {
	m := dense(make([]T, n*n), n, n)
	for i := range n {
		m.data[i*n+i] = 1
	}
	return m
}
