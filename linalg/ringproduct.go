package linalg

import "caloric/spmd"

// productTag is the tag of the messages of products on the operands' communicator.
const productTag = spmd.MaxTag - 1

// ringMethod multiplies rows of a by the parts of b, which travel round the
// ranks. In step s rank r has the part of rank r−s: it sends it to rank r+1 and
// receives the next one from rank r−1 while it multiplies. Parts along the rows of
// b add to the result what the columns of a that go with them give; parts along
// its columns give columns of the result.
type ringMethod struct{}

func (ringMethod) takes(a, b placed, results []placed) (list []placed) {
	for _, c := range results {
		if a.axis == 0 && !b.replicated() && c.axis == 0 && c.sameCounts(a) {
			list = append(list, c)
		}
	}
	return list
}

func (ringMethod) share(r *route, elem, rank int) (s Share) {
	for other := range r.ranks {
		n := r.b.count(other)
		if other != (rank+1)%r.ranks && n > 0 {
			s.Messages++
			s.Bytes += int64(n * elem)
		}
	}
	s.Flops = flops(r.a.width(0, rank), r.a.cols, r.b.cols)
	s.Memory = int64(2 * r.b.largest() * elem)
	return s
}

func (ringMethod) seconds(e *estimate, r *route, _ Share) float64 {
	rows := r.a.most(0, e.look)
	step := e.multiply(rows, r.b.most(0, e.look), r.b.most(1, e.look))
	send := e.Latency + e.sending(int64(r.b.mostElements(e.look)*e.elem))
	return float64(r.ranks-1)*max(step, send) + step
}

// ring sets c, rows of the result, to rows x of the left operand times the right
// operand b, of which this rank has y.
func (p *product[T]) ring(c, x, y mat[T], b placed, workers int) {
	rank, ranks := p.comm.Rank(), p.comm.Size()
	step := func(s int, part mat[T]) {
		switch lo, hi := b.span(b.axis, (rank+ranks-s)%ranks); {
		case b.axis == 1:
			multiply(c.colRange(lo, hi), x, part, workers)
		case s == 0:
			multiply(c, x.colRange(lo, hi), part, workers)
		default:
			multiplyAdd(c, x.colRange(lo, hi), part, workers)
		}
	}
	if p.readsDirectly() {
		sends := func(r int) int { return b.count((r + 1) % ranks) } // all parts but the next rank's
		p.shown(exhibit[T]{y: y}, sends, func(all []exhibit[T]) {
			for s := range ranks {
				step(s, all[(rank+ranks-s)%ranks].y)
			}
		})
		return
	}
	next, previous := (rank+1)%ranks, (rank+ranks-1)%ranks
	largest := b.largest()
	p.space = sized(p.space, 2*largest)
	buffers := [2][]T{p.space[:largest], p.space[largest:]}
	part := y
	if !part.contiguous() {
		part = dense(buffers[1], y.rows, y.cols)
		copyMat(part, y)
	}
	for s := range ranks {
		var requests [2]*spmd.Request
		var coming mat[T]
		if s < ranks-1 {
			from := (rank + 2*ranks - s - 1) % ranks
			coming = dense(buffers[s%2][:b.count(from)], b.width(0, from), b.width(1, from))
			if len(coming.data) > 0 {
				requests[0] = spmd.Irecv(p.comm, coming.data, previous, productTag)
			}
			if part.rows*part.cols > 0 {
				requests[1] = spmd.Isend(p.comm, part.elements(), next, productTag)
			}
		}
		step(s, part)
		for _, r := range requests {
			if r != nil {
				r.Wait()
			}
		}
		part = coming
	}
}
