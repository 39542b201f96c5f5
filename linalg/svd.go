package linalg

import (
	"errors"
	"fmt"
	"math"

	"caloric/nd"
	"caloric/split"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack/gonum"
)

// What can be wrong with the numbers of a matrix to be decomposed. Every rank
// returns the same error; compare with [errors.Is].
var (
	ErrNotFinite    = errors.New("the matrix has an Inf or a NaN, or its norm overflows")
	ErrNotConverged = errors.New("the iteration did not converge")
)

// SVD returns the singular value decomposition a = u·diag(s)·vh of an m × n
// matrix, with k = min(m, n): u is m × k and vh is k × n, uᴴu and vh·vhᴴ are the
// identity, also if a is rank deficient, and s, k numbers on every rank, does not
// increase.
//
// A tall matrix (m ≥ n·P on P ranks) is first factored by TSQR, see [QR], and
// every rank decomposes R, which is n × n; of a wide one (n ≥ m·P) the adjoint is
// decomposed. Otherwise the matrix is dealt out in columns and reduced to
// bidiagonal form, by Householder reflections that are half of them applied as
// matrix products (Golub and Kahan 1965; Dongarra, Sorensen, Hammarling 1989);
// of the bidiagonal matrix every rank computes the singular values by the
// implicit zero-shift QR iteration (Demmel and Kahan 1990) and its share of the
// vectors' rows. Errors are those of double precision relative to the largest
// singular value, of single precision for float32 and complex64.
//
// Collective, local if a is replicated. Result split: s None; of a tall matrix u
// as a and vh None; of a wide one u None and vh as a; otherwise both as a, with a's
// counts where they fit. Communication: none if a is replicated. Tall and wide: as QR. Otherwise
// an alltoallv of a and two of each result, three collectives a column (for
// column j a broadcast of m − j + 2 elements, an allgatherv of n − j − 1 and an
// allreduce of m − j − 1), and 2k/b broadcasts of b columns, with 8 ≤ b ≤ 32. Extra memory: six local parts, and by TSQR 8n² elements.
// Panics if a is not a matrix.
func SVD[T nd.Inexact](a *nd.NDArray[T]) (u *nd.NDArray[T], s *nd.NDArray[float64], vh *nd.NDArray[T], err error) {
	d, err := decompose(a, true)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("linalg.SVD of %v: %w", a.Layout(), err)
	}
	return d.u, replicatedVector(a, d.s), d.vh, nil
}

// SVDVals returns the singular values of a matrix, in descending order, on every
// rank; see [SVD].
//
// Collective, local if a is replicated. Result split: None. Communication: as
// SVD, without that of u and vh. Panics if a is not a matrix.
func SVDVals[T nd.Inexact](a *nd.NDArray[T]) (*nd.NDArray[float64], error) {
	d, err := decompose(a, false)
	if err != nil {
		return nil, fmt.Errorf("linalg.SVDVals of %v: %w", a.Layout(), err)
	}
	return replicatedVector(a, d.s), nil
}

// replicatedVector returns s as an array that every rank of a's communicator has.
func replicatedVector[U, T nd.Element](a *nd.NDArray[T], s []U) *nd.NDArray[U] {
	return nd.Wrap(a.Comm(), split.Block(split.Shape{len(s)}, split.None, a.Comm().Size()), s)
}

// singular is a singular value decomposition; u and vh are nil if only values were asked for.
type singular[T nd.Inexact] struct {
	u, vh *nd.NDArray[T]
	s     []float64
}

func decompose[T nd.Inexact](a *nd.NDArray[T], vectors bool) (d singular[T], err error) {
	m, n := matrixShape(a)
	if m < n {
		d, err = decompose(adjoint(a), vectors)
		if err == nil && vectors {
			d.u, d.vh = adjoint(d.vh), adjoint(d.u)
		}
		return d, err
	}
	g := crewOf(a)
	c := a.Comm()
	if byTSQR(g, m, n) {
		rows := byRows(g, a)
		t := tsqrOf(g, rows, vectors, nil)
		w := newCyclicColumns[T](soloCrew(c), n, n, soloCrew(c).blockOf(n))
		copyMat(w.own, t.r.t())
		u, v, s, err := singularOf(w, vectors)
		if err != nil || !vectors {
			return singular[T]{s: s}, err
		}
		d.u = rowsResult(rows, n, t.apply(u.own.t()))
		if g.size > 1 && a.Split() == 1 {
			d.u = d.u.MoveTo(columnsLike(a, m, n))
		}
		d.vh = adjoint(v.collected(split.Block(split.Shape{n, n}, split.None, c.Size())))
		d.s = s
		return d, nil
	}
	u, v, s, err := singularOf(dealt(a, g, g.blockOf(n)), vectors)
	if err != nil || !vectors {
		return singular[T]{s: s}, err
	}
	lv, _ := split.Transpose(columnsLike(a, n, n), []int{1, 0})
	if isTall(m, n, g.size) {
		lv = split.Block(split.Shape{n, n}, split.None, c.Size())
	}
	return singular[T]{u.collected(columnsLike(a, m, n)), adjoint(v.collected(lv)), s}, nil
}

// singularOf decomposes w, which has no more columns than rows and which it
// changes. u is as large as w, v is square.
func singularOf[T nd.Inexact](w *cyclicColumns[T], vectors bool) (u, v *cyclicColumns[T], s []float64, err error) {
	var before *reflectors[T]
	m := w.rows
	if 3*m >= 5*w.cols && m > w.cols {
		before = householderQR(w)
		w = before.factor(w.cols)
	}
	b := bidiagonalize(w)
	ub, vb, err := b.solve(vectors)
	if err != nil || !vectors {
		return nil, nil, b.d, err
	}
	u, v = tallFrom(ub, w, w.rows), tallFrom(vb, w, w.cols)
	b.q.apply(u, false)
	b.p.apply(v, false)
	if before != nil {
		tall := newCyclicColumns[T](u.crew, m, u.cols, u.block)
		copyMat(tall.own.colRange(0, u.rows), u.own)
		before.apply(tall, false)
		u = tall
	}
	return u, v, b.d, nil
}

// scaleBand divides a diagonal and its neighbour by 2 to the power that it returns,
// after which the sum of their magnitudes is below 1: a power of two takes
// squares away from the ends of the range, and rounds nothing. It is an error if an
// element is not finite or the matrix's norm overflows.
func scaleBand(d, e []float64) (exponent int, err error) {
	size := 0.0
	for _, part := range [][]float64{d, e} {
		for _, x := range part {
			size += math.Abs(x) // NaN and Inf propagate
		}
	}
	if math.IsNaN(size) || math.IsInf(size, 0) {
		return 0, ErrNotFinite
	}
	_, exponent = math.Frexp(size)
	for _, part := range [][]float64{d, e} {
		for i, x := range part {
			part[i] = math.Ldexp(x, -exponent)
		}
	}
	return exponent, nil
}

// solve sets d to the singular values of the bidiagonal matrix and returns, as
// columns, this rank's share of the rows of its left and right singular vectors.
func (f *bidiagonal[T]) solve(vectors bool) (u, v []float64, err error) {
	n := len(f.d)
	if n == 0 {
		return nil, nil, nil
	}
	exponent, err := scaleBand(f.d, f.e)
	if err != nil {
		return nil, nil, err
	}
	lo, hi := f.q.v.share(n)
	rows := 0
	if vectors {
		// A rank without rows has one all the same: without any vectors the
		// values would come from another algorithm than on the other ranks.
		rows = max(hi-lo, 1)
		u, v = make([]float64, n*rows), make([]float64, n*rows)
		for i := range rows {
			u[(lo+i)%n*rows+i] = 1
			v[(lo+i)%n*rows+i] = 1
		}
	}
	work := make([]float64, 4*n)
	if !(gonum.Implementation{}).Dbdsqr(blas.Upper, n, rows, 0, rows, f.d, f.e, v, max(rows, 1), nil, 1, u, max(rows, 1), work) {
		return nil, nil, ErrNotConverged
	}
	for i, s := range f.d {
		f.d[i] = math.Ldexp(s, exponent)
	}
	if !vectors {
		return nil, nil, nil
	}
	return u[:n*(hi-lo)], v[:n*(hi-lo)], nil
}

// share returns the indices below n that this rank of the crew takes.
func (g crew) share(n int) (lo, hi int) { return g.rank * n / g.size, (g.rank + 1) * n / g.size }

// tallFrom returns the matrix with rows rows whose first ones are those of a
// square matrix z, of which each rank of like's crew has its share of rows, as
// columns; the other rows are zero. The columns are dealt out as like's.
func tallFrom[T nd.Inexact](z []float64, like *cyclicColumns[T], rows int) *cyclicColumns[T] {
	n := like.cols
	w := newCyclicColumns[T](like.crew, rows, n, like.block)
	lo, hi := like.share(n)
	t := make([]T, len(z))
	for i, x := range z {
		t[i] = inexact[T](x)
	}
	if like.size == 1 {
		copyMat(w.own.colRange(0, n), dense(t, n, n))
		return w
	}
	counts := make([]int, like.size)
	for r := range counts {
		counts[r] = (r+1)*n/like.size - r*n/like.size
	}
	l := split.WithCounts(split.Shape{n, n}, 1, counts)
	square := dealt(nd.Wrap(like.comm, l, t[:n*(hi-lo)]).T(), like.crew, like.block)
	copyMat(w.own.colRange(0, n), square.own)
	return w
}

// adjoint returns the conjugate transpose of a: a view for real types, else a copy.
func adjoint[T nd.Inexact](a *nd.NDArray[T]) *nd.NDArray[T] {
	if !isComplex[T]() {
		return a.T()
	}
	t := nd.Copy(a.T())
	vectorsOf[T]().conj(t.Local())
	return t
}
