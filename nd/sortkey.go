package nd

import (
	"math"

	"caloric/internal/keysort"
)

// Everything that depends on the order of elements works on keys: numbers that
// are ordered as the elements are, and that are sorted by their bits. A key has
// the elements' size, so keys travel in the elements' place. Complex numbers of
// 128 bits have a key of two halves, carried in a complex128; see [wideKeys].

// unsigned is the set of key types of one word.
type unsigned interface {
	uint8 | uint16 | uint32 | uint64
}

// coding says how elements become keys.
type coding uint8

const (
	descending coding = 1 << iota // large elements first, NaN last all the same
	equalZeros                    // -0 becomes 0, where keys are compared for equality
	equalNaNs                     // every complex number with a NaN part becomes NaN in both
)

// A coder turns elements into keys and back. NaN becomes the largest key of all,
// and comes back as NaN. Both loops work on slices of one length, which may be the
// same memory.
type coder[T, K Element] interface {
	encode(dst []K, src []T, c coding)
	decode(dst []T, src []K, c coding)
}

type boolCoder struct{}

func (boolCoder) encode(dst []uint8, src []bool, c coding) {
	for i, x := range src {
		dst[i] = 0
		if x != (c&descending != 0) {
			dst[i] = 1
		}
	}
}

func (boolCoder) decode(dst []bool, src []uint8, c coding) {
	for i, k := range src {
		dst[i] = (k != 0) != (c&descending != 0)
	}
}

// intCoder codes integers: signed ones with their sign bit flipped.
type intCoder[T Integer, K unsigned] struct{}

func (intCoder[T, K]) flip(c coding) K {
	var k K
	if T(0)-1 < 0 {
		k = ^(^K(0) >> 1)
	}
	if c&descending != 0 {
		k = ^k
	}
	return k
}

func (o intCoder[T, K]) encode(dst []K, src []T, c coding) {
	flip := o.flip(c)
	for i, x := range src[:len(dst)] {
		dst[i] = K(x) ^ flip
	}
}

func (o intCoder[T, K]) decode(dst []T, src []K, c coding) {
	flip := o.flip(c)
	for i, k := range src[:len(dst)] {
		dst[i] = T(k ^ flip)
	}
}

// key64 returns the key of x: of positive numbers the sign bit is set, of
// negative ones all bits are flipped.
func key64(x float64, c coding) uint64 {
	if x != x {
		return math.MaxUint64
	}
	if c&equalZeros != 0 {
		x += 0 // turns -0 into 0
	}
	b := math.Float64bits(x)
	b ^= uint64(int64(b)>>63) | 1<<63
	if c&descending != 0 {
		b = ^b
	}
	return b
}

func float64OfKey(k uint64, c coding) float64 {
	if k == math.MaxUint64 {
		return math.NaN()
	}
	if c&descending != 0 {
		k = ^k
	}
	return math.Float64frombits(k ^ (^uint64(int64(k)>>63) | 1<<63))
}

func key32(x float32, c coding) uint32 {
	if x != x {
		return math.MaxUint32
	}
	if c&equalZeros != 0 {
		x += 0
	}
	b := math.Float32bits(x)
	b ^= uint32(int32(b)>>31) | 1<<31
	if c&descending != 0 {
		b = ^b
	}
	return b
}

func float32OfKey(k uint32, c coding) float32 {
	if k == math.MaxUint32 {
		return float32(math.NaN())
	}
	if c&descending != 0 {
		k = ^k
	}
	return math.Float32frombits(k ^ (^uint32(int32(k)>>31) | 1<<31))
}

type float64Coder struct{}

func (float64Coder) encode(dst []uint64, src []float64, c coding) {
	if keysort.Vectors {
		keysort.Encode64(dst, src[:len(dst)], c&equalZeros != 0, c&descending != 0)
		return
	}
	for i, x := range src[:len(dst)] {
		dst[i] = key64(x, c)
	}
}

func (float64Coder) decode(dst []float64, src []uint64, c coding) {
	if keysort.Vectors {
		keysort.Decode64(dst, src[:len(dst)], c&descending != 0)
		return
	}
	for i, k := range src[:len(dst)] {
		dst[i] = float64OfKey(k, c)
	}
}

type float32Coder struct{}

func (float32Coder) encode(dst []uint32, src []float32, c coding) {
	if keysort.Vectors {
		keysort.Encode32(dst, src[:len(dst)], c&equalZeros != 0, c&descending != 0)
		return
	}
	for i, x := range src[:len(dst)] {
		dst[i] = key32(x, c)
	}
}

func (float32Coder) decode(dst []float32, src []uint32, c coding) {
	if keysort.Vectors {
		keysort.Decode32(dst, src[:len(dst)], c&descending != 0)
		return
	}
	for i, k := range src[:len(dst)] {
		dst[i] = float32OfKey(k, c)
	}
}

// Complex numbers are ordered by their real, then by their imaginary part. After
// all others come those with a NaN imaginary part, ordered by the real one, then
// those with a NaN real part, and last those that are NaN in both, as in NumPy.
// The first half of a key is the real part's, or says which part is NaN: no
// number has the five largest keys.

type complex128Coder struct{}

func (complex128Coder) encode(dst []complex128, src []complex128, c coding) {
	for i, z := range src[:len(dst)] {
		re, im := key64(real(z), c|equalZeros), key64(imag(z), c)
		switch {
		case re == math.MaxUint64 && im == math.MaxUint64:
		case c&equalNaNs != 0 && (re == math.MaxUint64 || im == math.MaxUint64):
			re, im = math.MaxUint64, math.MaxUint64
		case re == math.MaxUint64:
			re = math.MaxUint64 - 1
		case im == math.MaxUint64:
			re, im = math.MaxUint64-2, re
		}
		dst[i] = wideKey(re, im)
	}
}

func (complex128Coder) decode(dst []complex128, src []complex128, c coding) {
	for i, k := range src[:len(dst)] {
		re, im := halves(k)
		switch re {
		case math.MaxUint64, math.MaxUint64 - 1:
			re = math.MaxUint64
		case math.MaxUint64 - 2:
			re, im = im, math.MaxUint64
		}
		dst[i] = complex(float64OfKey(re, c), float64OfKey(im, c))
	}
}

type complex64Coder struct{}

func (complex64Coder) encode(dst []uint64, src []complex64, c coding) {
	for i, z := range src[:len(dst)] {
		re, im := key32(real(z), c|equalZeros), key32(imag(z), c)
		switch {
		case re == math.MaxUint32 && im == math.MaxUint32:
		case c&equalNaNs != 0 && (re == math.MaxUint32 || im == math.MaxUint32):
			re, im = math.MaxUint32, math.MaxUint32
		case re == math.MaxUint32:
			re = math.MaxUint32 - 1
		case im == math.MaxUint32:
			re, im = math.MaxUint32-2, re
		}
		dst[i] = uint64(re)<<32 | uint64(im)
	}
}

func (complex64Coder) decode(dst []complex64, src []uint64, c coding) {
	for i, k := range src[:len(dst)] {
		re, im := uint32(k>>32), uint32(k)
		switch re {
		case math.MaxUint32, math.MaxUint32 - 1:
			re = math.MaxUint32
		case math.MaxUint32 - 2:
			re, im = im, math.MaxUint32
		}
		dst[i] = complex(float32OfKey(re, c), float32OfKey(im, c))
	}
}
