package linalg

import (
	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/split"
)

// Below these bytes a rank may hold the whole of an operand or of the result if that
// saves time; see [ruleRoute] and [choose].
const (
	smallSums = 64 << 10
	smallRule = 256 << 10
)

// choose returns the route of the product of layouts a and b to dst: the one that
// the splits give by rule if that takes little memory and hardly longer than any
// other, else the one of least time. model is asked for only where there is a
// choice; it is given the number of flops in float64 ones.
func choose[T nd.Number](dst, a, b, rule *split.Layout, o *matMulOptions, model func(flops float64) Model) route {
	r := ruleRoute[T](dst, a, b, rule)
	switch {
	case r.ranks == 1:
		return r
	case o.forced && o.alg == r.alg && r.alg == LocalProduct && r.c.layout.Equal(r.c0.layout):
		return r
	case o.forced:
	case len(a.Shape()) == 1 || len(b.Shape()) == 1:
		return r // the matrix stays
	}
	e := newEstimate[T](Model{Flops: 1}, r.ranks)
	e.look = looks(&r)
	if !o.forced && !r.communicates() && e.seconds(&r) <= 2*e.least(&r) {
		return r // whatever the model
	}
	total := flops(r.a0.rows, r.a0.cols, r.b0.cols) * e.work
	if o.model != nil {
		e.Model = *o.model
	} else {
		e.Model = model(total)
	}
	if !o.forced {
		if t := e.seconds(&r); e.small(&r) && t <= 2*(e.rounds()+e.least(&r)) && r.communicates() {
			return r // no route that communicates takes less than half
		}
	}
	return e.best(r, routes(r.a0, r.b0, r.c0), o)
}

// best returns the route to take of list, to which rule need not belong.
func (e *estimate) best(rule route, list []route, o *matMulOptions) route {
	var best route
	least := -1.0
	for i := range list {
		r := &list[i]
		if o.forced && r.alg != o.alg || !o.forced && e.wasteful(r) {
			continue
		}
		if t := e.seconds(r); least < 0 || t < least {
			best, least = *r, t
		}
	}
	switch {
	case o.forced && least < 0:
		misuse.Panic("the algorithm %v does not multiply %v by %v", o.alg, rule.a0.layout, rule.b0.layout)
	case !o.forced && (least < 0 || e.small(&rule) && e.close(e.seconds(&rule), least)):
		return rule
	}
	return best
}

// close reports whether a time is so little over the least that the prediction
// does not tell them apart: by a quarter, or for short ones, by as much again.
func (e *estimate) close(t, least float64) bool {
	return t <= 1.25*least || t <= 2*least && t-least <= 16*e.Latency
}

// wasteful reports whether a route takes the memory of a whole result where
// another does without.
func (e *estimate) wasteful(r *route) bool {
	return r.alg == PartialSums && !r.c.replicated() && r.c.rows*r.c.cols*e.elem > smallSums
}

// small reports whether a route takes little memory.
func (e *estimate) small(r *route) bool {
	return e.busiest(func(rank int) Share { return r.share(e.elem, rank) }).Memory <= smallRule
}

// communicates reports whether anything may be sent.
func (r *route) communicates() bool {
	return r.alg != LocalProduct || !r.c.replicated() && !r.c0.layout.Equal(r.c.layout)
}

// least returns a time that at least one rank multiplies on any route: that of its
// part of the additions and multiplications, and of the elements of a, b and c.
func (e *estimate) least(r *route) float64 {
	return e.multiply(r.a.rows, r.a.cols, r.b.cols) / float64(r.ranks)
}

// share returns what rank communicates, computes and holds beside operands and result.
func (r *route) share(elem, rank int) Share {
	s := methods[r.alg].share(r, elem, rank)
	if r.alg != SUMMA {
		s = s.plus(moveShare(r.a0, r.a, elem, rank)).plus(moveShare(r.b0, r.b, elem, rank))
	}
	if r.c.layout.Equal(r.c0.layout) {
		return s
	}
	moved := moveShare(r.c, r.c0, elem, rank)
	moved.Memory = int64(r.c.count(rank) * elem)
	return s.plus(moved)
}

// looks returns ranks of which one is the busiest: the first ones have the most
// of balanced arrays.
func looks(r *route) []int {
	if r.a0.layout.Balanced() && r.b0.layout.Balanced() && r.c0.layout.Balanced() {
		return []int{0, r.ranks - 1}
	}
	look := make([]int, r.ranks)
	for i := range look {
		look[i] = i
	}
	return look
}

// ruleRoute returns the route that the splits give by themselves: with at most one
// collective, and a move where the inner axis is split in two ways, or where the
// result is wanted elsewhere than it comes up.
func ruleRoute[T nd.Number](dst, a, b, rule *split.Layout) route {
	r := route{ranks: a.Ranks(), a0: placedLeft(a), b0: placedRight(b)}
	r.a, r.b = r.a0, r.b0
	r.c0 = placedResult(dst, r.a, r.b)
	r.c = placedResult(rule, r.a, r.b)
	if r.ranks == 1 || dst.Equal(rule) {
		r.c = r.c0
	}
	if r.ranks == 1 {
		return r
	}
	switch {
	case r.a.axis == 0 && !r.b.replicated():
		r.alg = GatherRight
	case r.a.axis == 1 && r.b.axis == 1:
		r.alg = GatherLeft
	case r.a.axis == 1 || r.b.axis == 0:
		r.alg = PartialSums
		switch {
		case r.a.replicated():
			r.a, _ = r.a0.along(1, r.b0, 0)
		case r.b.replicated():
			r.b, _ = r.b0.along(0, r.a0, 1)
		case r.a.sameCounts(r.b):
		case r.a.rows*r.a.cols < r.b.rows*r.b.cols:
			r.a, _ = r.a0.along(1, r.b0, 0)
		default:
			r.b, _ = r.b0.along(0, r.a0, 1)
		}
		r.c = r.c0
		e := newEstimate[T](Model{}, r.ranks)
		if matrices := len(a.Shape()) == 2 && len(b.Shape()) == 2; matrices && e.wasteful(&r) {
			r.alg = RingSums
		}
	}
	return r
}
