package spmdtest

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"caloric/spmd"
)

// recorder is a test whose outcome is looked at instead of reported.
type recorder struct {
	testing.TB
	mu              sync.Mutex
	failed, skipped bool
	text            strings.Builder
}

func (r *recorder) add(failed, skipped bool, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed = r.failed || failed
	r.skipped = r.skipped || skipped
	r.text.WriteString(text + "\n")
}

func (r *recorder) Helper()                   {}
func (r *recorder) Log(args ...any)           { r.add(false, false, fmt.Sprint(args...)) }
func (r *recorder) Error(args ...any)         { r.add(true, false, fmt.Sprint(args...)) }
func (r *recorder) Errorf(f string, a ...any) { r.add(true, false, fmt.Sprintf(f, a...)) }

func (r *recorder) Fatal(args ...any) {
	r.Error(args...)
	runtime.Goexit()
}

func (r *recorder) Skip(args ...any) {
	r.add(false, true, fmt.Sprint(args...))
	runtime.Goexit()
}

func (r *recorder) Failed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed
}

func (r *recorder) Skipped() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.skipped
}

// TestRun ends tests in every way while ranks wait for each other.
func TestRun(t *testing.T) {
	for _, test := range []struct {
		name            string
		f               func(t testing.TB, c *spmd.Comm)
		failed, skipped bool
		want            string
	}{
		{"passes", func(t testing.TB, c *spmd.Comm) { c.Barrier() }, false, false, ""},
		{"error", func(t testing.TB, c *spmd.Comm) {
			if c.Rank() == 1 {
				t.Error("wrong")
			}
			c.Barrier()
		}, true, false, "wrong\n"},
		{"fatal on one rank", func(t testing.TB, c *spmd.Comm) {
			if c.Rank() == 1 {
				t.Fatal("wrong")
			}
			c.Barrier()
		}, true, false, "wrong\nrank 1 of 3: "},
		{"fatal on all", func(t testing.TB, c *spmd.Comm) { t.Fatal("wrong") }, true, false, "wrong\nwrong\nwrong\n"},
		{"skip", func(t testing.TB, c *spmd.Comm) {
			if c.Rank() == 2 {
				t.Skip("not now")
			}
			c.Barrier()
		}, false, true, "not now\n"},
		{"mismatch", func(t testing.TB, c *spmd.Comm) {
			if c.Rank() == 2 {
				c.Barrier()
			}
		}, true, false, "spmd: ranks wait for ranks that have returned:"},
		{"error and mismatch", func(t testing.TB, c *spmd.Comm) {
			if c.Rank() == 2 {
				t.Error("wrong")
				c.Barrier()
			}
		}, true, false, "wrong\nspmd: ranks wait for ranks that have returned:"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := &recorder{TB: t}
			Run(r, 3, func(c *spmd.Comm) { test.f(r, c) })
			if r.failed != test.failed || r.skipped != test.skipped || !strings.HasPrefix(r.text.String(), test.want) {
				t.Errorf("failed %v, skipped %v, text %q", r.failed, r.skipped, r.text.String())
			}
		})
	}
}
