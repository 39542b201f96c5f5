package random

import (
	"math/bits"

	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/spmd"
)

// Integers returns an array of integers lo ≤ x < hi, all exactly equally likely.
// See [Bits] for every value of T.
//
// A word is mapped to the range by the multiplication of Lemire, "Fast random
// integer generation in an interval", ACM TOMACS 29 (2019); one that would bias
// the result is replaced by the next word of the same index.
//
// Collective, as every rank takes the draw. Result split: axis, balanced.
// Communication: none. Panics if axis is out of range, an extent is negative,
// or hi ≤ lo.
func Integers[T nd.Integer](g *Generator, c *spmd.Comm, shape nd.Shape, axis nd.Axis, lo, hi T) *nd.NDArray[T] {
	a := nd.Empty[T](c, shape, axis)
	IntegersInto(g, a, lo, hi)
	return a
}

// IntegersInto sets dst, of any layout, to the array that [Integers] would return.
// It allocates nothing if dst is contiguous and small or its rank has one worker.
//
// Collective, as every rank takes the draw. Result split: dst's. Communication:
// none. Panics if hi ≤ lo.
func IntegersInto[T nd.Integer](g *Generator, dst *nd.NDArray[T], lo, hi T) {
	if hi <= lo {
		misuse.Panic("no integers from %d up to but excluding %d", lo, hi)
	}
	fill(g, dst, integers[T]{lo, uint64(hi) - uint64(lo)})
}

// Bits returns an array of integers of which every bit is 0 or 1 with equal
// probability: all values of T are equally likely.
//
// Collective, as every rank takes the draw. Result split: axis, balanced.
// Communication: none. Panics if axis is out of range or an extent is negative.
func Bits[T nd.Integer](g *Generator, c *spmd.Comm, shape nd.Shape, axis nd.Axis) *nd.NDArray[T] {
	a := nd.Empty[T](c, shape, axis)
	BitsInto(g, a)
	return a
}

// BitsInto sets dst, of any layout, to the array that [Bits] would return.
// It allocates nothing if dst is contiguous and small or its rank has one worker.
//
// Collective, as every rank takes the draw. Result split: dst's. Communication: none.
func BitsInto[T nd.Integer](g *Generator, dst *nd.NDArray[T]) { fill(g, dst, allBits[T]{}) }

// integers is the kernel of Integers.
type integers[T nd.Integer] struct {
	lo   T
	span uint64
}

func (k integers[T]) run(dst []T, s stream, first uint64) {
	var buf [batch]uint64
	for len(dst) > 0 {
		w := s.words(&buf, first, len(dst))
		d := dst[:len(w)]
		for i, x := range w {
			hi, lo := bits.Mul64(x, k.span)
			if lo < k.span {
				hi = redraw(s, first+uint64(i), hi, lo, k.span)
			}
			d[i] = k.lo + T(hi)
		}
		dst, first = dst[len(w):], first+uint64(len(w))
	}
}

// redraw returns hi, unless (hi, lo), the product of span and word i, is one of
// those that some results have in excess; then it tries the word of index i in
// the next parts of the draw.
func redraw(s stream, i, hi, lo, span uint64) uint64 {
	for excess := -span % span; lo < excess; {
		s.part++
		hi, lo = bits.Mul64(s.word(i), span)
	}
	return hi
}

// allBits is the kernel of Bits.
type allBits[T nd.Integer] struct{}

func (allBits[T]) run(dst []T, s stream, first uint64) {
	var buf [batch]uint64
	for len(dst) > 0 {
		w := s.words(&buf, first, len(dst))
		d := dst[:len(w)]
		for i, x := range w {
			d[i] = T(x)
		}
		dst, first = dst[len(w):], first+uint64(len(w))
	}
}
