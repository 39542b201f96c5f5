package nd

import (
	"unsafe"

	"caloric/internal/misuse"
	"caloric/split"
	"caloric/spmd"
)

// Shape is the extent of an array along each axis.
type Shape = split.Shape

// Axis is a split axis, counted from 0, or [None]. Negative numbers do not count
// from the end here, as they do for the axes of reductions: -1 is None.
type Axis = split.Axis

// None is the split axis of a replicated array.
const None = split.None

// Error is a mistake in the program, such as shapes that do not broadcast. The
// functions of this package panic with it, the same on every rank; [Try]
// catches it. Its fields are Func (the function that was called, "nd.Add"), File
// and Line (where), and Text (what is wrong).
type Error = misuse.Error

// Element is the set of types an array can hold.
type Element = spmd.Element

// Integer is the set of integer types.
type Integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// Bits is the set of types that consist of bits.
type Bits interface{ bool | Integer }

// Float is the set of real floating-point types.
type Float interface{ float32 | float64 }

// Complex is the set of complex types.
type Complex interface{ complex64 | complex128 }

// Real is the set of ordered number types.
type Real interface{ Integer | Float }

// Inexact is the set of types that round.
type Inexact interface{ Float | Complex }

// Number is the set of types that can be added and multiplied.
type Number interface{ Real | Complex }

// MaxDims is the largest number of axes of an array.
const MaxDims = 16

// Open is a bound of a [Range] that is not given.
const Open = split.Open

// Item is one entry of a basic slice; see [NDArray.Slice].
type Item = split.Item

// Range selects start:stop or start:stop:step of an axis, with Python's rules for
// negative and out-of-range bounds; either bound may be [Open].
func Range(start, stop int, step ...int) Item {
	switch len(step) {
	case 0:
		return split.Range(start, stop, 1)
	case 1:
		return split.Range(start, stop, step[0])
	}
	misuse.Panic("a range has one step, not %d", len(step))
	return Item{}
}

// From selects start: of an axis.
func From(start int) Item { return split.Range(start, Open, 1) }

// To selects :stop of an axis.
func To(stop int) Item { return split.Range(Open, stop, 1) }

// Whole selects a whole axis, as : does in Python.
func Whole() Item { return split.Range(Open, Open, 1) }

// Index selects one index of an axis and removes the axis.
func Index(i int) Item { return split.Index(i) }

// NewAxis inserts an axis of extent 1.
func NewAxis() Item { return split.NewAxis() }

// Ellipsis stands for as many whole axes as the other items leave over.
func Ellipsis() Item { return split.Ellipsis() }

// Try calls f and returns the mistake that it panics with as an error, nil if
// there is none. Other panics pass through. A mistake is made by every rank
// alike, so every rank of a communicator calls Try alike.
func Try(f func()) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *Error:
			err = p
		default:
			panic(p)
		}
	}()
	f()
	return nil
}

// kind numbers the element types, for tables of kernels.
type kind uint8

const (
	kindBool kind = iota
	kindInt8
	kindInt16
	kindInt32
	kindInt64
	kindUint8
	kindUint16
	kindUint32
	kindUint64
	kindFloat32
	kindFloat64
	kindComplex64
	kindComplex128
	numKinds
)

func kindOf[T Element]() kind {
	var zero T
	switch any(zero).(type) {
	case int8:
		return kindInt8
	case int16:
		return kindInt16
	case int32:
		return kindInt32
	case int64:
		return kindInt64
	case uint8:
		return kindUint8
	case uint16:
		return kindUint16
	case uint32:
		return kindUint32
	case uint64:
		return kindUint64
	case float32:
		return kindFloat32
	case float64:
		return kindFloat64
	case complex64:
		return kindComplex64
	case complex128:
		return kindComplex128
	}
	return kindBool
}

// itemSize returns the bytes of one element.
func itemSize[T Element]() int {
	var zero T
	return int(unsafe.Sizeof(zero))
}
