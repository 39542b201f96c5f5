package vmath

import (
	"math"
	"unsafe"
)

// The processor's conversions to float64 keep the upper half of the register that they
// write to, and so wait for whatever wrote it last: usually the result of the element
// before. These ones do not, and let elements overlap.

// widenFinite returns *p as a float64. Of a float32 that is infinite or NaN it returns a
// number of at least 2¹²⁸ in size. It takes an address so that the bits are loaded as
// an integer.
func widenFinite[T Float](p *T) float64 {
	if unsafe.Sizeof(*p) == 8 {
		return float64(*p)
	}
	b := int64(*(*int32)(unsafe.Pointer(p))) << 29
	return math.Float64frombits(uint64(b)&0x8fffffffffffffff) * 0x1p896
}

// widen returns *p as a float64.
func widen[T Float](p *T) float64 {
	if unsafe.Sizeof(*p) == 8 {
		return float64(*p)
	}
	if v := widenFinite(p); math.Abs(v) < 0x1p128 {
		return v
	}
	return float64(*p)
}

// beyond returns the bits of the least number that widenFinite does not return of a
// finite T.
func beyond[T Float]() uint64 {
	if unsafe.Sizeof(*new(T)) == 8 {
		return infinity
	}
	return 0x47f0000000000000
}

// whole returns n, which is small, as a float64.
func whole(n int64) float64 {
	return math.Float64frombits(uint64(n)+0x4338000000000000) - shifter
}
