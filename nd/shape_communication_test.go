package nd_test

import (
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// TestShapeCommunication is the table of what the functions that rearrange an
// array communicate, and of how many bytes a rank sends at most.
func TestShapeCommunication(t *testing.T) {
	const local = 7 * 4 * 8 // bytes of a's part on a rank
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		p := c.Size()
		n := 7 * p
		a := nd.FromFunc(c, nd.Shape{n, 4}, 0, func(i []int) float64 { return float64(i[0]*4 + i[1]) })
		cols := a.Resplit(1)
		whole := a.Resplit(split.None)
		v := a.Ravel()
		small := nd.Ones[float64](c, nd.Shape{3}, 0)
		other := nd.Ones[float64](c, nd.Shape{5}, 0)
		one := nd.FromSlice(c, []float64{1, 2, 3, 4}, nd.Shape{1, 4}, 0)
		row := nd.Ones[float64](c, nd.Shape{1, 4}, split.None)
		intoA, intoJoined := nd.ZerosLike(a), nd.Zeros[float64](c, nd.Shape{2 * n, 4}, 0)
		for _, r := range []struct {
			name  string
			do    func()
			op    string
			calls int64
			bytes int64
		}{
			{"reshape, rows stay whole", func() { a.Reshape(n, 2, 2); a.Reshape(-1); a.Reshape(n, 1, 4) }, "", 0, 0},
			{"reshape, rows do not", func() { a.Reshape(1, 4*n) }, "alltoallv", 1, local},
			{"reshape columns", func() { cols.Reshape(4, n) }, "alltoallv", 1, 8 * int64(n*4/p+n)},
			{"reshape to another split", func() { nd.ReshapeTo(a, nd.Shape{4, n}, 1) }, "alltoallv", 1, local},
			{"reshape to none", func() { nd.ReshapeTo(a, nd.Shape{4, n}, split.None) }, "allgatherv", 1, local * int64(p-1)},
			{"reshape, replicated", func() { whole.Reshape(4, n); nd.ReshapeTo(whole, nd.Shape{4, n}, 1) }, "", 0, 0},
			{"ravel and flatten", func() { nd.Ravel(a); nd.Flatten(a) }, "", 0, 0},
			{"ravel columns", func() { nd.Ravel(cols) }, "alltoallv", 1, 8 * int64(n*4/p+n)},
			{"resize", func() { nd.Resize(a, n+p, 4) }, "alltoallv", 1, 2 * local},
			{"resize a little into much", func() { nd.Resize(small, 100*p) }, "allgatherv", 1, int64(p) * 24},
			{"views of other axes", func() {
				nd.ExpandDims(a, 0)
				nd.MoveAxis(a, 0, 1)
				nd.SwapAxes(a, 0, 1)
				nd.RollAxis(a, 1, 0)
				nd.MatrixTranspose(a)
				nd.Atleast3D(v)
			}, "", 0, 0},
			{"squeeze", func() { nd.Squeeze(a.Slice(nd.Whole(), nd.To(1))) }, "", 0, 0},
			{"squeeze the split axis", func() { nd.Squeeze(one) }, "bcast", 1, 32 * int64(p-1)},
			{"broadcast", func() { nd.BroadcastTo(a, 3, n, 4); nd.BroadcastArrays(a, row) }, "", 0, 0},
			{"broadcast along the split axis", func() { nd.BroadcastTo(one, 6, 4) }, "bcast", 1, 32 * int64(p-1)},
			{"meshgrid of one split vector", func() { nd.Meshgrid(nd.XY, v, nd.Ones[float64](c, nd.Shape{5}, split.None)) }, "", 0, 0},
			{"meshgrid of two", func() { nd.Meshgrid(nd.XY, v, other) }, "allgatherv", 1, 40 * int64(p-1)},
			{"concatenate", func() { nd.Concatenate(0, a, a) }, "alltoallv", 1, 2 * local},
			{"concatenate five", func() { nd.Concatenate(0, a, a, a, a, a) }, "alltoallv", 1, 5 * local},
			{"concatenate along another axis", func() { nd.Concatenate(1, a, a, a); nd.HStack(a, whole); nd.DStack(a, a) }, "", 0, 0},
			{"concatenate with a replicated array", func() { nd.Concatenate(0, a, whole) }, "alltoallv", 1, local},
			{"concatenate other splits", func() { nd.Concatenate(0, a, cols) }, "alltoallv", 1, local + 8*int64(n*4/p+n)},
			{"concatenate into", func() { nd.ConcatenateInto(intoJoined, 0, a, a) }, "alltoallv", 1, 2 * local},
			{"stack", func() {
				nd.Stack(0, a, a)
				nd.Stack(2, a, a)
				nd.Stack(1, a, whole)
				nd.VStack(v, v)
				nd.ColumnStack(v, v)
			}, "", 0, 0},
			{"split", func() { nd.Split(a, 7, 0); nd.SplitAt(a, []int{3, 5}, 0); nd.HSplit(a, 2) }, "", 0, 0},
			{"unstack", func() { nd.Unstack(a, 1) }, "", 0, 0},
			{"unstack the split axis", func() { nd.Unstack(one, 0) }, "allgatherv", 1, 32 * int64(p-1)},
			{"tile another axis", func() { nd.Tile(a, 1, 3); nd.Tile(a, 2, 1, 1) }, "", 0, 0},
			{"tile the split axis", func() { nd.Tile(a, 2, 1) }, "alltoallv", 1, 2 * local},
			{"tile the split axis often", func() { nd.Tile(a, 20, 1) }, "allgatherv", 1, local * int64(p-1)},
			{"repeat", func() { nd.Repeat(a, 3, 0); nd.Repeat(a, 2, 1); nd.Repeat(a, 2); nd.RepeatEach(one, []int{3}, 0) }, "", 0, 0},
			{"roll another axis", func() { nd.Roll(a, 1, 1) }, "", 0, 0},
			{"roll by one row", func() { nd.Roll(a, 1, 0) }, "alltoallv", 1, 32},
			{"roll by one row into", func() { nd.RollInto(intoA, a, 1, 0) }, "alltoallv", 1, 32},
			{"roll two axes", func() { nd.Roll(a, 2, 0, 1) }, "alltoallv", 1, 64},
			{"roll all", func() { nd.Roll(a, 3) }, "alltoallv", 1, 24},
			{"roll all columns", func() { nd.Roll(cols, 3) }, "alltoallv", 1, 8 * int64(n*4/p+n)},
			{"flip another axis", func() { nd.Flip(a, 1); nd.FlipLR(a) }, "", 0, 0},
			{"flip", func() { nd.Flip(a) }, "alltoallv", 1, local},
			{"rot90", func() { nd.Rot90(a, 3) }, "alltoallv", 1, local},
			{"rot90, the other way", func() { nd.Rot90(a, 1); nd.Rot90(a, 4) }, "", 0, 0},
			{"pad another axis", func() { nd.Pad(a, [][2]int{{0, 0}, {2, 3}}, nd.PadReflect) }, "", 0, 0},
			{"pad by two rows", func() { nd.Pad(a, [][2]int{{2, 0}, {0, 0}}, nd.PadZero) }, "alltoallv", 1, 64},
			{"pad by two rows of the edge", func() { nd.Pad(a, [][2]int{{2, 0}, {1, 1}}, nd.PadEdge) }, "alltoallv", 1, 64},
			{"pad by much of the edge", func() { nd.Pad(a, [][2]int{{0, 90 * p}, {0, 0}}, nd.PadEdge) }, "alltoallv", 1, local + 32*int64(p)},
			{"pad periodically", func() { nd.Pad(a, [][2]int{{1, 1}, {0, 0}}, nd.PadWrap) }, "alltoallv", 1, 96},
			{"diagonals and triangles", func() {
				nd.Diagonal(a, 1)
				nd.Diag(v, 1)
				nd.Diag(a, 0)
				nd.Tril(a, 0)
				nd.Triu(cols, 1)
				nd.TriuInto(intoA, a, 0)
				nd.Vander(v, 3, true)
			}, "", 0, 0},
			{"windows of another axis", func() { nd.Unfold(a, 1, 3, 1) }, "", 0, 0},
			{"windows", func() { nd.Unfold(a, 0, 4, 1) }, "alltoallv", 1, 3 * 32},
			{"windows that fit", func() { nd.Unfold(a, 0, 7, 7) }, "", 0, 0},
			{"delete", func() { nd.Delete(a, []int{0, 2}, 0); nd.Delete(a, []int{0}, 1); nd.Delete(v, []int{1}) }, "", 0, 0},
			{"insert replicated values", func() { nd.Insert(a, []int{0, 5}, row, 0) }, "", 0, 0},
			{"insert split values", func() { nd.Insert(a, []int{6}, a, 0) }, "alltoallv", 1, local},
			{"trim zeros", func() { nd.TrimZeros(a, "fb") }, "allreduce", 1, 32},
		} {
			before := c.Stats()
			r.do()
			got := c.Stats().Sub(before)
			calls := r.calls
			if p == 1 && (r.op == "alltoallv" || r.op == "allgatherv") {
				calls = 0
			}
			if got[r.op].Calls != calls || got.Total().Calls != calls || got.Total().Bytes > r.bytes {
				t.Errorf("%s: %d %s of at most %d bytes wanted, got\n%v", r.name, calls, r.op, r.bytes, got)
			}
		}
		g := nd.Meshgrid(nd.IJ, v, other)
		before := c.Stats()
		nd.Add(g[0], g[1])
		if n := c.Stats().Sub(before).Total().Calls; n != 0 {
			t.Errorf("adding the coordinates of a grid makes %d calls", n)
		}
		w := nd.Unfold(a, 0, 3, 1)
		before = c.Stats()
		nd.Sub(nd.Sum(w, nd.Over(-1)), a.Slice(nd.To(-2)))
		if n := c.Stats().Sub(before).Total().Calls; n != 0 {
			t.Errorf("windows and a slice do not lie alike: %d calls", n)
		}
	})
}
