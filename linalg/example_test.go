package linalg_test

import (
	"fmt"
	"os"

	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

func ExampleMatMul() {
	err := spmd.Run(3, func(c *spmd.Comm) error {
		x := nd.FromSlice(c, []float64{1, 2, 3, 4, 5, 6, 7, 8}, nd.Shape{4, 2}, 0)
		gram := linalg.MatMul(x.T(), x) // each rank's rows, then one reduce-scatter
		if c.Rank() == 0 {
			fmt.Println(gram.Layout(), "after", c.Stats()["reducescatter"].Calls, "reduce-scatter")
		}
		return nd.Fprint(os.Stdout, gram)
	})
	fmt.Println(err)
	// Output:
	// (2, 2) split 0 after 1 reduce-scatter
	// [[ 84. 100.]
	//  [100. 120.]]
	// <nil>
}

func ExampleVDot() {
	err := spmd.Run(2, func(c *spmd.Comm) error {
		x := nd.FromSlice(c, []complex128{1 + 2i, 3 - 1i, 2i, 4}, nd.Shape{4}, 0)
		dot, vdot, norm := linalg.Dot(x, x), linalg.VDot(x, x), linalg.Norm(x)
		if c.Rank() == 0 {
			fmt.Printf("%v %v %.4f\n", dot, vdot, norm)
		}
		return nil
	})
	fmt.Println(err)
	// Output:
	// (17-2i) (35+0i) 5.9161
	// <nil>
}

func ExampleNormOver() {
	err := spmd.Run(2, func(c *spmd.Comm) error {
		x := nd.FromSlice(c, []float64{3, 4, 6, 8, 0, 1}, nd.Shape{3, 2}, 0)
		return nd.Fprint(os.Stdout, linalg.NormOver(x, 1)) // local: the rows are whole
	})
	fmt.Println(err)
	// Output:
	// [ 5. 10.  1.]
	// <nil>
}

func ExampleCG() {
	err := spmd.Run(2, func(c *spmd.Comm) error {
		a := nd.FromSlice(c, []float64{4, 1, 0, 1, 3, 1, 0, 1, 2}, nd.Shape{3, 3}, 0)
		b := nd.FromSlice(c, []float64{6, 10, 8}, nd.Shape{3}, 0)
		x, res, err := linalg.CG(linalg.AsOperator(a), b, linalg.Rtol(1e-12))
		if err != nil {
			return err
		}
		if c.Rank() == 0 {
			fmt.Println(res.Reason, "after", res.Iterations, "iterations")
		}
		return nd.Fprint(os.Stdout, nd.FromFunc(c, x.Shape(), split.None, func(i []int) float64 {
			return float64(int(x.At(i...)*1e9+0.5)) / 1e9
		}))
	})
	fmt.Println(err)
	// Output:
	// converged after 3 iterations
	// [1. 2. 3.]
	// <nil>
}
