package main

import (
	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// scaledOps are the operations that are scaled, with sizes that 256 ranks of one
// process can hold.
func scaledOps(tiny bool) []scaledOp {
	list := []scaledOp{
		{"sum", 1_000_000, 1, func(c *spmd.Comm, n int) func() {
			x, s := vector[float64](c, 1, n), nd.Zeros[float64](c, nd.Shape{}, split.None)
			return func() { nd.SumInto(s, x) }
		}},
		{"matmul", 256, 3, func(c *spmd.Comm, n int) func() {
			a, b := uniform[float64](c, 1, 0, n, n), uniform[float64](c, 2, 0, n, n)
			return func() { linalg.MatMul(a, b) }
		}},
		{"cg/20", 512, 2, func(c *spmd.Comm, n int) func() {
			a, b := linalg.AsOperator(definite[float64](c, n, 0)), nd.Ones[float64](c, nd.Shape{n}, 0)
			return func() { linalg.CG(a, b, linalg.Rtol(0), linalg.MaxIter(20)) }
		}},
		{"resplit", 1024, 2, func(c *spmd.Comm, n int) func() {
			a := uniform[float64](c, 1, 0, n, n)
			return func() { a.Resplit(1) }
		}},
		{"stencil", 1024, 2, stencil},
		{"sort", 100_000, 1, func(c *spmd.Comm, n int) func() {
			x := vector[float64](c, 1, n)
			return func() { nd.Sort(x, 0) }
		}},
	}
	if tiny {
		for i, n := range []int{1000, 12, 12, 12, 12, 500} {
			list[i].size = n
		}
	}
	return list
}

// stencil is one Jacobi step of the heat equation on a square.
func stencil(c *spmd.Comm, n int) func() {
	u := uniform[float64](c, 1, 0, n, n)
	v := nd.ZerosLike(u)
	h := nd.PlanHalo[float64](c, u.Layout(), nd.Reach{Axis: 0, Front: 1, Back: 1, Ends: nd.EndsFill})
	return func() {
		nd.MapHaloInto(h, v, u, func(dst, src nd.Block[float64]) {
			for i := range dst.Shape[0] {
				out := dst.Row(i)
				up, here, down := src.Row(i)[:len(out)], src.Row(i + 1)[:len(out)], src.Row(i + 2)[:len(out)]
				for j := 1; j < len(out)-1; j++ {
					out[j] = 0.25 * (up[j] + down[j] + here[j-1] + here[j+1])
				}
			}
		})
	}
}
