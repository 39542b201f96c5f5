package spmdtest

import (
	"testing"

	"caloric/spmd"
)

// ranksOf returns the ranks in the world of c's members, in c's order.
func ranksOf(c, world *spmd.Comm) []int64 {
	ranks := make([]int64, c.Size())
	ones := make([]int, c.Size())
	for r := range ones {
		ones[r] = 1
	}
	spmd.Allgatherv(c, []int64{int64(world.Rank())}, ranks, ones)
	return ranks
}

func splitting(t testing.TB, c *spmd.Comm) {
	p, me := c.Size(), c.Rank()

	all := c.Split(5, 0)
	var want []int64
	for r := range p {
		want = append(want, int64(r))
	}
	equal(t, c, ranksOf(all, c), want, "members in order of rank")

	// Extreme keys, equal keys.
	key := []int{1 << 30, -(1 << 30), 0}[me%3]
	ordered := c.Split(0, key)
	want = nil
	for _, rest := range []int{1, 2, 0} {
		for r := rest; r < p; r += 3 {
			want = append(want, int64(r))
		}
	}
	equal(t, c, ranksOf(ordered, c), want, "members in order of key")

	color := me % 2
	if me == p-1 {
		color = spmd.Undefined
	}
	part := c.Split(color, 0)
	if (part == nil) != (me == p-1) {
		t.Errorf("Split with color %d returns %v on %v", color, part, c)
	}
	if part != nil {
		want = nil
		for r := me % 2; r < p-1; r += 2 {
			want = append(want, int64(r))
		}
		equal(t, c, ranksOf(part, c), want, "members of one color")
		// Parts of a part, and a duplicate of one.
		pair := part.Split(part.Rank()/2, 0)
		dup := pair.Dup()
		first := int64(me%2 + 4*(part.Rank()/2))
		equal(t, c, []int64{spmd.BcastOne(dup, int64(me), 0)}, []int64{first}, "first of a part of a part")
		if dup.Rank() != pair.Rank() || dup.Size() != pair.Size() {
			t.Errorf("Dup of %v is %v", pair, dup)
		}
		dup.Free()
		pair.Free()
		part.Free()
	}
	all.Free()
	ordered.Free()
	c.Barrier()
}

// separate sends messages with the same tag on two communicators of the same
// ranks and receives them in the other order.
func separate(t testing.TB, c *spmd.Comm) {
	p, me := c.Size(), c.Rank()
	dup := c.Dup()
	a := spmd.Isend(c, []int32{int32(me)}, (me+1)%p, 0)
	b := spmd.Isend(dup, []int32{int32(-me - 1)}, (me+1)%p, 0)
	got := make([]int32, 2)
	from := (me + p - 1) % p
	spmd.Recv(dup, got[1:], from, 0)
	spmd.Recv(c, got[:1], from, 0)
	a.Wait()
	b.Wait()
	equal(t, c, got, []int32{int32(from), int32(-from - 1)}, "messages on two communicators")

	x, y := []int64{1}, []int64{10}
	q := spmd.Iallreduce(c, x, spmd.Sum)
	r := spmd.Iallreduce(dup, y, spmd.Sum)
	r.Wait()
	q.Wait()
	equal(t, c, append(x, y...), []int64{int64(p), int64(10 * p)}, "reductions on two communicators")
	dup.Free()
}
