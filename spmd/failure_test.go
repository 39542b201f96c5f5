package spmd_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"caloric/internal/spmdtest"
	"caloric/spmd"
)

// run runs f on n embedded ranks and returns Run's error. It fails the test if
// Run does not return.
func run(t *testing.T, n int, f func(c *spmd.Comm) error) error {
	t.Helper()
	spmdtest.Embedded(t)
	done := make(chan error, 1)
	go func() { done <- spmd.Run(n, f) }()
	select {
	case err := <-done:
		return err
	case <-time.After(20 * time.Second):
		stacks := make([]byte, 1<<20)
		t.Fatalf("Run does not return\n%s", stacks[:runtime.Stack(stacks, true)])
		return nil
	}
}

// contains checks that err's text has all of want in it.
func contains(t *testing.T, err error, want ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("no %q in the error:\n%v", w, err)
		}
	}
}

// collectives are one call of each, of 3 ranks.
var collectives = []struct {
	name string // as errors name it
	fn   string
	call func(c *spmd.Comm)
}{
	{"barrier", "Comm.Barrier", func(c *spmd.Comm) { c.Barrier() }},
	{"bcast of 1 int32 with root 2", "Bcast", func(c *spmd.Comm) { spmd.Bcast(c, []int32{1}, 2) }},
	{"bcast of 100 float64 with root 0", "Bcast", func(c *spmd.Comm) { spmd.Bcast(c, make([]float64, 100), 0) }},
	{"allreduce sum of 1 float64", "AllreduceOne", func(c *spmd.Comm) { spmd.AllreduceOne(c, 1.0, spmd.Sum) }},
	{"allreduce max of 100 uint8", "Allreduce", func(c *spmd.Comm) { spmd.Allreduce(c, make([]uint8, 100), spmd.Max) }},
	{"allreduce by a function of 1 8-byte structs", "AllreduceFunc", func(c *spmd.Comm) {
		spmd.AllreduceFunc(c, []struct{ a, b int32 }{{1, 2}}, func(acc, next []struct{ a, b int32 }) {})
	}},
	{"reduce prod of 2 complex64 with root 0", "Reduce", func(c *spmd.Comm) { spmd.Reduce(c, make([]complex64, 2), spmd.Prod, 0) }},
	{"allgatherv of 1 bool, counts [1 1 1]", "Allgatherv", func(c *spmd.Comm) {
		spmd.Allgatherv(c, []bool{true}, make([]bool, 3), []int{1, 1, 1})
	}},
	{"gatherv of 20 int64 with root 2, counts [20 20 20]", "Gatherv", func(c *spmd.Comm) {
		spmd.Gatherv(c, make([]int64, 20), make([]int64, 60), []int{20, 20, 20}, 2)
	}},
	{"scatterv of 3 int8 with root 0, counts [1 1 1]", "Scatterv", func(c *spmd.Comm) {
		spmd.Scatterv(c, make([]int8, 3), []int{1, 1, 1}, make([]int8, 1), 0)
	}},
	{"alltoallv of 3 uint64", "Alltoallv", func(c *spmd.Comm) {
		spmd.Alltoallv(c, make([]uint64, 3), []int{1, 1, 1}, make([]uint64, 3), []int{1, 1, 1})
	}},
	{"reducescatter xor of 3 int16, counts [1 1 1]", "ReduceScatter", func(c *spmd.Comm) {
		spmd.ReduceScatter(c, make([]int16, 3), make([]int16, 1), []int{1, 1, 1}, spmd.Xor)
	}},
	{"exscan min of 1 float32", "Exscan", func(c *spmd.Comm) { spmd.Exscan(c, make([]float32, 1), spmd.Min) }},
	{"iallreduce sum of 1 int64", "Request.Wait", func(c *spmd.Comm) { spmd.Iallreduce(c, []int64{1}, spmd.Sum).Wait() }},
	{"split", "Comm.Split", func(c *spmd.Comm) { c.Split(0, 0) }},
	{"dup", "Comm.Dup", func(c *spmd.Comm) { c.Dup() }},
}

func TestReturnsEarly(t *testing.T) {
	for _, x := range collectives {
		t.Run(x.name, func(t *testing.T) {
			err := run(t, 3, func(c *spmd.Comm) error {
				if c.Rank() != 1 {
					x.call(c)
				}
				return nil
			})
			where := ": " + x.name + " in spmd." + x.fn + " at spmd/failure_test.go:"
			contains(t, err, "ranks wait for ranks that have returned:", "\n  rank 0"+where, "\n  rank 1: returned", "\n  rank 2"+where)
		})
	}
}

func TestPanicsAndFails(t *testing.T) {
	for _, x := range collectives {
		t.Run(x.name, func(t *testing.T) {
			err := run(t, 3, func(c *spmd.Comm) error {
				if c.Rank() == 1 {
					panic("boom")
				}
				x.call(c)
				return nil
			})
			where := ": " + x.name + " in spmd." + x.fn + " at spmd/failure_test.go:"
			contains(t, err, "rank 1 of 3: panic: boom", "failure_test.go:", "\nwhere the ranks were:\n  rank 0"+where, "\n  rank 1: failed\n  rank 2"+where)
			cause := errors.New("no such file")
			err = run(t, 3, func(c *spmd.Comm) error {
				if c.Rank() == 2 {
					return cause
				}
				x.call(c)
				return nil
			})
			if !errors.Is(err, cause) {
				t.Errorf("error %v", err)
			}
			contains(t, err, "rank 2 of 3: no such file\nwhere the ranks were:\n  rank 0"+where, "\n  rank 1"+where, "\n  rank 2: failed")
		})
	}
}

func TestDifferentCollectives(t *testing.T) {
	for i, x := range collectives {
		y := collectives[(i+1)%len(collectives)]
		t.Run(x.name+" and "+y.name, func(t *testing.T) {
			err := run(t, 3, func(c *spmd.Comm) error {
				if c.Rank() == 1 {
					y.call(c)
				} else {
					x.call(c)
				}
				return nil
			})
			contains(t, err, "\n  rank 0: "+x.name+" in spmd.", "\n  rank 1: "+y.name+" in spmd.", "\n  rank 2: "+x.name+" in spmd.",
				" at spmd/failure_test.go:")
		})
	}
}

type fileError struct{ name string }

func (e *fileError) Error() string { return "cannot read " + e.name }

func TestErrorReachesTheCaller(t *testing.T) {
	err := run(t, 4, func(c *spmd.Comm) error {
		if c.Rank() == 3 {
			return fmt.Errorf("loading: %w", &fileError{"a.csv"})
		}
		c.Barrier()
		return nil
	})
	var cause *fileError
	if !errors.As(err, &cause) {
		t.Errorf("error %v", err)
	}
	contains(t, err, "rank 3 of 4: loading: cannot read a.csv\n")
}

// TestErrorOfOthersDoesNotMask lets ranks that fail because of rank 1 return
// errors of their own.
func TestErrorOfOthersDoesNotMask(t *testing.T) {
	err := run(t, 3, func(c *spmd.Comm) (err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("recovered: %v", p)
			}
		}()
		if c.Rank() == 1 {
			return errors.New("the cause")
		}
		c.Barrier()
		return nil
	})
	contains(t, err, "rank 1 of 3: the cause\n", "\n  rank 0: barrier in spmd.Comm.Barrier at ")
	err = run(t, 3, func(c *spmd.Comm) (err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("recovered on %v", c)
			}
		}()
		if c.Rank() == 1 {
			spmd.Exscan(c, []int32{1}, spmd.Sum)
		} else {
			c.Barrier()
		}
		return nil
	})
	contains(t, err, "ranks called different collectives:", "rank 0: barrier", "rank 1: exscan sum of 1 int32", "rank 2: barrier")
}

func TestSameErrorOnEveryRank(t *testing.T) {
	cause := errors.New("no such file")
	for _, n := range []int{1, 3} {
		err := run(t, n, func(c *spmd.Comm) error { return cause })
		if err != cause {
			t.Errorf("error %v", err)
		}
		err = run(t, n, func(c *spmd.Comm) error {
			if c.Rank() == 0 {
				return spmd.Agree(c, cause)
			}
			return spmd.Agree(c, nil)
		})
		want := "rank 0: no such file"
		if n == 1 {
			want = "no such file"
		}
		if err == nil || err.Error() != want {
			t.Errorf("error %v, want %v", err, want)
		}
	}
	// Ranks that take their time still get to say the same.
	err := run(t, 3, func(c *spmd.Comm) error {
		time.Sleep(time.Duration(c.Rank()) * 150 * time.Millisecond)
		return cause
	})
	if err != cause {
		t.Errorf("error %v", err)
	}
	err = run(t, 3, func(c *spmd.Comm) error {
		if c.Rank() > 0 {
			return cause
		}
		c.Barrier()
		return nil
	})
	if !errors.Is(err, cause) {
		t.Errorf("error %v", err)
	}
	contains(t, err, " of 3, and another: no such file")
}

func TestPanicWithError(t *testing.T) {
	cause := &fileError{"b.csv"}
	err := run(t, 2, func(c *spmd.Comm) error {
		if c.Rank() == 1 {
			panic(cause)
		}
		c.Barrier()
		return nil
	})
	if !errors.Is(err, cause) {
		t.Errorf("error %v", err)
	}
	contains(t, err, "rank 1 of 2: panic: cannot read b.csv\n", "TestPanicWithError")
	err = run(t, 2, func(c *spmd.Comm) error {
		s := make([]int, c.Rank())
		return fmt.Errorf("not reached: %d", s[1])
	})
	contains(t, err, "panic: runtime error: index out of range [1] with length", "TestPanicWithError")
}

func TestAbort(t *testing.T) {
	cause := errors.New("diverged")
	err := run(t, 3, func(c *spmd.Comm) error {
		if c.Rank() == 1 {
			c.Abort(cause)
			t.Error("Abort returns")
		}
		for {
			c.Dup().Free()
		}
	})
	if !errors.Is(err, cause) {
		t.Errorf("error %v", err)
	}
	contains(t, err, "rank 1 of 3: ", "spmd.Comm.Abort at spmd/failure_test.go:")
}

func TestGoexit(t *testing.T) {
	err := run(t, 3, func(c *spmd.Comm) error {
		if c.Rank() == 2 {
			runtime.Goexit()
		}
		c.Barrier()
		return nil
	})
	contains(t, err, "rank 2 of 3: ", "Goexit")
}

// TestFailsInPart has one rank fail while others go on without it.
func TestFailsInPart(t *testing.T) {
	err := run(t, 4, func(c *spmd.Comm) error {
		part := c.Split(c.Rank()/2, 0)
		if c.Rank() == 3 {
			return errors.New("boom")
		}
		for {
			part.Barrier()
		}
	})
	contains(t, err, "rank 3 of 4: boom")
}

// TestUseAfterFailure has a rank that recovers from a failure and carries on.
func TestUseAfterFailure(t *testing.T) {
	var mu sync.Mutex
	failures := 0
	err := run(t, 3, func(c *spmd.Comm) error {
		if c.Rank() == 1 {
			return errors.New("boom")
		}
		for _, x := range collectives {
			func() {
				defer func() {
					mu.Lock()
					defer mu.Unlock()
					var e *spmd.Error
					if p, ok := recover().(error); ok && errors.As(p, &e) {
						failures++
					}
				}()
				x.call(c)
			}()
		}
		return nil
	})
	contains(t, err, "rank 1 of 3: boom")
	if failures != 2*len(collectives) {
		t.Errorf("%d calls failed, want %d", failures, 2*len(collectives))
	}
}

// TestUseAfterRun: a communicator that outlives its run does not wait for ranks
// that are gone.
func TestUseAfterRun(t *testing.T) {
	var old [2]*spmd.Comm
	if err := run(t, 2, func(c *spmd.Comm) error { old[c.Rank()] = c; return nil }); err != nil {
		t.Fatal(err)
	}
	for name, use := range map[string]func(c *spmd.Comm){
		"allreduce": func(c *spmd.Comm) { spmd.AllreduceOne(c, 1.0, spmd.Sum) },
		"recv":      func(c *spmd.Comm) { spmd.Recv(c, []int8{1}, 0, 0) },
		"barrier":   func(c *spmd.Comm) { c.Barrier() },
	} {
		err := run(t, 1, func(*spmd.Comm) error { use(old[1]); return nil })
		contains(t, err, name, "failure_test.go:", "the job has ended")
	}
}

// TestTraceOfAFailedRun: when a rank fails, rank 0's part of the timeline is
// there, and is JSON.
func TestTraceOfAFailedRun(t *testing.T) {
	spmdtest.Embedded(t)
	file := filepath.Join(t.TempDir(), "trace.json")
	t.Setenv("SPMD_TRACE", file)
	err := run(t, 2, func(c *spmd.Comm) error {
		c.Barrier()
		if c.Rank() == 1 {
			panic("boom")
		}
		c.Barrier()
		return nil
	})
	contains(t, err, "boom")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var events []struct{ Name string }
	if err := json.Unmarshal(text, &events); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if len(events) != 2 || events[1].Name != "barrier" {
		t.Errorf("events %v", events)
	}
}
