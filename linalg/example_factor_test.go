package linalg_test

import (
	"fmt"

	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

func ExampleLU() {
	spmd.Run(2, func(c *spmd.Comm) error {
		a := nd.FromSlice(c, []float64{2, 1, 4, 1}, nd.Shape{2, 2}, 0)
		f := linalg.LU(a)
		x, err := f.Solve(nd.FromSlice(c, []float64{5, 7}, nd.Shape{2}, split.None))
		if c.Rank() == 0 {
			fmt.Println(x.Local(), f.Det(), f.Perm(), err)
		}
		return nil
	})
	// Output: [1 3] -2 [1 0] <nil>
}

func ExampleCholesky() {
	spmd.Run(2, func(c *spmd.Comm) error {
		a := nd.FromSlice(c, []float64{1, 2, 2, 3}, nd.Shape{2, 2}, 1)
		_, err := linalg.Cholesky(a)
		if c.Rank() == 1 {
			fmt.Println(err)
		}
		return nil
	})
	// Output: the matrix is not positive definite: its leading minor of order 2 is not positive
}
