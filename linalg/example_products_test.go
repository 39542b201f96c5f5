package linalg_test

import (
	"fmt"

	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// Stacks of matrices, one stack a rank: the products need no communication.
func ExampleEinsum() {
	err := spmd.Run(2, func(c *spmd.Comm) error {
		a := nd.Reshape(nd.Arange[float64](c, 0, 8, 1, 0), 2, 2, 2)
		b := nd.FromSlice(c, []float64{1, 1, 0, 1}, nd.Shape{2, 2}, split.None)
		p := linalg.Einsum("sij,jk->sik", a, b)
		t := linalg.Einsum("sii->s", p) // the traces
		if values := t.Gather(); c.Rank() == 0 {
			fmt.Println(p.Layout(), values)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: (2, 2, 2) split 0 [5 17]
}

func ExampleTensorDot() {
	err := spmd.Run(2, func(c *spmd.Comm) error {
		a := nd.Ones[float64](c, nd.Shape{2, 3, 4}, 0)
		b := nd.Ones[float64](c, nd.Shape{3, 4, 5}, split.None)
		p := linalg.TensorDot(a, b, 2)
		if v := p.At(1, 4); c.Rank() == 0 {
			fmt.Println(p.Layout(), v)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: (2, 5) split 0 12
}
