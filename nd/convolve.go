package nd

import (
	"slices"

	"caloric/internal/misuse"
	"caloric/split"
)

// ConvolveMode says how much of a convolution of n and m ≤ n elements is wanted.
type ConvolveMode uint8

// The modes, NumPy's "full", "same" and "valid".
const (
	ConvFull  ConvolveMode = iota // all n+m-1 elements
	ConvSame                      // the middle n
	ConvValid                     // the n-m+1 for which the operands overlap completely
)

// of returns which elements of the full convolution of n and m elements a mode
// keeps: size of them from start on.
func (mode ConvolveMode) of(n, m int) (start, size int) {
	switch mode {
	case ConvFull:
		return 0, n + m - 1
	case ConvSame:
		return (min(n, m) - 1) / 2, max(n, m)
	case ConvValid:
		return min(n, m) - 1, max(n, m) - min(n, m) + 1
	}
	misuse.Panic("convolution mode %d", mode)
	return
}

// Convolve returns the convolution of two vectors, Σᵢ a[i]·v[k-i] for every k that
// mode asks for, as NumPy's convolve. The sums are taken directly, with n·m
// multiplications, those of float32 and complex64 in double precision; integers
// wrap around. Beyond its ends a vector is not 0, but is left out of the sums.
//
//	nd.Convolve(a, nd.FromSlice(c, []float64{0.25, 0.5, 0.25}, nd.Shape{3}, nd.None), nd.ConvSame)
//
// Every stride-th element is a slice of the result; see [ConvolveAlong] for many
// vectors at once.
//
// Collective unless both are replicated. Result split: that of the longer operand,
// of a if they are equally long; an element of the result is with the middle of
// what it is made of. Communication: a [Halo] of the longer operand, of less than
// the other's length in all; one allgatherv of the shorter one if that is split.
// Panics if an operand is empty or has more than one axis.
func Convolve[T Number](a, v *NDArray[T], mode ConvolveMode) *NDArray[T] {
	sameComm(a.comm, v.comm)
	a, v = vector(a), vector(v)
	if v.Size() > a.Size() {
		a, v = v, a
	}
	return ConvolveAlong(a, v, 0, mode)
}

// ConvolveAlong returns a with each of its vectors along axis replaced by its
// [Convolve] with v.
//
// Collective if a is split along axis or v is split, else local. Result split: a's,
// along axis as [Convolve] has it. Communication: a [Halo] of a if it is split along
// axis; one allgatherv of v if that is split.
// Panics if axis is out of range or has no elements, or v is empty or has more than
// one axis.
func ConvolveAlong[T Number](a, v *NDArray[T], axis int, mode ConvolveMode) *NDArray[T] {
	sameComm(a.comm, v.comm)
	v = vector(v)
	k := axisOf(a, axis)
	if a.layout.Shape()[k] == 0 {
		misuse.Panic("convolution along axis %d of shape %v, which is empty", k, a.layout.Shape())
	}
	s := newSliding(a, EndsCrop)
	m := v.Size()
	start, size := mode.of(a.layout.Shape()[k], m)
	s.kernel[k], s.size[k], s.offset[k] = m, size, start-(m-1)
	return slide(s, a, kernelOf(v, true, false))
}

// Correlate returns the cross-correlation of two vectors, Σᵢ a[i+k]·v̄[i] for every
// k that mode asks for, as NumPy's correlate; v is conjugated if it is complex. Sums
// are taken as in [Convolve].
//
// Collective unless both are replicated. Result split: as [Convolve], and balanced
// if v is the longer one and split. Communication: as [Convolve]; if v is the longer
// one and split, the result is turned round by one alltoallv.
// Panics if an operand is empty or has more than one axis.
func Correlate[T Number](a, v *NDArray[T], mode ConvolveMode) *NDArray[T] {
	sameComm(a.comm, v.comm)
	a, v = vector(a), vector(v)
	turned := v.Size() > a.Size()
	if turned {
		a, v = v, a
	}
	n, m := a.Size(), v.Size()
	s := newSliding(a, EndsCrop)
	_, s.size[0] = mode.of(n, m)
	s.kernel[0] = m
	switch mode {
	case ConvFull:
		s.offset[0] = -(m - 1)
	case ConvSame:
		s.offset[0] = -(m / 2)
	}
	out := slide(s, a, kernelOf(v, false, true))
	if turned {
		return Flip(conjugated(out))
	}
	return out
}

// vector returns a with one axis, or panics if it has several or is empty.
func vector[T Element](a *NDArray[T]) *NDArray[T] {
	if a.NDim() > 1 || a.Size() == 0 {
		misuse.Panic("convolution of an array of shape %v, which is no vector with elements", a.layout.Shape())
	}
	if a.NDim() == 0 {
		return a.Slice(NewAxis())
	}
	return a
}

// Convolve2D returns the convolution of two matrices, as SciPy's convolve2d: all
// of it, or the part of a's shape in the middle, or the part for which one covers
// the other completely. What lies beyond the ends of a is 0, or as ends says;
// [EndsFill], [EndsWrap] and [EndsSymmetric] are SciPy's boundaries. Sums are taken
// as in [Convolve].
//
// Collective unless both are replicated. Result split: a's, as in [Convolve]; k's if
// mode is [ConvValid] and k is the larger one. Communication: a [Halo] of a, of less
// than k's extent in all; one allgatherv of k if that is split.
// Panics if an operand is empty or has not two axes, ends is [EndsCrop], or mode is
// [ConvValid] and neither operand has at least the other's extents.
func Convolve2D[T Number](a, k *NDArray[T], mode ConvolveMode, ends ...Ends) *NDArray[T] {
	return plane[T]{mode: mode, ends: oneEnds(EndsFill, ends), flip: true}.of(a, k)
}

// Convolve2DFill is [Convolve2D] with v beyond the ends of a.
//
// Collective unless both are replicated. Result split, communication and panics: as
// [Convolve2D].
func Convolve2DFill[T Number](a, k *NDArray[T], mode ConvolveMode, v T) *NDArray[T] {
	return plane[T]{mode: mode, ends: EndsFill, fill: v, flip: true}.of(a, k)
}

// Correlate2D returns the cross-correlation of two matrices, as SciPy's
// correlate2d: k is not turned round, but conjugated. See [Convolve2D].
//
// Collective unless both are replicated. Result split and panics: as [Convolve2D].
// Communication: as [Convolve2D]; if mode is [ConvValid] and k is the larger one
// and split, the result is turned round by one alltoallv.
func Correlate2D[T Number](a, k *NDArray[T], mode ConvolveMode, ends ...Ends) *NDArray[T] {
	return plane[T]{mode: mode, ends: oneEnds(EndsFill, ends)}.of(a, k)
}

// Correlate2DFill is [Correlate2D] with v beyond the ends of a.
//
// Collective unless both are replicated. Result split, communication and panics: as
// [Correlate2D].
func Correlate2DFill[T Number](a, k *NDArray[T], mode ConvolveMode, v T) *NDArray[T] {
	return plane[T]{mode: mode, ends: EndsFill, fill: v}.of(a, k)
}

// plane is a convolution or, without flip, a cross-correlation of matrices.
type plane[T Number] struct {
	mode ConvolveMode
	ends Ends
	fill T
	flip bool
}

func (p plane[T]) of(a, k *NDArray[T]) *NDArray[T] {
	sameComm(a.comm, k.comm)
	n, m := a.layout.Shape(), k.layout.Shape()
	if len(n) != 2 || len(m) != 2 || n.Size() == 0 || m.Size() == 0 {
		misuse.Panic("convolution of arrays of shapes %v and %v, which are no two matrices with elements", n, m)
	}
	if p.ends == EndsCrop || p.ends > EndsWrap {
		misuse.Panic("convolution of matrices with ends %v", p.ends)
	}
	turned := p.mode == ConvValid && (n[0] < m[0] || n[1] < m[1])
	if turned {
		if n[0] > m[0] || n[1] > m[1] {
			misuse.Panic("neither of shapes %v and %v covers the other", n, m)
		}
		a, k, n, m = k, a, m, n
	}
	s := newSliding(a, p.ends)
	s.kernel = m
	for d := range n {
		switch p.mode {
		case ConvFull:
			s.offset[d], s.size[d] = -(m[d] - 1), n[d]+m[d]-1
		case ConvSame:
			// The middle of an even kernel is the element after it, or before it once it is turned round.
			s.offset[d] = -((m[d] - 1) / 2)
			if p.flip {
				s.offset[d] = -(m[d] / 2)
			}
		case ConvValid:
			s.size[d] = n[d] - m[d] + 1
		default:
			misuse.Panic("convolution mode %d", p.mode)
		}
	}
	s.fill = p.fill
	out := slide(s, a, kernelOf(k, p.flip, !p.flip))
	if turned && !p.flip {
		return Flip(conjugated(out))
	}
	return out
}

// newSliding returns the sliding of a kernel of one element over a.
func newSliding[T Number](a *NDArray[T], ends Ends) *sliding[T] {
	shape := a.layout.Shape()
	return &sliding[T]{kernel: slices.Repeat([]int{1}, len(shape)), size: slices.Clone(shape),
		offset: make([]int, len(shape)), ends: ends}
}

// kernelOf returns all elements of k in C order, turned round along every axis or
// conjugated.
func kernelOf[T Number](k *NDArray[T], flip, conj bool) []T {
	if conj {
		k = conjugated(k)
	}
	values := moved(k, split.Block(k.layout.Shape(), split.None, k.comm.Size())).Local()
	if flip {
		values = slices.Clone(values)
		slices.Reverse(values)
	}
	return values
}

// conjugated returns the complex conjugate of a, which is a itself if it is real.
func conjugated[T Number](a *NDArray[T]) *NDArray[T] {
	switch z := any(a).(type) {
	case *NDArray[complex64]:
		return any(Conj(z)).(*NDArray[T])
	case *NDArray[complex128]:
		return any(Conj(z)).(*NDArray[T])
	}
	return a
}
