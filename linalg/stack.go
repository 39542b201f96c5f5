package linalg

import (
	"slices"

	"caloric/internal/parallel"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// stack is matrices of one shape in this rank's memory, step elements apart.
type stack[T nd.Number] struct {
	mat[T]
	n, step int
}

func (s stack[T]) at(i int) mat[T] {
	m := s.mat
	if m.rows*m.cols > 0 {
		m.off += i * s.step
	}
	return m
}

// multiplyStacks returns the contraction of operands as [aligned] leaves them, with
// the labels of the batch, the left and the right axes in turn. Of an operand that
// is replicated a rank reads what belongs to its part of the other.
//
// If the operands are split along an axis summed over, a reduce-scatter adds up
// the sums and leaves the result split along its first axis, balanced.
func multiplyStacks[T nd.Number](x, y labeled[T], g contraction) labeled[T] {
	c := x.a.Comm()
	labels := slices.Concat(g.batch, g.left, g.right)
	shape := make(nd.Shape, len(labels))
	for k, label := range labels {
		if slices.Contains(g.right, label) {
			shape[k] = y.extent(label)
		} else {
			shape[k] = x.extent(label)
		}
	}
	p, placed := x.split()
	if !placed {
		p, placed = y.split()
	}
	layout := split.Block(shape, split.None, c.Size())
	partial := placed && slices.Contains(g.sum, p.label)
	switch {
	case partial:
		layout = split.Block(shape, 0, c.Size())
	case placed:
		layout = split.WithCounts(shape, split.Axis(slices.Index(labels, p.label)), p.counts)
	}
	lo, hi := 0, 0
	for r := 0; placed && r <= c.Rank(); r++ {
		lo, hi = hi, hi+p.counts[r]
	}
	cut := func(z labeled[T]) labeled[T] {
		if k := slices.Index(z.labels, p.label); placed && z.a.Layout().Replicated() && k >= 0 {
			items := make([]nd.Item, k+1)
			for i := range items {
				items[i] = nd.Whole()
			}
			items[k] = nd.Range(lo, hi, 1)
			z.a = z.a.Slice(items...)
		}
		return z
	}
	sx := stackOf(cut(x), g.batch, g.left, g.sum)
	sy := stackOf(cut(y), g.batch, g.sum, g.right)
	size := sx.rows * sy.cols
	sums := make([]T, sx.n*size)
	multiplyEach(stack[T]{dense(sums, sx.rows, sy.cols), sx.n, size}, sx, sy, c.Workers())
	if partial && c.Size() > 1 {
		out := make([]T, layout.LocalSize(c.Rank()))
		spmd.ReduceScatter(c, sums, out, elementCounts(layout), spmd.Sum)
		sums = out
	}
	return labeled[T]{nd.Wrap(c, layout, sums), labels}
}

// stackOf returns this rank's part of x as matrices with the given labels' indices
// as their numbers, their rows and their columns, in C order. It copies x only if
// one of the three does not lie evenly in memory.
func stackOf[T nd.Number](x labeled[T], number, rows, cols []int) stack[T] {
	a := x.ordered(slices.Concat(number, rows, cols))
	i, j := len(number), len(number)+len(rows)
	data, off, strides := a.Memory()
	extents := a.LocalShape()
	step, ok1 := folded(extents[:i], strides[:i])
	rs, ok2 := folded(extents[i:j], strides[i:j])
	cs, ok3 := folded(extents[j:], strides[j:])
	n, m, k := split.Shape(extents[:i]).Size(), split.Shape(extents[i:j]).Size(), split.Shape(extents[j:]).Size()
	if !ok1 || !ok2 || !ok3 {
		return stack[T]{dense(a.Local(), m, k), n, m * k}
	}
	return stack[T]{mat[T]{data, off, m, k, rs, cs}, n, step}
}

// folded returns the stride of axes taken together as one, in C order, and
// whether they have one.
func folded(extents, strides []int) (stride int, ok bool) {
	stride = 1
	n := 1
	for k := len(extents) - 1; k >= 0; k-- {
		switch {
		case extents[k] == 1:
		case n == 1:
			stride = strides[k]
		case strides[k] != stride*n:
			return 0, false
		}
		n *= extents[k]
	}
	return stride, true
}

// multiplyEach sets every matrix of c to the product of a's and b's. The workers
// share out the matrices if there are enough, and BLAS does not spread each over
// them by itself.
func multiplyEach[T nd.Number](c, a, b stack[T], workers int) {
	useWorkers(workers)
	work := c.rows * c.cols * a.cols
	threaded, _ := engineOf[T]().threads()
	if workers <= 1 || c.n < workers || c.n*work < parallelWork || threaded && work >= parallelWork {
		for i := range c.n {
			multiply(c.at(i), a.at(i), b.at(i), workers)
		}
		return
	}
	parallel.Ranges(workers, c.n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			multiply(c.at(i), a.at(i), b.at(i), 1)
		}
	})
}
