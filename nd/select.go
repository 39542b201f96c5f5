package nd

import (
	"caloric/internal/misuse"
	"caloric/split"
	"caloric/spmd"
)

// A selection is what keys select of an array: rows along the array's other axes.
// The result has the keys' axes, of shape keys.layout.Shape(), from axis at on,
// between the array's other axes.
type selection[T Element] struct {
	a     *NDArray[T]
	axes  []int // the axes that keys name
	rest  []int // the other axes
	at    int
	keys  *keyMaker
	flat  bool // the keys are positions in C order already
	local bool // every rank has all rows that its keys may name
	space *keySpace
}

// newSelection returns what keys select along the given axes, in ascending order.
func newSelection[T Element](a *NDArray[T], axes []int, keys *keyMaker) *selection[T] {
	s := &selection[T]{a: a, axes: axes, keys: keys}
	named := func(k int) bool {
		for _, x := range axes {
			if x == k {
				return true
			}
		}
		return false
	}
	for k := range a.shape {
		if !named(k) {
			s.rest = append(s.rest, k)
		}
	}
	// As in NumPy: in place of the named axes if those are neighbours, else first.
	if n := len(axes); n > 0 && axes[n-1]-axes[0] == n-1 {
		s.at = axes[0]
	}
	axis := int(a.layout.Axis())
	s.local = axis < 0 || a.comm.Size() == 1 || !named(axis) || keys.along >= 0 && axes[keys.along] != axis
	s.space = newKeySpace(a, axes, s.local)
	return s
}

// rowsSplit returns the axis of the result along which the rows are split, -1
// if a is not split or split along a named axis.
func (s *selection[T]) rowsSplit() Axis {
	for j, k := range s.rest {
		if Axis(k) == s.a.layout.Axis() {
			if j >= s.at {
				j += len(s.keys.layout.Shape())
			}
			return Axis(j)
		}
	}
	return split.None
}

// layout returns the layout of the result, or of what is assigned, for keys of
// layout l: split like the keys or, where they are not, like the rows.
func (s *selection[T]) layout(l *split.Layout) *split.Layout {
	var shape Shape
	for j := 0; j <= len(s.rest); j++ {
		if j == s.at {
			shape = append(shape, l.Shape()...)
		}
		if j < len(s.rest) {
			shape = append(shape, s.a.layout.Shape()[s.rest[j]])
		}
	}
	if len(shape) > MaxDims {
		misuse.Panic("shape %v has more than %d axes", shape, MaxDims)
	}
	misuse.Check(split.Check(shape, split.None, l.Ranks()))
	if axis := s.rowsSplit(); axis != split.None {
		return split.WithCounts(shape, axis, s.a.layout.Counts())
	}
	if l.Axis() != split.None {
		return split.WithCounts(shape, Axis(s.at)+l.Axis(), l.Counts())
	}
	return split.Block(shape, split.None, l.Ranks())
}

// in returns this rank's keys in layout l: as offsets in memory if the selection
// is local, else as positions.
func (s *selection[T]) in(l *split.Layout) keyList {
	switch {
	case s.flat:
		k := s.keys.in(l, []int{1}, 0)
		if s.local && k.bad.extent < 0 {
			s.space.offsets(k.at)
		}
		return k
	case !s.local:
		return s.keys.in(l, s.space.strides, 0)
	}
	return s.keys.in(l, s.space.memory, s.space.base)
}

// source returns the rows of a that start at the given offsets.
func (s *selection[T]) source(at []int) rowSet[T] {
	r := rowSet[T]{data: s.a.data}
	for _, k := range s.rest {
		r.shape, r.strides = append(r.shape, s.a.shape[k]), append(r.strides, s.a.strides[k])
	}
	return r.starting(at)
}

// rowsOf returns the local rows of r, an array shaped like the result.
func (s *selection[T]) rowsOf(r *NDArray[T]) rowSet[T] {
	return rowsIn(r, s.at, len(s.keys.layout.Shape()))
}

// localLayout returns the layout in which the keys of a local selection select
// from every rank's own memory.
func (s *selection[T]) localLayout() *split.Layout {
	l, own := s.keys.layout, s.a.layout
	switch {
	case s.rowsSplit() != split.None:
		return split.Block(l.Shape(), split.None, l.Ranks())
	case s.keys.along >= 0 && !own.Replicated() && int(own.Axis()) != s.axes[s.keys.along]:
		return split.WithCounts(l.Shape(), own.Axis(), own.Counts())
	}
	return s.slots()
}

// slots returns the layout in which the keys' rows arrive: the keys' own if they
// are split. Rows of replicated keys are spread along the keys' first axis if
// they come from a split axis.
func (s *selection[T]) slots() *split.Layout {
	l := s.keys.layout
	if l.Replicated() && len(l.Shape()) > 0 && !s.a.layout.Replicated() && s.rowsSplit() == split.None {
		return split.Block(l.Shape(), 0, l.Ranks())
	}
	return l
}

// get returns the selected rows. If dst is not nil it is set to them.
func (s *selection[T]) get(dst *NDArray[T]) *NDArray[T] {
	c := s.a.comm
	keys, slots := s.keys.layout, s.slots()
	if s.local {
		keys = s.localLayout()
		slots = keys
	}
	k := s.in(keys)
	out, finish := destination(c, s.layout(slots), dst, s.a)
	switch rows := s.rowsOf(out); {
	case s.local:
		k.check(c)
		carryParallel(c, rows, s.source(k.at))
	case !keys.Replicated():
		fetch(askedRoute(c, s.space, k), rows, s.source(nil))
	case len(keys.Shape()) == 0:
		k.check(c)
		owner := s.a.layout.Owner(s.space.along(k.at[0]))
		if owner == c.Rank() {
			carry(setRows[T]{}, rows, s.source(s.space.offsets(k.at)))
		}
		bcastRows(out, owner)
	default:
		k.check(c)
		fetch(knownRoute(c, s.space, k.at, slots), rows, s.source(nil))
	}
	return finish()
}

// bcastRows sends owner's replicated array to every rank.
func bcastRows[T Element](a *NDArray[T], owner int) {
	buf := a.Local()
	spmd.Bcast(a.comm, buf, owner)
	if !a.IsContiguous() {
		a.setBox(split.Whole(a.layout.Shape()), buf)
	}
}

// destination returns where a result of layout l is to be written, dst itself if
// it has that layout and shares no memory with the operand, and what to call then.
func destination[T Element](c *spmd.Comm, l *split.Layout, dst, operand *NDArray[T]) (*NDArray[T], func() *NDArray[T]) {
	if dst == nil {
		out := newArray[T](c, l)
		return out, func() *NDArray[T] { return out }
	}
	checkDst(dst, c)
	if !dst.layout.Shape().Equal(l.Shape()) {
		misuse.Panic("the result has shape %v, the destination %v", l.Shape(), dst.layout.Shape())
	}
	if dst.layout.Equal(l) && !overlap(dst.data, operand.data) {
		return dst, func() *NDArray[T] { return dst }
	}
	out := newArray[T](c, l)
	return out, func() *NDArray[T] {
		CopyInto(dst, out)
		return dst
	}
}

// put combines values, which broadcast to the result's shape, into the selected rows.
func (s *selection[T]) put(op rowOp[T], values *NDArray[T]) {
	checkDst(s.a, values.comm)
	full := s.layout(s.keys.layout).Shape()
	values = withoutLeadingOnes(values, len(full))
	if !broadcastsTo(values.layout.Shape(), full) {
		misuse.Panic("values of shape %v do not broadcast to the selection's shape %v", values.layout.Shape(), full)
	}
	if overlap(values.data, s.a.data) {
		values = Copy(values)
	}
	switch {
	case s.local:
		s.putLocal(op, values)
	case s.keys.layout.Replicated():
		s.putKnown(op, values, full)
	default:
		s.putAsked(op, values)
	}
}

// putLocal has every rank change its own memory, by all keys or, if they go
// with a's split, by its own.
func (s *selection[T]) putLocal(op rowOp[T], values *NDArray[T]) {
	keys := s.localLayout()
	if s.a.layout.Replicated() || s.a.comm.Size() == 1 {
		keys = split.Block(keys.Shape(), split.None, keys.Ranks())
	}
	k := s.in(keys)
	k.check(s.a.comm)
	l := s.layout(keys)
	carry(op, s.source(k.at), s.rowsOf(aligned(l, values).repeatedTo(l)))
}

// putKnown assigns by replicated keys: each rank takes what it owns of replicated
// values, and split values travel to the owners.
func (s *selection[T]) putKnown(op rowOp[T], values *NDArray[T], full Shape) {
	c := s.a.comm
	keys := s.keys.layout
	k := s.in(keys)
	k.check(c)
	if !values.layout.Replicated() && (!values.layout.Shape().Equal(full) || len(keys.Shape()) == 0) {
		values = moved(values, split.Block(values.layout.Shape(), split.None, c.Size()))
	}
	if !values.layout.Replicated() {
		l := split.Block(full, Axis(s.at), c.Size())
		if values.layout.Axis() == l.Axis() {
			l = values.layout
		}
		slots := split.WithCounts(keys.Shape(), 0, l.Counts())
		deliver(knownRoute(c, s.space, k.at, slots), op, s.source(nil), s.rowsOf(moved(values, l)))
		return
	}
	rows := s.rowsOf(values.repeatedTo(split.Block(full, split.None, c.Size())))
	var at, from []int
	for i, key := range k.at {
		if s.space.owns(key) {
			at = append(at, s.space.offset(key))
			from = append(from, i)
		}
	}
	carry(op, s.source(at), rows.pick(from))
}

// putAsked assigns by split keys: they travel to the owners with their values.
// Ranks' keys follow each other in C order only along the first axis.
func (s *selection[T]) putAsked(op rowOp[T], values *NDArray[T]) {
	c := s.a.comm
	keys := s.keys.layout
	if keys.Outer() > 1 {
		keys = split.Block(keys.Shape(), 0, c.Size())
	}
	k := s.in(keys)
	l := s.layout(keys)
	deliverPairs(c, s.space, k, op, s.source(nil), s.rowsOf(aligned(l, values).repeatedTo(l)))
}

// withoutLeadingOnes drops axes of extent 1 from the front of a until it has at
// most n axes.
func withoutLeadingOnes[T Element](a *NDArray[T], n int) *NDArray[T] {
	drop := 0
	for a.NDim()-drop > n && a.layout.Shape()[drop] == 1 {
		drop++
	}
	if drop == 0 {
		return a
	}
	items := make([]Item, drop)
	for i := range items {
		items[i] = Index(0)
	}
	return a.Slice(items...)
}
