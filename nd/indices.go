package nd

import (
	"sort"

	"caloric/internal/misuse"
	"caloric/split"
	"caloric/spmd"
)

// UnravelIndex returns the indices, one array for each axis of shape, of the
// positions in C order that index holds. Negative positions count from the end.
//
// Local if index is replicated, else collective. Result split: index's.
// Communication: none if index is replicated, else one allreduce of 8 bytes.
// Panics if a position is out of range.
func UnravelIndex(index *NDArray[int64], shape ...int) []*NDArray[int64] {
	misuse.Check(split.Check(shape, split.None, 1))
	keys := newKeyMaker(index.comm, keyTerm{index, 0, 0, Shape(shape).Size()})
	k := keys.in(index.layout, []int{1}, 0)
	k.check(index.comm)
	out := make([]*NDArray[int64], len(shape))
	for j := range out {
		out[j] = newArray[int64](index.comm, index.layout)
	}
	for i, p := range k.at {
		for j := len(shape) - 1; j >= 0; j-- {
			out[j].data[i] = int64(p % shape[j])
			p /= shape[j]
		}
	}
	return out
}

// RavelMultiIndex returns the positions in the C order of shape of the indices
// that the arrays, one for each axis, name together; they broadcast. Negative
// indices count from the end.
//
// Local if the arrays are replicated, else collective. Result split: as
// [split.Elementwise] of the arrays. Communication: none if they are replicated,
// else one allreduce of 8 bytes, and a move of the arrays with another layout.
// Panics if there are not as many arrays as axes, or an index is out of range.
func RavelMultiIndex(indices []*NDArray[int64], shape ...int) *NDArray[int64] {
	misuse.Check(split.Check(shape, split.None, 1))
	if len(indices) != len(shape) || len(shape) == 0 {
		misuse.Panic("%d arrays of indices for shape %v", len(indices), Shape(shape))
	}
	terms := make([]keyTerm, len(indices))
	for j, x := range indices {
		terms[j] = keyTerm{x, j, j, shape[j]}
	}
	c := indices[0].comm
	keys := newKeyMaker(c, terms...)
	k := keys.in(keys.layout, contiguousStrides(shape), 0)
	k.check(c)
	out := newArray[int64](c, keys.layout)
	for i, p := range k.at {
		out.data[i] = int64(p)
	}
	return out
}

// Indices returns the array of shape (len(shape), shape…) whose part k holds each
// element's index along axis k.
//
// Local. Result split: axis, of the result. Communication: none.
// Panics if axis is out of range.
func Indices(c *spmd.Comm, shape Shape, axis Axis) *NDArray[int64] {
	return FromFunc(c, append(Shape{len(shape)}, shape...), axis, func(i []int) int64 { return int64(i[1+i[0]]) })
}

// Ix returns the arrays, one for each of the one-dimensional arrays given, that
// together name all combinations of their indices: TakeAt(a, Ix(i, j)...) has
// a[i[p], j[q]] at (p, q).
//
// Collective if more than one array is split, else local. Result split and
// communication: as [MeshgridSparse]. Panics if an array has more axes than one.
func Ix(indices ...*NDArray[int64]) []*NDArray[int64] { return MeshgridSparse(IJ, indices...) }

// DiagIndices returns the indices of the main diagonal of an array of ndim axes
// of extent n, one array for each axis.
//
// Local. Result split: axis (0 or None), balanced. Communication: none.
// Panics if ndim is less than 1, or axis is out of range.
func DiagIndices(c *spmd.Comm, n, ndim int, axis Axis) []*NDArray[int64] {
	if ndim < 1 || ndim > MaxDims {
		misuse.Panic("the diagonal of %d axes", ndim)
	}
	out := make([]*NDArray[int64], ndim)
	for k := range out {
		out[k] = fromFlat(c, Shape{n}, axis, func(i int) int64 { return int64(i) })
	}
	return out
}

// TrilIndices returns the row and column indices, in C order, of the elements of a
// matrix of n × m on and below its diagonal k.
//
// Local. Result split: axis (0 or None), balanced. Communication: none.
// Panics if axis is out of range or an extent is negative.
func TrilIndices(c *spmd.Comm, n, k, m int, axis Axis) []*NDArray[int64] {
	k = clampDiagonal(k, n, m)
	return triangle(c, n, m, axis, func(i int) (lo, hi int) { return 0, min(max(i+k+1, 0), m) })
}

// TriuIndices returns the row and column indices, in C order, of the elements of a
// matrix of n × m on and above its diagonal k.
//
// Local. Result split: axis (0 or None), balanced. Communication: none.
// Panics if axis is out of range or an extent is negative.
func TriuIndices(c *spmd.Comm, n, k, m int, axis Axis) []*NDArray[int64] {
	k = clampDiagonal(k, n, m)
	return triangle(c, n, m, axis, func(i int) (lo, hi int) { return min(max(i+k, 0), m), m })
}

// triangle returns the indices of the columns lo ≤ j < hi of each row.
func triangle(c *spmd.Comm, n, m int, axis Axis, row func(i int) (lo, hi int)) []*NDArray[int64] {
	misuse.Check(split.Check(Shape{n, m}, split.None, 1))
	ends := make([]int, n) // how many elements the rows up to and with i have
	total := 0
	for i := range ends {
		lo, hi := row(i)
		total += hi - lo
		ends[i] = total
	}
	rows, cols := Zeros[int64](c, Shape{total}, axis), Zeros[int64](c, Shape{total}, axis)
	at := rows.localStart()
	i := sort.SearchInts(ends, at+1)
	for p := range rows.data {
		for at+p >= ends[i] {
			i++
		}
		_, hi := row(i)
		rows.data[p], cols.data[p] = int64(i), int64(hi-(ends[i]-at-p))
	}
	return []*NDArray[int64]{rows, cols}
}
