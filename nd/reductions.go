package nd

import "caloric/internal/misuse"

// Sum returns the sum of a's elements in a's own type: integers wrap, floats are
// added pairwise, and float32 and complex64 in double precision. The sum of no
// elements is 0.
//
// Collective if the split axis is reduced, else local. Result split: None if the
// split axis is reduced, else a's, shifted by the reduced axes before it.
// Communication: one allreduce of the result (8 bytes an element for float32, 16
// for complex64) if the split axis is reduced, else none.
// Panics if an axis is out of range or named twice.
func Sum[T Number](a *NDArray[T], opts ...Option) *NDArray[T] {
	return sums[T]().to(a, resolve(a, opts))
}

// SumInto sets dst to [Sum] of a. It allocates nothing if dst has the result's
// layout and is contiguous.
//
// Collective if the split axis is reduced. Communication: as [Sum].
// Panics if dst does not have the result's shape.
func SumInto[T Number](dst, a *NDArray[T], opts ...Option) {
	sums[T]().into(dst, a, resolve(a, opts))
}

// SumAs returns the sum of a's elements, each converted to A before it is added.
//
// Collective if the split axis is reduced, else local. Result split: as [Sum].
// Communication: one allreduce of the result if the split axis is reduced, else none.
// Panics if an axis is out of range or named twice.
func SumAs[A, T Real](a *NDArray[T], opts ...Option) *NDArray[A] {
	if isFloat[A]() {
		return reduceTo(sumOf[T, float64, A]{}, a, resolve(a, opts))
	}
	return reduceTo(sumOf[T, A, A]{}, a, resolve(a, opts))
}

// Prod returns the product of a's elements in a's own type: integers wrap, and
// float32 and complex64 are multiplied in double precision. The product of no
// elements is 1.
//
// Collective if the split axis is reduced, else local. Result split and
// communication: as [Sum]. Panics if an axis is out of range or named twice.
func Prod[T Number](a *NDArray[T], opts ...Option) *NDArray[T] {
	return prods[T]().to(a, resolve(a, opts))
}

// ProdInto sets dst to [Prod] of a; see [SumInto].
func ProdInto[T Number](dst, a *NDArray[T], opts ...Option) {
	prods[T]().into(dst, a, resolve(a, opts))
}

// ProdAs returns the product of a's elements, each converted to A before it is multiplied.
//
// Collective if the split axis is reduced, else local. Result split and
// communication: as [SumAs]. Panics if an axis is out of range or named twice.
func ProdAs[A, T Real](a *NDArray[T], opts ...Option) *NDArray[A] {
	if isFloat[A]() {
		return reduceTo(prodOf[T, float64, A]{}, a, resolve(a, opts))
	}
	return reduceTo(prodOf[T, A, A]{}, a, resolve(a, opts))
}

// Min returns the smallest element, NaN if any element is NaN.
//
// Collective if the split axis is reduced, else local. Result split and
// communication: as [Sum], in T. Panics if an axis is out of range or named
// twice, or if there are no elements to choose from.
func Min[T Real](a *NDArray[T], opts ...Option) *NDArray[T] {
	return reduceTo(minOf[T]{}, a, resolveSome(a, opts))
}

// MinInto sets dst to [Min] of a; see [SumInto].
func MinInto[T Real](dst, a *NDArray[T], opts ...Option) {
	reduceInto(minOf[T]{}, dst, a, resolveSome(a, opts))
}

// Max returns the largest element, NaN if any element is NaN.
//
// Collective if the split axis is reduced, else local. Result split and
// communication: as [Sum], in T. Panics if an axis is out of range or named
// twice, or if there are no elements to choose from.
func Max[T Real](a *NDArray[T], opts ...Option) *NDArray[T] {
	return reduceTo(maxOf[T]{}, a, resolveSome(a, opts))
}

// MaxInto sets dst to [Max] of a; see [SumInto].
func MaxInto[T Real](dst, a *NDArray[T], opts ...Option) {
	reduceInto(maxOf[T]{}, dst, a, resolveSome(a, opts))
}

// ArgMin returns the index of the smallest element along the axis given by
// [Over], or without it the index in the C order of the whole array. Of equal
// elements the first counts, and the first NaN before any number.
//
// Collective if the split axis is reduced, else local. Result split: as [Sum].
// Communication: one allreduce of 16 bytes a result if the split axis is
// reduced, else none. Panics if more than one axis is given, if it is out of
// range, or if there are no elements to choose from.
func ArgMin[T Real](a *NDArray[T], opts ...Option) *NDArray[int64] {
	return reduceTo(argOf[T, downward]{}, a, resolveArg(a, opts))
}

// ArgMinInto sets dst to [ArgMin] of a; see [SumInto]. Over the split axis the
// allreduce allocates a few words.
func ArgMinInto[T Real](dst *NDArray[int64], a *NDArray[T], opts ...Option) {
	reduceInto(argOf[T, downward]{}, dst, a, resolveArg(a, opts))
}

// ArgMax returns the index of the largest element; see [ArgMin].
func ArgMax[T Real](a *NDArray[T], opts ...Option) *NDArray[int64] {
	return reduceTo(argOf[T, upward]{}, a, resolveArg(a, opts))
}

// ArgMaxInto sets dst to [ArgMax] of a; see [ArgMinInto].
func ArgMaxInto[T Real](dst *NDArray[int64], a *NDArray[T], opts ...Option) {
	reduceInto(argOf[T, upward]{}, dst, a, resolveArg(a, opts))
}

// Mean returns the arithmetic mean, added and divided in double precision and
// rounded to A. The mean of no elements is NaN.
//
//	nd.Mean[float64](a, nd.Over(0))
//
// Collective if the split axis is reduced, else local. Result split: as [Sum].
// Communication: one allreduce of 8 bytes a result if the split axis is reduced,
// else none. Panics if an axis is out of range or named twice.
func Mean[A Float, T Real](a *NDArray[T], opts ...Option) *NDArray[A] {
	return reduceTo(meanOf[T, float64, A]{}, a, resolve(a, opts))
}

// MeanInto sets dst to [Mean] of a; see [SumInto].
func MeanInto[A Float, T Real](dst *NDArray[A], a *NDArray[T], opts ...Option) {
	reduceInto(meanOf[T, float64, A]{}, dst, a, resolve(a, opts))
}

// MeanComplex is [Mean] of complex elements.
func MeanComplex[A, T Complex](a *NDArray[T], opts ...Option) *NDArray[A] {
	return reduceTo(complexMean[T, complex128, A]{}, a, resolve(a, opts))
}

// Var returns the variance, the mean squared deviation from the mean, computed
// in double precision from merged moments and rounded to A. [DDof] changes the
// divisor n to n-ddof; where that is not positive the result is NaN or infinite.
//
// Collective if the split axis is reduced, else local. Result split: as [Sum].
// Communication: one allreduce of 24 bytes a result if the split axis is
// reduced, else none. Panics if an axis is out of range or named twice.
func Var[A Float, T Real](a *NDArray[T], opts ...Option) *NDArray[A] {
	return reduceTo(varOf[T, A]{}, a, resolve(a, opts))
}

// VarInto sets dst to [Var] of a; see [SumInto]. Over the split axis the
// allreduce allocates a few words.
func VarInto[A Float, T Real](dst *NDArray[A], a *NDArray[T], opts ...Option) {
	reduceInto(varOf[T, A]{}, dst, a, resolve(a, opts))
}

// Std returns the standard deviation, the square root of [Var].
//
// Collective if the split axis is reduced, else local. Result split,
// communication and panics: as [Var].
func Std[A Float, T Real](a *NDArray[T], opts ...Option) *NDArray[A] {
	return reduceTo(stdOf[T, A]{}, a, resolve(a, opts))
}

// StdInto sets dst to [Std] of a; see [VarInto].
func StdInto[A Float, T Real](dst *NDArray[A], a *NDArray[T], opts ...Option) {
	reduceInto(stdOf[T, A]{}, dst, a, resolve(a, opts))
}

// All reports whether every element is nonzero; NaN is. It is true of no elements.
//
// Collective if the split axis is reduced, else local. Result split: as [Sum].
// Communication: one allreduce of 1 byte a result if the split axis is reduced,
// else none. Panics if an axis is out of range or named twice.
func All[T Element](a *NDArray[T], opts ...Option) *NDArray[bool] {
	return reduceTo(allOf[T]{}, a, resolve(a, opts))
}

// AllInto sets dst to [All] of a; see [SumInto].
func AllInto[T Element](dst *NDArray[bool], a *NDArray[T], opts ...Option) {
	reduceInto(allOf[T]{}, dst, a, resolve(a, opts))
}

// Any reports whether some element is nonzero; NaN is. It is false of no elements.
//
// Collective if the split axis is reduced, else local. Result split and
// communication: as [All]. Panics if an axis is out of range or named twice.
func Any[T Element](a *NDArray[T], opts ...Option) *NDArray[bool] {
	return reduceTo(anyOf[T]{}, a, resolve(a, opts))
}

// AnyInto sets dst to [Any] of a; see [SumInto].
func AnyInto[T Element](dst *NDArray[bool], a *NDArray[T], opts ...Option) {
	reduceInto(anyOf[T]{}, dst, a, resolve(a, opts))
}

// CountNonzero returns the number of nonzero elements; NaN is nonzero.
//
// Collective if the split axis is reduced, else local. Result split: as [Sum].
// Communication: one allreduce of 8 bytes a result if the split axis is reduced,
// else none. Panics if an axis is out of range or named twice.
func CountNonzero[T Element](a *NDArray[T], opts ...Option) *NDArray[int64] {
	return reduceTo(countOf[T]{}, a, resolve(a, opts))
}

// CountNonzeroInto sets dst to [CountNonzero] of a; see [SumInto].
func CountNonzeroInto[T Element](dst *NDArray[int64], a *NDArray[T], opts ...Option) {
	reduceInto(countOf[T]{}, dst, a, resolve(a, opts))
}

// resolveSome is resolve for a reduction without a neutral element, which must
// have something to reduce wherever it has a result.
func resolveSome[T Element](a *NDArray[T], opts []Option) reduction {
	r := resolve(a, opts)
	if r.count > 0 || r.initial != nil {
		return r
	}
	for k, d := range a.layout.Shape() {
		if d == 0 && !r.reduced[k] {
			return r // no results either
		}
	}
	misuse.Panic("no elements to choose from in an array of shape %v", a.layout)
	return r
}

// resolveArg is resolveSome for a search along at most one axis.
func resolveArg[T Element](a *NDArray[T], opts []Option) reduction {
	r := resolveSome(a, opts)
	if n := len(r.axes(a.NDim())); !r.all && n != 1 {
		misuse.Panic("%d axes given, one expected", n)
	}
	return r
}
