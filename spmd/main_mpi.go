//go:build mpi

package spmd

import (
	"fmt"
	"os"
	"runtime"
	"time"

	"caloric/spmd/internal/wire"
	"caloric/spmd/mpi"
)

// mainMPI runs f as this process's rank of the MPI world and returns the
// process's exit status.
func mainMPI(_ string, f func(*Comm) error) int {
	started := time.Now()
	stats, statsErr := wantsStats()
	world, err := mpi.Start()
	if err == nil && os.Getenv("GOMAXPROCS") == "" {
		var cores int
		cores, err = world.Cores()
		runtime.GOMAXPROCS(cores)
	}
	if err == nil {
		err = statsErr
	}
	if err != nil {
		world.Fail(err)
	}
	job := newJob(started)
	job.mpi = true
	c := newComm(world.World, nil, job, runtime.GOMAXPROCS(0))
	ended := false
	defer func() {
		if !ended {
			world.Fail(wire.ErrGoexit)
		}
	}()
	err = runRank(c, f)
	ended = true
	err = world.Finish(err)
	if err == nil && stats {
		printTotals(c)
	}
	world.Stop(err != nil)
	if err != nil {
		return 1
	}
	return 0
}

// printTotals prints, on rank 0, what all ranks have communicated.
//
// Collective. Communication: one reduce.
func printTotals(c *Comm) {
	total := c.stats
	flat := make([]int64, 0, 3*numOps)
	for _, n := range total {
		flat = append(flat, n.Calls, n.Messages, n.Bytes)
	}
	if err := c.t.Reduce(wire.Of(flat), wire.Sum, 0); err != nil || c.rank != 0 {
		return
	}
	s := Stats{}
	for op := range numOps {
		if n := (Count{flat[3*op], flat[3*op+1], flat[3*op+2]}); n != (Count{}) {
			s[op.String()] = n
		}
	}
	fmt.Fprintf(os.Stderr, "communication of all %d ranks:\n%s", c.size, s)
}
