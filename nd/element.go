package nd

import (
	"caloric/internal/misuse"
	"caloric/split"
	"caloric/spmd"
)

// At returns the element at a global index, on every rank; negative indices
// count from the end.
//
// Collective unless a is replicated. Communication: one broadcast of one
// element, none if a is replicated.
// Panics if the index is out of range or does not name every axis.
func (a *NDArray[T]) At(index ...int) T {
	if a.comm == nil {
		panicReleased()
	}
	shape := a.layout.Shape()
	if len(index) != len(shape) {
		misuse.Panic("%d indices for %d axes of shape %v", len(index), len(shape), shape)
	}
	offset, owner := a.offset, -1
	for k, i := range index {
		if i < -shape[k] || i >= shape[k] {
			misuse.Panic("index %d is out of range for axis %d of shape %v", i, k, shape)
		}
		if i < 0 {
			i += shape[k]
		}
		if Axis(k) == a.layout.Axis() {
			owner = a.layout.Owner(i)
			i -= a.localStart()
		}
		offset += i * a.strides[k]
	}
	if owner < 0 {
		return a.data[offset]
	}
	var v T
	if owner == a.comm.Rank() {
		v = a.data[offset]
	}
	return spmd.BcastOne(a.comm, v, owner)
}

// Item returns the element of an array that has just one, on every rank.
//
// Collective unless a is replicated. Communication: as [NDArray.At].
// Panics if a does not have exactly one element.
func (a *NDArray[T]) Item() T {
	if a.Size() != 1 {
		misuse.Panic("Item of an array of shape %v, which has %d elements", a.layout.Shape(), a.Size())
	}
	return a.At(make([]int, a.NDim())...)
}

// Gather returns all elements of a in C order, on every rank.
//
// Collective unless a is replicated. Communication: one allgatherv, none if a is
// replicated. Extra memory: up to two whole arrays.
func (a *NDArray[T]) Gather() []T {
	if a.layout.Replicated() {
		return append([]T(nil), a.Local()...)
	}
	l := split.Block(a.layout.Shape(), split.None, a.comm.Size())
	m := moved(a, l)
	if overlap(m.data, a.data) {
		m = Copy(m)
	}
	return m.Local()
}
