package main

import (
	"math"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/spmd"
)

func TestNetworkTime(t *testing.T) {
	n := network{Latency: 1, Bandwidth: 100}
	for _, test := range []struct {
		op   string
		c    spmd.Count
		p    int
		want float64
	}{
		{"send", spmd.Count{Calls: 2, Messages: 2, Bytes: 300}, 4, 2 + 3},
		{"alltoallv", spmd.Count{Calls: 1, Messages: 7, Bytes: 700}, 8, 7 + 7},
		{"barrier", spmd.Count{Calls: 1, Messages: 1}, 5, 3},
		{"allreduce", spmd.Count{Calls: 3, Messages: 3, Bytes: 600}, 4, 3*2*2 + 6*2*3/4.},
		{"bcast", spmd.Count{Calls: 1, Messages: 3, Bytes: 300}, 4, 2 + 2},
		{"exscan", spmd.Count{Calls: 1, Messages: 1, Bytes: 100}, 4, 2 + 1},
		{"allreduce", spmd.Count{Calls: 3, Messages: 3, Bytes: 600}, 1, 0},
	} {
		if got := n.time(spmd.Stats{test.op: test.c}, test.p); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%s %+v on %d ranks: %v, want %v", test.op, test.c, test.p, got, test.want)
		}
	}
}

func TestGrowth(t *testing.T) {
	for _, test := range []struct{ n, p, order, want int }{
		{100, 8, 1, 800}, {100, 4, 2, 200}, {100, 8, 3, 200}, {100, 1, 3, 100}, {100, 2, 2, 141},
	} {
		if got := growth(test.n, test.p, test.order); got != test.want {
			t.Errorf("growth(%d, %d, %d) = %d, want %d", test.n, test.p, test.order, got, test.want)
		}
	}
}

func TestScalingPoints(t *testing.T) {
	spmdtest.Embedded(t)
	most := 4 * cores()
	for _, op := range scaledOps(true) {
		for _, mode := range []string{strong, weak} {
			points, err := op.points(mode, most, settings{samples: 1, sample: 1, budget: 1}, network{1e-6, 1e9})
			if err != nil {
				t.Fatal(err)
			}
			if points[0].Ranks != 1 || points[len(points)-1].Ranks*2 <= most {
				t.Errorf("%s: ranks %d to %d", op.name, points[0].Ranks, points[len(points)-1].Ranks)
			}
			for _, p := range points {
				if p.Model != (p.Ranks > cores()) || p.Seconds <= p.Compute || p.Model != (p.Messages > 0) {
					t.Errorf("%+v", p)
				}
			}
		}
	}
}

// TestSelectedOps: an expression that matches no operation is an error that names them.
func TestSelectedOps(t *testing.T) {
	choose := func(re string) ([]scaledOp, error) {
		var chosen choice
		if err := chosen.run.Set(re); err != nil {
			t.Fatal(err)
		}
		return selectedOps(true, chosen)
	}
	if some, err := choose("^s"); err != nil || len(some) != 3 {
		t.Errorf("%d operations, %v", len(some), err)
	}
	if _, err := choose("nothing"); err == nil || !strings.Contains(err.Error(), "matmul") {
		t.Errorf("the error is %v", err)
	}
}
