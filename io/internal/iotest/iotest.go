// Package iotest holds what the tests of the file formats share.
package iotest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/io/internal/slab"
	"caloric/split"
	"caloric/spmd"
)

// Layouts returns the layouts in which arrays of a shape are saved: replicated,
// and for each axis balanced, everything on the last rank, and ragged with empty
// ranks.
func Layouts(shape split.Shape, ranks int) []*split.Layout {
	layouts := []*split.Layout{split.Block(shape, split.None, ranks)}
	for k, n := range shape {
		axis := split.Axis(k)
		layouts = append(layouts, split.Block(shape, axis, ranks))
		if ranks == 1 {
			continue
		}
		last, ragged := make([]int, ranks), make([]int, ranks)
		last[ranks-1] = n
		left := n
		for r := 1; r < ranks && left > 0; r += 2 {
			ragged[r] = min(left, r)
			left -= ragged[r]
		}
		ragged[1] += left
		layouts = append(layouts, split.WithCounts(shape, axis, last), split.WithCounts(shape, axis, ragged))
	}
	return layouts
}

// File makes a file of the given contents that every rank can read, and returns
// its path. Collective.
func File(t testing.TB, c *spmd.Comm, name, contents string) string {
	t.Helper()
	path := filepath.Join(spmdtest.TempDir(t, c), name)
	if c.Rank() == 0 {
		if err := os.WriteFile(path, []byte(contents), 0o644); err != nil {
			t.Error(err)
		}
	}
	c.Barrier()
	return path
}

// Contents returns what the file at path holds, on every rank the same, and
// waits until every rank has read it. Collective.
func Contents(t testing.TB, c *spmd.Comm, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Error(err)
	}
	c.Barrier()
	return string(b)
}

// OnlyFiles reports files in a directory other than those named. Collective.
func OnlyFiles(t testing.TB, c *spmd.Comm, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Error(err)
	}
	for _, e := range entries {
		if !slices.Contains(names, e.Name()) {
			t.Errorf("%s was left behind", e.Name())
		}
	}
	c.Barrier()
}

// IsError reports an error that does not have the text wanted.
func IsError(t testing.TB, err error, want string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want %s", want)
	} else if err.Error() != want {
		t.Errorf("error\n\t%v\nwant\n\t%s", err, want)
	}
}

// ErrBroken is the error of operations that Break breaks.
var ErrBroken = errors.New("the disk is on fire")

// Break makes an operation on files fail on one rank until mend is called.
// Both are collective.
func Break(c *spmd.Comm, rank int, op string) (mend func()) {
	// Of embedded ranks, which share the hook, just one may set it.
	set := func(f func(r int, o string) error) {
		c.Barrier()
		if c.Rank() == rank {
			slab.Fault = f
		}
		c.Barrier()
	}
	set(func(r int, o string) error {
		if r == rank && o == op {
			return ErrBroken
		}
		return nil
	})
	return func() { set(nil) }
}

// OnRank returns how the error of a single rank begins.
func OnRank(c *spmd.Comm, rank int) string {
	if c.Size() == 1 {
		return ""
	}
	return fmt.Sprintf("rank %d: ", rank)
}

// Calls returns the operations that were called and how often, in alphabetical order.
func Calls(s spmd.Stats) string {
	var calls []string
	for op, n := range s {
		calls = append(calls, fmt.Sprintf("%s:%d", op, n.Calls))
	}
	slices.Sort(calls)
	return strings.Join(calls, " ")
}
