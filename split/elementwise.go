package split

import (
	"fmt"
	"slices"
)

// Operand is an operand of an elementwise operation: its layout and the bytes
// of one element.
type Operand struct {
	Layout *Layout
	Elem   int
}

// BroadcastShapes returns the shape that shapes broadcast to by NumPy's rule:
// aligned at the last axis, each extent equal or 1. It returns an error if they
// do not, or if the result has more than 2^63-1 elements.
func BroadcastShapes(shapes ...Shape) (Shape, error) {
	nd := 0
	for _, s := range shapes {
		nd = max(nd, len(s))
	}
	out := make(Shape, nd)
	for k := range out {
		out[k] = 1
	}
	for _, s := range shapes {
		for k, d := range s {
			o := nd - len(s) + k
			switch {
			case out[o] == d || d == 1:
			case out[o] == 1:
				out[o] = d
			default:
				return nil, fmt.Errorf("shapes %v do not broadcast", shapes)
			}
		}
	}
	if err := out.check(); err != nil {
		return nil, err
	}
	return out, nil
}

// Elementwise returns the layout of the result of an elementwise operation on
// one or more operands: the broadcast shape, split like the operands. When the
// operands' layouts differ, it is the one for which the fewest bytes of operands
// must move, the earlier operand's where that is equal. Replicated operands, and
// operands that are broadcast along their own split axis, never decide; if there
// are no others, the result is replicated. Where it can, it returns an operand's
// own layout.
func Elementwise(ops ...Operand) (*Layout, error) {
	shapes := make([]Shape, len(ops))
	for i, o := range ops {
		shapes[i] = o.Layout.shape
		if o.Layout.ranks != ops[0].Layout.ranks {
			return nil, fmt.Errorf("operands over %d and %d ranks", ops[0].Layout.ranks, o.Layout.ranks)
		}
	}
	shape, err := BroadcastShapes(shapes...)
	if err != nil {
		return nil, err
	}
	var best *Layout
	bestBytes := 0
	for _, o := range ops {
		l := o.Layout
		if l.Replicated() {
			continue
		}
		axis := Axis(len(shape)-len(l.shape)) + l.axis
		if l.shape[l.axis] != shape[axis] {
			continue
		}
		out := l
		if !l.shape.Equal(shape) {
			out = l.reshaped(shape, axis)
		}
		moved := 0
		for _, q := range ops {
			if Align(out, q.Layout) != q.Layout {
				moved += q.Layout.shape.Size() * q.Elem
			}
		}
		if best == nil || moved < bestBytes {
			best, bestBytes = out, moved
		}
	}
	if best == nil {
		best = replicated(shape, ops[0].Layout.ranks)
	}
	for _, o := range ops {
		if o.Layout.Equal(best) {
			return o.Layout, nil
		}
	}
	return best, nil
}

// Align returns the layout that an operand of layout op, whose shape
// broadcasts to out's, must have so that every rank can compute its part of out
// locally. It is op itself when nothing needs to move, and out itself when op
// moves to it unbroadcast. A replicated operand always serves as it is.
func Align(out, op *Layout) *Layout {
	if op == out || op.Replicated() {
		return op
	}
	want := None
	if out.axis != None {
		if k := int(out.axis) - (len(out.shape) - len(op.shape)); k >= 0 && op.shape[k] == out.shape[out.axis] {
			want = Axis(k)
		}
	}
	switch {
	case want == op.axis && slices.Equal(op.offsets, out.offsets):
		return op
	case op.shape.Equal(out.shape):
		return out
	case want == None:
		return replicated(op.shape, op.ranks)
	}
	return out.reshaped(op.shape, want)
}
