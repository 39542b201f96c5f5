package split_test

import (
	"testing"

	"caloric/split"
)

func TestMatMul(t *testing.T) {
	type S = split.Shape
	const none = split.None
	tests := []struct {
		a, b split.Operand
		want string
	}{
		// The nine combinations.
		{op(S{6, 5}, none), op(S{5, 4}, none), "(6, 4) replicated"},
		{op(S{6, 5}, none), op(S{5, 4}, 0), "(6, 4) split 0"},
		{op(S{6, 5}, none), op(S{5, 4}, 1), "(6, 4) split 1"},
		{op(S{6, 5}, 0), op(S{5, 4}, none), "(6, 4) split 0"},
		{op(S{6, 5}, 0), op(S{5, 4}, 0), "(6, 4) split 0"},
		{op(S{6, 5}, 0), op(S{5, 4}, 1), "(6, 4) split 0"},
		{op(S{6, 5}, 1), op(S{5, 4}, none), "(6, 4) split 0"},
		{op(S{6, 5}, 1), op(S{5, 4}, 0), "(6, 4) split 0"},
		{op(S{6, 5}, 1), op(S{5, 4}, 1), "(6, 4) split 1"},
		// Rows and columns stay where they are, however uneven; partial products are balanced.
		{op(S{6, 5}, 0, 0, 6, 0), op(S{5, 4}, 0), "(6, 4) split 0 [0 6 0]"},
		{op(S{6, 5}, none), op(S{5, 4}, 1, 4, 0, 0), "(6, 4) split 1 [4 0 0]"},
		{op(S{6, 5}, 1, 0, 0, 5), op(S{5, 4}, 0), "(6, 4) split 0"},
		// A matrix and a vector.
		{op(S{6, 5}, none), op(S{5}, none), "(6,) replicated"},
		{op(S{6, 5}, none), op(S{5}, 0), "(6,) split 0"},
		{op(S{6, 5}, 0, 1, 5, 0), op(S{5}, none), "(6,) split 0 [1 5 0]"},
		{op(S{6, 5}, 0), op(S{5}, 0), "(6,) split 0"},
		{op(S{6, 5}, 1), op(S{5}, none), "(6,) split 0"},
		{op(S{6, 5}, 1), op(S{5}, 0), "(6,) split 0"},
		// A vector and a matrix.
		{op(S{5}, none), op(S{5, 4}, none), "(4,) replicated"},
		{op(S{5}, none), op(S{5, 4}, 0), "(4,) replicated"},
		{op(S{5}, 0), op(S{5, 4}, none), "(4,) replicated"},
		{op(S{5}, 0), op(S{5, 4}, 0), "(4,) replicated"},
		{op(S{5}, none), op(S{5, 4}, 1, 4, 0, 0), "(4,) split 0 [4 0 0]"},
		{op(S{5}, 0), op(S{5, 4}, 1), "(4,) split 0"},
		// Two vectors.
		{op(S{5}, none), op(S{5}, none), "() replicated"},
		{op(S{5}, 0), op(S{5}, 0), "() replicated"},
		{op(S{5}, 0), op(S{5}, none), "() replicated"},
		// Nothing to sum, nothing to hold.
		{op(S{6, 0}, 1), op(S{0, 4}, 0), "(6, 4) split 0"},
		{op(S{0, 5}, 0), op(S{5, 0}, 1), "(0, 0) split 0"},
	}
	for _, tt := range tests {
		got, err := split.MatMul(tt.a.Layout, tt.b.Layout)
		if err != nil || got.String() != tt.want {
			t.Errorf("MatMul(%v, %v) = %v, %v, want %s", tt.a.Layout, tt.b.Layout, got, err, tt.want)
		}
	}
}

func TestMatMulErrors(t *testing.T) {
	type S = split.Shape
	tests := []struct {
		a, b split.Operand
		want string
	}{
		{op(S{6, 5}, 0), op(S{4, 5}, 0), "no matrix product of shapes (6, 5) and (4, 5): 5 columns against 4 rows"},
		{op(S{}, split.None), op(S{5}, 0), "no matrix product of shapes () and (5,)"},
		{op(S{2, 6, 5}, 0), op(S{5}, 0), "no matrix product of shapes (2, 6, 5) and (5,)"},
		{op(S{1 << 40, 1}, 0), op(S{1, 1 << 40}, 0), "more than 2^63-1 elements"},
		{op(S{6, 5}, 0), split.Operand{Layout: split.Block(S{5}, 0, 2)}, "operands over 3 and 2 ranks"},
	}
	for _, tt := range tests {
		_, err := split.MatMul(tt.a.Layout, tt.b.Layout)
		checkError(t, err, tt.want, "MatMul(%v, %v)", tt.a.Layout, tt.b.Layout)
	}
}
