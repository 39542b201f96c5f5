package main

import "math"

// A program computes the elements of a vector from those of its operands, as a list of
// operations on vectors in which each value is set once. It is written once for all
// vector lengths and, where the polynomials are all that differs, for both types.
type program struct {
	bits   int // of a lane
	elem   int // of an element in memory: 32 with lanes of 64 where float32 is computed in float64
	args   int
	nodes  []node
	known  map[node]value
	result value
	flags  value // the lanes that are left to Go, or none
}

// value is the number of a node.
type value int

const none value = -1

type op int

const (
	opArg   op = iota
	opConst    // of the bits imm
	opAdd
	opSub
	opMul
	opDiv
	opMin // the second operand if one is NaN
	opAnd
	opAndNot // ^a & b
	opOr
	opXor
	opIntAdd
	opIntSub
	opSqrt
	opShiftLeft // by imm
	opShiftRight
	opMulAdd    // a·b + c, rounded once
	opNegMulAdd // c - a·b, rounded once
	opMulSub    // a·b - c, rounded once
	opXorSign   // a ^ (b & sign bit)
	opOrSign    // a | (b & sign bit)
	opLess      // masks
	opNotLess
	opIntGreater
	opSign // of the lanes with a set sign bit
	opMaskOr
	opSelect // a ? b : c
	opGather // the number at table + imm + 8·a
)

func (o op) isMask() bool { return opLess <= o && o <= opMaskOr }

type node struct {
	op      op
	a, b, c value
	imm     uint64
	table   string
}

func newProgram(bits, elem, args int) *program {
	return &program{bits: bits, elem: elem, args: args, known: map[node]value{}, flags: none}
}

func (p *program) put(n node) value {
	if v, ok := p.known[n]; ok {
		return v
	}
	v := value(len(p.nodes))
	p.nodes = append(p.nodes, n)
	p.known[n] = v
	return v
}

func (p *program) op1(o op, a value, imm uint64) value {
	return p.put(node{op: o, a: a, b: none, c: none, imm: imm})
}
func (p *program) op2(o op, a, b value) value    { return p.put(node{op: o, a: a, b: b, c: none}) }
func (p *program) op3(o op, a, b, c value) value { return p.put(node{op: o, a: a, b: b, c: c}) }

func (p *program) arg(i int) value { return p.op1(opArg, none, uint64(i)) }

// again loads operand i once more, which saves a register meanwhile.
func (p *program) again(i int) value {
	return p.put(node{op: opArg, a: none, b: none, c: none, imm: uint64(i), table: "again"})
}

// word is a constant of the given bits, num one of the given value.
func (p *program) word(b uint64) value { return p.op1(opConst, none, b) }
func (p *program) num(x float64) value {
	if p.bits == 32 {
		return p.word(uint64(math.Float32bits(float32(x))))
	}
	return p.word(math.Float64bits(x))
}

func (p *program) add(a, b value) value       { return p.op2(opAdd, a, b) }
func (p *program) sub(a, b value) value       { return p.op2(opSub, a, b) }
func (p *program) mul(a, b value) value       { return p.op2(opMul, a, b) }
func (p *program) div(a, b value) value       { return p.op2(opDiv, a, b) }
func (p *program) sqrt(a value) value         { return p.op1(opSqrt, a, 0) }
func (p *program) mulAdd(a, b, c value) value { return p.op3(opMulAdd, a, b, c) }

// negMulAdd returns c - a·b.
func (p *program) negMulAdd(a, b, c value) value { return p.op3(opNegMulAdd, a, b, c) }

// mulSub returns a·b - c: what the product lost, if c is a·b rounded.
func (p *program) mulSub(a, b, c value) value { return p.op3(opMulSub, a, b, c) }

// withSign returns a, which has no sign, with that of b; flipped changes a's sign if b is
// negative.
func (p *program) withSign(a, b value) value { return p.op3(opOrSign, a, b, p.signBit()) }
func (p *program) flipped(a, b value) value  { return p.op3(opXorSign, a, b, p.signBit()) }

func (p *program) signBit() value          { return p.word(1 << (p.bits - 1)) }
func (p *program) abs(a value) value       { return p.op2(opAnd, a, p.word(1<<(p.bits-1)-1)) }
func (p *program) signOf(a value) value    { return p.op2(opAnd, a, p.signBit()) }
func (p *program) or(a, b value) value     { return p.op2(opOr, a, b) }
func (p *program) xor(a, b value) value    { return p.op2(opXor, a, b) }
func (p *program) and(a, b value) value    { return p.op2(opAnd, a, b) }
func (p *program) intAdd(a, b value) value { return p.op2(opIntAdd, a, b) }
func (p *program) intSub(a, b value) value { return p.op2(opIntSub, a, b) }
func (p *program) shiftLeft(a value, n int) value {
	return p.op1(opShiftLeft, a, uint64(n))
}
func (p *program) shiftRight(a value, n int) value {
	return p.op1(opShiftRight, a, uint64(n))
}
func (p *program) less(a, b value) value      { return p.op2(opLess, a, b) }
func (p *program) notLess(a, b value) value   { return p.op2(opNotLess, a, b) } // also if one is NaN
func (p *program) sign(a value) value         { return p.op1(opSign, a, 0) }
func (p *program) choose(m, a, b value) value { return p.op3(opSelect, m, a, b) }
func (p *program) gather(t string, i value, offset uint64) value {
	return p.put(node{op: opGather, a: i, b: none, c: none, imm: offset, table: t})
}

// flag leaves the lanes of m to Go.
func (p *program) flag(m value) {
	if p.flags == none {
		p.flags = m
	} else {
		p.flags = p.op2(opMaskOr, p.flags, m)
	}
}

// flagOutside leaves the lanes to Go of which the bits of x, as a number without a sign,
// are not from lo to hi exclusive.
func (p *program) flagOutside(x value, lo, hi uint64) {
	all := uint64(1)<<(p.bits-1)<<1 - 1
	sign := uint64(1) << (p.bits - 1)
	shifted := p.intAdd(x, p.word((sign-lo)&all))
	p.flag(p.op2(opIntGreater, shifted, p.word((sign+hi-lo-1)&all)))
}

// mantissa is the number of bits of the significand after the point.
func (p *program) mantissa() int {
	if p.bits == 32 {
		return 23
	}
	return 52
}

// bias is the exponent's.
func (p *program) bias() uint64 {
	if p.bits == 32 {
		return 127
	}
	return 1023
}

// by returns a for lanes of 64 bits, b for those of 32.
func (p *program) by(a, b float64) float64 {
	if p.bits == 32 {
		return b
	}
	return a
}

func (p *program) bitsOf(x float64) uint64 {
	if p.bits == 32 {
		return uint64(math.Float32bits(float32(x)))
	}
	return math.Float64bits(x)
}

// short reports whether a float32 is computed in float64, so that half the digits do.
func (p *program) short() bool { return p.elem < p.bits }

// poly returns the polynomial of x. Of long ones pairs of terms do not wait for each other.
func (p *program) poly(name string, x value) value {
	c := coefs64[name]
	switch {
	case p.short():
		c = coefsShort[name]
	case p.bits == 32:
		c = coefs32[name]
	}
	if c == nil {
		panic("no polynomial " + name)
	}
	pair := func(i int) value {
		if i+1 == len(c) {
			return p.num(c[i])
		}
		return p.mulAdd(x, p.num(c[i+1]), p.num(c[i]))
	}
	last := (len(c) - 1) / 2 * 2
	if len(c) < 7 {
		v := p.num(c[len(c)-1])
		for i := len(c) - 2; i >= 0; i-- {
			v = p.mulAdd(v, x, p.num(c[i]))
		}
		return v
	}
	q := p.mul(x, x)
	v := pair(last)
	for i := last - 2; i >= 0; i -= 2 {
		v = p.mulAdd(v, q, pair(i))
	}
	return v
}

// nearest returns the integer nearest to a·b, as a number and, in the low bits, as an integer.
func (p *program) nearest(a, b value) (n, low value) {
	s := p.num(p.by(0x1.8p52, 0x1.8p23))
	low = p.mulAdd(a, b, s)
	return p.sub(low, s), low
}

// sum2 returns a + b, rounded, and the rest, for |a| ≥ |b| (Dekker 1971).
func (p *program) sum2(a, b value) (s, rest value) {
	s = p.add(a, b)
	return s, p.add(p.sub(a, s), b)
}
