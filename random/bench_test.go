package random

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"caloric/nd"
	"caloric/spmd"
)

// The benchmarks report nanoseconds an element, on one rank and warm memory.

func benchmark(b *testing.B, n int, f func(b *testing.B, c *spmd.Comm)) {
	b.Helper()
	b.ReportAllocs()
	if err := spmd.Run(1, func(c *spmd.Comm) error { f(b, c); return nil }); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/element")
}

func BenchmarkFill(b *testing.B) {
	const n = 1 << 15
	b.Run("Uniform/float64", func(b *testing.B) {
		benchmark(b, n, func(b *testing.B, c *spmd.Comm) {
			g, dst := New(1), nd.Zeros[float64](c, nd.Shape{n}, 0)
			for b.Loop() {
				UniformInto(g, dst, -1, 1)
			}
		})
	})
	b.Run("Uniform/float32", func(b *testing.B) {
		benchmark(b, n, func(b *testing.B, c *spmd.Comm) {
			g, dst := New(1), nd.Zeros[float32](c, nd.Shape{n}, 0)
			for b.Loop() {
				UniformInto(g, dst, -1, 1)
			}
		})
	})
	b.Run("Normal/float64", func(b *testing.B) {
		benchmark(b, n, func(b *testing.B, c *spmd.Comm) {
			g, dst := New(1), nd.Zeros[float64](c, nd.Shape{n}, 0)
			for b.Loop() {
				NormalInto(g, dst, 0, 1)
			}
		})
	})
	b.Run("Integers/int64", func(b *testing.B) {
		benchmark(b, n, func(b *testing.B, c *spmd.Comm) {
			g, dst := New(1), nd.Zeros[int64](c, nd.Shape{n}, 0)
			for b.Loop() {
				IntegersInto(g, dst, 0, 1000)
			}
		})
	})
	b.Run("Bits/uint64", func(b *testing.B) {
		benchmark(b, n, func(b *testing.B, c *spmd.Comm) {
			g, dst := New(1), nd.Zeros[uint64](c, nd.Shape{n}, 0)
			for b.Loop() {
				BitsInto(g, dst)
			}
		})
	})
}

// BenchmarkStd is the generator of math/rand/v2 doing the same.
func BenchmarkStd(b *testing.B) {
	const n = 1 << 15
	dst := make([]float64, n)
	r := rand.New(rand.NewPCG(1, 2))
	loop := func(b *testing.B, f func() float64) {
		for b.Loop() {
			for i := range dst {
				dst[i] = f()
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/element")
	}
	b.Run("PCG/Float64", func(b *testing.B) { loop(b, r.Float64) })
	b.Run("PCG/NormFloat64", func(b *testing.B) { loop(b, r.NormFloat64) })
	b.Run("PCG/Int64N", func(b *testing.B) { loop(b, func() float64 { return float64(r.Int64N(1000)) }) })
	s := rand.New(New(1).Source())
	b.Run("Source/Float64", func(b *testing.B) { loop(b, s.Float64) })
}

func BenchmarkPermutation(b *testing.B) {
	for _, n := range []int{1e3, 1e5, 1e7} {
		b.Run(fmt.Sprintf("n=%.0e/ranks=1", float64(n)), func(b *testing.B) {
			benchmark(b, n, func(b *testing.B, c *spmd.Comm) {
				for b.Loop() {
					permutation(stream{}, n, 0, n)
				}
			})
		})
		b.Run(fmt.Sprintf("n=%.0e/ranks=100", float64(n)), func(b *testing.B) {
			benchmark(b, n, func(b *testing.B, c *spmd.Comm) {
				for b.Loop() {
					permutation(stream{}, n, n/100, n/50)
				}
			})
		})
		b.Run(fmt.Sprintf("n=%.0e/PCG", float64(n)), func(b *testing.B) {
			benchmark(b, n, func(b *testing.B, c *spmd.Comm) {
				r := rand.New(rand.NewPCG(1, 2))
				for b.Loop() {
					r.Perm(n)
				}
			})
		})
	}
}
