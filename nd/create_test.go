package nd_test

import (
	"math"
	"slices"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

func TestArange(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for axis := split.None; axis <= 0; axis++ {
			checkValues(t, nd.Arange[int64](c, 0, 5, 1, axis), []int64{0, 1, 2, 3, 4})
			checkValues(t, nd.Arange[int64](c, 10, 0, -3, axis), []int64{10, 7, 4, 1})
			checkValues(t, nd.Arange[int64](c, 3, 3, 1, axis), []int64{})
			checkValues(t, nd.Arange[int64](c, 3, 0, 1, axis), []int64{})
			checkValues(t, nd.Arange[uint8](c, 250, 255, 2, axis), []uint8{250, 252, 254})
			checkValues(t, nd.Arange[int8](c, -128, 127, 100, axis), []int8{-128, -28, 72})
			checkValues(t, nd.Arange(c, 0, 1, 0.25, axis), []float64{0, 0.25, 0.5, 0.75})
			checkValues(t, nd.Arange[int64](c, math.MaxInt64-2, math.MaxInt64, 1, axis), []int64{math.MaxInt64 - 2, math.MaxInt64 - 1})
			checkValues(t, nd.Linspace(c, 1.0, 2.0, 5, axis), []float64{1, 1.25, 1.5, 1.75, 2})
			checkValues(t, nd.Linspace(c, 1.0, 2.0, 1, axis), []float64{1})
			checkValues(t, nd.Linspace(c, 1.0, 2.0, 0, axis), []float64{})
			checkValues(t, nd.Linspace[float32](c, 0, 1, 3, axis), []float32{0, 0.5, 1})
		}
		if nd.Try(func() { nd.Arange[int64](c, 0, 1, 0, 0) }) == nil || nd.Try(func() { nd.Arange(c, 0, math.Inf(1), 1, 0) }) == nil {
			t.Error("an endless range is no error")
		}
	})
}

func checkValues[T nd.Element](t testing.TB, a *nd.NDArray[T], want []T) {
	t.Helper()
	if got := a.Gather(); !slices.Equal(got, want) {
		t.Errorf("%v holds %v, want %v", a.Layout(), got, want)
	}
}

func TestEye(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, shape := range []nd.Shape{{4, 6}, {6, 4}, {1, 1}, {0, 3}, {5, 5}} {
			for axis := split.None; axis < 2; axis++ {
				for k := -6; k <= 6; k++ {
					var want []float32
					eachIndex(shape, func(i []int) {
						v := float32(0)
						if i[1] == i[0]+k {
							v = 1
						}
						want = append(want, v)
					})
					checkValues(t, nd.Eye[float32](c, shape[0], shape[1], k, axis), append([]float32{}, want...))
				}
			}
		}
	})
}

func TestCreate(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		before := c.Stats()
		for _, shape := range moveShapes {
			for axis := split.None; int(axis) < len(shape); axis++ {
				n := shape.Size()
				a := nd.FromSlice(c, countTo(n), shape, axis)
				b := nd.FromFunc(c, shape, axis, func(i []int) int32 { return int32(flat(shape, i)) + 1 })
				lo, hi := a.Layout().Range(c.Rank())
				if !slices.Equal(a.Local(), b.Local()) || !a.Layout().Equal(b.Layout()) {
					t.Errorf("%v split %v [%d:%d]: %v and %v", shape, axis, lo, hi, a.Local(), b.Local())
				}
				for v, a := range map[int32]*nd.NDArray[int32]{0: nd.Zeros[int32](c, shape, axis), 1: nd.Ones[int32](c, shape, axis), 7: nd.Full(c, shape, int32(7), axis)} {
					if slices.ContainsFunc(a.Local(), func(x int32) bool { return x != v }) || len(a.Local()) != a.LocalSize() {
						t.Errorf("%v of %v is %v", v, shape, a.Local())
					}
				}
				if l := a.Layout(); nd.ZerosLike(a).Layout() != l || nd.OnesLike(a).Layout() != l ||
					nd.EmptyLike(a).Layout() != l || nd.FullLike(a, 3).Layout() != l || nd.Copy(a).Layout() != l {
					t.Error("a …Like array does not share the layout")
				}
			}
		}
		if n := c.Stats().Sub(before).Total().Calls; n != 0 {
			t.Errorf("creation made %d calls", n)
		}
		for _, f := range []func(){
			func() { nd.Zeros[bool](c, nd.Shape{2}, 1) },
			func() { nd.Zeros[bool](c, nd.Shape{-2}, 0) },
			func() { nd.FromSlice(c, []bool{true}, nd.Shape{2}, 0) },
			func() { nd.Zeros[bool](c, make(nd.Shape, 17), 0) },
			func() { nd.Zeros[bool](c, nd.Shape{1 << 40, 1 << 40}, 0) },
		} {
			if nd.Try(f) == nil {
				t.Error("bad arguments are no error")
			}
		}
	})
}
