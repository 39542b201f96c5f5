package split_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"caloric/split"
)

// TestMoveDelivers: each element reaches every rank that shall hold it exactly
// once, from a rank that has it, and the lists of senders and receivers agree.
func TestMoveDelivers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ranks, shape := drawRanks(t), drawShape(t, 0)
		from, to := drawLayout(t, shape, ranks), drawLayout(t, shape, ranks)
		checkMove(t, from, to)
	})
}

func TestMoveEveryPair(t *testing.T) {
	shape := split.Shape{5, 3}
	for _, ranks := range []int{1, 2, 3, 7} {
		alone := make([]int, ranks) // everything on the last rank
		alone[ranks-1] = shape[0]
		layouts := []*split.Layout{
			split.Block(shape, split.None, ranks), split.Block(shape, 0, ranks), split.Block(shape, 1, ranks),
			split.WithCounts(shape, 0, alone),
		}
		for _, from := range layouts {
			for _, to := range layouts {
				checkMove(t, from, to)
			}
		}
	}
}

func checkMove(t rapid.TB, from, to *split.Layout) {
	ranks := from.Ranks()
	plans := make([]split.Plan, ranks)
	for r := range ranks {
		plans[r] = split.Move(from, to, r)
		if plans[r].Kind != plans[0].Kind || plans[r].Rank != r {
			t.Fatalf("%v → %v: rank %d plans %v, rank 0 %v", from, to, r, plans[r], plans[0])
		}
	}
	for r, p := range plans {
		if p.Kind == split.Nothing {
			if !from.Equal(to) || len(p.Send)+len(p.Recv) > 0 || p.Elements() != 0 {
				t.Fatalf("%v → %v: rank %d moves nothing", from, to, r)
			}
			continue
		}
		checkParts(t, p.Recv, to.Local(r))
		for _, part := range p.Recv {
			if part.Box.Intersect(from.Local(part.Rank)).Size() != part.Box.Size() {
				t.Fatalf("%v → %v: rank %d expects %v from rank %d, which holds %v",
					from, to, r, part.Box, part.Rank, from.Local(part.Rank))
			}
		}
		if p.Kind == split.AllGather {
			if n := from.LocalSize(r) * (ranks - 1); len(p.Send) > 0 || p.Elements() != n {
				t.Fatalf("%v → %v: rank %d sends %d elements, want %d", from, to, r, p.Elements(), n)
			}
			continue
		}
		sent := 0
		for _, part := range p.Send {
			if part.Rank != r {
				sent += part.Box.Size()
			}
			if !hasPart(plans[part.Rank].Recv, r, part.Box) {
				t.Fatalf("%v → %v: rank %d sends %v to rank %d, which expects %v",
					from, to, r, part.Box, part.Rank, plans[part.Rank].Recv)
			}
		}
		for _, part := range p.Recv {
			if !hasPart(plans[part.Rank].Send, r, part.Box) {
				t.Fatalf("%v → %v: rank %d expects %v of rank %d, which sends %v",
					from, to, r, part.Box, part.Rank, plans[part.Rank].Send)
			}
		}
		if p.Elements() != sent || p.Kind == split.Cut && sent > 0 {
			t.Fatalf("%v → %v: rank %d sends %d elements, Elements() = %d", from, to, r, sent, p.Elements())
		}
	}
}

// checkParts checks that the parts are in rank order, none empty, and tile the box.
func checkParts(t rapid.TB, parts []split.Part, box split.Box) {
	seen := map[[3]int]bool{}
	for i, p := range parts {
		if p.Box.Size() == 0 || i > 0 && p.Rank <= parts[i-1].Rank {
			t.Fatalf("parts %v", parts)
		}
		for _, index := range indices(p.Box) {
			if seen[index] {
				t.Fatalf("index %v arrives twice in %v", index, parts)
			}
			seen[index] = true
		}
	}
	for _, index := range indices(box) {
		if !seen[index] {
			t.Fatalf("index %v of %v is not in %v", index, box, parts)
		}
	}
	if len(seen) != box.Size() {
		t.Fatalf("%d elements arrive for %v", len(seen), box)
	}
}

// indices returns the indices of a box of at most 3 axes.
func indices(b split.Box) [][3]int {
	out := [][3]int{{}}
	for k := range b.Lo {
		var next [][3]int
		for _, index := range out {
			for i := b.Lo[k]; i < b.Hi[k]; i++ {
				index[k] = i
				next = append(next, index)
			}
		}
		out = next
	}
	return out
}

func hasPart(parts []split.Part, rank int, box split.Box) bool {
	return slices.ContainsFunc(parts, func(p split.Part) bool {
		return p.Rank == rank && slices.Equal(p.Box.Lo, box.Lo) && slices.Equal(p.Box.Hi, box.Hi)
	})
}

func TestPlanText(t *testing.T) {
	shape := split.Shape{1000, 800}
	block := func(axis split.Axis) *split.Layout { return split.Block(shape, axis, 2) }
	skew := split.WithCounts(shape, 0, []int{1000, 0})
	tests := []struct {
		from, to *split.Layout
		elem     int
		want     string
	}{
		{block(0), block(1), 16, "S0→S1 alltoallv 3.2 MB"},
		{block(1), block(0), 8, "S1→S0 alltoallv 1.6 MB"},
		{block(0), block(split.None), 8, "S0→R allgatherv 3.2 MB"},
		{block(split.None), block(1), 8, "R→S1 cut 0 B"},
		{block(1), block(1), 8, "S1→S1 nothing 0 B"},
		{skew, block(0), 4, "S0→S0 alltoallv 1.6 MB"},
		{block(0), skew, 4, "S0→S0 alltoallv 0 B"}, // rank 0 only receives
	}
	for _, tt := range tests {
		if got := split.Move(tt.from, tt.to, 0).Format(tt.elem); got != tt.want {
			t.Errorf("%v → %v: %q, want %q", tt.from, tt.to, got, tt.want)
		}
	}
}

func TestPlanBytes(t *testing.T) {
	tests := []struct {
		n    int
		want string
	}{
		{999, "999 B"},
		{1000, "1.0 kB"},
		{999_949, "999.9 kB"},
		{999_950, "1.0 MB"}, // not 1000.0 kB
		{1 << 40, "1.1 TB"},
		{5e15, "5.0 PB"},
	}
	for _, tt := range tests {
		from := split.WithCounts(split.Shape{tt.n}, 0, []int{tt.n, 0})
		to := split.WithCounts(split.Shape{tt.n}, 0, []int{0, tt.n})
		if got, want := split.Move(from, to, 0).Format(1), "S0→S0 alltoallv "+tt.want; got != want {
			t.Errorf("%d bytes: %q, want %q", tt.n, got, want)
		}
	}
}

func TestMoveRejects(t *testing.T) {
	a := split.Block(split.Shape{4, 3}, 0, 2)
	for _, b := range []*split.Layout{split.Block(split.Shape{3, 4}, 0, 2), split.Block(split.Shape{4, 3}, 0, 3)} {
		if !panics(func() { split.Move(a, b, 0) }) {
			t.Errorf("a move from %v over %d ranks to %v over %d", a, a.Ranks(), b, b.Ranks())
		}
	}
}
