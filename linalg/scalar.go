package linalg

import "caloric/nd"

// parts returns the real and the imaginary part of v.
func parts[T nd.Inexact](v T) (re, im float64) {
	switch v := any(v).(type) {
	case float32:
		return float64(v), 0
	case float64:
		return v, 0
	case complex64:
		return float64(real(v)), float64(imag(v))
	case complex128:
		return real(v), imag(v)
	}
	return 0, 0
}

// fromParts returns the T of a real and an imaginary part, which real types drop.
func fromParts[T nd.Inexact](re, im float64) (t T) {
	switch t := any(&t).(type) {
	case *float32:
		*t = float32(re)
	case *float64:
		*t = re
	case *complex64:
		*t = complex(float32(re), float32(im))
	case *complex128:
		*t = complex(re, im)
	}
	return t
}

func conjugateOf[T nd.Inexact](v T) T {
	re, im := parts(v)
	return fromParts[T](re, -im)
}

// inexact returns v as a T.
func inexact[T nd.Inexact](v float64) T { return fromParts[T](v, 0) }

// coefficient returns v as a T.
func coefficient[T nd.Inexact](v complex128) T { return fromParts[T](real(v), imag(v)) }

func isComplex[T nd.Inexact]() bool {
	var zero T
	switch any(zero).(type) {
	case complex64, complex128:
		return true
	}
	return false
}
