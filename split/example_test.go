package split_test

import (
	"fmt"

	"caloric/split"
)

func ExampleBlock() {
	l := split.Block(split.Shape{10, 4}, 0, 3)
	fmt.Println(l)
	for r := range l.Ranks() {
		fmt.Println("rank", r, "holds", l.Local(r))
	}
	fmt.Println("row 5 is rank", l.Owner(5))
	// Output:
	// (10, 4) split 0
	// rank 0 holds [0:4, 0:4]
	// rank 1 holds [4:7, 0:4]
	// rank 2 holds [7:10, 0:4]
	// row 5 is rank 1
}

func ExampleWithCounts() {
	fmt.Println(split.WithCounts(split.Shape{10, 4}, 0, []int{9, 0, 1}))
	// Output: (10, 4) split 0 [9 0 1]
}

func ExampleMove() {
	shape := split.Shape{1000, 800}
	rows, cols := split.Block(shape, 0, 2), split.Block(shape, 1, 2)
	plan := split.Move(rows, cols, 0)
	fmt.Println(plan)
	for _, p := range plan.Send {
		fmt.Println("to rank", p.Rank, p.Box)
	}
	// Output:
	// S0→S1 alltoallv 1.6 MB
	// to rank 0 [0:500, 0:400]
	// to rank 1 [0:500, 400:800]
}

func ExampleElementwise() {
	matrix := split.Operand{Layout: split.Block(split.Shape{1000, 8}, 0, 4), Elem: 8}
	row := split.Operand{Layout: split.Block(split.Shape{8}, 0, 4), Elem: 8}
	out, _ := split.Elementwise(row, matrix)
	fmt.Println("result:", out)
	fmt.Println("the row becomes:", split.Align(out, row.Layout))
	// Output:
	// result: (1000, 8) split 0
	// the row becomes: (8,) replicated
}

func ExampleReduce() {
	l := split.Block(split.Shape{6, 4, 8}, 2, 2)
	out, across := split.Reduce(l, []int{0}, false)
	fmt.Println(out, across)
	out, across = split.Reduce(l, []int{2}, false)
	fmt.Println(out, across)
	// Output:
	// (4, 8) split 1 false
	// (6, 4) replicated true
}

func ExampleTranspose() {
	out, _ := split.Transpose(split.Block(split.Shape{6, 4}, 0, 2), []int{1, 0})
	fmt.Println(out)
	// Output: (4, 6) split 1
}

func ExampleSlice() {
	l := split.Block(split.Shape{10, 4}, 0, 3)
	s, _ := split.Slice(l, []split.Item{split.Range(3, split.Open, 1), split.Index(-1)})
	fmt.Println(s.Layout)
	s, _ = split.Slice(l, []split.Item{split.Index(5)})
	fmt.Println(s.Layout, "from rank", s.Owner)
	// Output:
	// (7,) split 0 [1 3 3]
	// (4,) replicated from rank 1
}

func ExampleMatMul() {
	a := split.Block(split.Shape{6, 1000}, 1, 2)
	b := split.Block(split.Shape{1000, 4}, 0, 2)
	out, _ := split.MatMul(a, b)
	fmt.Println(out)
	// Output: (6, 4) split 0
}
