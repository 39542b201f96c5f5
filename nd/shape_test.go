package nd_test

import (
	"slices"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

var reshapeShapes = []nd.Shape{{24}, {4, 6}, {6, 4}, {24, 1}, {1, 24}, {2, 3, 4}, {4, 3, 2}, {12, 1, 2}, {2, 2, 2, 3}}

// TestReshapeBetweenAllLayouts reshapes from every layout of every shape to every
// split of every shape, and checks that exactly what changes its owner is sent.
func TestReshapeBetweenAllLayouts(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for i, shape := range reshapeShapes {
			for j, l := range testLayouts(c, shape) {
				a := counting(c, l)
				to := reshapeShapes[(i*5+j)%len(reshapeShapes)]
				for axis := split.None; int(axis) < len(to); axis++ {
					before := c.Stats()
					b := nd.ReshapeTo(a, to, axis)
					calls := c.Stats().Sub(before)
					if b.Split() != axis || !b.Shape().Equal(to) {
						t.Fatalf("%v to %v split %v: %v", l, to, axis, b.Layout())
					}
					if got := b.Gather(); !slices.Equal(got, countTo(24)) {
						t.Fatalf("%v to %v split %v: %v", l, to, axis, got)
					}
					if a.Layout() != l {
						t.Fatalf("reshape changed its operand to %v", a.Layout())
					}
					if l.Replicated() || axis == split.None {
						continue
					}
					sent := 0
					for f := range 24 {
						if owner(l, f) == c.Rank() && owner(b.Layout(), f) != c.Rank() {
							sent++
						}
					}
					if got := calls.Total(); got.Bytes != int64(4*sent) || got.Calls > 1 {
						t.Fatalf("%v to %v sends\n%v, want %d bytes", l, b.Layout(), calls, 4*sent)
					}
				}
			}
		}
	})
}

// owner returns the rank that owns the element at position f in C order.
func owner(l *split.Layout, f int) int {
	return l.Owner(f / l.Inner() % l.Shape()[l.Axis()])
}

func TestReshapeIsAViewWhereNothingMoves(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := counting(c, split.Block(nd.Shape{8, 6}, 0, c.Size()))
		for _, b := range []*nd.NDArray[int32]{a.Reshape(8, 2, 3), a.Ravel(), a.Reshape(48), a.Reshape(8, -1), nd.ReshapeTo(a, nd.Shape{1, 48}, 1)} {
			if len(a.Local()) > 0 && &a.Local()[0] != &b.Local()[0] {
				t.Errorf("%v is a copy", b.Layout())
			}
		}
		if f := nd.Flatten(a); len(a.Local()) > 0 && &a.Local()[0] == &f.Local()[0] {
			t.Error("Flatten shares memory")
		}
		unbalanced := a.Slice(nd.From(3))
		before := c.Stats()
		b := unbalanced.Reshape(5, 3, 2)
		if n := c.Stats().Sub(before).Total().Calls; n != 0 || !slices.Equal(b.Layout().Counts(), unbalanced.Layout().Counts()) {
			t.Errorf("%v became %v by %d calls", unbalanced.Layout(), b.Layout(), n)
		}
	})
}

func TestIntoForms(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		shape := nd.Shape{5, 4}
		for i, from := range testLayouts(c, shape) {
			for j, to := range testLayouts(c, shape) {
				a := counting(c, from)
				dst := nd.Zeros[int32](c, nd.Shape{}, split.None)
				check := func(name string, want []int32) {
					t.Helper()
					if !dst.Layout().Equal(to) && name != "ConcatenateInto" && name != "StackInto" {
						t.Fatalf("%s changed the destination's layout to %v", name, dst.Layout())
					}
					if got := dst.Gather(); !slices.Equal(got, want) {
						t.Fatalf("%s from %v to %v is %v, want %v", name, from, to, got, want)
					}
				}
				fresh := func() *nd.NDArray[int32] {
					return nd.FromLayout(c, to, func([]int) int32 { return -1 })
				}
				dst = fresh()
				nd.TrilInto(dst, a, 1)
				check("TrilInto", nd.Tril(a, 1).Gather())
				dst = fresh()
				nd.TriuInto(dst, a, -1)
				check("TriuInto", nd.Triu(a, -1).Gather())
				nd.TriuInto(dst, dst, 0)
				check("TriuInto itself", nd.Triu(a, 0).Gather())
				dst = fresh()
				nd.RollInto(dst, a, 2, 0)
				check("RollInto", nd.Roll(a, 2, 0).Gather())
				nd.RollInto(dst, dst, 3, 0, 1)
				check("RollInto itself", nd.RollEach(a, []int{5, 3}, 0, 1).Gather())
				nd.RollInto(dst, a, 3)
				check("RollInto flat", nd.Roll(a, 3).Gather())

				joined := testLayouts(c, nd.Shape{10, 4})
				dst = nd.FromLayout(c, joined[(i+j)%len(joined)], func([]int) int32 { return -1 })
				nd.ConcatenateInto(dst, 0, a, fresh())
				want := append(a.Gather(), slices.Repeat([]int32{-1}, 20)...)
				check("ConcatenateInto", want)
				nd.ConcatenateInto(dst, 0, dst.Slice(nd.From(5)), dst.Slice(nd.To(5)))
				check("ConcatenateInto", append(want[20:], want[:20]...))
				stacked := testLayouts(c, nd.Shape{5, 2, 4})
				dst = nd.FromLayout(c, stacked[(i+j)%len(stacked)], func([]int) int32 { return -1 })
				nd.StackInto(dst, 1, a, a)
				check("StackInto", nd.Stack(1, a, a).Gather())
			}
		}
	})
}

func TestPadConstantTriVander(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, a := range spread(c, []float64{1, 2, 3}) {
			checkValues(t, nd.PadConstant(a, [][2]int{{2, 1}}, 7), []float64{7, 7, 1, 2, 3, 7})
			checkValues(t, nd.Vander(a, 3, false), []float64{1, 1, 1, 4, 2, 1, 9, 3, 1})
			checkValues(t, nd.Vander(a, 4, true), []float64{1, 1, 1, 1, 1, 2, 4, 8, 1, 3, 9, 27})
			checkValues(t, nd.Vander(a, 0, true), []float64{})
		}
		for axis := split.None; axis < 2; axis++ {
			checkValues(t, nd.Tri[int8](c, 2, 3, 0, axis), []int8{1, 0, 0, 1, 1, 0})
			checkValues(t, nd.Tri[int8](c, 2, 3, 1, axis), []int8{1, 1, 0, 1, 1, 1})
			checkValues(t, nd.Tri[int8](c, 3, 2, -1, axis), []int8{0, 0, 1, 0, 1, 1})
			a := nd.FromSlice(c, []int64{1, 2, 3, 4}, nd.Shape{2, 2}, axis)
			checkValues(t, nd.PadConstant(a, [][2]int{{0, 1}, {1, 0}}, -1), []int64{-1, 1, 2, -1, 3, 4, -1, -1, -1})
		}
	})
}

func TestTrimZeros(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, k := range []struct{ in, f, b, fb []float32 }{
			{[]float32{0, 0, 1, 0, 2, 0}, []float32{1, 0, 2, 0}, []float32{0, 0, 1, 0, 2}, []float32{1, 0, 2}},
			{[]float32{0, 0, 0}, []float32{}, []float32{}, []float32{}},
			{[]float32{}, []float32{}, []float32{}, []float32{}},
			{[]float32{3}, []float32{3}, []float32{3}, []float32{3}},
		} {
			for _, a := range spread(c, k.in) {
				before := c.Stats()
				checkValues(t, nd.TrimZeros(a, "f"), k.f)
				checkValues(t, nd.TrimZeros(a, "b"), k.b)
				checkValues(t, nd.TrimZeros(a, "fb"), k.fb)
				if n := c.Stats().Sub(before)["allreduce"]; n.Bytes > 3*16 {
					t.Errorf("TrimZeros sends %d bytes", n.Bytes)
				}
			}
		}
		m := []int32{0, 0, 2, 3, 0, 0, 0, 1, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0}
		for _, l := range testLayouts(c, nd.Shape{3, 6}) {
			a := nd.FromLayout(c, l, func(i []int) int32 { return m[i[0]*6+i[1]] })
			checkValues(t, nd.TrimZeros(a, "fb"), []int32{0, 2, 3, 1, 0, 3})
			checkValues(t, nd.TrimZeros(a, "b"), []int32{0, 0, 2, 3, 0, 1, 0, 3})
		}
	})
}

func TestShapeErrors(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.Zeros[float64](c, nd.Shape{3, 4}, 0)
		v := nd.Zeros[float64](c, nd.Shape{4}, 0)
		for _, row := range []struct {
			text string
			do   func()
		}{
			{"12 elements do not fit shape (5, -1)", func() { a.Reshape(5, -1) }},
			{"shape (-1, -1) has two extents of -1", func() { nd.Reshape(a, -1, -1) }},
			{"split axis 2 is out of range for shape (4, 3)", func() { nd.ReshapeTo(a, nd.Shape{4, 3}, 2) }},
			{"shape (-2,) has a negative extent", func() { nd.Resize(a, -2) }},
			{"axis 3 is out of range for 3 axes", func() { nd.ExpandDims(a, 3) }},
			{"axis 0 of shape (3, 4) does not have extent 1", func() { nd.Squeeze(a, 0) }},
			{"axis 0 is named twice", func() { nd.MoveAxes(a, []int{0, 0}, []int{0, 1}) }},
			{"1 axes to move to 2 places", func() { nd.MoveAxes(a, []int{0}, []int{0, 1}) }},
			{"axis 2 is out of range", func() { nd.SwapAxes(a, 0, 2) }},
			{"start 3 is out of range", func() { nd.RollAxis(a, 0, 3) }},
			{"shape (3, 4) does not broadcast to (3, 5)", func() { nd.BroadcastTo(a, 3, 5) }},
			{"do not broadcast", func() { nd.BroadcastArrays(a, nd.Zeros[float64](c, nd.Shape{5}, 0)) }},
			{"vector 0 of the grid has shape (3, 4)", func() { nd.Meshgrid(nd.XY, a) }},
			{"shapes (3, 4) and (4,) cannot be joined along axis 0", func() { nd.Concatenate(0, a, v) }},
			{"no arrays", func() { nd.Concatenate[float64](0) }},
			{"axis 2 is out of range", func() { nd.Concatenate(2, a, a) }},
			{"the result has shape (6, 4), the destination (3, 4)", func() { nd.ConcatenateInto(a, 0, a, a) }},
			{"shapes (3, 4) and (4,) differ", func() { nd.Stack(0, a, v) }},
			{"cannot be cut into 2 equal sections", func() { nd.Split(a, 2, 0) }},
			{"0 sections", func() { nd.ArraySplit(a, 0, 0) }},
			{"shape (4,) has fewer than 2 axes", func() { nd.VSplit(v, 2) }},
			{"repeats [2 -1]", func() { nd.Tile(a, 2, -1) }},
			{"-1 repeats", func() { nd.Repeat(a, -1, 0) }},
			{"2 counts for axis 0 of shape (3, 4)", func() { nd.RepeatEach(a, []int{1, 1}, 0) }},
			{"2 axes given, one expected", func() { nd.Repeat(a, 1, 0, 1) }},
			{"axis 2 is out of range", func() { nd.Roll(a, 1, 2) }},
			{"1 shifts for 2 axes", func() { nd.RollEach(a, []int{1}, 0, 1) }},
			{"axis 0 is named twice", func() { nd.Flip(a, 0, 0) }},
			{"axes [0 0] span no plane", func() { nd.Rot90(a, 1, 0, 0) }},
			{"3 pairs of widths for shape (3, 4)", func() { nd.Pad(a, make([][2]int, 3), nd.PadEdge) }},
			{"widths [[-1 0] [0 0]]", func() { nd.Pad(a, [][2]int{{-1, 0}, {0, 0}}, nd.PadZero) }},
			{"axis 0 of shape (0,) has nothing to pad with", func() {
				nd.Pad(nd.Zeros[int8](c, nd.Shape{0}, 0), [][2]int{{1, 0}}, nd.PadWrap)
			}},
			{"axes [1 -1] are not two of the axes", func() { nd.Diagonal(a, 0, 1, -1) }},
			{"has fewer than 2 axes", func() { nd.Tril(v, 0) }},
			{"(2, 2, 3)", func() { nd.FillDiagonal(nd.Zeros[int8](c, nd.Shape{2, 2, 3}, 0), 1) }},
			{"windows of 5 by steps of 1 along axis 0 of shape (3, 4)", func() { nd.Unfold(a, 0, 5, 1) }},
			{"index 3 is out of range for 3 indices", func() { nd.Delete(a, []int{3}, 0) }},
			{"index -4 is out of range for 3 indices", func() { nd.Insert(a, []int{-4}, v, 0) }},
			{"does not broadcast", func() { nd.Insert(a, []int{0, 1, 2}, nd.Zeros[float64](c, nd.Shape{2, 4}, 0), 0) }},
			{`trim "x"`, func() { nd.TrimZeros(v, "x") }},
			{"powers of an array of shape (3, 4)", func() { nd.Vander(a, 2, false) }},
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
