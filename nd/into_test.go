package nd_test

import (
	"math"
	"slices"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

func ramp64(i int) float64 { return float64(i*i+1) / 8 }

// TestIntoAllocatesNothing runs the forms of every operation of float64 that
// write to a destination.
func TestIntoAllocatesNothing(t *testing.T) {
	spmdtest.Run(t, 1, func(c *spmd.Comm) {
		const n = 700 // more than one block of strided elements
		array := func() *nd.NDArray[float64] {
			return nd.FromFunc(c, nd.Shape{n, 2}, 0, func(i []int) float64 { return float64(i[0]+1) / n })
		}
		second := func(a *nd.NDArray[float64]) *nd.NDArray[float64] { return a.Slice(nd.Whole(), nd.Index(1)) }
		a, b, dst, yes := array(), array(), array(), nd.Zeros[bool](c, nd.Shape{n, 2}, 0)
		buf, bits := &dst.Local()[0], &yes.Local()[0]
		none := func(what string, f func()) {
			if n := allocations(f); n != 0 {
				t.Errorf("%s allocates %v times", what, n)
			}
		}
		unary := func(ops []unaryOp[float64, float64], dst, a *nd.NDArray[float64]) {
			for _, o := range ops {
				none(o.name, func() { o.into(dst, a) })
			}
		}
		binary := func(ops []binaryOp[float64, float64], dst, a, b *nd.NDArray[float64]) {
			for _, o := range ops {
				none(o.name, func() { o.into(dst, a, b) })
				none(o.name+" and a number", func() { o.rightInto(dst, a, 2) })
				if o.leftInto != nil {
					none(o.name+" of a number", func() { o.leftInto(dst, 2, a) })
				}
			}
		}
		for _, v := range []struct{ dst, a, b *nd.NDArray[float64] }{
			{dst, a, b},                         // contiguous
			{second(dst), second(a), second(b)}, // strided
			{dst.T(), a.T(), b.T()},
			{dst, dst, a}, // in place
			{dst, a, nd.Ones[float64](c, nd.Shape{2}, split.None)},
			{second(a), a.Slice(nd.Whole(), nd.Index(0)), second(b)}, // columns of one array
		} {
			unary(slices.Concat(unaryNumber[float64](), unaryReal[float64](), unaryInexact[float64](), unaryFloat[float64]()), v.dst, v.a)
			binary(slices.Concat(binaryNumber[float64](), binaryReal[float64](), binaryInexact[float64](), binaryFloat[float64]()), v.dst, v.a, v.b)
			none("Axpy", func() { nd.Axpy(2, v.b, v.dst) })
			none("Axpby", func() { nd.Axpby(2, v.b, 3, v.dst) })
			none("Scale", func() { nd.Scale(0.5, v.dst) })
			none("CopyInto", func() { nd.CopyInto(v.dst, v.a) })
			none("ClipInto", func() { nd.ClipInto(v.dst, v.a, 0, 1) })
			none("RoundInto", func() { nd.RoundInto(v.dst, v.a, 2) })
		}
		for _, o := range slices.Concat(unaryElementToBool[float64](), unaryInexactToBool[float64](), unaryFloatToBool[float64]()) {
			none(o.name, func() { o.into(yes, a) })
		}
		for _, o := range slices.Concat(binaryElementToBool[float64](), binaryRealToBool[float64]()) {
			none(o.name, func() { o.into(yes, a, b) })
			none(o.name+" and a number", func() { o.rightInto(yes, a, 2) })
		}
		single := nd.Zeros[float32](c, nd.Shape{n, 2}, 0)
		none("AsTypeInto", func() { nd.AsTypeInto(single, a) })
		if buf != &dst.Local()[0] || bits != &yes.Local()[0] {
			t.Error("a destination has another buffer now")
		}
	})
}

func TestFused(t *testing.T) {
	eachWorld(t, func(t checks) {
		for _, shapes := range [][2]nd.Shape{{{6}, {6}}, {{3, 4}, {4}}, {{3, 4}, {3, 1}}, {{3, 4}, {}}, {{0, 2}, {2}}} {
			y, x := numbers(shapes[0].Size(), ramp64), numbers(shapes[1].Size(), ramp64)
			combined := func(alpha, beta float64) []float64 {
				return pairwise(func(x, y float64) float64 { return alpha*x + beta*y }, shapes[0], x, shapes[1], y, shapes[0])
			}
			for _, ly := range testLayouts(t.c, shapes[0]) {
				for _, lx := range testLayouts(t.c, shapes[1]) {
					a, b := arrayOf(t.c, lx, x), arrayOf(t.c, ly, y)
					nd.Axpy(3, a, b)
					checkNear(t, "axpy", b, combined(3, 1))
					b = arrayOf(t.c, ly, y)
					nd.Axpby(3, a, -2, b)
					checkNear(t, "axpby", b, combined(3, -2))
					checkSame(t, "axpby", a, lx, x)
				}
				b := arrayOf(t.c, ly, y)
				nd.Scale(-0.5, b)
				checkNear(t, "scale", b, combined(0, -0.5))
				nd.Axpby(1, b, 2, b) // x is y
				checkNear(t, "axpby of itself", b, combined(0, -1.5))
			}
		}
		z := nd.FromSlice(t.c, []complex64{1, 2i, -1}, nd.Shape{3}, 0)
		nd.Axpy(1i, nd.Copy(z), z)
		checkValues(t, z, []complex64{1 + 1i, -2 + 2i, -1 - 1i})
		k := nd.FromSlice(t.c, []uint8{1, 200, 255}, nd.Shape{3}, 0)
		nd.Scale(2, k)
		checkValues(t, k, []uint8{2, 144, 254})
	})
}

func TestClip(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	x := []float64{nan, -inf, -2, -1, math.Copysign(0, -1), 0.5, 1, 3, inf}
	eachWorld(t, func(t checks) {
		for _, l := range testLayouts(t.c, nd.Shape{len(x)}) {
			a := arrayOf(t.c, l, x)
			checkNear(t, "Clip", nd.Clip(a, -1, 1), []float64{nan, -1, -1, -1, math.Copysign(0, -1), 0.5, 1, 1, 1})
			checkNear(t, "Clip, lo > hi", nd.Clip(a, 2, 1), []float64{nan, 1, 1, 1, 1, 1, 1, 1, 1})
			checkNear(t, "Clip, no upper bound", nd.Clip(a, 0.5, inf), []float64{nan, 0.5, 0.5, 0.5, 0.5, 0.5, 1, 3, inf})
			checkSame(t, "Clip", a, l, x)
			nd.ClipInto(a, a, -1, 1)
			checkNear(t, "ClipInto", a, []float64{nan, -1, -1, -1, math.Copysign(0, -1), 0.5, 1, 1, 1})
		}
		checkValues(t, nd.Clip(nd.FromSlice(t.c, []int8{-128, 0, 127}, nd.Shape{3}, 0), -5, 5), []int8{-5, 0, 5})
	})
}

// TestWorkers checks operations that are large enough to be split over the
// workers of a rank, on shapes that split in each way.
func TestWorkers(t *testing.T) {
	spmdtest.Run(t, 1, func(c *spmd.Comm) {
		for _, shape := range []nd.Shape{{1 << 18}, {1, 1 << 18}, {3, 1 << 16}, {1 << 16, 3}} {
			a := nd.FromFunc(c, shape, 0, func(i []int) float64 { return float64(flat(shape, i)) })
			row := nd.FromFunc(c, shape[len(shape)-1:], split.None, func(i []int) float64 { return float64(i[0] % 7) })
			n := shape[len(shape)-1]
			wrong := func(got *nd.NDArray[float64], want func(i int) float64) bool {
				for i, v := range got.Local() {
					if v != want(i) {
						return true
					}
				}
				return false
			}
			if wrong(nd.Sub(a, row), func(i int) float64 { return float64(i - i%n%7) }) {
				t.Errorf("a-b of shape %v is wrong", shape)
			}
			if wrong(nd.Neg(a.T()).T(), func(i int) float64 { return float64(-i) }) {
				t.Errorf("-aᵀ of shape %v is wrong", shape)
			}
			b := nd.Copy(a)
			nd.Axpy(2, row, b)
			if wrong(b, func(i int) float64 { return float64(i + 2*(i%n%7)) }) {
				t.Errorf("axpy of shape %v is wrong", shape)
			}
		}
	})
}

// TestLogarithmsOfPowers checks what NumPy gives exactly.
func TestLogarithmsOfPowers(t *testing.T) {
	spmdtest.Run(t, 1, func(c *spmd.Comm) {
		tens := nd.FromFunc(c, nd.Shape{23}, 0, func(i []int) float64 { return math.Pow10(i[0]) })
		checkValues(t, nd.Log10(tens), nd.Arange[float64](c, 0, 23, 1, 0).Local())
		twos := nd.FromFunc(c, nd.Shape{2098}, 0, func(i []int) float64 { return math.Ldexp(1, i[0]-1074) })
		checkValues(t, nd.Log2(twos), nd.Arange[float64](c, -1074, 1024, 1, 0).Local())
	})
}
