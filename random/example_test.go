package random_test

import (
	"fmt"
	"math/rand/v2"

	"caloric/nd"
	"caloric/random"
	"caloric/split"
	"caloric/spmd"
)

// The same array on one rank and on three.
func Example() {
	for _, ranks := range []int{1, 3} {
		parts := make([][]int32, ranks)
		err := spmd.Run(ranks, func(c *spmd.Comm) error {
			g := random.New(42)
			x := random.Integers(g, c, nd.Shape{6}, 0, int32(0), 100)
			parts[c.Rank()] = x.Local()
			return nil
		})
		fmt.Println(parts, err)
	}
	// Output:
	// [[65 29 91 88 82 18]] <nil>
	// [[65 29] [91 88] [82 18]] <nil>
}

// Two calls take two draws; a clone repeats them.
func ExampleGenerator() {
	spmd.Run(1, func(c *spmd.Comm) error {
		g := random.New(1)
		again := g.Clone()
		fmt.Println(random.Permutation(g, c, 5, split.None).Local())
		fmt.Println(random.Permutation(g, c, 5, split.None).Local())
		fmt.Println(random.Permutation(again, c, 5, split.None).Local())
		fmt.Println(g)
		return nil
	})
	// Output:
	// [0 4 1 3 2]
	// [2 0 1 4 3]
	// [0 4 1 3 2]
	// seed 1, stream 0, draw 2
}

// A rank's own numbers, for math/rand/v2 or gonum's distuv.
func ExampleGenerator_Source() {
	heads := make([]int, 2)
	spmd.Run(2, func(c *spmd.Comm) error {
		r := rand.New(random.New(42).Stream(1 + uint64(c.Rank())).Source())
		for range 1000 {
			heads[c.Rank()] += r.IntN(2)
		}
		return nil
	})
	fmt.Println(heads)
	// Output: [482 509]
}

// Any distribution can be sampled: those of this package, or a function.
func ExampleSample() {
	spmd.Run(2, func(c *spmd.Comm) error {
		g := random.New(7)
		calls := random.Sample(g, c, nd.Shape{6}, 0, random.Poisson[int32](4))
		dice := random.Sample(g, c, nd.Shape{6}, 0, func(r *rand.Rand) int32 { return 2 + r.Int32N(6) + r.Int32N(6) })
		a, b := calls.Gather(), dice.Gather()
		if c.Rank() == 0 {
			fmt.Println(a, b)
		}
		return nil
	})
	// Output: [5 3 6 5 3 4] [6 8 10 6 8 5]
}

// A row of a matrix is chosen with a weight.
func ExampleCategorical() {
	spmd.Run(2, func(c *spmd.Comm) error {
		a := nd.Arange[float64](c, 0, 6, 1, 0).Reshape(3, 2)
		rows := random.Sample(random.New(1), c, nd.Shape{4}, 0, random.Categorical(1, 0, 3))
		return nd.Print(nd.Take(a, rows, 0))
	})
	// Output:
	// [[4. 5.]
	//  [4. 5.]
	//  [0. 1.]
	//  [4. 5.]]
}
