package split

import (
	"fmt"
	"slices"
	"sort"
)

// Axis is the axis along which an array is split over the ranks, or [None].
type Axis int

// None is the split axis of a replicated array: every rank holds all of it.
const None Axis = -1

// String returns "None" or the axis number.
func (a Axis) String() string {
	if a == None {
		return "None"
	}
	return fmt.Sprint(int(a))
}

// Layout says which rank owns which indices of an array. A split layout gives
// each rank one contiguous block of indices along one axis, in rank order, some
// of them possibly empty; a replicated layout gives every rank everything.
//
// A Layout is immutable. Arrays of the same layout share it by pointer, and
// every rank computes it alike from what it already knows.
type Layout struct {
	shape   Shape
	axis    Axis
	ranks   int
	offsets []int // rank r owns offsets[r] ≤ i < offsets[r+1] along axis; nil when replicated
}

// Block returns the balanced layout of shape over ranks, split along axis: of
// an extent n each rank gets n/ranks indices, and the first n%ranks ranks one
// more. With axis None it is replicated.
// Panics if the shape, the axis or the number of ranks makes no sense; see [Check].
func Block(shape Shape, axis Axis, ranks int) *Layout {
	must(Check(shape, axis, ranks))
	l := &Layout{shape: slices.Clone(shape), axis: axis, ranks: ranks}
	if axis != None {
		l.offsets = make([]int, ranks+1)
		for r := range ranks {
			l.offsets[r+1] = l.offsets[r] + blockCount(shape[axis], ranks, r)
		}
	}
	return l
}

func blockCount(n, ranks, r int) int {
	if r < n%ranks {
		return n/ranks + 1
	}
	return n / ranks
}

// WithCounts returns the layout in which rank r owns the next counts[r] indices
// along axis. Counts may be zero; they add up to the extent.
// Panics if they do not, or if the shape or the axis makes no sense; see [CheckCounts].
func WithCounts(shape Shape, axis Axis, counts []int) *Layout {
	must(CheckCounts(shape, axis, counts))
	l := &Layout{shape: slices.Clone(shape), axis: axis, ranks: len(counts), offsets: make([]int, len(counts)+1)}
	for r, n := range counts {
		l.offsets[r+1] = l.offsets[r] + n
	}
	return l
}

// Check returns an error if [Block] cannot make a layout of these arguments.
func Check(shape Shape, axis Axis, ranks int) error {
	if err := shape.check(); err != nil {
		return err
	}
	if axis != None && (axis < 0 || int(axis) >= len(shape)) {
		return fmt.Errorf("split axis %d is out of range for shape %v", axis, shape)
	}
	if ranks < 1 {
		return fmt.Errorf("%d ranks", ranks)
	}
	return nil
}

// CheckCounts returns an error if [WithCounts] cannot make a layout of these arguments.
func CheckCounts(shape Shape, axis Axis, counts []int) error {
	if err := Check(shape, axis, len(counts)); err != nil {
		return err
	}
	if axis == None {
		return fmt.Errorf("counts %v for a replicated array", counts)
	}
	left := shape[axis]
	for r, n := range counts {
		if n < 0 {
			return fmt.Errorf("count of rank %d is %d", r, n)
		}
		if n > left {
			return fmt.Errorf("counts %v add up to more than the %d of axis %d of shape %v", counts, shape[axis], axis, shape)
		}
		left -= n
	}
	if left > 0 {
		return fmt.Errorf("counts %v add up to %d, but axis %d of shape %v has %d",
			counts, shape[axis]-left, axis, shape, shape[axis])
	}
	return nil
}

func must(err error) {
	if err != nil {
		panic(fmt.Errorf("split: %w", err))
	}
}

// Shape returns the global shape. The caller must not change it.
func (l *Layout) Shape() Shape { return l.shape }

// Axis returns the split axis, None if the layout is replicated.
func (l *Layout) Axis() Axis { return l.axis }

// Ranks returns the number of ranks.
func (l *Layout) Ranks() int { return l.ranks }

// Replicated reports whether every rank holds everything.
func (l *Layout) Replicated() bool { return l.axis == None }

// Range returns the indices lo ≤ i < hi that rank owns along the split axis,
// and 0, 0 if the layout is replicated.
func (l *Layout) Range(rank int) (lo, hi int) {
	if l.axis == None {
		return 0, 0
	}
	return l.offsets[rank], l.offsets[rank+1]
}

// Counts returns the number of indices that each rank owns along the split
// axis, nil if the layout is replicated.
func (l *Layout) Counts() []int {
	if l.axis == None {
		return nil
	}
	c := make([]int, l.ranks)
	for r := range c {
		c[r] = l.offsets[r+1] - l.offsets[r]
	}
	return c
}

// Owner returns the rank that owns index i along the split axis, 0 if the
// layout is replicated. i must be in range.
func (l *Layout) Owner(i int) int {
	if l.axis == None {
		return 0
	}
	return sort.SearchInts(l.offsets, i+1) - 1
}

// Local returns the box of indices that rank holds.
func (l *Layout) Local(rank int) Box {
	b := Whole(l.shape)
	if l.axis != None {
		b.Lo[l.axis], b.Hi[l.axis] = l.Range(rank)
	}
	return b
}

// LocalShape returns the extents of what rank holds.
func (l *Layout) LocalShape(rank int) Shape {
	s := slices.Clone(l.shape)
	if l.axis != None {
		s[l.axis] = l.offsets[rank+1] - l.offsets[rank]
	}
	return s
}

// LocalSize returns the number of elements that rank holds.
func (l *Layout) LocalSize(rank int) int {
	n := 1
	for k, d := range l.shape {
		if Axis(k) == l.axis {
			d = l.offsets[rank+1] - l.offsets[rank]
		}
		n *= d
	}
	return n
}

// Balanced reports whether the layout is the one that [Block] makes.
func (l *Layout) Balanced() bool {
	if l.axis == None {
		return true
	}
	for r := range l.ranks {
		if l.offsets[r+1]-l.offsets[r] != blockCount(l.shape[l.axis], l.ranks, r) {
			return false
		}
	}
	return true
}

// Equal reports whether l and m give every rank the same indices of the same shape.
func (l *Layout) Equal(m *Layout) bool {
	return l == m || l.axis == m.axis && l.ranks == m.ranks &&
		slices.Equal(l.shape, m.shape) && slices.Equal(l.offsets, m.offsets)
}

// reshaped returns a layout like l for another shape whose extent along axis is
// l's extent along its split axis: the same ranges of indices, another array.
func (l *Layout) reshaped(shape Shape, axis Axis) *Layout {
	return &Layout{shape: slices.Clone(shape), axis: axis, ranks: l.ranks, offsets: l.offsets}
}

// replicated returns the replicated layout of shape over ranks.
func replicated(shape Shape, ranks int) *Layout {
	return &Layout{shape: slices.Clone(shape), axis: None, ranks: ranks}
}

// String returns the shape, the split axis and, for an unbalanced layout of few
// ranks, the counts: "(8, 4) split 0", "(8, 4) split 0 [5 3 0]", "(8, 4) replicated".
func (l *Layout) String() string {
	if l.axis == None {
		return fmt.Sprintf("%v replicated", l.shape)
	}
	if l.Balanced() {
		return fmt.Sprintf("%v split %v", l.shape, l.axis)
	}
	if l.ranks > 16 {
		return fmt.Sprintf("%v split %v unbalanced", l.shape, l.axis)
	}
	return fmt.Sprintf("%v split %v %v", l.shape, l.axis, l.Counts())
}

// code returns the layout's short name in a plan: "S0", or "R" for replicated.
func (l *Layout) code() string {
	if l.axis == None {
		return "R"
	}
	return fmt.Sprintf("S%d", l.axis)
}
