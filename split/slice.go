package split

import (
	"fmt"
	"math"
)

// Open is a bound of a range that is not given: the end of the axis at which a
// walk with the range's step starts or stops.
const Open = math.MinInt

type itemKind uint8

const (
	rangeItem itemKind = iota
	indexItem
	newAxisItem
	ellipsisItem
)

// Item is one entry of a basic slice: a range, an index, a new axis or an ellipsis.
type Item struct {
	kind              itemKind
	start, stop, step int
}

// Range selects start, start+step, … up to but excluding stop, as start:stop:step
// does in Python: negative bounds count from the end, bounds past the ends are
// clamped, and either may be [Open]. step is not 0.
func Range(start, stop, step int) Item { return Item{rangeItem, start, stop, step} }

// Index selects one index and removes the axis. A negative index counts from the end.
func Index(i int) Item { return Item{kind: indexItem, start: i} }

// NewAxis inserts an axis of extent 1.
func NewAxis() Item { return Item{kind: newAxisItem} }

// Ellipsis stands for as many whole axes as the other items leave over.
func Ellipsis() Item { return Item{kind: ellipsisItem} }

// String returns the item as Python writes it.
func (it Item) String() string {
	bound := func(b int) string {
		if b == Open {
			return ""
		}
		return fmt.Sprint(b)
	}
	switch it.kind {
	case indexItem:
		return fmt.Sprint(it.start)
	case newAxisItem:
		return "newaxis"
	case ellipsisItem:
		return "..."
	}
	if it.step == 1 {
		return bound(it.start) + ":" + bound(it.stop)
	}
	return fmt.Sprintf("%s:%s:%d", bound(it.start), bound(it.stop), it.step)
}

// Walk is a range resolved on an axis: Start, Start+Step, … Count indices, all
// of them in range. Step is 1 where Count is 0 or 1, so that a backward walk
// has at least two indices. Axis is the source axis, -1 for a new axis of the result.
type Walk struct {
	Axis, Start, Step, Count int
}

// Sliced says what a basic slice does to an array of a layout.
type Sliced struct {
	Walks []Walk      // one for each axis of the result
	At    map[int]int // source axis → its fixed index

	// Layout is the result's layout when data stays where it is: each rank keeps
	// what it owns. If Owner ≥ 0 an index fixed the split axis, only rank Owner
	// holds the selection, and Layout is replicated: one broadcast. If Reversed,
	// the result is what Layout describes, read backwards along its split axis.
	Layout   *Layout
	Owner    int
	Reversed bool
}

// Slice returns what the slice items do to an array of layout l. Axes that no
// item names are taken whole.
func Slice(l *Layout, items []Item) (Sliced, error) {
	s := Sliced{At: map[int]int{}, Owner: -1}
	full, err := expandEllipsis(items, len(l.shape))
	if err != nil {
		return s, err
	}
	shape, axis, src := Shape{}, None, 0
	var splitWalk Walk
	for _, it := range full {
		if it.kind == newAxisItem {
			s.Walks = append(s.Walks, Walk{Axis: -1, Step: 1, Count: 1})
			shape = append(shape, 1)
			continue
		}
		n := l.shape[src]
		if it.kind == indexItem {
			i := it.start
			if i < -n || i >= n {
				return s, fmt.Errorf("index %d is out of range for axis %d of extent %d", i, src, n)
			}
			if i < 0 {
				i += n
			}
			s.At[src] = i
			if Axis(src) == l.axis {
				s.Owner = l.Owner(i)
			}
			src++
			continue
		}
		w, err := it.resolve(src, n)
		if err != nil {
			return s, err
		}
		if Axis(src) == l.axis {
			axis, splitWalk = Axis(len(shape)), w
		}
		s.Walks = append(s.Walks, w)
		shape = append(shape, w.Count)
		src++
	}
	if axis == None {
		s.Layout = replicated(shape, l.ranks)
		return s, nil
	}
	s.Reversed = splitWalk.Step < 0
	s.Layout = l.walked(shape, axis, splitWalk)
	return s, nil
}

// walked returns the layout of what a walk along l's split axis leaves on each
// rank, in ascending order of the source indices.
func (l *Layout) walked(shape Shape, axis Axis, w Walk) *Layout {
	if w.Step == 1 && w.Count == l.shape[l.axis] {
		return l.reshaped(shape, axis)
	}
	out := &Layout{shape: shape, axis: axis, ranks: l.ranks, offsets: make([]int, l.ranks+1)}
	for r := range l.ranks {
		_, hi := l.Range(r)
		out.offsets[r+1] = w.ascending().below(hi)
	}
	return out
}

// ascending returns the walk over the same indices with a positive step.
func (w Walk) ascending() Walk {
	if w.Step < 0 {
		w.Start += (w.Count - 1) * w.Step
		w.Step = -w.Step
	}
	return w
}

// below returns how many of an ascending walk's indices are less than i.
func (w Walk) below(i int) int {
	return min(w.Count, ceilDiv(i-w.Start, w.Step))
}

// Local returns the part of the walk over the indices lo ≤ i < hi of its axis,
// relative to lo and with a positive step.
func (w Walk) Local(lo, hi int) Walk {
	w = w.ascending()
	first, last := w.below(lo), w.below(hi)
	w.Start += first*w.Step - lo
	w.Count = last - first
	if w.Count == 0 {
		w.Start = 0
	}
	return w
}

// resolve clamps the range to an axis of extent n as Python's slice.indices does.
func (it Item) resolve(axis, n int) (Walk, error) {
	w := Walk{Axis: axis, Step: it.step}
	if it.step == 0 {
		return w, fmt.Errorf("slice %v has step 0", it)
	}
	lowest, highest := 0, n
	if it.step < 0 {
		lowest, highest = -1, n-1
	}
	bound := func(b, open int) int {
		if b == Open {
			return open
		}
		if b < 0 {
			b += n
		}
		return max(lowest, min(b, highest))
	}
	var stop int
	if it.step > 0 {
		w.Start, stop = bound(it.start, 0), bound(it.stop, n)
		w.Count = max(0, ceilDiv(stop-w.Start, it.step))
	} else {
		w.Start, stop = bound(it.start, n-1), bound(it.stop, -1)
		w.Count = max(0, ceilDiv(w.Start-stop, -it.step))
	}
	if w.Count == 0 {
		w.Start = 0
	}
	if w.Count <= 1 {
		w.Step = 1
	}
	return w, nil
}

// ceilDiv returns a/b rounded up, for b > 0, without overflow for huge b.
func ceilDiv(a, b int) int {
	if a <= 0 {
		return 0
	}
	return (a-1)/b + 1
}

// expandEllipsis returns items with the ellipsis replaced, or whole axes added
// at the end, so that every axis has its item.
func expandEllipsis(items []Item, ndim int) ([]Item, error) {
	named, at := 0, -1
	for i, it := range items {
		switch it.kind {
		case rangeItem, indexItem:
			named++
		case ellipsisItem:
			if at >= 0 {
				return nil, fmt.Errorf("a slice with two ellipses")
			}
			at = i
		}
	}
	if named > ndim {
		return nil, fmt.Errorf("%d indices for %d axes", named, ndim)
	}
	rest := make([]Item, ndim-named)
	for i := range rest {
		rest[i] = Range(Open, Open, 1)
	}
	if at < 0 {
		return append(append([]Item{}, items...), rest...), nil
	}
	return append(append(append([]Item{}, items[:at]...), rest...), items[at+1:]...), nil
}
