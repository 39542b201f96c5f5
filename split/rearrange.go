package split

import (
	"fmt"
	"math"
	"slices"
)

// InferShape returns shape with its extent of -1, of which there may be one,
// replaced by the one that gives size elements.
func InferShape(shape Shape, size int) (Shape, error) {
	out := slices.Clone(shape)
	open, known := -1, 1
	for k, d := range shape {
		switch {
		case d == -1 && open >= 0:
			return nil, fmt.Errorf("shape %v has two extents of -1", shape)
		case d == -1:
			open = k
		case d < 0:
			return nil, fmt.Errorf("shape %v has a negative extent", shape)
		case known > 0 && d > math.MaxInt/known:
			return nil, fmt.Errorf("shape %v has more than 2^63-1 elements", shape)
		default:
			known *= d
		}
	}
	if open >= 0 {
		if known == 0 || size%known != 0 {
			return nil, fmt.Errorf("%d elements do not fit shape %v", size, shape)
		}
		out[open] = size / known
	}
	if out.Size() != size {
		return nil, fmt.Errorf("%d elements do not fit shape %v, which has %d", size, shape, out.Size())
	}
	return out, out.check()
}

// Reshape returns the layout of l's array reshaped, in C order, to shape and
// split along axis. It leaves every element on its rank where each rank's part
// is one of whole indices along axis; else it is balanced.
func Reshape(l *Layout, shape Shape, axis Axis) *Layout {
	out := Block(shape, axis, l.ranks)
	if l.axis == None || axis == None || shape.Size() == 0 || l.Outer() != out.Outer() {
		return out
	}
	inner, outInner := l.Inner(), out.Inner()
	offsets := make([]int, len(l.offsets))
	for r, i := range l.offsets {
		if i*inner%outInner != 0 {
			return out
		}
		offsets[r] = i * inner / outInner
	}
	out.offsets = offsets
	return out
}

// Inner returns the number of elements of one index along the split axis: the
// product of the extents after it.
func (l *Layout) Inner() int { return l.shape[l.axis+1:].Size() }

// Outer returns the number of blocks, in C order of the whole array, in which
// a rank's elements lie: the product of the extents before the split axis.
func (l *Layout) Outer() int { return l.shape[:max(0, l.axis)].Size() }

// SameFlat reports whether l and m, of as many elements, give every rank the
// elements at the same positions in C order.
func (l *Layout) SameFlat(m *Layout) bool {
	if l.ranks == 1 || l.axis == None || m.axis == None {
		return l.ranks == 1 || l.axis == m.axis
	}
	if l.shape.Size() == 0 {
		return true
	}
	if l.Outer() != m.Outer() {
		return false
	}
	li, mi := l.Inner(), m.Inner()
	for r, i := range l.offsets {
		if i*li != m.offsets[r]*mi {
			return false
		}
	}
	return true
}

// Broadcast returns the layout of l's array broadcast to shape without moving
// anything, and false if l is split along an axis that is repeated, so that the
// array has to be replicated first.
func Broadcast(l *Layout, shape Shape) (*Layout, bool) {
	if l.axis == None {
		return replicated(shape, l.ranks), true
	}
	axis := l.axis + Axis(len(shape)-len(l.shape))
	if shape[axis] != l.shape[l.axis] {
		return nil, false
	}
	return l.reshaped(shape, axis), true
}

// Resize returns the layout of an array like l's but with n indices along axis:
// balanced if that is the split axis, else with the same ranges.
func Resize(l *Layout, axis, n int) *Layout {
	shape := slices.Clone(l.shape)
	shape[axis] = n
	must(shape.check())
	if Axis(axis) == l.axis {
		return Block(shape, l.axis, l.ranks)
	}
	return l.reshaped(shape, l.axis)
}

// Stretch returns the layout of an array with n indices along axis in which
// what l's rank r owns, lo ≤ i < hi, has become f(lo) ≤ j < f(hi). f must not
// fall; the first rank's part begins at 0 and the last one's ends at n.
func Stretch(l *Layout, axis, n int, f func(i int) int) *Layout {
	out := Resize(l, axis, n)
	if Axis(axis) != l.axis {
		return out
	}
	offsets := make([]int, len(l.offsets))
	for r := 1; r < l.ranks; r++ {
		offsets[r] = min(max(f(l.offsets[r]), 0), n)
	}
	offsets[l.ranks] = n
	for r := l.ranks - 1; r > 0 && l.offsets[r] == l.offsets[l.ranks]; r-- {
		offsets[r] = n // what follows the last index stays with the rank that has it
	}
	out.offsets = offsets
	return out
}

// Diagonal returns the layout of the diagonal of axes i and j of l that starts
// at indices (i0, j0) and has n elements: the two axes are gone, the diagonal is
// the last one. Each rank keeps what it owns.
func Diagonal(l *Layout, i, j, i0, j0, n int) *Layout {
	shape, axis := Shape{}, None
	for k, d := range l.shape {
		if k == i || k == j {
			continue
		}
		if Axis(k) == l.axis {
			axis = Axis(len(shape))
		}
		shape = append(shape, d)
	}
	shape = append(shape, n)
	if l.axis != Axis(i) && l.axis != Axis(j) {
		return l.reshaped(shape, axis)
	}
	start := i0
	if l.axis == Axis(j) {
		start = j0
	}
	out := &Layout{shape: shape, axis: Axis(len(shape) - 1), ranks: l.ranks, offsets: make([]int, l.ranks+1)}
	for r := range out.offsets {
		out.offsets[r] = min(max(l.offsets[r]-start, 0), n)
	}
	return out
}

// Concatenate returns the layout of the arrays of layouts ops joined along
// axis. Arrays split alike along another axis stay where they are; where the
// operands differ, the result is split like the one for which the fewest bytes
// must move, the earlier one where that is equal. Along axis the result is
// balanced. Replicated operands never decide.
func Concatenate(axis int, ops ...Operand) (*Layout, error) {
	first := ops[0].Layout
	shape := slices.Clone(first.shape)
	for _, o := range ops[1:] {
		l := o.Layout
		if l.ranks != first.ranks {
			return nil, fmt.Errorf("operands over %d and %d ranks", first.ranks, l.ranks)
		}
		fits := len(l.shape) == len(shape)
		for k := 0; fits && k < len(shape); k++ {
			fits = k == axis || l.shape[k] == shape[k]
		}
		if !fits {
			return nil, fmt.Errorf("shapes %v and %v cannot be joined along axis %d", first.shape, l.shape, axis)
		}
		shape[axis] += l.shape[axis]
	}
	if err := shape.check(); err != nil {
		return nil, err
	}
	var best *Layout
	fewest := 0
	for _, o := range ops {
		if o.Layout.axis == None {
			continue
		}
		n := 0
		for _, p := range ops {
			l := p.Layout
			same := l.axis == o.Layout.axis && (l.axis == Axis(axis) || slices.Equal(l.offsets, o.Layout.offsets))
			if l.axis != None && !same {
				n += l.shape.Size() * p.Elem
			}
		}
		if best == nil || n < fewest {
			best, fewest = o.Layout, n
		}
	}
	switch {
	case best == nil:
		return replicated(shape, first.ranks), nil
	case best.axis == Axis(axis):
		return Block(shape, best.axis, best.ranks), nil
	}
	return best.reshaped(shape, best.axis), nil
}
