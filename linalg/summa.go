package linalg

import (
	"caloric/nd"
	"caloric/spmd"
)

// summaMethod multiplies blocks on a grid of ranks. The matrices move there and
// the result back by one alltoallv each.
type summaMethod struct{}

// grid is p × q ranks for the blocks of matrices (m, k), (k, n) and (m, n). Rank r
// is in row r/q and column r%q. Rows and columns of each matrix are dealt out
// evenly to the rows and columns of the grid.
type grid struct{ p, q, m, k, n int }

// gridFor returns the grid of all ranks on which a rank sends the fewest elements.
func gridFor(ranks, m, k, n int) grid {
	best, least := grid{}, 0.0
	for p := 1; p <= ranks; p++ {
		if ranks%p != 0 {
			continue
		}
		q := ranks / p
		sent := float64(q-1)*float64(m)*float64(k) + float64(p-1)*float64(k)*float64(n)
		if best.p == 0 || sent < least {
			best, least = grid{p, q, m, k, n}, sent
		}
	}
	return best
}

// evenly returns the indices of n that part i of parts has.
func evenly(n, parts, i int) (lo, hi int) {
	lo = i*(n/parts) + min(i, n%parts)
	hi = lo + n/parts
	if i < n%parts {
		hi++
	}
	return lo, hi
}

func (g grid) block(rows, cols, rank int) (a area) {
	a.r0, a.r1 = evenly(rows, g.p, rank/g.q)
	a.c0, a.c1 = evenly(cols, g.q, rank%g.q)
	return a
}

func (g grid) a(rank int) area { return g.block(g.m, g.k, rank) }
func (g grid) b(rank int) area { return g.block(g.k, g.n, rank) }
func (g grid) c(rank int) area { return g.block(g.m, g.n, rank) }

// step is a panel: the columns lo ≤ l < hi of a, which the ranks of one column of
// the grid have, and these rows of b, which those of one row have.
type step struct{ lo, hi, row, col int }

func (g grid) steps() (list []step) {
	s := step{}
	for s.row < g.p && s.col < g.q {
		_, rowEnd := evenly(g.k, g.p, s.row)
		_, colEnd := evenly(g.k, g.q, s.col)
		s.hi = min(rowEnd, colEnd)
		if s.hi > s.lo {
			list = append(list, s)
			s.lo = s.hi
		}
		if s.hi == rowEnd {
			s.row++
		}
		if s.hi == colEnd {
			s.col++
		}
	}
	return list
}

func (summaMethod) takes(_, _ placed, results []placed) []placed {
	if results[0].replicated() {
		return results // as rows that are gathered arrive in place
	}
	return results[:1]
}

func (summaMethod) share(r *route, elem, rank int) (s Share) {
	g := gridFor(r.ranks, r.a.rows, r.a.cols, r.b.cols)
	add := func(messages, elements int64) {
		s.Messages += messages
		s.Bytes += elements * int64(elem)
	}
	buffer := 0 // for a move
	for _, x := range []struct {
		from  placed
		block func(int) area
	}{{r.a, g.a}, {r.b, g.b}} {
		if !x.from.replicated() {
			add(exchanged(x.from.area, x.block, r.ranks, rank))
			buffer = max(buffer, x.from.count(rank)+x.block(rank).size())
		}
	}
	c := g.c(rank)
	if r.c.replicated() {
		if n := int64(c.size()); n > 0 {
			add(int64(r.ranks-1), int64(r.ranks-1)*n)
		}
		buffer = max(buffer, r.c.rows*r.c.cols)
	} else {
		add(exchanged(g.c, r.c.area, r.ranks, rank))
		buffer = max(buffer, c.size()+r.c.count(rank))
	}
	rows, cols := c.r1-c.r0, c.c1-c.c0
	width := 0
	for _, t := range g.steps() {
		width = max(width, t.hi-t.lo)
		if n := int64(rows * (t.hi - t.lo)); rank%g.q == t.col && n > 0 {
			add(int64(g.q-1), int64(g.q-1)*n)
		}
		if n := int64(cols * (t.hi - t.lo)); rank/g.q == t.row && n > 0 {
			add(int64(g.p-1), int64(g.p-1)*n)
		}
	}
	s.Flops = flops(rows, r.a.cols, cols)
	s.Memory = int64(elem) * int64(buffer+g.a(rank).size()+g.b(rank).size()+c.size()+2*width*(rows+cols))
	return s
}

// seconds has all but the first panels travel behind the products.
func (summaMethod) seconds(e *estimate, r *route, busy Share) float64 {
	g := gridFor(r.ranks, r.a.rows, r.a.cols, r.b.cols)
	c := g.c(0)
	rows, cols, steps := c.r1-c.r0, c.c1-c.c0, max(1, len(g.steps()))
	product := float64(steps) * e.multiply(rows, (g.k+steps-1)/steps, cols)
	panels := int64(e.elem) * (int64(g.q-1)*int64(g.a(0).size()) + int64(g.p-1)*int64(g.b(0).size()))
	ring := float64(steps)*2*e.Latency + e.sending(panels)
	moves := 3*e.rounds() + e.sending(max(0, busy.Bytes-panels))
	moves += e.copying(r.a.mostElements(e.look) + r.b.mostElements(e.look) + r.c.mostElements(e.look) + c.size())
	return moves + max(product, ring) + min(product, ring)/float64(steps)
}

// summaGrid is the communicators of a rank's row and column of a grid.
type summaGrid struct{ row, column *spmd.Comm }

// Free is for the communicator that keeps the grid.
func (g *summaGrid) Free() {
	g.row.Free()
	g.column.Free()
}

type gridKey struct {
	c    *spmd.Comm
	p, q int
}

// gridOf returns the grid's communicators, which c keeps from one product to the next.
func gridOf(c *spmd.Comm, g grid) *summaGrid {
	key := gridKey{c, g.p, g.q}
	if s, ok := c.Attr(key).(*summaGrid); ok {
		return s
	}
	row, col := c.Rank()/g.q, c.Rank()%g.q
	s := &summaGrid{row: c.Split(row, col), column: c.Split(col, row)}
	c.SetAttr(key, s)
	return s
}

// summa sets dst to a·b.
func (p *product[T]) summa(dst, a, b mat[T], r *route, workers int) {
	me := p.comm.Rank()
	g := gridFor(r.ranks, r.a.rows, r.a.cols, r.b.cols)
	ga, gb, gc := g.a(me), g.b(me), g.c(me)
	rows, cols := gc.r1-gc.r0, gc.c1-gc.c0
	steps := g.steps()
	width := 0
	for _, t := range steps {
		width = max(width, t.hi-t.lo)
	}
	p.space = sized(p.space, ga.size()+gb.size()+gc.size()+2*width*(rows+cols))
	rest := p.space
	take := func(m, n int) mat[T] {
		d := dense(rest[:m*n], m, n)
		rest = rest[m*n:]
		return d
	}
	// a's block lies as its transpose, so that columns are sent as they lie.
	at, bb, cc := take(ga.c1-ga.c0, rows), take(gb.r1-gb.r0, cols), take(rows, cols)
	var spare [2][2]mat[T]
	for i := range spare {
		spare[i] = [2]mat[T]{take(width, rows), take(width, cols)}
	}
	p.moveAreas(at.t(), a, r.a, r.a.area, g.a)
	p.moveAreas(bb, b, r.b, r.b.area, g.b)
	comms := gridOf(p.comm, g)
	panels := [2]travelling[T]{
		{comm: comms.row, own: at, start: ga.c0, owner: func(t step) int { return t.col }},
		{comm: comms.column, own: bb, start: gb.r0, owner: func(t step) int { return t.row }},
	}
	setZero(cc)
	for s, t := range steps {
		for i := range panels {
			x := &panels[i]
			if s == 0 {
				x.post(t, spare[0][i])
			}
			x.arrive()
			if s+1 < len(steps) {
				x.post(steps[s+1], spare[(s+1)%2][i])
			}
		}
		multiplyAdd(cc, panels[0].present.t(), panels[1].present, workers)
	}
	for i := range panels {
		panels[i].finish()
	}
	p.collect(dst, cc, r.c, g)
}

// travelling is the panels of one operand on their way along a row or column of
// the grid.
type travelling[T nd.Number] struct {
	comm          *spmd.Comm
	own           mat[T] // this rank's block, panels being rows of it
	start         int    // its first row
	owner         func(step) int
	present, next mat[T]
	coming        *spmd.Request
	sent          []*spmd.Request
}

// post starts the sending of the panel of step t, which others receive in spare.
func (x *travelling[T]) post(t step, spare mat[T]) {
	x.next = spare.rowRange(0, t.hi-t.lo)
	from := x.owner(t)
	if from == x.comm.Rank() {
		x.next = x.own.rowRange(t.lo-x.start, t.hi-x.start)
	}
	switch {
	case x.next.cols == 0:
	case from != x.comm.Rank():
		x.coming = spmd.Irecv(x.comm, x.next.elements(), from, 0)
	default:
		for to := range x.comm.Size() {
			if to != from {
				x.sent = append(x.sent, spmd.Isend(x.comm, x.next.elements(), to, 0))
			}
		}
	}
}

// arrive waits for the panel that was posted last.
func (x *travelling[T]) arrive() {
	if x.coming != nil {
		x.coming.Wait()
		x.coming = nil
	}
	x.present = x.next
}

func (x *travelling[T]) finish() {
	for _, r := range x.sent {
		r.Wait()
	}
}

// moveAreas sets dst, the area to(rank), to what the ranks have of it in from, of which
// src is this rank's.
func (p *product[T]) moveAreas(dst, src mat[T], x placed, from, to func(rank int) area) {
	me := p.comm.Rank()
	if x.replicated() {
		copyMat(dst, src.part(from(me), to(me)))
		return
	}
	ranks := p.comm.Size()
	sends, recvs := make([]int, ranks), make([]int, ranks)
	mine, want := from(me), to(me)
	p.send = sized(p.send, mine.size()+want.size())
	out, in := p.send[:mine.size()], p.send[mine.size():]
	at := 0
	for r := range ranks {
		m := mine.meet(to(r))
		sends[r], recvs[r] = m.size(), want.meet(from(r)).size()
		copyMat(dense(out[at:], m.r1-m.r0, m.c1-m.c0), src.part(mine, m))
		at += sends[r]
	}
	spmd.Alltoallv(p.comm, out, sends, in, recvs)
	at = 0
	for r := range ranks {
		m := want.meet(from(r))
		copyMat(dst.part(want, m), dense(in[at:], m.r1-m.r0, m.c1-m.c0))
		at += recvs[r]
	}
}

// collect sets dst, of layout c, to the blocks of the result.
func (p *product[T]) collect(dst, block mat[T], c placed, g grid) {
	if !c.replicated() {
		p.moveAreas(dst, block, placed{axis: 0}, g.c, c.area)
		return
	}
	p.counts = p.counts[:0]
	for r := range p.comm.Size() {
		p.counts = append(p.counts, g.c(r).size())
	}
	p.send = sized(p.send, c.rows*c.cols)
	spmd.Allgatherv(p.comm, block.data, p.send, p.counts)
	at := 0
	for r, n := range p.counts {
		m := g.c(r)
		copyMat(dst.part(c.area(r), m), dense(p.send[at:], m.r1-m.r0, m.c1-m.c0))
		at += n
	}
}
