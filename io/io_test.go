package io_test

import (
	"path/filepath"
	"slices"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/io"
	"caloric/io/internal/iotest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

func TestMain(m *testing.M) { spmdtest.Main(m) }

func TestLoadAndSaveByExtension(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		dir := spmdtest.TempDir(t, c)
		a := nd.FromFunc(c, nd.Shape{7, 3}, 0, func(i []int) int64 { return int64(1<<60 + 3*i[0] + i[1]) })
		want := a.Gather()
		for _, name := range []string{"a.npy", "a.csv", "a.tsv", "a.txt", "A.CSV"} {
			path := filepath.Join(dir, name)
			if err := io.Save(path, a); err != nil {
				t.Error(err)
			}
			for axis := split.None; axis < 2; axis++ {
				b, err := io.Load[int64](c, path, axis)
				if err != nil || b.Split() != axis || !b.Shape().Equal(a.Shape()) || !slices.Equal(b.Gather(), want) {
					t.Errorf("%s split %v: %v, %v", name, axis, b, err)
				}
			}
		}
		if got, want := iotest.Contents(t, c, filepath.Join(dir, "a.tsv"))[:39], "1152921504606846976\t1152921504606846977"; got != want {
			t.Errorf("a.tsv begins %q", got)
		}
		for _, name := range []string{"a.h5", "a", "a.csv.gz"} {
			ext := filepath.Ext(name)
			_, err := io.Load[int64](c, name, 0)
			iotest.IsError(t, err, name+`: extension "`+ext+`" is none of .csv, .npy, .tsv, .txt`)
			iotest.IsError(t, io.Save(name, a), name+`: extension "`+ext+`" is none of .csv, .npy, .tsv, .txt`)
		}
	})
}
