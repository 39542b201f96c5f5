package nd_test

import (
	"fmt"
	"slices"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// pySlice returns the indices that start:stop:step selects of n, as Python's
// slice.indices defines them.
func pySlice(start, stop, step, n int) []int {
	lower, upper := 0, n
	if step < 0 {
		lower, upper = -1, n-1
	}
	bound := func(b, open int) int {
		switch {
		case b == nd.Open:
			return open
		case b < 0:
			return max(b+n, lower)
		}
		return min(b, upper)
	}
	var out []int
	if step > 0 {
		for i, end := bound(start, lower), bound(stop, upper); i < end; i += step {
			out = append(out, i)
		}
		return out
	}
	for i, end := bound(start, upper), bound(stop, lower); i > end; i += step {
		out = append(out, i)
	}
	return out
}

type bounds struct{ start, stop, step int }

var someBounds = []bounds{{nd.Open, nd.Open, 1}, {2, 100, 1}, {-100, 2, 1}, {1, -1, 2}, {nd.Open, nd.Open, -1},
	{0, nd.Open, -1}, {-2, 0, -2}, {4, 1, 1}, {100, -100, -3}, {3, 3, 1}, {nd.Open, nd.Open, 3}, {-11, -7, -2}}

func TestSlice1D(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, n := range []int{0, 1, 6, 11} {
			for _, l := range testLayouts(c, nd.Shape{n}) {
				a := counting(c, l)
				for _, b := range someBounds {
					before := c.Stats()
					v := a.Slice(nd.Range(b.start, b.stop, b.step))
					calls := c.Stats().Sub(before).Total().Calls
					if moved := calls > 0; moved != (b.step < 0 && a.Split() == 0 && c.Size() > 1 && len(pySlice(b.start, b.stop, b.step, n)) > 1) {
						t.Fatalf("%v of %v: %d calls", b, l, calls)
					}
					want := []int32{}
					for _, i := range pySlice(b.start, b.stop, b.step, n) {
						want = append(want, int32(i)+1)
					}
					if got := v.Gather(); !slices.Equal(got, want) || v.Size() != len(want) {
						t.Fatalf("%v of %v: %v, want %v", b, l, got, want)
					}
				}
			}
		}
	})
}

func TestSlice3D(t *testing.T) {
	shape := nd.Shape{5, 4, 6}
	items := [][]nd.Item{
		{nd.Index(2)}, {nd.Index(-1), nd.Whole(), nd.Index(0)}, {nd.Ellipsis(), nd.Index(3)},
		{nd.NewAxis(), nd.Range(1, 4, 2), nd.Index(1), nd.NewAxis()},
		{nd.Range(nd.Open, nd.Open, -2), nd.From(2), nd.To(-1)},
		{nd.Whole(), nd.Range(nd.Open, nd.Open, -1), nd.Range(5, 0, -3)},
		{nd.Index(1), nd.Index(2), nd.Index(3)}, {nd.Ellipsis()}, {nd.Range(4, 1, 1)}, {},
	}
	// the same selections as lists of indices per axis, and the shape
	pick := []struct {
		at    [3][]int
		shape nd.Shape
	}{
		{[3][]int{{2}, {0, 1, 2, 3}, {0, 1, 2, 3, 4, 5}}, nd.Shape{4, 6}},
		{[3][]int{{4}, {0, 1, 2, 3}, {0}}, nd.Shape{4}},
		{[3][]int{{0, 1, 2, 3, 4}, {0, 1, 2, 3}, {3}}, nd.Shape{5, 4}},
		{[3][]int{{1, 3}, {1}, {0, 1, 2, 3, 4, 5}}, nd.Shape{1, 2, 1, 6}},
		{[3][]int{{4, 2, 0}, {2, 3}, {0, 1, 2, 3, 4}}, nd.Shape{3, 2, 5}},
		{[3][]int{{0, 1, 2, 3, 4}, {3, 2, 1, 0}, {5, 2}}, nd.Shape{5, 4, 2}},
		{[3][]int{{1}, {2}, {3}}, nd.Shape{}},
		{[3][]int{{0, 1, 2, 3, 4}, {0, 1, 2, 3}, {0, 1, 2, 3, 4, 5}}, shape},
		{[3][]int{{}, {0, 1, 2, 3}, {0, 1, 2, 3, 4, 5}}, nd.Shape{0, 4, 6}},
		{[3][]int{{0, 1, 2, 3, 4}, {0, 1, 2, 3}, {0, 1, 2, 3, 4, 5}}, shape},
	}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, l := range testLayouts(c, shape) {
			a := counting(c, l)
			for k, it := range items {
				want := []int32{}
				for _, i := range pick[k].at[0] {
					for _, j := range pick[k].at[1] {
						for _, m := range pick[k].at[2] {
							want = append(want, int32((i*4+j)*6+m)+1)
						}
					}
				}
				v := a.Slice(it...)
				if !v.Shape().Equal(pick[k].shape) {
					t.Fatalf("%v of %v has shape %v, want %v", it, l, v.Shape(), pick[k].shape)
				}
				if got := v.Gather(); !slices.Equal(got, want) {
					t.Fatalf("%v of %v: %v, want %v", it, l, got, want)
				}
			}
		}
	})
}

func TestSliceIsAView(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.Arange[float64](c, 0, 12, 1, 0)
		nd.CopyInto(a.Slice(nd.Range(1, 12, 3)), nd.Full(c, nd.Shape{}, -1.0, split.None))
		want := []float64{0, -1, 2, 3, -1, 5, 6, -1, 8, 9, -1, 11}
		if got := a.Gather(); !slices.Equal(got, want) {
			t.Errorf("after writing through the slice: %v", got)
		}
	})
}

func TestSliceErrors(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.Zeros[float64](c, nd.Shape{3, 4}, 0)
		for _, items := range [][]nd.Item{{nd.Index(3)}, {nd.Index(-4)}, {nd.Range(0, 1, 0)},
			{nd.Index(0), nd.Index(0), nd.Index(0)}, {nd.Ellipsis(), nd.Ellipsis()}} {
			if nd.Try(func() { a.Slice(items...) }) == nil {
				t.Errorf("%v: no error", items)
			}
		}
	})
}

func TestTranspose(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		shape := nd.Shape{3, 4, 5}
		for _, l := range testLayouts(c, shape) {
			a := counting(c, l)
			for _, perm := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}, {-1, 0, 1}} {
				before := c.Stats()
				b := a.Transpose(perm...)
				if n := c.Stats().Sub(before).Total().Calls; n != 0 {
					t.Fatalf("transpose made %d calls", n)
				}
				var want []int32
				eachIndex(b.Shape(), func(i []int) {
					var src [3]int
					for k, p := range perm {
						src[(p+3)%3] = i[k]
					}
					want = append(want, int32(flat(shape, src[:]))+1)
				})
				if got := b.Gather(); !slices.Equal(got, want) {
					t.Fatalf("transpose %v of %v: %v, want %v", perm, l, got, want)
				}
			}
		}
		a := nd.Zeros[int8](c, shape, 0)
		for _, perm := range [][]int{{0, 1}, {0, 1, 1}, {0, 1, 3}} {
			if nd.Try(func() { a.Transpose(perm...) }) == nil {
				t.Errorf("%v: no error", perm)
			}
		}
	})
}

func TestAtAndItem(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		shape := nd.Shape{3, 4}
		for _, l := range testLayouts(c, shape) {
			a := counting(c, l)
			for _, v := range []*nd.NDArray[int32]{a, a.T().T()} {
				eachIndex(shape, func(i []int) {
					if got := v.At(i...); got != int32(flat(shape, i))+1 {
						t.Fatalf("%v at %v is %v", l, i, got)
					}
				})
			}
			if got := a.At(-1, -4); got != 9 {
				t.Fatalf("At(-1, -4) of %v is %v", l, got)
			}
			if nd.Try(func() { a.At(3, 0) }) == nil || nd.Try(func() { a.At(0) }) == nil || nd.Try(func() { a.Item() }) == nil {
				t.Error("a bad index is no error")
			}
			if got := a.Slice(nd.Range(2, 3, 1), nd.Range(1, 2, 1)).Item(); got != 10 {
				t.Errorf("Item is %v", got)
			}
		}
	})
}

func TestFromLocal(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		r := c.Rank()
		local := make([]int64, r*2)
		for i := range local {
			local[i] = int64(r*100 + i)
		}
		a := nd.FromLocal(c, local, nd.Shape{r, 2}, 0)
		if want := (nd.Shape{c.Size() * (c.Size() - 1) / 2, 2}); !a.Shape().Equal(want) {
			t.Errorf("shape %v, want %v", a.Shape(), want)
		}
		if r > 0 && a.Local()[0] != int64(r*100) {
			t.Error("FromLocal copies")
		}
		var want []int64
		for q := range c.Size() {
			for i := range q * 2 {
				want = append(want, int64(q*100+i))
			}
		}
		if got := a.Gather(); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
		if c.Size() == 1 {
			return
		}
		// Parts that do not fit are the same error on every rank.
		for name, f := range map[string]func(){
			"shapes": func() { nd.FromLocal(c, make([]int64, (r+1)*(r+1)), nd.Shape{r + 1, r + 1}, 0) },
		} {
			err := nd.Try(f)
			if err == nil {
				t.Fatalf("%s: no error", name)
			}
			texts := gatherText(c, err.Error())
			for _, s := range texts {
				if s != texts[0] {
					t.Errorf("%s: errors differ: %q and %q", name, texts[0], s)
				}
			}
		}
		if nd.Try(func() { nd.FromLocal(c, make([]int64, 2), nd.Shape{2}, split.Axis(min(r, 1)-1)) }) == nil {
			t.Error("parts split along different axes: no error")
		}
		if nd.Try(func() { nd.FromLocal(c, make([]int64, 2+r), nd.Shape{2}, 0) }) == nil {
			t.Error("too many elements: no error")
		}
	})
}

// gatherText returns every rank's text.
func gatherText(c *spmd.Comm, s string) []string {
	a := nd.FromLocal(c, []byte(s), nd.Shape{len(s)}, 0)
	all := string(a.Gather())
	var out []string
	for _, n := range a.Layout().Counts() {
		out = append(out, all[:n])
		all = all[n:]
	}
	return out
}

func TestStringIsLocal(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		if c.Rank() != 0 {
			return
		}
		before := c.Stats()
		a := nd.Arange[float64](c, 0, 10, 1, 0)
		_ = fmt.Sprint(a)
		if n := c.Stats().Sub(before).Total().Calls; n != 0 {
			t.Errorf("printing on one rank made %d calls", n)
		}
	})
}

func TestWritingToACopyThatSliceMade(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.Ones[float64](c, nd.Shape{4, 3}, 0)
		for _, v := range []*nd.NDArray[float64]{a.Slice(nd.Index(1)), a.Slice(nd.Range(nd.Open, nd.Open, -1)), a.Slice(nd.Index(1)).T()} {
			for _, f := range []func(){
				func() { nd.Scale(2, v) },
				func() { nd.AddScalarInto(v, v, 1) },
				func() { nd.CopyInto(v, nd.Full(c, nd.Shape{}, 1.0, nd.None)) },
				func() { nd.Axpy(1, v, v) },
			} {
				if err := nd.Try(f); err == nil {
					t.Errorf("writing to a copy of %v is no error", v.Layout())
				}
			}
			nd.Scale(2, nd.Copy(v))
		}
		nd.Scale(7, a.Slice(nd.Range(1, 2)))
		if got := nd.Sum(a).Item(); got != 9+21 {
			t.Errorf("after scaling a row the sum is %v", got)
		}
	})
}

func TestFormatVerbs(t *testing.T) {
	spmdtest.Run(t, 1, func(c *spmd.Comm) {
		a := nd.FromSlice(c, []float64{1, 2.5, -30, 4}, nd.Shape{2, 2}, 0)
		if got, want := fmt.Sprintf("%.2f", a), "[[  1.00   2.50]\n [-30.00   4.00]]"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if got := fmt.Sprintf("%v", a); got != a.String() {
			t.Errorf("%%v gives %q", got)
		}
		if got := fmt.Sprintf("%03d", nd.Full(c, nd.Shape{}, int8(7), nd.None)); got != "007" {
			t.Errorf("%q", got)
		}
	})
}
