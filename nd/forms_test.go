package nd_test

import (
	"math"
	"slices"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// TestFormsAgree compares the forms of functions that no golden case calls with
// the functions themselves or plain loops, on every layout.
func TestFormsAgree(t *testing.T) {
	shape := nd.Shape{6, 5}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, l := range testLayouts(c, shape) {
			a := nd.FromLayout(c, l, func(i []int) float64 { return float64((i[0]*7+i[1]*3)%11) - 4 })
			gappy := nd.FromLayout(c, l, func(i []int) float64 {
				if (i[0]+i[1])%4 == 0 {
					return math.NaN()
				}
				return float64((i[0]*7 + i[1]*3) % 11)
			})
			for _, over := range [][]nd.Option{nil, {nd.Over(0)}, {nd.Over(1), nd.KeepDims()}} {
				agrees(t, "AllInto", nd.All(a, over...), func(dst *nd.NDArray[bool]) { nd.AllInto(dst, a, over...) })
				agrees(t, "AnyInto", nd.Any(a, over...), func(dst *nd.NDArray[bool]) { nd.AnyInto(dst, a, over...) })
				agrees(t, "MinInto", nd.Min(a, over...), func(dst *nd.NDArray[float64]) { nd.MinInto(dst, a, over...) })
				agrees(t, "VarInto", nd.Var[float64](a, over...), func(dst *nd.NDArray[float64]) { nd.VarInto(dst, a, over...) })
				wantAlike(t, "NanPercentile", nd.NanPercentile[float64](gappy, 30, over...), nd.NanQuantile[float64](gappy, 0.3, over...))
				wantAlike(t, "NanPercentiles", nd.NanPercentiles[float64](gappy, []float64{0, 50, 75}, over...), nd.NanQuantiles[float64](gappy, []float64{0, 0.5, 0.75}, over...))
			}
			for axis := range shape {
				agrees(t, "CumulativeProdInto", nd.CumulativeProd(a, axis, nd.IncludeInitial), func(dst *nd.NDArray[float64]) {
					nd.CumulativeProdInto(dst, a, axis, nd.IncludeInitial)
				})
			}
			xp := nd.FromSlice(c, []float64{-3, 0, 2, 5}, nd.Shape{4}, split.None)
			fp := nd.FromSlice(c, []float64{1, -2, 4, 0.5}, nd.Shape{4}, split.None)
			agrees(t, "InterpInto", nd.Interp(a, xp, fp), func(dst *nd.NDArray[float64]) { nd.InterpInto(dst, a, xp, fp) })

			some := nd.FromSlice(c, []float64{3, -4, 1}, nd.Shape{3}, 0)
			in := nd.In1D(a, some)
			if !in.Shape().Equal(nd.Shape{30}) || !slices.Equal(in.Gather(), nd.IsIn(a, some).Gather()) {
				t.Errorf("In1D of %v: %v", l, in.Gather())
			}
			weightedPairs(t, a)
		}
	})
}

// agrees compares what into writes, to destinations of want's layout and of
// others, with want.
func agrees[T nd.Element](t testing.TB, name string, want *nd.NDArray[T], into func(dst *nd.NDArray[T])) {
	t.Helper()
	c := want.Comm()
	for _, l := range append(testLayouts(c, want.Shape()), want.Layout()) {
		dst := nd.Wrap(c, l, make([]T, l.LocalSize(c.Rank())))
		into(dst)
		if !dst.Layout().Equal(l) {
			t.Errorf("%s made %v of the destination's layout %v", name, dst.Layout(), l)
		}
		wantAlike(t, name, dst, want)
	}
}

// wantAlike compares values, NaN being equal to NaN.
func wantAlike[T nd.Element](t testing.TB, name string, got, want *nd.NDArray[T]) {
	t.Helper()
	g, w := got.Gather(), want.Gather()
	same := func(a, b T) bool { return a == b || a != a && b != b }
	if !got.Shape().Equal(want.Shape()) || !slices.EqualFunc(g, w, same) {
		t.Errorf("%s: %v %v, want %v %v", name, got.Shape(), g, want.Shape(), w)
	}
}

// weightedPairs counts the points (v, v²) of a by hand, each with weight v+5.
func weightedPairs(t testing.TB, a *nd.NDArray[float64]) {
	t.Helper()
	x := nd.Ravel(a)
	y, w := nd.Square(x), nd.AddScalar(x, 5)
	sums, _, _ := nd.Histogram2DWeights(x, y, w, nd.BinEdges(-5, 0, 3, 7), nd.BinEdges(0, 4, 20, 50))
	want := make([]float64, 9)
	bin := func(v float64, edges ...float64) int {
		for i := range 3 {
			if v >= edges[i] && (v < edges[i+1] || i == 2 && v == edges[3]) {
				return i
			}
		}
		return -1
	}
	for _, v := range x.Gather() {
		if i, j := bin(v, -5, 0, 3, 7), bin(v*v, 0, 4, 20, 50); i >= 0 && j >= 0 {
			want[3*i+j] += v + 5
		}
	}
	if got := sums.Gather(); !slices.Equal(got, want) {
		t.Errorf("Histogram2DWeights of %v: %v, want %v", a.Layout(), got, want)
	}
}
