package split_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"caloric/split"
)

// cropped and periodic are split.Beyond functions.
func cropped(j, n int) (start, step, count int) {
	switch {
	case j < 0:
		return -1, 0, -j
	case j < n:
		return j, 1, n - j
	}
	return -1, 0, 1 << 40
}

func periodic(j, n int) (start, step, count int) {
	q := (j%n + n) % n
	return q, 1, n - q
}

func mirrored(j, n int) (start, step, count int) {
	if j < 0 {
		return -j, -1, -j
	}
	return j, 1, n - j
}

func around(l *split.Layout, front, back int) []split.Window {
	w := make([]split.Window, l.Ranks())
	for r := range w {
		lo, hi := l.Range(r)
		if lo < hi {
			w[r] = split.Window{Lo: lo - front, Hi: hi + back}
		}
	}
	return w
}

func TestPlanWindows(t *testing.T) {
	ten := split.Block(split.Shape{10}, 0, 4) // 3 3 2 2
	for _, row := range []struct {
		name        string
		l           *split.Layout
		front, back int
		beyond      split.Beyond
		rank        int
		want        string
		pieces      []split.Piece
	}{
		{"one neighbour each way", ten, 1, 1, cropped, 1, "window [2, 7) from 0: [2, 3) from 2: [6, 7) to 0: [3, 4) to 2: [5, 6)",
			[]split.Piece{{0, 1, split.Received, 0, 1}, {1, 3, split.Own, 0, 1}, {4, 1, split.Received, 1, 1}}},
		{"wider than a block", ten, 4, 0, cropped, 2, "window [2, 8) from 0: [2, 3) from 1: [3, 6) to 3: [6, 8)",
			[]split.Piece{{0, 4, split.Received, 0, 1}, {4, 2, split.Own, 0, 1}}},
		{"nothing before the first", ten, 1, 0, cropped, 0, "window [-1, 3) to 1: [2, 3)",
			[]split.Piece{{0, 1, split.Nowhere, 0, 0}, {1, 3, split.Own, 0, 1}}},
		{"periodic", ten, 2, 1, periodic, 0, "window [-2, 4) from 1: [3, 4) from 3: [8, 10) to 1: [1, 3) to 3: [0, 1)",
			[]split.Piece{{0, 2, split.Received, 1, 1}, {2, 3, split.Own, 0, 1}, {5, 1, split.Received, 0, 1}}},
		{"both ends from one rank, in one message", split.Block(split.Shape{4}, 0, 2), 1, 1, periodic, 0,
			"window [-1, 3) from 1: [2, 4) to 1: [0, 2)",
			[]split.Piece{{0, 1, split.Received, 1, 1}, {1, 2, split.Own, 0, 1}, {3, 1, split.Received, 0, 1}}},
		{"mirrored in the own block and the next one's", split.WithCounts(split.Shape{5}, 0, []int{2, 0, 3}), 3, 0, mirrored, 0,
			"window [-3, 2) from 2: [2, 4) to 2: [0, 2)",
			[]split.Piece{{0, 2, split.Received, 1, -1}, {2, 1, split.Own, 1, -1}, {3, 2, split.Own, 0, 1}}},
		{"an empty rank", split.WithCounts(split.Shape{5}, 0, []int{2, 0, 3}), 1, 1, cropped, 1, "window [0, 0)", nil},
	} {
		got := split.PlanWindows(row.l, 0, around(row.l, row.front, row.back), row.beyond, row.rank)
		if got.String() != row.want {
			t.Errorf("%s: %v, want %s", row.name, got, row.want)
		}
		if d := cmp.Diff(row.pieces, got.Pieces); d != "" {
			t.Errorf("%s (-want +got)\n%s", row.name, d)
		}
	}
}

// TestPlanWindowsAgree: what one rank means to receive is what the other means to
// send, and no rank has more partners than Peers says.
func TestPlanWindowsAgree(t *testing.T) {
	for _, counts := range [][]int{{3, 3, 2, 2}, {0, 5, 0, 1, 0}, {1, 1, 1, 1, 1, 1, 1}, {7}, {0, 0, 4}, {2, 0, 0, 9, 1}} {
		n := 0
		for _, k := range counts {
			n += k
		}
		l := split.WithCounts(split.Shape{2, n}, 1, counts)
		for _, beyond := range []split.Beyond{cropped, periodic} {
			for _, w := range [][2]int{{0, 0}, {1, 1}, {4, 0}, {0, 3}, {11, 13}} {
				sent, received, most := map[string]bool{}, map[string]bool{}, 0
				peers := -1
				for r := range counts {
					p := split.PlanWindows(l, 1, around(l, w[0], w[1]), beyond, r)
					for _, s := range p.Send {
						sent[fmt.Sprint(r, s.Rank, s.Ranges)] = true
					}
					for _, s := range p.Recv {
						received[fmt.Sprint(s.Rank, r, s.Ranges)] = true
					}
					most = max(most, len(p.Send), len(p.Recv))
					if peers >= 0 && p.Peers != peers {
						t.Errorf("%v by %v: the ranks disagree on the number of peers", l, w)
					}
					peers = p.Peers
				}
				if d := cmp.Diff(sent, received); d != "" {
					t.Errorf("%v by %v: sent and received differ\n%s", l, w, d)
				}
				if most != peers {
					t.Errorf("%v by %v: %d peers, want %d", l, w, peers, most)
				}
			}
		}
	}
	for _, l := range []*split.Layout{split.Block(split.Shape{4}, split.None, 3), split.Block(split.Shape{4, 5}, 1, 3)} {
		w := make([]split.Window, 3)
		for r := range w {
			w[r] = split.Window{Lo: -1, Hi: 5}
		}
		if p := split.PlanWindows(l, 0, w, periodic, 1); p.Sent() != 0 || p.Received() != 0 || p.Peers != 0 {
			t.Errorf("along an axis that is not split: %v", p)
		}
	}
}
