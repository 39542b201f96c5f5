package main

import "math"

// Parts of π/2: each the rest of those before it, rounded.
const (
	halfPi1 = 0x1.921fb54442d18p+0
	halfPi2 = 0x1.1a62633145c07p-54
	halfPi3 = -0x1.f1976b7ed8fbcp-110

	halfPi1of32 = 0x1.921fb6p+0
	halfPi2of32 = -0x1.777a5cp-25
	halfPi3of32 = -0x1.ee59dap-50
)

// sineAndCosine returns the sine and the cosine of r + low with x = n·π/2 + r + low and
// |r| ≤ π/4, and the integer n in the low bits. x is not negative. x - n·halfPi1 is exact.
func (p *program) sineAndCosine(x value) (sin, cos, n value) {
	nd, n := p.nearest(x, p.num(2/math.Pi))
	one, half := p.num(1), p.num(-0.5)
	if p.bits == 32 {
		r := p.negMulAdd(nd, p.num(halfPi1of32), x)
		r = p.negMulAdd(nd, p.num(halfPi2of32), r)
		r = p.negMulAdd(nd, p.num(halfPi3of32), r)
		q := p.mul(r, r)
		sin = p.mulAdd(p.mul(q, r), p.poly("sin", q), r)
		cos = p.mulAdd(q, p.mulAdd(q, p.poly("cos", q), half), one)
		return sin, cos, n
	}
	r := p.negMulAdd(nd, p.num(halfPi1), x)
	part := p.num(halfPi2)
	b := p.mul(nd, part)
	bl := p.mulSub(nd, part, b)
	bl = p.mulAdd(nd, p.num(halfPi3), bl)
	s := p.sub(r, b)
	low := p.sub(p.sub(p.sub(r, s), b), bl)
	q := p.mul(s, s)
	sin = p.add(s, p.mulAdd(p.mul(q, s), p.poly("sin", q), low))
	t := p.mulAdd(q, p.poly("cos", q), half)
	cos = p.add(one, p.mulSub(q, t, p.mul(s, low)))
	return sin, cos, n
}

// angle returns |x|, and leaves large ones to Go.
func (p *program) angle(x value) value {
	a := p.abs(x)
	p.flag(p.notLess(a, p.num(p.by(400000, 40000))))
	return a
}

// odd is the mask of odd n.
func (p *program) odd(n value) value { return p.sign(p.shiftLeft(n, p.bits-1)) }

func sin(p *program) {
	x := p.arg(0)
	s, c, n := p.sineAndCosine(p.angle(x))
	y := p.choose(p.odd(n), c, s)
	p.result = p.flipped(y, p.xor(x, p.shiftLeft(n, p.bits-2)))
}

func cos(p *program) {
	s, c, n := p.sineAndCosine(p.angle(p.arg(0)))
	y := p.choose(p.odd(n), s, c)
	p.result = p.flipped(y, p.shiftLeft(p.intAdd(n, p.word(1)), p.bits-2))
}

func tan(p *program) {
	x := p.arg(0)
	s, c, n := p.sineAndCosine(p.angle(x))
	odd := p.odd(n)
	y := p.div(p.choose(odd, c, s), p.choose(odd, s, c))
	p.result = p.flipped(y, p.xor(x, p.shiftLeft(n, p.bits-1)))
}

// The arctangent of a/b is that of c = 0, 1/2, 1 or 3/2 next to it, plus that of
// (a - c·b)/(b + c·a), or π/2 minus that of b/a, as in fdlibm's s_atan.c (Sun Microsystems
// 1993). It is returned as a sum. b is none if it is 1.
func (p *program) arcTangent(a, b value) (hi, lo value) {
	var below [4]value
	for i, bound := range []float64{7. / 16, 11. / 16, 19. / 16, 39. / 16} {
		v := p.num(bound)
		if b != none {
			v = p.mul(v, b)
		}
		below[i] = p.less(a, v)
	}
	pick := func(of0, of1, of2, of3 float64) value {
		return p.choose(below[0], p.num(of0), p.choose(below[1], p.num(of1), p.choose(below[2], p.num(of2), p.num(of3))))
	}
	c := pick(0, 0.5, 1, 1.5)
	var num, den value
	if b == none {
		num = p.choose(below[3], p.sub(a, c), p.num(-1))
		den = p.choose(below[3], p.mulAdd(a, c, p.num(1)), a)
	} else {
		num = p.choose(below[3], p.negMulAdd(c, b, a), p.xor(b, p.signBit()))
		den = p.choose(below[3], p.mulAdd(c, a, b), a)
	}
	top := func(x float64) float64 {
		if p.bits == 32 {
			return float64(float32(x))
		}
		return x
	}
	rest := func(x, x64 float64) float64 { // x = atan, x64 the rest of its float64
		if p.bits == 32 {
			return x - float64(float32(x))
		}
		return x64
	}
	h := [4]float64{math.Atan(0.5), math.Pi / 4, math.Atan(1.5), math.Pi / 2}
	l := [4]float64{0x1.a2b7f222f65e2p-56, 0x1.1a62633145c07p-55, 0x1.007887af0cbbdp-56, 0x1.1a62633145c07p-54}
	hi = p.choose(below[3], pick(0, top(h[0]), top(h[1]), top(h[2])), p.num(top(h[3])))
	lo = p.choose(below[3], pick(0, rest(h[0], l[0]), rest(h[1], l[1]), rest(h[2], l[2])), p.num(rest(h[3], l[3])))
	t := p.div(num, den)
	q := p.mul(t, t)
	w := p.mul(p.mul(t, q), p.poly("atan", q))
	return hi, p.add(t, p.add(lo, w))
}

func atan(p *program) {
	x := p.arg(0)
	hi, lo := p.arcTangent(p.abs(x), none)
	p.result = p.withSign(p.add(hi, lo), x)
}

func atan2(p *program) {
	y, x := p.arg(0), p.arg(1)
	a, b := p.abs(y), p.abs(x)
	least, bound := p.bitsOf(p.by(0x1p-500, 0x1p-60)), p.bitsOf(p.by(0x1p500, 0x1p60))
	p.flagOutside(a, least, bound)
	p.flagOutside(b, least, bound)
	hi, lo := p.arcTangent(a, b)
	pi, piLo := math.Pi, 0x1.1a62633145c07p-53
	if p.bits == 32 {
		pi, piLo = float64(float32(math.Pi)), math.Pi-float64(float32(math.Pi))
	}
	left := p.sub(p.num(pi), p.add(hi, p.sub(lo, p.num(piLo))))
	p.result = p.withSign(p.choose(p.sign(p.again(1)), left, p.add(hi, lo)), p.again(0))
}

// The inverse sine is a polynomial up to 1/2, and π/2 - 2·asin √((1-x)/2) above, as in
// fdlibm's e_asin.c.
func (p *program) arcSine(a value) (small, s, w value) {
	half := p.num(0.5)
	small = p.less(a, half)
	z := p.choose(small, p.mul(a, a), p.negMulAdd(a, half, half))
	s = p.choose(small, a, p.sqrt(z))
	return small, s, p.mul(p.mul(s, z), p.poly("asin", z))
}

// halfPiParts returns π/2 as a sum.
func (p *program) halfPiParts() (hi, lo float64) {
	if p.bits == 32 {
		return halfPi1of32, halfPi2of32
	}
	return halfPi1, halfPi2
}

func asin(p *program) {
	x := p.arg(0)
	small, s, w := p.arcSine(p.abs(x))
	hi, lo := p.halfPiParts()
	big := p.sub(p.num(hi), p.sub(p.add(s, s), p.sub(p.num(lo), p.add(w, w))))
	p.result = p.withSign(p.choose(small, p.add(s, w), big), x)
}

// acos is π/2 - asin x for small x, 2·asin √((1-x)/2) for others, and π minus that of -x.
func acos(p *program) {
	x := p.arg(0)
	sx := p.signOf(x)
	small, s, w := p.arcSine(p.abs(x))
	hi, lo := p.halfPiParts()
	near := p.sub(p.num(hi), p.sub(p.xor(s, sx), p.sub(p.num(lo), p.xor(w, sx))))
	s2, w2 := p.add(s, s), p.add(w, w)
	left := p.sub(p.num(2*hi), p.sub(s2, p.sub(p.num(2*lo), w2)))
	p.result = p.choose(small, near, p.choose(p.sign(x), left, p.add(s2, w2)))
}
