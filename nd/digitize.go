package nd

import (
	"slices"

	"caloric/internal/misuse"
	"caloric/split"
)

// Digitize returns for each element of x the bin that it falls in: the i for
// which bins[i-1] ≤ x < bins[i], or with right bins[i-1] < x ≤ bins[i]. Below the
// first bound it is 0, above the last, and for NaN, len(bins). If the bounds fall
// instead of rise, it is the i for which bins[i-1] > x ≥ bins[i], or with right
// bins[i-1] ≥ x > bins[i].
//
// Local if bins is replicated, else collective. Result split: x's.
// Communication: none if bins is replicated, else one allgatherv of it.
// Panics if bins is no vector, or neither rises nor falls throughout.
func Digitize[T Real](x, bins *NDArray[T], right bool) *NDArray[int64] {
	sameComm(x.comm, bins.comm)
	return unary(digitizer(bins, right), x)
}

// DigitizeInto sets dst to [Digitize] of x, which broadcasts to dst's shape.
//
// Local if bins is replicated and the layouts agree, else collective. Result split:
// dst's. Communication: as [Digitize], and one move of x if it is not split like dst.
// Panics as [Digitize] does, or if the shapes do not broadcast.
func DigitizeInto[T Real](dst *NDArray[int64], x, bins *NDArray[T], right bool) {
	sameComm(x.comm, bins.comm)
	unaryInto(digitizer(bins, right), dst, x)
}

func digitizer[T Real](bins *NDArray[T], right bool) binKernel[T] {
	b, falling := boundsOf(bins)
	if falling {
		slices.Reverse(b)
	}
	return binKernel[T]{b, right, falling}
}

// Bucketize returns for each element of x the i for which bounds[i-1] < x ≤
// bounds[i], or with right bounds[i-1] ≤ x < bounds[i]: [Digitize] with right the
// other way round, as in PyTorch.
//
// Local if bounds is replicated, else collective. Result split and communication:
// as [Digitize]. Panics if bounds is no vector or falls.
func Bucketize[T Real](x, bounds *NDArray[T], right bool) *NDArray[int64] {
	sameComm(x.comm, bounds.comm)
	b, falling := boundsOf(bounds)
	if falling {
		misuse.Panic("bounds fall")
	}
	return unary(binKernel[T]{b, !right, false}, x)
}

// boundsOf returns all elements of bins, and whether they fall.
func boundsOf[T Real](bins *NDArray[T]) (b []T, falling bool) {
	if bins.NDim() != 1 {
		misuse.Panic("bounds of shape %v are no vector", bins.layout.Shape())
	}
	b = slices.Clone(localLike(split.Block(bins.layout.Shape(), split.None, bins.comm.Size()), bins))
	if len(b) > 0 {
		falling = b[len(b)-1] < b[0]
	}
	for i := 1; i < len(b); i++ {
		if b[i] != b[i] || b[i-1] != b[i-1] || falling && b[i] > b[i-1] || !falling && b[i] < b[i-1] {
			misuse.Panic("bounds must rise or fall throughout: %v comes before %v", b[i-1], b[i])
		}
	}
	return b, falling
}

// binKernel finds elements among bounds that rise.
type binKernel[T Real] struct {
	bounds []T
	right  bool // a bound belongs to the bin below it
	fromUp bool // count from the upper end
}

func (k binKernel[T]) loop(dst []int64, xs []T) {
	n := len(k.bounds)
	for i, x := range xs[:len(dst)] {
		lo := binOf(k.bounds, x, k.right)
		if k.fromUp {
			lo = n - lo
		}
		dst[i] = int64(lo)
	}
}

// binOf returns how many bounds are at most x, or with right less than x. NaN is
// above them all.
func binOf[T Real](bounds []T, x T, right bool) int {
	lo, hi := 0, len(bounds)
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		if b := bounds[m]; b < x || b == x && !right || x != x {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo
}
