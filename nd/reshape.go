package nd

import (
	"slices"

	"caloric/internal/misuse"
	"caloric/split"
)

// Reshape returns a's elements, in C order, in an array of the given shape, of
// which one extent may be -1 and follows from the others. The result shares a's
// memory if nothing moves and a is contiguous on this rank; a never changes.
//
// Collective, local if no element changes its owner. Result split: a's axis if
// the number of axes stays the same, else 0; None if a is replicated or the
// result has no axes; elements stay where they are if every rank's part is one
// of whole indices along that axis, else the result is balanced.
// Communication: none, or one alltoallv of the elements that change their owner.
// Extra memory: buffers within [SetScratchLimit], which may need rounds instead.
// Panics if a has not as many elements as shape.
func Reshape[T Element](a *NDArray[T], shape ...int) *NDArray[T] {
	axis := a.layout.Axis()
	if axis != split.None && len(shape) != a.NDim() {
		axis = 0
	}
	if len(shape) == 0 {
		axis = split.None
	}
	return reshape(a, shape, axis)
}

// Reshape is the function [Reshape].
func (a *NDArray[T]) Reshape(shape ...int) *NDArray[T] { return Reshape(a, shape...) }

// ReshapeTo is [Reshape] with a split axis of the caller's choice.
//
// Collective, local if no element changes its owner. Result split: axis, where
// elements stay if they can as in [Reshape], else balanced. Communication: none,
// or one alltoallv; one allgatherv to replicate a split array.
// Panics if a has not as many elements as shape, or axis is out of range.
func ReshapeTo[T Element](a *NDArray[T], shape Shape, axis Axis) *NDArray[T] {
	return reshape(a, shape, axis)
}

func reshape[T Element](a *NDArray[T], shape Shape, axis Axis) *NDArray[T] {
	full, err := split.InferShape(shape, a.Size())
	misuse.Check(err)
	misuse.Check(split.Check(full, axis, a.comm.Size()))
	if full.Equal(a.layout.Shape()) && axis == a.layout.Axis() {
		return a.view(a.layout, a.offset, a.shape, a.strides)
	}
	if axis == split.None {
		a = moved(a, split.Block(a.layout.Shape(), axis, a.comm.Size()))
	}
	if a.layout.Replicated() {
		whole := wrap(a.comm, split.Block(full, split.None, a.comm.Size()), a.Local())
		return moved(whole, split.Block(full, axis, a.comm.Size()))
	}
	return reflat(a, split.Reshape(a.layout, full, axis))
}

// reflat returns a's elements in C order in the split layout l.
func reflat[T Element](a *NDArray[T], l *split.Layout) *NDArray[T] {
	if a.layout.SameFlat(l) {
		return wrap(a.comm, l, a.Local())
	}
	return flatMoved(a, l, []flatRun{{0, 0, a.Size()}})
}

// Ravel returns a's elements, in C order, along one axis. It shares a's memory
// if nothing moves and a is contiguous on this rank; see [Flatten].
//
// Collective, local if a is replicated or split along axis 0. Result split: 0,
// None if a is replicated. Communication: none if a is split along axis 0 or
// only axes of extent 1 come before its split axis, else one alltoallv.
func Ravel[T Element](a *NDArray[T]) *NDArray[T] { return Reshape(a, -1) }

// Ravel is the function [Ravel].
func (a *NDArray[T]) Ravel() *NDArray[T] { return Ravel(a) }

// Flatten is [Ravel] with memory of the result's own.
func Flatten[T Element](a *NDArray[T]) *NDArray[T] {
	r := Ravel(a)
	if overlap(r.data, a.data) {
		return Copy(r)
	}
	return r
}

// Resize returns an array of the given shape whose elements in C order are a's,
// repeated as often as needed; zeros if a has none.
//
// Collective unless a is replicated. Result split: as [Reshape], balanced.
// Communication: one alltoallv, or one allgatherv of a if the result's part on
// a rank is larger than a. Panics if an extent is negative.
func Resize[T Element](a *NDArray[T], shape ...int) *NDArray[T] {
	axis := a.layout.Axis()
	if axis != split.None && len(shape) != a.NDim() {
		axis = 0
	}
	if len(shape) == 0 {
		axis = split.None
	}
	l := layoutOf(a.comm, slices.Clone(shape), axis)
	n, size := l.Shape().Size(), a.Size()
	if size == 0 || n == 0 {
		return newArray[T](a.comm, l)
	}
	if n == size {
		return Copy(reshape(a, shape, axis))
	}
	repeats := (n-1)/size + 1
	if a.layout.Replicated() || axis == split.None || a.comm.Size() == 1 || repeats > a.comm.Size() {
		return repeated(a, l)
	}
	var runs []flatRun
	for at := 0; at < n; at += size {
		runs = append(runs, flatRun{0, at, min(size, n-at)})
	}
	return flatMoved(a, l, runs)
}

// repeated returns the array of layout l that a, which is replicated first, fills
// in C order.
func repeated[T Element](a *NDArray[T], l *split.Layout) *NDArray[T] {
	src := moved(a, split.Block(a.layout.Shape(), split.None, a.comm.Size())).Local()
	out := newArray[T](a.comm, l)
	newFlatRange(l, a.comm.Rank()).each(0, l.Shape().Size(), func(i, pos, n int) {
		for done := 0; done < n; {
			done += copy(out.data[pos+done:pos+n], src[(i+done)%len(src):])
		}
	})
	return out
}
