package linalg

import (
	"math"

	"caloric/nd"

	"gonum.org/v1/gonum/blas"
)

// reflector makes x a Householder vector v with v[0] = 1, and returns tau and
// beta, which is real, such that (I − tau·v·vᴴ)ᴴ takes the x that was to beta
// times the first unit vector (LAPACK's larfg). If there is nothing to do, tau is 0.
func reflector[T nd.Inexact](k vectorKernels[T], x []T) (beta float64, tau T) {
	rest := k.norm(x[1:])
	re, im := parts(x[0])
	if rest == 0 && im == 0 {
		x[0] = 1
		return re, 0
	}
	size := math.Hypot(math.Hypot(re, im), rest)
	if size < k.tiny() {
		// A power of two keeps the reciprocal below in range.
		up := 1 / k.tiny()
		k.scale(inexact[T](up), x)
		beta, tau = reflector(k, x)
		return beta / up, tau
	}
	beta = -math.Copysign(size, re)
	tau = fromParts[T]((beta-re)/beta, -im/beta)
	k.scale(1/(x[0]-inexact[T](beta)), x[1:])
	x[0] = 1
	return beta, tau
}

// panelBase is the width up to which a panel is factored column by column.
const panelBase = 4

// qrPanel computes the QR factorization of a panel whose columns are the
// rows of wt, no more than there are columns of wt (Elmroth and Gustavson 2000, "Applying recursion to serial and
// parallel QR factorization leads to better performance"). It leaves R in wt, the
// Householder vectors in the rows of vt, which is zero on entry, and in t the
// triangle with H₁·H₂·… = I − V·T·Vᴴ (Schreiber and Van Loan 1989).
func qrPanel[T nd.Inexact](k vectorKernels[T], wt, vt, t mat[T], workers int) {
	b, m := wt.rows, wt.cols
	if b <= panelBase {
		qrPanelColumns(k, wt, vt, t)
		return
	}
	h := b / 2
	v1, t1 := vt.rowRange(0, h), t.rowRange(0, h).colRange(0, h)
	qrPanel(k, wt.rowRange(0, h), v1, t1, workers)
	applyPanel(k, wt.rowRange(h, b), v1, t1, true, workers)
	v2, t2 := vt.rowRange(h, b), t.rowRange(h, b).colRange(h, b)
	qrPanel(k, wt.rowRange(h, b).colRange(h, m), v2.colRange(h, m), t2, workers)
	// T₁₂ = −T₁·(V₁ᴴ·V₂)·T₂.
	cross := productOf(conjugated(k, v1), v2.t(), workers)
	copyNegative(t.rowRange(0, h).colRange(h, b), productOf(productOf(t1, cross, workers), t2, workers))
}

// qrPanelColumns is qrPanel, one column at a time.
func qrPanelColumns[T nd.Inexact](k vectorKernels[T], wt, vt, t mat[T]) {
	row := func(m mat[T], j int) []T { return m.data[m.off+j*m.rs:][:m.cols] }
	for j := range wt.rows {
		x, v := row(wt, j), row(vt, j)[j:]
		copy(v, x[j:])
		beta, tau := reflector(k, v)
		clear(x[j+1:])
		x[j] = inexact[T](beta)
		for c := j + 1; c < wt.rows; c++ {
			y := row(wt, c)[j:]
			k.axpy(-conjugateOf(tau)*k.dot(v, y), v, y)
		}
		for i := range j {
			// Column j of T: −tau·T·(Vᴴ·v), upper part.
			t.data[t.off+i*t.rs+j] = -tau * k.dot(row(vt, i)[j:], v)
		}
		for i := range j {
			var sum T
			for l := i; l < j; l++ {
				sum += t.data[t.off+i*t.rs+l] * t.data[t.off+l*t.rs+j]
			}
			t.data[t.off+i*t.rs+j] = sum
		}
		t.data[t.off+j*t.rs+j] = tau
	}
}

// applyPanel multiplies the matrix whose columns are the rows of ct by
// I − V·T·Vᴴ from the left, or by its adjoint. The rows of vt are V's columns.
func applyPanel[T nd.Inexact](k vectorKernels[T], ct, vt, t mat[T], adjoint bool, workers int) {
	if ct.rows == 0 || vt.rows == 0 {
		return
	}
	w, f := conjugated(k, vt).t(), t.t()
	if adjoint {
		f = conjugated(k, t)
	}
	y := productOf(productOf(ct, w, workers), f, workers)
	level3Of[T](workers).sub(blas.NoTrans, ct, y, vt)
}

// conjugated returns the complex conjugate of m, m itself for real types.
func conjugated[T nd.Inexact](k vectorKernels[T], m mat[T]) mat[T] {
	if !isComplex[T]() {
		return m
	}
	m = packed(m)
	k.conj(m.data)
	return m
}

// productOf returns a·b in new memory.
func productOf[T nd.Inexact](a, b mat[T], workers int) mat[T] {
	c := dense(make([]T, a.rows*b.cols), a.rows, b.cols)
	multiply(c, a, b, workers)
	return c
}

func copyNegative[T nd.Inexact](dst, src mat[T]) {
	for i := range src.rows {
		for j := range src.cols {
			dst.data[dst.off+i*dst.rs+j*dst.cs] = -src.data[src.off+i*src.rs+j*src.cs]
		}
	}
}
