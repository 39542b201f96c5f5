package linalg

import (
	"math"

	"caloric/internal/kernel"
	"caloric/nd"

	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/cblas128"
	"gonum.org/v1/gonum/blas/cblas64"
)

// vectorKernels are the BLAS routines on contiguous vectors of one type.
type vectorKernels[T nd.Inexact] interface {
	norm(x []T) float64 // neither overflows nor underflows
	dot(x, y []T) T     // Σ conj(x)·y
	axpy(a T, x, y []T) // y += a·x
	scale(a T, x []T)   // x *= a
	conj(x []T)
	epsilon() float64 // the distance from 1 to the next number
	tiny() float64    // below it a reciprocal may overflow
}

func vectorsOf[T nd.Inexact]() vectorKernels[T] {
	var zero T
	var v any
	switch any(zero).(type) {
	case float32:
		v = float32Vectors{}
	case float64:
		v = float64Vectors{}
	case complex64:
		v = complex64Vectors{}
	case complex128:
		v = complex128Vectors{}
	}
	return v.(vectorKernels[T])
}

type doublePrecision struct{}

func (doublePrecision) epsilon() float64 { return 0x1p-52 }
func (doublePrecision) tiny() float64    { return 0x1p-960 }

type singlePrecision struct{}

func (singlePrecision) epsilon() float64 { return 0x1p-23 }
func (singlePrecision) tiny() float64    { return 0x1p-100 }

type float64Vectors struct{ doublePrecision }

func (float64Vectors) norm(x []float64) float64 {
	if s := kernel.Dot(x, x); 0x1p-900 < s && s < 0x1p900 {
		return math.Sqrt(s)
	}
	return blas64.Implementation().Dnrm2(len(x), x, 1)
}
func (float64Vectors) dot(x, y []float64) float64 {
	return blas64.Implementation().Ddot(len(x), x, 1, y, 1)
}
func (float64Vectors) axpy(a float64, x, y []float64) {
	blas64.Implementation().Daxpy(len(x), a, x, 1, y, 1)
}
func (float64Vectors) scale(a float64, x []float64) { blas64.Implementation().Dscal(len(x), a, x, 1) }
func (float64Vectors) conj([]float64)               {}

type float32Vectors struct{ singlePrecision }

func (float32Vectors) norm(x []float32) float64 {
	return math.Sqrt(kernel.Dot(x, x))
}
func (float32Vectors) dot(x, y []float32) float32 {
	return blas32.Implementation().Sdot(len(x), x, 1, y, 1)
}
func (float32Vectors) axpy(a float32, x, y []float32) {
	blas32.Implementation().Saxpy(len(x), a, x, 1, y, 1)
}
func (float32Vectors) scale(a float32, x []float32) { blas32.Implementation().Sscal(len(x), a, x, 1) }
func (float32Vectors) conj([]float32)               {}

type complex128Vectors struct{ doublePrecision }

func (complex128Vectors) norm(x []complex128) float64 {
	return cblas128.Implementation().Dznrm2(len(x), x, 1)
}
func (complex128Vectors) dot(x, y []complex128) complex128 {
	return cblas128.Implementation().Zdotc(len(x), x, 1, y, 1)
}
func (complex128Vectors) axpy(a complex128, x, y []complex128) {
	cblas128.Implementation().Zaxpy(len(x), a, x, 1, y, 1)
}
func (complex128Vectors) scale(a complex128, x []complex128) {
	cblas128.Implementation().Zscal(len(x), a, x, 1)
}
func (complex128Vectors) conj(x []complex128) {
	for i, z := range x {
		x[i] = complex(real(z), -imag(z))
	}
}

type complex64Vectors struct{ singlePrecision }

func (complex64Vectors) norm(x []complex64) float64 {
	return float64(cblas64.Implementation().Scnrm2(len(x), x, 1))
}
func (complex64Vectors) dot(x, y []complex64) complex64 {
	return cblas64.Implementation().Cdotc(len(x), x, 1, y, 1)
}
func (complex64Vectors) axpy(a complex64, x, y []complex64) {
	cblas64.Implementation().Caxpy(len(x), a, x, 1, y, 1)
}
func (complex64Vectors) scale(a complex64, x []complex64) {
	cblas64.Implementation().Cscal(len(x), a, x, 1)
}
func (complex64Vectors) conj(x []complex64) {
	for i, z := range x {
		x[i] = complex(real(z), -imag(z))
	}
}
