package split_test

import (
	"testing"

	"caloric/split"
)

func TestReduce(t *testing.T) {
	type S = split.Shape
	tests := []struct {
		l          *split.Layout
		axes       []int
		want, kept string // without and with keepDims
		across     bool
	}{
		{l: op(S{2, 2}, 1).Layout, axes: []int{0}, want: "(2,) split 0", kept: "(1, 2) split 1"}, // heat #730
		{l: op(S{6, 4}, 0).Layout, axes: []int{0}, want: "(4,) replicated", kept: "(1, 4) replicated", across: true},
		{l: op(S{6, 4}, 0).Layout, axes: []int{1}, want: "(6,) split 0", kept: "(6, 1) split 0"},
		{l: op(S{6, 4}, 0).Layout, axes: []int{0, 1}, want: "() replicated", kept: "(1, 1) replicated", across: true},
		{l: op(S{6, 4}, 0).Layout, axes: nil, want: "(6, 4) split 0", kept: "(6, 4) split 0"},
		{l: op(S{6, 4}, split.None).Layout, axes: []int{0}, want: "(4,) replicated", kept: "(1, 4) replicated"},
		{l: op(S{}, split.None).Layout, axes: nil, want: "() replicated", kept: "() replicated"},
		{l: op(S{6}, 0, 0, 6, 0).Layout, axes: []int{0}, want: "() replicated", kept: "(1,) replicated", across: true},
		{l: op(S{2, 3, 6, 4}, 2, 0, 5, 1).Layout, axes: []int{0, 1, 3}, want: "(6,) split 0 [0 5 1]", kept: "(1, 1, 6, 1) split 2 [0 5 1]"},
		{l: op(S{2, 3, 6, 4}, 2, 0, 5, 1).Layout, axes: []int{1}, want: "(2, 6, 4) split 1 [0 5 1]", kept: "(2, 1, 6, 4) split 2 [0 5 1]"},
		{l: op(S{0, 4}, 1).Layout, axes: []int{0}, want: "(4,) split 0", kept: "(1, 4) split 1"},
		{l: op(S{4, 0}, 1).Layout, axes: []int{1}, want: "(4,) replicated", kept: "(4, 1) replicated", across: true},
	}
	for _, tt := range tests {
		for _, keep := range []bool{false, true} {
			want := tt.want
			if keep {
				want = tt.kept
			}
			got, across := split.Reduce(tt.l, tt.axes, keep)
			if got.String() != want || across != tt.across {
				t.Errorf("Reduce(%v, %v, %v) = %v, %v, want %s, %v", tt.l, tt.axes, keep, got, across, want, tt.across)
			}
		}
	}
}

func TestTranspose(t *testing.T) {
	type S = split.Shape
	tests := []struct {
		l    *split.Layout
		perm []int
		want string
	}{
		{op(S{6, 4}, 0).Layout, []int{1, 0}, "(4, 6) split 1"},
		{op(S{6, 4}, 1).Layout, []int{1, 0}, "(4, 6) split 0"},
		{op(S{6, 4}, 1).Layout, []int{-2, -1}, "(6, 4) split 1"},
		{op(S{6, 4}, split.None).Layout, []int{1, 0}, "(4, 6) replicated"},
		{op(S{}, split.None).Layout, nil, "() replicated"},
		{op(S{2, 3, 6}, 2, 1, 5, 0).Layout, []int{2, 0, 1}, "(6, 2, 3) split 0 [1 5 0]"},
		{op(S{2, 3, 6}, 2, 1, 5, 0).Layout, []int{1, -1, 0}, "(3, 6, 2) split 1 [1 5 0]"},
	}
	for _, tt := range tests {
		got, err := split.Transpose(tt.l, tt.perm)
		if err != nil || got.String() != tt.want {
			t.Errorf("Transpose(%v, %v) = %v, %v, want %s", tt.l, tt.perm, got, err, tt.want)
		}
	}
	l := op(S{6, 4}, 0).Layout
	for _, perm := range [][]int{nil, {0}, {0, 0}, {0, -2}, {0, 2}, {0, 1, 1}} {
		_, err := split.Transpose(l, perm)
		checkError(t, err, "no permutation of the 2 axes of shape (6, 4)", "Transpose(%v, %v)", l, perm)
	}
}
