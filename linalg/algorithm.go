package linalg

import (
	"caloric/internal/misuse"
	"caloric/split"
)

// Algorithm is a way to multiply matrices that are spread over ranks, a (m, k)
// and b (k, n).
type Algorithm uint8

// The algorithms. Which splits they take and what they communicate is in
// docs/matmul.md.
const (
	// LocalProduct: every rank has what its part of the result needs.
	LocalProduct Algorithm = iota
	// GatherLeft: every rank gets all of a and multiplies its columns of b by it.
	GatherLeft
	// GatherRight: every rank gets all of b and multiplies its rows of a by it.
	GatherRight
	// RingLeft: the parts of a travel round the ranks, the next one while the
	// present one is multiplied, so that a rank holds two of them.
	RingLeft
	// RingRight is RingLeft with the parts of b.
	RingRight
	// PartialSums: every rank multiplies its columns of a by its rows of b into
	// the whole result, which a reduce-scatter or an allreduce adds up.
	PartialSums
	// RingSums: as PartialSums, but block by block of the result: what is added up of
	// a block travels round the ranks to its owner (the ring reduce-scatter), so that
	// a rank holds three blocks.
	RingSums
	// SUMMA: the matrices move to blocks on a grid of ranks; panels of a's columns
	// are sent along the grid's rows, panels of b's rows along its columns, the next
	// while the present one is multiplied. R. A. van de Geijn, J. Watts: "SUMMA:
	// scalable universal matrix multiplication algorithm", Concurrency: Practice and
	// Experience 9 (1997).
	SUMMA
)

var algorithmNames = [...]string{
	LocalProduct: "local",
	GatherLeft:   "gather left",
	GatherRight:  "gather right",
	RingLeft:     "ring left",
	RingRight:    "ring right",
	PartialSums:  "partial sums",
	RingSums:     "ring sums",
	SUMMA:        "SUMMA",
}

// String returns the algorithm's name.
func (a Algorithm) String() string { return algorithmNames[a] }

// A MatMulOption says how [MatMul], [MatMulInto] and [PlanMatMul] are to multiply.
// The options are the same on every rank.
type MatMulOption func(*matMulOptions)

type matMulOptions struct {
	forced bool
	alg    Algorithm
	model  *Model
	axis   split.Axis
	layout *split.Layout
	split  bool // axis is asked for
}

func newMatMulOptions(opts []MatMulOption) (o matMulOptions) {
	for _, set := range opts {
		set(&o)
	}
	return o
}

// UseAlgorithm makes the product use alg, with the moves of operands and result
// that make it cheapest. The product panics if alg takes no layouts that the
// operands can move to. Stacks of matrices are multiplied one by one, whatever alg is.
func UseAlgorithm(alg Algorithm) MatMulOption {
	if int(alg) >= len(algorithmNames) {
		misuse.Panic("no algorithm %d", uint8(alg))
	}
	return func(o *matMulOptions) { o.alg, o.forced = alg, true }
}

// WithModel makes the product choose by m instead of its communicator's model.
func WithModel(m Model) MatMulOption {
	m.check()
	return func(o *matMulOptions) { o.model = &m }
}

// ResultSplit asks for a result that is split along axis, or replicated for
// [split.None]: with an operand's counts where the default result is split so,
// balanced otherwise. For [MatMulInto] the destination says how; there this is an error.
func ResultSplit(axis split.Axis) MatMulOption {
	return func(o *matMulOptions) { o.axis, o.split = axis, true }
}

// ResultLayout asks for a result of layout l; see [ResultSplit].
func ResultLayout(l *split.Layout) MatMulOption {
	return func(o *matMulOptions) { o.layout = l }
}

// result returns the layout that is asked for, given the default one.
func (o *matMulOptions) result(rule *split.Layout) *split.Layout {
	switch l := o.layout; {
	case l != nil:
		if !l.Shape().Equal(rule.Shape()) || l.Ranks() != rule.Ranks() {
			misuse.Panic("a product of layout %v over %d ranks asked for as %v over %d", rule, rule.Ranks(), l, l.Ranks())
		}
		return l
	case o.split && o.axis != rule.Axis():
		misuse.Check(split.Check(rule.Shape(), o.axis, rule.Ranks()))
		return split.Block(rule.Shape(), o.axis, rule.Ranks())
	}
	return rule
}
