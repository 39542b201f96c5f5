package nd_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"

	words "caloric/internal/misuse"
	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// misuse is a mistake, on one line, and the message that it gets after the line.
type misuse struct {
	name string // of the function in the message
	do   func()
	text string
}

// TestMisuse makes each kind of mistake once and checks that every rank gets the
// same message, which names the function, the line, and the shapes with their splits.
func TestMisuse(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, m := range misuses(c) {
			before := c.Stats()
			err := nd.Try(m.do)
			var e *nd.Error
			if !errors.As(err, &e) {
				t.Errorf("%s, %s: %v", m.name, m.text, err)
				continue
			}
			file, line := runtime.FuncForPC(reflect.ValueOf(m.do).Pointer()).FileLine(reflect.ValueOf(m.do).Pointer())
			if e.Func != m.name || !strings.HasSuffix(file, e.File) || e.File != "nd/misuse_test.go" || e.Line != line || e.Text != m.text {
				t.Errorf("line %d: got\n%v\nwant %s … %s", line, err, m.name, m.text)
			}
			if n := c.Stats().Sub(before).Total().Calls; n != 0 && m.name != "nd.FromLocal" {
				t.Errorf("%s communicates before it fails: %d calls", m.name, n)
			}
		}
	})
}

func misuses(c *spmd.Comm) []misuse {
	a := nd.Zeros[float64](c, nd.Shape{3, 4}, 0)
	b := nd.Zeros[float64](c, nd.Shape{5}, split.None)
	v := nd.Zeros[float64](c, nd.Shape{4}, 0)
	z := nd.Zeros[complex128](c, nd.Shape{2}, 0)
	none := nd.Zeros[float64](c, nd.Shape{0, 3}, 1)
	deep := nd.Zeros[int8](c, make(nd.Shape, nd.MaxDims), 0)
	count := nd.Zeros[int64](c, nd.Shape{4}, 0)
	other := nd.Zeros[float64](c.Dup(), nd.Shape{3, 4}, 0)
	many := nd.Shape{1 << 40, 1 << 40}
	wrong := make([]int, c.Size())
	wrong[0] = 9
	huge := split.Block(nd.Shape{4}, 0, c.Size()+1)
	same := "operands on different communicators (" + words.Comms(c, other.Comm()) + ")"
	return []misuse{
		// operands that do not fit
		{"nd.Add", func() { nd.Add(a, b) }, "shapes (3, 4) split 0 and (5,) replicated do not broadcast"},
		{"nd.Less", func() { nd.Less(b, a.T()) }, "shapes (5,) replicated and (4, 3) split 1 do not broadcast"},
		{"nd.AddInto", func() { nd.AddInto(v, a, v) }, "shapes (3, 4) split 0 and (4,) split 0 do not broadcast to the destination's (4,) split 0"},
		{"nd.AddInto", func() { nd.AddInto(a, b, b) }, "shapes (5,) replicated and (5,) replicated do not broadcast to the destination's (3, 4) split 0"},
		{"nd.ExpInto", func() { nd.ExpInto(v, a) }, "shape (3, 4) split 0 does not broadcast to the destination's (4,) split 0"},
		{"nd.SubScalarInto", func() { nd.SubScalarInto(v, b, 1) }, "shape (5,) replicated does not broadcast to the destination's (4,) split 0"},
		{"nd.ScalarSubInto", func() { nd.ScalarSubInto(v, 1, b) }, "shape (5,) replicated does not broadcast to the destination's (4,) split 0"},
		{"nd.CopyInto", func() { nd.CopyInto(v, a) }, "shape (3, 4) split 0 does not broadcast to the destination's (4,) split 0"},
		{"nd.Axpy", func() { nd.Axpy(2, a, v) }, "shape (3, 4) split 0 does not broadcast to the destination's (4,) split 0"},
		{"nd.Axpby", func() { nd.Axpby(2, b, 3, a) }, "shape (5,) replicated does not broadcast to the destination's (3, 4) split 0"},
		{"nd.ClipInto", func() { nd.ClipInto(v, a, 0, 1) }, "shape (3, 4) split 0 does not broadcast to the destination's (4,) split 0"},
		{"nd.RoundInto", func() { nd.RoundInto(v, a, 2) }, "shape (3, 4) split 0 does not broadcast to the destination's (4,) split 0"},
		{"nd.AsTypeInto", func() { nd.AsTypeInto(count, a) }, "shape (3, 4) split 0 does not broadcast to the destination's (4,) split 0"},
		{"nd.Add", func() { nd.Add(a, other) }, same},
		{"nd.AddInto", func() { nd.AddInto(a, a, other) }, same},
		{"nd.SumInto", func() { nd.SumInto(a, other) }, same},
		{"nd.CopyInto", func() { nd.CopyInto(a, other) }, same},
		{"nd.AsType", func() { nd.AsType[float64](z) }, "no conversion from complex128 to float64: take RealPart, ImagPart or Modulus"},

		// axes and options of reductions
		{"nd.Sum", func() { nd.Sum(a, nd.Over(2)) }, "axis 2 is out of range for 2 axes"},
		{"nd.Max", func() { nd.Max(a, nd.Over(-3)) }, "axis -3 is out of range for 2 axes"},
		{"nd.Mean", func() { nd.Mean[float64](a, nd.Over(0, -2)) }, "axis 0 is named twice"},
		{"nd.Var", func() { nd.Var[float64](a, nd.Over(1), nd.Over(1)) }, "axis 1 is named twice"},
		{"nd.ArgMax", func() { nd.ArgMax(a, nd.Over(0, 1)) }, "2 axes given, one expected"},
		{"nd.ArgMin", func() { nd.ArgMin(a, nd.Over(0), nd.Over(1)) }, "2 axes given, one expected"},
		{"nd.ArgMin", func() { nd.ArgMin(a, nd.Over()) }, "0 axes given, one expected"},
		{"nd.Over", func() { nd.Over(16) }, "axis 16 is out of range; an array has at most 16 axes"},
		{"nd.Over", func() { nd.Over(make([]int, 17)...) }, "17 axes given; an array has at most 16"},
		{"nd.Min", func() { nd.Min(none) }, "no elements to choose from in an array of shape (0, 3) split 1"},
		{"nd.ArgMax", func() { nd.ArgMax(none, nd.Over(0)) }, "no elements to choose from in an array of shape (0, 3) split 1"},
		{"nd.SumInto", func() { nd.SumInto(v, a, nd.Over(1)) }, "the reduction of (3, 4) split 0 has shape (3,), the destination is (4,) split 0"},
		{"nd.ArgMaxInto", func() { nd.ArgMaxInto(count, a) }, "the reduction of (3, 4) split 0 has shape (), the destination is (4,) split 0"},
		{"nd.StdInto", func() { nd.StdInto(v, a, nd.Over(0), nd.KeepDims()) }, "the reduction of (3, 4) split 0 has shape (1, 4), the destination is (4,) split 0"},

		// indices, slices and transposes
		{"nd.NDArray.At", func() { a.At(3, 0) }, "index 3 is out of range for axis 0 of shape (3, 4)"},
		{"nd.NDArray.At", func() { a.At(0, -5) }, "index -5 is out of range for axis 1 of shape (3, 4)"},
		{"nd.NDArray.At", func() { a.At(1) }, "1 indices for 2 axes of shape (3, 4)"},
		{"nd.NDArray.Item", func() { a.Item() }, "Item of an array of shape (3, 4), which has 12 elements"},
		{"nd.NDArray.Slice", func() { a.Slice(nd.Whole(), nd.Index(4)) }, "index 4 is out of range for axis 1 of extent 4"},
		{"nd.NDArray.Slice", func() { a.Slice(nd.Range(0, 3, 0)) }, "slice 0:3:0 has step 0"},
		{"nd.NDArray.Slice", func() { a.Slice(nd.To(1), nd.To(1), nd.To(1)) }, "3 indices for 2 axes"},
		{"nd.NDArray.Slice", func() { a.Slice(nd.Ellipsis(), nd.Ellipsis()) }, "a slice with two ellipses"},
		{"nd.NDArray.Slice", func() { deep.Slice(nd.NewAxis()) }, "the slice has more than 16 axes"},
		{"nd.NDArray.Transpose", func() { a.Transpose(0, 0) }, "axes [0 0] are no permutation of the 2 axes of shape (3, 4)"},
		{"nd.NDArray.Transpose", func() { a.Transpose(1) }, "axes [1] are no permutation of the 2 axes of shape (3, 4)"},

		// creation and layouts
		{"nd.Zeros", func() { nd.Zeros[int8](c, nd.Shape{2}, 1) }, "split axis 1 is out of range for shape (2,)"},
		{"nd.Zeros", func() { nd.Zeros[int8](c, nd.Shape{}, 0) }, "split axis 0 is out of range for shape ()"},
		{"nd.Ones", func() { nd.Ones[int8](c, nd.Shape{2}, -2) }, "split axis -2 is out of range for shape (2,)"},
		{"nd.Full", func() { nd.Full(c, nd.Shape{2, -1}, 1.5, 0) }, "shape (2, -1) has a negative extent"},
		{"nd.Empty", func() { nd.Empty[int8](c, many, 0) }, "shape (1099511627776, 1099511627776) has more than 2^63-1 elements"},
		{"nd.Zeros", func() { nd.Zeros[int8](c, make(nd.Shape, 17), 0) }, "shape (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) has more than 16 axes"},
		{"nd.FromSlice", func() { nd.FromSlice(c, []bool{true}, nd.Shape{2}, 0) }, "1 values for shape (2,), which has 2 elements"},
		{"nd.FromLocal", func() { nd.FromLocal(c, []bool{true}, nd.Shape{2}, 0) }, "the part of rank 0 has 1 elements for shape (2,)"},
		{"nd.FromLocal", func() { nd.FromLocal(c, []bool{}, nd.Shape{0}, 1) }, "the part of rank 0: split axis 1 is out of range for shape (0,)"},
		{"nd.FromLocal", func() { nd.FromLocal(c, []bool{}, make(nd.Shape, 17), 0) }, "the part of rank 0 has 17 axes, more than 16"},
		{"nd.Wrap", func() { nd.Wrap(c, v.Layout(), make([]int8, v.LocalSize()+1)) }, wrapText(v)},
		{"nd.FromLayout", func() { nd.FromLayout(c, huge, func([]int) int8 { return 0 }) }, layoutText(c, huge)},
		{"nd.Arange", func() { nd.Arange(c, 0, 1, 0.0, 0) }, "step 0"},
		{"nd.Arange", func() { nd.Arange(c, 0, inf, 1, 0) }, "range 0 to +Inf by 1 has no length"},
		{"nd.Linspace", func() { nd.Linspace(c, 0, 1.0, -1, 0) }, "shape (-1,) has a negative extent"},
		{"nd.NDArray.Resplit", func() { a.Resplit(2) }, "split axis 2 is out of range for shape (3, 4)"},
		{"nd.NDArray.Redistribute", func() { a.Redistribute(wrong) }, countsText(wrong)},
		{"nd.NDArray.Redistribute", func() { a.Redistribute(append(make([]int, c.Size()), 3)) }, rankCounts(c)},
		{"nd.NDArray.Redistribute", func() { b.Redistribute([]int{5}) }, "counts [5] for a replicated array"},
		{"nd.NDArray.MoveTo", func() { v.MoveTo(huge) }, moveText(c, huge)},
	}
}

var inf = math.Inf(1)

func wrapText(a *nd.NDArray[float64]) string {
	return fmt.Sprintf("%d local elements where layout (4,) split 0 has %d", a.LocalSize()+1, a.LocalSize())
}

func layoutText(c *spmd.Comm, l *split.Layout) string {
	return fmt.Sprintf("layout (4,) split 0 over %d ranks for a communicator of %d", l.Ranks(), c.Size())
}

func countsText(counts []int) string {
	return fmt.Sprintf("counts %v add up to more than the 3 of axis 0 of shape (3, 4)", counts)
}

func rankCounts(c *spmd.Comm) string {
	return fmt.Sprintf("%d counts for %d ranks", c.Size()+1, c.Size())
}

func moveText(c *spmd.Comm, l *split.Layout) string {
	return fmt.Sprintf("array of layout (4,) split 0 over %d ranks cannot move to layout (4,) split 0 over %d", c.Size(), l.Ranks())
}
