package spmd

import (
	"fmt"

	"caloric/spmd/internal/wire"
)

// Send sends buf to rank to, where a [Recv] of the same length and tag takes it.
// It may return before the message is received.
//
// Communication: one message.
func Send[T Element](c *Comm, buf []T, to, tag int) {
	c.checkPeer(opSend, to, tag)
	start := c.begin()
	b := wire.Of(buf)
	c.endMessage(opSend, start, to, b, c.t.Send(b, to, tag))
}

// Recv receives into buf the message that rank from sends with tag. The
// message's length must be len(buf).
//
// Communication: one message received.
func Recv[T Element](c *Comm, buf []T, from, tag int) {
	c.checkPeer(opRecv, from, tag)
	start := c.begin()
	c.end(opRecv, start, 0, 0, c.t.Recv(wire.Of(buf), from, tag))
}

// Sendrecv sends send to rank to and receives recv from rank from, at once, so
// that a ring of ranks may call it without waiting on each other.
//
// Communication: one message sent and one received.
func Sendrecv[T Element](c *Comm, send []T, to int, recv []T, from, tag int) {
	c.checkPeer(opSendrecv, to, tag)
	c.checkPeer(opSendrecv, from, tag)
	start := c.begin()
	b := wire.Of(send)
	c.endMessage(opSendrecv, start, to, b, c.t.Sendrecv(b, to, wire.Of(recv), from, tag))
}

// Request is a non-blocking operation in progress. Its buffer must not be
// touched until Wait has returned.
type Request struct {
	c *Comm
	r wire.Request
}

// Wait returns when the operation is complete. Further calls return at once.
func (r *Request) Wait() {
	start := r.c.begin()
	r.c.end(opWait, start, 0, 0, r.r.Wait())
}

// Test reports whether the operation is complete, without waiting.
//
// Local.
func (r *Request) Test() bool { return r.r.Test() }

// Isend starts a [Send] and returns at once.
//
// Communication: one message.
func Isend[T Element](c *Comm, buf []T, to, tag int) *Request {
	c.checkPeer(opIsend, to, tag)
	start := c.begin()
	b := wire.Of(buf)
	r, err := c.t.Isend(b, to, tag)
	c.endMessage(opIsend, start, to, b, err)
	return &Request{c, r}
}

// Irecv starts a [Recv] and returns at once.
//
// Communication: one message received.
func Irecv[T Element](c *Comm, buf []T, from, tag int) *Request {
	c.checkPeer(opIrecv, from, tag)
	start := c.begin()
	r, err := c.t.Irecv(wire.Of(buf), from, tag)
	c.end(opIrecv, start, 0, 0, err)
	return &Request{c, r}
}

// Iallreduce starts an [Allreduce] and returns at once.
//
// Collective. Communication: one allreduce of buf, complete after Wait.
func Iallreduce[T Element](c *Comm, buf []T, op Op) *Request {
	b := wire.Of(buf)
	c.checkOp(opIallreduce, op, b)
	start := c.begin()
	r, err := c.t.Iallreduce(b, op)
	c.endOnce(opIallreduce, start, b, true, err)
	return &Request{c, r}
}

// MaxTag is the largest tag of a message; the smallest is 0. MaxTag and MaxTag-1 are
// the tags of what packages nd and linalg send: take others on communicators of arrays.
const MaxTag = 1<<15 - 1

func (c *Comm) checkPeer(o operation, peer, tag int) {
	c.checkRank(o, "peer", peer)
	if tag < 0 || tag > MaxTag {
		c.fail(o, fmt.Errorf("tag %d is not between 0 and %d", tag, MaxTag))
	}
}

// endMessage counts one message of b to rank to; a rank's message to itself sends nothing.
func (c *Comm) endMessage(o operation, start int64, to int, b wire.Buffer, err error) {
	if to == c.rank {
		c.end(o, start, 0, 0, err)
		return
	}
	c.end(o, start, 1, b.Size(), err)
}
