package nd

import "caloric/internal/misuse"

// CumSum returns the sums of the elements up to each along axis, or without an
// axis of the flattened array, in a's own type: integers wrap, and float32 and
// complex64 are added in double precision. Floating-point sums carry their rounding
// errors along (Neumaier 1974), so that their error does not grow with the number
// of elements, only by one rounding for each rank. Convert a mask first:
//
//	nd.CumSum(nd.AsType[int64](mask), 0)
//
// Collective if the split axis is scanned, else local. Result split: a's; without
// an axis as [Ravel]'s. Communication: one exclusive scan of 8 bytes a lane (an
// index of the other axes; 16 for complex numbers, T's own size for integers) along
// the split axis, none along others; without an axis also that of Ravel, which is
// none if a is split along axis 0.
// Panics if axis is out of range or more than one is given.
func CumSum[T Number](a *NDArray[T], axis ...int) *NDArray[T] {
	a, s := along(a, axis)
	return cumSums[T]().to(a, s)
}

// CumSumInto sets dst to [CumSum] of a. It allocates nothing if dst, which may be
// a, has the result's layout and an axis is given or a has just one.
//
// Collective if the split axis is scanned. Result split: dst's. Communication: as
// [CumSum], and one move of the result if dst has another layout.
// Panics as CumSum does, and if dst does not have the result's shape.
func CumSumInto[T Number](dst, a *NDArray[T], axis ...int) {
	a, s := alongInto(dst, a, axis)
	cumSums[T]().into(dst, a, s)
}

// CumSumAs is [CumSum] with each element converted to U before it is added.
//
//	nd.CumSumAs[int64](a, 0) // of int8 elements, say
//
// Collective if the split axis is scanned, else local. Result split and
// communication: as [CumSum], in U, and float64 for float32.
// Panics if axis is out of range or more than one is given.
func CumSumAs[U, T Real](a *NDArray[T], axis ...int) *NDArray[U] {
	a, s := along(a, axis)
	return cumSumsAs[T, U]().to(a, s)
}

// CumSumAsInto sets dst to [CumSumAs] of a; see [CumSumInto].
func CumSumAsInto[U, T Real](dst *NDArray[U], a *NDArray[T], axis ...int) {
	a, s := alongInto(dst, a, axis)
	cumSumsAs[T, U]().into(dst, a, s)
}

// CumProd returns the products of the elements up to each along axis, or without
// an axis of the flattened array, in a's own type: integers wrap, and float32 and
// complex64 are multiplied in double precision.
//
// Collective if the split axis is scanned, else local. Result split and
// communication: as [CumSum]. Panics if axis is out of range or more than one is given.
func CumProd[T Number](a *NDArray[T], axis ...int) *NDArray[T] {
	a, s := along(a, axis)
	return cumProds[T]().to(a, s)
}

// CumProdInto sets dst to [CumProd] of a; see [CumSumInto].
func CumProdInto[T Number](dst, a *NDArray[T], axis ...int) {
	a, s := alongInto(dst, a, axis)
	cumProds[T]().into(dst, a, s)
}

// CumProdAs is [CumProd] with each element converted to U before it is multiplied.
//
// Collective if the split axis is scanned, else local. Result split and
// communication: as [CumSumAs]. Panics if axis is out of range or more than one is given.
func CumProdAs[U, T Real](a *NDArray[T], axis ...int) *NDArray[U] {
	a, s := along(a, axis)
	return cumProdsAs[T, U]().to(a, s)
}

// CumProdAsInto sets dst to [CumProdAs] of a; see [CumSumInto].
func CumProdAsInto[U, T Real](dst *NDArray[U], a *NDArray[T], axis ...int) {
	a, s := alongInto(dst, a, axis)
	cumProdsAs[T, U]().into(dst, a, s)
}

// CumMax returns the largest of the elements up to each along axis, or without an
// axis of the flattened array. From the first NaN on it is NaN. It is what NumPy
// calls maximum.accumulate.
//
// Collective if the split axis is scanned, else local. Result split: a's; without
// an axis as [Ravel]'s. Communication: one exclusive scan of one element a lane
// along the split axis, else none; without an axis also that of Ravel.
// Panics if axis is out of range or more than one is given.
func CumMax[T Real](a *NDArray[T], axis ...int) *NDArray[T] {
	a, s := along(a, axis)
	return scanTo(keepMax[T]{}, a, s)
}

// CumMaxInto sets dst to [CumMax] of a; see [CumSumInto].
func CumMaxInto[T Real](dst, a *NDArray[T], axis ...int) {
	a, s := alongInto(dst, a, axis)
	scanInto(keepMax[T]{}, dst, a, s)
}

// CumMin returns the smallest of the elements up to each; see [CumMax].
//
// Collective if the split axis is scanned, else local. Result split and
// communication: as [CumMax]. Panics if axis is out of range or more than one is given.
func CumMin[T Real](a *NDArray[T], axis ...int) *NDArray[T] {
	a, s := along(a, axis)
	return scanTo(keepMin[T]{}, a, s)
}

// CumMinInto sets dst to [CumMin] of a; see [CumSumInto].
func CumMinInto[T Real](dst, a *NDArray[T], axis ...int) {
	a, s := alongInto(dst, a, axis)
	scanInto(keepMin[T]{}, dst, a, s)
}

// NanCumSum is [CumSum] with NaN counted as 0.
//
// Collective if the split axis is scanned, else local. Result split and
// communication: as [CumSum]. Panics if axis is out of range or more than one is given.
func NanCumSum[T Number](a *NDArray[T], axis ...int) *NDArray[T] {
	a, s := along(a, axis)
	s.ignoreNaN = true
	return cumSums[T]().to(a, s)
}

// NanCumSumInto sets dst to [NanCumSum] of a; see [CumSumInto].
func NanCumSumInto[T Number](dst, a *NDArray[T], axis ...int) {
	a, s := alongInto(dst, a, axis)
	s.ignoreNaN = true
	cumSums[T]().into(dst, a, s)
}

// NanCumProd is [CumProd] with NaN counted as 1.
//
// Collective if the split axis is scanned, else local. Result split and
// communication: as [CumProd]. Panics if axis is out of range or more than one is given.
func NanCumProd[T Number](a *NDArray[T], axis ...int) *NDArray[T] {
	a, s := along(a, axis)
	s.ignoreNaN = true
	return cumProds[T]().to(a, s)
}

// NanCumProdInto sets dst to [NanCumProd] of a; see [CumSumInto].
func NanCumProdInto[T Number](dst, a *NDArray[T], axis ...int) {
	a, s := alongInto(dst, a, axis)
	s.ignoreNaN = true
	cumProds[T]().into(dst, a, s)
}

// ScanOption says how [CumulativeSum] and [CumulativeProd] are taken.
type ScanOption uint8

// IncludeInitial starts the result with the sum or product of no elements, 0 or 1,
// so that it has one more index along the axis.
const IncludeInitial ScanOption = 1

// CumulativeSum is [CumSum] along axis with options: [IncludeInitial].
//
// Collective if the split axis is scanned, else local. Result split: a's; every rank
// keeps what it has, and the initial 0 goes to the rank of index 0, which may leave
// the result unbalanced. Communication: as [CumSum]. Panics if axis is out of range.
func CumulativeSum[T Number](a *NDArray[T], axis int, opts ...ScanOption) *NDArray[T] {
	return cumSums[T]().to(a, scanOptions(a, axis, opts))
}

// CumulativeSumInto sets dst to [CumulativeSum] of a; see [CumSumInto].
func CumulativeSumInto[T Number](dst, a *NDArray[T], axis int, opts ...ScanOption) {
	cumSums[T]().into(dst, a, scanOptions(a, axis, opts))
}

// CumulativeProd is [CumProd] along axis with options: [IncludeInitial].
//
// Collective if the split axis is scanned, else local. Result split and
// communication: as [CumulativeSum]. Panics if axis is out of range.
func CumulativeProd[T Number](a *NDArray[T], axis int, opts ...ScanOption) *NDArray[T] {
	return cumProds[T]().to(a, scanOptions(a, axis, opts))
}

// CumulativeProdInto sets dst to [CumulativeProd] of a; see [CumSumInto].
func CumulativeProdInto[T Number](dst, a *NDArray[T], axis int, opts ...ScanOption) {
	cumProds[T]().into(dst, a, scanOptions(a, axis, opts))
}

func scanOptions[T Element](a *NDArray[T], axis int, opts []ScanOption) scan {
	s := scan{axis: axisOf(a, axis)}
	for _, o := range opts {
		s.initial = s.initial || o == IncludeInitial
	}
	return s
}

// along returns the scan along the axis that is given, or without one a flattened
// and the scan along that.
func along[T Element](a *NDArray[T], axis []int) (*NDArray[T], scan) {
	if len(axis) == 0 && a.NDim() == 1 {
		return a, scan{} // without a view
	}
	a, k := alongOrFlat(a, axis)
	return a, scan{axis: k}
}

// alongInto is along for a result in dst: its shape is checked before anything moves.
func alongInto[T, R Element](dst *NDArray[R], a *NDArray[T], axis []int) (*NDArray[T], scan) {
	if checkDst(dst, a.comm); len(axis) == 0 && dst.NDim() != 1 || len(axis) == 0 && dst.Size() != a.Size() {
		misuse.Panic("the flattened array has shape %v, the destination %v", Shape{a.Size()}, dst.layout.Shape())
	}
	return along(a, axis)
}
