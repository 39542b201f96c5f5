package vmath

import "math"

// The trigonometric functions reduce x to r = x - n·π/64 with an integer n, |r| ≤ π/128,
// in parts of π that make the products exact (Cody and Waite 1980), and return
// sin(nπ/64)·cos r + cos(nπ/64)·sin r from a table over the circle and short
// polynomials: Tang 1991, "Table-lookup algorithms for elementary functions and their
// error analysis". The cosine is the sine a quarter of the circle on. Large x are
// reduced by [reduceLarge].

// largestAngle is the largest x for which n, at most 2²³, times a part is exact.
const largestAngle = 0x1p23 / perPi

// quarter is a quarter of the circle, in steps of the table.
const quarter = 32

func sin64(dst, x []float64) { sine64(dst, x, 0) }
func cos64(dst, x []float64) { sine64(dst, x, quarter) }
func sin32(dst, x []float32) { sine32(dst, x, 0) }
func cos32(dst, x []float32) { sine32(dst, x, quarter) }

func sine64(dst, x []float64, from uint64) {
	for i, v := range x[:len(dst)] {
		if outside(v, 0x1p-27, largestAngle) {
			dst[i] = sineSlow(v, from)
			continue
		}
		nd := v*perPi + shifter
		n := math.Float64bits(nd) + from
		r, low := reduce(v, nd-shifter)
		s, c := &sinTable[n%128], sinTable[(n+quarter)%128][0]
		q := r * r
		dst[i] = s[0] + (c*r + (s[1] + c*(low+r*q*(-1./6+q*(1./120-q*(1./5040)))) - s[0]*(q*(1./2-q*(1./24-q*(1./720)))+r*low)))
	}
}

func sine32(dst, x []float32, from uint64) {
	x = x[:len(dst)]
	for i := range dst {
		v := widenFinite(&x[i])
		if outside(v, 0x1p-27, largestAngle) {
			dst[i] = float32(sineSlow(float64(x[i]), from))
			continue
		}
		nd := v*perPi + shifter
		n := math.Float64bits(nd) + from
		nd -= shifter
		r := v - nd*piShort1 - nd*piShort2
		s, c := sinTable[n%128][0], sinTable[(n+quarter)%128][0]
		q := r * r
		dst[i] = float32(s + (c*(r-r*q*(1./6)) - s*(q*(1./2-q*(1./24)))))
	}
}

// reduce returns x - nπ/64 as r + low. The products with the first three parts are exact,
// and each difference is taken with what it loses, so that r keeps its digits next to
// a multiple of π/2.
func reduce(x, n float64) (r, low float64) {
	a, b, c := x-n*piPart1, n*piPart2, n*piPart3
	r1 := a - b
	r2 := r1 - c
	low = (a - r1 - b) + (r1 - r2 - c) - n*piPart4
	r = r2 + low
	return r, (r2 - r) + low
}

// sineSlow is the sine of x plus from steps of the table, of any x.
func sineSlow(x float64, from uint64) float64 {
	switch {
	case math.Abs(x) < 1 && from == 0:
		return x // also of -0
	case math.Abs(x) < 1:
		return 1
	case x-x != 0:
		return math.NaN()
	}
	n, r, low := reduceLarge(x)
	n += from
	s, c := &sinTable[n%128], sinTable[(n+quarter)%128][0]
	q := r * r
	return s[0] + (c*r + (s[1] + c*(low+r*q*(-1./6+q*(1./120-q*(1./5040)))) - s[0]*(q*(1./2-q*(1./24-q*(1./720)))+r*low)))
}

func tanOf[T Float](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		v := widenFinite(&x[i])
		if outside(v, 0x1p-27, largestAngle) {
			dst[i] = T(tanSlow(float64(x[i])))
			continue
		}
		nd := v*perPi + shifter
		r, low := reduce(v, nd-shifter)
		dst[i] = T(tanAt(math.Float64bits(nd), r, low))
	}
}

func tanSlow(x float64) float64 {
	switch {
	case math.Abs(x) < 1:
		return x
	case x-x != 0:
		return math.NaN()
	}
	return tanAt(reduceLarge(x))
}

// tanAt is the tangent of nπ/64 + r + low: the quotient of the sine and the cosine,
// each in two parts.
func tanAt(n uint64, r, low float64) float64 {
	s, c := &sinTable[n%128], &sinTable[(n+quarter)%128]
	q := r * r
	sr := low + r*q*(-1./6+q*(1./120-q*(1./5040)))
	cr := q*(1./2-q*(1./24-q*(1./720))) + r*low
	// sin(nπ/64)·cos r + cos(nπ/64)·sin r and its like: the first parts are added exactly.
	u, v := c[0]*r, s[0]*r
	ul, vl := mulRest(c[0], r, u), mulRest(s[0], r, v)
	y, x := s[0]+u, c[0]-v
	yl := (s[0] - y) + u + (s[1] + (ul + (c[0]*sr + (c[1]*r - s[0]*cr))))
	xl := (c[0] - x) - v + (c[1] - (vl + (s[0]*sr + (s[1]*r + c[0]*cr))))
	y, yl = sum2(y, yl)
	x, xl = sum2(x, xl)
	t := y / x
	return t + (yl-t*xl-mulRest(t, x, y))/x
}

// sum2 returns a + b, rounded, and the rest, for |a| ≥ |b|: Dekker 1971.
func sum2(a, b float64) (s, rest float64) {
	s = a + b
	return s, (a - s) + b
}

// mulRest returns a·b - p, for p near a·b, rounded once.
func mulRest(a, b, p float64) float64 { return math.FMA(a, b, -p) }
