package nd

import (
	"caloric/internal/misuse"
	"caloric/split"
)

// ApplyAlongAxis calls f with each vector of a along axis, and with the n elements
// of the result's vector in its place for f to set. f must keep neither.
//
//	nd.ApplyAlongAxis(a, 1, 2, func(out, row []float64) { out[0], out[1] = row[0], row[len(row)-1] })
//
// Local unless a is split along axis. Result split: a's; if that is axis, the
// longest of the others, None if there is none. Communication: none unless a is
// split along axis, else one alltoallv of a, one allgatherv if a is a vector.
// Panics if axis is out of range or n is negative.
func ApplyAlongAxis[T, R Element](a *NDArray[T], axis, n int, f func(out []R, vector []T)) *NDArray[R] {
	axis = axisOf(a, axis)
	if n < 0 {
		misuse.Panic("vectors of %d elements", n)
	}
	shape := a.Shape()
	if a.layout.Axis() == Axis(axis) {
		to := split.None
		for k, d := range shape {
			if k != axis && (to == split.None || d > shape[to]) {
				to = Axis(k)
			}
		}
		a = moved(a, split.Block(shape, to, a.comm.Size()))
	}
	shape[axis] = n
	l := split.Block(shape, split.None, a.comm.Size())
	if !a.layout.Replicated() {
		l = split.WithCounts(shape, a.layout.Axis(), a.layout.Counts())
	}
	out := newArray[R](a.comm, l)
	vectors := MoveAxis(a, axis, -1).Local()
	count, size := 1, a.shape[axis]
	for k, d := range a.shape {
		if k != axis {
			count *= d
		}
	}
	results := make([]R, count*n)
	vector := make([]T, size) // f may change it
	for i := range count {
		copy(vector, vectors[i*size:])
		f(results[i*n:(i+1)*n], vector)
	}
	storeLanes(out, axis, results)
	return out
}
