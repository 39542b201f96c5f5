package main

import "math"

// The parts of the logarithms' constants: multiples of 2^-42, which times an exponent are
// exact, and the rests.
const (
	ln2Short     = 0x1.62e42fefa3800p-1
	ln2ShortRest = 0x1.ef35793c76730p-45
	ln2Short32   = 0x1.62e4p-1
	ln2Rest32    = 0x1.7f7d1cf79abcap-20
	sqrtHalf64   = 0x3fe6a09e667f3bcd
	sqrtHalf32   = 0x3f3504f3
)

// split writes the positive normal number x as 2ᵏ·m with √½ ≤ m < √2. biased is k plus the
// exponent's bias, as an integer.
func (p *program) split(x value) (k, m, biased value) {
	root := p.bySize(sqrtHalf64, sqrtHalf32)
	one := p.bitsOf(1)
	n := p.intAdd(x, p.word(one-root))
	biased = p.shiftRight(n, p.mantissa())
	magic := p.bitsOf(p.by(0x1p52, 0x1p23))
	k = p.sub(p.or(biased, p.word(magic)), p.num(p.by(0x1p52+1023, 0x1p23+127)))
	m = p.intAdd(p.and(n, p.word(1<<p.mantissa()-1)), p.word(root))
	return k, m, biased
}

// logRest returns log(1+f) - f + f²/2 and f²/2, by log(1+f) = 2·atanh(s), s = f/(2+f), as
// fdlibm's e_log.c does (Sun Microsystems 1993).
func (p *program) logRest(f value) (rest, half, s value) {
	half = p.mul(f, p.mul(f, p.num(0.5)))
	s = p.div(f, p.add(f, p.num(2)))
	z := p.mul(s, s)
	return p.mul(s, p.mulAdd(z, p.poly("log", z), half)), half, s
}

// logBelow returns log(1+f) - f of float32, by a polynomial.
func (p *program) logBelow(f value) value {
	return p.mul(p.mul(f, f), p.mulAdd(f, p.poly("logf", f), p.num(-0.5)))
}

func (p *program) flagNotPositive(x value) {
	p.flagOutside(x, p.bySize(normal64, normal32), p.bySize(inf64, inf32))
}

func log(p *program) {
	x := p.arg(0)
	p.flagNotPositive(x)
	k, m, _ := p.split(x)
	f := p.sub(m, p.num(1))
	if p.bits == 32 {
		p.result = p.mulAdd(k, p.num(ln2Short32), p.add(f, p.mulAdd(k, p.num(ln2Rest32), p.logBelow(f))))
		return
	}
	rest, half, _ := p.logRest(f)
	lo := p.mulAdd(k, p.num(ln2ShortRest), rest)
	p.result = p.mulAdd(k, p.num(ln2Short), p.sub(f, p.sub(half, lo)))
}

// logScaled returns a program for log x times a = hi + lo, of which that of 2 is short + rest.
func logScaled(hi, lo, short, rest, hi32, lo32, short32, rest32 float64) func(*program) {
	return func(p *program) {
		x := p.arg(0)
		p.flagNotPositive(x)
		k, m, _ := p.split(x)
		f := p.sub(m, p.num(1))
		// log m = h + l
		h, l := f, none
		if p.bits == 32 {
			l = p.logBelow(f)
		} else {
			r, half, _ := p.logRest(f)
			h = p.sub(f, half)
			l = p.add(p.sub(p.sub(f, h), half), r)
		}
		c := p.num(p.by(hi, hi32))
		top := p.mul(h, c)
		low := p.mulAdd(h, p.num(p.by(lo, lo32)), p.mulAdd(l, c, p.mulSub(h, c, top)))
		unit := k
		if rest != 0 {
			low = p.mulAdd(k, p.num(p.by(rest, rest32)), low)
			unit = p.mul(k, p.num(p.by(short, short32)))
		}
		s, lost := p.sum2(unit, top) // unit is 0 or the larger one
		p.result = p.add(s, p.add(low, lost))
	}
}

// log1p takes the rounding error d of u = 1+x along: log(u + d) ≈ log u + d/u.
func log1p(p *program) {
	x := p.arg(0)
	// Outside are -1 and what is below, what has a large exponent, and NaN.
	p.flag(p.notLess(x, p.num(p.by(0x1p1000, 0x1p120))))
	p.flag(p.notLess(p.num(-1), x))
	p.result = p.log1pOf(x, none)
}

// log1pOf returns log(1 + x + low).
func (p *program) log1pOf(x, low value) value {
	one := p.num(1)
	u := p.add(x, one)
	v := p.sub(u, one)
	d := p.add(p.sub(one, p.sub(u, v)), p.sub(x, v))
	if low != none {
		d = p.add(d, low)
	}
	k, m, biased := p.split(u)
	down := p.shiftLeft(p.intSub(p.word(2*p.bias()), biased), p.mantissa()) // 2^-k
	f := p.sub(m, one)
	d = p.mul(d, down)
	// d/m is taken to as many digits as matter.
	var y value
	if p.bits == 32 {
		inverse := p.negMulAdd(f, p.negMulAdd(f, p.negMulAdd(f, p.num(0.8), one), one), one)
		y = p.mulAdd(k, p.num(ln2Rest32), p.mulAdd(d, inverse, p.logBelow(f)))
		y = p.mulAdd(k, p.num(ln2Short32), p.add(f, y))
	} else {
		rest, half, s := p.logRest(f)
		inverse := p.mulAdd(p.add(s, s), p.sub(s, one), one)
		lo := p.mulAdd(k, p.num(ln2ShortRest), p.mulAdd(d, inverse, rest))
		y = p.mulAdd(k, p.num(ln2Short), p.sub(f, p.sub(half, lo)))
	}
	if low != none {
		return y
	}
	return p.withSign(y, x) // also of -0
}

// atanh is log1p(2|x|/(1-|x|))/2.
func atanh(p *program) {
	x := p.arg(0)
	a := p.abs(x)
	p.flag(p.notLess(a, p.num(1)))
	den := p.sub(p.num(1), a)
	num := p.add(a, a)
	t := p.div(num, den)
	y := p.log1pOf(t, none)
	p.result = p.withSign(p.mul(y, p.num(0.5)), p.again(0))
}

// asinh is log1p(|x| + x²/(1+√(1+x²))).
func asinh(p *program) {
	x := p.arg(0)
	a := p.abs(x)
	p.flag(p.notLess(a, p.num(p.by(0x1p500, 0x1p60))))
	q := p.mul(a, a)
	one := p.num(1)
	t := p.div(q, p.add(p.sqrt(p.add(q, one)), one))
	s := p.add(a, t)
	// What the sum lost is small beside it.
	big := p.sub(s, a)
	low := p.add(p.sub(a, p.sub(s, big)), p.sub(t, big))
	p.result = p.withSign(p.log1pOf(s, low), p.again(0))
}

// acosh is log1p(t + √(t·(t+2))) with t = x - 1, and with what the root and the sum lost.
func acosh(p *program) {
	x := p.arg(0)
	one := p.num(1)
	p.flag(p.notLess(x, p.num(p.by(0x1p500, 0x1p60))))
	p.flag(p.notLess(one, x))
	t := p.sub(x, one)
	u := p.add(t, p.num(2))
	q := p.mul(t, u)
	r := p.sqrt(q)
	rest := p.sub(p.mulSub(t, u, q), p.mulSub(r, r, q))
	low := p.div(p.mul(rest, p.num(0.5)), r)
	s := p.add(r, t)
	big := p.sub(s, r)
	low = p.add(low, p.add(p.sub(r, p.sub(s, big)), p.sub(t, big)))
	p.result = p.log1pOf(s, low)
}

var (
	log2 = logScaled(0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56, 1, 0,
		0x1.715476p+0, 0x1.4ae0bf85ddf44p-26, 1, 0)
	log10 = logScaled(0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57, log10of2Short, log10of2Rest,
		0x1.bcb7b2p-2, -0x1.5b235e3d55f9fp-28, 0x1.344p-2, log10of2Rest32)
)

// lg 2 as a multiple of 2^-44, or 2^-16, and the rest.
const (
	log10of2Short  = 0x1.34413509f7800p-2
	log10of2Rest   = math.Ln2/math.Ln10 - log10of2Short
	log10of2Rest32 = math.Ln2/math.Ln10 - 0x1.344p-2
)
