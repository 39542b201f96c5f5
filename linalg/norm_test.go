package linalg_test

import (
	"fmt"
	"maps"
	"math"
	"math/cmplx"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

var orders = []float64{2, 1, 0, math.Inf(1), math.Inf(-1), 1.5, 3, 0.5, -1, -2.5}

// norm is the norm of a few numbers by its definition.
func norm(p float64, x []float64) float64 {
	sum, low, high := 0.0, math.Inf(1), 0.0
	for _, v := range x {
		v = math.Abs(v)
		low, high = min(low, v), max(high, v)
		if p != 0 {
			sum += math.Pow(v, p)
		} else if v != 0 {
			sum++
		}
	}
	switch {
	case p == 0:
		return sum
	case math.IsInf(p, 1):
		return high
	case math.IsInf(p, -1):
		return low
	}
	return math.Pow(sum, 1/p)
}

func near(got, want, tolerance float64) bool {
	return got == want || math.Abs(got-want) <= tolerance*math.Abs(want) || got != got && want != want
}

func magnitude[T nd.Number](v T) float64 {
	switch v := any(v).(type) {
	case int8:
		return math.Abs(float64(v))
	case int64:
		return math.Abs(float64(v))
	case uint16:
		return float64(v)
	case float32:
		return math.Abs(float64(v))
	case float64:
		return math.Abs(v)
	case complex64:
		return cmplx.Abs(complex128(v))
	case complex128:
		return cmplx.Abs(v)
	}
	panic("type")
}

func TestNorm(t *testing.T) {
	t.Run("float64", testNorm[float64])
	t.Run("float32", testNorm[float32])
	t.Run("complex128", testNorm[complex128])
	t.Run("complex64", testNorm[complex64])
	t.Run("int8", testNorm[int8])
	t.Run("uint16", testNorm[uint16])
}

func testNorm[T nd.Number](t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, shape := range []nd.Shape{{}, {0}, {1}, {7}, {6, 5}, {3, 0}, {300, 2}, {1, 300}, {2, 19, 2}} {
			for n, l := range testLayouts(c, shape) {
				a := array[T](c, l, 1, n%2 == 1)
				for m, p := range orders {
					if m > 1 && m%3 != n%3 { // every layout meets some of the rarer orders
						continue
					}
					checkNorm(t, a, p)
					for axis := range shape {
						checkNormOver(t, a, axis-len(shape)*(n%2), p, n%3 == 0)
					}
				}
			}
		}
	})
}

func checkNorm[T nd.Number](t testing.TB, a *nd.NDArray[T], p float64) {
	if a.Size() == 0 && math.IsInf(p, -1) {
		if err := nd.Try(func() { linalg.Norm(a, linalg.Ord(p)) }); err == nil {
			t.Errorf("no error for the smallest magnitude of %v", a.Layout())
		}
		return
	}
	all := []float64{}
	nd.FromLayout(a.Comm(), split.Block(a.Shape(), split.None, a.Comm().Size()), func(i []int) T {
		all = append(all, magnitude(at[T](1, i)))
		return 0
	})
	want := map[string]int64{}
	if !a.Layout().Replicated() {
		want["allreduce"] = 1
	}
	var got float64
	if n := calls(a.Comm(), func() { got = linalg.Norm(a, linalg.Ord(p)) }); !maps.Equal(n, want) {
		t.Errorf("norm of %v communicates %v, want %v", a.Layout(), n, want)
	}
	if w := norm(p, all); !near(got, w, 1e-13) {
		t.Errorf("%v-norm of %v is %v, want %v", p, a.Layout(), got, w)
	}
}

func checkNormOver[T nd.Number](t testing.TB, a *nd.NDArray[T], axis int, p float64, keep bool) {
	opts := []linalg.NormOption{linalg.Ord(p)}
	if keep {
		opts = append(opts, linalg.KeepDims())
	}
	k := axis
	if k < 0 {
		k += a.NDim()
	}
	shape := a.Shape()
	l, across := split.Reduce(a.Layout(), []int{k}, keep)
	if shape[k] == 0 && math.IsInf(p, -1) {
		if err := nd.Try(func() { linalg.NormOver(a, axis, opts...) }); (err == nil) != (l.Shape().Size() == 0) {
			t.Errorf("smallest magnitude of %v along axis %d: error %v", a.Layout(), k, err)
		}
		return
	}
	want := map[string]int64{}
	if across {
		want["allreduce"] = 1
	}
	var got *nd.NDArray[float64]
	if n := calls(a.Comm(), func() { got = linalg.NormOver(a, axis, opts...) }); !maps.Equal(n, want) {
		t.Errorf("norm of %v along axis %d communicates %v, want %v", a.Layout(), k, n, want)
	}
	if !got.Layout().Equal(l) {
		t.Errorf("norm of %v along axis %d has layout %v, want %v", a.Layout(), k, got.Layout(), l)
	}
	box := l.Local(a.Comm().Rank())
	i := 0
	local := got.Local()
	eachIndex(box.Shape(), func(index []int) {
		full := make([]int, 0, len(shape))
		for j, d := range index {
			full = append(full, d+box.Lo[j])
		}
		if keep {
			full = append(full[:k], full[k+1:]...)
		}
		full = append(full[:k], append([]int{0}, full[k:]...)...)
		line := make([]float64, shape[k])
		for j := range line {
			full[k] = j
			line[j] = magnitude(at[T](1, full))
		}
		if w := norm(p, line); !near(local[i], w, 1e-13) {
			t.Errorf("%v-norm of %v along axis %d at %v is %v, want %v", p, a.Layout(), k, full, local[i], w)
		}
		i++
	})
}

// eachIndex calls f with every index of shape in C order.
func eachIndex(shape []int, f func(index []int)) {
	index := make([]int, len(shape))
	for range split.Shape(shape).Size() {
		f(index)
		for k := len(index) - 1; k >= 0; k-- {
			index[k]++
			if index[k] < shape[k] {
				break
			}
			index[k] = 0
		}
	}
}

// TestNormWorked: reports on other libraries, and the ends of the range of float64.
func TestNormWorked(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	tests := []struct {
		x       []float64
		p, want float64
	}{
		{[]float64{-1, 2, -3, 4}, 1.5, 6.617860323274746}, // R3
		{[]float64{1, -7, 3}, inf, 7},                     // ogs #1786
		{[]float64{3e200, 0, 4e200}, 2, 5e200},
		{[]float64{3e-200, 4e-200}, 2, 5e-200},
		{[]float64{3e-320, 4e-320}, 2, 5e-320},
		{[]float64{1e308, 1e308}, 2, 1e308 * math.Sqrt2},
		{[]float64{3e200, 1, 1e-200, 4e200}, 2, 5e200},
		{[]float64{1e-200, 3, 4}, 2, 5},
		{[]float64{0x1p-512, 0x1p-511}, 2, 0x1p-512 * math.Sqrt(5)},
		{[]float64{math.MaxFloat64, math.MaxFloat64}, 2, inf},
		{[]float64{0, 2, -4}, -2, 0},
		{[]float64{0, 0}, 2, 0},
		{[]float64{1, inf, -inf}, 2, inf},
		{[]float64{1, nan, 2}, 2, nan},
		{[]float64{inf, nan, 1e-300}, 2, nan},
		{[]float64{1e-300, nan}, 2, nan},
		{[]float64{1e300, nan}, 2, nan},
		{[]float64{1, nan, 2}, 1, nan},
		{[]float64{1, nan, 2}, inf, nan},
		{[]float64{1, nan, 2}, -inf, nan},
		{[]float64{1, nan, 0}, 0, 2},
	}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, tt := range tests {
			for _, axis := range []split.Axis{split.None, 0} {
				a := vector(c, axis, tt.x...)
				if got := linalg.Norm(a, linalg.Ord(tt.p)); !near(got, tt.want, 1e-15) && !near(got, tt.want, 4e-5*boolFloat(tt.want < 1e-310)) {
					t.Errorf("split %v: %v-norm of %v is %v, want %v", axis, tt.p, tt.x, got, tt.want)
				}
				if got := linalg.NormOver(a, 0, linalg.Ord(tt.p)).Item(); !near(got, tt.want, 1e-15) && !near(got, tt.want, 4e-5*boolFloat(tt.want < 1e-310)) {
					t.Errorf("split %v: %v-norm of %v along the axis is %v, want %v", axis, tt.p, tt.x, got, tt.want)
				}
			}
		}
		// R1: pylops-mpi #177.
		x := nd.FromSlice(c, []float64{0, 1, 2, 3, 4, 5}, nd.Shape{2, 3}, 1)
		got := linalg.NormOver(x, -1).Gather()
		if fmt.Sprintf("%.7f", got) != "[2.2360680 7.0710678]" {
			t.Errorf("row norms %v", got)
		}
	})
}

func boolFloat(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// TestNormPrecision: sums are pairwise, on one worker or several.
func TestNormPrecision(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.Full(c, nd.Shape{300000}, 0.1, 0)
		if got, want := linalg.Norm(a), 0.1*math.Sqrt(300000); !near(got, want, 1e-15) {
			t.Errorf("2-norm %.17g, want %.17g", got, want)
		}
		if got := linalg.Norm(a, linalg.Ord(1)); !near(got, 30000, 4e-15) {
			t.Errorf("1-norm %.17g, want 30000", got)
		}
		b := nd.Full(c, nd.Shape{100000, 3}, 0.1, 1)
		for _, got := range linalg.NormOver(b, 0, linalg.Ord(1)).Gather() {
			if !near(got, 10000, 4e-15) {
				t.Errorf("1-norm of a column %.17g, want 10000", got)
			}
		}
	})
}
