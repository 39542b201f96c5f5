package linalg_test

import (
	"fmt"

	"caloric/linalg"
	"caloric/nd"
	"caloric/spmd"
)

func ExampleLstSq() {
	err := spmd.Run(3, func(c *spmd.Comm) error {
		// The line through (0, 1), (1, 3), (2, 5), … (8, 17).
		a := nd.FromFunc(c, nd.Shape{9, 2}, 0, func(i []int) float64 { return []float64{1, float64(i[0])}[i[1]] })
		b := nd.FromFunc(c, nd.Shape{9}, 0, func(i []int) float64 { return 1 + 2*float64(i[0]) })
		x, res, err := linalg.LstSq(a, b)
		if err != nil {
			return err
		}
		if c.Rank() == 0 {
			fmt.Printf("%.4f rank %d\n", x.Local(), res.Rank)
		}
		return nil
	})
	fmt.Println(err)
	// Output:
	// [1.0000 2.0000] rank 2
	// <nil>
}
