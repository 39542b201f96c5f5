//go:build mpi && cgo

package mpi

// #include "transport.h"
import "C"

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"caloric/spmd/internal/wire"

	gompi "github.com/sbromberger/gompi"
)

// MPI has to be stopped by the thread that started it: the main goroutine stays
// on its thread.
func init() { runtime.LockOSThread() }

// Job is this process's part of an MPI job.
type Job struct {
	World wire.Transport // this rank's end of the communicator of all ranks

	gompi   *gompi.Communicator
	control *comm      // for what the job itself has to say
	checked []*checked // the communicators in use, if calls are compared
	delayed []*delayed
	stop    sync.Once

	// What the watcher sees of the rank.
	serial  atomic.Int64
	in      atomic.Pointer[comm] // where the rank waits for others now
	places  []*place             // of every communicator in use
	unwatch func()
}

// Start joins the MPI job. It has to be called from the main goroutine, once.
func Start() (*Job, error) {
	gompi.Start(true)
	j := &Job{gompi: gompi.NewCommunicator(nil), unwatch: func() {}}
	limit, err := number("SPMD_MPI_COUNT_LIMIT", 64, int(C.spmd_limit), int(C.spmd_limit))
	if err != nil {
		return j, err
	}
	C.spmd_limit = C.intptr_t(limit)
	var timeout time.Duration
	check, err := strconv.ParseBool(cmp.Or(os.Getenv("SPMD_CHECK"), "0"))
	if err != nil {
		return j, fmt.Errorf("SPMD_CHECK=%q is neither 1 nor 0", os.Getenv("SPMD_CHECK"))
	}
	if check {
		seconds, err := number("SPMD_TIMEOUT", 1, 1<<30, 60)
		if err != nil {
			return j, err
		}
		timeout = time.Duration(seconds) * time.Second
	}
	var w, control C.MPI_Comm
	for _, code := range []C.int{C.spmd_dup_world(&w), C.spmd_dup_world(&control), C.spmd_make_ops()} {
		if err := mpiError(code); err != nil {
			return j, err
		}
	}
	j.control = newComm(j, control, 0)
	world := newComm(j, w, timeout)
	world.world = j.gompi
	j.place(world, 1)
	j.World = world
	if timeout > 0 {
		j.World, err = j.check(world)
		return j, err
	}
	if world.size > 1 {
		j.watch()
	}
	return j, nil
}

// number returns the value of an environment variable, otherwise if it is not set.
func number(name string, least, most, otherwise int) (int, error) {
	s := os.Getenv(name)
	if s == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < least || n > most {
		return 0, fmt.Errorf("%s=%q is not a number between %d and %d", name, s, least, most)
	}
	return n, nil
}

// Cores returns this rank's share of the node: the cores that its ranks may run
// on, divided by their number, at least 1. Collective.
func (j *Job) Cores() (int, error) {
	var ranks, cores C.int
	if err := mpiError(C.spmd_node(&ranks, &cores)); err != nil {
		return 1, err
	}
	n := int(cores)
	// A limit on the processor time of the container is the node's as well.
	if limit := runtime.GOMAXPROCS(0); limit < runtime.NumCPU() {
		n = min(n, limit)
	}
	return max(1, n/int(ranks)), nil
}

// patience is how long a rank that failed waits for the others to end as well.
const patience = 500 * time.Millisecond

// Finish waits for all ranks' functions to end, err being how this rank's did,
// prints the error if any failed, and returns an error on every rank then. A
// rank that succeeded waits for all others; one that failed ends the job if they
// do not end soon, since they may wait for it in turn.
func (j *Job) Finish(err error) error {
	if err == nil {
		err = j.returned()
	}
	c := j.control
	mine := make([]uint64, 2) // whether the rank failed, and a hash of the text
	if err != nil {
		h := fnv.New64a()
		h.Write([]byte(err.Error()))
		mine[0], mine[1] = 1, h.Sum64()
	}
	all := make([]uint64, 2*c.size)
	done := c.iallgather(wire.Of(mine), wire.Of(all))
	if err == nil {
		if !j.poll(done.Test, time.Second) {
			j.notify()
			j.poll(done.Test, 0)
		}
	} else if !j.poll(done.Test, patience) {
		j.Fail(err)
	}
	first, same := -1, true
	for r := c.size - 1; r >= 0; r-- {
		if all[2*r] != 0 {
			first = r
		}
		same = same && all[2*r] != 0 && all[2*r+1] == all[1]
	}
	switch {
	case first < 0:
		return nil
	case c.rank == first && same:
		fmt.Fprintln(os.Stderr, err)
	case c.rank == first:
		fmt.Fprintf(os.Stderr, "rank %d of %d: %v\n", first, c.size, err)
	case err == nil:
		err = fmt.Errorf("rank %d failed", first)
	}
	return err
}

// iallgather gathers equal blocks from all ranks.
func (c *comm) iallgather(send, recv wire.Buffer) *request {
	r := c.request(send, recv)
	if code := C.spmd_iallgather(r.batch, pointer(send), pointer(recv), C.int(send.Size()), c.c); code != C.MPI_SUCCESS {
		r.complete(code)
	}
	return r
}

// Stop ends MPI on this rank, once all ranks do. After a failure it does not
// wait for long: messages that nobody received could keep MPI from ending.
func (j *Job) Stop(failed bool) {
	j.stop.Do(func() {
		j.unwatch()
		if failed {
			defer time.AfterFunc(10*patience, j.abort).Stop()
		}
		gompi.Stop()
	})
}

// Fail prints err as this rank's and ends the job at once.
func (j *Job) Fail(err error) {
	fmt.Fprintf(os.Stderr, "spmd: rank %d of %d failed: %v\n", gompi.WorldRank(), gompi.WorldSize(), err)
	j.abort()
}

func (j *Job) abort() {
	time.Sleep(100 * time.Millisecond) // for the launcher to read what was printed
	j.gompi.Abort(1)
	os.Exit(1)
}
