package linalg

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"unsafe"

	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/split"
)

// Plan says how [MatMul] multiplies operands of two layouts: what each rank
// computes and communicates, and the same of every other way there is. It is a
// value to print.
type Plan struct {
	A, B, Result *split.Layout
	Model        Model
	Way          // the one that MatMul takes

	e           *estimate
	rule, taken route
}

// Way is an algorithm together with the moves of operands before it and of the
// result after it.
type Way struct {
	Algorithm Algorithm
	Dot       bool     // the product of two vectors, which is [Dot]'s
	Steps     []string // what is communicated, in turn
	Ranks     []Share
	Seconds   float64 // by the model
}

// Share is one rank's share of a product. Messages and bytes are counted as in
// [caloric/spmd.Stats]. Memory leaves out copies that put in order what is sent,
// which moves and operands that do not lie in C order may need. Ranks that share
// memory need none for rings.
type Share struct {
	Messages int64
	Bytes    int64
	Flops    float64 // multiplications and additions of elements
	Memory   int64   // bytes beside operands and result
}

func (s Share) plus(t Share) Share {
	return Share{s.Messages + t.Messages, s.Bytes + t.Bytes, s.Flops + t.Flops, s.Memory + t.Memory}
}

// atLeast returns the larger of each number.
func (s Share) atLeast(t Share) Share {
	return Share{max(s.Messages, t.Messages), max(s.Bytes, t.Bytes), max(s.Flops, t.Flops), max(s.Memory, t.Memory)}
}

// Most returns the largest of each number of the ranks' shares.
func (w Way) Most() (most Share) {
	for _, s := range w.Ranks {
		most = most.atLeast(s)
	}
	return most
}

// String returns the algorithm and its moves: "b to split 1, ring left".
func (w Way) String() string {
	name := w.Algorithm.String()
	if w.Dot {
		name = "inner product"
	}
	if len(w.Steps) == 0 {
		return name + ": no communication"
	}
	return name + ": " + strings.Join(w.Steps, ", then ")
}

// String returns the way that is taken, the layouts, and the largest share of a rank.
func (p Plan) String() string {
	most := p.Most()
	return fmt.Sprintf("%v · %v → %v: %v\nat most on a rank: %d messages, %d bytes, %.3g flops, %d bytes of extra memory; %.3g s",
		p.A, p.B, p.Result, p.Way, most.Messages, most.Bytes, most.Flops, most.Memory, p.Seconds)
}

// Table returns the plan and the largest shares of the ranks in every alternative,
// one a line; the one that is taken is marked.
func (p Plan) Table() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%v · %v → %v on %d ranks (%v)\n", p.A, p.B, p.Result, p.A.Ranks(), p.Model)
	w := tabwriter.NewWriter(&s, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\tms\tmessages\tbytes\tflops\textra memory\tway\n")
	for _, way := range p.Alternatives() {
		mark := ""
		if way.String() == p.Way.String() {
			mark = "*"
		}
		most := way.Most()
		fmt.Fprintf(w, "%s\t%.3g\t%d\t%d\t%.3g\t%d\t%v\n", mark, way.Seconds*1e3, most.Messages, most.Bytes, most.Flops, most.Memory, way)
	}
	w.Flush()
	return s.String()
}

// PlanMatMul returns what [MatMul] does with operands of layouts a and b, elements
// of type T and the same options, before it is done. It chooses by [DefaultModel],
// or by the model that [WithModel] gives, such as the communicator's:
//
//	plan := linalg.PlanMatMul[float64](x.T().Layout(), x.Layout(), linalg.WithModel(linalg.ModelOf(x.Comm())))
//	fmt.Print(plan.Table())
//
// With [ResultLayout] it says what [MatMulInto] does with a destination of that layout.
//
// Local. Communication: none. Panics if the shapes do not fit, or an operand has
// more than two axes.
func PlanMatMul[T nd.Number](a, b *split.Layout, opts ...MatMulOption) Plan {
	rule, err := split.MatMul(a, b)
	if err != nil {
		misuse.Panic("%v (operands %v and %v)", err, a, b)
	}
	o := newMatMulOptions(opts)
	p := Plan{A: a, B: b, Result: o.result(rule), Model: DefaultModel}
	if o.model != nil {
		p.Model = *o.model
	}
	e := newEstimate[T](p.Model, a.Ranks())
	p.e = e
	if len(rule.Shape()) == 0 {
		p.Way = e.dot(a, b, sumBytes[T]())
		return p
	}
	p.taken = choose[T](p.Result, a, b, rule, &o, func(float64) Model { return p.Model })
	p.rule = ruleRoute[T](p.Result, a, b, rule)
	e.look = looks(&p.taken)
	p.Way = e.way(&p.taken)
	return p
}

// Alternatives returns every way there is, the one that is taken included, by
// predicted seconds.
func (p Plan) Alternatives() []Way {
	list := []Way{p.Way}
	if p.Dot || p.taken.ranks == 1 {
		return list
	}
	all := append([]route{p.rule}, routes(p.taken.a0, p.taken.b0, p.taken.c0)...)
	for i := range all {
		way := p.e.way(&all[i])
		if !slices.ContainsFunc(list, func(w Way) bool { return w.String() == way.String() }) {
			list = append(list, way)
		}
	}
	slices.SortStableFunc(list, func(v, w Way) int { return cmp.Compare(v.Seconds, w.Seconds) })
	return list
}

// way describes a route.
func (e *estimate) way(r *route) Way {
	w := Way{Algorithm: r.alg, Ranks: make([]Share, r.ranks), Seconds: e.seconds(r)}
	for rank := range w.Ranks {
		w.Ranks[rank] = r.share(e.elem, rank)
	}
	if r.ranks == 1 {
		return w
	}
	w.step(moveText("a", r.a0, r.a))
	w.step(moveText("b", r.b0, r.b))
	switch r.alg {
	case GatherLeft:
		w.step("an allgatherv of a")
	case GatherRight:
		w.step("an allgatherv of b")
	case RingLeft:
		w.step("the parts of a round the ranks")
	case RingRight:
		w.step("the parts of b round the ranks")
	case PartialSums:
		if r.c.replicated() {
			w.step("an allreduce of the result")
		} else {
			w.step("a reduce-scatter of the result to " + splitText(r.c))
		}
	case RingSums:
		w.step("the sums round the ranks to " + splitText(r.c))
	case SUMMA:
		g := gridFor(r.ranks, r.a.rows, r.a.cols, r.b.cols)
		w.step(fmt.Sprintf("panels over a grid of %d × %d ranks", g.p, g.q))
	}
	w.step(moveText("the result", r.c, r.c0))
	return w
}

func (w *Way) step(text string) {
	if text != "" {
		w.Steps = append(w.Steps, text)
	}
}

// moveText describes a move in which something is sent.
func moveText(name string, from, to placed) string {
	if from.replicated() || from.layout.Equal(to.layout) {
		return ""
	}
	if to.replicated() {
		return "an allgatherv of " + name
	}
	return fmt.Sprintf("an alltoallv of %s to %s", name, splitText(to))
}

// splitText returns "split 1", or "split 1 [3 1 0]" if that is unbalanced.
func splitText(p placed) string {
	_, text, _ := strings.Cut(p.layout.String(), ") ")
	return text
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

// dot describes the product of two vectors, which is [Dot]'s.
func (e *estimate) dot(a, b *split.Layout, sum int) Way {
	x, y := placedRight(a), placedRight(b)
	w := Way{Dot: true, Ranks: make([]Share, a.Ranks())}
	moves := !x.replicated() && !y.replicated() && !x.sameCounts(y)
	reduces := a.Ranks() > 1 && !(x.replicated() && y.replicated())
	if moves {
		w.step(moveText("b", y, x))
	}
	if reduces {
		w.step("an allreduce of the result")
	}
	for r := range w.Ranks {
		s := &w.Ranks[r]
		if moves {
			*s = moveShare(y, x, e.elem, r)
		}
		if reduces {
			s.Messages++
			s.Bytes += int64(sum)
		}
		n := x.count(r)
		if x.replicated() {
			n = y.count(r)
		}
		s.Flops = 2 * float64(n)
	}
	most := w.Most()
	w.Seconds = e.work*most.Flops/e.Flops + e.sending(most.Bytes) + float64(most.Messages)*e.Latency
	return w
}
