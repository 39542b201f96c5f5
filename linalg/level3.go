package linalg

import (
	"caloric/internal/gemm"
	"caloric/nd"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/cblas128"
	"gonum.org/v1/gonum/blas/cblas64"
)

// level3 is what triangular factorizations and solutions are made of: products
// that are subtracted, and triangular systems. Matrices are in C order, perhaps
// with a gap after each row.
type level3[T nd.Inexact] struct {
	level3Routines[T]
	loops   bool // gonum's complex products are unblocked
	workers int
	space   *[]T // for what gonum reads in another order
}

// level3Routines are the BLAS routines of one type: with alpha −1 and beta 1 the
// products, with alpha 1 the triangular system.
type level3Routines[T nd.Inexact] interface {
	gemmSub(ta blas.Transpose, m, n, k int, a []T, lda int, b []T, ldb int, c []T, ldc int)
	gemvSub(ta blas.Transpose, m, n int, a []T, lda int, x []T, incx int, y []T, incy int)
	trsm(side blas.Side, uplo blas.Uplo, ta blas.Transpose, diag blas.Diag, m, n int, a []T, lda int, b []T, ldb int)
	implementation() any
}

func level3Of[T nd.Inexact](workers int) level3[T] {
	useWorkers(workers)
	k := level3[T]{level3Routines: level3RoutinesOf[T](), workers: workers, space: new([]T)}
	k.loops = isComplex[T]() && !isForeign(k.implementation())
	return k
}

func level3RoutinesOf[T nd.Inexact]() level3Routines[T] {
	var zero T
	var r any
	switch any(zero).(type) {
	case float32:
		r = float32BLAS{}
	case float64:
		r = float64BLAS{}
	case complex64:
		r = complex64BLAS{}
	case complex128:
		r = complex128BLAS{}
	}
	return r.(level3Routines[T])
}

// sub subtracts op(a)·b from c, which may lie between the elements of a or b but
// shares none.
func (k level3[T]) sub(op blas.Transpose, c, a, b mat[T]) {
	if c.rows == 0 || c.cols == 0 || b.rows == 0 {
		return
	}
	checkExtents(k.implementation(), c.rows, c.cols, a.rs, b.rs, c.rs)
	switch {
	case c.cols == 1:
		k.gemvSub(op, a.rows, a.cols, a.data[a.off:], a.rs, b.data[b.off:], b.rs, c.data[c.off:], c.rs)
	case k.loops:
		k.addRows(c, negative(op, a), b)
	case op != blas.NoTrans && !isForeign(k.implementation()) && !gemm.Available():
		// gonum is faster at rows times rows, and a is small.
		*k.space = sized(*k.space, a.rows*a.cols)
		t := dense(*k.space, a.cols, a.rows)
		copyMat(t, a.t())
		a = t
		k.gemmSub(blas.NoTrans, c.rows, c.cols, b.rows, a.data, a.rs, b.data[b.off:], b.rs, c.data[c.off:], c.rs)
	default:
		k.subProduct(op, c, a, b)
	}
}

// subProduct is [level3.sub] by gemmSub, a part of c on each worker if that is
// package gemm, which has no threads of its own.
func (k level3[T]) subProduct(op blas.Transpose, c, a, b mat[T]) {
	parts := partsOf(k.workers, c.rows, c.cols, b.rows)
	if parts == 1 || isForeign(k.implementation()) || !gemm.Available() {
		k.gemmSub(op, c.rows, c.cols, b.rows, a.data[a.off:], a.rs, b.data[b.off:], b.rs, c.data[c.off:], c.rs)
		return
	}
	if op != blas.NoTrans {
		a = a.t()
	}
	inParts(parts, c.rows, c.cols, func(r0, r1, c0, c1 int) {
		c, a, b := c.rowRange(r0, r1).colRange(c0, c1), a.rowRange(r0, r1), b.colRange(c0, c1)
		k.gemmSub(op, c.rows, c.cols, b.rows, a.data[a.off:], max(a.rs, a.cs), b.data[b.off:], b.rs, c.data[c.off:], c.rs)
	})
}

// solve replaces b by op(a)⁻¹·b, or from the right by b·op(a)⁻¹, for a triangle a.
func (k level3[T]) solve(side blas.Side, uplo blas.Uplo, op blas.Transpose, diag blas.Diag, a, b mat[T]) {
	if b.rows > 0 && b.cols > 0 {
		checkExtents(k.implementation(), b.rows, b.cols, a.rs, b.rs)
		k.trsm(side, uplo, op, diag, b.rows, b.cols, a.data[a.off:], a.rs, b.data[b.off:], b.rs)
	}
}

// addRows adds a·b to c, a range of rows on each worker.
func (k level3[T]) addRows(c, a, b mat[T]) {
	parts := min(c.rows, partsOf(k.workers, c.rows, c.cols, a.cols))
	inParts(parts, c.rows, 1, func(lo, hi, _, _ int) { addBlocks(c.rowRange(lo, hi), a.rowRange(lo, hi), b) })
}

// addBlocks adds a·b to c in loops over blocks of b that stay in cache.
func addBlocks[T nd.Number](c, a, b mat[T]) {
	for j0 := 0; j0 < c.cols; j0 += blockCols {
		j1 := min(j0+blockCols, c.cols)
		for l0 := 0; l0 < a.cols; l0 += blockRows {
			p := packed(b.rowRange(l0, min(l0+blockRows, a.cols)).colRange(j0, j1))
			for i := range c.rows {
				plainRow(c.data[c.off+i*c.rs+j0:][:j1-j0], a.data, a.off+i*a.rs+l0, 1, p)
			}
		}
	}
}

// negative returns −op(a) in new memory.
func negative[T nd.Inexact](op blas.Transpose, a mat[T]) mat[T] {
	if op != blas.NoTrans {
		a = a.t()
	}
	n := packed(a)
	for i, v := range n.data {
		if op == blas.ConjTrans {
			v = conjugateOf(v)
		}
		n.data[i] = -v
	}
	return n
}

func (float64BLAS) gemmSub(ta blas.Transpose, m, n, k int, a []float64, lda int, b []float64, ldb int, c []float64, ldc int) {
	dgemm(ta, blas.NoTrans, m, n, k, -1, a, lda, b, ldb, 1, c, ldc)
}

func (float64BLAS) gemvSub(ta blas.Transpose, m, n int, a []float64, lda int, x []float64, incx int, y []float64, incy int) {
	blas64.Implementation().Dgemv(ta, m, n, -1, a, lda, x, incx, 1, y, incy)
}

func (float64BLAS) trsm(s blas.Side, ul blas.Uplo, ta blas.Transpose, d blas.Diag, m, n int, a []float64, lda int, b []float64, ldb int) {
	blas64.Implementation().Dtrsm(s, ul, ta, d, m, n, 1, a, lda, b, ldb)
}

func (float32BLAS) gemmSub(ta blas.Transpose, m, n, k int, a []float32, lda int, b []float32, ldb int, c []float32, ldc int) {
	sgemm(ta, blas.NoTrans, m, n, k, -1, a, lda, b, ldb, 1, c, ldc)
}

func (float32BLAS) gemvSub(ta blas.Transpose, m, n int, a []float32, lda int, x []float32, incx int, y []float32, incy int) {
	blas32.Implementation().Sgemv(ta, m, n, -1, a, lda, x, incx, 1, y, incy)
}

func (float32BLAS) trsm(s blas.Side, ul blas.Uplo, ta blas.Transpose, d blas.Diag, m, n int, a []float32, lda int, b []float32, ldb int) {
	blas32.Implementation().Strsm(s, ul, ta, d, m, n, 1, a, lda, b, ldb)
}

func (complex128BLAS) gemmSub(ta blas.Transpose, m, n, k int, a []complex128, lda int, b []complex128, ldb int, c []complex128, ldc int) {
	cblas128.Implementation().Zgemm(ta, blas.NoTrans, m, n, k, -1, a, lda, b, ldb, 1, c, ldc)
}

func (complex128BLAS) gemvSub(ta blas.Transpose, m, n int, a []complex128, lda int, x []complex128, incx int, y []complex128, incy int) {
	cblas128.Implementation().Zgemv(ta, m, n, -1, a, lda, x, incx, 1, y, incy)
}

func (complex128BLAS) trsm(s blas.Side, ul blas.Uplo, ta blas.Transpose, d blas.Diag, m, n int, a []complex128, lda int, b []complex128, ldb int) {
	cblas128.Implementation().Ztrsm(s, ul, ta, d, m, n, 1, a, lda, b, ldb)
}

func (complex64BLAS) gemmSub(ta blas.Transpose, m, n, k int, a []complex64, lda int, b []complex64, ldb int, c []complex64, ldc int) {
	cblas64.Implementation().Cgemm(ta, blas.NoTrans, m, n, k, -1, a, lda, b, ldb, 1, c, ldc)
}

func (complex64BLAS) gemvSub(ta blas.Transpose, m, n int, a []complex64, lda int, x []complex64, incx int, y []complex64, incy int) {
	cblas64.Implementation().Cgemv(ta, m, n, -1, a, lda, x, incx, 1, y, incy)
}

func (complex64BLAS) trsm(s blas.Side, ul blas.Uplo, ta blas.Transpose, d blas.Diag, m, n int, a []complex64, lda int, b []complex64, ldb int) {
	cblas64.Implementation().Ctrsm(s, ul, ta, d, m, n, 1, a, lda, b, ldb)
}
