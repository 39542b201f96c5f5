package vmath

import "math"

// The hyperbolic functions come from eˣ-1 in two parts, and their inverses from
// log(1+x), by the formulas of fdlibm (Sun Microsystems 1993).

func sinhOf[T Float](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = T(sinh(widen(&x[i])))
	}
}

func coshOf[T Float](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = T(cosh(widen(&x[i])))
	}
}

func tanhOf[T Float](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = T(tanh(widen(&x[i])))
	}
}

func asinhOf[T Float](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = T(asinh(widen(&x[i])))
	}
}

func acoshOf[T Float](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = T(acosh(widen(&x[i])))
	}
}

func atanhOf[T Float](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = T(atanh(widen(&x[i])))
	}
}

// sinh is (t + t/(t+1))/2 with t = e^|x|-1.
func sinh(x float64) float64 {
	a := math.Abs(x)
	if !(a > 0x1p-27 && a < 700) {
		if a <= 1 || x-x != 0 {
			return x
		}
		return math.Copysign(half(expOrInf(a)), x)
	}
	t, low := expm1Parts(a)
	u := t + 1
	r := t / u
	low += (low - r*(low+((1-u)+t))) / u
	return math.Copysign(0.5*(t+(r+low)), x)
}

// cosh is (e^|x| + e^-|x|)/2.
func cosh(x float64) float64 {
	a := math.Abs(x)
	if !(a < 700) {
		if x != x {
			return x
		}
		return half(expOrInf(a))
	}
	t, low := expm1Parts(a)
	u := t + 1
	return 0.5 * (u + ((1 - u) + t + low + 1/u))
}

// expOrInf returns eˣ as m·2^e, also where that overflows.
func expOrInf(x float64) (m float64, e int) {
	if x > 720 {
		return math.Inf(1), 0
	}
	return expScaled(x)
}

func half(m float64, e int) float64 { return math.Ldexp(m, e-1) }

// tanh is t/(t+2) with t = e^2|x|-1.
func tanh(x float64) float64 {
	a := math.Abs(x)
	if !(a > 0x1p-27 && a < 22) {
		if a > 1 {
			return math.Copysign(1, x)
		}
		return x // also NaN
	}
	t, low := expm1Parts(2 * a)
	u := t + 2
	r := t / u
	rest := (2 - u) + t
	if t > 2 {
		rest = (t - u) + 2
	}
	return math.Copysign(r+(low-r*(low+rest)-mulRest(r, u, t))/u, x)
}

func asinh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 0x1p-27 || x-x != 0:
		return x
	case a > 0x1p28:
		hi, lo := logParts(a)
		return math.Copysign(hi+(lo+math.Ln2), x)
	}
	q := a * a
	return math.Copysign(log1p(a+q/(1+math.Sqrt(1+q))), x)
}

func acosh(x float64) float64 {
	switch {
	case !(x >= 1) || x-x != 0:
		return logSlow(x - 1) // +Inf, or NaN
	case x > 0x1p28:
		hi, lo := logParts(x)
		return hi + (lo + math.Ln2)
	}
	// log1p(t + √(t·(t+2))), with what the root lost.
	t := x - 1
	u := t + 2
	q := t * u
	r := math.Sqrt(q)
	if r == 0 {
		return 0
	}
	w := r + t
	low := (r - w) + t + (mulRest(t, u, q)-mulRest(r, r, q))/(2*r)
	return log1p(w) + low/(1+w)
}

func atanh(x float64) float64 {
	a := math.Abs(x)
	if a < 0x1p-27 {
		return x
	}
	return math.Copysign(0.5*log1p(2*a/(1-a)), x) // NaN if a > 1
}
