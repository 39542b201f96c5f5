package linalg

import (
	"fmt"
	"testing"

	"caloric/nd"
	"caloric/split"
)

// BenchmarkChoose is what a product costs before anything is multiplied: one that the
// splits decide, and one for which every route is compared.
func BenchmarkChoose(b *testing.B) {
	for _, ranks := range []int{2, 16, 256} {
		for _, n := range []int{16, 4096} {
			b.Run(fmt.Sprintf("ranks=%d/n=%d", ranks, n), func(b *testing.B) {
				l := split.Block(nd.Shape{n, n}, 0, ranks)
				for b.Loop() {
					choose[float64](l, l, l, l, &matMulOptions{}, func(float64) Model { return DefaultModel })
				}
			})
		}
	}
}
