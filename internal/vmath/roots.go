package vmath

import "math"

func sqrtOf[T Float](dst, x []T) {
	for i, v := range x[:len(dst)] {
		dst[i] = T(math.Sqrt(float64(v)))
	}
}

// cbrtOf divides the exponent by 3 for a first guess, improves it by a polynomial and
// one step of Newton's method from 26 bits: Kahan and Bindel 2001, "Computing a real
// cube root".
func cbrtOf[T Float](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		v := widenFinite(&x[i])
		a := math.Float64bits(v) &^ signBit
		if a-leastNormal >= beyond[T]()-leastNormal {
			dst[i] = T(cbrtSlow(float64(x[i])))
			continue
		}
		dst[i] = T(math.Copysign(cbrtAt(a), v))
	}
}

const cbrtBias = 0x2a9f71342b6eda00 // two thirds of the exponent's bias, less the mean error

// cbrtAt is the cube root of the positive normal number with the bits a.
func cbrtAt(a uint64) float64 {
	x := math.Float64frombits(a)
	t := math.Float64frombits(a/3 + cbrtBias)
	r := t * t * (t / x)
	q := r * r
	t *= cbrtPoly0 + r*cbrtPoly1 + q*(cbrtPoly2+r*cbrtPoly3+q*cbrtPoly4)
	t = math.Float64frombits((math.Float64bits(t) + 1<<27) &^ (1<<28 - 1)) // t·t is exact
	s := x / (t * t)
	return t + t*((s-t)/(2*t+s))
}

func cbrtSlow(x float64) float64 {
	if x == 0 || x-x != 0 {
		return x
	}
	return math.Copysign(cbrtAt(math.Float64bits(math.Abs(x)*0x1p54))*0x1p-18, x)
}

// hypotOf is √(x²+y²) where neither square leaves the range.
func hypotOf[T Float](dst, x, y []T) {
	y = y[:len(dst)]
	x = x[:len(dst)]
	for i := range dst {
		u, v := math.Abs(widen(&x[i])), math.Abs(widen(&y[i]))
		if s := u*u + v*v; s > 0x1p-960 && s < 0x1p1000 {
			dst[i] = T(math.Sqrt(s))
			continue
		}
		dst[i] = T(hypotSlow(u, v))
	}
}

func hypotSlow(x, y float64) float64 {
	switch {
	case math.IsInf(x, 1) || math.IsInf(y, 1):
		return math.Inf(1)
	case x != x || y != y:
		return math.NaN()
	case max(x, y) > 1:
		x, y = x*0x1p-600, y*0x1p-600
		return math.Sqrt(x*x+y*y) * 0x1p600
	}
	x, y = x*0x1p600, y*0x1p600
	return math.Sqrt(x*x+y*y) * 0x1p-600
}
