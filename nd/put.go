package nd

import (
	"caloric/internal/misuse"
	"caloric/split"
	"caloric/spmd"
)

// scalarOf returns v as a replicated array without axes.
func scalarOf[T Element](c *spmd.Comm, v T) *NDArray[T] { return wrapReplicated(c, Shape{}, []T{v}) }

// SetAt sets the elements of a that arrays of indices name together, as [TakeAt]
// does, to values, which broadcast to the selection's shape: a[i, j] = values,
// written SetAt(a, Keys(i, j), values). Where indices repeat, the last value counts.
//
// Collective, local if indices and values are replicated. Result split: a's.
// Communication: none if indices and values are replicated. Split indices travel
// to the rows' owners together with their values in one alltoallv, after one of
// 8 bytes for each rank, and values that are split otherwise move to the indices
// before; by replicated indices one alltoallv of split values, which move before if
// they are split otherwise than along the indices' first axis. Where a is not split
// along an indexed axis, split indices are gathered instead, one allgatherv, and
// values move to where a's rows are.
// Panics if an index is out of range or values do not broadcast.
func SetAt[T Element](a *NDArray[T], indices []*NDArray[int64], values *NDArray[T]) {
	pairSelection(a, indices).put(setRows[T]{}, values)
}

// SetAtScalar is [SetAt] with one value.
func SetAtScalar[T Element](a *NDArray[T], indices []*NDArray[int64], v T) {
	SetAt(a, indices, scalarOf(a.comm, v))
}

// AddAt adds values, which broadcast to the selection's shape, to the elements of
// a that arrays of indices name together, as [TakeAt] does. Where indices repeat,
// every value counts: NumPy's add.at, written AddAt(a, Keys(i, j), values).
//
// Collective, local if indices and values are replicated. Result split: a's.
// Communication: as [SetAt]. Panics if an index is out of range or values do not
// broadcast.
func AddAt[T Number](a *NDArray[T], indices []*NDArray[int64], values *NDArray[T]) {
	pairSelection(a, indices).put(addRows[T]{}, values)
}

// AddAtScalar is [AddAt] with one value.
func AddAtScalar[T Number](a *NDArray[T], indices []*NDArray[int64], v T) {
	AddAt(a, indices, scalarOf(a.comm, v))
}

// Put sets the elements of a at positions in its C order to values, which are
// repeated, or cut off, to as many as there are indices.
//
// Collective, local if indices and values are replicated. Result split: a's.
// Communication: as [SetAt]; values and indices of different shapes are reshaped
// to one axis first. Panics if an index is out of range, or there are indices
// but no values.
func Put[T Element](a *NDArray[T], indices *NDArray[int64], values *NDArray[T]) {
	sameComm(a.comm, indices.comm)
	sameComm(a.comm, values.comm)
	if n := indices.Size(); values.Size() != 1 && !values.layout.Shape().Equal(indices.layout.Shape()) {
		if values.Size() == 0 && n > 0 {
			misuse.Panic("no values for %d indices", n)
		}
		indices = Ravel(indices)
		if values.Size() > n {
			values = Ravel(values).Slice(To(n))
		} else {
			values = Resize(values, n)
		}
	} else if values.Size() == 1 {
		values = withoutLeadingOnes(values, 0)
	}
	flatSelection(a, indices).put(setRows[T]{}, values)
}

// PutScalar is [Put] with one value.
func PutScalar[T Element](a *NDArray[T], indices *NDArray[int64], v T) {
	Put(a, indices, scalarOf(a.comm, v))
}

// PutAlongAxis sets, at each position of indices, the element of a that the index
// there names along axis to the value there: the reverse of [TakeAlongAxis].
// Indices broadcast to a along the other axes, and values to the indices.
//
// Collective, local if indices and values are replicated. Result split: a's.
// Communication: if a is split along axis, as [SetAt]; along another axis
// one allreduce of 8 bytes for split indices, and a move of indices and values that
// are split, but not like a.
// Panics if the shapes do not fit, or an index or axis is out of range.
func PutAlongAxis[T Element](a *NDArray[T], indices *NDArray[int64], values *NDArray[T], axis int) {
	alongSelection(a, indices, axis, false).put(setRows[T]{}, values)
}

// PutAlongAxisScalar is [PutAlongAxis] with one value.
func PutAlongAxisScalar[T Element](a *NDArray[T], indices *NDArray[int64], v T, axis int) {
	PutAlongAxis(a, indices, scalarOf(a.comm, v), axis)
}

// FillDiagonal sets the elements of a whose indices along all axes are equal to v.
//
// Local. Result split: a's. Communication: none.
// Panics if a has fewer than two axes, or more than two of different extents.
func FillDiagonal[T Element](a *NDArray[T], v T) {
	checkDst(a, a.comm)
	shape := a.layout.Shape()
	if len(shape) < 2 {
		misuse.Panic("the diagonal of an array of shape %v", shape)
	}
	n, stride := shape[0], 0
	for k, d := range shape {
		if len(shape) > 2 && d != shape[0] {
			misuse.Panic("the diagonal of an array of shape %v", shape)
		}
		n = min(n, d)
		stride += a.strides[k]
	}
	lo, hi, at := 0, n, a.offset
	if axis := a.layout.Axis(); axis != split.None {
		lo, hi = a.layout.Range(a.comm.Rank())
		hi = min(hi, n)
		at -= lo * a.strides[axis]
	}
	for i := lo; i < hi; i++ {
		a.data[at+i*stride] = v
	}
}
