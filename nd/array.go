package nd

import (
	"math"
	"slices"
	"unsafe"

	"caloric/internal/misuse"
	"caloric/internal/recycle"
	"caloric/split"
	"caloric/spmd"
)

// NDArray is an n-dimensional array of T spread over the ranks of a
// communicator. Its [split.Layout] says which part each rank holds; that part
// lives in one slice with strides, so that transposes and slices are views:
// they share memory with the array they are taken from.
type NDArray[T Element] struct {
	comm    *spmd.Comm
	layout  *split.Layout
	data    []T
	offset  int     // of the first local element in data
	shape   []int   // the local shape
	strides []int   // in elements; of any sign
	severed bool    // made by a slice that had to copy: writing to it would be lost
	sole    uint32  // 1 if data is a block of package recycle that nothing else refers to; see lend
	expr    *lazyOp // of an array without memory that stands for an expression; see standIn
	dims    [4]int  // memory for shape and strides, where they fit
}

// newArray returns an array of layout l with memory of its own in C order, all
// zero.
func newArray[T Element](c *spmd.Comm, l *split.Layout) *NDArray[T] {
	return own(c, l, recycle.MakeZero[T](ownSize[T](c, l)))
}

// newRaw is newArray for a result of which every element is going to be written:
// until then it has any value.
func newRaw[T Element](c *spmd.Comm, l *split.Layout) *NDArray[T] {
	return own(c, l, recycle.Make[T](ownSize[T](c, l)))
}

func own[T Element](c *spmd.Comm, l *split.Layout, data []T) *NDArray[T] {
	a := wrap(c, l, data)
	a.sole = 1
	return a
}

// ownSize returns the number of this rank's elements in layout l.
func ownSize[T Element](c *spmd.Comm, l *split.Layout) int {
	if c == nil {
		panicReleased()
	}
	n, size := l.LocalSize(c.Rank()), int(unsafe.Sizeof(*new(T)))
	if n > maxBytes/size {
		misuse.Panic("%d elements of %d bytes on one rank are more than memory can have (%v)", n, size, l)
	}
	return n
}

// maxBytes is what a process can address. Where memory is short of that Go ends
// the process.
const maxBytes = 1 << 47

// times returns n*count, the extent of an axis of n that is repeated count times.
func times(n, count int) int {
	if count > 0 && n > math.MaxInt/count {
		misuse.Panic("an axis of %d repeated %d times is longer than an array can be", n, count)
	}
	return n * count
}

// wrap returns the array of layout l whose local part is data, in C order.
func wrap[T Element](c *spmd.Comm, l *split.Layout, data []T) *NDArray[T] {
	if len(l.Shape()) > MaxDims {
		misuse.Panic("shape %v has more than %d axes", l.Shape(), MaxDims)
	}
	a := &NDArray[T]{comm: c, layout: l, data: data}
	n := len(l.Shape())
	dims := a.dims[:]
	if 2*n > len(dims) {
		dims = make([]int, 2*n)
	}
	a.shape, a.strides = dims[:n:n], dims[n:2*n:2*n]
	copy(a.shape, l.Shape())
	if axis := l.Axis(); axis != split.None {
		lo, hi := l.Range(c.Rank())
		a.shape[axis] = hi - lo
	}
	setContiguous(a.strides, a.shape)
	return a
}

func contiguousStrides(shape []int) []int {
	s := make([]int, len(shape))
	setContiguous(s, shape)
	return s
}

// setContiguous sets strides to those of shape in C order.
func setContiguous(strides, shape []int) {
	n := 1
	for k := len(shape) - 1; k >= 0; k-- {
		strides[k] = n
		n *= shape[k]
	}
}

// Shape returns the global shape. Local.
func (a *NDArray[T]) Shape() Shape { return slices.Clone(a.layout.Shape()) }

// LocalShape returns the shape of this rank's part. Local.
func (a *NDArray[T]) LocalShape() Shape { return slices.Clone(Shape(a.shape)) }

// NDim returns the number of axes. Local.
func (a *NDArray[T]) NDim() int { return len(a.shape) }

// Size returns the number of elements of the whole array. Local.
func (a *NDArray[T]) Size() int { return a.layout.Shape().Size() }

// LocalSize returns the number of elements of this rank's part. Local.
func (a *NDArray[T]) LocalSize() int { return Shape(a.shape).Size() }

// Split returns the axis along which the array is split, [split.None] if every
// rank holds all of it. Local.
func (a *NDArray[T]) Split() Axis { return a.layout.Axis() }

// Layout returns who owns what. Local.
func (a *NDArray[T]) Layout() *split.Layout { return a.layout }

// Comm returns the communicator over which the array is spread. Local.
func (a *NDArray[T]) Comm() *spmd.Comm { return a.comm }

// IsContiguous reports whether this rank's part lies in C order without gaps. Local.
func (a *NDArray[T]) IsContiguous() bool {
	return inOrder(a.shape, a.strides) || a.LocalSize() == 0
}

// inOrder reports whether the elements of memory of the given shape and strides are
// side by side in C order.
func inOrder(shape, strides []int) bool {
	n := 1
	for k := len(shape) - 1; k >= 0; k-- {
		if shape[k] != 1 && strides[k] != n {
			return false
		}
		n *= shape[k]
	}
	return true
}

// Local returns this rank's elements in C order. For a contiguous array (see
// [NDArray.IsContiguous]; every array but a view is) it is the array's own
// memory, and writing to it changes the array; otherwise it is a copy. Local.
func (a *NDArray[T]) Local() []T {
	a.lend()
	return a.local()
}

// local is Local for a slice that the caller does not keep.
func (a *NDArray[T]) local() []T {
	if a.IsContiguous() {
		n := a.LocalSize()
		return a.data[a.offset : a.offset+n : a.offset+n]
	}
	out := make([]T, a.LocalSize())
	copyLocal(out, contiguousStrides(a.shape), a)
	return out
}

// like returns an array of zeros of a's communicator and layout.
func like[R, T Element](a *NDArray[T]) *NDArray[R] { return newArray[R](a.comm, a.layout) }

// likeRaw is like for a result of which every element is going to be written.
func likeRaw[R, T Element](a *NDArray[T]) *NDArray[R] { return newRaw[R](a.comm, a.layout) }

// view returns an array of a's memory under another layout.
func (a *NDArray[T]) view(l *split.Layout, offset int, shape, strides []int) *NDArray[T] {
	a.lend()
	return &NDArray[T]{comm: a.comm, layout: l, data: a.data, offset: offset, shape: shape, strides: strides, severed: a.severed}
}

// localStart returns the global index, along the split axis, of the first local index.
func (a *NDArray[T]) localStart() int {
	lo, _ := a.layout.Range(a.comm.Rank())
	return lo
}

// checkDst panics unless dst lives on c and keeps what is written to it.
func checkDst[T Element](dst *NDArray[T], c *spmd.Comm) {
	sameComm(dst.comm, c)
	if dst.severed {
		misuse.Panic("the destination (%v) is a copy, because an Index or a negative step on the split axis, or "+
			"broadcasting along it, moves data: what is written to it would not reach the array. "+
			"Slice with Range(i, i+1, 1) is always a view; Copy makes an array of its own", dst.layout)
	}
}

// sameComm panics unless the arrays live on one communicator.
func sameComm(a, b *spmd.Comm) {
	if a == nil || b == nil {
		panicReleased()
	}
	if a != b {
		misuse.Panic("operands on different communicators (%s)", misuse.Comms(a, b))
	}
}
