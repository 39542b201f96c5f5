package nd

import (
	"math"
	"math/cmplx"

	"caloric/internal/misuse"
	"caloric/split"
)

// CloseOption says which numbers [IsClose] and its like take for equal.
type CloseOption struct {
	kind closeKind
	tol  float64
}

type closeKind uint8

const (
	rtolOption closeKind = iota + 1
	atolOption
	equalNaNOption
)

// RTol sets the tolerance relative to the second operand, which is 1e-5 else. It
// has to be finite.
func RTol(tol float64) CloseOption { return CloseOption{rtolOption, tol} }

// ATol sets the absolute tolerance, which is 1e-8 else. It has to be finite.
func ATol(tol float64) CloseOption { return CloseOption{atolOption, tol} }

// EqualNaN makes NaN equal to NaN.
func EqualNaN() CloseOption { return CloseOption{kind: equalNaNOption} }

// closeness is what IsClose was asked for.
type closeness struct {
	rtol, atol float64
	equalNaN   bool
}

func closenessOf(opts []CloseOption) closeness {
	c := closeness{rtol: 1e-5, atol: 1e-8}
	for _, o := range opts {
		switch o.kind {
		case rtolOption:
			c.rtol = o.tol
		case atolOption:
			c.atol = o.tol
		case equalNaNOption:
			c.equalNaN = true
		}
	}
	return c
}

// IsClose returns whether a and b differ by no more than atol + rtol·|b|; see
// [RTol], [ATol] and [EqualNaN]. Infinities are close to equal ones only. It works
// element by element, with broadcasting, in double precision for integers and in
// T for others, as NumPy does.
//
// Local unless the layouts differ. Result split: the operands'; see
// [caloric/split.Elementwise]. Communication: none if the layouts agree or an operand is
// replicated, else one move of the smaller operand. Panics if the shapes do not broadcast.
func IsClose[T Number](a, b *NDArray[T], opts ...CloseOption) *NDArray[bool] {
	return binary[T, bool](closeKernel[T](closenessOf(opts)), a, b)
}

// IsCloseInto sets dst to [IsClose] of a and b, which broadcast to dst's shape.
//
// Local unless the layouts differ. Result split: dst's. Communication: none if the
// layouts agree or the operands are replicated, else one move of each that differs.
// Panics if the shapes do not broadcast.
func IsCloseInto[T Number](dst *NDArray[bool], a, b *NDArray[T], opts ...CloseOption) {
	binaryInto[T, bool](closeKernel[T](closenessOf(opts)), dst, a, b)
}

// IsCloseScalar is [IsClose] of a and the number s.
//
// Local. Result split: a's. Communication: none.
func IsCloseScalar[T Number](a *NDArray[T], s T, opts ...CloseOption) *NDArray[bool] {
	return scalarRight[T, bool](closeKernel[T](closenessOf(opts)), a, s)
}

// AllClose reports whether [IsClose] is true of all elements, on every rank.
//
// Collective unless both are replicated. Communication: that of [IsClose], and one
// allreduce of 1 byte, none if both are replicated. Panics if the shapes do not
// broadcast.
func AllClose[T Number](a, b *NDArray[T], opts ...CloseOption) bool {
	return All(IsClose(a, b, opts...)).Item()
}

// ArrayEqual reports whether a and b have the same shape and elements, on every
// rank. NaN equals nothing without [EqualNaN].
//
// Collective unless both are replicated. Communication: none if the shapes differ
// or both are replicated; else one allreduce of 1 byte, and if the layouts differ one move of
// the smaller operand.
func ArrayEqual[T Element](a, b *NDArray[T], opts ...CloseOption) bool {
	sameComm(a.comm, b.comm)
	return a.layout.Shape().Equal(b.layout.Shape()) && ArrayEquiv(a, b, opts...)
}

// ArrayEquiv reports whether a and b broadcast to one shape and have the same
// elements in it, on every rank. NaN equals nothing without [EqualNaN].
//
// Collective unless both are replicated. Communication: none if the shapes do not
// broadcast; else as [ArrayEqual].
func ArrayEquiv[T Element](a, b *NDArray[T], opts ...CloseOption) bool {
	sameComm(a.comm, b.comm)
	if _, err := split.BroadcastShapes(a.layout.Shape(), b.layout.Shape()); err != nil {
		return false
	}
	return All(binary[T, bool](sameAs[T]{closenessOf(opts).equalNaN}, a, b)).Item()
}

type sameAs[T Element] struct{ equalNaN bool }

func (k sameAs[T]) loop(dst []bool, xs, ys []T) {
	ys = ys[:len(dst)]
	for i, x := range xs[:len(dst)] {
		y := ys[i]
		dst[i] = x == y || k.equalNaN && x != x && y != y
	}
}

// closeMakers make the kernels of IsClose by type.
var closeMakers = [numKinds]func(closeness) any{
	kindInt8:       closeInteger[int8],
	kindInt16:      closeInteger[int16],
	kindInt32:      closeInteger[int32],
	kindInt64:      closeInteger[int64],
	kindUint8:      closeInteger[uint8],
	kindUint16:     closeInteger[uint16],
	kindUint32:     closeInteger[uint32],
	kindUint64:     closeInteger[uint64],
	kindFloat32:    closeFloat[float32],
	kindFloat64:    closeFloat[float64],
	kindComplex64:  func(c closeness) any { return closeComplex[complex64, float32]{c} },
	kindComplex128: func(c closeness) any { return closeComplex[complex128, float64]{c} },
}

func closeInteger[T Integer](c closeness) any { return closeReal[T, float64]{c} }
func closeFloat[T Float](c closeness) any     { return closeReal[T, T]{c} }

func closeKernel[T Number](c closeness) kernel2[T, bool] {
	if !(math.Abs(c.rtol+c.atol) < math.Inf(1)) {
		misuse.Panic("the tolerances %v and %v have to be finite", c.rtol, c.atol)
	}
	return closeMakers[kindOf[T]()](c).(kernel2[T, bool])
}

// closeReal compares real numbers in F.
type closeReal[T Real, F Float] struct{ closeness }

func (k closeReal[T, F]) loop(dst []bool, xs, ys []T) {
	rtol, atol, largest := F(k.rtol), F(k.atol), F(math.Inf(1))
	ys = ys[:len(dst)]
	for i, x := range xs[:len(dst)] {
		x, y := F(x), F(ys[i])
		d, size := x-y, y
		if d < 0 {
			d = -d
		}
		if size < 0 {
			size = -size
		}
		dst[i] = d <= atol+F(rtol*size) && size < largest || x == y || k.equalNaN && x != x && y != y
	}
}

// closeComplex compares complex numbers, by their absolute values in F.
type closeComplex[T Complex, F Float] struct{ closeness }

func (k closeComplex[T, F]) loop(dst []bool, xs, ys []T) {
	rtol, atol, largest := F(k.rtol), F(k.atol), F(math.Inf(1))
	ys = ys[:len(dst)]
	for i, x := range xs[:len(dst)] {
		y := ys[i]
		d, size := F(cmplx.Abs(complex128(x-y))), F(cmplx.Abs(complex128(y)))
		dst[i] = d <= atol+F(rtol*size) && size < largest || x == y || k.equalNaN && isNaN(x) && isNaN(y)
	}
}

// isNaN reports whether v, or a part of a complex number, is NaN.
func isNaN[T Element](v T) bool { return v != v }
