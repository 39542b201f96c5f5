package linalg

import (
	"slices"

	"caloric/nd"
	"caloric/split"
)

// labeled is an array whose axes have labels. Axes of two arrays with one label
// have one extent.
type labeled[T nd.Number] struct {
	a      *nd.NDArray[T]
	labels []int
}

// split returns the label of the split axis, and its counts; ok is false if the
// array is replicated.
func (x labeled[T]) split() (p placement, ok bool) {
	l := x.a.Layout()
	if l.Replicated() {
		return placement{}, false
	}
	return placement{x.labels[l.Axis()], l.Counts()}, true
}

func (x labeled[T]) extent(label int) int { return x.a.Layout().Shape()[slices.Index(x.labels, label)] }

// placedAs returns x split along the axis of a label.
func (x labeled[T]) placedAs(p placement) labeled[T] {
	l := split.WithCounts(x.a.Layout().Shape(), split.Axis(slices.Index(x.labels, p.label)), p.counts)
	return labeled[T]{x.a.MoveTo(l), x.labels}
}

// ordered returns the view of x with its axes in the order of labels, which are
// x's and others, for which it has axes of extent 1.
func (x labeled[T]) ordered(labels []int) *nd.NDArray[T] {
	var axes, added []int
	for k, label := range labels {
		if i := slices.Index(x.labels, label); i >= 0 {
			axes = append(axes, i)
		} else {
			added = append(added, k)
		}
	}
	a := x.a
	if len(axes) > 0 {
		a = a.Transpose(axes...)
	}
	if len(added) > 0 {
		a = nd.ExpandDims(a, added...)
	}
	return a
}

// summed returns x without the axes whose labels are not kept, summed over them.
func (x labeled[T]) summed(kept func(label int) bool) labeled[T] {
	var over, labels []int
	for k, label := range x.labels {
		if kept(label) {
			labels = append(labels, label)
		} else {
			over = append(over, k)
		}
	}
	if len(over) == 0 {
		return x
	}
	return labeled[T]{nd.Sum(x.a, nd.Over(over...)), labels}
}

// placement says along the axis of which label something is split, and in which
// counts.
type placement struct {
	label  int
	counts []int
}

func (p placement) equal(q placement) bool {
	return p.label == q.label && slices.Equal(p.counts, q.counts)
}

// A contraction is the sum of products of two arrays over the labels that both
// have and the result has not. The result's other labels are in both (batch), in
// the first or in the second only.
type contraction struct {
	batch, sum, left, right []int
}

func contractionOf(x, y, out []int) (g contraction) {
	for _, label := range out {
		switch inX, inY := slices.Contains(x, label), slices.Contains(y, label); {
		case inX && inY:
			g.batch = append(g.batch, label)
		case inX:
			g.left = append(g.left, label)
		default:
			g.right = append(g.right, label)
		}
	}
	for _, label := range x {
		if slices.Contains(y, label) && !slices.Contains(out, label) {
			g.sum = append(g.sum, label)
		}
	}
	return g
}

// contract returns the contraction of x and y with axes in the order of out, every
// label of which x or y has.
//
// The operands are first brought where every rank can multiply what it has, see
// [aligned]. What a rank multiplies is a stack of matrices, one for each index of
// the labels that x, y and out have: that is the local part of it all, whichever
// axis is split. If the ranks have different parts of a sum, a reduce-scatter adds
// them up.
func contract[T nd.Number](x, y labeled[T], out []int) *nd.NDArray[T] {
	sameComm(x.a, y.a)
	in := func(labels []int) func(int) bool {
		return func(label int) bool { return slices.Contains(labels, label) || slices.Contains(out, label) }
	}
	x, y = x.summed(in(y.labels)), y.summed(in(x.labels))
	g := contractionOf(x.labels, y.labels, out)
	switch {
	case len(g.sum) == 0:
		return nd.Mul(x.ordered(out), y.ordered(out))
	case len(out) == 0:
		b := y.ordered(x.labels)
		return nd.Wrap(x.a.Comm(), split.Block(nd.Shape{}, split.None, x.a.Comm().Size()), []T{Dot(x.a, b)})
	case len(g.left) == 0 && len(g.right) == 0:
		all := slices.Concat(out, g.sum)
		over := make([]int, len(g.sum))
		for k := range over {
			over[k] = len(out) + k
		}
		return nd.Sum(nd.Mul(x.ordered(all), y.ordered(all)), nd.Over(over...))
	}
	x, y = aligned(x, y, g)
	z := multiplyStacks(x, y, g)
	perm := make([]int, len(out))
	for k, label := range out {
		perm[k] = slices.Index(z.labels, label)
	}
	return z.a.Transpose(perm...)
}

// aligned returns x and y where every rank can multiply what it has: at least one
// of them is replicated, or both are split alike along an axis that they share.
// If they are not like that,
//
//   - one that is not split along a batch axis goes to the other's if that is;
//   - of two that are split along batch axes or axes summed over the smaller one
//     goes to the other's axis;
//   - else both are split along the first batch axis that has an index for every
//     rank;
//   - else one that is split along an axis summed over is gathered, or if none is
//     the smaller one.
func aligned[T nd.Number](x, y labeled[T], g contraction) (labeled[T], labeled[T]) {
	px, okx := x.split()
	py, oky := y.split()
	if !okx || !oky || px.equal(py) && !slices.Contains(g.left, px.label) {
		return x, y
	}
	smaller := x.a.Size() < y.a.Size()
	batchX, batchY := slices.Contains(g.batch, px.label), slices.Contains(g.batch, py.label)
	sumX, sumY := slices.Contains(g.sum, px.label), slices.Contains(g.sum, py.label)
	switch {
	case batchX && (!batchY || !smaller), sumX && sumY && !smaller:
		return x, y.placedAs(px)
	case batchY, sumX && sumY:
		return x.placedAs(py), y
	}
	ranks := x.a.Comm().Size()
	for _, label := range g.batch {
		if n := x.extent(label); n >= ranks && ranks > 1 {
			p := placement{label, split.Block(nd.Shape{n}, 0, ranks).Counts()}
			return x.placedAs(p), y.placedAs(p)
		}
	}
	if sumX || !sumY && smaller {
		x.a = x.a.Resplit(split.None)
		return x, y
	}
	y.a = y.a.Resplit(split.None)
	return x, y
}
