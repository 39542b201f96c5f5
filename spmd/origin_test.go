package spmd_test

import (
	"fmt"
	"testing"

	"caloric/internal/misuse"
	"caloric/internal/spmdtest"
	"caloric/spmd"
)

// TestOrigin checks that communicators of the same size are told apart by how
// they were made, without communication and alike on all of their ranks.
func TestOrigin(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		root, half := c.Dup(), c.Rank()%2 // of which nothing has been made yet
		first, none := root.Dup(), root.Split(spmd.Undefined, 0)
		if none != nil {
			t.Error("a rank without a color has a communicator")
		}
		halves := root.Split(half, 0)
		inner, aside := halves.Dup(), root.Aside()
		before := c.Stats()
		for _, k := range []struct {
			c    *spmd.Comm
			want string
		}{
			{root, ""},
			{first, "copy 1 of "},
			{halves, fmt.Sprintf("color %d of split 3 of ", half)},
			{inner, fmt.Sprintf("copy 1 of color %d of split 3 of ", half)},
			{aside, "copy 4 of "},
		} {
			if got, want := k.c.Origin(), k.want+root.Origin(); got != want {
				t.Errorf("%v is %q, want %q", k.c, got, want)
			}
		}
		if n := c.Stats().Sub(before).Total().Calls; n != 0 {
			t.Errorf("%d calls", n)
		}
		for _, d := range []*spmd.Comm{inner, halves, aside, first, root} {
			d.Free()
		}
	})
}

// TestCommsAreToldApart checks the words in which two communicators are named.
func TestCommsAreToldApart(t *testing.T) {
	spmdtest.Embedded(t)
	err := spmd.Run(1, func(c *spmd.Comm) error {
		d := c.Dup()
		if got, want := misuse.Comms(c, d), "rank 0 of 1 in the world and rank 0 of 1 in copy 1 of the world"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		return spmd.Run(1, func(other *spmd.Comm) error {
			if got, want := misuse.Comms(c, other), "rank 0 of 1 in the world and rank 0 of 1 in the world of another run"; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
			return nil
		})
	})
	if err != nil {
		t.Error(err)
	}
}
