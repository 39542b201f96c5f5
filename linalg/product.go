package linalg

import (
	"slices"

	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// algorithm is a way to compute a matrix product.
type algorithm uint8

const (
	local       algorithm = iota // every rank has what its part of the result needs
	gatherLeft                   // the left operand goes to every rank
	gatherRight                  // the right operand goes to every rank
	partial                      // every rank multiplies its part of the inner axis
)

// algorithms holds the algorithm for the operands' splits, None, 0 and 1 in
// turn, of a (m, k) downwards and of b (k, n) across.
var algorithms = [3][3]algorithm{
	{local, partial, local},
	{local, gatherRight, gatherRight},
	{partial, partial, gatherLeft},
}

// product is a product of operands of fixed layouts: what is to be done, and
// the memory to do it in, so that doing it again allocates nothing.
type product[T nd.Number] struct {
	comm      *spmd.Comm
	dst, a, b *split.Layout
	alg       algorithm
	target    *split.Layout // of the result that alg gives; it moves to dst if that differs
	toA, toB  *split.Layout // where an operand has to go first, nil if it stays

	counts []int // the elements of each rank that are gathered or reduced
	space  []T   // the gathered operand or the partial sums
	send   []T   // this rank's part of the gathered operand, if it has to be packed
	staged *nd.NDArray[T]
}

// newProduct returns the product of layouts a and b for a destination of layout
// dst; rule is the layout that [split.MatMul] gives.
func newProduct[T nd.Number](c *spmd.Comm, dst, a, b, rule *split.Layout) *product[T] {
	p := &product[T]{comm: c, dst: dst, a: a, b: b, target: rule}
	if dst.Equal(rule) {
		p.target = dst
	}
	if a.Ranks() == 1 {
		p.target = dst
		return p
	}
	left := a.Axis()
	if len(a.Shape()) == 1 && left == 0 {
		left = 1 // a vector on the left is a row
	}
	p.alg = algorithms[left+1][b.Axis()+1]
	switch p.alg {
	case gatherLeft:
		p.counts = elementCounts(a)
	case gatherRight:
		p.counts = elementCounts(b)
	case partial:
		p.alignInner()
		if rows := len(a.Shape()) == 2; dst.Replicated() || rows && dst.Axis() == 0 {
			p.target = dst
		}
		if !p.target.Replicated() {
			p.counts = elementCounts(p.target)
		}
	}
	return p
}

// alignInner plans to move the smaller operand to the other's counts if both
// are split along the inner axis in different ways.
func (p *product[T]) alignInner() {
	ca, cb := p.a.Counts(), p.b.Counts()
	if ca == nil || cb == nil || slices.Equal(ca, cb) {
		return
	}
	if p.a.Shape().Size() < p.b.Shape().Size() {
		p.toA = split.WithCounts(p.a.Shape(), p.a.Axis(), cb)
	} else {
		p.toB = split.WithCounts(p.b.Shape(), p.b.Axis(), ca)
	}
}

func elementCounts(l *split.Layout) []int {
	counts := make([]int, l.Ranks())
	for r := range counts {
		counts[r] = l.LocalSize(r)
	}
	return counts
}

// fits reports whether p is the product for arrays of these layouts.
func (p *product[T]) fits(dst, a, b *split.Layout) bool {
	return p != nil && p.dst.Equal(dst) && p.a.Equal(a) && p.b.Equal(b)
}

// into sets dst to a·b. The arrays have the product's layouts.
func (p *product[T]) into(dst, a, b *nd.NDArray[T]) {
	if p.target.Equal(dst.Layout()) && dst.IsContiguous() && !sharesMemory(dst, a) && !sharesMemory(dst, b) {
		p.compute(dst, a, b)
		return
	}
	if p.staged == nil {
		p.staged = nd.Wrap(p.comm, p.target, make([]T, p.target.LocalSize(p.comm.Rank())))
	}
	p.compute(p.staged, a, b)
	nd.CopyInto(dst, p.staged)
}

// compute sets dst, of the target layout and contiguous, to a·b.
func (p *product[T]) compute(dst, a, b *nd.NDArray[T]) {
	if p.toA != nil {
		a = a.MoveTo(p.toA)
	}
	if p.toB != nil {
		b = b.MoveTo(p.toB)
	}
	x, y := left(a), right(b)
	workers := p.comm.Workers()
	useWorkers(workers)
	switch p.alg {
	case gatherLeft:
		x = p.gather(x.t(), p.a.Shape()[len(p.a.Shape())-1]).t()
	case gatherRight:
		if p.b.Axis() == 1 {
			y = p.gather(y.t(), p.b.Shape()[1]).t()
		} else {
			y = p.gather(y, p.b.Shape()[0])
		}
	case partial:
		if a.Layout().Replicated() {
			x = x.colRange(b.Layout().Range(p.comm.Rank()))
		}
		if b.Layout().Replicated() {
			y = y.rowRange(a.Layout().Range(p.comm.Rank()))
		}
	}
	out := dst.Local()
	if p.alg != partial {
		multiply(dense(out, x.rows, y.cols), x, y, workers)
		return
	}
	if p.target.Replicated() {
		multiply(dense(out, x.rows, y.cols), x, y, workers)
		spmd.Allreduce(p.comm, out, spmd.Sum)
		return
	}
	p.space = sized(p.space, x.rows*y.cols)
	multiply(dense(p.space, x.rows, y.cols), x, y, workers)
	spmd.ReduceScatter(p.comm, p.space, out, p.counts, spmd.Sum)
}

// gather returns the matrix of the given number of rows of which every rank has
// some: m. Blocks of rows arrive in place, so an operand that is split along its
// columns is gathered as its transpose.
func (p *product[T]) gather(m mat[T], rows int) mat[T] {
	if !m.contiguous() {
		p.send = sized(p.send, m.rows*m.cols)
		packed := dense(p.send, m.rows, m.cols)
		copyMat(packed, m)
		m = packed
	}
	p.space = sized(p.space, rows*m.cols)
	spmd.Allgatherv(p.comm, m.elements(), p.space, p.counts)
	return dense(p.space, rows, m.cols)
}

// sized returns n elements of s, or of new memory if s is too small.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

func sharesMemory[T nd.Number](a, b *nd.NDArray[T]) bool {
	x, _, _ := a.Memory()
	y, _, _ := b.Memory()
	return overlap(x, y)
}
