package csv_test

import (
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/io/csv"
	"caloric/io/internal/iotest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// save saves an array from every layout and compares the text.
func save[T nd.Real](t testing.TB, c *spmd.Comm, values []T, shape nd.Shape, want string, opts ...csv.Option) {
	t.Helper()
	dir := spmdtest.TempDir(t, c)
	path := filepath.Join(dir, "data.csv")
	for _, l := range iotest.Layouts(shape, c.Size()) {
		a := nd.FromLayout(c, l, func(i []int) T {
			if len(i) == 1 {
				return values[i[0]]
			}
			return values[shape[1]*i[0]+i[1]]
		})
		if err := csv.Save(path, a, opts...); err != nil {
			t.Errorf("from %v: %v", l, err)
			continue
		}
		if got := iotest.Contents(t, c, path); got != want {
			t.Errorf("from %v: %q, want %q", l, got, want)
		}
		if !a.Layout().Equal(l) {
			t.Errorf("saving changed the layout %v to %v", l, a.Layout())
		}
	}
	iotest.OnlyFiles(t, c, dir, "data.csv")
}

func TestSave(t *testing.T) {
	six := []float64{1, 2.5, -3, 4, 0.1, 6e30}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		save(t, c, six, nd.Shape{3, 2}, "1,2.5\n-3,4\n0.1,6e+30\n")
		save(t, c, six, nd.Shape{2, 3}, "1,2.5,-3\n4,0.1,6e+30\n")
		save(t, c, six, nd.Shape{1, 6}, "1,2.5,-3,4,0.1,6e+30\n")
		save(t, c, six, nd.Shape{6}, "1\n2.5\n-3\n4\n0.1\n6e+30\n")
		save(t, c, six[:0], nd.Shape{0, 2}, "")
		save(t, c, six[:0], nd.Shape{2, 0}, "")
		save(t, c, six[:0], nd.Shape{0, 2}, "x,y\n", csv.Names("x", "y"))
		save(t, c, six[:4], nd.Shape{2, 2}, "x;y\n1;2.5\n-3;4\n", csv.Names("x", "y"), csv.Comma(';'))
		save(t, c, six[:4], nd.Shape{2, 2}, "\"x y\" z\n1 2.5\n-3 4\n", csv.Names("x y", "z"), csv.Comma(' '))
		save(t, c, six[:4], nd.Shape{2, 2}, "\"a, b\",\" say \"\"c\"\"\"\n1,2.5\n-3,4\n", csv.Names("a, b", ` say "c"`))

		inf, nan := math.Inf(1), math.NaN()
		save(t, c, []float64{nan, inf, -inf, math.Copysign(0, -1)}, nd.Shape{2, 2}, "nan,inf\n-inf,-0\n")
		save(t, c, []float64{20200101, 1e16, 9007199254740993, 1e-4, 0.00001234, 5e-324}, nd.Shape{6},
			"20200101\n1e+16\n9007199254740992\n0.0001\n1.234e-05\n5e-324\n")
		save(t, c, []float32{0.1, 16777216, 3.4028235e38}, nd.Shape{3}, "0.1\n16777216\n3.4028235e+38\n")
		save(t, c, []int64{math.MinInt64, 1<<53 + 1}, nd.Shape{2}, "-9223372036854775808\n9007199254740993\n")
		save(t, c, []uint64{math.MaxUint64}, nd.Shape{1}, "18446744073709551615\n")
		save(t, c, []int8{-128, 127}, nd.Shape{2}, "-128\n127\n")
		save(t, c, []uint8{0, 255}, nd.Shape{1, 2}, "0,255\n")
	})
}

// TestSaveThenLoad brings back every bit.
func TestSaveThenLoad(t *testing.T) {
	x := make([]float64, 600)
	for i := range x {
		x[i] = math.Float64frombits(uint64(i+1) * 0x9e3779b97f4a7c15 &^ (1 << 62)) // no NaN or Inf
	}
	names := []string{"one", "2, or two", `"three"`}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		path := filepath.Join(spmdtest.TempDir(t, c), "data.csv")
		for _, l := range iotest.Layouts(nd.Shape{200, 3}, c.Size()) {
			if err := csv.Save(path, nd.FromSlice(c, x, l.Shape(), split.None).MoveTo(l), csv.Names(names...)); err != nil {
				t.Error(err)
			}
			a, got, err := csv.LoadTable[float64](c, path, l.Axis(), csv.Header(true))
			if err != nil || !slices.Equal(a.Gather(), x) || !slices.Equal(got, names) {
				t.Errorf("saved from %v: names %q, error %v", l, got, err)
			}
			c.Barrier()
		}
	})
}

// TestSaveViews saves arrays whose local parts have gaps or are in another order.
func TestSaveViews(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		path := filepath.Join(spmdtest.TempDir(t, c), "data.csv")
		for axis := split.None; axis < 2; axis++ {
			a := nd.FromFunc(c, nd.Shape{4, 5}, axis, func(i []int) int32 { return int32(10*i[0] + i[1]) })
			if err := csv.Save(path, a.Slice(nd.From(2), nd.Range(0, 5, 2)).T()); err != nil {
				t.Error(err)
			}
			if got, want := iotest.Contents(t, c, path), "20,30\n22,32\n24,34\n"; got != want {
				t.Errorf("split %v: %q, want %q", axis, got, want)
			}
		}
	})
}

func TestSaveUnbalanced(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		path := filepath.Join(spmdtest.TempDir(t, c), "data.csv")
		if err := csv.Save(path, nd.Arange(c, 0.0, 9, 1, 0).Slice(nd.From(4))); err != nil {
			t.Error(err)
		}
		if got, want := iotest.Contents(t, c, path), "4\n5\n6\n7\n8\n"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

func TestSaveCommunication(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		path := filepath.Join(spmdtest.TempDir(t, c), "data.csv")
		for axis := split.None; axis < 2; axis++ {
			a := nd.Zeros[float64](c, nd.Shape{8, 4}, axis)
			before := c.Stats()
			if err := csv.Save(path, a); err != nil {
				t.Error(err)
			}
			want := "allgatherv:1 allreduce:1 bcast:4"
			if axis == 1 && c.Size() > 1 {
				want = "allgatherv:1 allreduce:1 alltoallv:1 bcast:4"
			}
			if got := iotest.Calls(c.Stats().Sub(before)); got != want {
				t.Errorf("split %v communicates %v, want %v", axis, got, want)
			}
		}
	})
}

// TestSaveWhenOneRankFails breaks every operation in turn: all ranks get one
// error, and what stood under the final name is still there, alone.
func TestSaveWhenOneRankFails(t *testing.T) {
	for _, op := range []string{"create", "write", "close", "rename"} {
		spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
			bad, where := c.Size()-1, iotest.OnRank(c, c.Size()-1)
			if op == "create" || op == "rename" { // is rank 0's alone, and needs no mention of it
				bad, where = 0, ""
			}
			path := iotest.File(t, c, "data.csv", "precious")
			defer iotest.Break(c, bad, op)()
			err := csv.Save(path, nd.Ones[float64](c, nd.Shape{9, 2}, 0))
			iotest.IsError(t, err, where+op+" "+path+": "+iotest.ErrBroken.Error())
			if got := iotest.Contents(t, c, path); got != "precious" {
				t.Errorf("%s: the file holds %q", op, got)
			}
			iotest.OnlyFiles(t, c, filepath.Dir(path), "data.csv")
		})
	}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		file := iotest.File(t, c, "file", "")
		err := csv.Save(file+"/data.csv", nd.Ones[float64](c, nd.Shape{9, 2}, 0))
		iotest.IsError(t, err, "create "+file+"/data.csv: not a directory")
	})
}

func TestSaveOfWhatIsNoTable(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for name, f := range map[string]func() error{
			"0-d":   func() error { return csv.Save("x.csv", nd.Zeros[int8](c, nd.Shape{}, split.None)) },
			"3-d":   func() error { return csv.Save("x.csv", nd.Zeros[int8](c, nd.Shape{1, 1, 1}, 0)) },
			"names": func() error { return csv.Save("x.csv", nd.Zeros[int8](c, nd.Shape{2, 2}, 0), csv.Names("x")) },
		} {
			err := nd.Try(func() { t.Error(name, f()) })
			if err == nil || !strings.HasPrefix(err.Error(), "csv.Save at csv/save_test.go:") {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

func TestNumPyReads(t *testing.T) {
	spmdtest.Embedded(t)
	if err := exec.Command("python3", "-c", "import numpy").Run(); err != nil {
		t.Skipf("python3 with numpy: %v", err)
	}
	dir := t.TempDir()
	shape := nd.Shape{9, 4}
	spmdtest.Run(t, 3, func(c *spmd.Comm) {
		for i, l := range iotest.Layouts(shape, 3) {
			a := nd.FromLayout(c, l, func(i []int) float64 { return float64(4*i[0]+i[1]) / 7 })
			if err := csv.Save(fmt.Sprintf("%s/%d.csv", dir, i), a, csv.Names("a", "b", "c", "d")); err != nil {
				t.Error(err)
			}
		}
	})
	const script = `
import glob, sys, numpy as np
files = glob.glob(sys.argv[1] + "/*.csv")
for f in files:
    a = np.loadtxt(f, delimiter=",", skiprows=1)
    assert np.array_equal(a, np.arange(36).reshape(9, 4) / 7), (f, a)
print(len(files))`
	out, err := exec.Command("python3", "-c", script, dir).CombinedOutput()
	if want := fmt.Sprintln(len(iotest.Layouts(shape, 3))); err != nil || string(out) != want {
		t.Errorf("%v: %s", err, out)
	}
}
