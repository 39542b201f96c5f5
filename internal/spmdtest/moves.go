package spmdtest

import (
	"testing"

	"caloric/spmd"
)

func (k typed[T]) bcast(t testing.TB, c *spmd.Comm, n int) {
	for _, root := range roots(c) {
		g := guardedCopy(data[T](c.Rank(), n))
		spmd.Bcast(c, g.buf, root)
		g.check(t, c, data[T](root, n), "Bcast of %d from %d", n, root)
	}
	v := spmd.BcastOne(c, fromInt[T](c.Rank()), c.Size()-1)
	equal(t, c, []T{v}, []T{fromInt[T](c.Size() - 1)}, "BcastOne")
}

// gathered returns all ranks' elements in rank order.
func gathered[T spmd.Element](counts []int) []T {
	var all []T
	for r, n := range counts {
		all = append(all, data[T](r, n)...)
	}
	return all
}

func (k typed[T]) gather(t testing.TB, c *spmd.Comm, counts []int) {
	mine := data[T](c.Rank(), counts[c.Rank()])
	all := gathered[T](counts)
	send, recv := guardedCopy(mine), newGuarded[T](len(all))
	spmd.Allgatherv(c, send.buf, recv.buf, counts)
	send.check(t, c, mine, "operand of Allgatherv of %v", counts)
	recv.check(t, c, all, "Allgatherv of %v", counts)
	for _, root := range roots(c) {
		// What the other ranks pass for recv does not matter.
		recv := newGuarded[T](c.Rank() % 2 * len(all))
		want := newGuarded[T](len(recv.buf)).buf
		if c.Rank() == root {
			recv, want = newGuarded[T](len(all)), all
		}
		spmd.Gatherv(c, send.buf, recv.buf, counts, root)
		recv.check(t, c, want, "Gatherv of %v to %d", counts, root)
	}
}

func (k typed[T]) scatter(t testing.TB, c *spmd.Comm, counts []int) {
	all := gathered[T](counts)
	for _, root := range roots(c) {
		var send guarded[T]
		if c.Rank() == root {
			send = guardedCopy(all)
		}
		recv := newGuarded[T](counts[c.Rank()])
		spmd.Scatterv(c, send.buf, counts, recv.buf, root)
		recv.check(t, c, data[T](c.Rank(), counts[c.Rank()]), "Scatterv of %v from %d", counts, root)
		if c.Rank() == root {
			send.check(t, c, all, "operand of Scatterv of %v", counts)
		}
	}
}

// alltoall sends blocks whose sizes follow one of several patterns.
func (k typed[T]) alltoall(t testing.TB, c *spmd.Comm, pattern int) {
	size := func(from, to int) int {
		switch pattern {
		case 0:
			return 0
		case 1:
			return 1
		case 2:
			return (from + 2*to) % 3
		case 3:
			if to == (from+1)%c.Size() {
				return 20
			}
			return 0
		}
		return 1201 * ((from + to) % 2)
	}
	block := func(from, to int) []T { return data[T](100*from+to, size(from, to)) }
	p := c.Size()
	sends, recvs := make([]int, p), make([]int, p)
	var out, in []T
	for r := range p {
		sends[r], recvs[r] = size(c.Rank(), r), size(r, c.Rank())
		out = append(out, block(c.Rank(), r)...)
		in = append(in, block(r, c.Rank())...)
	}
	send, recv := guardedCopy(out), newGuarded[T](len(in))
	spmd.Alltoallv(c, send.buf, sends, recv.buf, recvs)
	send.check(t, c, out, "operand of Alltoallv of %v", sends)
	recv.check(t, c, in, "Alltoallv of %v", recvs)
}

// messages sends n elements around a ring in each way.
func (k typed[T]) messages(t testing.TB, c *spmd.Comm, n int) {
	p, me := c.Size(), c.Rank()
	next, previous := (me+1)%p, (me+p-1)%p
	mine, theirs := data[T](me, n), data[T](previous, n)

	send, recv := guardedCopy(mine), newGuarded[T](n)
	spmd.Sendrecv(c, send.buf, next, recv.buf, previous, 3)
	send.check(t, c, mine, "operand of Sendrecv of %d", n)
	recv.check(t, c, theirs, "Sendrecv of %d", n)

	recv = newGuarded[T](n)
	r := spmd.Irecv(c, recv.buf, previous, 4)
	s := spmd.Isend(c, send.buf, next, 4)
	s.Wait()
	r.Wait()
	recv.check(t, c, theirs, "Isend and Irecv of %d", n)

	if p == 1 {
		return
	}
	recv = newGuarded[T](n)
	if me == 0 {
		spmd.Send(c, send.buf, next, 5)
		spmd.Recv(c, recv.buf, previous, 5)
	} else {
		spmd.Recv(c, recv.buf, previous, 5)
		spmd.Send(c, send.buf, next, 5)
	}
	recv.check(t, c, theirs, "Send and Recv of %d", n)
}
