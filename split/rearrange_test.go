package split_test

import (
	"math"
	"testing"

	"caloric/split"
)

func TestInferShape(t *testing.T) {
	type S = split.Shape
	for _, tt := range []struct {
		shape S
		size  int
		want  string
		err   string
	}{
		{shape: S{-1}, size: 6, want: "(6,)"},
		{shape: S{-1}, size: 0, want: "(0,)"},
		{shape: S{2, -1, 3}, size: 12, want: "(2, 2, 3)"},
		{shape: S{}, size: 1, want: "()"},
		{shape: S{0, 5}, size: 0, want: "(0, 5)"},
		{shape: S{3, -1}, size: 0, want: "(3, 0)"},
		{shape: S{0, -1}, size: 0, err: "0 elements do not fit shape (0, -1)"},
		{shape: S{-1, -1}, size: 4, err: "shape (-1, -1) has two extents of -1"},
		{shape: S{-2, 2}, size: 4, err: "shape (-2, 2) has a negative extent"},
		{shape: S{5, -1}, size: 6, err: "6 elements do not fit shape (5, -1)"},
		{shape: S{2, 2}, size: 6, err: "6 elements do not fit shape (2, 2), which has 4"},
		{shape: S{}, size: 2, err: "2 elements do not fit shape (), which has 1"},
		{shape: S{math.MaxInt, 2, -1}, size: 6, err: "more than 2^63-1 elements"},
	} {
		got, err := split.InferShape(tt.shape, tt.size)
		if tt.err != "" {
			checkError(t, err, tt.err, "InferShape(%v, %d)", tt.shape, tt.size)
		} else if err != nil || got.String() != tt.want {
			t.Errorf("InferShape(%v, %d) = %v, %v, want %s", tt.shape, tt.size, got, err, tt.want)
		}
	}
}

func TestReshapeLayout(t *testing.T) {
	type S = split.Shape
	for _, tt := range []struct {
		l     *split.Layout
		shape S
		axis  split.Axis
		want  string
		stays bool
	}{
		{op(S{6, 4}, 0).Layout, S{6, 2, 2}, 0, "(6, 2, 2) split 0", true},
		{op(S{6, 4}, 0).Layout, S{24}, 0, "(24,) split 0", true},
		{op(S{6, 4}, 0, 1, 0, 5).Layout, S{24}, 0, "(24,) split 0 [4 0 20]", true},
		{op(S{24}, 0, 4, 0, 20).Layout, S{6, 4}, 0, "(6, 4) split 0 [1 0 5]", true},
		{op(S{24}, 0, 5, 0, 19).Layout, S{6, 4}, 0, "(6, 4) split 0", false},
		{op(S{6, 4}, 0, 1, 0, 5).Layout, S{3, 8}, 0, "(3, 8) split 0", false},
		{op(S{6, 4}, 0, 2, 0, 4).Layout, S{3, 8}, 0, "(3, 8) split 0 [1 0 2]", true},
		{op(S{6, 4}, 1).Layout, S{6, 4, 1}, 1, "(6, 4, 1) split 1", true},
		{op(S{6, 4}, 1).Layout, S{2, 3, 4}, 2, "(2, 3, 4) split 2", true},
		{op(S{6, 4}, 1).Layout, S{24}, 0, "(24,) split 0", false},
		{op(S{1, 7}, 1).Layout, S{7}, 0, "(7,) split 0", true},
		{op(S{6, 4}, 0).Layout, S{24}, split.None, "(24,) replicated", false},
		{op(S{6, 4}, split.None).Layout, S{24}, 0, "(24,) split 0", false},
		{op(S{0, 4}, 0).Layout, S{2, 0}, 1, "(2, 0) split 1", true},
	} {
		got := split.Reshape(tt.l, tt.shape, tt.axis)
		if got.String() != tt.want || tt.l.SameFlat(got) != tt.stays {
			t.Errorf("Reshape(%v, %v, %v) = %v, stays: %v, want %s, %v", tt.l, tt.shape, tt.axis, got, tt.l.SameFlat(got), tt.want, tt.stays)
		}
	}
	one := split.Block(S{6, 4}, 1, 1)
	if !one.SameFlat(split.Block(S{24}, 0, 1)) || !op(S{6, 4}, split.None).Layout.SameFlat(op(S{24}, split.None).Layout) {
		t.Error("one rank, or replicated arrays, have something to move")
	}
}

func TestBroadcastLayout(t *testing.T) {
	type S = split.Shape
	for _, tt := range []struct {
		l     *split.Layout
		shape S
		want  string
	}{
		{op(S{4}, 0).Layout, S{3, 4}, "(3, 4) split 1"},
		{op(S{4, 1}, 0, 0, 4, 0).Layout, S{2, 4, 5}, "(2, 4, 5) split 1 [0 4 0]"},
		{op(S{4, 1}, 1).Layout, S{4, 1}, "(4, 1) split 1"},
		{op(S{4, 1}, 1).Layout, S{4, 3}, ""},
		{op(S{}, split.None).Layout, S{4, 3}, "(4, 3) replicated"},
	} {
		got, ok := split.Broadcast(tt.l, tt.shape)
		if ok != (tt.want != "") || ok && got.String() != tt.want {
			t.Errorf("Broadcast(%v, %v) = %v, %v, want %s", tt.l, tt.shape, got, ok, tt.want)
		}
	}
}

func TestResizeAndStretch(t *testing.T) {
	type S = split.Shape
	twice := func(i int) int { return 2 * i }
	for _, tt := range []struct {
		l               *split.Layout
		axis, n         int
		resize, stretch string
	}{
		{op(S{6, 4}, 0).Layout, 0, 12, "(12, 4) split 0", "(12, 4) split 0"},
		{op(S{7}, 0).Layout, 0, 14, "(14,) split 0", "(14,) split 0 [6 4 4]"},
		{op(S{6, 4}, 0, 1, 5, 0).Layout, 0, 12, "(12, 4) split 0", "(12, 4) split 0 [2 10 0]"},
		{op(S{6, 4}, 0, 1, 5, 0).Layout, 0, 13, "(13, 4) split 0", "(13, 4) split 0 [2 11 0]"},
		{op(S{6, 4}, 0, 1, 5, 0).Layout, 1, 9, "(6, 9) split 0 [1 5 0]", "(6, 9) split 0 [1 5 0]"},
		{op(S{6, 4}, split.None).Layout, 1, 9, "(6, 9) replicated", "(6, 9) replicated"},
		{op(S{0}, 0).Layout, 0, 5, "(5,) split 0", "(5,) split 0 [5 0 0]"},
	} {
		if got := split.Resize(tt.l, tt.axis, tt.n).String(); got != tt.resize {
			t.Errorf("Resize(%v, %d, %d) = %s, want %s", tt.l, tt.axis, tt.n, got, tt.resize)
		}
		if got := split.Stretch(tt.l, tt.axis, tt.n, twice).String(); got != tt.stretch {
			t.Errorf("Stretch(%v, %d, %d) = %s, want %s", tt.l, tt.axis, tt.n, got, tt.stretch)
		}
	}
}

func TestDiagonalLayout(t *testing.T) {
	type S = split.Shape
	for _, tt := range []struct {
		l         *split.Layout
		i, j      int
		i0, j0, n int
		want      string
	}{
		{op(S{6, 4}, 0).Layout, 0, 1, 0, 0, 4, "(4,) split 0 [2 2 0]"},
		{op(S{6, 4}, 0).Layout, 0, 1, 3, 0, 3, "(3,) split 0 [0 1 2]"},
		{op(S{6, 4}, 1).Layout, 0, 1, 0, 1, 3, "(3,) split 0"},
		{op(S{6, 4}, 1).Layout, 1, 0, 0, 0, 4, "(4,) split 0"},
		{op(S{6, 3, 4}, 1).Layout, 0, 2, 0, 0, 4, "(3, 4) split 0"},
		{op(S{6, 3, 4}, 2, 1, 0, 3).Layout, 0, 2, 0, 0, 4, "(3, 4) split 1 [1 0 3]"},
		{op(S{6, 4}, split.None).Layout, 0, 1, 0, 0, 4, "(4,) replicated"},
		{op(S{6, 4}, 0).Layout, 0, 1, 9, 0, 0, "(0,) split 0"},
	} {
		if got := split.Diagonal(tt.l, tt.i, tt.j, tt.i0, tt.j0, tt.n).String(); got != tt.want {
			t.Errorf("Diagonal(%v, %d, %d, %d, %d, %d) = %s, want %s", tt.l, tt.i, tt.j, tt.i0, tt.j0, tt.n, got, tt.want)
		}
	}
}

func TestConcatenateLayout(t *testing.T) {
	type S = split.Shape
	none := split.None
	for _, tt := range []struct {
		axis      int
		ops       []split.Operand
		want, err string
	}{
		{0, []split.Operand{op(S{6}, 0), op(S{3}, 0)}, "(9,) split 0", ""},
		{0, []split.Operand{op(S{6}, none), op(S{3}, none)}, "(9,) replicated", ""},
		{0, []split.Operand{op(S{6}, none), op(S{3}, 0, 0, 0, 3)}, "(9,) split 0", ""},
		{0, []split.Operand{op(S{6, 4}, 1, 4, 0, 0), op(S{3, 4}, 1, 4, 0, 0)}, "(9, 4) split 1 [4 0 0]", ""},
		{0, []split.Operand{op(S{6, 4}, 1), op(S{3, 4}, 0)}, "(9, 4) split 1", ""},
		{0, []split.Operand{op(S{3, 4}, 1), op(S{6, 4}, 0)}, "(9, 4) split 0", ""},
		{0, []split.Operand{op(S{3, 4}, 1), op(S{3, 4}, 0)}, "(6, 4) split 1", ""},
		{0, []split.Operand{op(S{3, 4}, none), op(S{6, 4}, 1)}, "(9, 4) split 1", ""},
		{1, []split.Operand{op(S{6, 4}, 0), op(S{6, 1}, 0, 6, 0, 0)}, "(6, 5) split 0", ""},
		{0, []split.Operand{op(S{6, 4}, 0), op(S{6, 3}, 0)}, "", "shapes (6, 4) and (6, 3) cannot be joined along axis 0"},
		{0, []split.Operand{op(S{6}, 0), op(S{6, 3}, 0)}, "", "cannot be joined"},
		{0, []split.Operand{op(S{6}, 0), {Layout: split.Block(S{6}, 0, 2), Elem: 8}}, "", "over 3 and 2 ranks"},
	} {
		got, err := split.Concatenate(tt.axis, tt.ops...)
		if tt.err != "" {
			checkError(t, err, tt.err, "Concatenate(%d, %v)", tt.axis, tt.ops)
		} else if err != nil || got.String() != tt.want {
			t.Errorf("Concatenate(%d, %v) = %v, %v, want %s", tt.axis, tt.ops, got, err, tt.want)
		}
	}
}
