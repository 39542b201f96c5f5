package nd

import (
	"caloric/internal/misuse"
	"caloric/split"
	"caloric/spmd"
)

// Bincount returns how often each number 0, 1, 2, … occurs in the vector x, up to
// the largest that does, and at least minLength counts.
//
// Collective unless x is replicated. Result split: None. Communication: two
// allreduces, of 16 bytes and of the result; none if x is replicated.
// Panics if x is no vector, a number is negative, or minLength is.
func Bincount[T Integer](x *NDArray[T], minLength int) *NDArray[int64] {
	src := x.Local()
	counts := newArray[int64](x.comm, bincountLayout(x, src, minLength))
	for _, v := range src {
		counts.data[v]++
	}
	if !x.layout.Replicated() {
		spmd.Allreduce(x.comm, counts.data, spmd.Sum)
	}
	return counts
}

// BincountWeights is [Bincount] with each number counted as often as weights, of
// x's shape, says at its place.
//
// Collective unless x and weights are replicated. Result split: None.
// Communication: as [Bincount], and one move of the weights if they are not split
// like x. Panics as [Bincount] does, or if the shapes differ.
func BincountWeights[T Integer, W Real](x *NDArray[T], weights *NDArray[W], minLength int) *NDArray[float64] {
	checkSameShape(weights, x)
	src := x.Local()
	l := bincountLayout(x, src, minLength)
	sums := newArray[float64](x.comm, l)
	for i, w := range localLike(x.layout, weights) {
		sums.data[src[i]] += float64(w)
	}
	if !x.layout.Replicated() {
		spmd.Allreduce(x.comm, sums.data, spmd.Sum)
	}
	return sums
}

// localLike returns this rank's elements of a, in C order, when it has layout l.
func localLike[T Element](l *split.Layout, a *NDArray[T]) []T { return moved(a, l).Local() }

// bincountLayout returns the layout of the counts of x, whose local part is src.
func bincountLayout[T Integer](x *NDArray[T], src []T, minLength int) *split.Layout {
	if x.NDim() != 1 || minLength < 0 {
		misuse.Panic("counts of %v, at least %d: a vector and a positive number are needed", x.layout, minLength)
	}
	// The largest number, and the largest of minus the numbers, in two's
	// complement, so that one allreduce finds both.
	ends := []int64{-1, -1}
	for _, v := range src {
		switch {
		case v < 0:
			ends[1] = max(ends[1], -int64(v)-1)
		case uint64(v) >= 1<<62:
			ends[0] = 1 << 62
		default:
			ends[0] = max(ends[0], int64(v))
		}
	}
	if !x.layout.Replicated() {
		spmd.Allreduce(x.comm, ends, spmd.Max)
	}
	if ends[1] >= 0 {
		misuse.Panic("the number %d is negative", -ends[1]-1)
	}
	if ends[0] >= 1<<40 {
		misuse.Panic("the number %d is too large to count up to", ends[0])
	}
	return split.Block(Shape{max(int(ends[0])+1, minLength)}, split.None, x.comm.Size())
}
