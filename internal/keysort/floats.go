package keysort

import "math"

// Encode64 sets dst to the keys of src: numbers in the order of the floats, that
// of NaN the largest, with -0 before 0 or, if equalZeros is set, the same. With
// descending the order is the other way round, but NaN stays last.
func Encode64(dst []uint64, src []float64, equalZeros, descending bool) {
	if len(src) == 0 {
		return
	}
	zero, flip := uint64(1<<63), uint64(0)
	if equalZeros {
		zero = 0
	}
	if descending {
		flip = math.MaxUint64
	}
	_ = dst[len(src)-1]
	encodeFloats64(&dst[0], &src[0], len(src), zero, flip)
}

// Decode64 sets dst to the numbers of which src are the keys; see [Encode64].
func Decode64(dst []float64, src []uint64, descending bool) {
	if len(src) == 0 {
		return
	}
	flip := uint64(0)
	if descending {
		flip = math.MaxUint64
	}
	_ = dst[len(src)-1]
	decodeFloats64(&dst[0], &src[0], len(src), flip)
}

// Encode32 is [Encode64] of float32.
func Encode32(dst []uint32, src []float32, equalZeros, descending bool) {
	if len(src) == 0 {
		return
	}
	zero, flip := uint32(1<<31), uint32(0)
	if equalZeros {
		zero = 0
	}
	if descending {
		flip = math.MaxUint32
	}
	_ = dst[len(src)-1]
	encodeFloats32(&dst[0], &src[0], len(src), zero, flip)
}

// Decode32 is [Decode64] of float32.
func Decode32(dst []float32, src []uint32, descending bool) {
	if len(src) == 0 {
		return
	}
	flip := uint32(0)
	if descending {
		flip = math.MaxUint32
	}
	_ = dst[len(src)-1]
	decodeFloats32(&dst[0], &src[0], len(src), flip)
}
