package nd

import "caloric/internal/misuse"

// AsType returns a with its elements converted to U, in memory of its own. A
// number becomes true if it is not zero, and true becomes 1. Floats lose their
// fraction when they become integers; NaN and numbers out of U's range become
// some number, the same on every rank. Complex numbers do not become real ones:
// see [RealPart] and [Modulus].
//
// Local. Result split: a's. Communication: none. Panics from complex to real.
func AsType[U, T Element](a *NDArray[T]) *NDArray[U] { return unary(converter[U, T](), a) }

// AsTypeInto sets dst to a with its elements converted, as [AsType] does. It
// allocates nothing.
//
// Local unless the layouts differ. Result split: dst's. Communication: none if the
// layouts agree or a is replicated, else one move of a. Panics from complex to
// real, or if the shapes do not broadcast.
func AsTypeInto[U, T Element](dst *NDArray[U], a *NDArray[T]) { unaryInto(converter[U, T](), dst, a) }

func converter[U, T Element]() kernel1[T, U] {
	k, ok := converters[kindOf[U]()][kindOf[T]()].(kernel1[T, U])
	if !ok {
		var from T
		var to U
		misuse.Panic("no conversion from %T to %T: take RealPart, ImagPart or Modulus", from, to)
	}
	return k
}

// converters are the kernels by result and operand type.
var converters = [numKinds][numKinds]any{
	kindBool: {
		toBool[bool]{}, toBool[int8]{}, toBool[int16]{}, toBool[int32]{}, toBool[int64]{},
		toBool[uint8]{}, toBool[uint16]{}, toBool[uint32]{}, toBool[uint64]{},
		toBool[float32]{}, toBool[float64]{}, toBool[complex64]{}, toBool[complex128]{},
	},
	kindInt8:       toReal[int8](),
	kindInt16:      toReal[int16](),
	kindInt32:      toReal[int32](),
	kindInt64:      toReal[int64](),
	kindUint8:      toReal[uint8](),
	kindUint16:     toReal[uint16](),
	kindUint32:     toReal[uint32](),
	kindUint64:     toReal[uint64](),
	kindFloat32:    toReal[float32](),
	kindFloat64:    toReal[float64](),
	kindComplex64:  toComplex[complex64](),
	kindComplex128: toComplex[complex128](),
}

func toReal[U Real]() [numKinds]any {
	return [numKinds]any{
		fromBool[U]{}, realToReal[int8, U]{}, realToReal[int16, U]{}, realToReal[int32, U]{}, realToReal[int64, U]{},
		realToReal[uint8, U]{}, realToReal[uint16, U]{}, realToReal[uint32, U]{}, realToReal[uint64, U]{},
		realToReal[float32, U]{}, realToReal[float64, U]{},
	}
}

func toComplex[U Complex]() [numKinds]any {
	return [numKinds]any{
		fromBool[U]{}, realToComplex[int8, U]{}, realToComplex[int16, U]{}, realToComplex[int32, U]{}, realToComplex[int64, U]{},
		realToComplex[uint8, U]{}, realToComplex[uint16, U]{}, realToComplex[uint32, U]{}, realToComplex[uint64, U]{},
		realToComplex[float32, U]{}, realToComplex[float64, U]{},
		complexToComplex[complex64, U]{}, complexToComplex[complex128, U]{},
	}
}

type toBool[T Element] struct{}

func (toBool[T]) loop(dst []bool, xs []T) {
	var zero T
	for i, x := range xs[:len(dst)] {
		dst[i] = x != zero
	}
}

type fromBool[U Number] struct{}

func (fromBool[U]) loop(dst []U, xs []bool) {
	for i, x := range xs[:len(dst)] {
		if x {
			dst[i] = 1
		} else {
			dst[i] = 0
		}
	}
}

type realToReal[T, U Real] struct{}

func (realToReal[T, U]) loop(dst []U, xs []T) {
	for i, x := range xs[:len(dst)] {
		dst[i] = U(x)
	}
}

type realToComplex[T Real, U Complex] struct{}

func (realToComplex[T, U]) loop(dst []U, xs []T) {
	if kindOf[U]() == kindComplex64 { // an integer is rounded once, not by way of float64
		for i, x := range xs[:len(dst)] {
			dst[i] = U(complex(float32(x), 0))
		}
		return
	}
	for i, x := range xs[:len(dst)] {
		dst[i] = U(complex(float64(x), 0))
	}
}

type complexToComplex[T, U Complex] struct{}

func (complexToComplex[T, U]) loop(dst []U, xs []T) {
	for i, x := range xs[:len(dst)] {
		dst[i] = U(x)
	}
}
