package random

import (
	"math"

	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/spmd"
)

// Uniform returns an array of numbers lo ≤ x < hi, all equally likely: lo plus
// hi-lo times a multiple of 2⁻⁵³ for float64, of 2⁻²⁴ for float32. If lo and hi
// are equal, so is every element.
//
// Collective, as every rank takes the draw. Result split: axis, balanced.
// Communication: none. Panics if axis is out of range, an extent is negative,
// hi < lo, or hi-lo is not finite.
func Uniform[T nd.Float](g *Generator, c *spmd.Comm, shape nd.Shape, axis nd.Axis, lo, hi T) *nd.NDArray[T] {
	a := nd.Empty[T](c, shape, axis)
	UniformInto(g, a, lo, hi)
	return a
}

// UniformInto sets dst, of any layout, to the array that [Uniform] would return.
// It allocates nothing if dst is contiguous and small or its rank has one worker.
//
// Collective, as every rank takes the draw. Result split: dst's. Communication:
// none. Panics if hi < lo or hi-lo is not finite.
func UniformInto[T nd.Float](g *Generator, dst *nd.NDArray[T], lo, hi T) {
	if width := float64(hi - lo); !(width >= 0) || math.IsInf(width, 1) {
		misuse.Panic("no uniform numbers from %v to %v", lo, hi)
	}
	fill(g, dst, newUniform(lo, hi))
}

// uniform is the kernel of Uniform.
type uniform[T nd.Float] struct {
	lo, width T
	last      T    // the largest result
	shift     uint // what is left of a word are the bits of T's significand
	unit      T    // what the lowest of them stands for
}

func newUniform[T nd.Float](lo, hi T) uniform[T] {
	u := uniform[T]{lo: lo, width: hi - lo}
	switch any(lo).(type) {
	case float32:
		u.shift, u.unit = 64-24, 0x1p-24
		u.last = T(math.Nextafter32(float32(hi), float32(lo)))
	case float64:
		u.shift, u.unit = 64-53, 0x1p-53
		u.last = T(math.Nextafter(float64(hi), float64(lo)))
	}
	return u
}

func (u uniform[T]) run(dst []T, s stream, first uint64) {
	var buf [batch]uint64
	for len(dst) > 0 {
		w := s.words(&buf, first, len(dst))
		u.convert(dst, w)
		dst, first = dst[len(w):], first+uint64(len(w))
	}
}

// convert sets dst to the numbers that the words stand for. The conversion of the
// product keeps compilers from fusing it with the sum, so that every machine
// gives the same bits.
func (u *uniform[T]) convert(dst []T, words []uint64) {
	lo, width, last, unit, shift := u.lo, u.width, u.last, u.unit, u.shift&63
	dst = dst[:len(words)]
	done := u.convertVectors(dst, words)
	dst, words = dst[done:], words[done:]
	for i, w := range words {
		v := lo + T(width*(T(int64(w>>shift))*unit))
		if v > last { // rounded up to hi
			v = last
		}
		dst[i] = v
	}
}
