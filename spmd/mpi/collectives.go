//go:build mpi && cgo

package mpi

// #include "transport.h"
import "C"

import "caloric/spmd/internal/wire"

func (c *comm) Bcast(b wire.Buffer, root int) error {
	c.enter(bcast)
	if c.world != nil && bcastByGompi(c, b, root) {
		return c.leave(C.MPI_SUCCESS)
	}
	return c.leave(C.spmd_bcast(pointer(b), C.intptr_t(b.Size()), C.int(root), c.c))
}

func (c *comm) Reduce(b wire.Buffer, op wire.Op, root int) error {
	c.enter(reduce)
	if c.world != nil && reduceByGompi(c, b, op, root) {
		return c.leave(C.MPI_SUCCESS)
	}
	return c.leave(C.spmd_reduce(pointer(b), C.intptr_t(b.Len), C.int(b.Type), C.int(op), C.int(root), c.c))
}

func (c *comm) Allreduce(b wire.Buffer, op wire.Op) error {
	c.enter(allreduce)
	if c.world != nil && reduceByGompi(c, b, op, all) {
		return c.leave(C.MPI_SUCCESS)
	}
	return c.leave(C.spmd_allreduce(pointer(b), C.intptr_t(b.Len), C.int(b.Type), C.int(op), c.c))
}

// AllreduceFunc combines along a binomial tree to rank 0, lower ranks' operands
// first, and broadcasts the result, so that every rank has the same bits.
func (c *comm) AllreduceFunc(b wire.Buffer, f wire.Func) error {
	c.enter(allreduce)
	size := C.intptr_t(b.Size())
	next := b
	if b.Len > 0 {
		next.Ptr = c.room(b.Size())
	}
	for bit := 1; bit < c.size; bit *= 2 {
		if c.rank&bit != 0 {
			if code := C.spmd_send(pointer(b), size, C.int(c.rank-bit), C.SPMD_TAG, c.c); code != C.MPI_SUCCESS {
				return c.leave(code)
			}
			break
		}
		if c.rank+bit < c.size {
			if code := C.spmd_recv(pointer(next), size, C.int(c.rank+bit), C.SPMD_TAG, c.c); code != C.MPI_SUCCESS {
				return c.leave(code)
			}
			f.Combine(b, next)
		}
	}
	return c.leave(C.spmd_bcast(pointer(b), size, 0, c.c))
}

func (c *comm) Allgatherv(send, recv wire.Buffer, n []int) error {
	c.enter(allgatherv)
	return c.leave(C.spmd_allgatherv(pointer(send), pointer(recv), counts(n), C.int(send.Elem), c.c))
}

func (c *comm) Gatherv(send, recv wire.Buffer, n []int, root int) error {
	c.enter(gatherv)
	return c.leave(C.spmd_gatherv(pointer(send), pointer(recv), counts(n), C.int(send.Elem), C.int(root), c.c))
}

func (c *comm) Scatterv(send, recv wire.Buffer, n []int, root int) error {
	c.enter(scatterv)
	return c.leave(C.spmd_scatterv(pointer(send), counts(n), pointer(recv), C.int(send.Elem), C.int(root), c.c))
}

func (c *comm) Alltoallv(send wire.Buffer, sendCounts []int, recv wire.Buffer, recvCounts []int) error {
	c.enter(alltoallv)
	return c.leave(C.spmd_alltoallv(pointer(send), counts(sendCounts), pointer(recv), counts(recvCounts), C.int(send.Elem), c.c))
}

func (c *comm) ReduceScatter(send, recv wire.Buffer, n []int, op wire.Op) error {
	c.enter(reduceScatter)
	return c.leave(C.spmd_reduce_scatter(pointer(send), pointer(recv), counts(n), C.int(send.Type), C.int(op), c.c))
}

func (c *comm) Exscan(b wire.Buffer, op wire.Op) error {
	c.enter(exscan)
	return c.leave(C.spmd_exscan(pointer(b), C.intptr_t(b.Len), C.int(b.Type), C.int(op), c.c))
}
