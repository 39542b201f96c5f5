package linalg

import (
	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/split"
)

// VecDot returns Σ conj(a)·b along one axis of both, as NumPy's vecdot does; the
// other axes broadcast. A negative axis counts from the end of each array, which
// then may have different numbers of axes.
//
// Collective if the axis is split or the layouts differ, else local. Result
// split: None if the axis is split, else that of [nd.Mul], shifted if the axis
// was before it. Communication: one move of the smaller operand if both are
// split, but differently; one allreduce of the result if the axis is split.
// Panics if the axis is out of range, if its extents differ or the other axes do
// not broadcast, or if the communicators differ.
func VecDot[T nd.Number](a, b *nd.NDArray[T], axis int) *nd.NDArray[T] {
	axis = vectorAxis(a, b, axis)
	la, lb := a.Layout(), b.Layout()
	if m, n := la.Shape()[a.NDim()+axis], lb.Shape()[b.NDim()+axis]; m != n {
		misuse.Panic("vectors along axis %d of %v and %v have %d and %d elements", axis, la, lb, m, n)
	}
	return nd.Sum(nd.Mul(conjugatedArray(a), b), nd.Over(axis))
}

// Cross returns the vector products of a and b: of the vectors of three elements
// that lie along one axis of both; the other axes broadcast. A negative axis
// counts from the end of each array, and of the result. Nothing is conjugated.
// Vectors of two elements, which NumPy 2 has deprecated, are a mistake: the third
// component of their product is a₀b₁ − a₁b₀.
//
// Collective if the axis is split or the layouts differ, else local. Result
// split: the operands'; see [split.Elementwise]. Communication: one move of each
// operand that is split along the axis, to be split along its longest other axis,
// None if it has no other; and one move of the smaller operand if both are then
// split, but differently.
// Panics if the axis is out of range or does not have three elements, if the
// other axes do not broadcast, or if the communicators differ.
func Cross[T nd.Number](a, b *nd.NDArray[T], axis int) *nd.NDArray[T] {
	axis = vectorAxis(a, b, axis)
	la, lb := a.Layout(), b.Layout()
	if la.Shape()[a.NDim()+axis] != 3 || lb.Shape()[b.NDim()+axis] != 3 {
		misuse.Panic("the vector product is one of vectors of 3 elements, not of those along axis %d of %v and %v", axis, la, lb)
	}
	if _, err := split.BroadcastShapes(la.Shape(), lb.Shape()); err != nil {
		misuse.Panic("vector product of %v and %v: %v", la, lb, err)
	}
	a, b = offAxis(a, axis), offAxis(b, axis)
	// Whole arrays meet once, so that at most one of them moves.
	l, err := split.Elementwise(split.Operand{Layout: a.Layout(), Elem: 1}, split.Operand{Layout: b.Layout(), Elem: 1})
	misuse.Check(err)
	a, b = aligns(a, l), aligns(b, l)
	x, y := components(a, axis), components(b, axis)
	var z [3]*nd.NDArray[T]
	for k := range z {
		i, j := (k+1)%3, (k+2)%3
		z[k] = nd.Mul(x[i], y[j])
		nd.SubInto(z[k], z[k], nd.Mul(x[j], y[i]))
	}
	return nd.Stack(z[0].NDim()+1+axis, z[0], z[1], z[2])
}

// vectorAxis returns the axis of vectors in a and b as a negative number.
func vectorAxis[T nd.Number](a, b *nd.NDArray[T], axis int) int {
	sameComm(a, b)
	for _, x := range []*nd.NDArray[T]{a, b} {
		if _, err := split.NormalizeAxis(axis, x.NDim()); err != nil {
			misuse.Panic("%v (operands %v and %v)", err, a.Layout(), b.Layout())
		}
	}
	if axis < 0 {
		return axis
	}
	if a.NDim() != b.NDim() {
		misuse.Panic("axis %d of %v and %v, which have different numbers of axes, has to be negative", axis, a.Layout(), b.Layout())
	}
	return axis - a.NDim()
}

// offAxis returns a split along another axis if it is split along the given one.
func offAxis[T nd.Number](a *nd.NDArray[T], axis int) *nd.NDArray[T] {
	axis += a.NDim()
	if a.Split() != split.Axis(axis) {
		return a
	}
	to, longest := split.None, 1
	for k, n := range a.Shape() {
		if k != axis && n > longest {
			to, longest = split.Axis(k), n
		}
	}
	return a.Resplit(to)
}

// aligns returns a where an elementwise operation with result layout l wants it.
func aligns[T nd.Number](a *nd.NDArray[T], l *split.Layout) *nd.NDArray[T] {
	if a.Layout().Replicated() {
		return a
	}
	return a.MoveTo(split.Align(l, a.Layout()))
}

// components returns the views of a at indices 0, 1 and 2 of an axis that is not
// split.
func components[T nd.Number](a *nd.NDArray[T], axis int) (x [3]*nd.NDArray[T]) {
	items := make([]nd.Item, a.NDim()+axis+1)
	for k := range items {
		items[k] = nd.Whole()
	}
	for k := range x {
		items[len(items)-1] = nd.Index(k)
		x[k] = a.Slice(items...)
	}
	return x
}

// conjugatedArray returns the complex conjugate of a, a itself if it is real.
func conjugatedArray[T nd.Number](a *nd.NDArray[T]) *nd.NDArray[T] {
	switch z := any(a).(type) {
	case *nd.NDArray[complex64]:
		return any(nd.Conj(z)).(*nd.NDArray[T])
	case *nd.NDArray[complex128]:
		return any(nd.Conj(z)).(*nd.NDArray[T])
	}
	return a
}
