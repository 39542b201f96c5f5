package nd_test

import (
	"testing"

	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// BenchmarkLazy compares expressions with the functions, by the bytes that must
// move: each operand once, and the result. See [BenchmarkTriad].
func BenchmarkLazy(b *testing.B) {
	b.Run("float64", benchLazy[float64])
	b.Run("float32", benchLazy[float32])
}

func benchLazy[T nd.Float](b *testing.B) {
	size := 8
	if _, is := any(T(0)).(float32); is {
		size = 4
	}
	for _, n := range benchSizes {
		for _, m := range []struct {
			name  string
			words int
			setup func(x, y, z, s *nd.NDArray[T]) func()
		}{
			{"triad", 3, func(x, y, z, s *nd.NDArray[T]) func() {
				u, v, w := x.Local(), y.Local(), z.Local()
				return func() {
					for i := range w {
						w[i] = u[i] + 3*v[i]
					}
				}
			}},
			{"add-eager", 3, func(x, y, z, s *nd.NDArray[T]) func() { return func() { nd.AddInto(z, x, y) } }},
			{"muladd-eager", 3, func(x, y, z, s *nd.NDArray[T]) func() {
				return func() {
					nd.MulInto(z, x, y)
					nd.AddInto(z, z, x)
				}
			}},
			{"muladd-lazy", 3, func(x, y, z, s *nd.NDArray[T]) func() {
				e := nd.Lazy(x).Mul(y).Add(x)
				return func() { e.Into(z) }
			}},
			{"sumsquares-eager", 2, func(x, y, z, s *nd.NDArray[T]) func() {
				return func() {
					nd.SubInto(z, x, y)
					nd.SquareInto(z, z)
					nd.SumInto(s, z)
				}
			}},
			{"sumsquares-lazy", 2, func(x, y, z, s *nd.NDArray[T]) func() {
				e := nd.Lazy(x).Sub(y).Square()
				return func() { e.SumInto(s) }
			}},
			{"sumsquares-loop", 2, func(x, y, z, s *nd.NDArray[T]) func() {
				u, v := x.Local(), y.Local()
				return func() {
					var s0, s1, s2, s3 float64
					for i := 0; i+3 < len(u); i += 4 {
						d0, d1, d2, d3 := u[i]-v[i], u[i+1]-v[i+1], u[i+2]-v[i+2], u[i+3]-v[i+3]
						s0 += float64(d0 * d0)
						s1 += float64(d1 * d1)
						s2 += float64(d2 * d2)
						s3 += float64(d3 * d3)
					}
					s.Local()[0] = T(s0 + s1 + s2 + s3)
				}
			}},
		} {
			b.Run(m.name, func(b *testing.B) {
				onRanks(b, 1, m.words*size*n, func(c *spmd.Comm) func() {
					x, y := nd.Full(c, nd.Shape{n}, T(1), 0), nd.Full(c, nd.Shape{n}, T(2), 0)
					return m.setup(x, y, nd.Full(c, nd.Shape{n}, T(0), 0), nd.Zeros[T](c, nd.Shape{}, split.None))
				})
			})
		}
	}
}
