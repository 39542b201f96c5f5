package nd

import (
	"caloric/internal/misuse"
	"caloric/spmd"
)

// skipping are the reductions of T to T without NaN. Integers have none.
type skipping[T Element] interface {
	skipNaN(none bool) typed[T]
}

func (s sameType[T, A, K]) skipNaN(none bool) typed[T] {
	if kindOf[T]() < kindFloat32 {
		return s
	}
	return numbersOf[T, A, K]{none}
}

// numbersOf is sameType of the elements that are not NaN.
type numbersOf[T Element, A any, K reducer[T, A, T]] struct{ none bool }

func (s numbersOf[T, A, K]) to(a *NDArray[T], r reduction) *NDArray[T] {
	var k K
	return reduceTo(nanReducer(k, s.none), a, r)
}

func (s numbersOf[T, A, K]) into(dst, a *NDArray[T], r reduction) {
	var k K
	reduceInto(nanReducer(k, s.none), dst, a, r)
}

// NanSum is [Sum] of the elements that are not NaN: 0 if there is none.
//
// Collective if the split axis is reduced, else local. Result split: as [Sum].
// Communication: one allreduce of the result, with 8 bytes more for each of
// floating-point numbers, if the split axis is reduced, else none.
// Panics if an axis is out of range or named twice.
func NanSum[T Number](a *NDArray[T], opts ...Option) *NDArray[T] {
	return sums[T]().(skipping[T]).skipNaN(false).to(a, resolve(a, opts))
}

// NanSumInto sets dst to [NanSum] of a; see [VarInto].
func NanSumInto[T Number](dst, a *NDArray[T], opts ...Option) {
	sums[T]().(skipping[T]).skipNaN(false).into(dst, a, resolve(a, opts))
}

// NanProd is [Prod] of the elements that are not NaN: 1 if there is none.
//
// Collective if the split axis is reduced, else local. Result split and
// communication: as [NanSum]. Panics if an axis is out of range or named twice.
func NanProd[T Number](a *NDArray[T], opts ...Option) *NDArray[T] {
	return prods[T]().(skipping[T]).skipNaN(false).to(a, resolve(a, opts))
}

// NanProdInto sets dst to [NanProd] of a; see [VarInto].
func NanProdInto[T Number](dst, a *NDArray[T], opts ...Option) {
	prods[T]().(skipping[T]).skipNaN(false).into(dst, a, resolve(a, opts))
}

// NanMin is [Min] of the elements that are not NaN, NaN if all are.
//
// Collective if the split axis is reduced, else local. Result split and
// communication: as [NanSum]. Panics if an axis is out of range or named twice,
// or if there are no elements to choose from.
func NanMin[T Real](a *NDArray[T], opts ...Option) *NDArray[T] {
	return sameType[T, T, minOf[T]]{}.skipNaN(true).to(a, resolveSome(a, opts))
}

// NanMinInto sets dst to [NanMin] of a; see [VarInto].
func NanMinInto[T Real](dst, a *NDArray[T], opts ...Option) {
	sameType[T, T, minOf[T]]{}.skipNaN(true).into(dst, a, resolveSome(a, opts))
}

// NanMax is [Max] of the elements that are not NaN, NaN if all are.
//
// Collective if the split axis is reduced, else local. Result split,
// communication and panics: as [NanMin].
func NanMax[T Real](a *NDArray[T], opts ...Option) *NDArray[T] {
	return sameType[T, T, maxOf[T]]{}.skipNaN(true).to(a, resolveSome(a, opts))
}

// NanMaxInto sets dst to [NanMax] of a; see [VarInto].
func NanMaxInto[T Real](dst, a *NDArray[T], opts ...Option) {
	sameType[T, T, maxOf[T]]{}.skipNaN(true).into(dst, a, resolveSome(a, opts))
}

// NanPtp is [Ptp] of the elements that are not NaN, NaN if all are.
//
// Collective if the split axis is reduced, else local. Result split,
// communication and panics: as [NanMin].
func NanPtp[T Real](a *NDArray[T], opts ...Option) *NDArray[T] {
	return sameType[T, bounds[T], ptpOf[T]]{}.skipNaN(true).to(a, resolveSome(a, opts))
}

// NanMean is [Mean] of the elements that are not NaN, NaN if all are.
//
// Collective if the split axis is reduced, else local. Result split: as [Sum].
// Communication: one allreduce of 16 bytes a result if the split axis is reduced,
// else none. Panics if an axis is out of range or named twice.
func NanMean[A Float, T Real](a *NDArray[T], opts ...Option) *NDArray[A] {
	return reduceTo(nanReducer(meanOf[T, float64, A]{}, false), a, resolve(a, opts))
}

// NanMeanInto sets dst to [NanMean] of a; see [VarInto].
func NanMeanInto[A Float, T Real](dst *NDArray[A], a *NDArray[T], opts ...Option) {
	reduceInto(nanReducer(meanOf[T, float64, A]{}, false), dst, a, resolve(a, opts))
}

// NanMeanComplex is [NanMean] of complex elements, of which one is NaN if a part is.
//
// Collective if the split axis is reduced, else local. Result split: as [Sum].
// Communication: one allreduce of 24 bytes a result if the split axis is reduced,
// else none. Panics if an axis is out of range or named twice.
func NanMeanComplex[A, T Complex](a *NDArray[T], opts ...Option) *NDArray[A] {
	return reduceTo(nanReducer(complexMean[T, complex128, A]{}, false), a, resolve(a, opts))
}

// NanVar is [Var] of the elements that are not NaN. It is NaN where there are no
// more than [DDof] of them.
//
// Collective if the split axis is reduced, else local. Result split: as [Sum].
// Communication: one allreduce of 32 bytes a result if the split axis is
// reduced, else none. Panics if an axis is out of range or named twice.
func NanVar[A Float, T Real](a *NDArray[T], opts ...Option) *NDArray[A] {
	return reduceTo(nanReducer(nanVarOf[T, A]{}, false), a, resolve(a, opts))
}

// NanVarInto sets dst to [NanVar] of a; see [VarInto].
func NanVarInto[A Float, T Real](dst *NDArray[A], a *NDArray[T], opts ...Option) {
	reduceInto(nanReducer(nanVarOf[T, A]{}, false), dst, a, resolve(a, opts))
}

// NanStd is the square root of [NanVar].
//
// Collective if the split axis is reduced, else local. Result split,
// communication and panics: as [NanVar].
func NanStd[A Float, T Real](a *NDArray[T], opts ...Option) *NDArray[A] {
	return reduceTo(nanReducer(nanStdOf[T, A]{}, false), a, resolve(a, opts))
}

// NanStdInto sets dst to [NanStd] of a; see [VarInto].
func NanStdInto[A Float, T Real](dst *NDArray[A], a *NDArray[T], opts ...Option) {
	reduceInto(nanReducer(nanStdOf[T, A]{}, false), dst, a, resolve(a, opts))
}

// NanArgMin is [ArgMin] of the elements that are not NaN.
//
// Collective unless a is replicated. Result split: as [Sum]. Communication: one
// allreduce of 16 bytes a result if the split axis is reduced; one of 1 byte, to
// agree that none is all NaN, if a is split along another axis.
// Panics if more than one axis is given, if it is out of range, or if there are no
// elements, or only NaN, to choose from.
func NanArgMin[T Real](a *NDArray[T], opts ...Option) *NDArray[int64] {
	return nanArg(nanArgOf[T, downward]{}, a, opts)
}

// NanArgMax is [ArgMax] of the elements that are not NaN.
//
// Collective unless a is replicated. Result split, communication and panics: as
// [NanArgMin].
func NanArgMax[T Real](a *NDArray[T], opts ...Option) *NDArray[int64] {
	return nanArg(nanArgOf[T, upward]{}, a, opts)
}

func nanArg[T Real, A any](k reducer[T, A, int64], a *NDArray[T], opts []Option) *NDArray[int64] {
	at := reduceTo(k, a, resolveArg(a, opts))
	none := false
	for _, i := range at.data {
		none = none || i < 0
	}
	if isFloat[T]() && !at.layout.Replicated() {
		none = spmd.AllreduceOne(a.comm, none, spmd.Or)
	}
	if none {
		misuse.Panic("only NaN to choose from in an array of shape %v", a.layout)
	}
	return at
}

// CountNaN returns the number of elements that are NaN.
//
// Collective if the split axis is reduced, else local. Result split: as [Sum].
// Communication: one allreduce of 8 bytes a result if the split axis is reduced,
// else none. Panics if an axis is out of range or named twice.
func CountNaN[T Inexact](a *NDArray[T], opts ...Option) *NDArray[int64] {
	return reduceTo(nanCountOf[T]{}, a, resolve(a, opts))
}

// CountNotNaN returns the number of elements that are not NaN.
//
// Collective if the split axis is reduced, else local. Result split and
// communication: as [CountNaN]. Panics if an axis is out of range or named twice.
func CountNotNaN[T Inexact](a *NDArray[T], opts ...Option) *NDArray[int64] {
	return reduceTo(numberCountOf[T]{}, a, resolve(a, opts))
}
