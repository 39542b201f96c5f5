package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

func twoSum(s, x float64) (sum, err float64) {
	sum = s + x
	b := sum - s
	return sum, (s - (sum - b)) + (x - b)
}

// plainRunSums and plainRunPrefixes are what the vector instructions do.
func plainRunSums[T Float](x []T, n int, s *[2 * Runs]float64) {
	for k := range Runs {
		var acc, low [4]float64
		for i, v := range x[k*n : (k+1)*n] {
			var err float64
			acc[i%4], err = twoSum(acc[i%4], float64(v))
			low[i%4] += err
		}
		for j := 1; j < 4; j++ {
			var err float64
			acc[0], err = twoSum(acc[0], acc[j])
			low[0] = (low[0] + err) + low[j]
		}
		s[k], s[Runs+k] = acc[0], low[0]
	}
}

func plainRunPrefixes[T Float](dst, x []T, n int, s *[2 * Runs]float64, before float64) {
	for k := range Runs {
		acc, low := s[k], s[Runs+k]
		for i := k * n; i < (k+1)*n; i++ {
			var err float64
			if acc, err = twoSum(acc, float64(x[i])); err != err {
				err = 0
			}
			low += err
			dst[i] = T((acc + low) + before)
		}
	}
}

func TestPrefixes(t *testing.T) {
	testPrefixes[float32](t)
	testPrefixes[float64](t)
}

func testPrefixes[T Float](t *testing.T) {
	if PrefixRun[T](1000) == 0 {
		t.Skip("no vector instructions")
	}
	r := rand.New(rand.NewPCG(3, 4))
	same := func(a, b float64) bool { return a == b || a != a && b != b }
	for _, n := range []int{4, 8, 20, 252, 1000} {
		for _, special := range []T{0, T(math.Inf(1)), T(math.NaN()), 1e30} {
			x := make([]T, Runs*n+3)[3:]
			for i := range x {
				x[i] = T(r.NormFloat64() * math.Exp(3*r.NormFloat64()))
			}
			x[2*n+n/2] = special
			if special != special {
				x[5] = T(math.Inf(-1))
				x[6] = T(math.Inf(1))
			}
			var got, want [2 * Runs]float64
			RunSums(x, n, &got)
			plainRunSums(x, n, &want)
			for k := range want {
				if !same(got[k], want[k]) {
					t.Fatalf("%T, runs of %d, special %v: sums %v, want %v", special, n, special, got, want)
				}
			}
			start := [2 * Runs]float64{0, 1e10, -3, math.Inf(1), 0, 1e-9, 1e-20, 0}
			dst, plain := make([]T, len(x)), make([]T, len(x))
			plainRunPrefixes(plain, x, n, &start, 0.7)
			RunPrefixes(dst, x, n, &start, 0.7)
			RunPrefixes(x, x, n, &start, 0.7)
			for i, w := range plain {
				if !same(float64(dst[i]), float64(w)) || !same(float64(x[i]), float64(w)) {
					t.Fatalf("%T, runs of %d, special %v: element %d is %v, in place %v, want %v", special, n, special, i, dst[i], x[i], w)
				}
			}
		}
	}
}

func benchmarkPrefixes[T Float](b *testing.B) {
	x, dst := make([]T, 4608), make([]T, 4608)
	for i := range x {
		x[i] = T(i % 17)
	}
	var s [2 * Runs]float64
	b.Run("sums", func(b *testing.B) {
		for b.Loop() {
			RunSums(x, len(x)/Runs, &s)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(x)), "ns/element")
	})
	b.Run("prefixes", func(b *testing.B) {
		for b.Loop() {
			RunPrefixes(dst, x, len(x)/Runs, &s, 0)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(x)), "ns/element")
	})
}

func BenchmarkPrefixes32(b *testing.B) { benchmarkPrefixes[float32](b) }
func BenchmarkPrefixes64(b *testing.B) { benchmarkPrefixes[float64](b) }
