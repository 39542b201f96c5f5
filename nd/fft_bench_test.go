package nd_test

import (
	"fmt"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/spmd"
)

// BenchmarkFFT is of contiguous lines, of strided ones, of a convolution, and of all axes.
func BenchmarkFFT(b *testing.B) {
	for _, k := range []struct {
		shape nd.Shape
		axes  []int
		split nd.Axis
	}{
		{nd.Shape{1024, 1024}, []int{1}, 0}, {nd.Shape{1024, 1024}, []int{0}, 1}, {nd.Shape{1021, 1021}, []int{1}, 0},
		{nd.Shape{1024, 1024}, []int{0, 1}, 0}, {nd.Shape{1 << 20}, []int{0}, 0},
	} {
		for _, ranks := range []int{1, 2} {
			b.Run(fmt.Sprintf("shape=%v/axes=%v/split=%v/ranks=%d", k.shape, k.axes, k.split, ranks), func(b *testing.B) {
				b.SetBytes(int64(16 * k.shape.Size()))
				spmdtest.Run(b, ranks, func(c *spmd.Comm) {
					a := nd.Ones[complex128](c, k.shape, k.split)
					dst := nd.ZerosLike(a)
					for range b.N {
						nd.FFTNInto(dst, a, nd.FFTAxes(k.axes...))
					}
				})
			})
		}
	}
}
