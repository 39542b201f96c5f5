package io_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/io"
	"caloric/io/internal/iotest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// What went wrong in other systems, with the issue or the probe that showed it.

var formats = []string{"a.npy", "a.csv", "a.tsv", "a.txt"}

// heat P47: a CSV file without a final newline hung.
func TestNoFinalNewline(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		path := iotest.File(t, c, "a.csv", "1,2\n3,4\n5,6")
		for axis := split.None; axis < 2; axis++ {
			a, err := io.Load[float64](c, path, axis)
			if err != nil || !a.Shape().Equal(nd.Shape{3, 2}) || !slices.Equal(a.Gather(), []float64{1, 2, 3, 4, 5, 6}) {
				t.Errorf("split %v: %v, %v", axis, a, err)
			}
		}
	})
}

// heat P49: saving an unbalanced array hung.
func TestUnbalanced(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, name := range formats {
			path := filepath.Join(spmdtest.TempDir(t, c), name)
			if err := io.Save(path, nd.Arange(c, 0.0, 9, 1, 0).Slice(nd.From(4))); err != nil {
				t.Error(err)
			}
			a, err := io.Load[float64](c, path, 0)
			if err != nil || !slices.Equal(a.Gather(), []float64{4, 5, 6, 7, 8}) {
				t.Errorf("%s: %v, %v", name, a, err)
			}
		}
	})
}

// heat #1799: integers saved by way of float32 lost digits.
func TestIntegersKeepTheirDigits(t *testing.T) {
	days := []int64{20200101, 20200102, 20200103, 20200104, 20200105, 1<<53 + 1}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, name := range formats {
			path := filepath.Join(spmdtest.TempDir(t, c), name)
			if err := io.Save(path, nd.FromSlice(c, days, nd.Shape{len(days)}, 0)); err != nil {
				t.Error(err)
			}
			a, err := io.Load[int64](c, path, 0)
			if err != nil || !slices.Equal(a.Gather(), days) {
				t.Errorf("%s: %v, %v", name, a, err)
			}
		}
	})
}

// heat PR 2139: when one rank failed to write, the others waited for it.
func TestUnwritablePath(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		file := iotest.File(t, c, "file", "")
		for _, name := range formats {
			path := filepath.Join(file, name)
			iotest.IsError(t, io.Save(path, nd.Arange(c, 0.0, 9, 1, 0)), "create "+path+": not a directory")
		}
	})
}

// Ranks that range over a map save and load in different orders: an error, and
// what the files held before stays.
func TestRanksDisagree(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		if c.Size() == 1 {
			return
		}
		for _, ext := range []string{".npy", ".csv"} {
			dir := spmdtest.TempDir(t, c)
			x, y := nd.Ones[float64](c, nd.Shape{6, 2}, 0), nd.Full(c, nd.Shape{4}, 2.0, nd.None)
			a, b := filepath.Join(dir, "a"+ext), filepath.Join(dir, "b"+ext)
			for _, err := range []error{io.Save(a, x), io.Save(b, y)} {
				if err != nil {
					t.Fatal(err)
				}
			}
			wrong := c.Rank() == 1
			path := a
			if wrong {
				path = b
			}
			var err error
			if wrong {
				err = io.Save(path, nd.Neg(y))
			} else {
				err = io.Save(path, nd.Neg(x))
			}
			if err == nil || !strings.Contains(err.Error(), "rank 1: ") || !strings.Contains(err.Error(), "it saves float64 of shape (4,) to "+b) ||
				!strings.Contains(err.Error(), "where rank 0 saves float64 of shape (6, 2) to "+a) {
				t.Errorf("saved different arrays: %v", err)
			}
			if _, err := io.Load[float64](c, path, 0); err == nil || !strings.Contains(err.Error(), "it loads ") || !strings.Contains(err.Error(), "another file") {
				t.Errorf("loaded different files: %v", err)
			}
			got, err := io.Load[float64](c, a, 0)
			if err != nil || nd.Sum(got).Item() != 12 {
				t.Errorf("%s holds %v, %v", a, got, err)
			}
		}
	})
}
