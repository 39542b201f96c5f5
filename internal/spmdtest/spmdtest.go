// Package spmdtest runs tests on ranks: embedded ones, or the MPI world when the
// test binary was built with -tags mpi and started by mpirun.
package spmdtest

import (
	"fmt"
	"os"
	"testing"

	"caloric/spmd"
)

// world is the MPI world, nil when ranks are embedded.
var world *spmd.Comm

// Sizes are the numbers of embedded ranks that Sweep tries.
var Sizes = []int{1, 2, 3, 4, 5, 7}

// Main is the body of a package's TestMain.
func Main(m *testing.M) { os.Exit(run(m)) }

// Sweep runs f on every rank of worlds of several sizes, each a sub-test; under
// mpirun once, on the MPI world. A rank reports by t; its Fatal ends all ranks.
func Sweep(t *testing.T, f func(t testing.TB, c *spmd.Comm)) {
	if world != nil {
		onWorld(t, func(c *spmd.Comm) { f(t, c) })
		return
	}
	for _, n := range Sizes {
		t.Run(fmt.Sprintf("ranks=%d", n), func(t *testing.T) {
			Run(t, n, func(c *spmd.Comm) { f(t, c) })
		})
	}
}

// Run runs f on n embedded ranks; under mpirun on the MPI world if it has n
// ranks, else it skips the test.
func Run(t testing.TB, n int, f func(c *spmd.Comm)) {
	t.Helper()
	if world != nil {
		if world.Size() != n {
			t.Skipf("needs %d ranks, mpirun started %d", n, world.Size())
		}
		onWorld(t, f)
		return
	}
	err := spmd.Run(n, func(c *spmd.Comm) error {
		f(c)
		return nil
	})
	switch {
	case err == nil:
	case t.Failed():
		t.Log(err)
	case !t.Skipped():
		t.Error(err)
	}
}

// Embedded skips the test under mpirun.
func Embedded(t testing.TB) {
	t.Helper()
	if world != nil {
		t.Skip("tests embedded ranks")
	}
}

// TempDir returns a directory for the test, the same on every rank of c.
// Collective.
func TempDir(t testing.TB, c *spmd.Comm) string {
	t.Helper()
	var path []byte
	if c.Rank() == 0 {
		path = []byte(t.TempDir())
	}
	n := spmd.BcastOne(c, int64(len(path)), 0)
	if c.Rank() != 0 {
		path = make([]byte, n)
	}
	spmd.Bcast(c, path, 0)
	t.Cleanup(func() {
		// Rank 0's directory must outlive the other ranks' use of it.
		if world != nil {
			world.Barrier()
		}
	})
	return string(path)
}
