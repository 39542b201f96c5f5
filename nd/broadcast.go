package nd

import (
	"slices"

	"caloric/internal/misuse"
	"caloric/split"
)

// BroadcastTo returns a repeated to the given shape by NumPy's rule: aligned at
// the last axis, extents of 1 repeat. It is a view without memory of its own,
// and must not be written to; [Copy] gives an array that may.
//
// Local unless a is split along an axis that repeats. Result split: a's, shifted
// by the new axes; None if it repeats. Communication: one broadcast of a if its
// split axis repeats, else none. Panics if a does not broadcast to shape.
func BroadcastTo[T Element](a *NDArray[T], shape ...int) *NDArray[T] {
	misuse.Check(split.Check(shape, split.None, a.comm.Size()))
	if !broadcastsTo(a.layout.Shape(), shape) {
		misuse.Panic("shape %v does not broadcast to %v", a.layout.Shape(), Shape(shape))
	}
	if len(shape) > MaxDims {
		misuse.Panic("shape %v has more than %d axes", Shape(shape), MaxDims)
	}
	l, ok := split.Broadcast(a.layout, shape)
	if !ok {
		a = unsplit(a)
		l, _ = split.Broadcast(a.layout, shape)
	}
	return a.repeatedTo(l)
}

// repeatedTo returns the view of a, which broadcasts to l's shape, in layout l:
// a's own, or any if a is replicated.
func (a *NDArray[T]) repeatedTo(l *split.Layout) *NDArray[T] {
	local := l.LocalShape(a.comm.Rank())
	strides := make([]int, len(local))
	offset, skip := a.offset, len(local)-len(a.shape)
	for k, d := range a.layout.Shape() {
		o := k + skip
		if d != l.Shape()[o] {
			continue
		}
		strides[o] = a.strides[k]
		if a.layout.Replicated() && Axis(o) == l.Axis() && Shape(local).Size() > 0 {
			lo, _ := l.Range(a.comm.Rank())
			offset += lo * a.strides[k]
		}
	}
	if a.LocalSize() == 0 {
		offset = a.offset
	}
	return a.view(l, offset, local, strides)
}

// unsplit returns a replicated; a has extent 1 along its split axis, so that one
// rank's part is all of it.
func unsplit[T Element](a *NDArray[T]) *NDArray[T] {
	axis := int(a.layout.Axis())
	return ExpandDims(Squeeze(a, axis), axis)
}

// BroadcastArrays returns the arrays broadcast to their common shape, each as
// [BroadcastTo] does.
//
// Local unless an array is split along an axis that repeats. Result split: each
// array's own, as in [BroadcastTo]. Communication: one broadcast for each array
// whose split axis repeats, else none. Panics if the shapes do not broadcast.
func BroadcastArrays[T Element](arrays ...*NDArray[T]) []*NDArray[T] {
	shapes := make([]Shape, len(arrays))
	for i, a := range arrays {
		shapes[i] = a.layout.Shape()
		sameComm(arrays[0].comm, a.comm)
	}
	shape, err := split.BroadcastShapes(shapes...)
	misuse.Check(err)
	out := make([]*NDArray[T], len(arrays))
	for i, a := range arrays {
		out[i] = BroadcastTo(a, shape...)
	}
	return out
}

// BroadcastShapes returns the shape that the given shapes broadcast to.
//
// Local. Communication: none. Panics if they do not broadcast.
func BroadcastShapes(shapes ...Shape) Shape {
	shape, err := split.BroadcastShapes(shapes...)
	misuse.Check(err)
	return shape
}

// MeshOrder says which axis the first array of a [Meshgrid] varies along.
type MeshOrder uint8

// The orders of a mesh: XY, NumPy's default, has the first array along axis 1
// and the second along axis 0, as a picture; IJ has array i along axis i.
const (
	XY MeshOrder = iota
	IJ
)

// Meshgrid returns one array for each of the given vectors (or numbers): the
// coordinates of the grid that they span. The results are views that must not
// be written to; see [BroadcastTo]. All have one layout, so that what is
// computed from them costs no communication.
//
// Collective if more than one vector is split, else local. Result split: the
// grid axis of the first vector that is split, None if none is. Communication:
// one allgatherv for every other split vector, else none.
// Panics if an array has more than one axis.
func Meshgrid[T Element](order MeshOrder, vectors ...*NDArray[T]) []*NDArray[T] {
	out := MeshgridSparse(order, vectors...)
	var l *split.Layout
	shape := meshShape(order, vectors)
	for _, a := range out {
		if l == nil && !a.layout.Replicated() {
			l, _ = split.Broadcast(a.layout, shape)
		}
	}
	if l == nil && len(out) > 0 {
		l = split.Block(shape, split.None, out[0].comm.Size())
	}
	for i, a := range out {
		out[i] = a.repeatedTo(l)
	}
	return out
}

// MeshgridSparse is [Meshgrid] with results that are not repeated: each has
// extent 1 along the other vectors' axes, and they broadcast to the grid. With
// order IJ they are what NumPy's ix_ gives.
func MeshgridSparse[T Element](order MeshOrder, vectors ...*NDArray[T]) []*NDArray[T] {
	shape := meshShape(order, vectors)
	misuse.Check(split.Check(shape, split.None, 1))
	out := make([]*NDArray[T], len(vectors))
	first := true
	for i, v := range vectors {
		v = Atleast1D(v)
		if !v.layout.Replicated() {
			if !first {
				v = moved(v, split.Block(v.layout.Shape(), split.None, v.comm.Size()))
			}
			first = false
		}
		items := slices.Repeat([]Item{NewAxis()}, len(vectors))
		items[order.axis(i, len(vectors))] = Whole()
		out[i] = v.Slice(items...)
	}
	return out
}

// axis returns the grid axis of vector i of n.
func (o MeshOrder) axis(i, n int) int {
	if o == XY && n > 1 && i < 2 {
		return 1 - i
	}
	return i
}

// meshShape returns the shape of the grid after checking the vectors.
func meshShape[T Element](order MeshOrder, vectors []*NDArray[T]) Shape {
	if len(vectors) > MaxDims {
		misuse.Panic("a grid of %d vectors has more than %d axes", len(vectors), MaxDims)
	}
	shape := make(Shape, len(vectors))
	for i, v := range vectors {
		if v.NDim() > 1 {
			misuse.Panic("vector %d of the grid has shape %v", i, v.layout.Shape())
		}
		sameComm(vectors[0].comm, v.comm)
		shape[order.axis(i, len(vectors))] = v.Size()
	}
	return shape
}
