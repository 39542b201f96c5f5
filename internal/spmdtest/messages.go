package spmdtest

import (
	"testing"

	"caloric/spmd"
)

// messageOrder sends messages of different sizes with one tag, which arrive in
// the order in which they were sent.
func messageOrder(t testing.TB, c *spmd.Comm) {
	if c.Size() == 1 {
		return
	}
	length := func(i int) int { return []int{1, 2000, 0, 5, 3000}[i%5] }
	const n = 20
	if c.Rank() == 0 {
		for i := range n {
			for r := 1; r < c.Size(); r++ {
				spmd.Send(c, data[int32](100*r+i, length(i)), r, 1)
			}
		}
		return
	}
	for i := range n {
		g := newGuarded[int32](length(i))
		spmd.Recv(c, g.buf, 0, 1)
		g.check(t, c, data[int32](100*c.Rank()+i, length(i)), "message %d", i)
	}
}

// tags receives in another order than what was sent, by tag and by source.
func tags(t testing.TB, c *spmd.Comm) {
	const n = 5
	p, me := c.Size(), c.Rank()
	var sends []*spmd.Request
	for tag := range n {
		for r := range p {
			sends = append(sends, spmd.Isend(c, data[float64](100*me+tag, 700*tag), r, tag))
		}
	}
	for tag := n - 1; tag >= 0; tag-- {
		for i := range p {
			from := (me + i) % p
			g := newGuarded[float64](700 * tag)
			spmd.Recv(c, g.buf, from, tag)
			g.check(t, c, data[float64](100*from+tag, 700*tag), "message from %d with tag %d", from, tag)
		}
	}
	for _, s := range sends {
		s.Wait()
	}
	v := []int8{0}
	spmd.Sendrecv(c, []int8{7}, me, v, me, spmd.MaxTag)
	equal(t, c, v, []int8{7}, "message with the largest tag")
}

func toItself(t testing.TB, c *spmd.Comm) {
	for _, n := range sizes {
		mine := data[complex128](c.Rank(), n)
		g := newGuarded[complex128](n)
		spmd.Sendrecv(c, mine, c.Rank(), g.buf, c.Rank(), 0)
		g.check(t, c, mine, "Sendrecv with itself")

		g = newGuarded[complex128](n)
		s := spmd.Isend(c, mine, c.Rank(), 1)
		spmd.Recv(c, g.buf, c.Rank(), 1)
		s.Wait()
		g.check(t, c, mine, "Isend to itself")
	}
}

// requests waits for requests more than once, tests them, and leaves some to themselves.
func requests(t testing.TB, c *spmd.Comm) {
	p, me := c.Size(), c.Rank()
	next, previous := (me+1)%p, (me+p-1)%p
	for _, n := range sizes {
		g := newGuarded[uint16](n)
		r := spmd.Irecv(c, g.buf, previous, 2)
		s := spmd.Isend(c, data[uint16](me, n), next, 2)
		for !r.Test() || !s.Test() {
		}
		r.Wait()
		s.Wait()
		r.Wait()
		if !r.Test() || !s.Test() {
			t.Errorf("Test after Wait is false on %v", c)
		}
		g.check(t, c, data[uint16](previous, n), "Irecv of %d", n)

		a := guardedCopy(data[int32](me, n))
		q := spmd.Iallreduce(c, a.buf, spmd.Sum)
		for !q.Test() {
		}
		q.Wait()
		q.Wait()
		a.check(t, c, integers[int32]().reduced(p, n, spmd.Sum), "Iallreduce of %d", n)
	}
}

// overlap has several reductions and messages under way while ranks call
// collectives, and completes them in reverse order.
func overlap(t testing.TB, c *spmd.Comm) {
	p, me := c.Size(), c.Rank()
	k := floats[float64]()
	var reductions []*spmd.Request
	var results []guarded[float64]
	for i := range 6 {
		g := guardedCopy(data[float64](me, sizes[i%len(sizes)]))
		results = append(results, g)
		reductions = append(reductions, spmd.Iallreduce(c, g.buf, []spmd.Op{spmd.Sum, spmd.Max}[i%2]))
	}
	recv := newGuarded[float64](2500)
	r := spmd.Irecv(c, recv.buf, (me+1)%p, 0)
	c.Barrier()
	equal(t, c, []int64{spmd.AllreduceOne(c, int64(me), spmd.Sum)}, []int64{int64(p * (p - 1) / 2)}, "sum of ranks")
	spmd.Isend(c, data[float64](me, 2500), (me+p-1)%p, 0).Wait()
	k.gather(t, c, patterns(p)[2])
	for i := len(reductions) - 1; i >= 0; i-- {
		reductions[i].Wait()
		n := sizes[i%len(sizes)]
		results[i].check(t, c, k.reduced(p, n, []spmd.Op{spmd.Sum, spmd.Max}[i%2]), "Iallreduce %d", i)
	}
	r.Wait()
	recv.check(t, c, data[float64]((me+1)%p, 2500), "Irecv")
}
