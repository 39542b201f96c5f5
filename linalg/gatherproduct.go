package linalg

import (
	"caloric/internal/recycle"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// gatherMethod multiplies rows of a, or all of it, by b, which every rank gets by
// an allgatherv.
type gatherMethod struct{}

func (gatherMethod) takes(a, b placed, results []placed) (list []placed) {
	for _, c := range results {
		if !b.replicated() && a.axis == c.axis && a.axis != 1 && (c.replicated() || c.sameCounts(a)) {
			list = append(list, c)
		}
	}
	return list
}

func (gatherMethod) share(r *route, elem, rank int) (s Share) {
	if n := int64(r.b.count(rank)); n > 0 {
		s.Messages = int64(r.ranks - 1)
		s.Bytes = s.Messages * n * int64(elem)
	}
	s.Flops = flops(r.a.width(0, rank), r.a.cols, r.b.cols)
	s.Memory = int64(r.b.rows * r.b.cols * elem)
	return s
}

func (gatherMethod) seconds(e *estimate, r *route, busy Share) float64 {
	return e.rounds() + e.sending(busy.Bytes) + e.multiply(r.a.most(0, e.look), r.a.cols, r.b.cols)
}

// gathered returns all of the right operand y. Blocks of rows arrive in place, so
// an operand that is split along its columns is gathered as its transpose.
func (p *product[T]) gathered(y mat[T], b placed) mat[T] {
	if b.axis == 1 {
		return p.gathered(y.t(), b.t()).t()
	}
	y = p.inOrder(y)
	p.space = sized(p.space, b.rows*b.cols)
	spmd.Allgatherv(p.comm, y.elements(), p.space, p.counts)
	return dense(p.space, b.rows, b.cols)
}

// inOrder returns m, or a copy in C order if it does not lie so.
func (p *product[T]) inOrder(m mat[T]) mat[T] {
	if m.contiguous() {
		return m
	}
	p.send = sized(p.send, m.rows*m.cols)
	packed := dense(p.send, m.rows, m.cols)
	copyMat(packed, m)
	return packed
}

// elementCounts returns the number of elements of every rank.
func elementCounts(l *split.Layout) []int {
	counts := make([]int, l.Ranks())
	for r := range counts {
		counts[r] = l.LocalSize(r)
	}
	return counts
}

// sized returns n elements of s, or of new memory if s is too small.
func sized[T nd.Element](s []T, n int) []T {
	if cap(s) < n {
		return recycle.Make[T](n)
	}
	return s[:n]
}

func sharesMemory[T nd.Number](a, b *nd.NDArray[T]) bool {
	x, _, _ := a.Memory()
	y, _, _ := b.Memory()
	return overlap(x, y)
}
