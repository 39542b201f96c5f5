package nd_test

import (
	"testing"

	"caloric/nd"
	"caloric/spmd"
)

// BenchmarkShape times what rearranges arrays of 16 MB on 2 embedded ranks.
func BenchmarkShape(b *testing.B) {
	const n = 2000
	for _, row := range []struct {
		name string
		axis nd.Axis
		do   func(a *nd.NDArray[float64])
	}{
		{"copy", 0, func(a *nd.NDArray[float64]) { nd.Copy(a) }},
		{"resplit", 0, func(a *nd.NDArray[float64]) { a.Resplit(1) }},
		{"reshape rows", 0, func(a *nd.NDArray[float64]) { a.Reshape(1, n*n/2) }},
		{"reshape columns", 1, func(a *nd.NDArray[float64]) { a.Reshape(n/4, 2*n) }},
		{"roll rows", 0, func(a *nd.NDArray[float64]) { nd.Roll(a, 5, 0) }},
		{"roll columns", 1, func(a *nd.NDArray[float64]) { nd.Roll(a, 5, 1) }},
		{"roll flat", 0, func(a *nd.NDArray[float64]) { nd.Roll(a, 5) }},
		{"flip rows", 0, func(a *nd.NDArray[float64]) { nd.Flip(a, 0) }},
		{"concatenate rows", 0, func(a *nd.NDArray[float64]) { nd.Concatenate(0, a, a) }},
		{"concatenate columns", 0, func(a *nd.NDArray[float64]) { nd.Concatenate(1, a, a) }},
		{"stack last", 0, func(a *nd.NDArray[float64]) { nd.Stack(2, a, a) }},
		{"pad", 0, func(a *nd.NDArray[float64]) { nd.Pad(a, [][2]int{{2, 2}}, nd.PadReflect) }},
		{"tile rows", 0, func(a *nd.NDArray[float64]) { nd.Tile(a, 2, 1) }},
		{"repeat columns", 0, func(a *nd.NDArray[float64]) { nd.Repeat(a, 2, 1) }},
		{"triu", 0, func(a *nd.NDArray[float64]) { nd.Triu(a, 0) }},
		{"delete", 0, func(a *nd.NDArray[float64]) { nd.Delete(a, []int{7, 99}, 0) }},
		{"windows", 0, func(a *nd.NDArray[float64]) { nd.Unfold(a, 0, 5, 1) }},
	} {
		b.Run(row.name, func(b *testing.B) {
			err := spmd.Run(2, func(c *spmd.Comm) error {
				a := nd.Ones[float64](c, nd.Shape{n, n / 2}, row.axis)
				c.Barrier()
				if c.Rank() == 0 {
					b.SetBytes(8 * n * n / 2)
					b.ResetTimer()
				}
				for range b.N {
					row.do(a)
				}
				c.Barrier()
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
		})
	}
}
