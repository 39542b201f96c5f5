package linalg

import (
	"math"

	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"

	"gonum.org/v1/gonum/blas"
)

// LUFactors is the factorization A = P·L·U of a matrix, which [LU] makes, in the
// memory that A takes. Its columns are dealt out over the ranks in blocks; the
// permutation and the diagonal of U are known on every rank.
type LUFactors[T nd.Inexact] struct {
	layout *split.Layout // A's
	w      *cyclicColumns[T]
	perm   []int // row i of Pᵀ·A is row perm[i] of A
	odd    bool  // the permutation is
	diag   []T   // of U
	zero   int   // the first column whose pivot is zero, −1 if there is none
	norm   float64
	k      level3[T]
	l, u   *triangle[T]
	kept   *rightSides[T]

	substitute, substituteAdjoint func(*cyclicColumns[T])
}

// LU returns the factorization A = P·L·U of a matrix of m × n with partial
// pivoting: L (m, k) is lower triangular with ones on the diagonal and no element
// larger than 1, U (k, n) upper triangular, k = min(m, n), and P a permutation.
// It exists for every matrix, also a singular one.
//
//	f := linalg.LU(a)
//	x, err := f.Solve(b)
//
// The pivot is the largest element of its column, for complex numbers by
// |re| + |im| as in LAPACK, and the first of equal ones; no size counts as zero
// but zero. NaN is always the pivot, so that it is not lost.
//
// Columns are dealt out to the ranks in blocks of w, in turns, so that the work
// stays even to the end: w is n/8P, at least 16 and at most 64. The owner of a
// block factors it, by recursion on halves of its columns (Toledo 1997, "Locality
// of reference in LU decomposition with partial pivoting"), and sends it to all,
// who then have what they need to update their columns by BLAS (Dongarra, van de
// Geijn and Walker 1994, "Scalability issues affecting the design of a dense
// linear algebra library"). A replicated matrix is factored by each rank for itself.
//
// Collective unless a is replicated. Result split: see the methods.
// Communication: one alltoallv of a, and for each block, from column j on, one
// broadcast of w·(m − j + 2) elements; none if a is replicated. Extra memory: at
// most three times a's part on the rank, and a block.
// Panics if a is not a matrix.
func LU[T nd.Inexact](a *nd.NDArray[T]) *LUFactors[T] {
	if a.NDim() != 2 {
		misuse.Panic("LU factors matrices, not an array %v", a.Layout())
	}
	s := a.Layout().Shape()
	g := crewOf(a)
	f := &LUFactors[T]{layout: a.Layout(), zero: -1, k: level3Of[T](a.Comm().Workers())}
	f.w = dealt(a, g, triangularBlock(g, s[1]))
	f.perm = make([]int, s[0])
	for i := range f.perm {
		f.perm[i] = i
	}
	f.diag = make([]T, min(s[0], s[1]))
	one := measureOf(1)
	for q := range f.w.own.rows {
		f.norm = math.Max(f.norm, one.finish(normOf(one, f.w.column(q), f.k.workers)))
	}
	f.factor()
	f.setTriangles()
	return f
}

// factor does the factorization in place, block by block.
func (f *LUFactors[T]) factor() {
	w, m := f.w, f.w.rows
	var space []T
	for j := 0; j < len(f.diag); j += w.block {
		j1 := min(j+w.block, len(f.diag))
		pivots := make([]int, j1-j)
		at := w.before(j, w.rank)
		var panel mat[T]
		owner := w.owner(j)
		if owner == w.rank {
			panel = w.own.rowRange(at, at+j1-j).colRange(j, m)
			luPanel(f.k, panel, pivots)
		}
		if w.size > 1 {
			space = sized(space, (j1-j)*(m-j+2))
			panel = sharedPanel(w.comm, space, panel, pivots, m-j, owner)
		}
		lo, hi := at, w.before(j1, w.rank)
		f.swap(j, pivots)
		swapColumns(w.own.rowRange(0, lo).colRange(j, m), pivots)
		rest := w.own.rowRange(hi, w.own.rows)
		swapColumns(rest.colRange(j, m), pivots)
		f.k.eliminate(rest.colRange(j, m), panel)
		for i := range pivots {
			f.diag[j+i] = panel.data[panel.off+i*panel.rs+i]
			if f.diag[j+i] == 0 && f.zero < 0 {
				f.zero = j + i
			}
		}
	}
}

// swap records the exchange of rows j+i and j+pivots[i] for each i in turn.
func (f *LUFactors[T]) swap(j int, pivots []int) {
	for i, p := range pivots {
		if p != i {
			f.perm[j+i], f.perm[j+p] = f.perm[j+p], f.perm[j+i]
			f.odd = !f.odd
		}
	}
}

// sharedPanel returns the owner's panel and pivots on every rank, after one
// broadcast. space has room for the panel, rows of n, and two numbers a pivot:
// single precision cannot hold every row number in one.
func sharedPanel[T nd.Inexact](c *spmd.Comm, space []T, panel mat[T], pivots []int, n, owner int) mat[T] {
	const base = 1 << 20
	sent := dense(space, len(pivots), n)
	numbers := space[len(pivots)*n:]
	if c.Rank() == owner {
		copyMat(sent, panel)
		for i, p := range pivots {
			numbers[2*i], numbers[2*i+1] = inexact[T](float64(p/base)), inexact[T](float64(p%base))
		}
	}
	spmd.Bcast(c, space, owner)
	for i := range pivots {
		high, _ := parts(numbers[2*i])
		low, _ := parts(numbers[2*i+1])
		pivots[i] = int(high)*base + int(low)
	}
	return sent
}

// swapColumns exchanges columns i and pivots[i] of m for each i in turn.
func swapColumns[T nd.Inexact](m mat[T], pivots []int) {
	for r := range m.rows {
		row := m.data[m.off+r*m.rs:][:m.cols]
		for i, p := range pivots {
			row[i], row[p] = row[p], row[i]
		}
	}
}

// eliminate replaces the columns of A that are the rows of c, after those of the
// panel were factored, by their part of U and what is left to be factored.
func (k level3[T]) eliminate(c, panel mat[T]) {
	w := panel.rows
	u := c.colRange(0, w)
	k.solve(blas.Right, blas.Upper, blas.NoTrans, blas.Unit, panel.colRange(0, w), u)
	k.sub(blas.NoTrans, c.colRange(w, c.cols), u, panel.colRange(w, panel.cols))
}

// luBase is the width up to which a panel is factored column by column.
const luBase = 8

// luPanel factors the matrix whose columns are the rows of p, which has no more
// rows than columns, and sets pivots to the exchanges.
func luPanel[T nd.Inexact](k level3[T], p mat[T], pivots []int) {
	if p.rows <= luBase {
		luColumns(p, pivots)
		return
	}
	h := p.rows / 2
	left, right := p.rowRange(0, h), p.rowRange(h, p.rows)
	luPanel(k, left, pivots[:h])
	swapColumns(right, pivots[:h])
	k.eliminate(right, left)
	luPanel(k, right.colRange(h, p.cols), pivots[h:])
	swapColumns(left.colRange(h, p.cols), pivots[h:])
	for i := range pivots[h:] {
		pivots[h+i] += h
	}
}

// luColumns is luPanel, one column at a time.
func luColumns[T nd.Inexact](p mat[T], pivots []int) {
	row := func(i int) []T { return p.data[p.off+i*p.rs:][:p.cols] }
	for j := range p.rows {
		col := row(j)
		q := j + pivotOf(col[j:])
		pivots[j] = q
		for i := range p.rows {
			r := row(i)
			r[j], r[q] = r[q], r[j]
		}
		pivot := col[j]
		if pivot == 0 {
			continue // so is all below it
		}
		for i := j + 1; i < p.cols; i++ {
			col[i] /= pivot
		}
		for i := j + 1; i < p.rows; i++ {
			r := row(i)
			subtractScaled(r[j+1:], r[j], col[j+1:])
		}
	}
}

// subtractScaled subtracts v·x from y.
func subtractScaled[T nd.Inexact](y []T, v T, x []T) {
	y = y[:len(x)]
	for i, w := range x {
		y[i] -= v * w
	}
}

// pivotOf returns the index of the first element of largest magnitude, or of the
// first that is NaN.
func pivotOf[T nd.Inexact](x []T) int {
	switch x := any(x).(type) {
	case []float32:
		return realPivot(x)
	case []float64:
		return realPivot(x)
	case []complex64:
		return complexPivot(x, func(z complex64) (re, im float64) { return float64(real(z)), float64(imag(z)) })
	case []complex128:
		return complexPivot(x, func(z complex128) (re, im float64) { return real(z), imag(z) })
	}
	return 0
}

func realPivot[F nd.Float](x []F) int {
	at, best := 0, F(-1)
	for i, v := range x {
		if v < 0 {
			v = -v
		}
		if v > best {
			at, best = i, v
		} else if v != v {
			return i
		}
	}
	return at
}

func complexPivot[C nd.Complex](x []C, parts func(C) (re, im float64)) int {
	at, best := 0, -1.0
	for i, z := range x {
		re, im := parts(z)
		v := math.Abs(re) + math.Abs(im)
		if v > best {
			at, best = i, v
		} else if v != v {
			return i
		}
	}
	return at
}
