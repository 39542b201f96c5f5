package spmd

import (
	"fmt"

	"caloric/spmd/internal/wire"
)

// Bcast copies buf of rank root into buf of every other rank.
//
// Collective; len(buf) is the same on every rank. Communication: one broadcast of buf.
func Bcast[T Element](c *Comm, buf []T, root int) {
	c.checkRank(opBcast, "root", root)
	start := c.begin()
	b := wire.Of(buf)
	err := c.t.Bcast(b, root)
	if c.rank != root || b.Len == 0 {
		c.end(opBcast, start, 0, 0, err)
		return
	}
	c.end(opBcast, start, c.size-1, (c.size-1)*b.Size(), err)
}

// Allreduce replaces buf by the elementwise reduction of every rank's buf,
// bitwise the same on each.
//
// Collective; len(buf) is the same on every rank. Communication: one allreduce of buf.
func Allreduce[T Element](c *Comm, buf []T, op Op) {
	b := wire.Of(buf)
	c.checkOp(opAllreduce, op, b)
	start := c.begin()
	err := c.t.Allreduce(b, op)
	c.endOnce(opAllreduce, start, b, true, err)
}

// BcastOne returns rank root's v on every rank. It allocates nothing.
//
// Collective. Communication: one broadcast of one element.
func BcastOne[T Element](c *Comm, v T, root int) T {
	cell := one[T](c)
	cell[0] = v
	Bcast(c, cell, root)
	return cell[0]
}

// AllreduceOne returns the reduction of every rank's v. It allocates nothing.
//
// Collective. Communication: one allreduce of one element.
func AllreduceOne[T Element](c *Comm, v T, op Op) T {
	cell := one[T](c)
	cell[0] = v
	Allreduce(c, cell, op)
	return cell[0]
}

// AllreduceFunc is [Allreduce] with an operation of the caller's own: combine
// sets acc[i] to acc[i] ⊕ next[i], where acc holds lower ranks' operands than
// next. ⊕ must be associative. T may be any type without pointers, so that a
// struct such as (value, index) can be reduced. Nothing is allocated, unless by the
// expression that makes combine.
//
// Collective; len(buf) is the same on every rank. Communication: one allreduce of buf.
func AllreduceFunc[T any](c *Comm, buf []T, combine func(acc, next []T)) {
	b := wire.Of(buf)
	start := c.begin()
	err := c.t.AllreduceFunc(b, function[T](combine))
	c.endOnce(opAllreduce, start, b, true, err)
}

// function is a function of the caller's own as transports see it.
type function[T any] func(acc, next []T)

// Combine implements wire.Func.
func (f function[T]) Combine(acc, next wire.Buffer) { f(wire.View[T](acc), wire.View[T](next)) }

// Reduce replaces buf on rank root by the elementwise reduction of every rank's
// buf; the others' are unchanged.
//
// Collective; len(buf) is the same on every rank. Communication: one reduce of buf.
func Reduce[T Element](c *Comm, buf []T, op Op, root int) {
	b := wire.Of(buf)
	c.checkRank(opReduce, "root", root)
	c.checkOp(opReduce, op, b)
	start := c.begin()
	err := c.t.Reduce(b, op, root)
	c.endOnce(opReduce, start, b, c.rank != root, err)
}

// Allgatherv fills recv on every rank with the ranks' send slices, one after
// another in rank order; counts[r] is len(send) on rank r.
//
// Collective; counts are the same on every rank. Communication: one allgatherv.
func Allgatherv[T Element](c *Comm, send, recv []T, counts []int) {
	c.checkCounts(opAllgatherv, counts, "recv", len(recv), "send", len(send))
	start := c.begin()
	s := wire.Of(send)
	err := c.t.Allgatherv(s, wire.Of(recv), counts)
	m := c.size - 1
	if s.Len == 0 {
		m = 0
	}
	c.end(opAllgatherv, start, m, m*s.Size(), err)
}

// Gatherv is [Allgatherv] with the result on rank root only; recv is ignored elsewhere.
//
// Collective; counts are the same on every rank. Communication: one gatherv.
func Gatherv[T Element](c *Comm, send, recv []T, counts []int, root int) {
	c.checkRank(opGatherv, "root", root)
	whole := len(recv)
	if c.rank != root {
		recv, whole = nil, sum(counts)
	}
	c.checkCounts(opGatherv, counts, "recv", whole, "send", len(send))
	start := c.begin()
	s := wire.Of(send)
	err := c.t.Gatherv(s, wire.Of(recv), counts, root)
	c.endOnce(opGatherv, start, s, c.rank != root, err)
}

// Scatterv cuts send of rank root into pieces of counts[r] elements and leaves
// piece r in recv on rank r; send is ignored elsewhere.
//
// Collective; counts are the same on every rank. Communication: one scatterv.
func Scatterv[T Element](c *Comm, send []T, counts []int, recv []T, root int) {
	c.checkRank(opScatterv, "root", root)
	whole := len(send)
	if c.rank != root {
		send, whole = nil, sum(counts)
	}
	c.checkCounts(opScatterv, counts, "send", whole, "recv", len(recv))
	start := c.begin()
	s := wire.Of(send)
	err := c.t.Scatterv(s, wire.Of(recv), counts, root)
	if c.rank != root {
		c.end(opScatterv, start, 0, 0, err)
		return
	}
	c.endBlocks(opScatterv, start, counts, s.Elem, err)
}

// Alltoallv sends the first sendCounts[0] elements of send to rank 0, the next
// sendCounts[1] to rank 1, and so on; recv is filled likewise in rank order.
//
// Collective; sendCounts[q] on rank r equals recvCounts[r] on rank q.
// Communication: one alltoallv; empty blocks send nothing.
func Alltoallv[T Element](c *Comm, send []T, sendCounts []int, recv []T, recvCounts []int) {
	c.checkCounts(opAlltoallv, sendCounts, "send", len(send), "", 0)
	c.checkCounts(opAlltoallv, recvCounts, "recv", len(recv), "", 0)
	start := c.begin()
	s := wire.Of(send)
	err := c.t.Alltoallv(s, sendCounts, wire.Of(recv), recvCounts)
	c.endBlocks(opAlltoallv, start, sendCounts, s.Elem, err)
}

// ReduceScatter reduces send elementwise over the ranks, cuts the result into
// pieces of counts[r] elements and leaves piece r in recv on rank r.
//
// Collective; counts are the same on every rank. Communication: one reduce-scatter.
func ReduceScatter[T Element](c *Comm, send, recv []T, counts []int, op Op) {
	s := wire.Of(send)
	c.checkOp(opReduceScatter, op, s)
	c.checkCounts(opReduceScatter, counts, "send", len(send), "recv", len(recv))
	start := c.begin()
	err := c.t.ReduceScatter(s, wire.Of(recv), counts, op)
	c.endBlocks(opReduceScatter, start, counts, s.Elem, err)
}

// Exscan replaces buf by the elementwise reduction of the buf of all lower
// ranks. Rank 0, which has none below it, keeps its buf.
//
// Collective; len(buf) is the same on every rank. Communication: one exclusive scan of buf.
func Exscan[T Element](c *Comm, buf []T, op Op) {
	b := wire.Of(buf)
	c.checkOp(opExscan, op, b)
	start := c.begin()
	err := c.t.Exscan(b, op)
	c.endOnce(opExscan, start, b, c.rank != c.size-1, err)
}

// endOnce counts an operation that hands b to the others once if sends is true.
func (c *Comm) endOnce(o operation, start int64, b wire.Buffer, sends bool, err error) {
	if !sends || c.size == 1 || b.Len == 0 {
		c.end(o, start, 0, 0, err)
		return
	}
	c.end(o, start, 1, b.Size(), err)
}

// endBlocks counts an operation that sends counts[r] elements to each other rank r.
func (c *Comm) endBlocks(o operation, start int64, counts []int, elem int, err error) {
	messages, n := 0, 0
	for r, k := range counts {
		if r != c.rank && k > 0 {
			messages++
			n += k
		}
	}
	c.end(o, start, messages, n*elem, err)
}

func (c *Comm) checkRank(o operation, what string, r int) {
	if r < 0 || r >= c.size {
		c.fail(o, fmt.Errorf("%s %d is not a rank of a communicator of %d", what, r, c.size))
	}
}

func (c *Comm) checkOp(o operation, op Op, b wire.Buffer) {
	if !op.Defined(b.Type) {
		c.fail(o, fmt.Errorf("%v is not defined for %v", op, b.Type))
	}
}

// checkCounts checks that counts has one entry per rank, adds up to the length
// of the whole buffer and, where part is named, has this rank's length in it.
func (c *Comm) checkCounts(o operation, counts []int, whole string, wholeLen int, part string, partLen int) {
	if len(counts) != c.size {
		c.fail(o, fmt.Errorf("%d counts for %d ranks", len(counts), c.size))
	}
	total := 0
	for r, n := range counts {
		if n < 0 {
			c.fail(o, fmt.Errorf("count of rank %d is %d", r, n))
		}
		total += n
	}
	if total != wholeLen {
		c.fail(o, fmt.Errorf("counts %v add up to %d, but len(%s) is %d", counts, total, whole, wholeLen))
	}
	if part != "" && counts[c.rank] != partLen {
		c.fail(o, fmt.Errorf("counts[%d] is %d, but len(%s) is %d", c.rank, counts[c.rank], part, partLen))
	}
}

func sum(counts []int) int {
	total := 0
	for _, n := range counts {
		total += n
	}
	return total
}
