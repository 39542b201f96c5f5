//go:build linux && amd64 && cgo && (mpi || cblas) && !nolibmvec

package vmath

// #cgo CFLAGS: -O3
// #cgo LDFLAGS: -lmvec -lm
// #cgo noescape vmath_unary64
// #cgo noescape vmath_unary32
// #cgo noescape vmath_binary64
// #cgo noescape vmath_binary32
// #cgo nocallback vmath_unary64
// #cgo nocallback vmath_unary32
// #cgo nocallback vmath_binary64
// #cgo nocallback vmath_binary32
// #include "libmvec.h"
import "C"

import "unsafe"

func init() {
	if C.vmath_supported() == 0 {
		return
	}
	vectorized = true
	for fn := range unary64 {
		if C.vmath_has_unary(C.int(fn)) != 0 {
			unary64[fn], unary32[fn] = libmvecUnary64(fn), libmvecUnary32(fn)
		}
	}
	for fn := range binary64 {
		if C.vmath_has_binary(C.int(fn)) != 0 {
			binary64[fn], binary32[fn] = libmvecBinary64(fn), libmvecBinary32(fn)
		}
	}
}

// setWide chooses AVX-512, or AVX2, for the tests of both. It returns what was chosen.
func setWide(on bool) (was bool) {
	n := C.int(0)
	if on {
		n = 1
	}
	return C.vmath_set_wide(n) != 0
}

// c64 and c32 return the address of s for C.
func c64(s []float64) *C.double { return (*C.double)(unsafe.SliceData(s)) }
func c32(s []float32) *C.float  { return (*C.float)(unsafe.SliceData(s)) }

func libmvecUnary64(fn int) func(dst, x []float64) {
	return func(dst, x []float64) { C.vmath_unary64(C.int(fn), c64(dst), c64(x), C.size_t(len(dst))) }
}

func libmvecUnary32(fn int) func(dst, x []float32) {
	return func(dst, x []float32) { C.vmath_unary32(C.int(fn), c32(dst), c32(x), C.size_t(len(dst))) }
}

func libmvecBinary64(fn int) func(dst, x, y []float64) {
	return func(dst, x, y []float64) {
		C.vmath_binary64(C.int(fn), c64(dst), c64(x), c64(y), C.size_t(len(dst)))
	}
}

func libmvecBinary32(fn int) func(dst, x, y []float32) {
	return func(dst, x, y []float32) {
		C.vmath_binary32(C.int(fn), c32(dst), c32(x), c32(y), C.size_t(len(dst)))
	}
}
