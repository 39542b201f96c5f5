package nd_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// TestDiagonalsFarOutside: every diagonal that a matrix does not have is empty, on
// whichever side, and no arithmetic on its number overflows.
func TestDiagonalsFarOutside(t *testing.T) {
	all := countTo(12)
	none := make([]int32, 12)
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, l := range testLayouts(c, nd.Shape{4, 3}) {
			a := counting(c, l)
			for _, k := range []int{4, math.MaxInt - 1, math.MaxInt} {
				checkValues(t, nd.Tril(a, k), all)
				checkValues(t, nd.Triu(a, k), none)
				checkValues(t, nd.Tril(a, -k), none)
				checkValues(t, nd.Triu(a, -k), all)
				checkValues(t, nd.Tril(a, -k-1), none)
				checkValues(t, nd.Triu(a, -k-1), all)
				for _, d := range []int{k, -k, -k - 1} {
					if got := nd.Diagonal(a, d).Shape(); !got.Equal(nd.Shape{0}) {
						t.Errorf("diagonal %d has shape %v", d, got)
					}
				}
			}
		}
		for axis := split.None; axis < 2; axis++ {
			for _, k := range []int{2, math.MaxInt - 1, math.MaxInt, -2, -math.MaxInt, math.MinInt} {
				checkValues(t, nd.Eye[int32](c, 2, 2, k, axis), make([]int32, 4))
				ones := []int32{1, 1, 1, 1}
				if k < 0 {
					ones = make([]int32, 4)
				}
				checkValues(t, nd.Tri[int32](c, 2, 2, k, axis), ones)
			}
		}
		if got := nd.TrilIndices(c, 2, math.MaxInt, 2, 0)[1].Gather(); !slices.Equal(got, []int64{0, 1, 0, 1}) {
			t.Errorf("columns %v", got)
		}
		if got := nd.TriuIndices(c, 2, math.MinInt, 2, 0)[0].Gather(); !slices.Equal(got, []int64{0, 0, 1, 1}) {
			t.Errorf("rows %v", got)
		}
		if got := nd.Partition(nd.Zeros[int8](c, nd.Shape{0}, 0), []int{0}, 0); got.Size() != 0 {
			t.Errorf("partition of nothing: %v", got)
		}
	})
}

// TestTooLarge: sizes that no array can have are mistakes with a text, and are
// found before memory is asked for.
func TestTooLarge(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		v := nd.Ones[float64](c, nd.Shape{4}, 0)
		far := nd.FromSlice(c, []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1e15}, nd.Shape{11}, 0)
		for _, tt := range []struct {
			want string
			f    func()
		}{
			{"an axis of 4 repeated 4611686018427387904 times is longer than an array can be", func() { nd.Repeat(v, 1<<62) }},
			{"an axis of 4 repeated 4611686018427387904 times", func() { nd.Tile(v, 1<<62) }},
			{"more than 2^63-1 elements", func() { nd.Tile(v, 1<<40, 1<<40) }},
			{"add up to more than an array can have", func() { nd.RepeatEach(v, []int{math.MaxInt, 1, 1, 1}) }},
			{"are more than memory can have", func() { nd.Zeros[float64](c, nd.Shape{1 << 60}, nd.None) }},
			{"more elements than an array can have", func() { nd.Arange[int64](c, math.MinInt64, math.MaxInt64, 1, 0) }},
			{"more elements than an array can have", func() { nd.Arange[int64](c, math.MaxInt64, math.MinInt64, -1, 0) }},
			{"no matrix has a diagonal", func() { nd.Diag(v, math.MinInt) }},
			{"no matrix has a diagonal", func() { nd.DiagFlat(v, math.MaxInt) }},
			{`the rule "fd" asks for`, func() { nd.Histogram(far, nd.BinsBy("fd")) }},
			{"bins, want from 1 to", func() { nd.Histogram(far, nd.EqualBins(1<<50)) }},
			{"no padding has mode 77", func() { nd.Pad(v, [][2]int{{1, 1}}, nd.PadMode(77)) }},
			{"the communicator is nil", func() { nd.Ones[float64](nil, nd.Shape{2}, 0) }},
		} {
			before := c.Stats()
			err := nd.Try(tt.f)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "extremes_test.go:") {
				t.Errorf("error %v, want %s", err, tt.want)
			}
			if sent := c.Stats().Sub(before); len(sent) > 0 && !strings.Contains(tt.want, "asks for") {
				t.Errorf("%s after\n%v", tt.want, sent)
			}
		}
	})
}

// TestManyRepeats: what repeats a small array often is as the plain index says,
// and takes no more memory than a few results.
func TestManyRepeats(t *testing.T) {
	const n, most = 3, 40000
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, l := range testLayouts(c, nd.Shape{n}) {
			a := counting(c, l)
			eachLocal(nd.Tile(a, most), func(at int, v int32) {
				if v != int32(at%n)+1 {
					t.Errorf("tile: element %d is %d", at, v)
				}
			})
			for _, mode := range []nd.PadMode{nd.PadWrap, nd.PadReflect, nd.PadSymmetric} {
				eachLocal(nd.Pad(a, [][2]int{{most, most / 2}}, mode), func(at int, v int32) {
					j := at - most
					switch mode {
					case nd.PadWrap:
						j = (j%n + n) % n
					case nd.PadReflect:
						j = (j%4 + 4) % 4
						j = min(j, 4-j)
					case nd.PadSymmetric:
						j = (j%6 + 6) % 6
						j = min(j, 5-j)
					}
					if v != int32(j)+1 {
						t.Errorf("mode %d: element %d is %d", mode, at, v)
					}
				})
			}
		}
	})
}

// TestEdgesOfTheNumbers: what a formula makes of subnormal numbers and infinities.
func TestEdgesOfTheNumbers(t *testing.T) {
	inf := math.Inf(1)
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for i, v := range nd.GeomSpace(c, 1e-308, 1e308, 5, 0).Gather() {
			if want := math.Pow(10, -308+154*float64(i)); math.Abs(v/want-1) > 1e-12 {
				t.Errorf("GeomSpace: number %d is %v, want %v", i, v, want)
			}
		}
		for axis := split.None; axis < 1; axis++ {
			if got := nd.Unwrap(nd.FromSlice(c, []float64{inf}, nd.Shape{1}, axis), 4, 0).At(0); got != inf {
				t.Errorf("Unwrap of infinity alone: %v", got)
			}
			got := nd.Unwrap(nd.FromSlice(c, []float64{-inf, 1}, nd.Shape{2}, axis), 4, 0).Gather()
			if got[0] != -inf || got[1] == got[1] {
				t.Errorf("Unwrap of infinity and 1: %v", got)
			}
			a := nd.Arange(c, 0.0, 5, 1, axis)
			checkValues(t, nd.Diff(a, 0, 0, nd.WithPrependScalar(2.5)), []float64{0, 1, 2, 3, 4})
			for want, f := range map[string]func(){
				"weights are for Cov":  func() { nd.Sum(a, nd.AWeights(nd.Ones[float64](c, nd.Shape{5}, axis))) },
				"the mask is nil":      func() { nd.Sum(a, nd.OnlyWhere(nil)) },
				"3 lengths for 1 axes": func() { nd.FFTN[complex128](a, nd.FFTLen(1, 2, 3)) },
				"percentile 101":       func() { nd.Percentile[float64](a, 101) },
				"have to be finite":    func() { nd.IsClose(a, a, nd.ATol(inf)) },
				"nothing to continue with": func() {
					nd.PlanHalo[float64](c, split.Block(nd.Shape{0, 3}, axis, c.Size()), nd.Reach{Axis: 0, Front: 1, Ends: nd.EndsWrap})
				},
			} {
				if err := nd.Try(f); err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%v, want %s", err, want)
				}
			}
		}
	})
}
