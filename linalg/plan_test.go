package linalg_test

import (
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// TestPlanIsWhatHappens compares each rank's planned messages and bytes with those
// that are counted, and the flops of all ranks with those of the product.
func TestPlanIsWhatHappens(t *testing.T) {
	shapes := [][2]nd.Shape{
		{{6, 5}, {5, 4}}, {{2, 9}, {9, 3}}, {{1, 4}, {4, 1}}, {{0, 3}, {3, 2}}, {{3, 0}, {0, 2}},
		{{7}, {7, 3}}, {{3, 7}, {7}}, {{6}, {6}}, {{12, 2}, {2, 12}},
	}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, s := range shapes {
			for _, la := range testLayouts(c, s[0]) {
				for _, lb := range testLayouts(c, s[1]) {
					checkPlan[float64](t, c, la, lb)
					checkPlan[complex64](t, c, la, lb)
					checkPlan[int8](t, c, la, lb)
				}
			}
		}
	})
}

func checkPlan[T nd.Number](t testing.TB, c *spmd.Comm, la, lb *split.Layout) {
	t.Helper()
	a := nd.FromLayout(c, la, func(i []int) T { return T(1) })
	b := nd.FromLayout(c, lb, func(i []int) T { return T(1) })
	before := c.Stats()
	plan := linalg.PlanMatMul[T](la, lb)
	if sent := c.Stats().Sub(before); len(sent) > 0 {
		t.Errorf("planning communicated\n%v", sent)
	}
	result := linalg.MatMul(a, b)
	counted := c.Stats().Sub(before).Total()
	share := plan.Ranks[c.Rank()]
	if share.Messages != counted.Messages || share.Bytes != counted.Bytes {
		t.Errorf("%v: on %v planned %d messages of %d bytes, counted %d of %d", plan, c, share.Messages, share.Bytes, counted.Messages, counted.Bytes)
	}
	if !plan.Result.Equal(result.Layout()) {
		t.Errorf("planned result %v, got %v", plan.Result, result.Layout())
	}
	if calls := c.Stats().Sub(before).Total().Calls; c.Size() > 1 && int(calls) != len(plan.Steps) {
		t.Errorf("%v: %d calls", plan, calls)
	}
	flops := 0.0
	for _, s := range plan.Ranks {
		flops += s.Flops
	}
	rows, inner, cols := la.Shape()[:len(la.Shape())-1].Size(), lb.Shape()[0], lb.Shape()[1:].Size()
	want := 2 * float64(rows*inner*cols)
	if la.Replicated() && lb.Replicated() {
		want *= float64(c.Size())
	}
	if flops != want {
		t.Errorf("%v: %v flops on all ranks, want %v", plan, flops, want)
	}
}

func TestPlanText(t *testing.T) {
	x := split.Block(nd.Shape{1000, 10}, 0, 4)
	plan := linalg.PlanMatMul[float64](split.Block(nd.Shape{10, 1000}, 1, 4), x)
	got := plan.String()
	for _, want := range []string{
		"(10, 1000) split 1", "(1000, 10) split 0", "→ (10, 10) split 0: partial sums: a reduce-scatter of the result to split 0",
		"at most on a rank: 3 messages, 640 bytes, 5e+04 flops, 800 bytes of extra memory",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	table := plan.Table()
	for _, want := range []string{
		"(10, 1000) split 1 · (1000, 10) split 0 → (10, 10) split 0 on 4 ranks (latency 2 µs, 4 GB/s, 20 Gflop/s)",
		"*  ", "ring sums: the sums round the ranks to split 0", "SUMMA: panels over a grid of 2 × 2 ranks",
		"gather right: an alltoallv of a to split 0, then an allgatherv of b",
	} {
		if strings.Count(table, want) != 1 {
			t.Errorf("not one %q in\n%s", want, table)
		}
	}
	err := nd.Try(func() { linalg.PlanMatMul[float64](x, x) })
	if err == nil || !strings.Contains(err.Error(), "10 columns against 1000 rows") || !strings.Contains(err.Error(), "plan_test.go:") {
		t.Errorf("error %v", err)
	}
}

// TestPlanForResult: the way that is chosen depends on where the result is wanted.
func TestPlanForResult(t *testing.T) {
	x := split.Block(nd.Shape{100_000, 100}, 0, 4)
	gram := split.Block(nd.Shape{100, 100_000}, 1, 4)
	for _, tt := range []struct {
		axis split.Axis
		want string
	}{
		{split.None, "partial sums: an allreduce of the result"},
		{1, "partial sums: a reduce-scatter of the result to split 1"},
	} {
		p := linalg.PlanMatMul[float32](gram, x, linalg.ResultSplit(tt.axis))
		if p.Way.String() != tt.want || p.Result.Axis() != tt.axis {
			t.Errorf("%v, want %s", p, tt.want)
		}
	}
}

// TestPlanAlternatives: the ways are listed by seconds, each once, the one that is
// taken among them and marked in the table.
func TestPlanAlternatives(t *testing.T) {
	for _, ranks := range []int{1, 2, 4, 7} {
		for i := split.None; i <= 1; i++ {
			for j := split.None; j <= 1; j++ {
				p := linalg.PlanMatMul[float64](split.Block(nd.Shape{300, 200}, i, ranks), split.Block(nd.Shape{200, 100}, j, ranks))
				seen := map[string]bool{}
				last := 0.0
				for _, w := range p.Alternatives() {
					if seen[w.String()] || w.Seconds < last {
						t.Errorf("%v: %v twice, or out of order", p, w)
					}
					seen[w.String()], last = true, w.Seconds
					most := w.Most()
					for r, s := range w.Ranks {
						if s.Messages > most.Messages || s.Bytes > most.Bytes || s.Flops > most.Flops || s.Memory > most.Memory {
							t.Errorf("%v: rank %d has %+v, more than %+v", w, r, s, most)
						}
					}
				}
				if !seen[p.Way.String()] || ranks > 1 && len(seen) < 2 {
					t.Errorf("%v: %d alternatives", p, len(seen))
				}
				if n := strings.Count(p.Table(), "\n*"); n != 1 {
					t.Errorf("%d ways are marked in\n%s", n, p.Table())
				}
			}
		}
	}
}
