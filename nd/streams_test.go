package nd_test

import (
	"fmt"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// streamOps are operations that give elements to other owners, on an array of shape
// (6, 4) and one of integers below 6 of shape (7).
var streamOps = []struct {
	name string
	f    func(a *nd.NDArray[float64], keys *nd.NDArray[int64]) *nd.NDArray[float64]
}{
	{"reshape", func(a *nd.NDArray[float64], _ *nd.NDArray[int64]) *nd.NDArray[float64] { return nd.Reshape(a, 3, 8) }},
	{"reshape to one axis", func(a *nd.NDArray[float64], _ *nd.NDArray[int64]) *nd.NDArray[float64] { return nd.Ravel(a) }},
	{"reshape to three axes", func(a *nd.NDArray[float64], _ *nd.NDArray[int64]) *nd.NDArray[float64] { return nd.Reshape(a, 2, 3, 4) }},
	{"resize", func(a *nd.NDArray[float64], _ *nd.NDArray[int64]) *nd.NDArray[float64] { return nd.Resize(a, 5, 8) }},
	{"roll", func(a *nd.NDArray[float64], _ *nd.NDArray[int64]) *nd.NDArray[float64] { return nd.Roll(a, 2, 0, 1) }},
	{"roll of C order", func(a *nd.NDArray[float64], _ *nd.NDArray[int64]) *nd.NDArray[float64] { return nd.Roll(a, 5) }},
	{"flip", func(a *nd.NDArray[float64], _ *nd.NDArray[int64]) *nd.NDArray[float64] { return nd.Flip(a) }},
	{"concatenate", func(a *nd.NDArray[float64], _ *nd.NDArray[int64]) *nd.NDArray[float64] {
		return nd.Concatenate(0, a, a.Slice(nd.Range(1, 4)), a)
	}},
	{"concatenate of columns", func(a *nd.NDArray[float64], _ *nd.NDArray[int64]) *nd.NDArray[float64] {
		return nd.Concatenate(1, a, a)
	}},
	{"tile", func(a *nd.NDArray[float64], _ *nd.NDArray[int64]) *nd.NDArray[float64] { return nd.Tile(a, 2, 3) }},
	{"repeat", func(a *nd.NDArray[float64], _ *nd.NDArray[int64]) *nd.NDArray[float64] { return nd.Repeat(a, 5, 0) }},
	{"repeat of columns", func(a *nd.NDArray[float64], _ *nd.NDArray[int64]) *nd.NDArray[float64] { return nd.Repeat(a, 3, 1) }},
	{"pad", func(a *nd.NDArray[float64], _ *nd.NDArray[int64]) *nd.NDArray[float64] {
		return nd.Pad(a, [][2]int{{4, 3}, {2, 5}}, nd.PadEdge)
	}},
	{"gradient", func(a *nd.NDArray[float64], _ *nd.NDArray[int64]) *nd.NDArray[float64] { return nd.Gradient(a, 0) }},
	{"mask", func(a *nd.NDArray[float64], _ *nd.NDArray[int64]) *nd.NDArray[float64] {
		return nd.MaskedSelect(a, nd.GreaterScalar(a, 3))
	}},
	{"mask of rows", func(a *nd.NDArray[float64], _ *nd.NDArray[int64]) *nd.NDArray[float64] {
		return nd.MaskedSelect(nd.Reshape(a, 2, 3, 4), nd.GreaterScalar(nd.Sum(nd.Reshape(a, 2, 3, 4), nd.Over(2)), 50))
	}},
	{"set by mask", func(a *nd.NDArray[float64], _ *nd.NDArray[int64]) *nd.NDArray[float64] {
		b, m := nd.Copy(a), nd.GreaterScalar(a, 3)
		nd.SetWhere(b, m, nd.MulScalar(nd.MaskedSelect(a, m), 10))
		return b
	}},
	{"take", func(a *nd.NDArray[float64], keys *nd.NDArray[int64]) *nd.NDArray[float64] { return nd.Take(a, keys, 0) }},
	{"take of one axis", func(a *nd.NDArray[float64], keys *nd.NDArray[int64]) *nd.NDArray[float64] {
		return nd.Take(nd.Ravel(a), keys, 0)
	}},
	{"set rows", func(a *nd.NDArray[float64], keys *nd.NDArray[int64]) *nd.NDArray[float64] {
		b := nd.Copy(a)
		nd.SetAt(b, nd.Keys(keys, nil), nd.Take(a, nd.Flip(keys), 0))
		return b
	}},
	{"add rows", func(a *nd.NDArray[float64], keys *nd.NDArray[int64]) *nd.NDArray[float64] {
		b := nd.DivScalar(a, 3) // sums that depend on the order
		nd.AddAt(b, nd.Keys(keys, nil), nd.DivScalar(nd.Take(a, nd.Flip(keys), 0), 7))
		return b
	}},
}

// Whatever the limit, packed and direct, from every layout, contiguous, transposed
// and sliced operands: the values of the operation on replicated arrays, buffers
// within the limit, and the same number of bytes.
func TestStreamLimits(t *testing.T) {
	defer nd.SetScratchLimit(nd.SetScratchLimit(1 << 20))
	defer nd.PackAlways(false)
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		shape := nd.Shape{6, 4}
		index := func(i []int) int64 { return int64(i[0]*i[0]) % 6 }
		bytes := map[string]int64{}
		for _, mode := range []struct {
			pack  bool
			limit int
		}{{true, 1 << 20}, {false, 1}, {true, 1}, {true, 60}, {true, 300}} {
			if c.Size() > 4 && mode.limit > 1 && mode.limit < 1<<20 {
				continue // nothing new
			}
			c.Barrier()
			nd.PackAlways(mode.pack)
			nd.SetScratchLimit(mode.limit)
			c.Barrier()
			for i, from := range testLayouts(c, shape) {
				for kind, a := range movable(c, from) {
					keys := nd.FromFunc(c, nd.Shape{7}, split.Axis(i%2-1), index)
					for _, op := range streamOps {
						what := fmt.Sprintf("%s of %v, operand %d", op.name, from, kind)
						want := op.f(a.Resplit(split.None), keys.Resplit(split.None)).Local()
						c.Barrier()
						nd.ScratchPeak()
						c.Barrier()
						before := c.Stats()
						got := op.f(a, keys)
						sent := c.Stats().Sub(before).Total().Bytes
						c.Barrier()
						peak, ranks := nd.ScratchPeak(), 1
						c.Barrier()
						if c.SharesMemory() {
							ranks = c.Size()
						}
						if most := ranks * max(mode.limit, 8*4*(c.Size()-1)); peak > most {
							t.Errorf("%+v, %s: %d bytes of buffers, not %d", mode, what, peak, most)
						}
						if mode.pack && mode.limit == 1<<20 {
							bytes[what] = sent
						}
						if sent != bytes[what] {
							t.Errorf("%+v, %s: %d bytes sent, not %d", mode, what, sent, bytes[what])
						}
						eachLocal(got, func(at int, v float64) {
							if v != want[at] {
								t.Fatalf("%+v, %s: element %d is %v, not %v", mode, what, at, v, want[at])
							}
						})
					}
				}
			}
		}
	})
}

// Rounds have messages of the size that the limit says; with room for all there is
// one alltoallv.
func TestStreamRounds(t *testing.T) {
	defer nd.SetScratchLimit(nd.SetScratchLimit(1 << 20))
	defer nd.PackAlways(false)
	nd.PackAlways(true)
	spmdtest.Run(t, 2, func(c *spmd.Comm) {
		a := nd.FromFunc(c, nd.Shape{10, 8}, 0, func(i []int) float64 { return valueAt([]int{10, 8}, i) })
		for _, x := range []struct {
			limit    int
			name     string
			messages int64
		}{{1 << 20, "alltoallv", 1}, {4 * 8 * 12, "isend", 4}, {4 * 8 * 19, "isend", 3}, {1, "isend", 40}} {
			c.Barrier()
			nd.SetScratchLimit(x.limit)
			c.Barrier()
			before := c.Stats()
			nd.Roll(a, 5, 0) // half the array, 40 elements of each rank, changes its owner
			got := c.Stats().Sub(before)
			if n := got[x.name]; n.Messages != x.messages || n.Bytes != 40*8 {
				t.Errorf("limit %d: roll sent %+v", x.limit, got)
			}
			before = c.Stats()
			nd.Reshape(a.Slice(nd.Range(1, 10)), 8, 9) // 36 of 72 elements are moved by a few
			got = c.Stats().Sub(before)
			if x.name == "alltoallv" && got["isend"].Messages > 0 || got.Total().Bytes > 8*8 {
				t.Errorf("limit %d: reshape sent %+v", x.limit, got)
			}
			c.Barrier()
		}
	})
}

// The last of several values for one row counts, also where a row crosses messages,
// of which some go straight into place and others through a buffer.
func TestRepeatedKeysInRounds(t *testing.T) {
	for _, limit := range []int{128, 192, 256} {
		for _, width := range []int{5, 6, 7, 13} {
			func() {
				defer nd.SetScratchLimit(nd.SetScratchLimit(limit))
				defer nd.PackAlways(false)
				nd.PackAlways(true)
				for _, ranks := range []int{2, 3} {
					spmdtest.Run(t, ranks, func(c *spmd.Comm) {
						for range 5 {
							a := nd.Zeros[float64](c, nd.Shape{5, width}, 0)
							k := nd.FromSlice(c, []int64{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3}, nd.Shape{12}, 0)
							v := nd.FromFunc(c, nd.Shape{12, width}, 0, func(i []int) float64 { return float64(i[0] + 1) })
							nd.SetAt(a, nd.Keys(k), v)
							for i, got := range a.Gather() {
								if want := [...]float64{3, 6, 9, 12, 0}[i/width]; got != want {
									t.Fatalf("limit %d, width %d, element %d: %v, want %v", limit, width, i, got, want)
								}
							}
						}
					})
				}
			}()
		}
	}
}
