package main

import "math"

// cbrt is x·y² with y = x^(-1/3), which begins with a third of the exponent and takes two
// steps (of float32 one) of y·(1-e)^(-1/3), e = 1 - x·y³; then one of Newton's method.
func cbrt(p *program) {
	x := p.arg(0)
	a := p.abs(x)
	p.flagOutside(a, p.bySize(normal64, normal32), p.bySize(inf64, inf32))
	one, third := p.num(1), p.num(1./3)
	var y value
	if p.bits == 64 {
		upper := p.sub(p.or(p.shiftRight(a, 32), p.word(math.Float64bits(0x1p52))), p.num(0x1p52))
		y = p.shiftLeft(p.negMulAdd(upper, third, p.num(0x1.8p52+math.Floor(4./3*(1023-0.045)*(1<<20)))), 32)
	} else { // in steps of 2⁸, so that they fit the 24 bits
		upper := p.sub(p.or(p.shiftRight(a, 8), p.word(uint64(math.Float32bits(0x1p23)))), p.num(0x1p23))
		y = p.shiftLeft(p.negMulAdd(upper, third, p.num(0x1p23+math.Floor(4./3*(127-0.045)*(1<<15)))), 8)
	}
	deviation := func() value { // 1 - x·y³
		return p.negMulAdd(p.mul(a, y), p.mul(y, y), one)
	}
	e := deviation()
	series := p.mulAdd(e, p.mulAdd(e, p.mulAdd(e, p.num(35./243), p.num(14./81)), p.num(2./9)), third)
	y = p.mulAdd(p.mul(y, e), series, y)
	if p.bits == 64 {
		e = deviation()
		y = p.mulAdd(p.mul(y, e), third, y)
	}
	q := p.mul(y, y)
	t := p.mul(a, q)
	s := p.mul(t, t)
	r := p.negMulAdd(s, t, a)
	r = p.negMulAdd(p.mulSub(t, t, s), t, r)
	p.result = p.withSign(p.mulAdd(p.mul(r, q), third, t), x)
}

func hypot(p *program) {
	x, y := p.arg(0), p.arg(1)
	s := p.mulAdd(x, x, p.mul(y, y))
	p.flagOutside(s, p.bitsOf(p.by(0x1p-960, 0x1p-96)), p.bitsOf(p.by(0x1p1000, 0x1p120)))
	p.result = p.sqrt(s)
}

// pow is e^(y·log x) with the logarithm and the product in two parts, by the tables and
// the steps of pow.go. Of float32 the parts are one float64.
func pow(p *program) {
	x, y := p.arg(0), p.arg(1)
	if p.short() {
		p.flagOutside(x, normal64, inf64)
		k, m, _ := p.split(x)
		f := p.sub(m, p.num(1))
		rest, half, _ := p.logRest(f)
		l := p.mulAdd(k, p.num(math.Ln2), p.sub(f, p.sub(half, rest)))
		e := p.mul(y, l)
		p.flagLarge(e, 700)
		p.flagLarge(y, 0x1p127)
		_, low, r := p.expReduced(e)
		t := p.mulAdd(p.mul(r, r), p.poly("exp", r), r)
		p.result = p.scaled(p.add(t, p.num(1)), low)
		return
	}
	p.flagOutside(x, normal64, inf64)
	p.flagOutside(p.abs(y), p.bitsOf(0x1p-100), p.bitsOf(0x1p100))

	const offset = 0x3fe6000000000000
	n := p.intSub(x, p.word(offset))
	biased := p.shiftRight(p.intAdd(n, p.word(1023<<52)), 52)
	k := p.sub(p.or(biased, p.word(math.Float64bits(0x1p52))), p.num(0x1p52+1023))
	z := p.intSub(x, p.and(n, p.word(0xfff<<52)))
	zh := p.and(z, p.word(0xffffffffffc00000))
	j := p.and(p.shiftRight(n, 45), p.word(127))
	j = p.intAdd(j, p.intAdd(j, j))
	c, t1, t2 := p.gather("logTable", j, 0), p.gather("logTable", j, 8), p.gather("logTable", j, 16)
	rh := p.mulAdd(zh, c, p.num(-1))
	rl := p.mul(p.sub(z, zh), c)
	r, rest := p.sum2(rh, rl)

	// log x = w + r - r²/2 + …, summed from the largest term on with what each sum loses.
	w := p.mulAdd(k, p.num(ln2Short), t1)
	s, lost := p.sum2(w, r)
	lost = p.add(lost, rest)
	half := p.num(-0.5)
	q := p.mul(r, r)
	sq := p.mul(q, half)
	lost = p.mulAdd(p.mulSub(r, r, q), half, lost)
	hi, lost2 := p.sum2(s, sq)
	lost = p.add(lost, lost2)
	lo := p.add(lost, p.mulAdd(k, p.num(ln2ShortRest), t2))
	lo = p.mulAdd(p.mul(q, r), p.poly("log1p", r), lo)
	hi, lo = p.sum2(hi, lo)

	eh := p.mul(y, hi)
	el := p.mulAdd(y, lo, p.mulSub(y, hi, eh))
	p.flagLarge(eh, 708)
	kd, m := p.nearest(eh, p.num(128/math.Ln2))
	r = p.negMulAdd(kd, p.num(math.Ln2/128), eh)
	r = p.negMulAdd(kd, p.num(ln2Lo/128), r)
	i := p.and(p.add2(m), p.word(254))
	e0, e1 := p.gather("exp2Table", i, 0), p.gather("exp2Table", i, 8)
	s = p.intAdd(e0, p.shiftLeft(p.shiftRight(m, 7), 52))
	q = p.mul(r, r)
	v := p.add(p.add(e1, p.mulAdd(el, r, el)), r)
	v = p.mulAdd(q, p.mulAdd(r, p.num(1./6), p.num(1./2)), v)
	v = p.mulAdd(p.mul(q, q), p.mulAdd(r, p.num(1./120), p.num(1./24)), v)
	p.result = p.mulAdd(s, v, s)
}

// add2 returns the integer 2a.
func (p *program) add2(a value) value { return p.intAdd(a, a) }
