package vmath

import "math"

// The power is e^(y·log x) with the logarithm and the product in two parts, so that
// the exponent is right to about 2^-68 of itself: Tang 1990 and 1989; Muller et al.
// 2018, "Handbook of Floating-Point Arithmetic", on sums and products in two parts.

func powOf[T Float](dst, x, y []T) {
	y = y[:len(dst)]
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = T(pow(widen(&x[i]), widen(&y[i])))
	}
}

func pow(x, y float64) float64 {
	b, k := math.Float64bits(x), 0.
	if b-leastNormal >= infinity-leastNormal || outside(y, 0x1p-100, 0x1p100) {
		a := math.Abs(x)
		switch {
		case x < 0 && y-y == 0 && a-a == 0 && math.Trunc(y) == y && y != 0:
			p := pow(a, y)
			if math.Mod(y, 2) != 0 {
				p = -p
			}
			return p
		case 0 < x && x < 0x1p-1022 && y-y == 0 && y != 0:
			b, k = math.Float64bits(x*0x1p54), -54
		default:
			return math.Pow(x, y)
		}
	}
	n := b - logOffset
	k += whole(int64(n) >> 52)
	b -= n & exponent
	z := math.Float64frombits(b)
	zh := math.Float64frombits(b &^ lowBits)
	t := &logTable[n>>45%128]
	rh := zh*t[0] - 1
	rl := (z - zh) * t[0]
	r := rh + rl

	// log x = w + r - r²/2 + …, summed from the largest term on with what each sum loses.
	w := k*ln2Hi + t[1]
	s := w + r
	lost := (w - s + r) + ((rh - r) + rl)
	h := math.Float64frombits(math.Float64bits(r) &^ (1<<27 - 1)) // h² is exact
	sq := -0.5 * h * h
	rest := -0.5 * (r - h) * (r + h)
	hi := s + sq
	lost += (s - hi + sq) + rest
	q := r * r
	lo := lost + (k*ln2Lo + t[2]) + q*r*(powPoly0+r*(powPoly1+r*powPoly2+q*(powPoly3+r*powPoly4+q*(powPoly5+r*powPoly6))))
	s = hi + lo
	lo = (hi - s) + lo
	hi = s

	eh := y * hi
	el := mulRest(y, hi, eh) + y*lo
	if !(math.Abs(eh) < 708) {
		switch {
		case eh > 720:
			return math.Inf(1)
		case eh < -760:
			return 0
		}
		return math.Ldexp(powTail(eh, el))
	}
	kd := eh*perLn2 + shifter
	m := math.Float64bits(kd)
	kd -= shifter
	r = eh - kd*ln2Part1 - kd*ln2Part2
	p := &exp2Table[m%128]
	s = math.Float64frombits(math.Float64bits(p[0]) + m>>7<<52)
	q = r * r
	return s + s*(p[1]+(el+el*r)+r+q*(1./2+r*(1./6))+q*q*(1./24+r*(1./120)))
}

func powTail(x, low float64) (m float64, e int) {
	kd := x*perLn2 + shifter
	k := math.Float64bits(kd)
	kd -= shifter
	return expTail(k, x-kd*ln2Part1-kd*ln2Part2, low)
}
