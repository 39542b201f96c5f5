//go:build mpi && cgo

package mpi

// The paths are Debian's and harmless elsewhere; CGO_CFLAGS and CGO_LDFLAGS,
// which come first, name any other MPI (see README).

/*
#cgo linux,amd64 CFLAGS: -I/usr/lib/x86_64-linux-gnu/openmpi/include
#cgo linux,amd64 LDFLAGS: -L/usr/lib/x86_64-linux-gnu/openmpi/lib
#cgo linux,arm64 CFLAGS: -I/usr/lib/aarch64-linux-gnu/openmpi/include
#cgo linux,arm64 LDFLAGS: -L/usr/lib/aarch64-linux-gnu/openmpi/lib
#cgo CFLAGS: -Wall -Wextra
#cgo LDFLAGS: -lmpi -lm
#include "transport.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
	"unsafe"

	"caloric/spmd/internal/wire"

	gompi "github.com/sbromberger/gompi"
)

// comm is one rank's end of a communicator.
type comm struct {
	job        *Job
	c          C.MPI_Comm
	rank, size int
	world      *gompi.Communicator // nil on every communicator but the world
	scratch    []uint64
	pending    map[*request]struct{} // keeps their buffers alive if nobody waits for them
	timeout    time.Duration         // how long to wait for other ranks; 0 is forever
	*place
}

func newComm(j *Job, c C.MPI_Comm, timeout time.Duration) *comm {
	var rank, size C.int
	C.MPI_Comm_rank(c, &rank)
	C.MPI_Comm_size(c, &size)
	return &comm{job: j, c: c, rank: int(rank), size: int(size), pending: map[*request]struct{}{}, timeout: timeout}
}

func (c *comm) Rank() int { return c.rank }
func (c *comm) Size() int { return c.size }

func (c *comm) Barrier() error {
	c.enter(barrier)
	if c.world != nil {
		c.world.Barrier()
		return c.leave(C.MPI_SUCCESS)
	}
	return c.leave(C.MPI_Barrier(c.c))
}

func (c *comm) Split(color, key int) (wire.Transport, error) {
	part, err := c.split(color, key)
	if part == nil {
		return nil, err // no typed nil: the rank joins nothing
	}
	return part, nil
}

func (c *comm) split(color, key int) (*comm, error) {
	if color > math.MaxInt32 || key < math.MinInt32 || key > math.MaxInt32 {
		return nil, fmt.Errorf("color %d and key %d have to be 32-bit numbers", color, key)
	}
	c.enter(split)
	var part C.MPI_Comm
	var joined C.int
	err := c.leave(C.spmd_split(c.c, C.int(max(color, -1)), C.int(key), &part, &joined))
	if err != nil || joined == 0 {
		return nil, err
	}
	return c.child(part, color), nil
}

func (c *comm) Dup() (wire.Transport, error) {
	d, err := c.dup()
	if err != nil {
		return nil, err
	}
	return d, nil
}

func (c *comm) dup() (*comm, error) {
	c.enter(dup)
	var d C.MPI_Comm
	if err := c.leave(C.MPI_Comm_dup(c.c, &d)); err != nil {
		return nil, err
	}
	return c.child(d, -1), nil
}

// Free waits for the other ranks to free c too.
func (c *comm) Free() error {
	c.enter(free)
	c.job.places = slices.DeleteFunc(c.job.places, func(p *place) bool { return p == c.place })
	return c.leave(C.MPI_Comm_free(&c.c))
}

func (c *comm) Abort(err error) { c.job.Fail(err) }

// room returns the communicator's scratch memory, n bytes aligned for any element.
func (c *comm) room(n int) unsafe.Pointer {
	words := (n + 7) / 8
	if words > len(c.scratch) {
		s := make([]uint64, max(words, 512))
		if n > keptScratch {
			return unsafe.Pointer(unsafe.SliceData(s))
		}
		c.scratch = s
	}
	return unsafe.Pointer(unsafe.SliceData(c.scratch))
}

// keptScratch is the most memory that a communicator keeps for itself.
const keptScratch = 1 << 20

// pointer returns the memory of b, nil if it is empty.
func pointer(b wire.Buffer) *C.char {
	if b.Len == 0 {
		return nil
	}
	return (*C.char)(b.Ptr)
}

func counts(n []int) *C.intptr_t {
	return (*C.intptr_t)(unsafe.Pointer(unsafe.SliceData(n)))
}

// mpiError turns what an MPI call returned into an error.
func mpiError(code C.int) error {
	if code == C.MPI_SUCCESS {
		return nil
	}
	text := make([]C.char, max(C.MPI_MAX_ERROR_STRING, 256))
	C.spmd_error_text(code, &text[0])
	return errors.New(C.GoString(&text[0]))
}
