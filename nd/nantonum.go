package nd

import "math"

// NumOption says what [NanToNum] puts in place of what is no finite number.
type NumOption struct {
	kind  numKind
	value float64
}

type numKind uint8

const (
	nanNumber numKind = iota + 1
	posInfNumber
	negInfNumber
)

// NaNAs has [NanToNum] put v in place of NaN.
func NaNAs(v float64) NumOption { return NumOption{nanNumber, v} }

// PosInfAs has [NanToNum] put v in place of +Inf.
func PosInfAs(v float64) NumOption { return NumOption{posInfNumber, v} }

// NegInfAs has [NanToNum] put v in place of -Inf.
func NegInfAs(v float64) NumOption { return NumOption{negInfNumber, v} }

// NanToNum returns a with NaN replaced by 0 and infinities by the largest and
// smallest number of the type, or by what the options say. Of complex numbers
// each part is replaced.
//
//	nd.NanToNum(a, nd.NaNAs(-1))
//
// Local. Result split: a's. Communication: none.
func NanToNum[T Inexact](a *NDArray[T], opts ...NumOption) *NDArray[T] {
	return unary[T, T](numberKernel[T](opts), a)
}

// NanToNumInto sets dst to [NanToNum] of a, which broadcasts to dst's shape. dst may be a.
//
// Local unless the layouts differ. Result split: dst's. Communication: none if the
// layouts agree or a is replicated, else one move of a. Panics if the shapes do not
// broadcast.
func NanToNumInto[T Inexact](dst, a *NDArray[T], opts ...NumOption) {
	unaryInto[T, T](numberKernel[T](opts), dst, a)
}

// replacements are what NaN, +Inf and -Inf become.
type replacements struct{ nan, posInf, negInf float64 }

func (r *replacements) of(x float64) float64 {
	switch {
	case x != x:
		return r.nan
	case x > math.MaxFloat64:
		return r.posInf
	case x < -math.MaxFloat64:
		return r.negInf
	}
	return x
}

func numberKernel[T Inexact](opts []NumOption) kernel1[T, T] {
	k := kindOf[T]()
	r := replacements{0, math.MaxFloat64, -math.MaxFloat64}
	if k == kindFloat32 || k == kindComplex64 {
		r = replacements{0, math.MaxFloat32, -math.MaxFloat32}
	}
	for _, o := range opts {
		switch o.kind {
		case nanNumber:
			r.nan = o.value
		case posInfNumber:
			r.posInf = o.value
		case negInfNumber:
			r.negInf = o.value
		}
	}
	return map[kind]any{
		kindFloat32: finiteReal[float32]{r}, kindFloat64: finiteReal[float64]{r},
		kindComplex64: finiteComplex[complex64]{r}, kindComplex128: finiteComplex[complex128]{r},
	}[k].(kernel1[T, T])
}

type finiteReal[T Float] struct{ replacements }

func (k finiteReal[T]) loop(dst, xs []T) {
	for i, x := range xs[:len(dst)] {
		if x-x != 0 {
			x = T(k.of(float64(x)))
		}
		dst[i] = x
	}
}

type finiteComplex[T Complex] struct{ replacements }

func (k finiteComplex[T]) loop(dst, xs []T) {
	for i, x := range xs[:len(dst)] {
		z := complex128(x)
		dst[i] = T(complex(k.of(real(z)), k.of(imag(z))))
	}
}
