package nd_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

func TestReportHeat568HaloWithEmptyRanks(t *testing.T) {
	spmdtest.Embedded(t)
	spmdtest.Run(t, 7, func(c *spmd.Comm) {
		a := counting(c, split.Block(nd.Shape{6, 10, 10}, 0, 7))
		b := nd.Halo(a, 0, 1, 1)
		want := []int{2, 3, 3, 3, 3, 2, 0}
		if got := b.Layout().Counts(); !slices.Equal(got, want) || b.LocalShape()[0] != want[c.Rank()] {
			t.Errorf("the extended blocks have %v rows, want %v", got, want)
		}
		if r := c.Rank(); r < 6 {
			first := max(0, r-1)
			for i, v := range b.Local() {
				if v != int32(100*first+i+1) {
					t.Fatalf("element %d is %d", i, v)
				}
			}
		}
		// An empty rank between two others is passed over.
		gap := counting(c, split.WithCounts(nd.Shape{6}, 0, []int{2, 0, 0, 1, 0, 3, 0}))
		before := c.Stats()
		b = nd.Halo(gap, 0, 1, 1)
		calls := c.Stats().Sub(before)
		held := [][]int32{{1, 2, 3}, {}, {}, {2, 3, 4}, {}, {3, 4, 5, 6}, {}}[c.Rank()]
		if !slices.Equal(b.Local(), held) {
			t.Errorf("rank %d holds %v, want %v", c.Rank(), b.Local(), held)
		}
		if len(held) == 0 && calls.Total().Calls != 0 {
			t.Errorf("an empty rank takes part:\n%v", calls)
		}
	})
}

// R12: pylops-mpi add_ghost_cells wider than a neighbour's block, P11's example.
func TestReportPylopsHaloWiderThanABlock(t *testing.T) {
	spmdtest.Embedded(t)
	spmdtest.Run(t, 4, func(c *spmd.Comm) {
		a := nd.Arange[int64](c, 0, 10, 1, 0)
		want := [][]int64{{0, 1, 2}, {0, 1, 2, 3, 4, 5}, {2, 3, 4, 5, 6, 7}, {4, 5, 6, 7, 8, 9}}[c.Rank()]
		if got := nd.Halo(a, 0, 4, 0).Local(); !slices.Equal(got, want) {
			t.Errorf("rank %d holds %v, want %v", c.Rank(), got, want)
		}
	})
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.Arange[int64](c, 0, 10, 1, 0)
		for _, wide := range []int{9, 10, 1000} {
			if got := nd.Halo(a, 0, wide, wide); got.LocalShape()[0] != 10 && len(a.Local()) > 0 {
				t.Errorf("a halo of %d holds %v", wide, got.Local())
			}
		}
	})
}

// R12: dask #6597, #11580, #7776: the shape that is declared is the one that is there.
func TestReportDaskOverlapDeclaredShape(t *testing.T) {
	spmdtest.Embedded(t)
	spmdtest.Run(t, 2, func(c *spmd.Comm) {
		a := nd.Arange[int64](c, 0, 6, 1, 0).Redistribute([]int{5, 1})
		for _, k := range []struct {
			ends   nd.Ends
			counts []int
			held   [2][]int64
		}{
			{nd.EndsCrop, []int{6, 3}, [2][]int64{{0, 1, 2, 3, 4, 5}, {3, 4, 5}}},
			{nd.EndsReflect, []int{9, 5}, [2][]int64{{2, 1, 0, 1, 2, 3, 4, 5, 4}, {3, 4, 5, 4, 3}}},
			{nd.EndsWrap, []int{9, 5}, [2][]int64{{4, 5, 0, 1, 2, 3, 4, 5, 0}, {3, 4, 5, 0, 1}}},
		} {
			b := nd.Halo(a, 0, 2, 2, k.ends)
			if !slices.Equal(b.Layout().Counts(), k.counts) || !slices.Equal(b.Local(), k.held[c.Rank()]) {
				t.Errorf("%v: %v holds %v", k.ends, b.Layout(), b.Local())
			}
			if s := b.Size(); s != k.counts[0]+k.counts[1] || len(b.Gather()) != s {
				t.Errorf("%v: %d elements are declared", k.ends, s)
			}
		}
	})
}

func TestReportShortBlockConvolution(t *testing.T) { // probe P45
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, a := range spread(c, []float64{0, 1, 2, 3, 4, 5}) {
			for _, v := range spread(c, []float64{1, 1, 1}) {
				checkValues(t, nd.Convolve(a, v, nd.ConvSame), []float64{1, 3, 6, 9, 12, 9})
				checkValues(t, nd.Convolve(v, a, nd.ConvSame), []float64{1, 3, 6, 9, 12, 9})
			}
			even := nd.FromSlice(c, []float64{1, 2}, nd.Shape{2}, split.None) // Heat refuses even kernels
			checkValues(t, nd.Convolve(a, even, nd.ConvSame), []float64{0, 1, 4, 7, 10, 13})
			if got := nd.Convolve(a, even, nd.ConvSame).Layout(); got != a.Layout() {
				t.Errorf("same of %v has layout %v", a.Layout(), got)
			}
		}
		unbalanced := nd.Arange[float64](c, 0, 10, 1, 0).Slice(nd.From(4))
		checkValues(t, nd.Convolve(unbalanced, nd.Ones[float64](c, nd.Shape{3}, 0), nd.ConvValid), []float64{15, 18, 21, 24})
	})
}

// What lies beyond a vector's ends is left out, so that an infinite kernel does not
// meet zeros there.
func TestConvolveNaNAndInf(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, a := range spread(c, []float64{1, 2}) {
			checkValues(t, nd.Convolve(a, nd.FromSlice(c, []float64{inf, 1}, nd.Shape{2}, 0), nd.ConvFull), []float64{inf, inf, 2})
		}
		for _, a := range spread(c, []float64{1, nan, 3, 4, 5}) {
			got := nd.Convolve(a, nd.Ones[float64](c, nd.Shape{2}, split.None), nd.ConvSame).Gather()
			for i, want := range []float64{1, nan, nan, 7, 9} {
				wantNumber(t, "convolution with a NaN", got[i], want)
			}
		}
		for _, l := range testLayouts(c, nd.Shape{1, 2}) { // matrices meet what is beyond
			a := nd.FromLayout(c, l, func(i []int) float64 { return float64(i[1] + 1) })
			got := nd.Convolve2D(a, nd.FromSlice(c, []float64{inf, 1}, nd.Shape{1, 2}, 0), nd.ConvFull).Gather()
			for i, want := range []float64{inf, inf, nan} {
				wantNumber(t, "convolution with an infinite kernel", got[i], want)
			}
		}
	})
}

// TestConvolveLarge crosses the blocks of the loop, and of the kernel.
func TestConvolveLarge(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		n, m := 3000, 1100
		x, k := make([]int64, n), make([]int64, m)
		for i := range x {
			x[i] = int64(i*i%97 - 48)
		}
		for i := range k {
			k[i] = int64(i%13 - 5)
		}
		want := make([]int64, n+m-1)
		for i, u := range x {
			for j, v := range k {
				want[i+j] += u * v
			}
		}
		for _, axis := range []split.Axis{split.None, 0} {
			a := nd.FromSlice(c, x, nd.Shape{n}, 0)
			v := nd.FromSlice(c, k, nd.Shape{m}, axis)
			before := c.Stats()
			full := nd.Convolve(a, v, nd.ConvFull)
			got := c.Stats().Sub(before)
			if b := got["isend"].Bytes; b > 8*2*int64(m) && c.Size() <= 3 {
				t.Errorf("%d bytes of halo for a kernel of %d", b, m)
			}
			checkValues(t, full, want)
			checkValues(t, nd.Convolve(v, a, nd.ConvValid), want[m-1:n])
			checkValues(t, nd.Convolve(nd.AsType[float32](a), nd.AsType[float32](v), nd.ConvSame), float32s(want[(m-1)/2:][:n]))
		}
	})
}

func float32s(x []int64) []float32 {
	out := make([]float32, len(x))
	for i, v := range x {
		out[i] = float32(v)
	}
	return out
}

// TestConvolveCommunication: a kernel that a neighbour's block covers costs at most
// 2 messages each way of less than its length together.
func TestConvolveCommunication(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		n := 12 * c.Size()
		for _, m := range []int{1, 2, 5, 8} {
			for mode := nd.ConvFull; mode <= nd.ConvValid; mode++ {
				v := nd.Ones[float64](c, nd.Shape{m}, split.None)
				for _, axis := range []split.Axis{split.None, 0} {
					a := nd.Arange[float64](c, 0, float64(n), 1, axis)
					before := c.Stats()
					out := nd.Convolve(a, v, mode)
					got := c.Stats().Sub(before)
					if got["isend"].Calls > 2 || got["irecv"].Calls > 2 || got["isend"].Bytes > int64(8*(m-1)) || got.Total().Calls > 8 {
						t.Errorf("a kernel of %d on %v takes\n%v", m, a.Layout(), got)
					}
					if (axis == split.None || m == 1) && got.Total().Calls != 0 {
						t.Errorf("a kernel of %d on %v takes\n%v", m, a.Layout(), got)
					}
					if out.Split() != axis {
						t.Errorf("%v became %v", a.Layout(), out.Layout())
					}
				}
				rows := nd.Ones[float64](c, nd.Shape{n, 9}, 0)
				before := c.Stats()
				nd.ConvolveAlong(rows, v, 1, mode)
				if got := c.Stats().Sub(before); got.Total().Calls != 0 {
					t.Errorf("along an axis that is not split:\n%v", got)
				}
				before = c.Stats()
				nd.Convolve2D(rows, nd.Ones[float64](c, nd.Shape{m, 3}, split.None), mode)
				if got := c.Stats().Sub(before); got["isend"].Calls > 2 || got["irecv"].Calls > 2 || got["isend"].Bytes > int64(8*9*(m-1)) || got["alltoallv"].Calls+got["allgatherv"].Calls > 0 {
					t.Errorf("a kernel of (%d, 3) on %v takes\n%v", m, rows.Layout(), got)
				}
			}
		}
	})
}

func TestConvolveMistakes(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.Ones[float64](c, nd.Shape{3, 4}, 0)
		v := nd.Ones[float64](c, nd.Shape{4}, 0)
		none := nd.Ones[float64](c, nd.Shape{0}, 0)
		for _, row := range []struct {
			text string
			do   func()
		}{
			{"convolution of an array of shape (3, 4)", func() { nd.Convolve(a, v, nd.ConvFull) }},
			{"convolution of an array of shape (0,)", func() { nd.Convolve(v, none, nd.ConvFull) }},
			{"convolution of an array of shape (0,)", func() { nd.Correlate(none, v, nd.ConvFull) }},
			{"convolution mode 7", func() { nd.Convolve(v, v, 7) }},
			{"convolution mode 7", func() { nd.Correlate(v, v, 7) }},
			{"convolution mode 7", func() { nd.Convolve2D(a, a, 7) }},
			{"axis 2 is out of range", func() { nd.ConvolveAlong(a, v, 2, nd.ConvFull) }},
			{"convolution along axis 1 of shape (3, 0)", func() { nd.ConvolveAlong(nd.Ones[float64](c, nd.Shape{3, 0}, 0), v, 1, nd.ConvFull) }},
			{"shapes (3, 4) and (4,)", func() { nd.Convolve2D(a, v, nd.ConvFull) }},
			{"neither of shapes (3, 4) and (4, 3) covers the other", func() { nd.Convolve2D(a, a.T(), nd.ConvValid) }},
			{"convolution of matrices with ends crop", func() { nd.Correlate2D(a, a, nd.ConvFull, nd.EndsCrop) }},
		} {
			before := c.Stats()
			err := nd.Try(row.do)
			if err == nil || !strings.Contains(err.Error(), row.text) {
				t.Errorf("error %v, want %q", err, row.text)
			}
			if n := c.Stats().Sub(before).Total().Calls; n != 0 {
				t.Errorf("%q after %d calls", row.text, n)
			}
		}
	})
}
