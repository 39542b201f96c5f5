package vmath

import "math"

// The arctangent of a/b, 0 ≤ a ≤ b, is that of c = j/32 near a/b, from a table, plus that
// of (a - c·b)/(b + c·a), from a short polynomial (Tang 1991). The table has four parts for the
// four ways in which a/b is the tangent's size or its inverse, left or right.

func atanOf[T Float](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		v := widenFinite(&x[i])
		if outside(v, 0x1p-27, 0x1p60) {
			dst[i] = T(atanSlow(float64(x[i])))
			continue
		}
		a, b, part := math.Float64bits(v)&^signBit, math.Float64bits(1), 0
		if a > b {
			a, b, part = b, a, 33
		}
		dst[i] = T(math.Copysign(atanAt(math.Float64frombits(a), math.Float64frombits(b), part), v))
	}
}

func atanSlow(x float64) float64 {
	if math.Abs(x) > 1 {
		return math.Copysign(math.Pi/2, x)
	}
	return x // also NaN
}

// atanAt returns what the table holds in its part for a/b: 0 is atan(a/b), 33 is
// π/2 - atan(a/b), 66 is π - atan(a/b) and 99 is π/2 + atan(a/b).
func atanAt(a, b float64, part int) float64 {
	j := int(a/b*32 + 0.5)
	c := whole(int64(j)) * (1. / 32)
	bh := math.Float64frombits(math.Float64bits(b) &^ 0xff) // its product with c is exact
	t := (a - c*bh - c*(b-bh)) / (b + c*a)
	q := t * t
	p := t * q * (-1./3 + q*(1./5+q*(-1./7+q*(1./9))))
	h := &atanTable[(part+j)%len(atanTable)]
	if part == 33 || part == 66 {
		t, p = -t, -p
	}
	hi := h[0] + t
	return hi + ((h[0] - hi + t) + (h[1] + p))
}

func atan2Of[T Float](dst, y, x []T) {
	x = x[:len(dst)]
	y = y[:len(dst)]
	for i := range dst {
		u, v := widen(&y[i]), widen(&x[i])
		if outside(u, 0x1p-500, 0x1p500) || outside(v, 0x1p-500, 0x1p500) {
			dst[i] = T(atan2Slow(u, v))
			continue
		}
		dst[i] = T(atan2At(u, v))
	}
}

func atan2At(y, x float64) float64 {
	a, b, part := math.Float64bits(y)&^signBit, math.Float64bits(x)&^signBit, 0
	if a > b {
		a, b, part = b, a, 33
	}
	if math.Float64bits(x) >= signBit {
		part = 66 + part
	}
	return math.Copysign(atanAt(math.Float64frombits(a), math.Float64frombits(b), part), y)
}

// atan2Slow scales y and x so that the larger is from 1 to 2.
func atan2Slow(y, x float64) float64 {
	m := max(math.Abs(y), math.Abs(x))
	if y == 0 || x == 0 || m-m != 0 {
		return math.Atan2(y, x)
	}
	_, e := math.Frexp(m)
	return atan2At(math.Ldexp(y, 1-e), math.Ldexp(x, 1-e))
}

// The inverse sine is a polynomial up to 1/2, and π/2 - 2·asin √((1-x)/2) above; the
// halves are those of fdlibm's e_asin.c, the polynomial is its own.

// asinParts returns s and w such that asin √z = s + w, for s = √z ≤ 1/2.
func asinRest(s, z float64) float64 {
	q := z * z
	return s * z * (asinPoly0 + z*asinPoly1 + q*(asinPoly2+z*asinPoly3) +
		q*q*((asinPoly4+z*asinPoly5+q*(asinPoly6+z*asinPoly7))+
			q*q*(asinPoly8+z*asinPoly9+q*(asinPoly10+z*asinPoly11+q*asinPoly12))))
}

func asinOf[T Float](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = T(asin(widen(&x[i])))
	}
}

func acosOf[T Float](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = T(acos(widen(&x[i])))
	}
}

func asin(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 0x1p-27:
		return x
	case a < 0.5:
		return x + asinRest(x, x*x)
	case !(a <= 1):
		return math.NaN()
	}
	s, low, z := rootOfRest(a)
	return math.Copysign(halfPiHi-(2*s-(halfPiLo-2*(low+asinRest(s, z)))), x)
}

func acos(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 0.5:
		return halfPiHi - (x - (halfPiLo - asinRest(x, x*x)))
	case !(a <= 1):
		return math.NaN()
	}
	s, low, z := rootOfRest(a)
	w := low + asinRest(s, z)
	if x > 0 {
		return 2 * (s + w)
	}
	return piHi - (2*s - (piLo - 2*w))
}

// rootOfRest returns z = (1-a)/2 and its root as the sum s + low.
func rootOfRest(a float64) (s, low, z float64) {
	z = (1 - a) / 2
	s = math.Sqrt(z)
	if s == 0 {
		return 0, 0, 0
	}
	return s, -mulRest(s, s, z) / (2 * s), z
}
