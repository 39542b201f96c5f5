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
