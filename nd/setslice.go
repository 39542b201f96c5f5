package nd

import (
	"slices"

	"caloric/internal/misuse"
	"caloric/split"
)

// SetSlice sets the part of a that the items select, as [NDArray.Slice] does, to
// value, which broadcasts to the part's shape and may have any layout.
//
//	a.SetSlice(row, nd.Index(3)) // a[3] = row
//
// Local if value is replicated, or split as the part is. Result split: a's.
// Communication: none if value is replicated or split as the part is, else one move
// of value: an alltoallv, or an allgatherv if the part is not split; where value is
// broadcast along its split axis, a broadcast of it.
// Panics if an index is out of range, a step is zero or value does not broadcast.
func (a *NDArray[T]) SetSlice(value *NDArray[T], items ...Item) {
	checkDst(a, value.comm)
	s, err := split.Slice(a.layout, items)
	misuse.Check(err)
	shape := make(Shape, len(s.Walks))
	for k, w := range s.Walks {
		shape[k] = w.Count
	}
	value = withoutLeadingOnes(value, len(shape))
	if !broadcastsTo(value.layout.Shape(), shape) {
		misuse.Panic("value of shape %v does not broadcast to the selection's shape %v", value.layout.Shape(), shape)
	}
	switch {
	case s.Owner >= 0:
		// As a range of one index the part stays an array split along that axis.
		i := s.At[int(a.layout.Axis())]
		v := a.withItem(s, Range(i, i+1, 1))
		CopyInto(v, withAxis(value, int(v.layout.Axis()), v.NDim()))
	case s.Reversed:
		w := s.Walks[s.Layout.Axis()]
		last := w.Start + (w.Count-1)*w.Step
		setReversed(a.withItem(s, Range(last, w.Start+1, -w.Step)), value)
	default:
		CopyInto(a.Slice(items...), value)
	}
}

// SetSliceScalar sets the part of a that the items select to v.
//
// Local. Result split: a's. Communication: none.
// Panics if an index is out of range or a step is zero.
func (a *NDArray[T]) SetSliceScalar(v T, items ...Item) { a.SetSlice(scalarOf(a.comm, v), items...) }

// withItem returns the view that a slice selects with another item for the split axis.
func (a *NDArray[T]) withItem(s split.Sliced, item Item) *NDArray[T] {
	var items []Item
	next := 0 // source axis
	fixed := func(upTo int) {
		for ; next < upTo; next++ {
			if Axis(next) == a.layout.Axis() {
				items = append(items, item)
			} else {
				items = append(items, Index(s.At[next]))
			}
		}
	}
	for _, w := range s.Walks {
		if w.Axis < 0 {
			items = append(items, NewAxis())
			continue
		}
		fixed(w.Axis)
		next++
		switch stop := w.Start + w.Count*w.Step; {
		case Axis(w.Axis) == a.layout.Axis():
			items = append(items, item)
		case stop < 0:
			items = append(items, Range(w.Start, Open, w.Step))
		default:
			items = append(items, Range(w.Start, stop, w.Step))
		}
	}
	fixed(a.NDim())
	return a.Slice(items...)
}

// withAxis returns a with an axis of extent 1 more, so that it broadcasts to an
// array of ndim axes along whose given axis it is to have extent 1.
func withAxis[T Element](a *NDArray[T], axis, ndim int) *NDArray[T] {
	at := a.NDim() - (ndim - 1 - axis)
	if at < 0 {
		return a
	}
	items := make([]Item, at+1)
	for k := range at {
		items[k] = Whole()
	}
	items[at] = NewAxis()
	return a.Slice(items...)
}

// setReversed sets v to value, which broadcasts to it, read backwards along v's
// split axis.
func setReversed[T Element](v, value *NDArray[T]) {
	if overlap(v.data, value.data) {
		value = Copy(value)
	}
	axis := int(v.layout.Axis())
	n := v.layout.Shape()[axis]
	k := axis - (v.NDim() - value.NDim())
	if k < 0 || value.layout.Shape()[k] == 1 {
		CopyInto(v, value)
		return
	}
	if value.layout.Replicated() {
		strides := slices.Clone(value.strides)
		strides[k] = -strides[k]
		back := value.view(value.layout, value.offset, value.shape, strides)
		if value.LocalSize() > 0 {
			back.offset += (n - 1) * value.strides[k]
		}
		CopyInto(v, back)
		return
	}
	var runs runList
	runs.add(0, n-1, -1, n)
	rearrange(v, axis, runs, BroadcastTo(value, v.layout.Shape()...))
}
