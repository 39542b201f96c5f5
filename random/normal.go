package random

import (
	"math"

	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/spmd"
)

// Normal returns an array of normally distributed numbers of the given mean and
// standard deviation.
//
// Each is the normal quantile of one word of 64 bits, in float64 and then rounded
// to T: symmetric, monotone in the word, and accurate to a few units in the last
// place up to the ends at mean ± 9.155·std. The quantile is algorithm AS 241,
// PPND16, of Wichura, "The percentage points of the normal distribution",
// Applied Statistics 37 (1988). Beyond 1.44·std it takes a logarithm, whose last
// bit may differ between kinds of processors.
//
// Collective, as every rank takes the draw. Result split: axis, balanced.
// Communication: none. Panics if axis is out of range, an extent is negative,
// std < 0, or mean or std is not finite.
func Normal[T nd.Float](g *Generator, c *spmd.Comm, shape nd.Shape, axis nd.Axis, mean, std T) *nd.NDArray[T] {
	a := nd.Empty[T](c, shape, axis)
	NormalInto(g, a, mean, std)
	return a
}

// NormalInto sets dst, of any layout, to the array that [Normal] would return.
// It allocates nothing if dst is contiguous and small or its rank has one worker.
//
// Collective, as every rank takes the draw. Result split: dst's. Communication:
// none. Panics if std < 0, or mean or std is not finite.
func NormalInto[T nd.Float](g *Generator, dst *nd.NDArray[T], mean, std T) {
	m, s := float64(mean), float64(std)
	if !(s >= 0) || math.IsInf(s, 1) || math.IsNaN(m) || math.IsInf(m, 0) {
		misuse.Panic("no normal numbers of mean %v and standard deviation %v", mean, std)
	}
	fill(g, dst, normal[T]{m, s})
}

// normal is the kernel of Normal.
type normal[T nd.Float] struct{ mean, std float64 }

func (k normal[T]) run(dst []T, s stream, first uint64) {
	var buf [batch]uint64
	for len(dst) > 0 {
		w := s.words(&buf, first, len(dst))
		d := dst[:len(w)]
		done := k.convertVectors(d, w)
		d, w = d[done:], w[done:]
		for i, x := range w {
			d[i] = T(k.mean + float64(k.std*quantile(x)))
		}
		dst, first = dst[done+len(w):], first+uint64(done+len(w))
	}
}

// quantile returns the number below which a standard normal variable lies with
// probability 1/2 + (w+1/2)/2⁶⁴, where w is read as a signed number.
func quantile(w uint64) float64 {
	q := (float64(int64(w)) + 0.5) * 0x1p-64
	if q >= -0.425 && q <= 0.425 {
		return central(q)
	}
	return tail(w)
}
