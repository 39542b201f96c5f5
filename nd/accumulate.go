package nd

// sameType is a reduction of T to T whose accumulator and kernel depend on T.
type sameType[T Element, A any, K reducer[T, A, T]] struct{}

func (sameType[T, A, K]) to(a *NDArray[T], r reduction) *NDArray[T] {
	var k K
	return reduceTo(k, a, r)
}

func (sameType[T, A, K]) into(dst, a *NDArray[T], r reduction) {
	var k K
	reduceInto(k, dst, a, r)
}

// typed is what sameType gives for one T.
type typed[T Element] interface {
	to(a *NDArray[T], r reduction) *NDArray[T]
	into(dst, a *NDArray[T], r reduction)
}

// sums and prods return the reductions of T: integers in T itself, so that they
// wrap, and floating-point numbers in double precision.
func sums[T Number]() typed[T]  { return sumTable[kindOf[T]()].(typed[T]) }
func prods[T Number]() typed[T] { return prodTable[kindOf[T]()].(typed[T]) }

var sumTable = [numKinds]any{
	kindInt8:       sameType[int8, int8, sumOf[int8, int8, int8]]{},
	kindInt16:      sameType[int16, int16, sumOf[int16, int16, int16]]{},
	kindInt32:      sameType[int32, int32, sumOf[int32, int32, int32]]{},
	kindInt64:      sameType[int64, int64, sumOf[int64, int64, int64]]{},
	kindUint8:      sameType[uint8, uint8, sumOf[uint8, uint8, uint8]]{},
	kindUint16:     sameType[uint16, uint16, sumOf[uint16, uint16, uint16]]{},
	kindUint32:     sameType[uint32, uint32, sumOf[uint32, uint32, uint32]]{},
	kindUint64:     sameType[uint64, uint64, sumOf[uint64, uint64, uint64]]{},
	kindFloat32:    sameType[float32, float64, sumOf[float32, float64, float32]]{},
	kindFloat64:    sameType[float64, float64, sumOf[float64, float64, float64]]{},
	kindComplex64:  sameType[complex64, complex128, complexSum[complex64, complex128, complex64]]{},
	kindComplex128: sameType[complex128, complex128, complexSum[complex128, complex128, complex128]]{},
}

var prodTable = [numKinds]any{
	kindInt8:       sameType[int8, int8, prodOf[int8, int8, int8]]{},
	kindInt16:      sameType[int16, int16, prodOf[int16, int16, int16]]{},
	kindInt32:      sameType[int32, int32, prodOf[int32, int32, int32]]{},
	kindInt64:      sameType[int64, int64, prodOf[int64, int64, int64]]{},
	kindUint8:      sameType[uint8, uint8, prodOf[uint8, uint8, uint8]]{},
	kindUint16:     sameType[uint16, uint16, prodOf[uint16, uint16, uint16]]{},
	kindUint32:     sameType[uint32, uint32, prodOf[uint32, uint32, uint32]]{},
	kindUint64:     sameType[uint64, uint64, prodOf[uint64, uint64, uint64]]{},
	kindFloat32:    sameType[float32, float64, prodOf[float32, float64, float32]]{},
	kindFloat64:    sameType[float64, float64, prodOf[float64, float64, float64]]{},
	kindComplex64:  sameType[complex64, complex128, complexProd[complex64, complex128, complex64]]{},
	kindComplex128: sameType[complex128, complex128, complexProd[complex128, complex128, complex128]]{},
}
