package linalg

import (
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/split"
)

// Plan says how [MatMul] multiplies operands of two layouts: what each rank
// computes and communicates. It is a value to print.
type Plan struct {
	A, B, Result *split.Layout
	Algorithm    string
	Steps        []string // what is communicated, in turn
	Ranks        []Share
}

// Share is one rank's share of a product. Messages and bytes are counted as in
// [caloric/spmd.Stats].
type Share struct {
	Messages int64
	Bytes    int64
	Flops    float64 // multiplications and additions
	Memory   int64   // bytes beside operands and result
}

// String returns the algorithm, the layouts, and the largest share of a rank.
func (p Plan) String() string {
	var most Share
	for _, s := range p.Ranks {
		most.Messages, most.Bytes = max(most.Messages, s.Messages), max(most.Bytes, s.Bytes)
		most.Flops, most.Memory = max(most.Flops, s.Flops), max(most.Memory, s.Memory)
	}
	steps := "no communication"
	if len(p.Steps) > 0 {
		steps = strings.Join(p.Steps, ", then ")
	}
	return fmt.Sprintf("%v · %v → %v: %s; %s\nat most on a rank: %d messages, %d bytes, %.3g flops, %d bytes of extra memory",
		p.A, p.B, p.Result, p.Algorithm, steps, most.Messages, most.Bytes, most.Flops, most.Memory)
}

var algorithmNames = [...]string{
	local:       "every rank has what it needs",
	gatherLeft:  "the left operand goes to every rank",
	gatherRight: "the right operand goes to every rank",
	partial:     "every rank multiplies its part of the inner axis, and the sums are added up",
}

// PlanMatMul returns what [MatMul] does with operands of layouts a and b and
// elements of type T, before it is done.
//
//	fmt.Println(linalg.PlanMatMul[float64](x.T().Layout(), x.Layout()))
//
// Local. Communication: none. Panics if the shapes do not fit, or an operand has
// more than two axes.
func PlanMatMul[T nd.Number](a, b *split.Layout) Plan {
	rule, err := split.MatMul(a, b)
	if err != nil {
		misuse.Panic("%v (operands %v and %v)", err, a, b)
	}
	m := newProduct[T](nil, rule, a, b, rule)
	elem := int(unsafe.Sizeof(*new(T)))
	p := Plan{A: a, B: b, Result: rule, Algorithm: algorithmNames[m.alg], Ranks: make([]Share, a.Ranks())}
	if len(rule.Shape()) == 0 {
		p.dot(elem, sumBytes[T]())
		return p
	}
	p.move(a, m.toA, elem)
	p.move(b, m.toB, elem)
	rows, cols := a.Shape()[:len(a.Shape())-1].Size(), b.Shape()[1:].Size()
	if a.Ranks() > 1 {
		switch {
		case m.alg == gatherLeft:
			p.gather("a", a, elem)
		case m.alg == gatherRight:
			p.gather("b", b, elem)
		case m.alg == partial && m.target.Replicated():
			p.allreduce(rows*cols, elem)
		case m.alg == partial:
			p.reduceScatter(m.counts, rows*cols, elem)
		}
	}
	for r := range p.Ranks {
		p.Ranks[r].Flops = flops(m, r)
	}
	return p
}

// sumBytes returns the size of the sum that [Dot] adds up: of double precision for
// floating-point numbers.
func sumBytes[T nd.Number]() int {
	switch any(*new(T)).(type) {
	case float32:
		return 8
	case complex64:
		return 16
	}
	return int(unsafe.Sizeof(*new(T)))
}

// dot counts the product of two vectors, which is [Dot]'s.
func (p *Plan) dot(elem, sum int) {
	p.Algorithm = "the inner product of two vectors"
	a, b := p.A, p.B
	if !a.Replicated() && !b.Replicated() && !slices.Equal(a.Counts(), b.Counts()) {
		p.move(b, a, elem)
	}
	if a.Ranks() > 1 && !(a.Replicated() && b.Replicated()) {
		p.allreduce(1, sum)
	}
	for r := range p.Ranks {
		n := a.LocalSize(r)
		if a.Replicated() {
			n = b.LocalSize(r)
		}
		p.Ranks[r].Flops = 2 * float64(n)
	}
}

// move counts a move of an operand, none if to is nil.
func (p *Plan) move(from, to *split.Layout, elem int) {
	if to == nil {
		return
	}
	p.Steps = append(p.Steps, fmt.Sprintf("an alltoallv from %v to its partner's counts", from))
	for r := range p.Ranks {
		for _, part := range split.Move(from, to, r).Send {
			if part.Rank != r {
				p.Ranks[r].Messages++
				p.Ranks[r].Bytes += int64(part.Box.Size() * elem)
			}
		}
		p.Ranks[r].Memory += int64(to.LocalSize(r) * elem)
	}
}

func (p *Plan) gather(name string, l *split.Layout, elem int) {
	p.Steps = append(p.Steps, "an allgatherv of "+name)
	for r := range p.Ranks {
		if n := l.LocalSize(r); n > 0 {
			p.Ranks[r].Messages += int64(len(p.Ranks) - 1)
			p.Ranks[r].Bytes += int64((len(p.Ranks) - 1) * n * elem)
		}
		p.Ranks[r].Memory += int64(l.Shape().Size() * elem)
	}
}

func (p *Plan) allreduce(n, elem int) {
	p.Steps = append(p.Steps, "an allreduce of the result")
	for r := range p.Ranks {
		if n > 0 {
			p.Ranks[r].Messages++
			p.Ranks[r].Bytes += int64(n * elem)
		}
	}
}

// reduceScatter counts one of n elements, of which rank r keeps counts[r].
func (p *Plan) reduceScatter(counts []int, n, elem int) {
	p.Steps = append(p.Steps, "a reduce-scatter of the result's rows")
	for r := range p.Ranks {
		for other, k := range counts {
			if other != r && k > 0 {
				p.Ranks[r].Messages++
				p.Ranks[r].Bytes += int64(k * elem)
			}
		}
		p.Ranks[r].Memory += int64(n * elem)
	}
}

// flops returns how many multiplications and additions rank does.
func flops[T nd.Number](p *product[T], rank int) float64 {
	a, b := p.a, p.b
	rows, inner, cols := a.Shape()[:len(a.Shape())-1].Size(), a.Shape()[len(a.Shape())-1], b.Shape()[1:].Size()
	if p.alg == partial {
		if a.Replicated() {
			lo, hi := b.Range(rank)
			inner = hi - lo
		} else {
			l := a
			if p.toA != nil {
				l = p.toA
			}
			lo, hi := l.Range(rank)
			inner = hi - lo
		}
	} else if r := p.target; !r.Replicated() {
		lo, hi := r.Range(rank)
		if len(a.Shape()) == 2 && r.Axis() == 0 {
			rows = hi - lo
		} else {
			cols = hi - lo
		}
	}
	return 2 * float64(rows) * float64(inner) * float64(cols)
}
