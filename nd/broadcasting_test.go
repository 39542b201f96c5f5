package nd_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// broadcastShapes are pairs of operands' shapes.
var broadcastShapes = [][2]nd.Shape{
	{{5}, {5}}, {{3, 4}, {3, 4}}, {{4, 1}, {1, 5}}, {{3, 4}, {4}}, {{4}, {3, 4}}, {{1, 6}, {3, 6}}, {{1}, {6}},
	{{}, {}}, {{}, {3}}, {{3, 4}, {}}, {{0}, {0}}, {{0}, {1}}, {{0, 3}, {3}}, {{2, 1, 3}, {4, 1}},
}

// broadcastAt returns the element of x, of the given shape in C order, that is
// at an index of a shape to which it broadcasts.
func broadcastAt[T any](x []T, shape nd.Shape, index []int) T {
	at := slices.Clone(index[len(index)-len(shape):])
	for k, n := range shape {
		if n == 1 {
			at[k] = 0
		}
	}
	return x[flat(shape, at)]
}

// pairwise returns f of the elements of x and y, broadcast, in C order.
func pairwise[T, R any](f func(x, y T) R, shape nd.Shape, x []T, sx nd.Shape, y []T, sy nd.Shape) []R {
	out := make([]R, 0, shape.Size())
	eachIndex(shape, func(i []int) { out = append(out, f(broadcastAt(x, sx, i), broadcastAt(y, sy, i))) })
	return out
}

func numbers[T any](n int, number func(i int) T) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = number(i)
	}
	return x
}

// TestElementwiseMixedLayouts combines operands of every two layouts. The engine
// that does it is the same for all operations; only the sizes of the operands'
// and the result's elements matter.
func TestElementwiseMixedLayouts(t *testing.T) {
	t.Run("float64", func(t *testing.T) {
		op := binaryOp[float64, float64]{name: "Sub", f: nd.Sub[float64], into: nd.SubInto[float64]}
		eachMix(t, op, func(i int) float64 { return float64(i*i) / 4 }, func(x, y float64) float64 { return x - y })
	})
	t.Run("uint8", func(t *testing.T) {
		op := binaryOp[uint8, uint8]{name: "Sub", f: nd.Sub[uint8], into: nd.SubInto[uint8]}
		eachMix(t, op, func(i int) uint8 { return uint8(i * 77) }, func(x, y uint8) uint8 { return x - y })
	})
	t.Run("int32 to bool", func(t *testing.T) {
		op := binaryOp[int32, bool]{name: "Less", f: nd.Less[int32], into: nd.LessInto[int32]}
		eachMix(t, op, func(i int) int32 { return int32(i * 5 % 7) }, func(x, y int32) bool { return x < y })
	})
	t.Run("float32 to complex128", func(t *testing.T) {
		op := binaryOp[float32, complex128]{name: "ComplexOf", f: nd.ComplexOf[complex128, float32], into: nd.ComplexOfInto[complex128, float32]}
		eachMix(t, op, func(i int) float32 { return float32(i) / 2 }, func(x, y float32) complex128 { return complex(float64(x), float64(y)) })
	})
}

func eachMix[T, R nd.Element](t *testing.T, op binaryOp[T, R], number func(i int) T, f func(x, y T) R) {
	eachWorld(t, func(t checks) {
		for _, shapes := range broadcastShapes {
			shape, err := split.BroadcastShapes(shapes[0], shapes[1])
			if err != nil {
				t.Fatal(err)
			}
			x := numbers(shapes[0].Size(), number)
			y := numbers(shapes[1].Size(), func(i int) T { return number(i + 3) })
			want := pairwise(f, shape, x, shapes[0], y, shapes[1])
			dst := testLayouts(t.c, shape)
			n := 0
			for _, la := range testLayouts(t.c, shapes[0]) {
				for _, lb := range testLayouts(t.c, shapes[1]) {
					checkMix(t, op, la, lb, dst[n%len(dst)], x, y, want)
					n++
				}
			}
		}
	})
}

// checkMix checks an operation on operands of layouts la and lb: its values, its
// layout, what it communicates, and that it leaves the operands alone.
func checkMix[T, R nd.Element](t checks, op binaryOp[T, R], la, lb, ldst *split.Layout, x, y []T, want []R) {
	t.Helper()
	what := fmt.Sprintf("%s of %v and %v", op.name, la, lb)
	a, b := arrayOf(t.c, la, x), arrayOf(t.c, lb, y)
	got := checkMoves(t, what, la, lb, func() *nd.NDArray[R] { return op.f(a, b) })
	checkNear(t, what, got, want)

	dst := nd.FromLayout(t.c, ldst, func([]int) R { return *new(R) })
	checkMoves(t, what+" into", la, lb, func() *nd.NDArray[R] {
		op.into(dst, a, b)
		return dst
	})
	if dst.Layout() != ldst {
		t.Errorf("%s changed the layout of the destination", what)
	}
	checkNear(t, what+" into", dst, want)
	checkSame(t, what, a, la, x)
	checkSame(t, what, b, lb, y)
}

// checkMoves checks that f moves just those operands that are not aligned with
// its result, each in one call, and returns the result.
func checkMoves[R nd.Element](t checks, what string, la, lb *split.Layout, f func() *nd.NDArray[R]) *nd.NDArray[R] {
	t.Helper()
	before := t.c.Stats()
	result := f()
	got := t.c.Stats().Sub(before)
	want := spmd.Stats{}
	for _, l := range []*split.Layout{la, lb} {
		name := ""
		switch split.Move(l, split.Align(result.Layout(), l), t.c.Rank()).Kind {
		case split.Nothing, split.Cut:
			continue
		case split.AllGather:
			name = "allgatherv"
		default:
			name = "alltoallv"
		}
		want[name] = spmd.Count{Calls: want[name].Calls + 1}
	}
	for name, n := range got {
		got[name] = spmd.Count{Calls: n.Calls}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s communicates (-want +got)\n%s", what, d)
	}
	return result
}

// TestElementwiseCommunication states what mixed layouts cost.
func TestElementwiseCommunication(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		array := func(axis nd.Axis, shape ...int) *nd.NDArray[float64] { return nd.Ones[float64](c, shape, axis) }
		late := make([]int, c.Size())
		late[c.Size()-1] = 8
		unbalanced := nd.FromLayout(c, split.WithCounts(nd.Shape{8, 6}, 0, late), func([]int) float64 { return 2 })
		for _, row := range []struct {
			name string
			a, b *nd.NDArray[float64]
			want spmd.Stats
			axis nd.Axis
		}{
			{"one layout", array(0, 8, 6), array(0, 8, 6), spmd.Stats{}, 0},
			{"replicated and split", array(split.None, 8, 6), array(1, 8, 6), spmd.Stats{}, 1},
			{"split column and replicated row", array(0, 8, 1), array(split.None, 6), spmd.Stats{}, 0},
			{"replicated column and split row", array(split.None, 8, 1), array(0, 6), spmd.Stats{}, 1},
			{"split matrix and row split alike", array(1, 8, 6), array(0, 6), spmd.Stats{}, 1},
			{"rows and columns", array(0, 8, 6), array(1, 8, 6), spmd.Stats{"alltoallv": {Calls: 1}}, 0},
			{"balanced and not", array(0, 8, 6), unbalanced, spmd.Stats{"alltoallv": {Calls: 1}}, 0},
			{"split matrix and a row split otherwise", array(0, 8, 6), array(0, 6), spmd.Stats{"allgatherv": {Calls: 1}}, 0},
		} {
			before := c.Stats()
			r := nd.Add(row.a, row.b)
			got := c.Stats().Sub(before)
			for name, n := range got {
				got[name] = spmd.Count{Calls: n.Calls}
			}
			if c.Size() == 1 {
				row.want = spmd.Stats{}
			}
			if d := cmp.Diff(row.want, got); d != "" || r.Split() != row.axis {
				t.Errorf("%s: result %v, communicates (-want +got)\n%s", row.name, r.Layout(), d)
			}
		}
	})
}

// someOperand is an operand that is a view of another array, as rapid draws it.
type someOperand struct {
	layout *split.Layout // of the array that it is a view of
	shape  nd.Shape
	flip   bool // transposed
	axis   int  // of which it has every second index, -1 for none
	start  int
	seed   int
}

func drawOperand(t *rapid.T, name string, shape nd.Shape, ranks int) someOperand {
	o := someOperand{shape: shape, axis: -1, flip: rapid.Bool().Draw(t, name+" transposed")}
	if len(shape) > 0 {
		o.axis = rapid.IntRange(-1, len(shape)-1).Draw(t, name+" strided axis")
		o.start = rapid.IntRange(0, 1).Draw(t, name+" start")
	}
	o.seed = rapid.IntRange(-1000, 1000).Draw(t, name+" seed")
	stored := o.whole()
	if o.flip {
		slices.Reverse(stored)
	}
	o.layout = drawLayout(t, name, stored, ranks)
	return o
}

func drawLayout(t *rapid.T, name string, shape nd.Shape, ranks int) *split.Layout {
	axis := split.Axis(rapid.IntRange(-1, len(shape)-1).Draw(t, name+" split"))
	if axis == split.None {
		return split.Block(shape, axis, ranks)
	}
	counts := make([]int, ranks)
	left := shape[axis]
	for r := range counts[1:] {
		counts[r] = rapid.IntRange(0, left).Draw(t, name+" count")
		left -= counts[r]
	}
	counts[ranks-1] = left
	return split.WithCounts(shape, axis, counts)
}

// whole returns the shape of the array that o is a view of, before the transpose.
func (o someOperand) whole() nd.Shape {
	s := slices.Clone(o.shape)
	if o.axis >= 0 {
		s[o.axis] = 2*s[o.axis] + o.start
	}
	return s
}

func (o someOperand) array(c *spmd.Comm) *nd.NDArray[float64] {
	a := nd.FromLayout(c, o.layout, func(i []int) float64 {
		i = slices.Clone(i)
		if o.flip {
			slices.Reverse(i)
		}
		return float64(o.seed + 3*flat(o.whole(), i))
	})
	if o.flip {
		a = a.T()
	}
	if o.axis >= 0 {
		items := slices.Repeat([]nd.Item{nd.Whole()}, len(o.shape))
		items[o.axis] = nd.Range(o.start, nd.Open, 2)
		a = a.Slice(items...)
	}
	return a
}

// values returns the elements of the view in C order.
func (o someOperand) values() []float64 {
	var x []float64
	eachIndex(o.shape, func(i []int) {
		i = slices.Clone(i)
		if o.axis >= 0 {
			i[o.axis] = o.start + 2*i[o.axis]
		}
		x = append(x, float64(o.seed+3*flat(o.whole(), i)))
	})
	return x
}

// TestElementwiseProperties combines random views of random shapes and layouts.
func TestElementwiseProperties(t *testing.T) {
	spmdtest.Embedded(t)
	rapid.Check(t, func(rt *rapid.T) {
		ranks := rapid.IntRange(1, 5).Draw(rt, "ranks")
		shape := nd.Shape(rapid.SliceOfN(rapid.IntRange(0, 4), 0, 3).Draw(rt, "shape"))
		operand := func(name string) someOperand {
			s := slices.Clone(shape[rapid.IntRange(0, len(shape)).Draw(rt, name+" axes missing"):])
			for k := range s {
				if rapid.IntRange(0, 3).Draw(rt, name+" repeats") == 0 {
					s[k] = 1
				}
			}
			return drawOperand(rt, name, s, ranks)
		}
		a, b, dst := operand("a"), operand("b"), drawOperand(rt, "dst", shape, ranks)
		x, y := a.values(), b.values()
		sub := func(x, y float64) float64 { return x - y }
		common, err := split.BroadcastShapes(a.shape, b.shape)
		if err != nil {
			rt.Fatal(err)
		}
		want := pairwise(sub, common, x, a.shape, y, b.shape)
		wantInto := pairwise(sub, shape, x, a.shape, y, b.shape)
		wantAxpy := pairwise(func(x, y float64) float64 { return y + 2*x }, shape, x, a.shape, wantInto, shape)
		err = spmd.Run(ranks, func(c *spmd.Comm) error {
			p, q, d := a.array(c), b.array(c), dst.array(c)
			lp, lq := p.Layout(), q.Layout()
			same := func(what string, a *nd.NDArray[float64], want []float64) error {
				if got := a.Gather(); !slices.Equal(got, want) {
					return fmt.Errorf("%s is %v, want %v", what, got, want)
				}
				return nil
			}
			diff := nd.Sub(p, q)
			nd.SubInto(d, p, q)
			if err := same("a-b", diff, want); err != nil {
				return err
			}
			if err := same("dst of a-b", d, wantInto); err != nil {
				return err
			}
			if err := same("-(b-a)", nd.Neg(nd.Sub(q, p)), want); err != nil {
				return err
			}
			if err := same("b+a", nd.Add(q, p), nd.Add(p, q).Gather()); err != nil {
				return err
			}
			nd.Axpy(2, p, d)
			if err := same("dst+2a", d, wantAxpy); err != nil {
				return err
			}
			if p.Layout() != lp || q.Layout() != lq {
				return fmt.Errorf("an operand's layout changed")
			}
			if err := same("operand a", p, x); err != nil {
				return err
			}
			return same("operand b", q, y)
		})
		if err != nil {
			rt.Fatal(err)
		}
	})
}
