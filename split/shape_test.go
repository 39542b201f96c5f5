package split_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"caloric/split"
)

func TestShape(t *testing.T) {
	tests := []struct {
		shape split.Shape
		text  string
		size  int
	}{
		{nil, "()", 1},
		{split.Shape{5}, "(5,)", 5},
		{split.Shape{4, 3}, "(4, 3)", 12},
		{split.Shape{4, 0, 3}, "(4, 0, 3)", 0},
	}
	for _, tt := range tests {
		if tt.shape.String() != tt.text || tt.shape.Size() != tt.size {
			t.Errorf("shape %v of size %d, want %s of %d", tt.shape, tt.shape.Size(), tt.text, tt.size)
		}
	}
	if !(split.Shape{}).Equal(nil) || (split.Shape{2, 3}).Equal(split.Shape{3, 2}) || (split.Shape{2}).Equal(split.Shape{2, 1}) {
		t.Error("Shape.Equal")
	}
}

func TestBox(t *testing.T) {
	box := func(lo0, hi0, lo1, hi1 int) split.Box { return split.Box{Lo: []int{lo0, lo1}, Hi: []int{hi0, hi1}} }
	tests := []struct {
		a, b split.Box
		want string
		size int
	}{
		{box(0, 4, 0, 3), box(2, 6, 1, 2), "[2:4, 1:2]", 2},
		{box(0, 4, 0, 3), box(0, 4, 0, 3), "[0:4, 0:3]", 12},
		{box(0, 2, 0, 3), box(2, 4, 0, 3), "[2:2, 0:3]", 0},
		{box(0, 1, 0, 3), box(3, 4, 0, 3), "[3:3, 0:3]", 0},
		{split.Box{}, split.Box{}, "[]", 1},
	}
	for _, tt := range tests {
		for _, got := range []split.Box{tt.a.Intersect(tt.b), tt.b.Intersect(tt.a)} {
			if got.String() != tt.want || got.Size() != tt.size || got.Shape().Size() != tt.size {
				t.Errorf("%v ∩ %v = %v of %d, want %s of %d", tt.a, tt.b, got, got.Size(), tt.want, tt.size)
			}
		}
	}
	if got := split.Whole(split.Shape{2, 0}).String(); got != "[0:2, 0:0]" {
		t.Errorf("Whole = %s", got)
	}
}

func TestNormalizeAxis(t *testing.T) {
	tests := []struct {
		axis, ndim, want int
		err              string
	}{
		{0, 3, 0, ""},
		{2, 3, 2, ""},
		{-1, 3, 2, ""},
		{-3, 3, 0, ""},
		{3, 3, 0, "axis 3 is out of range for 3 axes"},
		{-4, 3, 0, "axis -4 is out of range for 3 axes"},
		{0, 0, 0, "axis 0 is out of range for 0 axes"},
		{-1, 0, 0, "axis -1 is out of range for 0 axes"},
	}
	for _, tt := range tests {
		got, err := split.NormalizeAxis(tt.axis, tt.ndim)
		checkError(t, err, tt.err, "NormalizeAxis(%d, %d)", tt.axis, tt.ndim)
		if got != tt.want {
			t.Errorf("NormalizeAxis(%d, %d) = %d, want %d", tt.axis, tt.ndim, got, tt.want)
		}
	}
}

func TestNormalizeAxes(t *testing.T) {
	tests := []struct {
		axes, want []int
		err        string
	}{
		{nil, []int{}, ""},
		{[]int{2, 0}, []int{0, 2}, ""},
		{[]int{-1, 1, -3}, []int{0, 1, 2}, ""},
		{[]int{1, -2}, nil, "axis 1 is named twice in [1 -2]"},
		{[]int{0, 3}, nil, "axis 3 is out of range for 3 axes"},
	}
	for _, tt := range tests {
		before := append([]int(nil), tt.axes...)
		got, err := split.NormalizeAxes(tt.axes, 3)
		checkError(t, err, tt.err, "NormalizeAxes(%v)", tt.axes)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("NormalizeAxes(%v) (-want +got):\n%s", tt.axes, diff)
		}
		if diff := cmp.Diff(before, tt.axes); diff != "" {
			t.Errorf("NormalizeAxes changed its argument:\n%s", diff)
		}
	}
}

func TestBroadcastShapes(t *testing.T) {
	type S = split.Shape
	tests := []struct {
		shapes []S
		want   S
		err    string
	}{
		{nil, S{}, ""},
		{[]S{{}}, S{}, ""},
		{[]S{{4, 3}, {3}}, S{4, 3}, ""},
		{[]S{{4, 1}, {3}}, S{4, 3}, ""},
		{[]S{{}, {2, 0}}, S{2, 0}, ""},
		{[]S{{1}, {0}}, S{0}, ""},
		{[]S{{0}, {1}}, S{0}, ""},
		{[]S{{8, 1, 6, 1}, {7, 1, 5}, {}}, S{8, 7, 6, 5}, ""},
		{[]S{{0}, {2}}, nil, "shapes [(0,) (2,)] do not broadcast"},
		{[]S{{4, 3}, {4}}, nil, "shapes [(4, 3) (4,)] do not broadcast"},
		{[]S{{2}, {1}, {3}}, nil, "do not broadcast"},
		{[]S{{1 << 40, 1}, {1 << 40}}, nil, "more than 2^63-1 elements"},
	}
	for _, tt := range tests {
		got, err := split.BroadcastShapes(tt.shapes...)
		checkError(t, err, tt.err, "BroadcastShapes(%v)", tt.shapes)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("BroadcastShapes(%v) (-want +got):\n%s", tt.shapes, diff)
		}
	}
}
