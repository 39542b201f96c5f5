package linalg

import (
	"fmt"

	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/split"
)

// IncrementalOption changes what an [IncrementalSVD] keeps.
type IncrementalOption uint8

// LeftOnly leaves out the right singular vectors, which grow with every column.
const LeftOnly IncrementalOption = 1

// IncrementalSVD is a truncated singular value decomposition u·diag(s)·vh ≈ A of a
// matrix whose columns arrive a block at a time and are not kept. To add rows,
// decompose the adjoint.
//
//	d, err := linalg.NewIncrementalSVD(first, 20, 0)
//	err = d.Append(next)
//	u, s := d.U(), d.S()
//
// What a block does is the decomposition of u·diag(s) and the block side by side,
// which is truncated again; the right vectors follow by the small rotation that
// it gives (Brand 2006, "Fast low-rank modifications of the thin singular value
// decomposition"; Baker, Gallivan and Van Dooren 2012, "Low-rank incremental methods
// for computing dominant singular subspaces"). u comes from a QR factorization each
// time, so that it stays orthonormal to rounding.
type IncrementalSVD[T nd.Inexact] struct {
	u       *nd.NDArray[T] // m × r
	s       []float64
	v       []T   // this rank's rows of V, r numbers each, block by block
	blocks  []int // the columns of each block
	cols    int
	maxRank int
	rtol    float64
	left    bool
	bound   float64
}

// NewIncrementalSVD starts from the columns of a. Of every decomposition at most
// maxRank singular values are kept, 0 for any number, and as many of the smallest
// dropped as together are at most rtol times the Frobenius norm of what is
// decomposed, 0 for those that are rounding.
//
// Collective, local if a is replicated. Result split: see the methods. Communication:
// that of [IncrementalSVD.Append].
// Panics if a is not a matrix, or maxRank or rtol is negative.
func NewIncrementalSVD[T nd.Inexact](a *nd.NDArray[T], maxRank int, rtol float64, opts ...IncrementalOption) (*IncrementalSVD[T], error) {
	m, _ := matrixShape(a)
	if maxRank < 0 || !(rtol >= 0) {
		misuse.Panic("rank %d, relative tolerance %v", maxRank, rtol)
	}
	c := a.Comm()
	d := &IncrementalSVD[T]{maxRank: maxRank, rtol: rtol}
	for _, o := range opts {
		d.left = d.left || o == LeftOnly
	}
	l := split.Block(split.Shape{m, 0}, split.None, c.Size())
	if a.Split() == 0 {
		l = split.WithCounts(split.Shape{m, 0}, 0, a.Layout().Counts())
	} else if a.Split() == 1 {
		l = split.Block(split.Shape{m, 0}, 0, c.Size())
	}
	d.u = nd.Wrap(c, l, []T{})
	if err := d.append(a); err != nil {
		return nil, fmt.Errorf("linalg.NewIncrementalSVD of %v: %w", a.Layout(), err)
	}
	return d, nil
}

// Append adds the columns of a. If there is an error, which is that of [SVD], the
// decomposition stays as it was.
//
// Collective, local if the first block was replicated and a is as well. Communication:
// one alltoallv of a if it is split otherwise than u's rows, none if it is replicated, and
// an SVD of r + k columns for a rank of r and k new columns, which for m ≥ (r + k)·P
// rows on P ranks is one TSQR; none if u is replicated and a as well. Extra
// memory: twice the rank's rows of r + k columns.
// Panics if a is not a matrix of as many rows as the first block, or the
// communicators differ.
func (d *IncrementalSVD[T]) Append(a *nd.NDArray[T]) error {
	matrixShape(a)
	sameComm(d.u, a)
	if a.Layout().Shape()[0] != d.u.Layout().Shape()[0] {
		misuse.Panic("columns %v after columns of a decomposition with u %v", a.Layout(), d.u.Layout())
	}
	if err := d.append(a); err != nil {
		return fmt.Errorf("linalg.IncrementalSVD.Append of %v: %w", a.Layout(), err)
	}
	return nil
}

func (d *IncrementalSVD[T]) append(a *nd.NDArray[T]) error {
	c, r, k := d.u.Comm(), len(d.s), a.Layout().Shape()[1]
	a = a.MoveTo(columnsLike(d.u, d.u.Layout().Shape()[0], k))
	l := columnsLike(d.u, d.u.Layout().Shape()[0], r+k)
	both := nd.Wrap(c, l, make([]T, l.LocalSize(c.Rank())))
	w, u := right(both), right(d.u)
	copyMat(w.colRange(0, r), u)
	copyMat(w.colRange(r, r+k), right(a))
	for i := range w.rows {
		for j, s := range d.s {
			w.data[i*w.rs+j] *= inexact[T](s)
		}
	}
	next, err := decompose(both, true)
	if err != nil {
		return err
	}
	keep := len(next.s)
	if d.maxRank > 0 {
		keep = min(keep, d.maxRank)
	}
	least := max(d.rtol, vectorsOf[T]().epsilon()*float64(max(d.u.Layout().Shape()[0], r+k))) * tail(next.s, 0)
	for keep > 0 && tail(next.s, keep-1) <= least {
		keep--
	}
	d.bound += tail(next.s, keep)
	d.u = nd.Copy(next.u.Slice(nd.Whole(), nd.Range(0, keep, 1))).MoveTo(columnsLike(d.u, d.u.Layout().Shape()[0], keep))
	d.s = next.s[:keep]
	if !d.left {
		d.turn(adjoint(next.vh.MoveTo(split.Block(next.vh.Shape(), split.None, c.Size()))), r, k, keep)
	}
	d.blocks = append(d.blocks, k)
	d.cols += k
	return nil
}

// turn replaces V by its product with the first r rows of w, which every rank
// has, and adds this rank's share of the other k rows.
func (d *IncrementalSVD[T]) turn(w *nd.NDArray[T], r, k, keep int) {
	lo, hi := d.share(k)
	rows := 0
	for _, b := range d.blocks {
		lo, hi := d.share(b)
		rows += hi - lo
	}
	z := right(w).colRange(0, keep)
	v := dense(make([]T, (rows+hi-lo)*keep), rows+hi-lo, keep)
	multiply(v.rowRange(0, rows), dense(d.v, rows, r), z.rowRange(0, r), d.u.Comm().Workers())
	copyMat(v.rowRange(rows, v.rows), z.rowRange(r+lo, r+hi))
	d.v = v.data
}

// share returns which of a block's k columns this rank keeps the right vectors of.
func (d *IncrementalSVD[T]) share(k int) (lo, hi int) {
	if d.u.Layout().Replicated() {
		return 0, k
	}
	return split.Block(split.Shape{k}, 0, d.u.Comm().Size()).Range(d.u.Comm().Rank())
}

// U returns the left singular vectors, m × r.
//
// Local. Result split: 0, with the first block's counts if that is how it was split;
// None if it was replicated. Communication: none.
func (d *IncrementalSVD[T]) U() *nd.NDArray[T] { return nd.Copy(d.u) }

// S returns the singular values, in descending order.
//
// Local. Result split: None. Communication: none.
func (d *IncrementalSVD[T]) S() *nd.NDArray[float64] {
	return replicatedVector(d.u, append([]float64{}, d.s...))
}

// Vh returns the right singular vectors, r × n for the n columns so far.
//
// Collective unless u is replicated. Result split: 1, balanced; None if u is replicated.
// Communication: that of [nd.Concatenate]: one alltoallv of what changes its owner.
// Panics if they are left out; see [LeftOnly].
func (d *IncrementalSVD[T]) Vh() *nd.NDArray[T] {
	if d.left {
		misuse.Panic("right singular vectors of a decomposition that leaves them out")
	}
	c, r := d.u.Comm(), len(d.s)
	axis := d.u.Split()
	parts := make([]*nd.NDArray[T], len(d.blocks))
	at := 0
	for i, k := range d.blocks {
		lo, hi := d.share(k)
		n := (hi - lo) * r
		parts[i] = nd.Wrap(c, split.Block(split.Shape{k, r}, axis, c.Size()), d.v[at:at+n:at+n])
		at += n
	}
	v := nd.Concatenate(0, parts...)
	return adjoint(nd.Copy(v.MoveTo(split.Block(v.Shape(), axis, c.Size()))))
}

// Rank returns the number of singular values that are kept. Local.
func (d *IncrementalSVD[T]) Rank() int { return len(d.s) }

// Bound returns a bound of the Frobenius norm of A − u·diag(s)·vh: the sum of what
// each truncation dropped. Local.
func (d *IncrementalSVD[T]) Bound() float64 { return d.bound }
