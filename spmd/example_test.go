package spmd_test

import (
	"errors"
	"fmt"

	"caloric/spmd"
)

// Four ranks each hold a part of a vector and find the mean of the whole.
func ExampleRun() {
	err := spmd.Run(4, func(c *spmd.Comm) error {
		part := []float64{float64(c.Rank()), 10}
		sum := spmd.AllreduceOne(c, part[0]+part[1], spmd.Sum)
		n := spmd.AllreduceOne(c, int64(len(part)), spmd.Sum)
		if c.Rank() == 0 {
			fmt.Println("mean:", sum/float64(n))
		}
		return nil
	})
	fmt.Println("error:", err)
	// Output:
	// mean: 5.75
	// error: <nil>
}

// A rank that gives up while the others wait for it is found out.
func ExampleRun_mistake() {
	err := spmd.Run(3, func(c *spmd.Comm) error {
		if c.Rank() == 1 {
			return nil
		}
		c.Barrier()
		return nil
	})
	fmt.Println(err)
	// Output:
	// spmd: ranks wait for ranks that have returned:
	//   rank 0: barrier in spmd.Comm.Barrier at spmd/example_test.go:33
	//   rank 1: returned
	//   rank 2: barrier in spmd.Comm.Barrier at spmd/example_test.go:33
}

func ExampleAllreduce() {
	spmd.Run(3, func(c *spmd.Comm) error {
		v := []int64{1, int64(c.Rank())}
		spmd.Allreduce(c, v, spmd.Sum)
		if c.Rank() == 0 {
			fmt.Println(v)
		}
		return nil
	})
	// Output: [3 3]
}

// Where is the largest value? The operands of a reduction may be structs.
func ExampleAllreduceFunc() {
	type place struct {
		value float64
		rank  int
	}
	larger := func(acc, next []place) {
		for i := range acc {
			if next[i].value > acc[i].value {
				acc[i] = next[i]
			}
		}
	}
	values := []float64{2.5, 7.25, 3, 7.25}
	spmd.Run(4, func(c *spmd.Comm) error {
		best := []place{{values[c.Rank()], c.Rank()}}
		spmd.AllreduceFunc(c, best, larger)
		if c.Rank() == 0 {
			fmt.Println(best[0].value, "on rank", best[0].rank)
		}
		return nil
	})
	// Output: 7.25 on rank 1
}

// Six ranks form two rows, each of which communicates among itself.
func ExampleComm_Split() {
	spmd.Run(6, func(c *spmd.Comm) error {
		row := c.Split(c.Rank()/3, c.Rank())
		defer row.Free()
		sum := spmd.AllreduceOne(row, int64(c.Rank()), spmd.Sum)
		if c.Rank() == 0 {
			fmt.Println("first row:", sum)
		}
		c.Barrier() // so that the rows print one after the other
		if c.Rank() == 3 {
			fmt.Println("second row:", sum)
		}
		return nil
	})
	// Output:
	// first row: 3
	// second row: 12
}

// One rank cannot go on: all learn of it, and none waits for it.
func ExampleAgree() {
	err := spmd.Run(4, func(c *spmd.Comm) error {
		var err error
		if c.Rank() == 2 {
			err = errors.New("cannot read part2.csv")
		}
		if err := spmd.Agree(c, err); err != nil {
			return err // on every rank
		}
		c.Barrier()
		return nil
	})
	fmt.Println(err)
	// Output: rank 2: cannot read part2.csv
}

// Send a row to the next rank of a ring while receiving one from the rank before.
func ExampleSendrecv() {
	spmd.Run(3, func(c *spmd.Comm) error {
		next, previous := (c.Rank()+1)%3, (c.Rank()+2)%3
		row := []float64{float64(c.Rank()), float64(c.Rank())}
		halo := make([]float64, 2)
		spmd.Sendrecv(c, row, next, halo, previous, 0)
		if c.Rank() == 0 {
			fmt.Println(halo)
		}
		return nil
	})
	// Output: [2 2]
}
