package npy_test

import (
	"fmt"
	"slices"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/io/internal/iotest"
	"caloric/io/npy"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// The values of testdata/gen.py, by index in C order.
func signed[T nd.Real](i int) T   { return T(i*11 - 100) }
func unsigned[T nd.Real](i int) T { return T(i * 11) }
func float[T nd.Float](i int) T   { return T(i)/8 - 1 }
func third(i int) bool            { return i%3 == 0 }

var shape432 = nd.Shape{4, 3, 2}

func TestLoadEveryType(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		loadType(t, c, "bool", third)
		loadType(t, c, "int8", signed[int8])
		loadType(t, c, "int16", signed[int16])
		loadType(t, c, "int32", signed[int32])
		loadType(t, c, "int64", signed[int64])
		loadType(t, c, "uint8", unsigned[uint8])
		loadType(t, c, "uint16", unsigned[uint16])
		loadType(t, c, "uint32", unsigned[uint32])
		loadType(t, c, "uint64", unsigned[uint64])
		loadType(t, c, "float32", float[float32])
		loadType(t, c, "float64", float[float64])
		loadType(t, c, "complex64", func(i int) complex64 { return complex(float32(i)/8, float32(-i)) })
		loadType(t, c, "complex128", func(i int) complex128 { return complex(float64(i)/8, float64(-i)) })
		load(t, c, "int32_big_fortran", shape432, signed[int32])
		load(t, c, "int16_v2", shape432, signed[int16])
		load(t, c, "int16_v3", shape432, signed[int16])
	})
}

func loadType[T nd.Element](t testing.TB, c *spmd.Comm, name string, value func(i int) T) {
	load(t, c, name, shape432, value)
	load(t, c, name+"_fortran", shape432, value)
	switch any(value(0)).(type) {
	case bool, int8, uint8: // have no byte order
	default:
		load(t, c, name+"_big", shape432, value)
	}
}

// load reads a file with every split and compares it with value at every index.
func load[T nd.Element](t testing.TB, c *spmd.Comm, name string, shape nd.Shape, value func(i int) T) {
	t.Helper()
	loadPath(t, c, "testdata/"+name+".npy", shape, value)
}

func loadPath[T nd.Element](t testing.TB, c *spmd.Comm, path string, shape nd.Shape, value func(i int) T) {
	t.Helper()
	for axis := split.None; int(axis) < len(shape); axis++ {
		a, err := npy.Load[T](c, path, axis)
		if err != nil {
			t.Errorf("%s split %v: %v", path, axis, err)
			continue
		}
		want := nd.FromFunc(c, shape, axis, func(index []int) T { return value(flat(shape, index)) })
		if !a.Layout().Equal(want.Layout()) || !a.IsContiguous() {
			t.Errorf("%s split %v has layout %v, in C order: %v", path, axis, a.Layout(), a.IsContiguous())
		} else if !slices.Equal(a.Local(), want.Local()) {
			t.Errorf("%s split %v: %v, want %v", path, axis, a.Local(), want.Local())
		}
	}
}

// flat returns the position of index in the C order of shape.
func flat(shape, index []int) int {
	at := 0
	for k, i := range index {
		at = at*shape[k] + i
	}
	return at
}

func TestLoadOddShapes(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		load(t, c, "scalar", nd.Shape{}, func(int) float64 { return 7.5 })
		load(t, c, "scalar_int", nd.Shape{}, func(int) int64 { return 20200101 })
		load(t, c, "empty", nd.Shape{0, 3}, func(int) float64 { return 0 })
		load(t, c, "empty_inner", nd.Shape{3, 0, 2}, func(int) float64 { return 0 })
		load(t, c, "vector", nd.Shape{5}, func(i int) float64 { return float64(i) })
		load(t, c, "vector_fortran", nd.Shape{5}, func(i int) float64 { return float64(i) })
		load(t, c, "wide", nd.Shape{1, 70, 1}, func(i int) float64 { return float64(i) })
	})
}

// TestLoadCommunication shows what a load communicates beside the data.
func TestLoadCommunication(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for axis := split.None; axis < 3; axis++ {
			before := c.Stats()
			if _, err := npy.Load[float64](c, "testdata/float64.npy", axis); err != nil {
				t.Error(err)
			}
			want := "allreduce:2 bcast:2"
			if axis == split.None && c.Size() > 1 {
				want = "allgatherv:1 " + want
			}
			if got := iotest.Calls(c.Stats().Sub(before)); got != want {
				t.Errorf("split %v communicates %v, want %v", axis, got, want)
			}
		}
	})
}

func TestInfo(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"float64", "(4, 3, 2) <f8 float64 fortran false version 1 offset 128"},
		{"float32_fortran", "(4, 3, 2) <f4 float32 fortran true version 1 offset 128"},
		{"int16_big", "(4, 3, 2) >i2 int16 fortran false version 1 offset 128"},
		{"int16_v2", "(4, 3, 2) <i2 int16 fortran false version 2 offset 128"},
		{"int16_v3", "(4, 3, 2) <i2 int16 fortran false version 3 offset 128"},
		{"bool", "(4, 3, 2) |b1 bool fortran false version 1 offset 128"},
		{"scalar", "() <f8 float64 fortran false version 1 offset 128"},
		{"bad_half", "(2,) <f2  fortran false version 1 offset 128"},
		{"bad_record", "(2,) [('x', '<f8'), ('y', '<i4', (2,))]  fortran false version 1 offset 128"},
	} {
		h, err := npy.Info("testdata/" + tt.name + ".npy")
		got := fmt.Sprintf("%v %s %s fortran %v version %d offset %d", h.Shape, h.DType, h.Type, h.Fortran, h.Version, h.Offset)
		if err != nil || got != tt.want {
			t.Errorf("%s: %s, %v, want %s", tt.name, got, err, tt.want)
		}
	}
	if _, err := npy.Info("testdata/gen.py"); err == nil || err.Error() != `testdata/gen.py: byte 0: no .npy file: it does not start with \x93NUMPY` {
		t.Error(err)
	}
	if _, err := npy.Info("testdata"); err == nil || err.Error() != "open testdata: not a regular file" {
		t.Error(err)
	}
}
