package vmath

import (
	"math"
	"math/big"
	"sync"
)

// This file computes the functions with math/big, to far more digits than needed, by
// plain series after a reduction of the argument. The arguments are normal numbers,
// not smaller than about 2^-120, of which the function is finite and not zero.

const oraclePrec = 420

func num(x float64) *big.Float { return big.NewFloat(x).SetPrec(oraclePrec) }

func newNum() *big.Float { return new(big.Float).SetPrec(oraclePrec) }

func add(x, y *big.Float) *big.Float { return newNum().Add(x, y) }
func sub(x, y *big.Float) *big.Float { return newNum().Sub(x, y) }
func mul(x, y *big.Float) *big.Float { return newNum().Mul(x, y) }
func div(x, y *big.Float) *big.Float { return newNum().Quo(x, y) }
func root(x *big.Float) *big.Float   { return newNum().Sqrt(x) }

// scale returns x·2ⁿ.
func scale(x *big.Float, n int) *big.Float { return newNum().SetMantExp(x, n) }

func small(term, sum *big.Float) bool {
	return term.Sign() == 0 || term.MantExp(nil) < sum.MantExp(nil)-oraclePrec
}

// atanSeries is x - x³/3 + x⁵/5 - … with prec bits.
func atanSeries(x *big.Float, prec uint) *big.Float {
	sum, power := new(big.Float).SetPrec(prec).Set(x), new(big.Float).SetPrec(prec).Set(x)
	sq := new(big.Float).SetPrec(prec).Mul(x, x)
	sq.Neg(sq)
	for k := int64(3); ; k += 2 {
		power.Mul(power, sq)
		term := new(big.Float).SetPrec(prec).Quo(power, new(big.Float).SetInt64(k))
		if term.Sign() == 0 || term.MantExp(nil) < sum.MantExp(nil)-int(prec) {
			return sum
		}
		sum.Add(sum, term)
	}
}

const longPrec = 1600

// bigPi follows Machin 1706.
var bigPi = sync.OnceValue(func() *big.Float {
	part := func(n int64) *big.Float {
		q := new(big.Float).SetPrec(longPrec).Quo(new(big.Float).SetPrec(longPrec).SetInt64(1), new(big.Float).SetInt64(n))
		return atanSeries(q, longPrec)
	}
	a, b := part(5), part(239)
	a.Mul(a, big.NewFloat(16))
	b.Mul(b, big.NewFloat(4))
	return a.Sub(a, b)
})

// bigLn2 is 2·atanh(1/3).
var bigLn2 = sync.OnceValue(func() *big.Float {
	sum, power := newNum(), div(num(1), num(3))
	for k := 1.; k < 400; k += 2 {
		sum.Add(sum, div(power, num(k)))
		power = div(power, num(9))
	}
	return scale(sum, 1)
})

func bigExp(x *big.Float) *big.Float {
	q, _ := div(x, bigLn2()).Float64()
	n := math.RoundToEven(q)
	r := scale(sub(x, mul(num(n), bigLn2())), -12)
	sum, term := num(1), num(1)
	for k := 1.; !small(term, sum); k++ {
		term = div(mul(term, r), num(k))
		sum.Add(sum, term)
	}
	for range 12 {
		sum = mul(sum, sum)
	}
	return scale(sum, int(n))
}

// bigExpm1 is a series for small x.
func bigExpm1(x *big.Float) *big.Float {
	if f, _ := x.Float64(); math.Abs(f) > 0.1 {
		return sub(bigExp(x), num(1))
	}
	sum, term := newNum().Set(x), newNum().Set(x)
	for k := 2.; !small(term, sum); k++ {
		term = div(mul(term, x), num(k))
		sum.Add(sum, term)
	}
	return sum
}

// bigLog improves a float64 by steps of third order.
func bigLog(x *big.Float) *big.Float {
	m := newNum()
	e := x.MantExp(m)
	f, _ := m.Float64()
	y := num(math.Log(f))
	for range 3 {
		t := bigExp(y)
		y.Add(y, scale(div(sub(m, t), add(m, t)), 1))
	}
	return y.Add(y, mul(num(float64(e)), bigLn2()))
}

func bigLog1p(x *big.Float) *big.Float {
	if f, _ := x.Float64(); math.Abs(f) > 0x1p-20 {
		return bigLog(add(num(1), x))
	}
	sum, power := newNum().Set(x), newNum().Set(x)
	for k := 2.; ; k++ {
		power = mul(power, newNum().Neg(x))
		term := div(power, num(k))
		if small(term, sum) {
			return sum
		}
		sum.Add(sum, term)
	}
}

// bigSinCos returns the sine and the cosine.
func bigSinCos(x *big.Float) (s, c *big.Float) {
	half := new(big.Float).SetPrec(longPrec).Quo(bigPi(), big.NewFloat(2))
	q := new(big.Float).SetPrec(longPrec).Quo(x, half)
	q.Add(q, big.NewFloat(0.5))
	n, _ := q.Int(nil)
	if q.Sign() < 0 {
		n.Sub(n, big.NewInt(1))
	}
	q.SetInt(n)
	r := newNum().Set(q.Sub(new(big.Float).SetPrec(longPrec).Set(x), q.Mul(q, half)))
	sq := newNum().Neg(mul(r, r))
	series := func(first *big.Float, k float64) *big.Float {
		sum, term := newNum().Set(first), newNum().Set(first)
		for ; !small(term, sum); k += 2 {
			term = div(mul(term, sq), num(k*(k+1)))
			sum.Add(sum, term)
		}
		return sum
	}
	s, c = series(r, 2), series(num(1), 1)
	switch new(big.Int).And(n, big.NewInt(3)).Int64() {
	case 1:
		s, c = c, s.Neg(s)
	case 2:
		s, c = s.Neg(s), c.Neg(c)
	case 3:
		s, c = c.Neg(c), s
	}
	return s, c
}

func bigAtan(x *big.Float) *big.Float {
	if x.Sign() < 0 {
		y := bigAtan(newNum().Neg(x))
		return y.Neg(y)
	}
	one := num(1)
	if x.Cmp(one) > 0 {
		return sub(scale(newNum().Set(bigPi()), -1), bigAtan(div(one, x)))
	}
	for range 6 {
		x = div(x, add(one, root(add(one, mul(x, x)))))
	}
	return scale(atanSeries(x, oraclePrec), 6)
}

func bigAtan2(y, x float64) *big.Float {
	a := bigAtan(div(num(y), num(x)))
	if x > 0 {
		return a
	}
	if y > 0 {
		return add(a, newNum().Set(bigPi()))
	}
	return sub(a, newNum().Set(bigPi()))
}

// oracle1 holds the functions of one operand.
var oracle1 = [numUnary]func(x float64) *big.Float{
	fnSqrt: func(x float64) *big.Float { return root(num(x)) },
	fnCbrt: func(x float64) *big.Float {
		y := num(math.Cbrt(x))
		for range 4 {
			y = sub(y, div(sub(y, div(num(x), mul(y, y))), num(3)))
		}
		return y
	},
	fnExp:   func(x float64) *big.Float { return bigExp(num(x)) },
	fnExp2:  func(x float64) *big.Float { return bigExp(mul(num(x), bigLn2())) },
	fnExpm1: func(x float64) *big.Float { return bigExpm1(num(x)) },
	fnLog:   func(x float64) *big.Float { return bigLog(num(x)) },
	fnLog2:  func(x float64) *big.Float { return div(bigLog(num(x)), bigLn2()) },
	fnLog10: func(x float64) *big.Float { return div(bigLog(num(x)), bigLog(num(10))) },
	fnLog1p: func(x float64) *big.Float { return bigLog1p(num(x)) },
	fnSin:   func(x float64) *big.Float { s, _ := bigSinCos(num(x)); return s },
	fnCos:   func(x float64) *big.Float { _, c := bigSinCos(num(x)); return c },
	fnTan:   func(x float64) *big.Float { s, c := bigSinCos(num(x)); return div(s, c) },
	fnAsin:  func(x float64) *big.Float { return bigAtan(div(num(x), root(sub(num(1), mul(num(x), num(x)))))) },
	fnAcos: func(x float64) *big.Float {
		return scale(bigAtan(root(div(sub(num(1), num(x)), add(num(1), num(x))))), 1)
	},
	fnAtan: func(x float64) *big.Float { return bigAtan(num(x)) },
	fnSinh: func(x float64) *big.Float { // (t + t/(t+1))/2
		t := bigExpm1(num(math.Abs(x)))
		return scale(mul(add(t, div(t, add(t, num(1)))), num(math.Copysign(1, x))), -1)
	},
	fnCosh: func(x float64) *big.Float {
		t := bigExp(num(x))
		return scale(add(t, div(num(1), t)), -1)
	},
	fnTanh: func(x float64) *big.Float {
		t := bigExpm1(scale(num(x), 1))
		return div(t, add(t, num(2)))
	},
	fnAsinh: func(x float64) *big.Float { // log1p(x + x²/(1+√(1+x²)))
		q, a := mul(num(x), num(x)), num(math.Abs(x))
		y := bigLog1p(add(a, div(q, add(num(1), root(add(num(1), q))))))
		if x < 0 {
			y.Neg(y)
		}
		return y
	},
	fnAcosh: func(x float64) *big.Float {
		t := sub(num(x), num(1))
		return bigLog1p(add(t, root(mul(t, add(t, num(2))))))
	},
	fnAtanh: func(x float64) *big.Float {
		return scale(bigLog1p(div(scale(num(x), 1), sub(num(1), num(x)))), -1)
	},
}

var oracle2 = [numBinary]func(x, y float64) *big.Float{
	fnPow:   func(x, y float64) *big.Float { return bigExp(mul(num(y), bigLog(num(x)))) },
	fnAtan2: bigAtan2,
	fnHypot: func(x, y float64) *big.Float { return root(add(mul(num(x), num(x)), mul(num(y), num(y)))) },
}

// ulpsFrom returns |got - want| in units in the last place of want, in a format of the
// given digits and least exponent.
func ulpsFrom(got float64, want *big.Float, digits, least int) float64 {
	if math.IsInf(got, 0) || got != got {
		return math.Inf(1)
	}
	unit := max(want.MantExp(nil)-digits, least)
	d, _ := scale(sub(num(got), want), -unit).Float64()
	return math.Abs(d)
}
