//go:build mpi && cgo

package mpi

// #include "transport.h"
import "C"

import (
	"fmt"
	"runtime"
	"time"

	"caloric/spmd/internal/wire"
)

// Without a timeout, blocking messages are MPI's blocking calls; with one they
// are requests that are waited for.

func (c *comm) Send(b wire.Buffer, to, tag int) error {
	if c.timeout > 0 {
		return wait(c.Isend(b, to, tag))
	}
	c.await(to)
	return c.leave(C.spmd_send(pointer(b), C.intptr_t(b.Size()), C.int(to), C.int(tag), c.c))
}

func (c *comm) Recv(b wire.Buffer, from, tag int) error {
	if c.timeout > 0 {
		return wait(c.Irecv(b, from, tag))
	}
	c.await(from)
	return c.leave(C.spmd_recv(pointer(b), C.intptr_t(b.Size()), C.int(from), C.int(tag), c.c))
}

func (c *comm) Sendrecv(send wire.Buffer, to int, recv wire.Buffer, from, tag int) error {
	if c.timeout > 0 {
		in, err := c.Irecv(recv, from, tag)
		if err == nil {
			err = c.Send(send, to, tag)
		}
		if err == nil {
			err = in.Wait()
		}
		return err
	}
	c.await(from)
	return c.leave(C.spmd_sendrecv(pointer(send), C.intptr_t(send.Size()), C.int(to),
		pointer(recv), C.intptr_t(recv.Size()), C.int(from), C.int(tag), c.c))
}

func (c *comm) Isend(b wire.Buffer, to, tag int) (wire.Request, error) {
	r := c.request(b)
	r.peer = to
	r.what = func() string { return fmt.Sprintf("send %d %v to rank %d with tag %d", b.Len, b.Type, to, tag) }
	return r.posted(C.spmd_isend(r.batch, pointer(b), C.intptr_t(b.Size()), C.int(to), C.int(tag), c.c))
}

func (c *comm) Irecv(b wire.Buffer, from, tag int) (wire.Request, error) {
	r := c.request(b)
	r.peer = from
	r.what = func() string { return fmt.Sprintf("receive %d %v from rank %d with tag %d", b.Len, b.Type, from, tag) }
	return r.posted(C.spmd_irecv(r.batch, pointer(b), C.intptr_t(b.Size()), C.int(from), C.int(tag), c.c))
}

func (c *comm) Iallreduce(b wire.Buffer, op wire.Op) (wire.Request, error) {
	c.calls.Add(1)
	r := c.request(b)
	r.what = func() string { return fmt.Sprintf("allreduce %d %v", b.Len, b.Type) }
	return r.posted(C.spmd_iallreduce(r.batch, pointer(b), C.intptr_t(b.Len), C.int(b.Type), C.int(op), c.c))
}

// request is a non-blocking operation whose buffers stay where they are until
// it is complete.
type request struct {
	c     *comm
	batch *C.spmd_batch // nil once complete
	pins  runtime.Pinner
	err   error
	peer  int           // of a message, otherwise noPeer
	what  func() string // for the message when the wait is too long
}

func (c *comm) request(buffers ...wire.Buffer) *request {
	r := &request{c: c, batch: C.spmd_batch_new(), peer: noPeer}
	for _, b := range buffers {
		if b.Len > 0 {
			r.pins.Pin(b.Ptr)
		}
	}
	c.pending[r] = struct{}{}
	return r
}

// posted returns r as the answer of the function that started it.
func (r *request) posted(code C.int) (wire.Request, error) {
	if err := mpiError(code); err != nil {
		return nil, err
	}
	return r, nil
}

// wait waits for what one of the functions above has started.
func wait(r wire.Request, err error) error {
	if err != nil {
		return err
	}
	return r.Wait()
}

func (r *request) Wait() error {
	if r.batch == nil {
		return r.err
	}
	if r.c.timeout == 0 {
		r.c.await(r.peer)
		r.complete(C.spmd_batch_wait(r.batch))
		r.c.job.in.Store(nil)
	} else if !r.c.job.poll(r.Test, r.c.timeout) {
		return fmt.Errorf("waited %v to %s", r.c.timeout, r.what())
	}
	return r.err
}

func (r *request) Test() bool {
	if r.batch == nil {
		return true
	}
	var done C.int
	if code := C.spmd_batch_test(r.batch, &done); done != 0 {
		r.complete(code)
	}
	return r.batch == nil
}

func (r *request) complete(code C.int) {
	r.err = mpiError(code)
	C.spmd_batch_free(r.batch)
	r.batch = nil
	r.pins.Unpin()
	delete(r.c.pending, r)
}

// poll calls done until it returns true and reports whether it did within
// limit, which is endless if 0. After a while it leaves the core to others.
func (j *Job) poll(done func() bool, limit time.Duration) bool {
	start := time.Now()
	for i := 0; !done(); i++ {
		if len(j.delayed) > 0 {
			j.startDelayed()
		}
		waited := time.Since(start)
		if limit > 0 && waited > limit {
			return false
		}
		if i > 1000 {
			time.Sleep(min(waited/16, time.Millisecond))
		} else {
			runtime.Gosched()
		}
	}
	return true
}
