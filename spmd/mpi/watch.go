//go:build mpi && cgo

package mpi

// #include "transport.h"
import "C"

import (
	"fmt"
	"hash/fnv"
	"sync/atomic"
	"time"

	"caloric/spmd/internal/wire"
)

// A rank that returns while others need it would leave them waiting in MPI for
// good. So a rank that has returned and waits for the others' end tells them
// after a second how many collectives of each communicator it took part in. A
// watcher beside each rank looks now and then for such a notice, and ends the
// job if its rank is in a later collective, which can never complete, or stays
// in a receive from the rank that has returned.

// operation numbers what a rank can wait in.
type operation int32

const (
	barrier operation = iota
	bcast
	reduce
	allreduce
	allgatherv
	gatherv
	scatterv
	alltoallv
	reduceScatter
	exscan
	split
	dup
	free
	message
)

var operationNames = [...]string{"barrier", "bcast", "reduce", "allreduce", "allgatherv", "gatherv", "scatterv",
	"alltoallv", "reducescatter", "exscan", "split", "dup", "free", "message"}

// place is what the watcher knows about a communicator.
type place struct {
	id    uint64 // the same on all its ranks
	calls atomic.Int64
	op    atomic.Int32
	peer  atomic.Int32 // of a message
}

func (j *Job) place(c *comm, id uint64) {
	c.place = &place{id: id}
	j.places = append(j.places, c.place)
}

// child returns the communicator that ranks of c have made with color.
func (c *comm) child(part C.MPI_Comm, color int) *comm {
	h := fnv.New64a()
	fmt.Fprint(h, c.id, c.calls.Load(), color)
	k := newComm(c.job, part, c.timeout)
	c.job.place(k, h.Sum64())
	return k
}

const noPeer = -1

// enter and leave enclose a collective.
func (c *comm) enter(op operation) {
	c.job.serial.Add(1)
	c.calls.Add(1)
	c.op.Store(int32(op))
	c.job.in.Store(c)
}

func (c *comm) leave(code C.int) error {
	c.job.in.Store(nil)
	return mpiError(code)
}

// await and leave enclose a wait for a message from or to peer, or, if that is
// noPeer, for a reduction.
func (c *comm) await(peer int) {
	c.job.serial.Add(1)
	if peer == noPeer {
		c.op.Store(int32(allreduce))
	} else {
		c.op.Store(int32(message))
	}
	c.peer.Store(int32(peer))
	c.job.in.Store(c)
}

// notify tells the other ranks that this one has returned.
func (j *Job) notify() {
	notice := make([]uint64, 0, 2*len(j.places))
	for _, p := range j.places {
		notice = append(notice, p.id, uint64(p.calls.Load()))
	}
	for r := range j.control.size {
		if r != j.control.rank {
			// Short, and received by a watcher or never: not waited for.
			_, _ = j.control.Isend(wire.Of(notice), r, 0)
		}
	}
}

const watchInterval = 250 * time.Millisecond

// watch starts the watcher.
func (j *Job) watch() {
	stop, stopped := make(chan struct{}), make(chan struct{})
	j.unwatch = func() {
		close(stop)
		<-stopped
	}
	go func() {
		defer close(stopped)
		tick := time.NewTicker(watchInterval)
		defer tick.Stop()
		returned := map[int]map[uint64]int64{} // by rank of the world, calls by communicator
		var since time.Time
		var last int64
		for {
			select {
			case <-stop:
				return
			case now := <-tick.C:
				if j.readNotices(returned) || j.serial.Load() != last {
					since, last = now, j.serial.Load()
				}
				if err := j.stuck(returned, now.Sub(since)); err != nil {
					j.Fail(err)
				}
			}
		}
	}()
}

// stuck returns an error if the rank waits for one that has returned.
func (j *Job) stuck(returned map[int]map[uint64]int64, unchanged time.Duration) error {
	serial, c := j.serial.Load(), j.in.Load()
	if c == nil || len(returned) == 0 {
		return nil
	}
	op, calls, peer := operation(c.op.Load()), c.calls.Load(), c.peer.Load()
	if j.serial.Load() != serial {
		return nil // it moves
	}
	for r, n := range returned {
		if op == message {
			// What r has sent would be here by now.
			if unchanged > 8*watchInterval && int(C.spmd_world_rank(c.c, C.int(peer))) == r {
				return fmt.Errorf("a message is awaited from or by rank %d, which has returned from its function (SPMD_CHECK=1 tells where)", r)
			}
		} else if last, member := n[c.id]; member && calls > last {
			return fmt.Errorf("%s waits for rank %d, which has returned from its function (SPMD_CHECK=1 tells where)", operationNames[op], r)
		}
	}
	return nil
}

// readNotices adds what has arrived to returned and reports whether there was any.
func (j *Job) readNotices(returned map[int]map[uint64]int64) bool {
	any := false
	for {
		var from, bytes C.int
		if C.spmd_probe(j.control.c, &from, &bytes) == 0 {
			return any
		}
		notice := make([]uint64, bytes/8)
		if C.spmd_recv(pointer(wire.Of(notice)), C.intptr_t(bytes), from, 0, j.control.c) != C.MPI_SUCCESS {
			return any
		}
		any = true
		calls := map[uint64]int64{}
		for i := 0; i < len(notice); i += 2 {
			calls[notice[i]] = int64(notice[i+1])
		}
		returned[int(from)] = calls
	}
}
