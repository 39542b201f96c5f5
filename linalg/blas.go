package linalg

import (
	"math"

	"caloric/internal/gemm"
	"caloric/internal/misuse"
	"caloric/nd"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/cblas128"
	"gonum.org/v1/gonum/blas/cblas64"
	"gonum.org/v1/gonum/blas/gonum"
)

// engineOf returns the engine of T: the registered BLAS for floating-point
// numbers and plain loops for integers. Complex numbers take plain loops unless
// another BLAS than gonum's is registered, whose complex products are unblocked.
func engineOf[T nd.Number]() engine[T] {
	var e any = plain[T]{}
	var zero T
	switch any(zero).(type) {
	case float64:
		e = blasEngine[float64, float64BLAS]{}
	case float32:
		e = blasEngine[float32, float32BLAS]{}
	case complex128:
		if isForeign(cblas128.Implementation()) {
			e = blasEngine[complex128, complex128BLAS]{}
		}
	case complex64:
		if isForeign(cblas64.Implementation()) {
			e = blasEngine[complex64, complex64BLAS]{}
		}
	}
	return e.(engine[T])
}

// routines are the BLAS routines of one type, with alpha 1.
type routines[T nd.Number] interface {
	gemm(ta, tb blas.Transpose, m, n, k int, a []T, lda int, b []T, ldb int, beta T, c []T, ldc int)
	gemv(ta blas.Transpose, m, n int, a []T, lda int, x []T, incx int, beta T, y []T, incy int)
	implementation() any
}

// blasEngine translates between matrices and the arguments of BLAS.
type blasEngine[T nd.Number, R routines[T]] struct{ r R }

func (e blasEngine[T, R]) gemm(c, a, b mat[T], add bool) {
	a, ta, lda := blasOperand(a)
	b, tb, ldb := blasOperand(b)
	checkExtents(e.r.implementation(), c.rows, c.cols, a.cols, lda, ldb)
	unvectored := !e.foreign() && !gemm.Available()
	if unvectored && ta != blas.NoTrans && tb != blas.NoTrans {
		// gonum is slow at this, and good at rows times rows.
		a, ta, lda = packed(a), blas.NoTrans, a.cols
	}
	if unvectored && tb == blas.NoTrans && !finite(b) {
		// gonum passes over zeros in a, and so over the NaN they make with b.
		plain[T]{}.gemm(c, a, b, add)
		return
	}
	e.r.gemm(ta, tb, c.rows, c.cols, a.cols, a.data[a.off:], lda, b.data[b.off:], ldb, betaOf[T](add), c.data[c.off:], c.rs)
}

func (e blasEngine[T, R]) gemv(c, a, b mat[T], add bool) {
	a, ta, lda := blasOperand(a)
	if ta != blas.NoTrans {
		a = a.t()
	}
	checkExtents(e.r.implementation(), a.rows, a.cols, lda)
	y := c.data[c.off:][:(c.rows-1)*c.rs+1] // gonum's Sgemv sets to zero all of what it gets
	e.r.gemv(ta, a.rows, a.cols, a.data[a.off:], lda, b.data[b.off:], b.rs, betaOf[T](add), y, c.rs)
}

// betaOf is what BLAS multiplies c by before it adds a·b.
func betaOf[T nd.Number](add bool) T {
	if add {
		return 1
	}
	return 0
}

// threads tells that a foreign BLAS spreads all its routines over threads of its
// own; gonum's does so only in gemm, and package gemm never.
func (e blasEngine[T, R]) threads() (products, gemv bool) {
	return e.foreign() || !gemm.Available(), e.foreign()
}

func (e blasEngine[T, R]) foreign() bool { return isForeign(e.r.implementation()) }

// foreignLimit is the largest extent that a BLAS behind cgo can count.
var foreignLimit = math.MaxInt32

// checkExtents panics if a foreign BLAS cannot count an extent, which would be
// cut off without a word.
func checkExtents(implementation any, extents ...int) {
	if !isForeign(implementation) {
		return
	}
	for _, n := range extents {
		if n > foreignLimit {
			misuse.Panic("a rank's part has an extent of %d, and the registered BLAS counts in 32 bits: take more ranks, or build without the tag cblas", n)
		}
	}
}

// isForeign reports whether a BLAS is another than gonum's.
func isForeign(implementation any) bool {
	_, own := implementation.(gonum.Implementation)
	return !own
}

// blasOperand returns m, or a copy of it if BLAS cannot read it where it is.
func blasOperand[T nd.Number](m mat[T]) (mat[T], blas.Transpose, int) {
	trans, ld, ok := m.blasLayout()
	if !ok {
		m = packed(m)
		trans, ld = false, m.cols
	}
	if trans {
		return m, blas.Trans, ld
	}
	return m, blas.NoTrans, ld
}

// finite reports whether m has neither NaN nor Inf.
func finite[T nd.Number](m mat[T]) bool {
	if abs(m.rs) < abs(m.cs) {
		m = m.t()
	}
	for i := range m.rows {
		var sum T
		at := m.off + i*m.rs
		for range m.cols {
			v := m.data[at]
			sum += v - v
			at += m.cs
		}
		if sum != 0 {
			return false
		}
	}
	return true
}

type float64BLAS struct{}

func (float64BLAS) gemm(ta, tb blas.Transpose, m, n, k int, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	dgemm(ta, tb, m, n, k, 1, a, lda, b, ldb, beta, c, ldc)
}

// dgemm is the registered BLAS, or package gemm in place of gonum's.
func dgemm(ta, tb blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	if e := blas64.Implementation(); isForeign(e) || !gemm.Available() {
		e.Dgemm(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	gemm.Mul(ta != blas.NoTrans, tb != blas.NoTrans, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
}

func (float64BLAS) gemv(ta blas.Transpose, m, n int, a []float64, lda int, x []float64, incx int, beta float64, y []float64, incy int) {
	blas64.Implementation().Dgemv(ta, m, n, 1, a, lda, x, incx, beta, y, incy)
}

func (float64BLAS) implementation() any { return blas64.Implementation() }

type float32BLAS struct{}

func (float32BLAS) gemm(ta, tb blas.Transpose, m, n, k int, a []float32, lda int, b []float32, ldb int, beta float32, c []float32, ldc int) {
	sgemm(ta, tb, m, n, k, 1, a, lda, b, ldb, beta, c, ldc)
}

// sgemm is as dgemm.
func sgemm(ta, tb blas.Transpose, m, n, k int, alpha float32, a []float32, lda int, b []float32, ldb int, beta float32, c []float32, ldc int) {
	if e := blas32.Implementation(); isForeign(e) || !gemm.Available() {
		e.Sgemm(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	gemm.Mul(ta != blas.NoTrans, tb != blas.NoTrans, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
}

func (float32BLAS) gemv(ta blas.Transpose, m, n int, a []float32, lda int, x []float32, incx int, beta float32, y []float32, incy int) {
	blas32.Implementation().Sgemv(ta, m, n, 1, a, lda, x, incx, beta, y, incy)
}

func (float32BLAS) implementation() any { return blas32.Implementation() }

type complex128BLAS struct{}

func (complex128BLAS) gemm(ta, tb blas.Transpose, m, n, k int, a []complex128, lda int, b []complex128, ldb int, beta complex128, c []complex128, ldc int) {
	cblas128.Implementation().Zgemm(ta, tb, m, n, k, 1, a, lda, b, ldb, beta, c, ldc)
}

func (complex128BLAS) gemv(ta blas.Transpose, m, n int, a []complex128, lda int, x []complex128, incx int, beta complex128, y []complex128, incy int) {
	cblas128.Implementation().Zgemv(ta, m, n, 1, a, lda, x, incx, beta, y, incy)
}

func (complex128BLAS) implementation() any { return cblas128.Implementation() }

type complex64BLAS struct{}

func (complex64BLAS) gemm(ta, tb blas.Transpose, m, n, k int, a []complex64, lda int, b []complex64, ldb int, beta complex64, c []complex64, ldc int) {
	cblas64.Implementation().Cgemm(ta, tb, m, n, k, 1, a, lda, b, ldb, beta, c, ldc)
}

func (complex64BLAS) gemv(ta blas.Transpose, m, n int, a []complex64, lda int, x []complex64, incx int, beta complex64, y []complex64, incy int) {
	cblas64.Implementation().Cgemv(ta, m, n, 1, a, lda, x, incx, beta, y, incy)
}

func (complex64BLAS) implementation() any { return cblas64.Implementation() }
