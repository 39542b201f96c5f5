package nd

import "math/cmplx"

// RealPart returns the real part of a as F.
//
//	nd.RealPart[float64](z)
//
// Local. Result split: a's. Communication: none.
func RealPart[F Float, C Complex](a *NDArray[C]) *NDArray[F] { return unary[C, F](realPart[C, F]{}, a) }

// RealPartInto sets dst to [RealPart] of a; see [NegInto].
func RealPartInto[F Float, C Complex](dst *NDArray[F], a *NDArray[C]) {
	unaryInto[C, F](realPart[C, F]{}, dst, a)
}

// ImagPart returns the imaginary part of a as F.
//
// Local. Result split: a's. Communication: none.
func ImagPart[F Float, C Complex](a *NDArray[C]) *NDArray[F] { return unary[C, F](imagPart[C, F]{}, a) }

// ImagPartInto sets dst to [ImagPart] of a; see [NegInto].
func ImagPartInto[F Float, C Complex](dst *NDArray[F], a *NDArray[C]) {
	unaryInto[C, F](imagPart[C, F]{}, dst, a)
}

// Modulus returns the absolute value of a as F, without overflow on the way.
//
// Local. Result split: a's. Communication: none.
func Modulus[F Float, C Complex](a *NDArray[C]) *NDArray[F] { return unary[C, F](modulus[C, F]{}, a) }

// ModulusInto sets dst to [Modulus] of a; see [NegInto].
func ModulusInto[F Float, C Complex](dst *NDArray[F], a *NDArray[C]) {
	unaryInto[C, F](modulus[C, F]{}, dst, a)
}

// Angle returns the argument of a, in radians from -π to π, as F.
//
// Local. Result split: a's. Communication: none.
func Angle[F Float, C Complex](a *NDArray[C]) *NDArray[F] { return unary[C, F](angle[C, F]{}, a) }

// AngleInto sets dst to [Angle] of a; see [NegInto].
func AngleInto[F Float, C Complex](dst *NDArray[F], a *NDArray[C]) {
	unaryInto[C, F](angle[C, F]{}, dst, a)
}

// ComplexOf returns re + i·im as C, with broadcasting.
//
//	nd.ComplexOf[complex128](re, im)
//
// Local unless the layouts differ. Result split and communication: as [Add].
// Panics if the shapes do not broadcast.
func ComplexOf[C Complex, F Float](re, im *NDArray[F]) *NDArray[C] {
	return binary[F, C](fromParts[F, C]{}, re, im)
}

// ComplexOfInto sets dst to [ComplexOf] re and im; see [AddInto].
func ComplexOfInto[C Complex, F Float](dst *NDArray[C], re, im *NDArray[F]) {
	binaryInto[F, C](fromParts[F, C]{}, dst, re, im)
}

type realPart[C Complex, F Float] struct{}

func (realPart[C, F]) loop(dst []F, xs []C) {
	for i, x := range xs[:len(dst)] {
		dst[i] = F(real(complex128(x)))
	}
}

type imagPart[C Complex, F Float] struct{}

func (imagPart[C, F]) loop(dst []F, xs []C) {
	for i, x := range xs[:len(dst)] {
		dst[i] = F(imag(complex128(x)))
	}
}

type modulus[C Complex, F Float] struct{}

func (modulus[C, F]) loop(dst []F, xs []C) {
	for i, x := range xs[:len(dst)] {
		dst[i] = F(cmplx.Abs(complex128(x)))
	}
}

type angle[C Complex, F Float] struct{}

func (angle[C, F]) loop(dst []F, xs []C) {
	for i, x := range xs[:len(dst)] {
		dst[i] = F(cmplx.Phase(complex128(x)))
	}
}

type fromParts[F Float, C Complex] struct{}

func (fromParts[F, C]) loop(dst []C, re, im []F) {
	im = im[:len(dst)]
	for i, x := range re[:len(dst)] {
		dst[i] = C(complex(float64(x), float64(im[i])))
	}
}
