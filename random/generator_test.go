package random

import (
	"errors"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"caloric/nd"
	"caloric/spmd"
)

// TestDraws: each call takes one draw, whatever its size; a state or a clone
// draws the same again.
func TestDraws(t *testing.T) {
	onOneRank(t, func(c *spmd.Comm) {
		g := New(42)
		uniform := func(g *Generator) []float64 { return Uniform(g, c, nd.Shape{8}, 0, 0.0, 1).Local() }
		first := uniform(g)
		state, clone := g.State(), g.Clone()
		second := uniform(g)
		if cmp.Equal(first, second) {
			t.Error("two draws are equal")
		}
		Normal(g, c, nd.Shape{0}, 0, 0.0, 1)
		Integers(g, c, nd.Shape{}, -1, int8(0), 2)
		Bits[uint64](g, c, nd.Shape{2, 2}, 1)
		Permutation(g, c, 0, 0)
		g.Source()
		if got := g.State(); got != (State{Seed: 42, Draw: 7}) {
			t.Errorf("after 7 draws the generator is at %+v", got)
		}
		g.SetState(state)
		for name, again := range map[string]*Generator{"SetState": g, "Clone": clone, "FromState": FromState(state)} {
			if diff := cmp.Diff(second, uniform(again)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
		if diff := cmp.Diff(first, uniform(New(42))); diff != "" {
			t.Errorf("the same seed (-want +got):\n%s", diff)
		}
	})
}

func TestStream(t *testing.T) {
	g := FromState(State{Seed: 5, Stream: 2, Draw: 9})
	if got := g.Stream(3).State(); got != (State{Seed: 5, Stream: 3}) {
		t.Errorf("Stream(3) is at %+v", got)
	}
	if New(5).Stream(0).State() != New(5).State() {
		t.Error("New does not start with stream 0")
	}
	if got := g.String(); got != "seed 5, stream 2, draw 9" {
		t.Errorf("String() = %q", got)
	}
}

// TestIndependence: seeds, streams and draws that are neighbours do not correlate,
// at any small shift.
func TestIndependence(t *testing.T) {
	const n = 20000
	sample := func(s State) []float64 {
		return draw(t, n, func(c *spmd.Comm, shape nd.Shape) *nd.NDArray[float64] {
			return Uniform(FromState(s), c, shape, 0, 0.0, 1)
		})
	}
	base := State{Seed: 1, Stream: 1, Draw: 1}
	x := sample(base)
	for _, s := range []State{{2, 1, 1}, {1, 2, 1}, {1, 1, 2}, {0, 1, 1}, {1, 0, 1}, {1, 1, 0}, {1 << 63, 1, 1}, {1, 1 << 63, 1}} {
		y := sample(s)
		for shift := range 5 {
			if r := correlation(x[:n-shift], y[shift:]); math.Abs(r) > 5/math.Sqrt(n) {
				t.Errorf("%+v and %+v shifted by %d correlate: %v", base, s, shift, r)
			}
		}
	}
	for shift := 1; shift < 5; shift++ {
		if r := correlation(x[:n-shift], x[shift:]); math.Abs(r) > 5/math.Sqrt(n) {
			t.Errorf("elements %d apart correlate: %v", shift, r)
		}
	}
}

// TestSharedGenerator: ranks that share a generator are told.
func TestSharedGenerator(t *testing.T) {
	g := New(1)
	var oneAtATime sync.Mutex
	err := spmd.Run(2, func(c *spmd.Comm) error {
		oneAtATime.Lock()
		defer oneAtATime.Unlock()
		Uniform(g, c, nd.Shape{4}, 0, 0.0, 1)
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "each rank needs its own") {
		t.Errorf("error %v", err)
	}
}

func TestMisuse(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	onOneRank(t, func(c *spmd.Comm) {
		g, shape := New(1), nd.Shape{3}
		tests := []struct {
			f    func()
			want string
		}{
			{func() { Uniform(g, c, shape, 0, 1.0, 0) }, "random.Uniform at random/generator_test.go: no uniform numbers from 1 to 0"},
			{func() { Uniform(g, c, shape, 0, nan, 1) }, "no uniform numbers from NaN to 1"},
			{func() { Uniform(g, c, shape, 0, 0, inf) }, "no uniform numbers from 0 to +Inf"},
			{func() { Uniform(g, c, shape, 0, -math.MaxFloat64, math.MaxFloat64) }, "no uniform numbers"},
			{func() { Uniform[float32](g, c, shape, 0, -math.MaxFloat32, math.MaxFloat32) }, "no uniform numbers"},
			{func() { Uniform(g, c, shape, 1, 0.0, 1) }, "random.Uniform at random/generator_test.go: split axis 1 is out of range"},
			{func() { Normal(g, c, shape, 0, 0.0, -1) }, "random.Normal at random/generator_test.go: no normal numbers of mean 0 and standard deviation -1"},
			{func() { Normal(g, c, shape, 0, nan, 1) }, "no normal numbers"},
			{func() { Normal(g, c, shape, 0, 0, inf) }, "no normal numbers"},
			{func() { Normal(g, c, nd.Shape{-1}, 0, 0.0, 1) }, "negative extent"},
			{func() { Integers(g, c, shape, 0, int8(4), 4) }, "random.Integers at random/generator_test.go: no integers from 4 up to but excluding 4"},
			{func() { Permutation(g, c, -1, 0) }, "random.Permutation at random/generator_test.go: shape (-1,) has a negative extent"},
			{func() { Permutation(g, c, 3, 1) }, "out of range"},
			{func() { PermutationInto(g, nd.Zeros[int64](c, nd.Shape{2, 2}, 0)) }, "a permutation is a vector, not an array of shape (2, 2)"},
		}
		for _, tt := range tests {
			err := nd.Try(tt.f)
			var e *nd.Error
			if !errors.As(err, &e) {
				t.Errorf("error %v, want %q", err, tt.want)
				continue
			}
			if got := e.Func + " at " + e.File + ": " + e.Text; !strings.Contains(got, tt.want) {
				t.Errorf("error %q, want %q", got, tt.want)
			}
		}
		if s := g.State(); s.Draw != 0 {
			t.Errorf("mistakes took %d draws", s.Draw)
		}
	})
}
