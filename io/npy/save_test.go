package npy_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/io/internal/iotest"
	"caloric/io/npy"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// TestSaveEveryType compares what is saved, from every layout, with what NumPy
// saved, byte by byte.
func TestSaveEveryType(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		saveType(t, c, "bool", third)
		saveType(t, c, "int8", signed[int8])
		saveType(t, c, "int16", signed[int16])
		saveType(t, c, "int32", signed[int32])
		saveType(t, c, "int64", signed[int64])
		saveType(t, c, "uint8", unsigned[uint8])
		saveType(t, c, "uint16", unsigned[uint16])
		saveType(t, c, "uint32", unsigned[uint32])
		saveType(t, c, "uint64", unsigned[uint64])
		saveType(t, c, "float32", float[float32])
		saveType(t, c, "float64", float[float64])
		saveType(t, c, "complex64", func(i int) complex64 { return complex(float32(i)/8, float32(-i)) })
		saveType(t, c, "complex128", func(i int) complex128 { return complex(float64(i)/8, float64(-i)) })
		save(t, c, "scalar", nd.Shape{}, func(int) float64 { return 7.5 })
		save(t, c, "scalar_int", nd.Shape{}, func(int) int64 { return 20200101 })
		save(t, c, "empty", nd.Shape{0, 3}, func(int) float64 { return 0 })
		save(t, c, "empty_inner", nd.Shape{3, 0, 2}, func(int) float64 { return 0 })
		save(t, c, "vector", nd.Shape{5}, func(i int) float64 { return float64(i) })
		save(t, c, "wide", nd.Shape{1, 70, 1}, func(i int) float64 { return float64(i) })
	})
}

func saveType[T nd.Element](t testing.TB, c *spmd.Comm, name string, value func(i int) T) {
	save(t, c, name, shape432, value)
}

func save[T nd.Element](t testing.TB, c *spmd.Comm, name string, shape nd.Shape, value func(i int) T) {
	t.Helper()
	want, err := os.ReadFile("testdata/" + name + ".npy")
	if err != nil {
		t.Error(err)
	}
	dir := spmdtest.TempDir(t, c)
	path := filepath.Join(dir, name+".npy")
	for _, l := range iotest.Layouts(shape, c.Size()) {
		a := nd.FromLayout(c, l, func(index []int) T { return value(flat(shape, index)) })
		if err := npy.Save(path, a); err != nil {
			t.Errorf("%s from %v: %v", name, l, err)
			continue
		}
		if got := iotest.Contents(t, c, path); got != string(want) {
			t.Errorf("%s from %v: %q, want %q", name, l, got, want)
		}
		if a.Layout() != l {
			t.Errorf("saving changed the layout %v to %v", l, a.Layout())
		}
	}
	iotest.OnlyFiles(t, c, dir, name+".npy")
}

// TestSaveAndLoadStaged is with runs so short and many that data moves between
// ranks on the way.
func TestSaveAndLoadStaged(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		path := filepath.Join(spmdtest.TempDir(t, c), "a.npy")
		for _, shape := range []nd.Shape{{100, 6}, {1, 50, 9}, {3, 40, 2, 3}} {
			for _, l := range iotest.Layouts(shape, c.Size()) {
				value := func(index []int) int32 { return int32(flat(shape, index)) }
				if err := npy.Save(path, nd.FromLayout(c, l, value)); err != nil {
					t.Error(err)
				}
				loadPath(t, c, path, shape, func(i int) int32 { return int32(i) })
			}
		}
	})
}

// TestSaveViews saves arrays whose local parts have gaps or are in another order.
func TestSaveViews(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		path := filepath.Join(spmdtest.TempDir(t, c), "a.npy")
		for axis := split.None; axis < 2; axis++ {
			a := nd.FromFunc(c, nd.Shape{7, 5}, axis, func(i []int) float64 { return float64(10*i[0] + i[1]) })
			v := a.Slice(nd.From(2), nd.Range(0, 5, 2)).T()
			if err := npy.Save(path, v); err != nil {
				t.Error(err)
			}
			loadPath(t, c, path, nd.Shape{3, 5}, func(i int) float64 { return float64(10*(i%5+2) + i/5*2) })
		}
	})
}

// TestSaveUnbalanced saves what a slice left on the later ranks.
func TestSaveUnbalanced(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		path := filepath.Join(spmdtest.TempDir(t, c), "a.npy")
		if err := npy.Save(path, nd.Arange(c, 0.0, 9, 1, 0).Slice(nd.From(4))); err != nil {
			t.Error(err)
		}
		loadPath(t, c, path, nd.Shape{5}, func(i int) float64 { return float64(i + 4) })
	})
}

// TestIntegersStayExact has numbers that a float32, or a float64, cannot hold.
func TestIntegersStayExact(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		path := filepath.Join(spmdtest.TempDir(t, c), "days.npy")
		for _, days := range [][]int64{{20200101, 20200102, 20200103, 20200104, 20200105}, {1<<63 - 1, 1<<53 + 1, -1 << 63}} {
			if err := npy.Save(path, nd.FromSlice(c, days, nd.Shape{len(days)}, 0)); err != nil {
				t.Error(err)
			}
			loadPath(t, c, path, nd.Shape{len(days)}, func(i int) int64 { return days[i] })
		}
	})
}

func TestSaveCommunication(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		path := filepath.Join(spmdtest.TempDir(t, c), "a.npy")
		for axis := split.None; axis < 2; axis++ {
			a := nd.Zeros[float64](c, nd.Shape{8, 4}, axis)
			before := c.Stats()
			if err := npy.Save(path, a); err != nil {
				t.Error(err)
			}
			if got, want := iotest.Calls(c.Stats().Sub(before)), "allreduce:1 bcast:4"; got != want {
				t.Errorf("split %v communicates %v, want %v", axis, got, want)
			}
		}
	})
}

// TestSaveWhenOneRankFails breaks every operation in turn: all ranks get one
// error, and what stood under the final name is still there, alone.
func TestSaveWhenOneRankFails(t *testing.T) {
	for _, op := range []string{"create", "open", "write", "close", "rename"} {
		spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
			bad, where := c.Size()-1, iotest.OnRank(c, c.Size()-1)
			switch op {
			case "create", "rename": // is rank 0's alone, and needs no mention of it
				bad, where = 0, ""
			case "open":
				if c.Size() == 1 {
					return
				}
			}
			path := iotest.File(t, c, "a.npy", "precious")
			defer iotest.Break(c, bad, op)()
			err := npy.Save(path, nd.Ones[float64](c, nd.Shape{9, 2}, 0))
			iotest.IsError(t, err, where+op+" "+path+": "+iotest.ErrBroken.Error())
			if got := iotest.Contents(t, c, path); got != "precious" {
				t.Errorf("%s: the file holds %q", op, got)
			}
			iotest.OnlyFiles(t, c, filepath.Dir(path), "a.npy")
		})
	}
}

func TestSaveWhereNoFileCanBe(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		file := iotest.File(t, c, "file", "")
		dir := filepath.Dir(file)
		a := nd.Ones[float64](c, nd.Shape{9, 2}, 0)
		iotest.IsError(t, npy.Save(file+"/a.npy", a), "create "+file+"/a.npy: not a directory")
		iotest.IsError(t, npy.Save(dir+"/none/a.npy", a), "create "+dir+"/none/a.npy: no such file or directory")
		iotest.IsError(t, npy.Save(dir, a), "create "+dir+": not a regular file")
		iotest.IsError(t, npy.Save("/dev/null", a), "create /dev/null: not a regular file")
		iotest.OnlyFiles(t, c, dir, "file")
	})
}

// TestSaveThroughALink replaces what a link points to and keeps its mode.
func TestSaveThroughALink(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		path := iotest.File(t, c, "a.npy", "old")
		link := filepath.Join(filepath.Dir(path), "link.npy")
		if c.Rank() == 0 {
			if err := os.Symlink("a.npy", link); err != nil {
				t.Error(err)
			}
			if err := os.Chmod(path, 0o640); err != nil {
				t.Error(err)
			}
		}
		c.Barrier()
		if err := npy.Save(link, nd.Arange(c, 0.0, 5, 1, 0)); err != nil {
			t.Error(err)
		}
		loadPath(t, c, path, nd.Shape{5}, func(i int) float64 { return float64(i) })
		info, err := os.Stat(path)
		if err != nil || info.Mode() != 0o640 {
			t.Errorf("mode %v, %v", info.Mode(), err)
		}
		c.Barrier()
	})
}

// TestNumPyReads has NumPy read what is saved. That it is what NumPy itself
// writes TestSaveEveryType shows where there is no NumPy.
func TestNumPyReads(t *testing.T) {
	spmdtest.Embedded(t)
	if err := exec.Command("python3", "-c", "import numpy").Run(); err != nil {
		t.Skipf("python3 with numpy: %v", err)
	}
	dir := t.TempDir()
	shape := nd.Shape{5, 3, 4}
	spmdtest.Run(t, 3, func(c *spmd.Comm) {
		for i, l := range iotest.Layouts(shape, 3) {
			a := nd.FromLayout(c, l, func(index []int) float32 { return float32(flat(shape, index)) })
			if err := npy.Save(fmt.Sprintf("%s/%d.npy", dir, i), a); err != nil {
				t.Error(err)
			}
		}
	})
	const script = `
import glob, sys, numpy as np
files = glob.glob(sys.argv[1] + "/*.npy")
for f in files:
    a = np.load(f)
    assert a.dtype == np.float32 and np.array_equal(a, np.arange(60).reshape(5, 3, 4)), (f, a)
print(len(files))`
	out, err := exec.Command("python3", "-c", script, dir).CombinedOutput()
	if want := fmt.Sprintln(len(iotest.Layouts(shape, 3))); err != nil || string(out) != want {
		t.Errorf("%v: %s", err, out)
	}
}

func TestSaveKeepsLocalMemory(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.Arange(c, 0.0, 5, 1, 0)
		want := slices.Clone(a.Local())
		if err := npy.Save(filepath.Join(spmdtest.TempDir(t, c), "a.npy"), a); err != nil {
			t.Error(err)
		}
		if !slices.Equal(a.Local(), want) {
			t.Errorf("%v became %v", want, a.Local())
		}
	})
}
