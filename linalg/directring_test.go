package linalg

import (
	"fmt"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// TestDirectRings: rings of ranks that share memory send messages as others do if they
// must, of the same number and bytes, with the same result but for rounding.
func TestDirectRings(t *testing.T) {
	spmdtest.Embedded(t)
	defer noDirect.Store(false)
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		const m, k, n = 7, 9, 8
		value := func(i []int) float64 { return 1 / float64(1+i[0]+3*i[1]) }
		for _, alg := range []Algorithm{RingLeft, RingRight, RingSums} {
			for i := split.None; i <= 1; i++ {
				for j := split.None; j <= 1; j++ {
					a, b := nd.FromFunc(c, nd.Shape{m, k}, i, value), nd.FromFunc(c, nd.Shape{k, n}, j, value)
					if i == 1 { // lies as its transpose
						a = nd.FromFunc(c, nd.Shape{k, m}, 0, func(i []int) float64 { return value([]int{i[1], i[0]}) }).T()
					}
					if nd.Try(func() { PlanMatMul[float64](a.Layout(), b.Layout(), UseAlgorithm(alg)) }) != nil {
						continue
					}
					var results [2][]float64
					var counts [2]spmd.Count
					for r := range results {
						c.Barrier()
						noDirect.Store(r == 1)
						c.Barrier()
						before := c.Stats()
						results[r] = MatMul(a, b, UseAlgorithm(alg)).Local()
						counts[r] = c.Stats().Sub(before).Total()
					}
					what := fmt.Sprintf("%v · %v by %v", a.Layout(), b.Layout(), alg)
					if counts[0].Messages != counts[1].Messages || counts[0].Bytes != counts[1].Bytes {
						t.Errorf("%s: %+v directly, %+v by messages", what, counts[0], counts[1])
					}
					for at, v := range results[0] {
						if d := v - results[1][at]; d > 1e-14 || d < -1e-14 {
							t.Errorf("%s: %v directly, %v by messages", what, v, results[1][at])
						}
					}
				}
			}
		}
	})
}
