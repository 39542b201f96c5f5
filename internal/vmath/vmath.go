// Package vmath computes elementary functions of slices of float64 and float32.
//
// On amd64 a function is a loop of vector instructions, of AVX-512 (F, DQ and VL) where the
// processor has it and of AVX2 and FMA where it has those. Both are written from one
// description, in internal/asmgen/vmath, do the same operations and give the same bits:
// a reduction of the argument and a polynomial, in the type itself (pow of float32 in
// float64). Lanes that it does not take, such as subnormal numbers and huge angles, it
// leaves to Go.
//
// In Go, elsewhere, a function is a loop that reduces its argument, looks up a table and
// evaluates a short polynomial, without branches that depend on the value, so that the
// processor overlaps several elements. Special values, subnormal numbers and arguments
// outside the common range take a slower path. float32 is computed in float64 and
// rounded once.
//
// Element i of a result depends on element i of the operands only: not on where in the
// slice it lies, nor on the other elements, so that an array's values do not depend on
// how it is cut into pieces. Between vectors and Go the last digits may differ.
//
// Errors are stated with each function, in units in the last place (ULP) of the exact
// result, of Go and of the vectors, and tested against math/big; 0.5 is the least that
// there can be. Special values are C's (IEEE 754-2019, clause 9.2). In every function
// dst may be an operand but not overlap one otherwise; operands are at least as long as
// dst. Nothing is allocated.
package vmath

import "unsafe"

// Float is the set of types of real floating-point numbers.
type Float interface{ float32 | float64 }

// The functions of one operand.
const (
	fnSqrt = iota
	fnCbrt
	fnExp
	fnExp2
	fnExpm1
	fnLog
	fnLog2
	fnLog10
	fnLog1p
	fnSin
	fnCos
	fnTan
	fnAsin
	fnAcos
	fnAtan
	fnSinh
	fnCosh
	fnTanh
	fnAsinh
	fnAcosh
	fnAtanh
	numUnary
)

// The functions of two operands.
const (
	fnPow = iota
	fnAtan2
	fnHypot
	numBinary
)

var goUnary64 = [numUnary]func(dst, x []float64){
	sqrtOf[float64], cbrtOf[float64],
	exp64, exp2Of[float64], expm1Of[float64],
	log64, log2Of[float64], log10Of[float64], log1pOf[float64],
	sin64, cos64, tanOf[float64], asinOf[float64], acosOf[float64], atanOf[float64],
	sinhOf[float64], coshOf[float64], tanhOf[float64], asinhOf[float64], acoshOf[float64], atanhOf[float64],
}

var goUnary32 = [numUnary]func(dst, x []float32){
	sqrtOf[float32], cbrtOf[float32],
	exp32, exp2Of[float32], expm1Of[float32],
	log32, log2Of[float32], log10Of[float32], log1pOf[float32],
	sin32, cos32, tanOf[float32], asinOf[float32], acosOf[float32], atanOf[float32],
	sinhOf[float32], coshOf[float32], tanhOf[float32], asinhOf[float32], acoshOf[float32], atanhOf[float32],
}

var goBinary64 = [numBinary]func(dst, x, y []float64){powOf[float64], atan2Of[float64], hypotOf[float64]}
var goBinary32 = [numBinary]func(dst, x, y []float32){powOf[float32], atan2Of[float32], hypotOf[float32]}

// as returns s, whose elements are of U's size, as a slice of U.
func as[U, T Float](s []T) []U {
	return unsafe.Slice((*U)(unsafe.Pointer(unsafe.SliceData(s))), len(s))
}

func unary[T Float](fn int, dst, x []T) {
	x = x[:len(dst)]
	if used == pureGo {
		inGo(fn, dst, x, x)
	} else {
		byVectors(fn, dst, x, x)
	}
}

func binary[T Float](fn int, dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	if used == pureGo {
		inGo(numUnary+fn, dst, x, y)
	} else {
		byVectors(numUnary+fn, dst, x, y)
	}
}

// inGo computes function fn in Go. Those of two operands are numbered after those of one.
func inGo[T Float](fn int, dst, x, y []T) {
	switch is64 := unsafe.Sizeof(*new(T)) == 8; {
	case fn < numUnary && is64:
		goUnary64[fn](as[float64](dst), as[float64](x))
	case fn < numUnary:
		goUnary32[fn](as[float32](dst), as[float32](x))
	case is64:
		goBinary64[fn-numUnary](as[float64](dst), as[float64](x), as[float64](y))
	default:
		goBinary32[fn-numUnary](as[float32](dst), as[float32](x), as[float32](y))
	}
}
