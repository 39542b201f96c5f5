package nd

import (
	"slices"

	"caloric/internal/misuse"
	"caloric/split"
)

// Roll returns a with its indices along the given axes shifted up by shift;
// what is shifted past the end comes in at the start. Without axes the elements
// are shifted in C order of the whole array.
//
// Collective if the split axis is rolled, else local. Result split: a's.
// Communication: one alltoallv of what changes its owner if the split axis is
// rolled, or without axes; else none. Panics if an axis is out of range.
func Roll[T Element](a *NDArray[T], shift int, axes ...int) *NDArray[T] {
	if len(axes) == 0 {
		return rollFlat(a, shift)
	}
	return RollEach(a, slices.Repeat([]int{shift}, len(axes)), axes...)
}

// RollEach is [Roll] with a shift for each axis; those of an axis that is named
// twice add up.
//
// Collective if the split axis is rolled, else local. Result split and
// communication: as [Roll]. Panics if an axis is out of range, or there are not
// as many shifts as axes.
func RollEach[T Element](a *NDArray[T], shifts []int, axes ...int) *NDArray[T] {
	if len(shifts) != len(axes) {
		misuse.Panic("%d shifts for %d axes", len(shifts), len(axes))
	}
	by := addShifts(a, shifts, axes)
	out := a
	for k, s := range by {
		if s != 0 {
			out = rearranged(a.layout, k, rollRuns(a.layout.Shape()[k], s), out)
		}
	}
	if out == a {
		return Copy(a)
	}
	return out
}

// RollInto sets dst to [Roll] of a, which may be dst.
//
// Collective if the split axis is rolled or the layouts differ, else local.
// Result split: dst's. Communication: one alltoallv as [Roll] if the layouts
// agree; without axes, or along several, also a move to dst's layout if they differ.
// Panics if dst does not have a's shape, or an axis is out of range.
func RollInto[T Element](dst, a *NDArray[T], shift int, axes ...int) {
	sameComm(dst.comm, a.comm)
	checkResultShape(dst, a.layout.Shape())
	if len(axes) == 1 && a.Size() > 0 {
		k := axisOf(a, axes[0])
		n := a.layout.Shape()[k]
		rearrange(dst, k, rollRuns(n, mod(shift, n)), a)
		return
	}
	CopyInto(dst, Roll(a, shift, axes...))
}

// rollRuns returns the runs of an axis of n shifted up by 0 ≤ s < n.
func rollRuns(n, s int) runList {
	var runs runList
	runs.add(0, n-s, 1, s)
	runs.add(0, 0, 1, n-s)
	return runs
}

// addShifts returns the shift of each axis of a, from 0 on.
func addShifts[T Element](a *NDArray[T], shifts, axes []int) []int {
	shape := a.layout.Shape()
	by := make([]int, len(shape))
	for i, axis := range axes {
		if k := axisOf(a, axis); shape[k] > 0 {
			by[k] = mod(by[k]+mod(shifts[i], shape[k]), shape[k])
		}
	}
	return by
}

// rollFlat shifts a's elements in C order.
func rollFlat[T Element](a *NDArray[T], shift int) *NDArray[T] {
	n := a.Size()
	if n == 0 || mod(shift, n) == 0 {
		return Copy(a)
	}
	s := mod(shift, n)
	if a.layout.Replicated() || a.comm.Size() == 1 {
		flat := a.view(split.Block(Shape{n}, split.None, a.comm.Size()), 0, []int{n}, []int{1})
		flat.data = a.Local()
		return wrap(a.comm, a.layout, Roll(flat, s, 0).data)
	}
	return flatMoved(a, a.layout, []flatRun{{n - s, 0, s}, {0, s, n - s}})
}

// mod returns the remainder of a/b in 0 ≤ r < b.
func mod(a, b int) int {
	if a %= b; a < 0 {
		a += b
	}
	return a
}

// Flip returns a read backwards along the given axes, or along all axes. It is a
// view unless the split axis is flipped.
//
// Collective if the split axis is flipped, else local. Result split: a's.
// Communication: one alltoallv of what changes its owner if the split axis is
// flipped, else none. Panics if an axis is out of range or named twice.
func Flip[T Element](a *NDArray[T], axes ...int) *NDArray[T] {
	named, err := split.NormalizeAxes(axes, a.NDim())
	misuse.Check(err)
	items := slices.Repeat([]Item{Whole()}, a.NDim())
	across := -1
	for k := range items {
		switch {
		case len(axes) > 0 && !slices.Contains(named, k):
		case a.layout.Axis() == Axis(k) && a.comm.Size() > 1:
			across = k
		default:
			items[k] = Range(Open, Open, -1)
		}
	}
	v := a.Slice(items...)
	if across < 0 {
		return v
	}
	return reversed(v, a.layout)
}

// reversed returns v read backwards along its split axis, in layout l.
func reversed[T Element](v *NDArray[T], l *split.Layout) *NDArray[T] {
	axis := int(v.layout.Axis())
	n := v.layout.Shape()[axis]
	var runs runList
	runs.add(0, n-1, -1, n)
	return rearranged(l, axis, runs, v)
}

// FlipLR is [Flip] along axis 1.
//
// Collective if a is split along axis 1, else local. Result split and
// communication: as [Flip]. Panics if a has fewer than two axes.
func FlipLR[T Element](a *NDArray[T]) *NDArray[T] {
	needAxes(a, 2)
	return Flip(a, 1)
}

// FlipUD is [Flip] along axis 0.
//
// Collective if a is split along axis 0, else local. Result split and
// communication: as [Flip]. Panics if a has no axes.
func FlipUD[T Element](a *NDArray[T]) *NDArray[T] {
	needAxes(a, 1)
	return Flip(a, 0)
}

// Rot90 returns a turned by k quarter turns in the plane of two axes, by default
// 0 and 1, from the first axis towards the second.
//
// Collective if an axis that is flipped is the split axis, else local. Result
// split: a's, moved with its axis by odd k. Communication: one alltoallv if the
// split axis is flipped, else none.
// Panics if a has not two different axes of these numbers.
func Rot90[T Element](a *NDArray[T], k int, axes ...int) *NDArray[T] {
	if len(axes) == 0 {
		axes = []int{0, 1}
	}
	if len(axes) != 2 || a.NDim() < 2 || axisOf(a, axes[0]) == axisOf(a, axes[1]) {
		misuse.Panic("axes %v span no plane in shape %v", axes, a.layout.Shape())
	}
	switch mod(k, 4) {
	case 1:
		return SwapAxes(Flip(a, axes[1]), axes[0], axes[1])
	case 2:
		return Flip(a, axes...)
	case 3:
		return Flip(SwapAxes(a, axes[0], axes[1]), axes[1])
	}
	return a.view(a.layout, a.offset, a.shape, a.strides)
}
