package nd

import (
	"caloric/internal/misuse"
	"caloric/split"
	"caloric/spmd"
)

// A maskSelection is what a mask of an array's leading axes selects: rows along
// the other axes, in C order of the mask.
type maskSelection[T Element] struct {
	a      *NDArray[T]
	space  *keySpace
	counts []int // how many rows each rank has in the result; nil if every rank has all
	total  int
	here   *NDArray[bool] // the part of the mask that goes with this rank's rows
	route  *route         // how they get into the result's order; nil if they are in it
}

// result returns the layout of the selected rows.
func (m *maskSelection[T]) result() *split.Layout {
	lead := len(m.space.extents)
	shape := append(Shape{m.total}, m.a.layout.Shape()[lead:]...)
	switch axis := int(m.a.layout.Axis()); {
	case m.counts != nil:
		return split.WithCounts(shape, 0, m.counts)
	case axis >= lead:
		return split.WithCounts(shape, Axis(axis-lead+1), m.a.layout.Counts())
	}
	return split.Block(shape, split.None, m.a.comm.Size())
}

// source returns the rows of a at the given offsets.
func (m *maskSelection[T]) source(at []int) rowSet[T] {
	lead := len(m.space.extents)
	return rowSet[T]{data: m.a.data, shape: m.a.shape[lead:], strides: m.a.strides[lead:]}.starting(at)
}

// leading returns the layout of l's first n axes: split like l, or replicated if
// l is split along a later axis.
func leading(l *split.Layout, n int) *split.Layout {
	shape := l.Shape()[:n]
	if l.Axis() == split.None || int(l.Axis()) >= n {
		return split.Block(shape, split.None, l.Ranks())
	}
	return split.WithCounts(shape, l.Axis(), l.Counts())
}

// newMaskSelection returns what mask selects of a. To be assigned to, every rank
// has to select all that it holds; to be read, a replicated array's rows may stay
// divided as the mask is.
func newMaskSelection[T Element](a *NDArray[T], mask *NDArray[bool], assign bool) *maskSelection[T] {
	sameComm(a.comm, mask.comm)
	lead := mask.NDim()
	if lead > a.NDim() || !mask.layout.Shape().Equal(a.layout.Shape()[:lead]) {
		misuse.Panic("a mask of shape %v for an array of shape %v", mask.layout.Shape(), a.layout.Shape())
	}
	c := a.comm
	m := &maskSelection[T]{a: a, space: newKeySpace(a, allAxes(lead), false)}
	l := leading(a.layout, lead)
	if l.Replicated() && !assign && a.layout.Replicated() && !mask.layout.Replicated() {
		// Each rank selects what its part of the mask names.
		l = mask.layout
		if l.Outer() > 1 {
			l = split.Block(l.Shape(), 0, c.Size())
		}
		lo, _ := l.Range(c.Rank())
		m.space.base += lo * m.space.memory[l.Axis()]
	} else if l.Axis() != split.None {
		lo, _ := l.Range(c.Rank())
		m.space.base += lo * m.space.memory[l.Axis()]
	}
	here := moved(mask, l)
	m.here = here
	if l.Replicated() {
		m.total = countTrue(here)
		return m
	}
	ordered := here
	if l.Outer() > 1 {
		ordered = moved(mask, split.Block(l.Shape(), 0, c.Size()))
	}
	m.countTrue(mask, ordered)
	if ordered != here && c.Size() > 1 {
		m.route = m.maskRoute(here, ordered)
	}
	return m
}

// mine returns the offsets of the rows that this rank selects of its own memory.
func (m *maskSelection[T]) mine() []int { return trueOffsets(m.here, m.space.memory, m.space.base) }

// countTrue sets the counts of the ranks' true elements in ordered, a layout of mask.
func (m *maskSelection[T]) countTrue(mask, ordered *NDArray[bool]) {
	c := m.a.comm
	m.counts = make([]int, c.Size())
	if mask.layout.Replicated() {
		for r := range m.counts {
			box := ordered.layout.Local(r)
			m.counts[r] = countTrue(mask.box(box))
		}
	} else {
		m.counts = gatherCounts(c, countTrue(ordered))
	}
	m.total = sumOfCounts(m.counts)
}

// maskRoute returns the route from the owners of the selected rows to the ranks
// that have them in the result. Both sides know it from their parts of the mask.
func (m *maskSelection[T]) maskRoute(here, ordered *NDArray[bool]) *route {
	c := m.a.comm
	r := &route{comm: c, rows: m.mine(), serve: make([]int, c.Size()), most: 2 * m.total, once: true}
	var strides [2][]int
	for i, x := range []*NDArray[bool]{here, ordered} {
		strides[i] = contiguousStrides(x.layout.Shape())
	}
	lo, _ := here.layout.Range(c.Rank())
	for _, p := range trueOffsets(here, strides[0], lo*strides[0][here.layout.Axis()]) {
		r.serve[ordered.layout.Owner(p/strides[0][0])]++
	}
	lo, _ = ordered.layout.Range(c.Rank())
	r.slots, r.want = m.space.byOwner(trueOffsets(ordered, strides[1], lo*strides[1][0]), c.Size())
	return r
}

// gatherCounts returns every rank's n. Communication: one allgatherv of 8 bytes.
func gatherCounts(c *spmd.Comm, n int) []int {
	recv, ones, counts := make([]int64, c.Size()), make([]int, c.Size()), make([]int, c.Size())
	for r := range ones {
		ones[r] = 1
	}
	spmd.Allgatherv(c, []int64{int64(n)}, recv, ones)
	for r, v := range recv {
		counts[r] = int(v)
	}
	return counts
}

// MaskedSelect returns the elements of a at which mask is true: a[mask]. The mask
// has a's shape, or that of its leading axes; these become one axis, in C order.
//
// Collective if a or mask is split, else local. Result split: 0 if a is split along
// an axis of the mask, unbalanced, where elements stay on their rank if a is split
// along axis 0 or only axes of extent 1 come before; 0 too if only the mask is
// split; else as a is. Communication: one allgatherv of 8 bytes, none if mask is
// replicated; a move of a split mask that is not split like a; if elements cannot
// stay, a move of the mask and one alltoallv of the selected elements.
// Panics if the shapes do not fit.
func MaskedSelect[T Element](a *NDArray[T], mask *NDArray[bool]) *NDArray[T] {
	m := newMaskSelection(a, mask, false)
	out := newRaw[T](a.comm, m.result())
	switch {
	case m.route != nil:
		fetch(m.route, rowsIn(out, 0, 1), m.source(nil))
	case mask.NDim() == a.NDim():
		m.compress(out.data)
	default:
		carryParallel(a.comm, rowsIn(out, 0, 1), m.source(m.mine()))
	}
	return out
}

// Compress returns the parts of a along axis at which the one-dimensional
// condition is true. It may be shorter than a, which then ends there.
//
// Collective if a or condition is split, else local. Result split: axis if a is
// split along it, unbalanced, its parts staying on their ranks, or if only condition
// is split; else as a is. Communication: as [MaskedSelect].
// Panics if axis is out of range, or condition is longer or has more axes than one.
func Compress[T Element](condition *NDArray[bool], a *NDArray[T], axis int) *NDArray[T] {
	k := axisOf(a, axis)
	n := condition.Size()
	if condition.NDim() != 1 || n > a.layout.Shape()[k] {
		misuse.Panic("a condition of shape %v for axis %d of an array of shape %v",
			condition.layout.Shape(), k, a.layout.Shape())
	}
	items := make([]Item, k+1)
	for j := range items {
		items[j] = Whole()
	}
	items[k] = To(n)
	front, back := make([]int, 0, a.NDim()), make([]int, a.NDim())
	for j := range back {
		if j != k {
			front = append(front, j)
		}
	}
	front = append([]int{k}, front...)
	for i, j := range front {
		back[j] = i
	}
	return MaskedSelect(a.Slice(items...).Transpose(front...), condition).Transpose(back...)
}

// Extract returns the elements of a, in C order, at which the condition, of as
// many elements, is true.
//
// Collective, result split and communication: as [MaskedSelect]; arrays of
// different shapes are reshaped to one axis first; see [Ravel].
// Panics if the numbers of elements differ.
func Extract[T Element](condition *NDArray[bool], a *NDArray[T]) *NDArray[T] {
	a, condition = sameShapes(a, condition)
	return MaskedSelect(a, condition)
}

// sameShapes returns a and mask, both along one axis if their shapes differ.
func sameShapes[T Element](a *NDArray[T], mask *NDArray[bool]) (*NDArray[T], *NDArray[bool]) {
	sameComm(a.comm, mask.comm)
	if a.Size() != mask.Size() {
		misuse.Panic("a condition of shape %v for an array of shape %v", mask.layout.Shape(), a.layout.Shape())
	}
	if !a.layout.Shape().Equal(mask.layout.Shape()) {
		return Ravel(a), Ravel(mask)
	}
	return a, mask
}

// SetWhere sets the elements of a at which mask, of a's shape or that of its leading
// axes, is true to values, which broadcast to the shape of [MaskedSelect]'s result:
// a[mask] = values.
//
// Collective unless a, mask and values are replicated. Result split: a's.
// Communication: a move of a split mask that is not split like a; one allgatherv
// of 8 bytes unless mask is replicated; a move of split values to the order of a's
// elements. Where elements cannot stay, as [MaskedSelect] has it, a second move
// of the mask and one alltoallv of the values.
// Panics if the shapes do not fit, on every rank alike.
func SetWhere[T Element](a *NDArray[T], mask *NDArray[bool], values *NDArray[T]) {
	newMaskSelection(a, mask, true).set(values)
}

// set assigns values to the selected rows.
func (m *maskSelection[T]) set(values *NDArray[T]) {
	a := m.a
	checkDst(a, values.comm)
	l := m.result()
	values = withoutLeadingOnes(values, len(l.Shape()))
	if !broadcastsTo(values.layout.Shape(), l.Shape()) {
		misuse.Panic("values of shape %v do not broadcast to the %v that the mask selects", values.layout.Shape(), l.Shape())
	}
	if overlap(values.data, a.data) {
		values = Copy(values)
	}
	rows := rowsIn(aligned(l, values).repeatedTo(l), 0, 1)
	if m.route != nil {
		r := *m.route
		deliver(&r, setRows[T]{}, m.source(nil), rows)
		return
	}
	carry(setRows[T]{}, m.source(m.mine()), rows)
}

// SetWhereScalar sets the elements of a at which mask is true to v.
//
// Local if mask is replicated or split like a. Result split: a's. Communication:
// a move of a split mask that is not split like a.
// Panics if the shapes do not fit.
func SetWhereScalar[T Element](a *NDArray[T], mask *NDArray[bool], v T) {
	sameComm(a.comm, mask.comm)
	shape := a.layout.Shape()
	if mask.NDim() > len(shape) || !mask.layout.Shape().Equal(shape[:mask.NDim()]) {
		misuse.Panic("a mask of shape %v for an array of shape %v", mask.layout.Shape(), shape)
	}
	items := []Item{Ellipsis()}
	for range len(shape) - mask.NDim() {
		items = append(items, NewAxis())
	}
	CopyWhere(a, scalarOf(a.comm, v), mask.Slice(items...))
}

// Place sets the elements of a at which mask, of a's shape, is true to values,
// which are taken in C order and repeated, or cut off, to as many as there are.
//
// Collective, result split and communication: as [SetWhere]; split values are
// reshaped to as many as there are before.
// Panics if the numbers of elements differ, or there are no values to set.
func Place[T Element](a *NDArray[T], mask *NDArray[bool], values *NDArray[T]) {
	sameComm(a.comm, mask.comm)
	if !a.layout.Shape().Equal(mask.layout.Shape()) {
		misuse.Panic("a mask of shape %v for an array of shape %v", mask.layout.Shape(), a.layout.Shape())
	}
	m := newMaskSelection(a, mask, true)
	if values.Size() == 0 && m.total > 0 {
		misuse.Panic("no values for %d elements", m.total)
	}
	if overlap(values.data, a.data) {
		values = Copy(values)
	}
	if values.Size() >= m.total {
		values = Ravel(values).Slice(To(m.total))
	} else {
		values = Resize(values, m.total)
	}
	m.set(values)
}
