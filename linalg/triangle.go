package linalg

import (
	"caloric/nd"
	"caloric/spmd"

	"gonum.org/v1/gonum/blas"
)

// The number of columns that go from rank to rank at once. Wide blocks make the
// local products fast, narrow ones spread the work evenly.
var (
	narrowBlock = 16
	wideBlock   = 64
)

// triangularBlock returns the width of the blocks in which n columns are dealt
// out for a triangular factorization or solution.
func triangularBlock(g crew, n int) int {
	if g.size == 1 {
		return wideBlock
	}
	return min(max((n+8*g.size-1)/(8*g.size), narrowBlock), wideBlock)
}

// triangle is one triangle of a square matrix whose columns are dealt out, the
// rows of w.own. The other triangle is not read.
type triangle[T nd.Inexact] struct {
	w           *cyclicColumns[T]
	lower, unit bool
	k           level3[T]
	space       []T // what travels
}

// diagonal replaces x by D⁻¹·x, or D⁻ᵀ·x, for the diagonal block D from j to j1.
// The memory of this rank, which has it, holds its transpose.
func (t *triangle[T]) diagonal(j, j1 int, transposed bool, x mat[T]) {
	uplo, diag, op := blas.Lower, blas.NonUnit, blas.Trans
	if t.lower {
		uplo = blas.Upper
	}
	if t.unit {
		diag = blas.Unit
	}
	if transposed {
		op = blas.NoTrans
	}
	at := t.w.before(j, t.w.rank)
	t.k.solve(blas.Left, uplo, op, diag, t.w.own.rowRange(at, at+j1-j).colRange(j, j1), x)
}

// blocks returns the number of blocks.
func (t *triangle[T]) blocks() int { return (t.w.cols + t.w.block - 1) / t.w.block }

// first returns the first column of block b, counted from the last one if descending.
func (t *triangle[T]) first(b int, descending bool) int {
	if descending {
		b = t.blocks() - 1 - b
	}
	return b * t.w.block
}

// outside returns the range of this rank's columns that the block from j to j1
// meets in its rows, inside the triangle: for a lower one those before it, for an
// upper one those behind it.
func (t *triangle[T]) outside(j, j1 int) (lo, hi int) {
	if t.lower {
		return 0, t.w.before(j, t.w.rank)
	}
	return t.w.before(j1, t.w.rank), t.w.own.rows
}

// solve replaces x, whose rows are dealt out as the triangle's columns are, by
// T⁻¹·x. For each block the ranks multiply the columns that they have of its rows
// by what they have of the solution, and the sum of that goes to the owner (the
// fan-in algorithm of Heath and Romine 1988, "Parallel solution of triangular
// systems on distributed-memory multiprocessors"). If fills is set, x is the unit
// matrix on entry and the triangle a lower one, whose inverse is one as well.
//
// It takes one reduce for each block but the first.
func (t *triangle[T]) solve(x *cyclicColumns[T], fills bool) {
	w := t.w
	for b := range t.blocks() {
		j := t.first(b, !t.lower)
		j1, width := min(j+w.block, w.cols), x.rows
		if fills {
			width = min(width, j1)
		}
		owner, at := w.owner(j), w.before(j, w.rank)
		sum := x.own.rowRange(at, at).colRange(0, width)
		if owner == w.rank {
			sum = x.own.rowRange(at, at+j1-j).colRange(0, width)
		}
		rows := sum
		if w.size > 1 && b > 0 {
			t.space = sized(t.space, (j1-j)*width)
			sum = dense(t.space, j1-j, width)
			if owner == w.rank {
				copyMat(sum, rows)
			} else {
				clear(t.space)
			}
		}
		lo, hi := t.outside(j, j1)
		if sum.rows > 0 {
			t.k.sub(blas.Trans, sum, w.own.rowRange(lo, hi).colRange(j, j1), x.own.rowRange(lo, hi).colRange(0, width))
		}
		if w.size > 1 && b > 0 {
			spmd.Reduce(w.comm, t.space, spmd.Sum, owner)
		}
		if owner == w.rank {
			if w.size > 1 && b > 0 {
				copyMat(rows, sum)
			}
			t.diagonal(j, j1, false, rows)
		}
	}
}

// solveTransposed replaces x by T⁻ᵀ·x. The owner of a block solves for its rows
// and sends them to all, who have the columns to subtract them from the rows that
// are left (the fan-out algorithm, op. cit.).
//
// It takes one broadcast for each block but the last.
func (t *triangle[T]) solveTransposed(x *cyclicColumns[T]) {
	w := t.w
	for b := range t.blocks() {
		j := t.first(b, t.lower)
		j1 := min(j+w.block, w.cols)
		owner, at := w.owner(j), w.before(j, w.rank)
		var rows mat[T]
		if owner == w.rank {
			rows = x.own.rowRange(at, at+j1-j)
			t.diagonal(j, j1, true, rows)
		}
		if b == t.blocks()-1 {
			return
		}
		if w.size > 1 {
			t.space = sized(t.space, (j1-j)*x.rows)
			sent := dense(t.space, j1-j, x.rows)
			if owner == w.rank {
				copyMat(sent, rows)
			}
			spmd.Bcast(w.comm, t.space, owner)
			rows = sent
		}
		lo, hi := t.outside(j, j1)
		t.k.sub(blas.NoTrans, x.own.rowRange(lo, hi), w.own.rowRange(lo, hi).colRange(j, j1), rows)
	}
}

// solveAdjoint replaces x by T⁻ᴴ·x.
func (t *triangle[T]) solveAdjoint(x *cyclicColumns[T]) {
	conjugateRows(x.own)
	t.solveTransposed(x)
	conjugateRows(x.own)
}

// conjugateRows conjugates a contiguous matrix in place.
func conjugateRows[T nd.Inexact](m mat[T]) {
	if isComplex[T]() {
		vectorsOf[T]().conj(m.elements())
	}
}

// dealtUnit returns the unit matrix with its rows dealt out.
func dealtUnit[T nd.Inexact](g crew, n, block int) *cyclicColumns[T] {
	x := newCyclicColumns[T](g, n, n, block)
	for q := range x.own.rows {
		x.column(q)[x.global(q)] = 1
	}
	return x
}
