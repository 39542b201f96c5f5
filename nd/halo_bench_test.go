package nd_test

import (
	"fmt"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

func BenchmarkMapHaloJacobi(b *testing.B) {
	spmdtest.Run(b, 2, func(c *spmd.Comm) {
		u := nd.Ones[float64](c, nd.Shape{2000, 1000}, 0)
		v := nd.ZerosLike(u)
		h := nd.PlanHalo[float64](c, u.Layout(), nd.Reach{Axis: 0, Front: 1, Back: 1, Ends: nd.EndsFill})
		if c.Rank() == 0 {
			b.SetBytes(2 * 8 * 2e6)
			b.ResetTimer()
		}
		c.Barrier()
		for range b.N {
			nd.MapHaloInto(h, v, u, func(dst, src nd.Block[float64]) {
				for i := range dst.Shape[0] {
					out := dst.Row(i)
					up, here, down := src.Row(i)[:len(out)], src.Row(i + 1)[:len(out)], src.Row(i + 2)[:len(out)]
					for j := 1; j < len(out)-1; j++ {
						out[j] = 0.25 * (up[j] + down[j] + here[j-1] + here[j+1])
					}
				}
			})
			u, v = v, u
		}
	})
}

func BenchmarkConvolve(b *testing.B) {
	for _, m := range []int{3, 101, 2000} {
		b.Run(fmt.Sprint("kernel=", m), func(b *testing.B) {
			spmdtest.Run(b, 2, func(c *spmd.Comm) {
				a := nd.Ones[float64](c, nd.Shape{100000}, 0)
				v := nd.Ones[float64](c, nd.Shape{m}, split.None)
				if c.Rank() == 0 {
					b.ResetTimer()
				}
				c.Barrier()
				for range b.N {
					nd.Convolve(a, v, nd.ConvSame)
				}
				if c.Rank() == 0 {
					b.ReportMetric(2*1e5*float64(m)*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gflop/s")
				}
			})
		})
	}
}
