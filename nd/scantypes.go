package nd

// scannedAs is a scan of T to R whose accumulator and kernel depend on both.
type scannedAs[T, A, R Element, K scanner[T, A, R]] struct{}

func (scannedAs[T, A, R, K]) to(a *NDArray[T], s scan) *NDArray[R] {
	var k K
	return scanTo(k, a, s)
}

func (scannedAs[T, A, R, K]) into(dst *NDArray[R], a *NDArray[T], s scan) {
	var k K
	scanInto(k, dst, a, s)
}

// scans is what scannedAs gives for one T and R.
type scans[T, R Element] interface {
	to(a *NDArray[T], s scan) *NDArray[R]
	into(dst *NDArray[R], a *NDArray[T], s scan)
}

// cumSums and cumProds return the scans of T: integers in T itself, so that they
// wrap, and floating-point numbers in double precision.
func cumSums[T Number]() scans[T, T]  { return cumSumTable[kindOf[T]()].(scans[T, T]) }
func cumProds[T Number]() scans[T, T] { return cumProdTable[kindOf[T]()].(scans[T, T]) }

// cumSumsAs and cumProdsAs return the scans of T that are taken in R.
func cumSumsAs[T, R Real]() scans[T, R] {
	if isFloat[R]() {
		return scannedAs[T, float64, R, addFloats[T, R]]{}
	}
	return scannedAs[T, R, R, addExact[T, R]]{}
}

func cumProdsAs[T, R Real]() scans[T, R] {
	if isFloat[R]() {
		return scannedAs[T, float64, R, mulReals[T, float64, R]]{}
	}
	return scannedAs[T, R, R, mulReals[T, R, R]]{}
}

var cumSumTable = [numKinds]any{
	kindInt8:       cumSumsAs[int8, int8](),
	kindInt16:      cumSumsAs[int16, int16](),
	kindInt32:      cumSumsAs[int32, int32](),
	kindInt64:      cumSumsAs[int64, int64](),
	kindUint8:      cumSumsAs[uint8, uint8](),
	kindUint16:     cumSumsAs[uint16, uint16](),
	kindUint32:     cumSumsAs[uint32, uint32](),
	kindUint64:     cumSumsAs[uint64, uint64](),
	kindFloat32:    cumSumsAs[float32, float32](),
	kindFloat64:    cumSumsAs[float64, float64](),
	kindComplex64:  scannedAs[complex64, complex128, complex64, addComplex[complex64, complex64]]{},
	kindComplex128: scannedAs[complex128, complex128, complex128, addComplex[complex128, complex128]]{},
}

var cumProdTable = [numKinds]any{
	kindInt8:       cumProdsAs[int8, int8](),
	kindInt16:      cumProdsAs[int16, int16](),
	kindInt32:      cumProdsAs[int32, int32](),
	kindInt64:      cumProdsAs[int64, int64](),
	kindUint8:      cumProdsAs[uint8, uint8](),
	kindUint16:     cumProdsAs[uint16, uint16](),
	kindUint32:     cumProdsAs[uint32, uint32](),
	kindUint64:     cumProdsAs[uint64, uint64](),
	kindFloat32:    cumProdsAs[float32, float32](),
	kindFloat64:    cumProdsAs[float64, float64](),
	kindComplex64:  scannedAs[complex64, complex128, complex64, mulComplex[complex64, complex64]]{},
	kindComplex128: scannedAs[complex128, complex128, complex128, mulComplex[complex128, complex128]]{},
}
