package spmd_test

import (
	"errors"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/spmd"
)

// Ranks that share memory copy from what the others show, and what travels is
// counted as an alltoallv and an allgatherv of it.
func TestDirect(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		if !c.SharesMemory() {
			return
		}
		type shown struct{ values []int32 }
		p, me := c.Size(), c.Rank()
		mine := shown{make([]int32, p)}
		counts := make([]int, p)
		for r := range counts {
			mine.values[r], counts[r] = int32(100*me+r), 1
		}
		got := make([]int32, p)
		before := c.Stats()
		spmd.AlltoallvDirect[int32](c, p, counts, &mine, func(r int, theirs *shown) error {
			got[r] = theirs.values[me]
			return nil
		})
		all := make([]int32, p*p)
		spmd.AllgathervDirect[int32](c, p, &mine, func(r int, theirs *shown) error {
			copy(all[r*p:], theirs.values)
			return nil
		})
		sent := c.Stats().Sub(before)
		for r := range p {
			if got[r] != int32(100*r+me) || all[r*p+me] != got[r] {
				t.Errorf("rank %d has %v and %v", me, got, all)
				break
			}
		}
		others := int64(p - 1)
		if n := sent["alltoallv"]; n != (spmd.Count{Calls: 1, Messages: others, Bytes: 4 * others}) {
			t.Errorf("alltoallv: %+v", n)
		}
		if n := sent["allgatherv"]; n != (spmd.Count{Calls: 1, Messages: others, Bytes: 4 * others * int64(p)}) {
			t.Errorf("allgatherv: %+v", n)
		}
	})
}

// Ranks that do not mean the same end the job, with the reason.
func TestDirectMistakes(t *testing.T) {
	show := func(c *spmd.Comm, read func(int, *int) error) {
		x := c.Rank()
		spmd.AlltoallvDirect[int64](c, 2, []int{1, 1}, &x, read)
	}
	for name, f := range map[string]func(c *spmd.Comm) error{
		"different arguments": func(c *spmd.Comm) error {
			if c.Rank() == 0 {
				show(c, func(int, *int) error { return nil })
			} else {
				spmd.Alltoallv(c, []int64{1, 2}, []int{1, 1}, make([]int64, 2), []int{1, 1})
			}
			return nil
		},
		"the reason": func(c *spmd.Comm) error {
			show(c, func(int, *int) error { return errors.New("the reason") })
			return nil
		},
	} {
		if err := spmd.Run(2, f); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: the job ended with %v", name, err)
		}
	}
}
