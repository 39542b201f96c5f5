package split_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"caloric/split"
)

func TestBlockCounts(t *testing.T) {
	tests := []struct {
		extent, ranks int
		want          []int
	}{
		{8, 1, []int{8}},
		{8, 2, []int{4, 4}},
		{8, 3, []int{3, 3, 2}},
		{7, 5, []int{2, 2, 1, 1, 1}},
		{3, 5, []int{1, 1, 1, 0, 0}},
		{1, 2, []int{1, 0}},
		{0, 3, []int{0, 0, 0}},
		{math.MaxInt, 2, []int{1 << 62, 1<<62 - 1}},
	}
	for _, tt := range tests {
		l := split.Block(split.Shape{tt.extent}, 0, tt.ranks)
		if diff := cmp.Diff(tt.want, l.Counts()); diff != "" {
			t.Errorf("Block of %d over %d ranks (-want +got):\n%s", tt.extent, tt.ranks, diff)
		}
		if !l.Balanced() {
			t.Errorf("Block of %d over %d ranks is not balanced", tt.extent, tt.ranks)
		}
	}
}

func TestCheck(t *testing.T) {
	big := 1 << 40
	tests := []struct {
		shape split.Shape
		axis  split.Axis
		ranks int
		want  string // part of the error, "" for none
	}{
		{split.Shape{}, split.None, 1, ""},
		{split.Shape{4, 3}, 1, 7, ""},
		{split.Shape{4, 0, 3}, 1, 7, ""},
		{split.Shape{math.MaxInt}, 0, 3, ""},
		{split.Shape{math.MaxInt, 0}, 0, 3, ""},
		{split.Shape{}, 0, 1, "split axis 0 is out of range for shape ()"},
		{split.Shape{4, 3}, 2, 1, "split axis 2 is out of range for shape (4, 3)"},
		{split.Shape{4, 3}, -2, 1, "split axis -2 is out of range"},
		{split.Shape{4, -3}, 0, 1, "shape (4, -3) has a negative extent"},
		{split.Shape{0, -3}, 0, 1, "shape (0, -3) has a negative extent"},
		{split.Shape{4, 3}, 0, 0, "0 ranks"},
		{split.Shape{big, big}, 0, 1, "shape (1099511627776, 1099511627776) has more than 2^63-1 elements"},
		{split.Shape{0, big, big}, 0, 1, "more than 2^63-1 elements"}, // as in NumPy
		{split.Shape{big, big, 0}, 0, 1, "more than 2^63-1 elements"},
	}
	for _, tt := range tests {
		checkError(t, split.Check(tt.shape, tt.axis, tt.ranks), tt.want, "Check(%v, %v, %d)", tt.shape, tt.axis, tt.ranks)
		if got := panics(func() { split.Block(tt.shape, tt.axis, tt.ranks) }); got != (tt.want != "") {
			t.Errorf("Block(%v, %v, %d) panics: %v", tt.shape, tt.axis, tt.ranks, got)
		}
	}
}

func TestCheckCounts(t *testing.T) {
	tests := []struct {
		shape  split.Shape
		axis   split.Axis
		counts []int
		want   string
	}{
		{split.Shape{5, 2}, 0, []int{0, 5, 0}, ""},
		{split.Shape{5, 2}, 1, []int{2}, ""},
		{split.Shape{0}, 0, []int{0, 0}, ""},
		{split.Shape{5}, 0, []int{2, 2}, "counts [2 2] add up to 4, but axis 0 of shape (5,) has 5"},
		{split.Shape{5}, 0, []int{3, 3}, "counts [3 3] add up to more than the 5 of axis 0 of shape (5,)"},
		{split.Shape{5}, 0, []int{5, -1, 1}, "count of rank 1 is -1"},
		{split.Shape{5}, 0, []int{-1, 6}, "count of rank 0 is -1"},
		{split.Shape{5}, 0, nil, "0 ranks"},
		{split.Shape{5}, 1, []int{5}, "out of range"},
		{split.Shape{5}, split.None, []int{5}, "replicated"},
		// Sums that wrap around to the extent.
		{split.Shape{0}, 0, []int{math.MaxInt, math.MaxInt, 2}, "more than the 0"},
		{split.Shape{3}, 0, []int{math.MaxInt, math.MaxInt, 5}, "more than the 3"},
	}
	for _, tt := range tests {
		checkError(t, split.CheckCounts(tt.shape, tt.axis, tt.counts), tt.want, "CheckCounts(%v, %v, %v)", tt.shape, tt.axis, tt.counts)
		if got := panics(func() { split.WithCounts(tt.shape, tt.axis, tt.counts) }); got != (tt.want != "") {
			t.Errorf("WithCounts(%v, %v, %v) panics: %v", tt.shape, tt.axis, tt.counts, got)
		}
	}
}

func TestLayoutString(t *testing.T) {
	many := make([]int, 17)
	many[16] = 8
	tests := []struct {
		l    *split.Layout
		want string
	}{
		{split.Block(split.Shape{8, 4}, 0, 3), "(8, 4) split 0"},
		{split.Block(split.Shape{8, 4}, split.None, 3), "(8, 4) replicated"},
		{split.Block(split.Shape{}, split.None, 3), "() replicated"},
		{split.WithCounts(split.Shape{8, 4}, 0, []int{5, 3, 0}), "(8, 4) split 0 [5 3 0]"},
		{split.WithCounts(split.Shape{8}, 0, []int{3, 3, 2}), "(8,) split 0"},
		{split.WithCounts(split.Shape{8}, 0, many), "(8,) split 0 unbalanced"},
	}
	for _, tt := range tests {
		if got := tt.l.String(); got != tt.want {
			t.Errorf("String() = %q, want %q", got, tt.want)
		}
	}
	if s := split.None.String() + split.Axis(2).String(); s != "None2" {
		t.Errorf("axes print as %q", s)
	}
}

func TestEqualAndBalanced(t *testing.T) {
	shape := split.Shape{6, 4}
	same := split.WithCounts(shape, 0, []int{3, 3})
	block := split.Block(shape, 0, 2)
	if !block.Equal(same) || !same.Balanced() {
		t.Errorf("%v with balanced counts is not Block's", same)
	}
	for _, other := range []*split.Layout{
		split.WithCounts(shape, 0, []int{4, 2}),
		split.WithCounts(shape, 0, []int{2, 4}),
		split.Block(shape, 1, 2),
		split.Block(shape, split.None, 2),
		split.Block(shape, 0, 3),
		split.Block(split.Shape{6, 5}, 0, 2),
		split.Block(split.Shape{6}, 0, 2),
	} {
		if block.Equal(other) || other.Equal(block) {
			t.Errorf("%v over %d ranks equals %v over %d", block, block.Ranks(), other, other.Ranks())
		}
	}
	if split.WithCounts(shape, 0, []int{2, 4}).Balanced() {
		t.Error("counts [2 4] are balanced: the longer blocks come first")
	}
}

func TestReplicated(t *testing.T) {
	l := split.Block(split.Shape{3, 2}, split.None, 4)
	lo, hi := l.Range(3)
	if lo != 0 || hi != 0 || l.Counts() != nil || l.Owner(1) != 0 || !l.Replicated() || !l.Balanced() {
		t.Errorf("%v: Range %d %d, Counts %v", l, lo, hi, l.Counts())
	}
	if got := l.Local(3).String(); got != "[0:3, 0:2]" {
		t.Errorf("rank 3 holds %s", got)
	}
}

func TestLayoutDoesNotAliasItsArguments(t *testing.T) {
	shape := split.Shape{4, 2}
	a, b := split.Block(shape, 0, 2), split.WithCounts(shape, 0, []int{1, 3})
	shape[1] = 9
	if a.Shape()[1] != 2 || b.Shape()[1] != 2 {
		t.Error("changing the shape passed in changed a layout")
	}
}

// TestOwnership: the ranges are in rank order without gaps, and Owner is their inverse.
func TestOwnership(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLayout(t, drawShape(t, 1), drawRanks(t))
		if l.Replicated() {
			t.Skip("nothing is owned")
		}
		next, size := 0, 0
		for r := range l.Ranks() {
			lo, hi := l.Range(r)
			if lo != next || hi < lo || hi-lo != l.Counts()[r] {
				t.Fatalf("%v: rank %d owns %d:%d after %d", l, r, lo, hi, next)
			}
			for i := lo; i < hi; i++ {
				if l.Owner(i) != r {
					t.Fatalf("%v: Owner(%d) = %d, want %d", l, i, l.Owner(i), r)
				}
			}
			box := l.Local(r)
			if !box.Shape().Equal(l.LocalShape(r)) || box.Size() != l.LocalSize(r) {
				t.Fatalf("%v: rank %d holds %v, LocalShape %v, LocalSize %d", l, r, box, l.LocalShape(r), l.LocalSize(r))
			}
			next = hi
			size += l.LocalSize(r)
		}
		if next != l.Shape()[l.Axis()] || size != l.Shape().Size() {
			t.Fatalf("%v: the ranks hold %d indices and %d elements", l, next, size)
		}
	})
}

// TestHugeArray: dask #3619, offsets summed in 32 bits.
func TestHugeArray(t *testing.T) {
	l := split.Block(split.Shape{1e12}, 0, 3)
	s, err := split.Slice(l, []split.Item{split.Range(1000, split.Open, 1)})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Layout.Shape()[0]; got != 999999999000 {
		t.Errorf("length %d, want 999999999000", got)
	}
	want := []int{333333332334, 333333333333, 333333333333}
	if diff := cmp.Diff(want, s.Layout.Counts()); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	if got := l.Owner(999999999999); got != 2 {
		t.Errorf("the last element is rank %d's", got)
	}
	if got := split.Move(l, split.Block(l.Shape(), split.None, 3), 0).String(); got != "S0→R allgatherv 5.3 TB" {
		t.Errorf("gathering it: %q", got)
	}
}

// drawShape draws the shape of a small array of at least minDim axes.
func drawShape(t *rapid.T, minDim int) split.Shape {
	return rapid.SliceOfN(rapid.IntRange(0, 6), minDim, 3).Draw(t, "shape")
}

func drawRanks(t *rapid.T) int { return rapid.IntRange(1, 8).Draw(t, "ranks") }

// drawLayout draws a layout of shape: replicated, balanced or with any counts,
// zeros among them.
func drawLayout(t *rapid.T, shape split.Shape, ranks int) *split.Layout {
	axis := split.Axis(rapid.IntRange(-1, len(shape)-1).Draw(t, "axis"))
	if axis == split.None || rapid.Bool().Draw(t, "balanced") {
		return split.Block(shape, axis, ranks)
	}
	counts := make([]int, ranks)
	for range shape[axis] {
		counts[rapid.IntRange(0, ranks-1).Draw(t, "owner")]++
	}
	return split.WithCounts(shape, axis, counts)
}

// checkError reports an error that does not contain want, or is not nil where want is "".
func checkError(t *testing.T, err error, want, format string, args ...any) {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Errorf(format+": %v", append(args, err)...)
	case want != "" && err == nil:
		t.Errorf(format+": no error, want %q", append(args, want)...)
	case want != "" && !strings.Contains(err.Error(), want):
		t.Errorf(format+": %q, want %q", append(args, err, want)...)
	}
}

func panics(f func()) (panicked bool) {
	defer func() { panicked = recover() != nil }()
	f()
	return false
}
