package split_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"caloric/split"
)

// op returns an operand of 8-byte elements over 3 ranks, with counts if given.
func op(shape split.Shape, axis split.Axis, counts ...int) split.Operand {
	if counts != nil {
		return split.Operand{Layout: split.WithCounts(shape, axis, counts), Elem: 8}
	}
	return split.Operand{Layout: split.Block(shape, axis, 3), Elem: 8}
}

func TestElementwise(t *testing.T) {
	type S = split.Shape
	none := split.None
	tests := []struct {
		name string
		ops  []split.Operand
		want string
	}{
		{"one operand", []split.Operand{op(S{6, 4}, 1)}, "(6, 4) split 1"},
		{"equal layouts", []split.Operand{op(S{6, 4}, 0), op(S{6, 4}, 0)}, "(6, 4) split 0"},
		{"equal unbalanced", []split.Operand{op(S{6}, 0, 0, 6, 0), op(S{6}, 0, 0, 6, 0)}, "(6,) split 0 [0 6 0]"},
		{"replicated never decides", []split.Operand{op(S{6, 4}, none), op(S{6, 4}, 1)}, "(6, 4) split 1"},
		{"all replicated", []split.Operand{op(S{6, 4}, none), op(S{4}, none)}, "(6, 4) replicated"},
		{"0-d", []split.Operand{op(S{}, none), op(S{}, none)}, "() replicated"},
		{"0-d with split", []split.Operand{op(S{}, none), op(S{6}, 0, 1, 2, 3)}, "(6,) split 0 [1 2 3]"},
		{"tie: the first", []split.Operand{op(S{6, 4}, 1), op(S{6, 4}, 0)}, "(6, 4) split 1"},
		{"tie of three: the majority", []split.Operand{op(S{6, 4}, 1), op(S{6, 4}, 0), op(S{6, 4}, 0)}, "(6, 4) split 0"},
		{"fewer bytes move", []split.Operand{{Layout: split.Block(S{6, 4}, 1, 3), Elem: 4}, op(S{6, 4}, 0)}, "(6, 4) split 0"},
		{"unbalanced against balanced: the first", []split.Operand{op(S{6}, 0, 6, 0, 0), op(S{6}, 0)}, "(6,) split 0 [6 0 0]"},
		{"a row along the split axis", []split.Operand{op(S{4}, 0), op(S{6, 4}, 1)}, "(6, 4) split 1"},
		{"a small row, split, moves", []split.Operand{op(S{4}, 0), op(S{6, 4}, 0)}, "(6, 4) split 0"},
		{"a column along the split axis", []split.Operand{op(S{6, 4}, 0), op(S{6, 1}, 0)}, "(6, 4) split 0"},
		{"broadcast along its split axis", []split.Operand{op(S{1, 4}, 0), op(S{6, 4}, 1)}, "(6, 4) split 1"},
		{"the result has a new axis", []split.Operand{op(S{4}, 0), op(S{6, 1}, none)}, "(6, 4) split 1"},
		{"outer product: the larger stays", []split.Operand{op(S{6, 1}, 0), op(S{1, 40}, 1)}, "(6, 40) split 1"},
		{"broadcast only along split axes", []split.Operand{op(S{6, 1}, 1), op(S{1, 4}, 0)}, "(6, 4) replicated"},
		{"extent 1 everywhere", []split.Operand{op(S{1}, 0), op(S{1}, none)}, "(1,) split 0"},
		{"empty", []split.Operand{op(S{0, 4}, 0), op(S{1, 4}, 1)}, "(0, 4) split 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := split.Elementwise(tt.ops...)
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != tt.want {
				t.Errorf("got %v, want %s", got, tt.want)
			}
			isGot := func(o split.Operand) bool { return o.Layout == got }
			for _, o := range tt.ops {
				if o.Layout.Equal(got) && !slices.ContainsFunc(tt.ops, isGot) {
					t.Errorf("a new layout where operand %v has the same", o.Layout)
				}
			}
		})
	}
}

func TestElementwiseErrors(t *testing.T) {
	a := op(split.Shape{6, 4}, 0)
	_, err := split.Elementwise(a, op(split.Shape{5}, 0))
	checkError(t, err, "shapes [(6, 4) (5,)] do not broadcast", "Elementwise")
	_, err = split.Elementwise(a, split.Operand{Layout: split.Block(split.Shape{6, 4}, 0, 2), Elem: 8})
	checkError(t, err, "operands over 3 and 2 ranks", "Elementwise")
	_, err = split.Elementwise(op(split.Shape{1 << 40, 1}, 0), op(split.Shape{1 << 40}, 0))
	checkError(t, err, "more than 2^63-1 elements", "Elementwise")
}

func TestAlign(t *testing.T) {
	type S = split.Shape
	tests := []struct {
		name    string
		out, op *split.Layout
		want    string // "" if op itself serves
	}{
		{"equal", op(S{6, 4}, 0).Layout, op(S{6, 4}, 0).Layout, ""},
		{"replicated operand", op(S{6, 4}, 0).Layout, op(S{6, 4}, split.None).Layout, ""},
		{"0-d operand", op(S{6, 4}, 0).Layout, op(S{}, split.None).Layout, ""},
		{"another axis", op(S{6, 4}, 0).Layout, op(S{6, 4}, 1).Layout, "(6, 4) split 0"},
		{"other counts", op(S{6}, 0).Layout, op(S{6}, 0, 1, 2, 3).Layout, "(6,) split 0"},
		{"to other counts", op(S{6}, 0, 1, 2, 3).Layout, op(S{6}, 0).Layout, "(6,) split 0 [1 2 3]"},
		{"replicated result", op(S{6, 4}, split.None).Layout, op(S{6, 4}, 0).Layout, "(6, 4) replicated"},
		{"row along the split", op(S{6, 4}, 1, 0, 0, 4).Layout, op(S{4}, 0, 0, 0, 4).Layout, ""},
		{"row across the split", op(S{6, 4}, 0).Layout, op(S{4}, 0).Layout, "(4,) replicated"},
		{"row to other counts", op(S{6, 4}, 1, 0, 0, 4).Layout, op(S{4}, 0).Layout, "(4,) split 0 [0 0 4]"},
		{"extent 1 along the split", op(S{6, 4}, 0).Layout, op(S{1, 4}, 0).Layout, "(1, 4) replicated"},
		{"extent 1, split elsewhere", op(S{6, 4}, 0).Layout, op(S{1, 4}, 1).Layout, "(1, 4) replicated"},
		{"extent 1 in both", op(S{1, 4}, 0).Layout, op(S{1}, 0).Layout, "(1,) replicated"},
		{"extent 1 in both, aligned", op(S{4, 1}, 1).Layout, op(S{1}, 0).Layout, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := split.Align(tt.out, tt.op)
			if tt.want == "" {
				if got != tt.op {
					t.Errorf("got %v, want the operand's own layout", got)
				}
				return
			}
			if got.String() != tt.want {
				t.Errorf("got %v, want %s", got, tt.want)
			}
			if got.Equal(tt.out) && got != tt.out {
				t.Error("the operand moves to a copy of the result's layout")
			}
		})
	}
}

// TestAligned: with its aligned operands every rank holds the elements that its
// part of the result is computed from.
func TestAligned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ranks, shape := drawRanks(t), drawShape(t, 0)
		ops := make([]split.Operand, rapid.IntRange(1, 3).Draw(t, "operands"))
		for i := range ops {
			s := append(split.Shape{}, shape[rapid.IntRange(0, len(shape)).Draw(t, "dropped"):]...)
			for k := range s {
				if rapid.IntRange(0, 3).Draw(t, "one") == 0 {
					s[k] = 1
				}
			}
			ops[i] = split.Operand{Layout: drawLayout(t, s, ranks), Elem: 8}
		}
		out, err := split.Elementwise(ops...)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range ops {
			a := split.Align(out, o.Layout)
			if !a.Shape().Equal(o.Layout.Shape()) {
				t.Fatalf("Align(%v, %v) = %v", out, o.Layout, a)
			}
			for r := range ranks {
				have, need := a.Local(r), out.Local(r)
				if need.Size() == 0 {
					continue
				}
				for k := range have.Lo {
					j := len(need.Lo) - len(have.Lo) + k
					lo, hi := need.Lo[j], need.Hi[j]
					if a.Shape()[k] == 1 {
						lo, hi = 0, 1
					}
					if have.Lo[k] > lo || have.Hi[k] < hi {
						t.Fatalf("result %v: rank %d needs %d:%d along axis %d of %v and holds %v", out, r, lo, hi, k, a, have)
					}
				}
			}
		}
	})
}
