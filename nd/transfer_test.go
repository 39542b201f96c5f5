package nd_test

import (
	"fmt"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// Moves between all layouts leave every element at its place, whatever the limit,
// packed and direct, from contiguous, transposed and sliced operands; buffers stay
// within the limit, and the bytes sent are those of one alltoallv or allgatherv.
func TestMoveLimits(t *testing.T) {
	defer nd.SetScratchLimit(nd.SetScratchLimit(1 << 20))
	defer nd.PackAlways(false)
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, mode := range []struct {
			pack  bool
			limit int
		}{{false, 64}, {true, 1 << 20}, {true, 1000}, {true, 64}, {true, 1}} {
			if c.Size() > 4 && mode.limit >= 1000 { // nothing new, and many pairs of layouts
				continue
			}
			c.Barrier()
			nd.PackAlways(mode.pack)
			nd.SetScratchLimit(mode.limit)
			nd.ScratchPeak()
			c.Barrier()
			for _, shape := range []nd.Shape{{13}, {7, 9}, {4, 0}, {3, 5, 4}} {
				for _, from := range testLayouts(c, shape) {
					for kind, a := range movable(c, from) {
						for _, to := range testLayouts(c, shape) {
							checkMove(t, c, a, to, fmt.Sprintf("%+v, %s", mode, []string{"contiguous", "transposed", "sliced"}[kind]))
						}
					}
				}
			}
			c.Barrier()
			least := 8 * 4 * max(1, c.Size()-1)
			if peak := nd.ScratchPeak(); c.Size() > 1 && peak > c.Size()*max(mode.limit, least) && c.SharesMemory() {
				t.Errorf("limit %d: %d ranks held %d bytes of buffers", mode.limit, c.Size(), peak)
			}
			c.Barrier()
		}
	})
}

func valueAt(shape, index []int) float64 { return float64(1 + flat(shape, index)) }

// movable returns arrays of layout l with the same elements: contiguous,
// transposed in memory, and a part of a larger array.
func movable(c *spmd.Comm, l *split.Layout) []*nd.NDArray[float64] {
	shape := l.Shape()
	f := func(index []int) float64 { return valueAt(shape, index) }
	out := []*nd.NDArray[float64]{nd.FromLayout(c, l, f)}
	if len(shape) < 2 {
		return out
	}
	back := make([]int, len(shape))
	for k := range back {
		back[k] = len(back) - 1 - k
	}
	t := nd.FromLayout(c, l, f)
	out = append(out, nd.Copy(t.T()).T())
	last := len(shape) - 1
	if int(l.Axis()) != last {
		wide := nd.Concatenate(last, t, t)
		out = append(out, wide.Slice(nd.Ellipsis(), nd.To(shape[last])))
	}
	return out
}

func checkMove(t testing.TB, c *spmd.Comm, a *nd.NDArray[float64], to *split.Layout, what string) {
	t.Helper()
	from := a.Layout()
	before := c.Stats()
	b := a.MoveTo(to)
	sent := c.Stats().Sub(before).Total()
	eachLocal(b, func(at int, v float64) {
		if v != float64(1+at) {
			t.Fatalf("%s: %v to %v: element %d is %v", what, from, to, at, v)
		}
	})
	if !b.Layout().Equal(to) {
		t.Fatalf("%s: %v to %v gives %v", what, from, to, b.Layout())
	}
	want := 0
	switch {
	case from.Equal(to), from.Replicated():
	case to.Replicated():
		want = (c.Size() - 1) * from.LocalSize(c.Rank())
	default:
		for r := range c.Size() {
			if r != c.Rank() {
				want += from.Local(c.Rank()).Intersect(to.Local(r)).Size()
			}
		}
	}
	if sent.Bytes != int64(8*want) {
		t.Errorf("%s: %v to %v sends %d bytes, not %d", what, from, to, sent.Bytes, 8*want)
	}
}

// A move in rounds sends messages of at most a quarter of the limit, and each block
// in as few as that allows where its rows fit.
func TestMoveRounds(t *testing.T) {
	defer nd.SetScratchLimit(nd.SetScratchLimit(4 * 8 * 12))
	defer nd.PackAlways(false)
	nd.PackAlways(true)
	spmdtest.Run(t, 2, func(c *spmd.Comm) {
		a := nd.FromFunc(c, nd.Shape{10, 8}, 0, func(i []int) float64 { return valueAt([]int{10, 8}, i) })
		before := c.Stats()
		a.Resplit(1) // blocks of 5×4, of which 3 rows are a message
		got := c.Stats().Sub(before)
		if n := got["isend"]; n != (spmd.Count{Calls: 2, Messages: 2, Bytes: 5 * 4 * 8}) {
			t.Errorf("split 0 to 1 sent %+v", got)
		}
		before = c.Stats()
		a.Resplit(1).Resplit(split.None) // then blocks of 10×4, of which 3 rows are a message
		got = c.Stats().Sub(before)
		if n := got["isend"]; n != (spmd.Count{Calls: 2 + 4, Messages: 2 + 4, Bytes: (5*4 + 10*4) * 8}) {
			t.Errorf("split 1 to none sent %+v", got)
		}
	})
}

// Copies that change the order of axes, of every element size, shape around the
// tiles', and stride.
func TestTransposingCopy(t *testing.T) {
	spmdtest.Run(t, 1, func(c *spmd.Comm) {
		checkTurned[int8](t, c)
		checkTurned[float32](t, c)
		checkTurned[float64](t, c)
		checkTurned[complex128](t, c)
	})
}

func checkTurned[T nd.Number](t testing.TB, c *spmd.Comm) {
	for _, shape := range []nd.Shape{{1, 5}, {5, 1}, {3, 3}, {4, 4}, {31, 33}, {40, 7}, {8, 100}, {65, 66}, {5, 9, 40}, {33, 3, 34}, {4, 5, 6, 7}, {0, 5}} {
		a := nd.AsType[T](nd.FromFunc(c, shape, split.None, func(i []int) int64 { return int64(flat(shape, i) % 127) }))
		perms := [][]int{{1, 0}}
		switch len(shape) {
		case 3:
			perms = [][]int{{2, 1, 0}, {1, 0, 2}, {0, 2, 1}, {2, 0, 1}, {1, 2, 0}}
		case 4:
			perms = [][]int{{3, 2, 1, 0}, {0, 3, 1, 2}, {2, 3, 0, 1}}
		}
		for _, perm := range perms {
			for _, items := range [][]nd.Item{nil, {nd.Range(0, shape[perm[0]], 2)}, {nd.Ellipsis(), nd.Range(-1, -1-shape[perm[len(perm)-1]], -1)}} {
				v := a.Transpose(perm...)
				if items != nil {
					v = v.Slice(items...)
				}
				got := nd.Copy(v)
				turned := nd.Zeros[T](c, v.Shape(), split.None)
				back := nd.Copy(turned.T()).T() // the other way round in memory
				nd.CopyInto(back, v)
				eachIndex(v.Shape(), func(i []int) {
					if want := v.At(i...); got.At(i...) != want || back.At(i...) != want {
						t.Fatalf("%v by %v, %v: element %v is %v and %v, not %v", shape, perm, items, i, got.At(i...), back.At(i...), want)
					}
				})
			}
		}
	}
}
