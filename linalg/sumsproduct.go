package linalg

import (
	"caloric/nd"
	"caloric/spmd"
)

// sumsMethod multiplies columns of a by rows of b into the whole result, which a
// reduce-scatter or an allreduce adds up.
type sumsMethod struct{}

func (sumsMethod) takes(a, b placed, results []placed) (list []placed) {
	if a.axis == 1 && b.axis == 0 {
		return results
	}
	return nil
}

func (sumsMethod) share(r *route, elem, rank int) (s Share) {
	s.Flops = flops(r.a.rows, r.a.width(1, rank), r.b.cols)
	whole := r.c.rows * r.c.cols
	if r.c.replicated() {
		if whole > 0 {
			s.Messages, s.Bytes = 1, int64(whole*elem)
		}
		return s
	}
	s.Messages, s.Bytes = scattered(r.c, rank)
	s.Bytes *= int64(elem)
	s.Memory = int64(whole * elem)
	if r.c.axis == 1 {
		s.Memory += int64(r.c.count(rank) * elem)
	}
	return s
}

// scattered returns the messages and elements that rank sends in a reduce-scatter to c.
func scattered(c placed, rank int) (messages, elements int64) {
	for other := range c.layout.Ranks() {
		if n := c.count(other); other != rank && n > 0 {
			messages++
			elements += int64(n)
		}
	}
	return messages, elements
}

func (sumsMethod) seconds(e *estimate, r *route, busy Share) float64 {
	t := e.multiply(r.a.rows, r.a.most(1, e.look), r.b.cols)
	sum := e.rounds() + e.sending(busy.Bytes) + e.copying(r.c.rows*r.c.cols)
	if r.c.replicated() {
		return t + 2*sum
	}
	return t + sum
}

// sums sets c, of the layout that p.r has for it, to the sum of the ranks' x·y.
func (p *product[T]) sums(c, x, y mat[T], to placed, workers int) {
	switch {
	case to.replicated():
		multiply(c, x, y, workers)
		spmd.Allreduce(p.comm, c.elements(), spmd.Sum)
	case to.axis == 1:
		p.sums(c.t(), y.t(), x.t(), to.t(), workers)
	default:
		p.space = sized(p.space, to.rows*to.cols)
		multiply(dense(p.space, to.rows, to.cols), x, y, workers)
		out := c
		if !c.contiguous() {
			p.send = sized(p.send, c.rows*c.cols)
			out = dense(p.send, c.rows, c.cols)
		}
		spmd.ReduceScatter(p.comm, p.space, out.elements(), p.counts, spmd.Sum)
		if !c.contiguous() {
			copyMat(c, out)
		}
	}
}

// ringSumsMethod multiplies columns of a by rows of b one rank's block of the
// result at a time. In step s rank r multiplies for the block of rank r−1−s, adds
// what rank r−1 sends of it, and sends it on to rank r+1, so that the last step
// leaves the sum of r's own block there: the ring reduce-scatter.
type ringSumsMethod struct{}

func (ringSumsMethod) takes(a, b placed, results []placed) (list []placed) {
	for _, c := range results {
		if a.axis == 1 && b.axis == 0 && !c.replicated() {
			list = append(list, c)
		}
	}
	return list
}

func (ringSumsMethod) share(r *route, elem, rank int) (s Share) {
	s.Flops = flops(r.a.rows, r.a.width(1, rank), r.b.cols)
	s.Messages, s.Bytes = scattered(r.c, rank)
	s.Bytes *= int64(elem)
	s.Memory = int64(3 * r.c.largest() * elem)
	return s
}

func (ringSumsMethod) seconds(e *estimate, r *route, _ Share) float64 {
	block := r.c.mostElements(e.look)
	step := e.multiply(r.c.most(0, e.look), r.a.most(1, e.look), r.c.most(1, e.look)) + e.copying(block)
	send := e.Latency + e.sending(int64(block*e.elem))
	return float64(r.ranks-1)*max(step, send) + step
}

// ringSums sets c, this rank's block of the result to, to the sum of the ranks' x·y.
func (p *product[T]) ringSums(c, x, y mat[T], to placed, workers int) {
	if to.axis == 1 {
		c, x, y, to = c.t(), y.t(), x.t(), to.t()
	}
	rank, ranks := p.comm.Rank(), p.comm.Size()
	if p.readsDirectly() {
		lo, hi := to.span(0, rank)
		p.shown(exhibit[T]{x, y}, to.count, func(all []exhibit[T]) {
			for s := range ranks {
				theirs := all[(rank+1+s)%ranks]
				multiplied(c, theirs.x.rowRange(lo, hi), theirs.y, workers, s > 0)
			}
		})
		return
	}
	next, previous := (rank+1)%ranks, (rank+ranks-1)%ranks
	largest := to.largest()
	p.space = sized(p.space, 3*largest)
	received := p.space[2*largest:]
	var sent *spmd.Request
	for s := range ranks {
		owner := (rank + 2*ranks - 1 - s) % ranks
		lo, hi := to.span(0, owner)
		n := to.count(owner)
		var coming *spmd.Request
		if s > 0 && n > 0 {
			coming = spmd.Irecv(p.comm, received[:n], previous, productTag)
		}
		block := dense(p.space[s%2*largest:][:n], hi-lo, to.cols)
		if s == ranks-1 {
			block = c
		}
		multiply(block, x.rowRange(lo, hi), y, workers)
		if coming != nil {
			coming.Wait()
			addMat(block, dense(received, hi-lo, to.cols))
		}
		if sent != nil {
			sent.Wait()
			sent = nil
		}
		if s < ranks-1 && n > 0 {
			sent = spmd.Isend(p.comm, block.data, next, productTag)
		}
	}
}

// addMat adds src, in C order, to dst.
func addMat[T nd.Number](dst, src mat[T]) {
	if dst.cs != 1 && dst.rs == 1 {
		dst, src = dst.t(), src.t()
	}
	for i := range dst.rows {
		d, s := dst.off+i*dst.rs, src.off+i*src.rs
		if dst.cs == 1 && src.cs == 1 && dst.cols > 0 {
			row := dst.data[d : d+dst.cols]
			for j, v := range src.data[s : s+dst.cols] {
				row[j] += v
			}
			continue
		}
		for range dst.cols {
			dst.data[d] += src.data[s]
			d += dst.cs
			s += src.cs
		}
	}
}
