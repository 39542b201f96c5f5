package nd

import (
	"math"
	"math/bits"
)

// sinc is sin(πx)/(πx). The sine is taken of what x differs from a whole number,
// so that it is 0 there; sin(math.Pi*x) is only near 0.
func sinc(x float64) float64 {
	if x == 0 {
		return 1
	}
	n := math.RoundToEven(x)
	s := math.Sin(math.Pi * (x - n))
	if math.Mod(n, 2) != 0 {
		s = -s
	}
	return s / (math.Pi * x)
}

func spacing[T Float](x T) T {
	if x-x != 0 {
		return T(math.NaN())
	}
	away := math.Copysign(math.Inf(1), float64(x))
	if x == 0 {
		away = 1 // also from -0
	}
	return nextAfter(x, T(away)) - x
}

// ModF returns the fraction of a and what is before it, each with a's sign.
//
// Local. Result split: a's. Communication: none.
func ModF[T Float](a *NDArray[T]) (fraction, whole *NDArray[T]) {
	return unary[T, T](fractionOf[T]{}, a), Trunc(a)
}

type fractionOf[T Float] struct{}

func (fractionOf[T]) loop(dst, xs []T) {
	for i, x := range xs[:len(dst)] {
		f := x - T(math.Trunc(float64(x)))
		if math.IsInf(float64(x), 0) {
			f = 0
		}
		dst[i] = T(math.Copysign(float64(f), float64(x)))
		if x != x {
			dst[i] = x
		}
	}
}

// FrExp returns a mantissa from 0.5 up to but excluding 1 in size and an exponent
// such that a = mantissa·2^exponent. Of 0, infinities and NaN the mantissa is a
// itself, and the exponent 0.
//
// Local. Result split: a's. Communication: none.
func FrExp[T Float](a *NDArray[T]) (mantissa *NDArray[T], exponent *NDArray[int32]) {
	return unary[T, T](mantissaOf[T]{}, a), unary[T, int32](exponentOf[T]{}, a)
}

type mantissaOf[T Float] struct{}

func (mantissaOf[T]) loop(dst, xs []T) {
	for i, x := range xs[:len(dst)] {
		f, _ := math.Frexp(float64(x))
		dst[i] = T(f)
	}
}

type exponentOf[T Float] struct{}

func (exponentOf[T]) loop(dst []int32, xs []T) {
	for i, x := range xs[:len(dst)] {
		_, e := math.Frexp(float64(x))
		dst[i] = int32(e)
	}
}

// LdExp returns a·2^exponent, rounded once. It works element by element, with
// broadcasting.
//
// Local unless the layouts differ. Result split: the operands'; see
// [caloric/split.Elementwise]. Communication: none if the layouts agree or an operand is
// replicated, else one move of the smaller operand. Panics if the shapes do not broadcast.
func LdExp[T Float](a *NDArray[T], exponent *NDArray[int32]) *NDArray[T] {
	// float32 does not hold every exponent, but those that matter.
	return binary[T, T](timesPower[T]{}, a, AsType[T](exponent))
}

type timesPower[T Float] struct{}

func (timesPower[T]) loop(dst, xs, ys []T) {
	ys = ys[:len(dst)]
	for i, x := range xs[:len(dst)] {
		dst[i] = T(math.Ldexp(float64(x), int(ys[i])))
	}
}

// BitwiseCount returns the number of ones among the bits of the absolute value of a.
//
// Local. Result split: a's. Communication: none.
func BitwiseCount[T Integer](a *NDArray[T]) *NDArray[uint8] {
	return unary[T, uint8](onesOf[T]{}, a)
}

type onesOf[T Integer] struct{}

func (onesOf[T]) loop(dst []uint8, xs []T) {
	mask := ^uint64(0) >> (64 - 8*itemSize[T]())
	for i, x := range xs[:len(dst)] {
		dst[i] = uint8(bits.OnesCount64(uint64(absInt(x)) & mask))
	}
}

// PolyVal returns the polynomial with the given coefficients, that of the highest
// power first, at each element of x, by Horner's rule.
//
//	nd.PolyVal([]float64{3, 0, 1}, x) // 3x² + 1
//
// Local; the coefficients are the same on every rank. Result split: x's.
// Communication: none.
func PolyVal[T Number](coefficients []T, x *NDArray[T]) *NDArray[T] {
	return unary[T, T](polynomial[T](coefficients), x)
}

type polynomial[T Number] []T

func (p polynomial[T]) loop(dst, xs []T) {
	for i, x := range xs[:len(dst)] {
		var y T
		for _, c := range p {
			y = T(y*x) + c
		}
		dst[i] = y
	}
}
