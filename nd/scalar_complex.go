package nd

import (
	"math"
	"math/cmplx"
)

// This file holds the functions of single complex numbers that kernels call where
// math/cmplx overflows, cancels, or has other branch cuts than NumPy, which are
// C's: on a cut the sign of zero says from which side. The inverse functions
// follow Kahan 1987, "Branch cuts for complex elementary functions". Infinite and
// NaN arguments give what the formulas give, which is not always C's choice.

// timesI returns i·z without losing the sign of a zero, as a product would.
func timesI(z complex128) complex128 { return complex(-imag(z), real(z)) }

// overI returns z/i.
func overI(z complex128) complex128 { return complex(imag(z), -real(z)) }

// maxExp is an exponent below which e to its power does not overflow.
const maxExp = 709

// expScaled returns scale·eˣ·(cos y + i·sin y), which overflows only where the
// result does.
func expScaled(scale, x, y float64) complex128 {
	s, c := math.Sincos(y)
	e, rest := math.Exp(x), 1.0
	if x > maxExp {
		e = math.Exp(x / 2)
		rest = e
	}
	im := s // a zero stays, even times infinity
	if s != 0 {
		im = scale * e * s * rest
	}
	return complex(scale*e*c*rest, im)
}

func expComplex(z complex128) complex128 { return expScaled(1, real(z), imag(z)) }

func exp2Complex(z complex128) complex128 {
	return expScaled(1, real(z)*math.Ln2, imag(z)*math.Ln2)
}

func sinhComplex(z complex128) complex128 {
	x, y := real(z), imag(z)
	if math.Abs(x) > maxExp {
		w := expScaled(0.5, math.Abs(x), y)
		return complex(math.Copysign(1, x)*real(w), imag(w))
	}
	s, c := math.Sincos(y)
	return complex(math.Sinh(x)*c, math.Cosh(x)*s)
}

func coshComplex(z complex128) complex128 {
	x, y := real(z), imag(z)
	if math.Abs(x) > maxExp {
		w := expScaled(0.5, math.Abs(x), y)
		return complex(real(w), math.Copysign(1, x)*imag(w))
	}
	s, c := math.Sincos(y)
	return complex(math.Cosh(x)*c, math.Sinh(x)*s)
}

func tanhComplex(z complex128) complex128 {
	x, y := real(z), imag(z)
	if math.Abs(x) > 22 { // the real part rounds to 1
		s, c := math.Sincos(y)
		return complex(math.Copysign(1, x), 4*s*c*math.Exp(-2*math.Abs(x)))
	}
	t, s := tan(y), math.Sinh(x)
	b := 1 + t*t
	d := 1 + b*s*s
	return complex(b*s*math.Sqrt(1+s*s)/d, t/d)
}

func sinComplex(z complex128) complex128 { return overI(sinhComplex(timesI(z))) }
func cosComplex(z complex128) complex128 { return coshComplex(timesI(z)) }
func tanComplex(z complex128) complex128 { return overI(tanhComplex(timesI(z))) }

func logComplex(z complex128) complex128 {
	return complex(logModulus(z), math.Atan2(imag(z), real(z)))
}

func log2Complex(z complex128) complex128 {
	return complex(logModulus(z)*math.Log2E, math.Atan2(imag(z), real(z))*math.Log2E)
}

func log10Complex(z complex128) complex128 {
	return complex(logModulus(z)*math.Log10E, math.Atan2(imag(z), real(z))*math.Log10E)
}

// logModulus returns log |z|, to full precision near |z| = 1 and where |z| over-
// or underflows.
func logModulus(z complex128) float64 {
	x, y := math.Abs(real(z)), math.Abs(imag(z))
	if x < y {
		x, y = y, x
	}
	switch {
	case x > 0x1p1000:
		return math.Log(math.Hypot(x*0x1p-100, y*0x1p-100)) + 100*math.Ln2
	case x < 0x1p-900 && x > 0:
		return math.Log(math.Hypot(x*0x1p600, y*0x1p600)) - 600*math.Ln2
	case 0.5 < x && x < 1.5 && y < 1.5:
		return math.Log1p((x-1)*(x+1)+y*y) / 2
	}
	return math.Log(math.Hypot(x, y))
}

func asinhComplex(z complex128) complex128 {
	x, y := real(z), imag(z)
	u, v := cmplx.Sqrt(complex(1+y, -x)), cmplx.Sqrt(complex(1-y, x))
	return complex(math.Asinh(real(u)*imag(v)-real(v)*imag(u)), math.Atan2(y, real(u)*real(v)-imag(u)*imag(v)))
}

func asinComplex(z complex128) complex128 { return overI(asinhComplex(timesI(z))) }

func acosComplex(z complex128) complex128 {
	x, y := real(z), imag(z)
	u, v := cmplx.Sqrt(complex(1-x, -y)), cmplx.Sqrt(complex(1+x, y))
	return complex(2*math.Atan2(real(u), real(v)), math.Asinh(real(v)*imag(u)-imag(v)*real(u)))
}

func acoshComplex(z complex128) complex128 {
	x, y := real(z), imag(z)
	u, v := cmplx.Sqrt(complex(x-1, y)), cmplx.Sqrt(complex(x+1, y))
	return complex(math.Asinh(real(u)*real(v)+imag(u)*imag(v)), 2*math.Atan2(imag(u), real(v)))
}

func atanhComplex(z complex128) complex128 {
	x, y := real(z), imag(z)
	if math.Signbit(x) {
		return -atanhComplex(-z)
	}
	h := math.Hypot(x, y)
	switch {
	case h > 0x1p500: // its square overflows
		return complex(x/h/h, math.Copysign(math.Pi/2, y))
	case x == 1 && math.Abs(y) < 0x1p-500: // the square of y underflows
		if y == 0 {
			return complex(math.Inf(1), y)
		}
		return complex((math.Ln2-math.Log(math.Abs(y)))/2, math.Copysign(math.Pi/4, y))
	}
	return complex(math.Log1p(4*x/((1-x)*(1-x)+y*y))/4, -math.Atan2(-2*y, (1-x)*(1+x)-y*y)/2)
}

func atanComplex(z complex128) complex128 { return overI(atanhComplex(timesI(z))) }

// reciprocalComplex follows Smith 1962, "Algorithm 116: Complex division".
func reciprocalComplex(z complex128) complex128 {
	x, y := real(z), imag(z)
	if math.Abs(x) >= math.Abs(y) {
		r := y / x
		d := x + y*r
		return complex(1/d, -r/d)
	}
	r := x / y
	d := y + x*r
	return complex(r/d, -1/d)
}

func powComplex(x, y complex128) complex128 {
	switch {
	case y == 0:
		return 1
	case x == 0 && real(y) > 0:
		return 0
	case x == 0:
		return cmplx.NaN()
	}
	if n := int(real(y)); imag(y) == 0 && float64(n) == real(y) && n > -100 && n < 100 {
		if n < 0 {
			return 1 / powComplexInt(x, -n)
		}
		return powComplexInt(x, n)
	}
	return cmplx.Pow(x, y)
}

// powComplexInt returns x to the power n ≥ 1, exactly where products are exact.
func powComplexInt(x complex128, n int) complex128 {
	if n == 1 {
		return x
	}
	p := powComplexInt(x, n/2)
	p *= p
	if n%2 == 1 {
		p *= x
	}
	return p
}
