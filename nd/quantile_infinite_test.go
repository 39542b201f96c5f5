package nd_test

import (
	"math"
	"slices"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/spmd"
)

// TestQuantileBetweenInfinities checks what no difference of two elements tells.
// Where NumPy 2.4.6 has another value than the test, it has NaN.
func TestQuantileBetweenInfinities(t *testing.T) {
	inf := math.Inf(1)
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, k := range []struct {
			x      []float64
			q      float64
			method string
			want   float64
		}{
			{[]float64{inf, inf}, 0.5, "linear", inf},
			{[]float64{inf, inf}, 0, "linear", inf},
			{[]float64{-inf, -inf, 1}, 0.25, "linear", -inf},
			{[]float64{-inf, -inf, 1}, 0.25, "hazen", -inf},
			{[]float64{1, inf, inf}, 0, "linear", 1},
			{[]float64{1, 2, inf}, 0.5, "linear", 2},
			{[]float64{1, 2, inf}, 0.6, "linear", inf},
			{[]float64{1, 2, inf}, 0.75, "linear", inf},
			{[]float64{1, 2, inf}, 0.75, "midpoint", inf},
			{[]float64{1, 2, inf}, 0.75, "lower", 2},
			{[]float64{-inf, 1}, 0.25, "linear", -inf},
			{[]float64{-inf, 1}, 0.75, "linear", -inf},
			{[]float64{-inf, 1}, 0.75, "median_unbiased", 1},
			{[]float64{-inf, 1}, 0.5, "averaged_inverted_cdf", -inf},
			{[]float64{-inf, inf}, 0.25, "linear", math.NaN()},
			{[]float64{-inf, inf}, 0.75, "linear", math.NaN()},
			{[]float64{-inf, inf}, 0.75, "nearest", inf},
			{[]float64{-1e308, 1e308}, 0.5, "linear", 0}, // their difference overflows
			{[]float64{-1.5e308, 1.5e308}, 0.75, "linear", 0.75e308},
		} {
			for _, axis := range []nd.Axis{0, nd.Axis(-1)} {
				a := nd.FromSlice(c, slices.Clone(k.x), nd.Shape{len(k.x)}, axis)
				got := nd.Quantile[float64](a, k.q, nd.Method(k.method)).Item()
				if got != k.want && !(math.IsNaN(got) && math.IsNaN(k.want)) {
					t.Errorf("quantile %v of %v, %s, split %v: got %v, want %v", k.q, k.x, k.method, axis, got, k.want)
				}
				m, half := nd.Median[float64](a).Item(), nd.Quantile[float64](a, 0.5).Item()
				if m != half && !(math.IsNaN(m) && math.IsNaN(half)) {
					t.Errorf("the median of %v is %v, the quantile 0.5 %v", k.x, m, half)
				}
			}
		}
	})
}
