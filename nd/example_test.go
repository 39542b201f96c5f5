package nd_test

import (
	"fmt"
	"os"

	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// onTwo runs an example on two embedded ranks.
func onTwo(f func(c *spmd.Comm) error) {
	if err := spmd.Run(2, f); err != nil {
		fmt.Println(err)
	}
}

func Example() {
	onTwo(func(c *spmd.Comm) error {
		a := nd.FromFunc(c, nd.Shape{4, 3}, 0, func(i []int) float64 { return float64(10*i[0] + i[1]) })
		centered := nd.Sub(a, nd.Mean[float64](a, nd.Over(0))) // one allreduce
		return nd.Fprint(os.Stdout, centered)
	})
	// Output:
	// [[-15. -15. -15.]
	//  [ -5.  -5.  -5.]
	//  [  5.   5.   5.]
	//  [ 15.  15.  15.]]
}

func ExampleNDArray_Slice() {
	onTwo(func(c *spmd.Comm) error {
		a := nd.Arange[int64](c, 0, 12, 1, 0)
		b := a.Slice(nd.Range(1, 12, 3)) // a view: data stays where it is
		nd.CopyInto(b, nd.Full(c, nd.Shape{}, int64(-1), split.None))
		return nd.Fprint(os.Stdout, a)
	})
	// Output:
	// [ 0 -1  2  3 -1  5  6 -1  8  9 -1 11]
}

func ExampleNDArray_Resplit() {
	onTwo(func(c *spmd.Comm) error {
		rows := nd.Ones[float32](c, nd.Shape{4, 6}, 0)
		columns := rows.Resplit(1) // one alltoallv
		if c.Rank() == 0 {
			fmt.Println(rows.Layout(), "holds", rows.LocalShape())
			fmt.Println(columns.Layout(), "holds", columns.LocalShape())
		}
		return nil
	})
	// Output:
	// (4, 6) split 0 holds (2, 6)
	// (4, 6) split 1 holds (4, 3)
}

func ExampleSum() {
	onTwo(func(c *spmd.Comm) error {
		a := nd.FromSlice(c, []int64{1, 2, 3, 4, 5, 6}, nd.Shape{2, 3}, 0)
		before := c.Stats()
		nd.Fprint(os.Stdout, nd.Sum(a, nd.Over(0))) // across the split axis
		nd.Fprint(os.Stdout, nd.Sum(a, nd.Over(1), nd.KeepDims()))
		if c.Rank() == 0 {
			fmt.Println(c.Stats().Sub(before)["allreduce"].Calls, "allreduce")
		}
		return nil
	})
	// Output:
	// [5 7 9]
	// [[ 6]
	//  [15]]
	// 1 allreduce
}

func ExampleAdd() {
	onTwo(func(c *spmd.Comm) error {
		column := nd.FromSlice(c, []float64{0, 10, 20}, nd.Shape{3, 1}, 0)
		row := nd.FromSlice(c, []float64{1, 2}, nd.Shape{2}, split.None)
		return nd.Fprint(os.Stdout, nd.Add(column, row))
	})
	// Output:
	// [[ 1.  2.]
	//  [11. 12.]
	//  [21. 22.]]
}

func ExampleLazy() {
	onTwo(func(c *spmd.Comm) error {
		a := nd.Arange[float64](c, 0, 6, 1, 0)
		b := nd.Full(c, nd.Shape{6}, 2.0, 0)
		nd.Fprint(os.Stdout, nd.Lazy(a).Mul(b).Add(a).Eval())            // one pass over a and b
		nd.Fprint(os.Stdout, nd.Lazy(a).Sub(b).Square().Sum())           // and one, without another array
		nd.Fprint(os.Stdout, nd.Lazy(a).GreaterScalar(2).CountNonzero()) // types may change on the way
		return nil
	})
	// Output:
	// [ 0.  3.  6.  9. 12. 15.]
	// 19.0
	// 3
}

func ExampleFromLocal() {
	onTwo(func(c *spmd.Comm) error {
		mine := make([]float64, 1+2*c.Rank()) // 1 element on rank 0, 3 on rank 1
		a := nd.FromLocal(c, mine, nd.Shape{len(mine)}, 0)
		if c.Rank() == 0 {
			fmt.Println(a.Layout())
		}
		return nil
	})
	// Output:
	// (4,) split 0 [1 3]
}

func ExampleTry() {
	onTwo(func(c *spmd.Comm) error {
		err := nd.Try(func() {
			nd.Add(nd.Zeros[float64](c, nd.Shape{3, 4}, 0), nd.Zeros[float64](c, nd.Shape{5}, 0))
		})
		if c.Rank() == 0 {
			fmt.Println(err.(*nd.Error).Func, "says", err.(*nd.Error).Text)
		}
		return nil
	})
	// Output:
	// nd.Add says shapes (3, 4) split 0 and (5,) split 0 do not broadcast
}
