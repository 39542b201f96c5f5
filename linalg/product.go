package linalg

import (
	"caloric/internal/recycle"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// product is a product of operands of fixed layouts: what is to be done, and the
// memory to do it in, so that doing it again allocates nothing.
type product[T nd.Number] struct {
	comm      *spmd.Comm
	dst, a, b *split.Layout
	r         route

	counts []int // the elements of each rank that are gathered or reduced
	space  []T   // what the algorithm works in
	send   []T   // what has to be put in order before it is sent
	staged *nd.NDArray[T]
	direct directRing[T]
}

// newProduct returns the product of layouts a and b for a destination of layout
// dst; rule is the layout that [split.MatMul] gives. It may measure the
// communicator's model, see [MeasureModel].
func newProduct[T nd.Number](c *spmd.Comm, dst, a, b, rule *split.Layout, o *matMulOptions) *product[T] {
	p := &product[T]{comm: c, dst: dst, a: a, b: b}
	p.r = choose[T](dst, a, b, rule, o, func(flops float64) Model { return modelFor(c, flops) })
	switch p.r.alg {
	case GatherLeft:
		p.counts = elementCounts(p.r.a.layout)
	case GatherRight:
		p.counts = elementCounts(p.r.b.layout)
	case PartialSums:
		if !p.r.c.replicated() {
			p.counts = elementCounts(p.r.c.layout)
		}
	}
	return p
}

// fits reports whether p is the product for arrays of these layouts.
func (p *product[T]) fits(dst, a, b *split.Layout) bool {
	return p != nil && p.dst.Equal(dst) && p.a.Equal(a) && p.b.Equal(b)
}

// into sets dst to a·b. The arrays have the product's layouts.
func (p *product[T]) into(dst, a, b *nd.NDArray[T]) {
	target := p.r.c.layout
	if target.Equal(dst.Layout()) && dst.IsContiguous() && !sharesMemory(dst, a) && !sharesMemory(dst, b) {
		p.compute(dst, a, b)
		return
	}
	if p.staged == nil {
		p.staged = nd.Wrap(p.comm, target, recycle.Make[T](target.LocalSize(p.comm.Rank())))
	}
	p.compute(p.staged, a, b)
	nd.CopyInto(dst, p.staged)
}

// release gives the memory to the next product. It is not called for a product that
// ended by a panic, whose messages may be under way.
func (p *product[T]) release() {
	recycle.Free(p.space)
	recycle.Free(p.send)
	if p.staged != nil {
		recycle.Free(p.staged.Local())
	}
	p.space, p.send, p.staged = nil, nil, nil
}

// compute sets dst, of the layout that the algorithm gives and contiguous, to a·b.
func (p *product[T]) compute(dst, a, b *nd.NDArray[T]) {
	r := &p.r
	x, y := left(arrived(a, r.a0, r.a)), right(arrived(b, r.b0, r.b))
	x, y = x.read(r.a0, r.a, p.comm.Rank()), y.read(r.b0, r.b, p.comm.Rank())
	c := dense(dst.Local(), r.c.width(0, p.comm.Rank()), r.c.width(1, p.comm.Rank()))
	workers := p.comm.Workers()
	useWorkers(workers)
	switch r.alg {
	case LocalProduct:
		multiply(c, x, y, workers)
	case GatherLeft:
		multiply(c, p.gathered(x.t(), r.a.t()).t(), y, workers)
	case GatherRight:
		multiply(c, x, p.gathered(y, r.b), workers)
	case RingLeft:
		p.ring(c.t(), y.t(), x.t(), r.a.t(), workers)
	case RingRight:
		p.ring(c, x, y, r.b, workers)
	case PartialSums:
		p.sums(c, x, y, r.c, workers)
	case RingSums:
		p.ringSums(c, x, y, r.c, workers)
	case SUMMA:
		p.summa(c, x, y, r, workers)
	}
}

// arrived returns an operand where the algorithm takes it.
func arrived[T nd.Number](a *nd.NDArray[T], from, to placed) *nd.NDArray[T] {
	if from.replicated() || from.layout.Equal(to.layout) {
		return a
	}
	return a.MoveTo(to.layout)
}

// read returns what the algorithm takes of a replicated operand.
func (m mat[T]) read(from, to placed, rank int) mat[T] {
	switch lo, hi := to.span(to.axis, rank); {
	case !from.replicated() || to.replicated():
		return m
	case to.axis == 0:
		return m.rowRange(lo, hi)
	default:
		return m.colRange(lo, hi)
	}
}
