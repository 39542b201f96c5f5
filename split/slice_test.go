package split_test

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"caloric/split"
)

// pythonSlice returns the indices that start:stop:step selects of n, by the
// rules of Python's reference (slice.indices), in numbers that cannot overflow.
func pythonSlice(start, stop, step, n int) []int {
	lower, upper := 0, n
	if step < 0 {
		lower, upper = -1, n-1
	}
	bound := func(b, open int) int {
		switch {
		case b == split.Open:
			return open
		case b < 0:
			return max(b+n, lower)
		}
		return min(b, upper)
	}
	var i, end int
	if step > 0 {
		i, end = bound(start, lower), bound(stop, upper)
	} else {
		i, end = bound(start, upper), bound(stop, lower)
	}
	out := []int{}
	for (step > 0 && i < end) || (step < 0 && i > end) {
		out = append(out, i)
		if step >= n || step <= -n {
			break // the next one is past the end, and the sum could wrap
		}
		i += step
	}
	return out
}

// selected returns the indices of a walk.
func selected(w split.Walk) []int {
	out := []int{}
	for k := range w.Count {
		out = append(out, w.Start+k*w.Step)
	}
	return out
}

func TestPythonSlice(t *testing.T) {
	// Results of list(range(n))[start:stop:step] in CPython.
	const open = split.Open
	tests := []struct {
		start, stop, step, n int
		want                 []int
	}{
		{0, open, -1, 10, []int{0}}, // dask #3579
		{open, open, -1, 4, []int{3, 2, 1, 0}},
		{open, open, 1, 0, []int{}},
		{2, 100, 1, 6, []int{2, 3, 4, 5}},
		{-100, 2, 1, 6, []int{0, 1}},
		{-3, -1, 1, 6, []int{3, 4}},
		{100, open, -2, 6, []int{5, 3, 1}},
		{open, -100, -2, 6, []int{5, 3, 1}},
		{-11, -7, -2, 10, []int{}}, // dask PR #12508
		{4, 4, 1, 6, []int{}},
		{4, 2, 1, 6, []int{}},
		{2, 4, -1, 6, []int{}},
		{5, -1, -1, 6, []int{}},
		{6, open, 1, 6, []int{}},
		{1, open, math.MaxInt, 6, []int{1}},
		{4, open, math.MinInt, 6, []int{4}},
		{math.MaxInt, math.MinInt + 1, -1, 3, []int{2, 1, 0}},
		{math.MinInt + 1, math.MaxInt, 2, 3, []int{0, 2}},
	}
	for _, tt := range tests {
		if got := pythonSlice(tt.start, tt.stop, tt.step, tt.n); !slices.Equal(got, tt.want) {
			t.Errorf("the reference gives %v for %d:%d:%d of %d, want %v", got, tt.start, tt.stop, tt.step, tt.n, tt.want)
		}
		for _, ranks := range []int{1, 3} {
			s, err := split.Slice(split.Block(split.Shape{tt.n}, 0, ranks), []split.Item{split.Range(tt.start, tt.stop, tt.step)})
			if err != nil {
				t.Fatal(err)
			}
			if got := selected(s.Walks[0]); !slices.Equal(got, tt.want) {
				t.Errorf("%d:%d:%d of %d = %v, want %v", tt.start, tt.stop, tt.step, tt.n, got, tt.want)
			}
			if reversed := tt.step < 0 && len(tt.want) > 1; s.Reversed != reversed {
				t.Errorf("%d:%d:%d of %d: Reversed = %v", tt.start, tt.stop, tt.step, tt.n, s.Reversed)
			}
		}
	}
}

// TestSliceStaysWhereItIs compares ranges with the reference, on every layout:
// the indices, how many of them each rank owns, and which of its own they are.
func TestSliceStaysWhereItIs(t *testing.T) {
	bound := rapid.OneOf(rapid.IntRange(-9, 9), rapid.SampledFrom([]int{split.Open, math.MinInt + 1, math.MaxInt}))
	step := rapid.OneOf(rapid.IntRange(-7, -1), rapid.IntRange(1, 7), rapid.SampledFrom([]int{math.MinInt, math.MaxInt}))
	rapid.Check(t, func(t *rapid.T) {
		shape := split.Shape{rapid.IntRange(0, 7).Draw(t, "extent")}
		l := drawLayout(t, shape, drawRanks(t))
		start, stop, step := bound.Draw(t, "start"), bound.Draw(t, "stop"), step.Draw(t, "step")
		item := split.Range(start, stop, step)
		s, err := split.Slice(l, []split.Item{item})
		if err != nil {
			t.Fatal(err)
		}
		w := s.Walks[0]
		want := pythonSlice(start, stop, step, shape[0])
		if got := selected(w); !slices.Equal(got, want) {
			t.Fatalf("%v of %v = %v, want %v", item, l, got, want)
		}
		if !s.Layout.Shape().Equal(split.Shape{len(want)}) || s.Owner != -1 || len(s.At) > 0 {
			t.Fatalf("%v of %v: %+v", item, l, s)
		}
		if l.Replicated() {
			if !s.Layout.Replicated() || s.Reversed {
				t.Fatalf("%v of %v: %+v", item, l, s)
			}
			return
		}
		slices.Sort(want)
		for r := range l.Ranks() {
			lo, hi := l.Range(r)
			var mine []int
			for _, i := range want {
				if lo <= i && i < hi {
					mine = append(mine, i-lo)
				}
			}
			local := w.Local(lo, hi)
			if got := selected(local); !slices.Equal(got, mine) || local.Step < 1 {
				t.Fatalf("%v of %v: rank %d selects %v of its %d:%d, want %v", item, l, r, got, lo, hi, mine)
			}
			if from, to := s.Layout.Range(r); to-from != len(mine) {
				t.Fatalf("%v of %v: rank %d owns %d:%d of the result, want %d", item, l, r, from, to, len(mine))
			}
		}
	})
}

func TestSliceLayouts(t *testing.T) {
	type S = split.Shape
	const open = split.Open
	whole := split.Range(open, open, 1)
	row, cols := op(S{6, 4}, 0).Layout, op(S{6, 4}, 1).Layout
	tests := []struct {
		name  string
		l     *split.Layout
		items []split.Item
		want  string
		owner int
	}{
		{"nothing", row, nil, "(6, 4) split 0", -1},
		{"whole", row, []split.Item{whole, whole}, "(6, 4) split 0", -1},
		{"along the split", row, []split.Item{split.Range(1, 5, 1)}, "(4, 4) split 0 [1 2 1]", -1},
		{"first rank only", row, []split.Item{split.Range(0, 2, 1)}, "(2, 4) split 0 [2 0 0]", -1},
		{"last rank only", row, []split.Item{split.Range(-1, open, 1)}, "(1, 4) split 0 [0 0 1]", -1},
		{"backwards", row, []split.Item{split.Range(4, open, -2)}, "(3, 4) split 0", -1},
		{"nothing selected", row, []split.Item{split.Range(3, 3, 1)}, "(0, 4) split 0", -1},
		{"across the split", row, []split.Item{whole, split.Range(1, 3, 1)}, "(6, 2) split 0", -1},
		{"index before the split", cols, []split.Item{split.Index(0)}, "(4,) split 0", -1}, // heat #730
		{"index on the split", row, []split.Item{split.Index(-1)}, "(4,) replicated", 2},
		{"index after the split", row, []split.Item{whole, split.Index(2)}, "(6,) split 0", -1},
		{"indices everywhere", row, []split.Item{split.Index(3), split.Index(2)}, "() replicated", 1},
		{"index in 3-d", op(S{4, 5, 5}, 1).Layout, []split.Item{split.Index(0)}, "(5, 5) split 0", -1}, // heat #346
		{"one element keeps its axis", op(S{1, 10}, 1).Layout,
			[]split.Item{whole, split.Range(0, 1, 1)}, "(1, 1) split 1", -1}, // heat #754
		{"new axis before the split", row, []split.Item{split.NewAxis()}, "(1, 6, 4) split 1", -1},
		{"new axis after the split", row, []split.Item{whole, split.NewAxis()}, "(6, 1, 4) split 0", -1},
		{"ellipsis first", cols, []split.Item{split.Ellipsis(), split.Index(1)}, "(6,) replicated", 0},
		{"ellipsis between", op(S{2, 6, 4}, 1).Layout,
			[]split.Item{split.Index(0), split.Ellipsis(), split.Range(1, 2, 1), split.NewAxis()}, "(6, 1, 1) split 0", -1},
		{"ellipsis for nothing", row, []split.Item{whole, split.Ellipsis(), whole}, "(6, 4) split 0", -1},
		{"unbalanced", op(S{6}, 0, 0, 5, 1).Layout, []split.Item{split.Range(open, open, 2)}, "(3,) split 0 [0 3 0]", -1},
		{"replicated", op(S{6, 4}, split.None).Layout, []split.Item{split.Index(0)}, "(4,) replicated", -1},
		{"0-d", op(S{}, split.None).Layout, []split.Item{split.NewAxis(), split.Ellipsis()}, "(1,) replicated", -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := split.Slice(tt.l, tt.items)
			if err != nil {
				t.Fatal(err)
			}
			if s.Layout.String() != tt.want || s.Owner != tt.owner {
				t.Errorf("%v%v: %v of rank %d, want %s of %d", tt.l, tt.items, s.Layout, s.Owner, tt.want, tt.owner)
			}
			if len(s.Walks) != len(s.Layout.Shape()) {
				t.Errorf("%d walks for %v", len(s.Walks), s.Layout)
			}
			for k, w := range s.Walks {
				if w.Count != s.Layout.Shape()[k] {
					t.Errorf("walk %d has %d indices in %v", k, w.Count, s.Layout)
				}
			}
		})
	}
}

func TestSliceAt(t *testing.T) {
	s, err := split.Slice(op(split.Shape{6, 4, 3}, 1).Layout, []split.Item{split.Index(-1), split.NewAxis(), split.Range(3, split.Open, -2), split.Index(1)})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[int]int{0: 5, 2: 1}, s.At); diff != "" {
		t.Errorf("fixed indices (-want +got):\n%s", diff)
	}
	walks := []split.Walk{{Axis: -1, Step: 1, Count: 1}, {Axis: 1, Start: 3, Step: -2, Count: 2}}
	if diff := cmp.Diff(walks, s.Walks); diff != "" {
		t.Errorf("walks (-want +got):\n%s", diff)
	}
	if !s.Reversed {
		t.Error("a negative step along the split axis is not marked")
	}
}

func TestSliceErrors(t *testing.T) {
	l := op(split.Shape{6, 4}, 0).Layout
	i := split.Index(0)
	tests := []struct {
		items []split.Item
		want  string
	}{
		{[]split.Item{split.Index(6)}, "index 6 is out of range for axis 0 of extent 6"},
		{[]split.Item{i, split.Index(-5)}, "index -5 is out of range for axis 1 of extent 4"},
		{[]split.Item{split.Index(math.MinInt)}, "out of range"},
		{[]split.Item{split.Range(1, 3, 0)}, "slice 1:3:0 has step 0"},
		{[]split.Item{{}}, "step 0"},
		{[]split.Item{i, i, i}, "3 indices for 2 axes"},
		{[]split.Item{split.Ellipsis(), i, split.Ellipsis()}, "two ellipses"},
	}
	for _, tt := range tests {
		_, err := split.Slice(l, tt.items)
		checkError(t, err, tt.want, "Slice(%v, %v)", l, tt.items)
	}
}

func TestItemString(t *testing.T) {
	const open = split.Open
	tests := []struct {
		item split.Item
		want string
	}{
		{split.Range(1, 9, 2), "1:9:2"},
		{split.Range(1, 9, 1), "1:9"},
		{split.Range(open, open, 1), ":"},
		{split.Range(open, -1, -1), ":-1:-1"},
		{split.Index(-3), "-3"},
		{split.NewAxis(), "newaxis"},
		{split.Ellipsis(), "..."},
	}
	for _, tt := range tests {
		if got := tt.item.String(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}
