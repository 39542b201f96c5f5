package vmath

import "math"

// The exponential functions reduce x to r = x - k·ln 2/128 with an integer k, |r| ≤
// ln 2/256, in the parts of Cody and Waite 1980, and return 2^(k/128)·eʳ from a table
// of 128 powers and a short polynomial: Tang 1989, "Table-driven implementation of
// the exponential function in IEEE floating-point arithmetic".

// shifter added to a small number leaves the nearest integer in the low bits.
const shifter = 0x1.8p52

const signBit = 1 << 63

// outside reports whether |x| is outside [lo, hi), for positive lo and hi, as NaN is. It
// takes one comparison.
func outside(x float64, lo, hi float64) bool {
	l := math.Float64bits(lo)
	return math.Float64bits(x)&^signBit-l >= math.Float64bits(hi)-l
}

func exp64(dst, x []float64) {
	for i, v := range x[:len(dst)] {
		if !(math.Abs(v) < 708) {
			dst[i] = expSlow(v)
			continue
		}
		kd := v*perLn2 + shifter
		k := math.Float64bits(kd)
		kd -= shifter
		r := v - kd*ln2Part1 - kd*ln2Part2
		t := &exp2Table[k%128]
		s := math.Float64frombits(math.Float64bits(t[0]) + k>>7<<52)
		q := r * r
		dst[i] = s + s*(t[1]+r+q*(1./2+r*(1./6))+q*q*(1./24+r*(1./120)))
	}
}

func exp32(dst, x []float32) {
	x = x[:len(dst)]
	for i := range dst {
		v := widenFinite(&x[i])
		if !(math.Abs(v) < 700) {
			dst[i] = float32(expSlow(float64(x[i])))
			continue
		}
		kd := v*perLn2 + shifter
		k := math.Float64bits(kd)
		r := v - (kd-shifter)*ln2Of128
		s := math.Float64frombits(math.Float64bits(exp2Table[k%128][0]) + k>>7<<52)
		dst[i] = float32(s + s*(r+r*r*(1./2)))
	}
}

// exp2Of is 2 to the power x: r is exact, so that whole powers are.
func exp2Of[T Float](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		v := widenFinite(&x[i])
		if !(math.Abs(v) < 1021) {
			dst[i] = T(exp2Slow(float64(x[i])))
			continue
		}
		kd := v*128 + shifter
		k := math.Float64bits(kd)
		r := (v - (kd-shifter)*(1./128)) * math.Ln2
		t := &exp2Table[k%128]
		s := math.Float64frombits(math.Float64bits(t[0]) + k>>7<<52)
		q := r * r
		dst[i] = T(s + s*(t[1]+r+q*(1./2+r*(1./6))+q*q*(1./24+r*(1./120))))
	}
}

func expm1Of[T Float](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		v := widenFinite(&x[i])
		if outside(v, 0x1p-54, 708) {
			dst[i] = T(expm1Slow(float64(x[i])))
			continue
		}
		kd := v*perLn2 + shifter
		k := math.Float64bits(kd)
		kd -= shifter
		r := v - kd*ln2Part1 - kd*ln2Part2
		t := &exp2Table[k%128]
		s := math.Float64frombits(math.Float64bits(t[0]) + k>>7<<52)
		q := r * r
		dst[i] = T(s - 1 + s*(r+(t[1]+q*(1./2+r*(1./6))+q*q*(1./24+r*(1./120)))))
	}
}

// expScaled returns eˣ as m·2^e, for |x| < 1000.
func expScaled(x float64) (m float64, e int) {
	kd := x*perLn2 + shifter
	k := math.Float64bits(kd)
	kd -= shifter
	return expTail(k, x-kd*ln2Part1-kd*ln2Part2, 0)
}

// expTail returns 2^(k/128)·e^(r+low) as m·2^e.
func expTail(k uint64, r, low float64) (m float64, e int) {
	t := &exp2Table[k%128]
	q := r * r
	return t[0] + t[0]*(t[1]+(low+low*r)+r+q*(1./2+r*(1./6))+q*q*(1./24+r*(1./120))), int(int64(k<<13) >> 20)
}

// expSlow is eˣ where it may overflow, underflow or lose digits.
func expSlow(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 710:
		return math.Inf(1)
	case x < -746:
		return 0
	}
	return math.Ldexp(expScaled(x))
}

func exp2Slow(x float64) float64 {
	switch {
	case x != x:
		return x
	case x >= 1024:
		return math.Inf(1)
	case x < -1076:
		return 0
	}
	kd := x*128 + shifter
	return math.Ldexp(expTail(math.Float64bits(kd), (x-(kd-shifter)*(1./128))*math.Ln2, 0))
}

func expm1Slow(x float64) float64 {
	switch {
	case math.Abs(x) < 1:
		return x // also of -0
	case x < 0:
		return -1
	}
	return expSlow(x)
}

// expm1Parts returns eˣ-1 as a sum, for |x| < 708.
func expm1Parts(x float64) (hi, lo float64) {
	kd := x*perLn2 + shifter
	k := math.Float64bits(kd)
	kd -= shifter
	r := x - kd*ln2Part1 - kd*ln2Part2
	t := &exp2Table[k%128]
	s := math.Float64frombits(math.Float64bits(t[0]) + k>>7<<52)
	q := r * r
	a := s - 1
	b := s * (r + (t[1] + q*(1./2+r*(1./6)) + q*q*(1./24+r*(1./120))))
	rest := s - (a + 1) // what a lost
	if s < 1 {
		rest = (s - a) - 1
	}
	hi = a + b
	return hi, (a - hi) + b + rest
}
