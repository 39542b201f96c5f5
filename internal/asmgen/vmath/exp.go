package main

import "math"

// Constants that do not fit a float64, or a float32, come in parts: the first one is
// rounded, and its product with an integer is taken within a fused multiplication.
const (
	ln2Lo    = 0x1.abc9e3b39803fp-56
	ln2Hi32  = 0x1.62e43p-1
	ln2Lo32  = -0x1.05c610ca86c39p-29
	inf64    = 0x7ff0000000000000
	inf32    = 0x7f800000
	normal64 = 0x0010000000000000
	normal32 = 0x00800000
)

// bySize returns the bits a for lanes of 64 bits, b for those of 32.
func (p *program) bySize(a, b uint64) uint64 {
	if p.bits == 32 {
		return b
	}
	return a
}

// expReduced returns the integer k nearest to x/ln 2, with its bits, and r = x - k·ln 2
// (Cody and Waite 1980): x - k·hi is exact.
func (p *program) expReduced(x value) (k, low, r value) {
	k, low = p.nearest(x, p.num(1/math.Ln2))
	r = p.negMulAdd(k, p.num(p.by(math.Ln2, ln2Hi32)), x)
	return k, low, p.negMulAdd(k, p.num(p.by(ln2Lo, ln2Lo32)), r)
}

// scaled returns x·2ᵏ for k in the low bits.
func (p *program) scaled(x, low value) value {
	return p.intAdd(x, p.shiftLeft(low, p.mantissa()))
}

// power returns 2ᵏ for k in the low bits.
func (p *program) power(low value) value { return p.scaled(p.num(1), low) }

// flagLarge leaves lanes to Go unless |x| < limit.
func (p *program) flagLarge(x value, limit float64) {
	p.flag(p.notLess(p.abs(x), p.num(limit)))
}

func exp(p *program) {
	x := p.arg(0)
	p.flagLarge(x, p.by(708, 87))
	_, low, r := p.expReduced(x)
	t := p.mulAdd(p.mul(r, r), p.poly("exp", r), r)
	p.result = p.scaled(p.add(t, p.num(1)), low)
}

func exp2(p *program) {
	x := p.arg(0)
	p.flagLarge(x, p.by(1021, 125))
	k, low := p.nearest(x, p.num(1))
	r := p.sub(x, k)
	q := p.mul(r, r)
	t := p.mulAdd(r, p.num(math.Ln2), p.mul(q, p.poly("exp2", r)))
	p.result = p.scaled(p.add(t, p.num(1)), low)
}

func expm1(p *program) {
	x := p.arg(0)
	p.flagLarge(x, p.by(708, 87))
	s, r, rest := p.expm1Parts(x)
	p.result = p.withSign(p.timesLess1(s, r, rest), x) // also of -0
}

// expm1Parts returns 2ᵏ, r and eˣ·2⁻ᵏ - 1 - r of x, with what the reduction of x lost.
func (p *program) expm1Parts(x value) (s, r, rest value) {
	k, low := p.nearest(x, p.num(1/math.Ln2))
	part := p.num(p.by(ln2Lo, ln2Lo32))
	first := p.negMulAdd(k, p.num(p.by(math.Ln2, ln2Hi32)), x)
	r = p.negMulAdd(k, part, first)
	lost := p.negMulAdd(k, part, p.sub(first, r))
	return p.power(low), r, p.mulAdd(p.mul(r, r), p.poly("exp", r), lost)
}

// timesLess1 returns s·(1 + r + rest) - 1, summed from the largest term on.
func (p *program) timesLess1(s, r, rest value) value {
	return p.mulAdd(s, rest, p.mulAdd(s, r, p.sub(s, p.num(1))))
}

// tanh is t/(t+2) with t = e^2|x| - 1, or 1 - 2/(t+2); from a bound on it is 1.
func tanh(p *program) {
	x := p.arg(0)
	a := p.op2(opMin, p.num(p.by(22, 10)), p.abs(x)) // keeps NaN
	s, r, rest := p.expm1Parts(p.add(a, a))
	one := p.num(1)
	n := p.timesLess1(s, r, rest)
	d := p.mulAdd(s, p.add(r, rest), p.add(s, one))
	small := p.less(a, p.num(0.55))
	y := p.div(p.choose(small, n, p.num(-2)), d)
	p.result = p.withSign(p.add(y, p.choose(small, p.num(0), one)), x)
}

// sinh is (t + t/(t+1))/2 with t = e^|x| - 1.
func sinh(p *program) {
	x := p.arg(0)
	p.flagLarge(x, p.by(700, 85))
	s, r, rest := p.expm1Parts(p.abs(x))
	n := p.timesLess1(s, r, rest)
	e := p.mulAdd(s, p.add(r, rest), s)
	p.result = p.withSign(p.mul(p.add(n, p.div(n, e)), p.num(0.5)), x)
}

// cosh is (e^|x| + e^-|x|)/2.
func cosh(p *program) {
	x := p.arg(0)
	p.flagLarge(x, p.by(700, 85))
	_, low, r := p.expReduced(p.abs(x))
	s := p.scaled(p.num(0.5), low)
	e := p.mulAdd(s, p.mulAdd(p.mul(r, r), p.poly("exp", r), r), s)
	p.result = p.add(e, p.div(p.num(0.25), e))
}
