// Package kernel has the loops over short contiguous runs of floating-point
// numbers that reductions and elementwise operations spend their time in: with
// the vector instructions of the processor where it has AVX2, by way of
// github.com/viterin/vek, and as plain loops elsewhere.
//
// What a function returns depends on the numbers in the run alone, not on where
// it lies in memory. Sums are taken in an order that differs between processors
// with and without AVX2. The runs should be of some hundred to some thousand
// elements, so that a second look at them finds them in the cache.
//
// Every function is local and allocates nothing.
package kernel

import (
	"sync"

	"github.com/viterin/vek"
)

// Float is the set of types that have vector instructions.
type Float interface{ float32 | float64 }

// Real is the set of types of real numbers.
type Real interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | Float
}

// vectors tells that there are vector instructions. Tests turn it off.
var vectors = vek.Info().Acceleration

// short is the length below which a plain loop is as fast.
const short = 32

// Run is the longest run that is worked on at once.
const Run = 1024

// buffers holds memory for intermediate results.
var buffers = sync.Pool{New: func() any { return new(buffer) }}

type buffer [3][Run]float64
