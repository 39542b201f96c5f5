package nd_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// sumStencil returns a stencil that adds up what reach covers, each neighbour with
// a weight of its own, and leaves out what lies beyond cropped ends.
func sumStencil(reach []nd.Reach, ndim int) func(dst nd.Block[int64], src nd.Block[int32]) {
	front, back := make([]int, ndim), make([]int, ndim)
	for _, r := range reach {
		front[r.Axis], back[r.Axis] = r.Front, r.Back
	}
	size := make([]int, ndim)
	for k := range size {
		size[k] = front[k] + back[k] + 1
	}
	return func(dst nd.Block[int64], src nd.Block[int32]) {
		at := make([]int, ndim)
		eachIndex(dst.Shape, func(i []int) {
			sum := int64(0)
			eachIndex(size, func(j []int) {
				inside := true
				for k := range at {
					at[k] = dst.Lo[k] + i[k] - front[k] + j[k] - src.Lo[k]
					inside = inside && at[k] >= 0 && at[k] < src.Shape[k]
				}
				if inside {
					sum += int64(1+flat(size, j)) * int64(src.Row(at[:ndim-1]...)[at[ndim-1]])
				}
			})
			dst.Row(i[:ndim-1]...)[i[ndim-1]] = sum
		})
	}
}

// stencilOf returns what sumStencil gives for the whole array.
func stencilOf(shape nd.Shape, values []int32, fill int32, reach []nd.Reach) []int64 {
	ndim := len(shape)
	ends, size, front := make([]nd.Ends, ndim), make([]int, ndim), make([]int, ndim)
	for k := range size {
		size[k] = 1
	}
	for _, r := range reach {
		ends[r.Axis], size[r.Axis], front[r.Axis] = r.Ends, r.Front+r.Back+1, r.Front
	}
	var out []int64
	at := make([]int, ndim)
	eachIndex(shape, func(i []int) {
		sum := int64(0)
		eachIndex(size, func(j []int) {
			v, inside, cropped := fill, true, false
			for k := range at {
				at[k] = beyond(ends[k], i[k]-front[k]+j[k], shape[k])
				inside = inside && at[k] >= 0
				cropped = cropped || at[k] < 0 && ends[k] == nd.EndsCrop
			}
			if inside {
				v = values[flat(shape, at)]
			}
			if !cropped {
				sum += int64(1+flat(size, j)) * int64(v)
			}
		})
		out = append(out, sum)
	})
	return out
}

func TestMapHaloOfEveryLayout(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		eachHalo(c, func(l *split.Layout, reach []nd.Reach) {
			shape := l.Shape()
			a := counting(c, l)
			f := sumStencil(reach, len(shape))
			want := stencilOf(shape, countTo(shape.Size()), 0, reach)
			before := c.Stats()
			b := nd.MapHalo(a, f, reach...)
			got := c.Stats().Sub(before)
			messages, elements, _ := haloSends(l, c.Rank(), reach)
			if n := got.Total(); n.Messages != int64(messages) || n.Bytes != int64(4*elements) {
				t.Fatalf("MapHalo on %v by %v sends\n%v", l, reach, got)
			}
			if !b.Layout().Equal(l) || !slices.Equal(b.Gather(), want) {
				t.Fatalf("MapHalo on %v by %v gives %v %v, want %v", l, reach, b.Layout(), b.Gather(), want)
			}
			// A plan used twice, with another number beyond the ends and strided arrays.
			perm := make([]int, len(shape))
			back := make([]int, len(shape))
			for k := range perm {
				perm[k] = (k + 1) % len(shape)
				back[perm[k]] = k
			}
			strided := nd.Copy(a.Transpose(perm...)).Transpose(back...)
			h := nd.PlanHalo[int32](c, l, reach...).Fill(5)
			dst := nd.Copy(b.Transpose(perm...)).Transpose(back...)
			want = stencilOf(shape, countTo(shape.Size()), 5, reach)
			for _, x := range []*nd.NDArray[int32]{a, strided} {
				nd.MapHaloInto(h, dst, x, f)
				if got := dst.Gather(); !slices.Equal(got, want) {
					t.Fatalf("MapHaloInto by %v gives %v, want %v", h, got, want)
				}
			}
		})
	})
}

// TestMapHaloInPlace: the destination may be the operand.
func TestMapHaloInPlace(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, ends := range allEnds {
			for _, l := range testLayouts(c, nd.Shape{9, 4}) {
				a := counting(c, l)
				h := nd.PlanHalo[int32](c, l, nd.Reach{Axis: 0, Front: 1, Back: 1, Ends: ends})
				add := func(dst, src nd.Block[int32]) {
					for i := range dst.Shape[0] {
						for k := range 3 {
							if s := dst.Lo[0] + i + k - 1 - src.Lo[0]; s >= 0 && s < src.Shape[0] {
								for j, v := range src.Row(s) {
									if k == 0 {
										dst.Row(i)[j] = 0
									}
									dst.Row(i)[j] += v
								}
							} else if k == 0 {
								clear(dst.Row(i))
							}
						}
					}
				}
				want := nd.ZerosLike(a)
				nd.MapHaloInto(h, want, a, add)
				again := nd.ZerosLike(a)
				nd.MapHaloInto(h, again, want, add)
				nd.MapHaloInto(h, a, a, add)
				checkValues(t, a, want.Gather())
				nd.MapHaloInto(h, a, a, add)
				checkValues(t, a, again.Gather())
			}
		}
	})
}

// TestMapHaloOverlaps: the inner block is computed, from the array's own memory,
// before this rank has what the others send.
func TestMapHaloOverlaps(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := counting(c, split.Block(nd.Shape{10 * c.Size(), 3}, 0, c.Size()))
		waits := func() int64 { return c.Stats()["wait"].Calls }
		var rows [][2]int
		before := waits()
		nd.MapHalo(a, func(dst, src nd.Block[int32]) {
			if len(rows) == 0 && waits() != before {
				t.Error("the inner block waits for the halo")
			}
			if len(rows) == 0 && c.Size() > 1 && &src.Row(0)[0] != &a.Local()[0] {
				t.Error("the inner block is a copy")
			}
			rows = append(rows, [2]int{dst.Lo[0], dst.Lo[0] + dst.Shape[0]})
			for i := range dst.Shape[0] {
				copy(dst.Row(i), src.Row(i+1))
			}
		}, nd.Reach{Axis: 0, Front: 1, Back: 2, Ends: nd.EndsWrap})
		lo := 10 * c.Rank()
		if want := [][2]int{{lo + 1, lo + 8}, {lo, lo + 1}, {lo + 8, lo + 10}}; !slices.Equal(rows, want) {
			t.Errorf("blocks %v, want %v", rows, want)
		}
	})
}

func TestMapHaloRowMistakes(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.Ones[float64](c, nd.Shape{3, 2}, split.None)
		for _, row := range []struct {
			text string
			at   []int
		}{{"row [3] of a block of shape (3, 2), which has what reach and ends give it", []int{3}}, {"0 indices of a row", nil}} {
			err := nd.Try(func() { nd.MapHalo(a, func(dst, src nd.Block[float64]) { src.Row(row.at...) }) })
			if err == nil || !strings.Contains(err.Error(), row.text) {
				t.Errorf("error %v, want %q", err, row.text)
			}
		}
	})
}

// Heat spreads over a rod that is split over the ranks and held at 0 at both ends.
func ExampleMapHalo() {
	err := spmd.Run(3, func(c *spmd.Comm) error {
		u := nd.Zeros[float64](c, nd.Shape{9}, 0)
		nd.CopyInto(u.Slice(nd.Range(4, 5)), nd.Full(c, nd.Shape{}, 16.0, nd.None))
		h := nd.PlanHalo[float64](c, u.Layout(), nd.Reach{Axis: 0, Front: 1, Back: 1, Ends: nd.EndsFill})
		step := func(dst, src nd.Block[float64]) {
			x, y := src.Row(), dst.Row()
			for i := range y {
				y[i] = x[i+1] + 0.25*(x[i]-2*x[i+1]+x[i+2])
			}
		}
		v := nd.ZerosLike(u)
		before := c.Stats()
		for range 2 {
			nd.MapHaloInto(h, v, u, step)
			u, v = v, u
		}
		if c.Rank() == 1 {
			n := c.Stats().Sub(before)["isend"]
			fmt.Println(n.Messages, "messages of", n.Bytes/n.Messages, "bytes")
		}
		return nd.Fprint(os.Stdout, u)
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// 4 messages of 8 bytes
	// [0. 0. 1. 4. 6. 4. 1. 0. 0.]
}

// One step of Jacobi's method for Laplace's equation on a split grid.
func ExampleMapHalo_jacobi() {
	err := spmd.Run(2, func(c *spmd.Comm) error {
		u := nd.FromFunc(c, nd.Shape{4, 4}, 0, func(i []int) float64 { return float64(i[0] * i[0]) })
		v := nd.MapHalo(u, func(dst, src nd.Block[float64]) {
			for i := range dst.Shape[0] {
				up, here, down, out := src.Row(i), src.Row(i+1), src.Row(i+2), dst.Row(i)
				for j := range out {
					out[j] = 0.25 * (up[j+1] + down[j+1] + here[j] + here[j+2])
				}
			}
		}, nd.Reach{Axis: 0, Front: 1, Back: 1, Ends: nd.EndsEdge}, nd.Reach{Axis: 1, Front: 1, Back: 1, Ends: nd.EndsEdge})
		return nd.Fprint(os.Stdout, v)
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// [[0.25 0.25 0.25 0.25]
	//  [1.5  1.5  1.5  1.5 ]
	//  [4.5  4.5  4.5  4.5 ]
	//  [7.75 7.75 7.75 7.75]]
}

func ExampleHalo() {
	err := spmd.Run(2, func(c *spmd.Comm) error {
		a := nd.Arange[int64](c, 0, 6, 1, 0)
		blocks := nd.Halo(a, 0, 1, 1)
		if c.Rank() == 0 {
			fmt.Println("rank 0 holds", blocks.Local())
		}
		return nd.Fprint(os.Stdout, blocks)
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// rank 0 holds [0 1 2 3]
	// [0 1 2 3 2 3 4 5]
}

func ExampleConvolve() {
	err := spmd.Run(2, func(c *spmd.Comm) error {
		a := nd.Arange[float64](c, 0, 6, 1, 0)
		ones := nd.Ones[float64](c, nd.Shape{3}, nd.None)
		return nd.Fprint(os.Stdout, nd.Convolve(a, ones, nd.ConvSame))
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// [ 1.  3.  6.  9. 12.  9.]
}
