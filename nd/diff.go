package nd

import (
	"slices"

	"caloric/internal/misuse"
	"caloric/split"
)

// DiffOption adds something before or after the elements that [Diff] takes.
type DiffOption[T Element] struct {
	array *NDArray[T] // nil for value
	value T
	after bool
}

// WithPrepend puts x before the array along the axis: x has the array's extents
// along the other axes, or no axes at all.
func WithPrepend[T Element](x *NDArray[T]) DiffOption[T] { return DiffOption[T]{array: x} }

// WithAppend puts x after the array along the axis; see [WithPrepend].
func WithAppend[T Element](x *NDArray[T]) DiffOption[T] { return DiffOption[T]{array: x, after: true} }

// WithPrependScalar puts one index of elements v before the array along the axis.
func WithPrependScalar[T Element](v T) DiffOption[T] { return DiffOption[T]{value: v} }

// WithAppendScalar puts one index of elements v after the array along the axis.
func WithAppendScalar[T Element](v T) DiffOption[T] { return DiffOption[T]{value: v, after: true} }

// Diff returns the n-th differences of neighbours along axis: a[i+1]-a[i] for n = 1,
// the differences of these for n = 2, and so on. There are n fewer of them than
// there are elements, none if that is negative. Of bools the difference is whether
// they differ. Unsigned numbers wrap.
//
//	nd.Diff(a, 1, -1, nd.WithPrependScalar(0.0))
//
// Of order 0 the result is a, and nothing is prepended or appended, as in NumPy.
//
// Collective if axis is the split axis, else local. Result split: a's; the rank of
// element i has difference i, which may leave the result unbalanced; what is
// prepended goes to the rank of index 0, what is appended to that of the last.
// Communication: along the split axis one alltoallv of the n indices after each
// rank's own, mostly one message; for a split array to prepend or append one more,
// of that array; else none.
// Panics if n is negative, axis is out of range, or shapes do not fit.
func Diff[T Element](a *NDArray[T], n, axis int, opts ...DiffOption[T]) *NDArray[T] {
	a, axis = diffOperand(nil, a, n, axis, opts)
	dst := newArray[T](a.comm, diffLayout(a, n, axis))
	differences(dst, a, n, axis)
	return dst
}

// DiffInto sets dst to [Diff] of a.
//
// Collective if axis is the split axis. Result split: dst's. Communication: as
// [Diff], and one move of the result if dst has another layout.
// Panics as Diff does, and if dst does not have the result's shape.
func DiffInto[T Element](dst, a *NDArray[T], n, axis int, opts ...DiffOption[T]) {
	checkDst(dst, a.comm)
	a, axis = diffOperand(dst, a, n, axis, opts)
	if l := diffLayout(a, n, axis); l.Equal(dst.layout) {
		differences(dst, disjoint(dst, a), n, axis)
		return
	}
	CopyInto(dst, Diff(a, n, axis))
}

// EDiff1D returns the differences of neighbours of the flattened array, after
// toBegin and before toEnd, which may be nil.
//
// Collective unless a is replicated; toBegin and toEnd are the same on every rank.
// Result split: 0, None if a is replicated; each rank keeps what it has, toBegin
// goes to the first and toEnd to the last that has something. Communication: as
// [Ravel] and [Diff]: one alltoallv of one element a rank if a is split along axis 0.
func EDiff1D[T Element](a *NDArray[T], toBegin, toEnd []T) *NDArray[T] {
	d := Diff(Ravel(a), 1, 0)
	for i, values := range [][]T{toBegin, toEnd} {
		if len(values) > 0 {
			d = joined(d, 0, wrapReplicated(d.comm, Shape{len(values)}, values), i == 1)
		}
	}
	return d
}

// diffOperand checks the arguments of Diff, and of DiffInto if dst is not nil, and
// returns what it is taken of.
func diffOperand[T Element](dst, a *NDArray[T], n, axis int, opts []DiffOption[T]) (*NDArray[T], int) {
	axis = axisOf(a, axis)
	if n < 0 {
		misuse.Panic("differences of order %d", n)
	}
	if n == 0 {
		opts = nil // there is nothing to take differences with, as in NumPy
	}
	result := slices.Clone(a.layout.Shape())
	ends := make([]*NDArray[T], len(opts))
	for i, o := range opts {
		x := o.array
		if x == nil {
			x = wrapReplicated(a.comm, Shape{}, []T{o.value})
		}
		sameComm(a.comm, x.comm)
		shape := slices.Clone(a.layout.Shape())
		if shape[axis] = 1; x.NDim() == 0 {
			x = BroadcastTo(x, shape...)
		} else if x.NDim() == len(shape) {
			shape[axis] = x.layout.Shape()[axis]
		}
		if !x.layout.Shape().Equal(shape) {
			misuse.Panic("%v cannot be put before or after %v along axis %d", x.layout.Shape(), a.layout.Shape(), axis)
		}
		ends[i] = x
		result[axis] += shape[axis]
	}
	if result[axis] = max(0, result[axis]-n); dst != nil {
		checkResultShape(dst, result)
	}
	for i, x := range ends {
		a = joined(a, axis, x, opts[i].after)
	}
	return a, axis
}

// joined returns x and a joined along axis, x after a or before it. Each rank keeps
// what it has of a.
func joined[T Element](a *NDArray[T], axis int, x *NDArray[T], after bool) *NDArray[T] {
	n, m := a.layout.Shape()[axis], x.layout.Shape()[axis]
	var runs runList
	if !after {
		runs.add(1, 0, 1, m)
	}
	runs.add(0, 0, 1, n)
	if after {
		runs.add(1, 0, 1, m)
	}
	l := split.Stretch(a.layout, axis, n+m, func(i int) int {
		if i == 0 || after {
			return i
		}
		return i + m
	})
	return rearranged(l, axis, runs, a, x)
}

func diffLayout[T Element](a *NDArray[T], n, axis int) *split.Layout {
	if n == 0 {
		return a.layout
	}
	return split.Stretch(a.layout, axis, max(0, a.layout.Shape()[axis]-n), func(i int) int { return i })
}

// differences sets dst, which has diffLayout's layout, to the n-th differences of
// a, with which it shares no memory.
func differences[T Element](dst, a *NDArray[T], n, axis int) {
	if n == 0 {
		CopyInto(dst, a)
		return
	}
	k := diffKernel[T]()
	f := fringed(a, axis, func(r int) (from, to int) {
		if from, to = dst.layout.Range(r); from < to {
			to += n
		}
		return from, to
	})
	have := dst.shape[axis]
	if have == 0 {
		return
	}
	first := dst
	if n > 1 {
		first = f.scratch(have + n - 1)
	}
	// Of the first differences, those of own elements, the one across, and those beyond.
	part := func(from, to int) {
		if from < to {
			apply2(k, first.sliceOf(axis, from-f.lo, to-f.lo), f.rows(from+1, to+1), f.rows(from, to), *new(T))
		}
	}
	end := f.lo + first.shape[axis]
	own := min(end, f.hi-1)
	part(f.lo, own)
	part(own, min(end, f.hi))
	part(f.hi, end)
	for ; n > 1; n-- {
		next := dst
		if n > 2 {
			next = f.scratch(have + n - 2)
		}
		m := next.shape[axis]
		apply2(k, next, first.sliceOf(axis, 1, m+1), first.sliceOf(axis, 0, m), *new(T))
		first = next
	}
}

// scratch returns local memory like f's with n indices along the axis.
func (f *fringe[T]) scratch(n int) *NDArray[T] {
	v := f.a.sliceOf(f.axis, 0, n)
	v.data, v.offset, v.strides = make([]T, Shape(v.shape).Size()), 0, contiguousStrides(v.shape)
	return v
}

// diffKernel returns the kernel of x-y, and of whether bools differ.
func diffKernel[T Element]() kernel2[T, T] { return diffKernels[kindOf[T]()].(kernel2[T, T]) }

var diffKernels = [numKinds]any{
	notEqualKernel[bool]{},
	subKernel[int8]{}, subKernel[int16]{}, subKernel[int32]{}, subKernel[int64]{},
	subKernel[uint8]{}, subKernel[uint16]{}, subKernel[uint32]{}, subKernel[uint64]{},
	subKernel[float32]{}, subKernel[float64]{}, subKernel[complex64]{}, subKernel[complex128]{},
}
