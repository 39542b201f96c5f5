package random

import (
	"math/bits"
	"slices"
	"sort"

	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// Permutation returns the numbers 0, 1, … n-1 in random order, all n! orders
// equally likely.
//
// It is the shuffle of Rao, "Generation of random permutation of given number of
// elements using random sampling numbers", Sankhya A 23 (1961), and Sandelius,
// "A simple randomization procedure", J. R. Statist. Soc. B 24 (1962): every
// number goes to a bucket of its own choice, then each bucket is shuffled. Each
// rank looks at all n choices, which takes some 4 ns each, but stores and
// shuffles only the buckets that it holds a part of. A keyed bijection of the
// index would save it the choices, but is not uniform over the n! orders.
//
// Collective, as every rank takes the draw. Result split: axis (0 or None),
// balanced. Communication: none. Extra memory: two buckets, each of a thousand
// numbers or of n/65536, and a table of up to 1 MB. Panics if axis is out of range or n is negative.
func Permutation(g *Generator, c *spmd.Comm, n int, axis nd.Axis) *nd.NDArray[int64] {
	misuse.Check(split.Check(nd.Shape{n}, axis, c.Size()))
	return permutationOf(g, c, split.Block(nd.Shape{n}, axis, c.Size()))
}

// PermutationInto sets dst, a vector of any layout, to the permutation that
// [Permutation] would return.
//
// Collective, as every rank takes the draw. Result split: dst's. Communication:
// none. Extra memory: one block of the result and as for Permutation. Panics if
// dst is not a vector.
func PermutationInto(g *Generator, dst *nd.NDArray[int64]) {
	if dst.NDim() != 1 {
		misuse.Panic("a permutation is a vector, not an array of shape %v", dst.Shape())
	}
	nd.CopyInto(dst, permutationOf(g, dst.Comm(), dst.Layout()))
}

func permutationOf(g *Generator, c *spmd.Comm, l *split.Layout) *nd.NDArray[int64] {
	n := l.Shape()[0]
	lo, hi := 0, n
	if !l.Replicated() {
		lo, hi = l.Range(c.Rank())
	}
	return nd.Wrap(c, l, permutation(g.next(c), n, lo, hi))
}

// permutation returns elements lo ≤ i < hi of the permutation of n numbers in draw s.
func permutation(s stream, n, lo, hi int) []int64 {
	if lo == hi {
		return nil
	}
	width := bucketBits(n)
	starts := bucketStarts(s, n, width)
	first := sort.SearchInts(starts, lo+1) - 1 // the buckets of elements lo and hi-1
	last := sort.SearchInts(starts, hi) - 1
	base := starts[first]
	out := make([]int64, starts[last+1]-base)
	next := slices.Clone(starts[first : last+1])
	var buf choices
	for i := 0; i < n; {
		for _, b := range buf.from(s, i, n, width) {
			if k := int(b) - first; 0 <= k && k < len(next) {
				out[next[k]-base] = int64(i)
				next[k]++
			}
			i++
		}
	}
	for b := first; b <= last; b++ {
		shuffle(out[starts[b]-base:starts[b+1]-base], s, b)
	}
	return out[lo-base : hi-base]
}

// bucketStarts returns the element of the permutation at which each bucket starts, and n.
func bucketStarts(s stream, n, width int) []int {
	starts := make([]int, 1<<width+1)
	var buf choices
	for i := 0; i < n; {
		c := buf.from(s, i, n, width)
		for _, b := range c {
			starts[b+1]++
		}
		i += len(c)
	}
	for b := range 1 << width {
		starts[b+1] += starts[b]
	}
	return starts
}

// bucketBits returns the number of bits of a choice among the buckets for n
// numbers. It depends on n alone, as the permutation depends on it. Buckets of
// about a thousand numbers are shuffled in the cache.
func bucketBits(n int) int { return max(0, min(bits.Len(uint(n))-10, 16)) }

// choices is memory for some numbers' choices of a bucket.
type choices struct {
	words   [batch]uint64
	buckets [4 * batch]uint32
}

// from returns the choices of i, i+1, … less than n, as many as fit. i is a
// multiple of 4. The choice is the highest bits of one of the quarters of word i/4.
func (c *choices) from(s stream, i, n, width int) []uint32 {
	words := s.words(&c.words, uint64(i/4), (n-i+3)/4)
	for k, w := range words {
		q := c.buckets[4*k : 4*k+4 : 4*k+4]
		q[0] = uint32(w) & 0xffff >> (16 - width)
		q[1] = uint32(w>>16) & 0xffff >> (16 - width)
		q[2] = uint32(w>>32) & 0xffff >> (16 - width)
		q[3] = uint32(w>>48) >> (16 - width)
	}
	return c.buckets[:min(4*len(words), n-i)]
}

// shuffle puts bucket b in random order, all orders equally likely: Durstenfeld,
// "Algorithm 235: Random permutation", Comm. ACM 7 (1964).
func shuffle(bucket []int64, s stream, b int) {
	src := Source{s: s}
	src.s.part, src.s.use = uint64(b), shuffles
	for i := len(bucket) - 1; i > 0; i-- {
		j := src.below(uint64(i + 1))
		bucket[i], bucket[j] = bucket[j], bucket[i]
	}
}

// below returns a number less than span, all equally likely, from as many words
// as it takes.
func (s *Source) below(span uint64) uint64 {
	hi, lo := bits.Mul64(s.Uint64(), span)
	if lo < span {
		for excess := -span % span; lo < excess; {
			hi, lo = bits.Mul64(s.Uint64(), span)
		}
	}
	return hi
}
