package nd_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

var allEnds = []nd.Ends{nd.EndsCrop, nd.EndsFill, nd.EndsEdge, nd.EndsReflect, nd.EndsSymmetric, nd.EndsWrap}

// beyond returns the index of an axis of n that index j stands for, -1 for none.
func beyond(e nd.Ends, j, n int) int {
	for {
		switch {
		case j >= 0 && j < n:
			return j
		case e == nd.EndsEdge:
			return min(max(j, 0), n-1)
		case e == nd.EndsWrap:
			return (j%n + n) % n
		case e == nd.EndsReflect && n == 1:
			return 0
		case e == nd.EndsReflect && j < 0:
			j = -j
		case e == nd.EndsReflect:
			j = 2*(n-1) - j
		case e == nd.EndsSymmetric && j < 0:
			j = -1 - j
		case e == nd.EndsSymmetric:
			j = 2*n - 1 - j
		default:
			return -1
		}
	}
}

// haloOf returns the extended block of rank, computed from the whole array's values.
func haloOf[T nd.Element](l *split.Layout, values []T, rank int, fill T, reach []nd.Reach) (box split.Box, block []T) {
	box = l.Local(rank)
	ends := make([]nd.Ends, len(l.Shape()))
	for _, r := range reach {
		if split.Axis(r.Axis) == l.Axis() && box.Lo[r.Axis] == box.Hi[r.Axis] {
			continue // a rank that owns nothing has no halo
		}
		box.Lo[r.Axis] -= r.Front
		box.Hi[r.Axis] += r.Back
		ends[r.Axis] = r.Ends
		if r.Ends == nd.EndsCrop {
			box.Lo[r.Axis], box.Hi[r.Axis] = max(0, box.Lo[r.Axis]), min(l.Shape()[r.Axis], box.Hi[r.Axis])
		}
	}
	index := make([]int, len(ends))
	eachIndex(box.Shape(), func(i []int) {
		v, inside := fill, true
		for k := range i {
			index[k] = beyond(ends[k], box.Lo[k]+i[k], l.Shape()[k])
			inside = inside && index[k] >= 0
		}
		if inside {
			v = values[flat(l.Shape(), index)]
		}
		block = append(block, v)
	})
	return box, block
}

var haloReaches = []struct {
	shape nd.Shape
	reach []nd.Reach
}{
	{nd.Shape{10}, []nd.Reach{{Axis: 0, Front: 1, Back: 1}}},
	{nd.Shape{10}, []nd.Reach{{Axis: 0, Front: 4}}},
	{nd.Shape{10}, []nd.Reach{{Axis: 0, Back: 3}}},
	{nd.Shape{7}, []nd.Reach{{Axis: 0, Front: 9, Back: 20}}},
	{nd.Shape{1}, []nd.Reach{{Axis: 0, Front: 2, Back: 3}}},
	{nd.Shape{2}, []nd.Reach{{Axis: 0, Front: 5, Back: 1}}},
	{nd.Shape{0}, []nd.Reach{{Axis: 0, Front: 0, Back: 0}}},
	{nd.Shape{6, 3}, []nd.Reach{{Axis: 0, Front: 1, Back: 2}}},
	{nd.Shape{3, 8}, []nd.Reach{{Axis: 1, Front: 2, Back: 1}}},
	{nd.Shape{5, 4}, []nd.Reach{{Axis: 1, Front: 1, Back: 2}, {Axis: 0, Front: 2, Back: 1}}},
	{nd.Shape{4, 3, 5}, []nd.Reach{{Axis: 0, Front: 1, Back: 1}, {Axis: 1, Front: 2}, {Axis: 2, Front: 1, Back: 3}}},
}

// eachHalo calls f with every halo of haloReaches and every layout of its shape.
func eachHalo(c *spmd.Comm, f func(l *split.Layout, reach []nd.Reach)) {
	for i, k := range haloReaches {
		for j, l := range testLayouts(c, k.shape) {
			for e, ends := range allEnds {
				reach := slices.Clone(k.reach)
				for m := range reach {
					reach[m].Ends = ends
					if m > 0 { // other ends along other axes
						reach[m].Ends = allEnds[(e+i+j+m)%len(allEnds)]
					}
				}
				f(l, reach)
			}
		}
	}
}

func TestHaloOfEveryLayout(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		eachHalo(c, func(l *split.Layout, reach []nd.Reach) {
			a := counting(c, l)
			values := countTo(l.Shape().Size())
			h := nd.PlanHalo[int32](c, l, reach...).Fill(-7)
			buf := h.New()
			for range 2 {
				nd.AddScalarInto(buf, buf, 100)
				h.Gather(buf, a)
				box, want := haloOf(l, values, c.Rank(), -7, reach)
				if !buf.LocalShape().Equal(box.Shape()) || !slices.Equal(buf.Local(), want) {
					t.Fatalf("%v on rank %d\nholds %v %v\nwant %v %v", h, c.Rank(), buf.LocalShape(), buf.Local(), box.Shape(), want)
				}
			}
			checkValues(t, h.Crop(buf), values)
			if !h.Crop(buf).Layout().Equal(l) {
				t.Fatalf("%v cropped to %v", h, h.Crop(buf).Layout())
			}
			if len(reach) == 1 && reach[0].Ends != nd.EndsFill {
				b := nd.Halo(a, reach[0].Axis, reach[0].Front, reach[0].Back, reach[0].Ends)
				if !slices.Equal(b.Local(), buf.Local()) || !b.Layout().Equal(h.Extended()) {
					t.Fatalf("Halo of %v gives %v", l, b)
				}
			}
			checkValues(t, a, values)
		})
	})
}

func TestHaloOfViews(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, l := range testLayouts(c, nd.Shape{9, 7}) {
			v := counting(c, l).Slice(nd.From(1), nd.Range(nd.Open, nd.Open, 2)).T()
			values := v.Gather()
			reach := []nd.Reach{{Axis: 0, Front: 1, Back: 1, Ends: nd.EndsWrap}, {Axis: 1, Front: 2, Back: 1, Ends: nd.EndsReflect}}
			h := nd.PlanHalo[int32](c, v.Layout(), reach...)
			whole := nd.Zeros[int32](c, h.Extended().Shape(), h.Extended().Axis()).MoveTo(h.Extended())
			for _, buf := range []*nd.NDArray[int32]{whole, nd.Copy(whole.T()).T()} {
				h.Gather(buf, v)
				if _, want := haloOf(v.Layout(), values, c.Rank(), 0, reach); !slices.Equal(buf.Local(), want) {
					t.Fatalf("%v: %v, want %v", h, buf.Local(), want)
				}
			}
		}
	})
}

// haloSends returns how many messages and elements rank sends for a halo, by
// looking at every element of every rank's halo.
func haloSends(l *split.Layout, rank int, reach []nd.Reach) (messages, elements, peers int) {
	if l.Replicated() {
		return 0, 0, 0
	}
	axis := int(l.Axis())
	row := 1
	for k, d := range l.Shape() {
		if k != axis {
			row *= d
		}
	}
	along := nd.Reach{Axis: axis}
	for _, r := range reach {
		if r.Axis == axis {
			along = r
		}
	}
	if row == 0 {
		return 0, 0, 0
	}
	sends := make([]map[int]bool, l.Ranks())
	for r := range sends {
		sends[r] = map[int]bool{}
	}
	for r := range l.Ranks() {
		from := map[int]bool{}
		seen := map[int]bool{}
		lo, hi := l.Range(r)
		for j := lo - along.Front; lo < hi && j < hi+along.Back; j++ {
			i := beyond(along.Ends, j, l.Shape()[axis])
			if i < 0 || seen[i] || i >= lo && i < hi {
				continue
			}
			seen[i] = true
			o := l.Owner(i)
			from[o], sends[o][r] = true, true
			if o == rank {
				elements += row
			}
		}
		peers = max(peers, len(from))
	}
	for _, s := range sends {
		peers = max(peers, len(s))
	}
	return len(sends[rank]), elements, peers
}

func TestHaloCommunication(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		eachHalo(c, func(l *split.Layout, reach []nd.Reach) {
			a := counting(c, l)
			h := nd.PlanHalo[int32](c, l, reach...)
			buf := h.New()
			messages, elements, peers := haloSends(l, c.Rank(), reach)
			before := c.Stats()
			h.Gather(buf, a)
			got := c.Stats().Sub(before)
			if n := got.Total(); n.Messages != int64(messages) || n.Bytes != int64(4*elements) {
				t.Fatalf("%v sends\n%vwant %d messages of %d elements", h, got, messages, elements)
			}
			if got["isend"].Calls != int64(messages) || got["irecv"].Calls+got["isend"].Calls != got["wait"].Calls || peers <= 2 && got["irecv"].Calls > 2 {
				t.Fatalf("%v calls\n%v", h, got)
			}
			before = c.Stats()
			nd.HaloAccumulate(h, a, buf)
			back := c.Stats().Sub(before)
			if back["isend"].Calls != got["irecv"].Calls || back["irecv"].Calls != got["isend"].Calls || len(back) != len(got) {
				t.Fatalf("%v accumulates by\n%v", h, back)
			}
		})
		// One neighbour is enough: at most 2 messages each way, whatever the ends.
		n := 5 * c.Size()
		for _, ends := range allEnds {
			a := nd.Arange[float64](c, 0, float64(n), 1, 0)
			before := c.Stats()
			nd.Halo(a, 0, 5, 5, ends)
			got := c.Stats().Sub(before)
			if got["isend"].Calls > 2 || got["irecv"].Calls > 2 || got["alltoallv"].Calls != 0 || got["isend"].Bytes > 80 {
				t.Errorf("a halo of one neighbour's block (%v) takes\n%v", ends, got)
			}
			for _, r := range []*nd.NDArray[float64]{nd.Arange[float64](c, 0, float64(n), 1, split.None), nd.Zeros[float64](c, nd.Shape{3, n}, 1)} {
				before := c.Stats()
				nd.Halo(r, 0, 1, 1, ends)
				if got := c.Stats().Sub(before).Total(); got.Calls != 0 {
					t.Errorf("a halo along an axis that is not split takes %d calls", got.Calls)
				}
			}
		}
	})
}

// TestHaloFromManyRanks needs so many neighbours that one alltoallv carries all.
func TestHaloFromManyRanks(t *testing.T) {
	spmdtest.Embedded(t)
	spmdtest.Run(t, 12, func(c *spmd.Comm) {
		for _, ends := range allEnds {
			reach := []nd.Reach{{Axis: 0, Front: 10, Back: 2, Ends: ends}}
			for _, l := range testLayouts(c, nd.Shape{14, 2}) {
				a := counting(c, l)
				h := nd.PlanHalo[int32](c, l, reach...)
				buf := h.New()
				before := c.Stats()
				h.Gather(buf, a)
				got := c.Stats().Sub(before)
				if _, want := haloOf(l, countTo(28), c.Rank(), 0, reach); !slices.Equal(buf.Local(), want) {
					t.Errorf("%v: %v, want %v", h, buf.Local(), want)
				}
				_, elements, peers := haloSends(l, c.Rank(), reach)
				if (peers > 8) != (got["alltoallv"].Calls == 1) || got.Total().Bytes != int64(4*elements) {
					t.Errorf("%v with %d peers takes\n%v", h, peers, got)
				}
				y := nd.FromLayout(c, h.Extended(), func(i []int) int32 { return int32(3*i[0] + i[1]) })
				b := nd.ZerosLike(a)
				nd.HaloAccumulate(h, b, y)
				if x, z := nd.Sum(nd.Mul(buf, y)).Item(), nd.Sum(nd.Mul(a, b)).Item(); x != z {
					t.Errorf("%v: the adjoint gives %d, want %d", h, z, x)
				}
			}
		}
	})
}

func TestHaloAccumulateIsTheAdjoint(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		eachHalo(c, func(l *split.Layout, reach []nd.Reach) {
			x := nd.FromLayout(c, l, func(i []int) int64 { return int64(flat(l.Shape(), i)*7919%101) - 50 })
			h := nd.PlanHalo[int64](c, l, reach...)
			hx := h.New()
			h.Gather(hx, x)
			y := nd.FromLayout(c, h.Extended(), func(i []int) int64 { return int64(flat(h.Extended().Shape(), i)*6007%97) - 40 })
			kept := slices.Clone(y.Local())
			adj := nd.FullLike(x, 999) // is overwritten
			nd.HaloAccumulate(h, adj, y)
			dot := func(a, b *nd.NDArray[int64]) int64 {
				if !a.Layout().Replicated() {
					return nd.Sum(nd.Mul(a, b)).Item()
				}
				s := int64(0)
				for i, v := range a.Local() {
					s += v * b.Local()[i]
				}
				return s
			}
			if got, want := dot(x, adj), dot(hx, y); got != want {
				t.Fatalf("%v: ⟨x, Aᵀy⟩ is %d, ⟨Ax, y⟩ is %d", h, got, want)
			}
			if !slices.Equal(y.Local(), kept) {
				t.Fatalf("%v: accumulating changed its operand", h)
			}
		})
	})
}

func TestHaloStartAndWait(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, l := range testLayouts(c, nd.Shape{11}) {
			a := counting(c, l)
			h := nd.PlanHalo[int32](c, l, nd.Reach{Axis: -1, Front: 1, Back: 1, Ends: nd.EndsWrap})
			g := nd.PlanHalo[int32](c, l, nd.Reach{Axis: 0, Front: 2})
			buf, other := h.New(), g.New()
			h.Start(buf, a)
			g.Start(other, a) // two exchanges on the way at once
			own := h.Crop(buf).Local()
			if !slices.Equal(own, a.Local()) {
				t.Fatalf("the own block is %v before Wait", own)
			}
			if nd.Try(func() { h.Start(buf, a) }) == nil {
				t.Error("starting twice is no mistake")
			}
			nd.CopyInto(a, nd.ZerosLike(a)) // what is sent was taken at Start
			g.Wait()
			h.Wait()
			if nd.Try(h.Wait) == nil {
				t.Error("waiting twice is no mistake")
			}
			if _, want := haloOf(l, countTo(11), c.Rank(), 0, []nd.Reach{{Front: 1, Back: 1, Ends: nd.EndsWrap}}); !slices.Equal(buf.Local(), want) {
				t.Fatalf("%v: %v, want %v", h, buf.Local(), want)
			}
			if _, want := haloOf(l, countTo(11), c.Rank(), 0, []nd.Reach{{Front: 2}}); !slices.Equal(other.Local(), want) {
				t.Fatalf("%v: %v, want %v", g, other.Local(), want)
			}
		}
	})
}

// TestHaloOfAnArrayInItsBlocks: the array may be the Crop of its extended blocks.
func TestHaloOfAnArrayInItsBlocks(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		eachHalo(c, func(l *split.Layout, reach []nd.Reach) {
			h := nd.PlanHalo[int32](c, l, reach...)
			buf, want := h.New(), h.New()
			a := h.Crop(buf)
			nd.CopyInto(a, counting(c, l))
			h.Gather(want, counting(c, l))
			h.Gather(buf, a)
			if !slices.Equal(buf.Local(), want.Local()) {
				t.Fatalf("%v: %v, want %v", h, buf.Local(), want.Local())
			}
			sum := nd.ZerosLike(a)
			nd.HaloAccumulate(h, sum, buf)
			nd.HaloAccumulate(h, a, buf)
			if !slices.Equal(a.Local(), sum.Local()) {
				t.Fatalf("%v: accumulates %v, want %v", h, a.Local(), sum.Local())
			}
		})
	})
}

func TestHaloOfOtherWidthsOnEachRank(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, l := range testLayouts(c, nd.Shape{13})[1:] {
			each := make([][2]int, c.Size())
			for r := range each {
				each[r] = [2]int{r % 3, (r + 1) % 4}
			}
			h := nd.PlanHalo[int32](c, l, nd.Reach{Axis: 0, Ends: nd.EndsSymmetric, Each: each})
			buf := h.New()
			h.Gather(buf, counting(c, l))
			mine := []nd.Reach{{Axis: 0, Front: each[c.Rank()][0], Back: each[c.Rank()][1], Ends: nd.EndsSymmetric}}
			if _, want := haloOf(l, countTo(13), c.Rank(), 0, mine); !slices.Equal(buf.Local(), want) {
				t.Fatalf("%v: %v, want %v", h, buf.Local(), want)
			}
		}
	})
}

func TestHaloAllocations(t *testing.T) {
	spmdtest.Embedded(t)
	spmdtest.Run(t, 1, func(c *spmd.Comm) {
		a := nd.Zeros[float64](c, nd.Shape{30, 20}, 0)
		h := nd.PlanHalo[float64](c, a.Layout(), nd.Reach{Axis: 0, Front: 1, Back: 1, Ends: nd.EndsWrap}, nd.Reach{Axis: 1, Front: 1, Ends: nd.EndsFill})
		buf := h.New()
		if n := allocations(func() { h.Gather(buf, a) }); n != 0 {
			t.Errorf("Gather allocates %v times", n)
		}
		own := h.Crop(buf)
		if n := allocations(func() { h.Gather(buf, own) }); n != 0 {
			t.Errorf("Gather in place allocates %v times", n)
		}
		if n := allocations(func() { nd.HaloAccumulate(h, a, buf) }); n != 0 {
			t.Errorf("HaloAccumulate allocates %v times", n)
		}
		b := nd.ZerosLike(a)
		f := func(dst, src nd.Block[float64]) {}
		if n := allocations(func() { nd.MapHaloInto(h, b, a, f) }); n > 24 {
			t.Errorf("MapHaloInto allocates %v times", n)
		}
	})
}

func TestHaloMistakes(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.Zeros[float64](c, nd.Shape{6, 4}, 0)
		h := nd.PlanHalo[float64](c, a.Layout(), nd.Reach{Axis: 0, Front: 1})
		cut := nd.Zeros[float64](c, nd.Shape{7, 4}, 1)
		for _, row := range []struct {
			text string
			do   func()
		}{
			{"axis 2 is out of range", func() { nd.Halo(a, 2, 1, 1) }},
			{"axis 0 is out of range", func() { nd.Halo(nd.Zeros[float64](c, nd.Shape{}, split.None), 0, 1, 1) }},
			{"a halo of -1 before and 0 after", func() { nd.Halo(a, 0, -1, 0) }},
			{"2 kinds of ends", func() { nd.Halo(a, 0, 1, 0, nd.EndsCrop, nd.EndsWrap) }},
			{"Ends(9)", func() { nd.Halo(a, 0, 1, 0, nd.Ends(9)) }},
			{"axis 1 is named twice", func() { nd.PlanHalo[float64](c, a.Layout(), nd.Reach{Axis: 1}, nd.Reach{Axis: -1}) }},
			{"axis 0 of shape (0, 3) has nothing to continue with", func() { nd.Halo(nd.Zeros[int8](c, nd.Shape{0, 3}, 1), 0, 1, 1, nd.EndsWrap) }},
			{"along axis 1 of layout (6, 4) split 0", func() {
				nd.PlanHalo[float64](c, a.Layout(), nd.Reach{Axis: 1, Each: make([][2]int, c.Size())})
			}},
			{"array of layout (7, 4) split 1 with a halo of layout (6, 4) split 0", func() { h.Gather(h.New(), cut) }},
			{"the extended blocks have layout (7, 4) split 1", func() { h.Gather(cut, a) }},
			{"the extended blocks have layout", func() { h.Crop(cut) }},
			{"the extended blocks have layout", func() { nd.HaloAccumulate(h, a, cut) }},
			{"destination of layout", func() { nd.MapHaloInto(h, cut, a, func(dst, src nd.Block[float64]) {}) }},
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
		if s := fmt.Sprint(h); !strings.Contains(s, "halo of (6, 4) split 0") || !strings.Contains(s, "axis 0 by 1 and 0 (crop)") {
			t.Errorf("a plan is printed as %q", s)
		}
	})
}
