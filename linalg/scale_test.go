package linalg_test

import (
	"math"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/linalg"
	"caloric/nd"
	"caloric/spmd"
)

// TestDecompositionsAtTheEndsOfTheRange decomposes matrices whose squares overflow or
// vanish, and one whose elements fall by 1e20 from one to the next.
func TestDecompositionsAtTheEndsOfTheRange(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, scale := range []float64{1e300, 1e160, 1, 1e-165, 1e-200, 1e-300, 1e-303} {
			const m, n = 30, 4
			a := nd.FromFunc(c, nd.Shape{m, n}, 0, func(i []int) float64 { return scale * math.Sin(float64((i[0]*i[0]+1)*(i[1]+1))) })
			for _, x := range []*nd.NDArray[float64]{a, a.Slice(nd.To(n)).Resplit(1)} {
				u, s, vh, err := linalg.SVD(x)
				if err != nil {
					t.Fatalf("scale %g: %v", scale, err)
				}
				back := linalg.MatMul(nd.Mul(u.Resplit(nd.None), nd.DivScalar(s, scale)), vh.Resplit(nd.None))
				if d := nd.Max(nd.Abs(nd.Sub(back, nd.DivScalar(x, scale).Resplit(nd.None)))).Item(); !(d < 1e-13) {
					t.Errorf("scale %g, %v: SVD differs by %g", scale, x.Layout(), d)
				}
			}
			_, s, _, _, err := linalg.HierarchicalSVD(a, 0, 0)
			if err != nil || s.Size() != n {
				t.Errorf("scale %g: HierarchicalSVD keeps %d of %d values, error %v", scale, s.Size(), n, err)
			}
			d, err := linalg.NewIncrementalSVD(a, 0, 0)
			if err != nil || d.Rank() != n {
				t.Errorf("scale %g: IncrementalSVD: error %v", scale, err)
			}
		}
		h := nd.FromFunc(c, nd.Shape{7, 7}, 0, func(i []int) float64 {
			g := func(i, j int) float64 { return math.Sin(float64(i*i+3*j*i+j)) * math.Pow(10, -20*float64(i+j)) }
			return g(i[0], i[1])/2 + g(i[1], i[0])/2
		})
		if _, err := linalg.EigValsH(h); err != nil {
			t.Errorf("graded: %v", err)
		}
	})
}

// Rounding does not count as rank, however often columns are added.
func TestIncrementalSVDKeepsTheRank(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		const m, rank = 40, 3
		x := nd.FromFunc(c, nd.Shape{m, rank}, 0, func(i []int) float64 { return math.Sin(float64(7*i[0] + i[0]*i[0]*i[1] + 1)) })
		block := func(b int) *nd.NDArray[float64] {
			y := nd.FromFunc(c, nd.Shape{rank, 5}, nd.None, func(i []int) float64 { return math.Cos(float64(11*b + (i[0]+1)*(3*i[1]+1))) })
			return linalg.MatMul(x, y)
		}
		d, err := linalg.NewIncrementalSVD(block(0), 0, 0)
		for b := 1; b < 12 && err == nil; b++ {
			err = d.Append(block(b))
		}
		if err != nil || d.Rank() != rank {
			t.Errorf("rank %d, want %d; error %v", d.Rank(), rank, err)
		}
	})
}
