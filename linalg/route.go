package linalg

import (
	"slices"

	"caloric/split"
)

// route is one way to a product: the operands move from a0 and b0 to a and b,
// the algorithm makes c of them, and c moves to c0. A replicated operand moves by
// being read in part.
type route struct {
	alg        Algorithm
	ranks      int
	a0, b0, c0 placed
	a, b, c    placed
}

// t returns the route of cᵀ = bᵀ·aᵀ.
func (r route) t() route {
	r.a0, r.b0 = r.b0.t(), r.a0.t()
	r.a, r.b = r.b.t(), r.a.t()
	r.c0, r.c = r.c0.t(), r.c.t()
	return r
}

// method is what the choice needs to know of an algorithm.
type method interface {
	// takes returns those of the layouts of the result that the algorithm gives from
	// a and b.
	takes(a, b placed, results []placed) []placed
	// share returns what rank communicates, computes and holds, without the moves.
	share(r *route, elem, rank int) Share
	// seconds returns the time without the moves; busy has the largest share of each kind.
	seconds(e *estimate, r *route, busy Share) float64
}

var methods = [...]method{
	LocalProduct: localMethod{},
	GatherLeft:   mirrored{gatherMethod{}},
	GatherRight:  gatherMethod{},
	RingLeft:     mirrored{ringMethod{}},
	RingRight:    ringMethod{},
	PartialSums:  sumsMethod{},
	RingSums:     ringSumsMethod{},
	SUMMA:        summaMethod{},
}

// mirrored is a method for the transposed product.
type mirrored struct{ method }

func (m mirrored) takes(a, b placed, results []placed) []placed {
	list := make([]placed, len(results))
	for i, c := range results {
		list[i] = c.t()
	}
	list = m.method.takes(b.t(), a.t(), list)
	for i, c := range list {
		list[i] = c.t()
	}
	return list
}

func (m mirrored) share(r *route, elem, rank int) Share {
	t := r.t()
	return m.method.share(&t, elem, rank)
}

func (m mirrored) seconds(e *estimate, r *route, busy Share) float64 {
	t := r.t()
	return m.method.seconds(e, &t, busy)
}

// routes returns every route from a0 and b0 to c0 of at least two ranks. Where an
// operand moves, it is to every rank or along either axis, balanced or in the counts
// of what it meets.
func routes(a0, b0, c0 placed) []route {
	ranks := c0.layout.Ranks()
	none := placed{}
	as := places(a0, none, c0)
	bs := places(b0, c0, none)
	if b0.axis == 0 {
		as = appendPlace(as, a0, 1, b0, 0)
	}
	if a0.axis == 1 {
		bs = appendPlace(bs, b0, 0, a0, 1)
	}
	ends := []placed{c0}
	ends = appendPlace(ends, c0, 0, none, split.None)
	ends = appendPlace(ends, c0, 1, none, split.None)
	if !c0.replicated() {
		ends = append(ends, c0.everywhere())
	}
	list := make([]route, 0, 64)
	for _, a := range as {
		for _, b := range bs {
			if a.axis == 1 && b.axis == 0 && !a.sameCounts(b) {
				continue
			}
			results := slices.Clip(ends)
			if a.axis == 0 && !a.layout.Balanced() {
				results = appendPlace(results, c0, 0, a, 0)
			}
			if b.axis == 1 && !b.layout.Balanced() {
				results = appendPlace(results, c0, 1, b, 1)
			}
			for alg, m := range methods {
				switch Algorithm(alg) {
				case SUMMA: // moves the operands itself
					if a.layout != a0.layout || b.layout != b0.layout {
						continue
					}
				case GatherLeft, RingLeft: // of what every rank has, nothing need travel
					if a0.replicated() {
						continue
					}
				case GatherRight, RingRight:
					if b0.replicated() {
						continue
					}
				}
				for _, c := range m.takes(a, b, results) {
					list = append(list, route{Algorithm(alg), ranks, a0, b0, c0, a, b, c})
				}
			}
		}
	}
	return list
}

// places returns where an operand may go: where it is, everywhere, and split along
// its rows or columns, like the result if that is split so.
func places(p placed, cols, rows placed) []placed {
	list := []placed{p}
	list = appendPlace(list, p, 0, rows, 0)
	list = appendPlace(list, p, 1, cols, 1)
	if !p.layout.Balanced() {
		list = appendPlace(list, p, p.axis, placed{}, split.None)
	}
	if !p.replicated() {
		list = append(list, p.everywhere())
	}
	return list
}

// appendPlace appends [placed.along] unless it is in the list.
func appendPlace(list []placed, p placed, axis split.Axis, other placed, with split.Axis) []placed {
	if other.layout == nil {
		with = split.None
	}
	q, ok := p.along(axis, other, with)
	if !ok || slices.ContainsFunc(list, func(o placed) bool { return o.layout.Equal(q.layout) }) {
		return list
	}
	return append(list, q)
}

// moveShare returns what rank sends and holds for a move of a matrix.
func moveShare(from, to placed, elem, rank int) (s Share) {
	if from.replicated() && !to.replicated() || from.layout.Equal(to.layout) {
		return s
	}
	s.Memory = int64(to.count(rank) * elem)
	if to.replicated() {
		n, others := int64(from.count(rank)), int64(from.layout.Ranks()-1)
		if n > 0 {
			s.Messages, s.Bytes = others, others*n*int64(elem)
		}
		return s
	}
	s.Messages, s.Bytes = exchanged(from.area, to.area, from.layout.Ranks(), rank)
	s.Bytes *= int64(elem)
	return s
}

// moveTime is the seconds of a move.
type moveTime struct {
	from, to *split.Layout
	seconds  float64
}

// moving returns the seconds of a move, packing included.
func (e *estimate) moving(from, to placed) float64 {
	if from.replicated() && !to.replicated() || from.layout.Equal(to.layout) {
		return 0
	}
	for _, m := range e.moves {
		if m.from == from.layout && m.to == to.layout {
			return m.seconds
		}
	}
	t := e.moved(from, to)
	e.moves = append(e.moves, moveTime{from.layout, to.layout, t})
	return t
}

func (e *estimate) moved(from, to placed) float64 {
	busy := e.busiest(func(rank int) Share { return moveShare(from, to, e.elem, rank) })
	t := e.rounds() + e.sending(busy.Bytes)
	if to.replicated() {
		if from.axis == 1 {
			t += e.copying(to.rows * to.cols)
		}
		return t
	}
	return t + e.copying(from.mostElements(e.look)+to.mostElements(e.look))
}

// busiest returns the largest number of each kind of the shares of the ranks looked at.
func (e *estimate) busiest(share func(rank int) Share) (most Share) {
	for _, rank := range e.look {
		most = most.atLeast(share(rank))
	}
	return most
}

// seconds returns the time of a route.
func (e *estimate) seconds(r *route) float64 {
	m := methods[r.alg]
	busy := e.busiest(func(rank int) Share { return m.share(r, e.elem, rank) })
	t := m.seconds(e, r, busy)
	if r.alg != SUMMA {
		t += e.moving(r.a0, r.a) + e.moving(r.b0, r.b)
	}
	return t + e.moving(r.c, r.c0)
}
