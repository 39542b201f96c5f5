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

// unaryOp and binaryOp are the forms of an operation; z_ops_test.go lists them all.
type unaryOp[T, R nd.Element] struct {
	name string
	f    func(a *nd.NDArray[T]) *nd.NDArray[R]
	into func(dst *nd.NDArray[R], a *nd.NDArray[T])
}

type binaryOp[T, R nd.Element] struct {
	name      string
	f         func(a, b *nd.NDArray[T]) *nd.NDArray[R]
	into      func(dst *nd.NDArray[R], a, b *nd.NDArray[T])
	right     func(a *nd.NDArray[T], s T) *nd.NDArray[R]
	rightInto func(dst *nd.NDArray[R], a *nd.NDArray[T], s T)
	left      func(s T, a *nd.NDArray[T]) *nd.NDArray[R] // nil if the operation is commutative
	leftInto  func(dst *nd.NDArray[R], s T, a *nd.NDArray[T])
}

// ulps is the error allowed to an operation, where it is not 4 units in the last place.
var ulps = map[string]float64{
	"AsType": 0,
	"Pow":    64,                       // of complex numbers, as cmplx.Pow loses digits with the size of the logarithm
	"Sin":    64, "Cos": 64, "Tan": 64, // near their zeros and for huge arguments, as math's
}

func ulpsOf(op string) float64 {
	if u, ok := ulps[op]; ok {
		return u
	}
	return 4
}

// eitherZero are the operations whose result may be either zero if the operands
// are different zeros. NumPy's own answer depends on the type.
var eitherZero = []string{"Maximum", "Minimum", "FMax", "FMin"}

// TestElementwiseValues compares every form of every operation, for every type
// and layout, with NumPy.
func TestElementwiseValues(t *testing.T) {
	t.Run("bool", func(t *testing.T) { eachWorld(t, ofBits[bool]) })
	t.Run("int8", func(t *testing.T) { eachWorld(t, ofInteger[int8]) })
	t.Run("int16", func(t *testing.T) { eachWorld(t, ofInteger[int16]) })
	t.Run("int32", func(t *testing.T) { eachWorld(t, ofInteger[int32]) })
	t.Run("int64", func(t *testing.T) { eachWorld(t, ofInteger[int64]) })
	t.Run("uint8", func(t *testing.T) { eachWorld(t, ofInteger[uint8]) })
	t.Run("uint16", func(t *testing.T) { eachWorld(t, ofInteger[uint16]) })
	t.Run("uint32", func(t *testing.T) { eachWorld(t, ofInteger[uint32]) })
	t.Run("uint64", func(t *testing.T) { eachWorld(t, ofInteger[uint64]) })
	t.Run("float32", func(t *testing.T) { eachWorld(t, ofFloat[float32]) })
	t.Run("float64", func(t *testing.T) { eachWorld(t, ofFloat[float64]) })
	t.Run("complex64", func(t *testing.T) { eachWorld(t, ofComplex[complex64, float32]) })
	t.Run("complex128", func(t *testing.T) { eachWorld(t, ofComplex[complex128, float64]) })
}

// checks are the operations to check on the ranks of one world.
type checks struct {
	testing.TB
	c *spmd.Comm
}

func eachWorld(t *testing.T, f func(checks)) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) { f(checks{t, c}) })
}

func ofElement[T nd.Element](t checks) {
	checkUnary(t, unaryElementToBool[T]())
	checkBinary(t, binaryElementToBool[T]())
	checkUnary(t, conversion[bool, T]())
	checkUnary(t, conversion[complex64, T]())
	checkUnary(t, conversion[complex128, T]())
}

func ofBits[T nd.Bits](t checks) {
	ofElement[T](t)
	toReals[T](t)
	checkUnary(t, unaryBits[T]())
	checkBinary(t, binaryBits[T]())
}

func ofNumber[T nd.Number](t checks) {
	ofElement[T](t)
	checkUnary(t, unaryNumber[T]())
	checkBinary(t, binaryNumber[T]())
}

func ofReal[T nd.Real](t checks) {
	ofNumber[T](t)
	toReals[T](t)
	checkUnary(t, unaryReal[T]())
	checkBinary(t, binaryReal[T]())
	checkBinary(t, binaryRealToBool[T]())
}

func ofInteger[T nd.Integer](t checks) {
	ofReal[T](t)
	checkUnary(t, unaryBits[T]())
	checkBinary(t, binaryBits[T]())
	checkBinary(t, binaryInteger[T]())
}

func ofInexact[T nd.Inexact](t checks) {
	checkUnary(t, unaryInexact[T]())
	checkUnary(t, unaryInexactToBool[T]())
	checkBinary(t, binaryInexact[T]())
}

func ofFloat[T nd.Float](t checks) {
	ofReal[T](t)
	ofInexact[T](t)
	checkUnary(t, unaryFloat[T]())
	checkUnary(t, unaryFloatToBool[T]())
	checkBinary(t, binaryFloat[T]())
	for decimals := -2; decimals <= 3; decimals++ {
		checkUnary(t, []unaryOp[T, T]{{
			fmt.Sprintf("Round(%d)", decimals),
			func(a *nd.NDArray[T]) *nd.NDArray[T] { return nd.Round(a, decimals) },
			func(dst, a *nd.NDArray[T]) { nd.RoundInto(dst, a, decimals) },
		}})
	}
}

func ofComplex[T nd.Complex, F nd.Float](t checks) {
	ofNumber[T](t)
	ofInexact[T](t)
	checkUnary(t, unaryComplex[T]())
	checkUnary(t, []unaryOp[T, F]{
		{"RealPart", nd.RealPart[F, T], nd.RealPartInto[F, T]},
		{"ImagPart", nd.ImagPart[F, T], nd.ImagPartInto[F, T]},
		{"Modulus", nd.Modulus[F, T], nd.ModulusInto[F, T]},
		{"Angle", nd.Angle[F, T], nd.AngleInto[F, T]},
	})
}

func toReals[T nd.Element](t checks) {
	checkUnary(t, conversion[int8, T]())
	checkUnary(t, conversion[int16, T]())
	checkUnary(t, conversion[int32, T]())
	checkUnary(t, conversion[int64, T]())
	checkUnary(t, conversion[uint8, T]())
	checkUnary(t, conversion[uint16, T]())
	checkUnary(t, conversion[uint32, T]())
	checkUnary(t, conversion[uint64, T]())
	checkUnary(t, conversion[float32, T]())
	checkUnary(t, conversion[float64, T]())
}

func conversion[U, T nd.Element]() []unaryOp[T, U] {
	return []unaryOp[T, U]{{"AsType", nd.AsType[U, T], nd.AsTypeInto[U, T]}}
}

// inLayouts calls f with the layouts that an operation is tried in: those of one
// axis, and those of a matrix of two rows.
func (t checks) inLayouts(n int, f func(l *split.Layout)) {
	for _, shape := range []nd.Shape{{n}, {2, n / 2}} {
		if shape.Size() != n {
			continue
		}
		for _, l := range testLayouts(t.c, shape) {
			f(l)
		}
	}
}

func checkUnary[T, R nd.Element](t checks, ops []unaryOp[T, R]) {
	t.Helper()
	for _, o := range ops {
		x, want := goldenOf[T, R](t, o.name)
		t.inLayouts(len(x), func(l *split.Layout) {
			a := arrayOf(t.c, l, x)
			got := o.f(a)
			if got.Layout() != l {
				t.Errorf("%s of %v has layout %v", o.name, l, got.Layout())
			}
			checkNear(t, o.name, got, want)
			dst := nd.EmptyLike(got)
			o.into(dst, a)
			checkNear(t, o.name+"Into", dst, want)
			checkSame(t, o.name, a, l, x)
		})
	}
}

func checkBinary[T, R nd.Element](t checks, ops []binaryOp[T, R]) {
	t.Helper()
	for _, o := range ops {
		x, want := goldenOf[T, R](t, o.name)
		n := len(x)
		var xs, ys []T // every pair
		for _, v := range x {
			xs = append(xs, slices.Repeat([]T{v}, n)...)
			ys = append(ys, x...)
		}
		t.inLayouts(n*n, func(l *split.Layout) {
			a, b := arrayOf(t.c, l, xs), arrayOf(t.c, l, ys)
			got := o.f(a, b)
			if got.Layout() != l {
				t.Errorf("%s of %v has layout %v", o.name, l, got.Layout())
			}
			checkNear(t, o.name, got, want)
			dst := nd.EmptyLike(got)
			o.into(dst, a, b)
			checkNear(t, o.name+"Into", dst, want)
			checkSame(t, o.name, a, l, xs)
			checkSame(t, o.name, b, l, ys)
		})
		layouts := testLayouts(t.c, nd.Shape{n})
		l := layouts[len(layouts)-1]
		a := arrayOf(t.c, l, x)
		dst := nd.EmptyLike(o.right(a, x[0]))
		for j, s := range x {
			row := want[j*n : (j+1)*n] // s is the left operand
			column := make([]R, n)
			for i := range column {
				column[i] = want[i*n+j]
			}
			checkNear(t, o.name+"Scalar", o.right(a, s), column)
			o.rightInto(dst, a, s)
			checkNear(t, o.name+"ScalarInto", dst, column)
			if o.left != nil {
				checkNear(t, "Scalar"+o.name, o.left(s, a), row)
				o.leftInto(dst, s, a)
				checkNear(t, "Scalar"+o.name+"Into", dst, row)
			}
		}
		checkSame(t, o.name, a, l, x)
	}
}

// arrayOf returns the array of the given elements in C order.
func arrayOf[T nd.Element](c *spmd.Comm, l *split.Layout, x []T) *nd.NDArray[T] {
	shape := l.Shape()
	return nd.FromLayout(c, l, func(i []int) T { return x[flat(shape, i)] })
}

// checkNear reports the first element of this rank's part of a, the result of
// op, that is not near what it should be.
func checkNear[R nd.Element](t checks, op string, a *nd.NDArray[R], want []R) {
	t.Helper()
	name := strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(op, "Scalar"), "Into"), "Scalar")
	allowed := ulpsOf(name)
	part := localPart(want, a.Layout(), t.c.Rank())
	for i, got := range a.Local() {
		if near(got, part[i], allowed) {
			continue
		}
		if got == *new(R) && got == part[i] && slices.Contains(eitherZero, name) {
			continue
		}
		t.Errorf("%s to %v: local element %d of rank %d is %v, want %v", op, a.Layout(), i, t.c.Rank(), got, part[i])
		return
	}
}

// checkSame reports whether an operand is as it was.
func checkSame[T nd.Element](t checks, op string, a *nd.NDArray[T], l *split.Layout, x []T) {
	t.Helper()
	same := func(x, y T) bool { return near(x, y, 0) }
	if a.Layout() != l || !slices.EqualFunc(a.Local(), localPart(x, l, t.c.Rank()), same) {
		t.Errorf("%s changed its operand %v", op, l)
	}
}

// localPart returns the elements of x, in C order, that a rank holds in layout l.
func localPart[T any](x []T, l *split.Layout, rank int) []T {
	part := make([]T, 0, l.LocalSize(rank))
	lo := l.Local(rank).Lo
	at := make([]int, len(lo))
	eachIndex(l.LocalShape(rank), func(i []int) {
		for k := range at {
			at[k] = lo[k] + i[k]
		}
		part = append(part, x[flat(l.Shape(), at)])
	})
	return part
}
