package nd_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// TestCumSumOfRuns compares prefix sums of long lanes, which are taken by runs, with
// a loop that carries rounding errors along, and with those on several workers, which
// have the same bits.
func TestCumSumOfRuns(t *testing.T) {
	spmdtest.Embedded(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	testCumSumOfRuns[float32](t)
	testCumSumOfRuns[float64](t)
}

func testCumSumOfRuns[T float32 | float64](t *testing.T) {
	inf, large, unit := T(math.Inf(1)), T(math.MaxFloat32), 0x1p-24
	if any(large) == any(float64(large)) {
		large, unit = T(math.Ldexp(1, 1023)), 0x1p-53
	}
	for _, n := range []int{1, 63, 64, 90, 1000, 4608, 4700, 9216, 70000, 150001} {
		for name, special := range map[string][]T{"none": nil, "inf": {inf}, "-inf": {inf, -inf}, "nan": {inf - inf},
			"large": {-large, large, large, -large}} {
			r := rand.New(rand.NewPCG(uint64(n), 2))
			x := make([]T, n)
			for i := range x {
				x[i] = T(r.NormFloat64() * math.Exp(4*r.NormFloat64()))
			}
			for i, v := range special {
				if at := n/2 + 5*i; at < n {
					x[at] = v
				}
			}
			want := make([]float64, n)
			scale := make([]float64, n) // what an error may be relative to
			acc, low, most := 0.0, 0.0, 0.0
			for i, v := range x {
				sum := acc + float64(v)
				b := sum - acc
				if err := (acc - (sum - b)) + (float64(v) - b); err-err == 0 {
					low += err
				}
				acc = sum
				want[i] = acc + low
				if v-v == 0 {
					most = max(most, math.Abs(float64(v)))
				}
				scale[i] = most
			}
			var first []T
			for _, workers := range []int{1, 2, 5} {
				runtime.GOMAXPROCS(workers)
				spmdtest.Run(t, 1, func(c *spmd.Comm) {
					a := nd.FromSlice(c, slices.Clone(x), nd.Shape{n}, split.None)
					got := nd.CumSum(a, 0).Gather()
					nd.CumSumInto(a, a, 0)
					for i, v := range a.Gather() {
						if v != got[i] && v == v {
							t.Fatalf("%T, n=%d, %s: in place %v, else %v", v, n, name, v, got[i])
						}
					}
					if first == nil {
						first = got
					}
					for i, w := range want {
						g := float64(got[i])
						if got[i] != first[i] && got[i] == got[i] {
							t.Fatalf("%T, n=%d, %s, %d workers: sum %d is %v, with one %v", x[0], n, name, workers, i, got[i], first[i])
						}
						if r := float64(T(w)); g == r || g != g && r != r {
							continue
						}
						if !(math.Abs(g-w) <= 2*unit*(math.Abs(w)+0x1p-40*scale[i])) {
							t.Fatalf("%T, n=%d, %s: sum %d is %v, want %v", x[0], n, name, i, g, w)
						}
					}
				})
			}
		}
	}
}
