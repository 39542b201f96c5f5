package random

import (
	"math/rand/v2"

	"caloric/nd"
	"caloric/spmd"
)

// A Distribution makes one random number from the words of r. The functions of
// this package that return one name the distributions of NumPy; any function will
// do, and those of gonum's stat/distuv take r as their Src:
//
//	random.Sample(g, c, shape, 0, func(r *rand.Rand) float64 {
//		return distuv.InverseGamma{Alpha: 3, Beta: 2, Src: r}.Rand()
//	})
//
// It may take as many words as it likes, and must depend on nothing else that
// changes: a rank's workers call it at the same time, in no certain order.
type Distribution[T nd.Element] func(r *rand.Rand) T

// Sample returns an array of independent numbers of a distribution. Every element
// has a sequence of words of its own, so that rejection does no harm to the rule
// that an element depends on its index alone.
//
//	waits := random.Sample(g, c, nd.Shape{1000}, 0, random.Exponential(2.5))
//
// [Uniform], [Normal], [Integers] and [Bits] are faster for what they do.
//
// Collective, as every rank takes the draw. Result split: axis, balanced.
// Communication: none. Panics if axis is out of range or an extent is negative.
func Sample[T nd.Element](g *Generator, c *spmd.Comm, shape nd.Shape, axis nd.Axis, d Distribution[T]) *nd.NDArray[T] {
	a := nd.Empty[T](c, shape, axis)
	SampleInto(g, a, d)
	return a
}

// SampleInto sets dst, of any layout, to the array that [Sample] would return.
//
// Collective, as every rank takes the draw. Result split: dst's. Communication: none.
func SampleInto[T nd.Element](g *Generator, dst *nd.NDArray[T], d Distribution[T]) {
	fill(g, dst, sampled[T]{d})
}

// sampled is the kernel of Sample.
type sampled[T nd.Element] struct{ d Distribution[T] }

func (k sampled[T]) run(dst []T, s stream, first uint64) {
	q := sequence{s: s}
	q.s.use = samples
	r := rand.New(&q)
	for i := range dst {
		q.element, q.taken = first+uint64(i), 0
		dst[i] = k.d(r)
	}
}

// sequence is the words of one element: four for each part.
type sequence struct {
	s       stream
	element uint64
	taken   uint64
	block   [4]uint64
}

// Uint64 implements [rand.Source].
func (q *sequence) Uint64() uint64 {
	k := q.taken % 4
	if k == 0 {
		q.s.part = q.taken / 4
		q.block[0], q.block[1], q.block[2], q.block[3] = q.s.block(q.element)
	}
	q.taken++
	return q.block[k]
}
