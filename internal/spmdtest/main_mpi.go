//go:build mpi

package spmdtest

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"caloric/spmd"
)

var (
	control  *spmd.Comm // of the world's ranks, to agree on the outcome of each test
	together sync.Mutex // held from the start of a test until the ranks have agreed on it
	output   *os.File   // what ranks other than 0 print
	mark     int64      // where in output the current test starts
)

// patience is how long the other ranks may take to end a test that one has given up.
const patience = 2 * time.Second

// run runs the tests on every rank of the MPI world if there is one. Rank 0
// prints as usual, the others only if they fail.
func run(m *testing.M) int {
	if os.Getenv("OMPI_COMM_WORLD_SIZE") == "" && os.Getenv("PMI_RANK") == "" && os.Getenv("PMIX_RANK") == "" {
		return m.Run()
	}
	spmd.Main(func(c *spmd.Comm) error {
		world, control = c, c.Dup()
		flag.Parse()
		if c.Rank() != 0 {
			var err error
			if output, err = os.CreateTemp("", "spmdtest"); err != nil {
				return err
			}
			defer output.Close()
			os.Remove(output.Name())
			os.Stdout = output
			// So that nothing is held back until the end of the test.
			if err := flag.Set("test.v", "true"); err != nil {
				return err
			}
		}
		if m.Run() != 0 {
			mark = 0
			printOutput()
			return errors.New("tests failed")
		}
		return nil
	})
	return 1 // not reached
}

// onWorld runs f on the MPI world. A test that fails on one rank fails on all;
// if one gives it up while others wait in it, the job ends.
func onWorld(t testing.TB, f func(c *spmd.Comm)) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	together.Lock()
	if output != nil {
		mark, _ = output.Seek(0, 1)
	}
	ended := false
	defer func() {
		if !ended {
			// By Fatal or Skip, whose text is printed once this function has
			// returned, or by a panic, which ends the process.
			if !t.Failed() && !t.Skipped() {
				fmt.Fprintf(os.Stderr, "panic on %v in %s\n", world, t.Name())
			}
			go agree(t.Name(), !t.Skipped())
		}
	}()
	f(world)
	ended = true
	if err := agree(t.Name(), t.Failed()); err != nil && !t.Failed() {
		t.Error(err)
	}
}

// agree ends a test together with the other ranks. It returns an error if it
// has failed on any of them.
func agree(test string, failed bool) error {
	defer together.Unlock()
	if !failed {
		return spmd.Agree(control, nil)
	}
	abort := time.AfterFunc(patience, func() {
		printOutput()
		world.Abort(fmt.Errorf("%s failed while other ranks were in it", test))
	})
	defer abort.Stop()
	return spmd.Agree(control, errors.New(test+" failed"))
}

// printOutput prints what this rank held back, from mark on, except for the
// tests that went well.
func printOutput() {
	if output == nil {
		return
	}
	end, err := output.Seek(0, 2)
	if err != nil {
		return
	}
	text := make([]byte, end-mark)
	if _, err := output.ReadAt(text, mark); err != nil {
		return
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "output of %v:\n", world)
	for line := range bytes.Lines(text) {
		word := bytes.TrimSpace(line)
		if !bytes.HasPrefix(word, []byte("=== RUN")) && !bytes.HasPrefix(word, []byte("--- PASS")) {
			b.Write(line)
		}
	}
	os.Stderr.Write(b.Bytes())
}
