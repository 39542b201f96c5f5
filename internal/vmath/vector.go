package vmath

import (
	"math/bits"
	"unsafe"
)

//go:generate go run -C ../asmgen ./vmath -out ../vmath/z_amd64.s -stubs ../vmath/z_amd64.go -calls ../vmath/z_calls_amd64.go -pkg vmath

// An instructionSet is what the functions are computed with.
type instructionSet int

const (
	pureGo instructionSet = iota
	avx2                  // with FMA
	avx512                // F, DQ and VL
)

// used is the set in use. Tests try the others.
var used = best()

// longest is the number of elements of a call, which cannot be preempted.
const longest = 4096

// most is the largest number of elements of a vector.
const most = 16

// byVectors sets dst to fn of x, and of y if fn has two operands (y is any slice as long
// if it has one). Elements that do not fill a vector are computed in one that is filled
// up, by the same instructions.
func byVectors[T Float](fn int, dst, x, y []T) {
	wide := used == avx512
	lanes := 32 / int(unsafe.Sizeof(*new(T)))
	if wide {
		lanes *= 2
	}
	if unsafe.Sizeof(*new(T)) == 4 && inDouble[fn] {
		lanes /= 2
	}
	for len(dst) >= lanes {
		n := min(len(dst), longest) &^ (lanes - 1)
		if note := vector(fn, wide, &dst[0], &x[0], &y[0], n); note != 0 {
			n = note >> 16 / int(unsafe.Sizeof(dst[0]))
			for flags := uint(note) & 0xffff; flags != 0; flags &= flags - 1 {
				i := n + bits.TrailingZeros(flags)
				inGo(fn, dst[i:i+1], x[i:i+1], y[i:i+1])
			}
			n += lanes
		}
		dst, x, y = dst[n:], x[n:], y[n:]
	}
	if len(dst) == 0 {
		return
	}
	var z, u, v [most]T
	for i := range lanes {
		u[i], v[i] = x[0], y[0]
	}
	copy(u[:], x[:len(dst)])
	copy(v[:], y[:len(dst)])
	flags := vector(fn, wide, &z[0], &u[0], &v[0], lanes)
	for i := range dst {
		if flags>>i&1 == 0 {
			dst[i] = z[i]
		} else {
			inGo(fn, dst[i:i+1], x[i:i+1], y[i:i+1])
		}
	}
}

// vector calls function fn for n elements, a multiple of what a vector holds. It ends at
// the first vector with lanes that are left to Go, of which it sets the others, and
// returns the byte where that vector begins times 2¹⁶ plus the bits of those lanes; 0 if
// there is none.
func vector[T Float](fn int, wide bool, dst, x, y *T, n int) int {
	if unsafe.Sizeof(*dst) == 8 {
		return vector64(fn, wide, (*float64)(unsafe.Pointer(dst)), (*float64)(unsafe.Pointer(x)), (*float64)(unsafe.Pointer(y)), n)
	}
	return vector32(fn, wide, (*float32)(unsafe.Pointer(dst)), (*float32)(unsafe.Pointer(x)), (*float32)(unsafe.Pointer(y)), n)
}
