package linalg_test

import (
	"fmt"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// TestMeasureModel: all ranks have the same plausible model, also on communicators
// made afterwards, and nothing of it is counted.
func TestMeasureModel(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		d := c.Dup()
		defer d.Free()
		if m := linalg.ModelOf(d); m != linalg.DefaultModel {
			t.Errorf("a model %v before any is measured", m)
		}
		before := c.Stats()
		m := linalg.MeasureModel(d)
		if sent := c.Stats().Sub(before); len(sent) > 0 {
			t.Errorf("counted\n%v", sent)
		}
		if m.Latency <= 0 || m.Latency > 1 || m.Bandwidth < 1e5 || m.Bandwidth > 1e13 || m.Flops < 1e5 || m.Flops > 1e14 {
			t.Errorf("measured %v", m)
		}
		all := []float64{m.Latency, m.Bandwidth, m.Flops}
		spmd.Bcast(c, all, 0)
		if all[0] != m.Latency || all[1] != m.Bandwidth || all[2] != m.Flops {
			t.Errorf("%v on %v, on rank 0 %v", m, c, all)
		}
		if got := linalg.ModelOf(d.Split(0, 0)); got != m {
			t.Errorf("%v on a part, want %v", got, m)
		}
		if linalg.ModelOf(c) != linalg.DefaultModel {
			t.Error("a duplicate's model on the world")
		}
	})
}

// TestSetModel: the model decides, and an option more so.
func TestSetModel(t *testing.T) {
	spmdtest.Run(t, 4, func(c *spmd.Comm) {
		const n = 64
		a, b := array[float64](c, split.Block(nd.Shape{n, n}, 0, 4), 1, false), array[float64](c, split.Block(nd.Shape{n, n}, 0, 4), 2, false)
		far := linalg.Model{Latency: 1, Bandwidth: 1e15, Flops: 1e10} // few messages
		near := linalg.Model{Latency: 0, Bandwidth: 1e6, Flops: 1e10} // few bytes
		linalg.SetModel(c, far)
		if got := calls(c, func() { linalg.MatMul(a, b) }); got["allgatherv"] != 1 || len(got) != 1 {
			t.Errorf("far: %v", got)
		}
		got := calls(c, func() { linalg.MatMul(a, b, linalg.WithModel(near), linalg.UseAlgorithm(linalg.RingRight)) })
		if c.SharesMemory() && (got["alltoallv"] != 1 || len(got) != 1) || !c.SharesMemory() && (got["isend"] != 3 || got["irecv"] != 3 || len(got) != 3) {
			t.Errorf("ring: %v", got)
		}
		for _, bad := range []linalg.Model{{}, {Latency: -1, Bandwidth: 1, Flops: 1}, {Bandwidth: 1}} {
			if err := nd.Try(func() { linalg.SetModel(c, bad) }); err == nil || !strings.Contains(err.Error(), "linalg.SetModel") {
				t.Errorf("model %+v: %v", bad, err)
			}
		}
	})
}

// TestMatMulOptions: results where they are asked for, and what cannot be.
func TestMatMulOptions(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		sa, sb := nd.Shape{5, 6}, nd.Shape{6, 7}
		for _, la := range testLayouts(c, sa) {
			for _, lb := range testLayouts(c, sb) {
				a, b := array[float64](c, la, 1, false), array[float64](c, lb, 2, false)
				for axis := split.None; axis <= 1; axis++ {
					z := linalg.MatMul(a, b, linalg.ResultSplit(axis))
					rule, _ := split.MatMul(la, lb)
					want := split.Block(nd.Shape{5, 7}, axis, c.Size())
					if rule.Axis() == axis {
						want = rule
					}
					if !z.Layout().Equal(want) {
						t.Errorf("%v · %v: %v, want %v", la, lb, z.Layout(), want)
					}
					checkArray(t, fmt.Sprintf("%v · %v → split %v", la, lb, axis), z, bruteForce[float64](sa, sb))
				}
			}
		}
		a, b := array[float64](c, split.Block(sa, 0, c.Size()), 1, false), array[float64](c, split.Block(sb, 0, c.Size()), 2, false)
		stack := nd.Ones[float64](c, nd.Shape{3, 4, 5}, 0)
		if z := linalg.MatMul(stack, a, linalg.ResultSplit(2)); z.Split() != 2 {
			t.Errorf("a stack of split %v", z.Split())
		}
		dst := nd.Zeros[float64](c, nd.Shape{5, 7}, 0)
		for want, f := range map[string]func(){
			"split axis 2 is out of range": func() { linalg.MatMul(a, b, linalg.ResultSplit(2)) },
			"has a layout already":         func() { linalg.MatMulInto(dst, a, b, linalg.ResultSplit(0)) },
			"asked for as":                 func() { linalg.MatMul(a, b, linalg.ResultLayout(a.Layout())) },
			"no algorithm 200":             func() { linalg.UseAlgorithm(200) },
		} {
			if err := nd.Try(f); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v does not say %q", err, want)
			}
		}
		if c.Size() > 1 {
			whole := array[float64](c, split.Block(sb, split.None, c.Size()), 2, false)
			err := nd.Try(func() { linalg.MatMul(a, whole, linalg.UseAlgorithm(linalg.RingRight)) })
			if err == nil || !strings.Contains(err.Error(), "ring right does not multiply") || !strings.Contains(err.Error(), "linalg.MatMul at") {
				t.Errorf("error %v", err)
			}
		}
	})
}
