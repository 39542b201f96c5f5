package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// elementwise writes dst[i] = f(x[i], …) for some operands. f gets the operands in
// vectors, the first of which it may change, and returns one of them.
func elementwise(e elem, name, doc string, operands []string, before func(), f func(v []VecVirtual) VecVirtual) {
	signature := "func(dst"
	for _, o := range operands {
		signature += ", " + o
	}
	function(name+e.suffix, signature+" *"+e.name+", n int)", "sets dst to "+doc+". dst may be an operand.")
	dst := param("dst")
	var from []Register
	for _, o := range operands {
		from = append(from, param(o))
	}
	n := param("n")
	if before != nil {
		before()
	}
	vectors := func(i Register, count int) {
		for k := range count {
			var v []VecVirtual
			for _, p := range from {
				y := YMM()
				move.emit(e, at(p, i, e.size, e.lanes(), k), y)
				v = append(v, y)
			}
			move.emit(e, f(v), at(dst, i, e.size, e.lanes(), k))
		}
	}
	sweep("", n, e.lanes(), 4, func(i Register) { vectors(i, 4) }, func(i Register) { vectors(i, 1) }, func(i, r Register) {
		mask := maskOf(r, e.size, YMM())
		var v []VecVirtual
		for _, p := range from {
			y := YMM()
			masked.emit(e, at(p, i, e.size, e.lanes(), 0), mask, y)
			v = append(v, y)
		}
		masked.emit(e, f(v), mask, at(dst, i, e.size, e.lanes(), 0))
	})
	finish()
}

func arithmetic(e elem) {
	x, xy, xyz := []string{"x"}, []string{"x", "y"}, []string{"x", "y", "z"}
	for _, b := range []struct {
		name, doc string
		op        op
	}{{"add", "x+y", add}, {"sub", "x-y", sub}, {"mul", "x·y", mul}, {"div", "x/y", div}} {
		elementwise(e, b.name, b.doc, xy, nil, func(v []VecVirtual) VecVirtual {
			b.op.emit(e, v[1], v[0], v[0])
			return v[0]
		})
	}
	elementwise(e, "squaredDifference", "(x-y)²", xy, nil, func(v []VecVirtual) VecVirtual {
		sub.emit(e, v[1], v[0], v[0])
		mul.emit(e, v[0], v[0], v[0])
		return v[0]
	})
	// Each operation is rounded by itself, as it is in Go.
	elementwise(e, "mulAdd", "x·y + z", xyz, nil, func(v []VecVirtual) VecVirtual {
		mul.emit(e, v[1], v[0], v[0])
		add.emit(e, v[2], v[0], v[0])
		return v[0]
	})
	elementwise(e, "mulSub", "x·y - z", xyz, nil, func(v []VecVirtual) VecVirtual {
		mul.emit(e, v[1], v[0], v[0])
		sub.emit(e, v[2], v[0], v[0])
		return v[0]
	})
	elementwise(e, "subMul", "z - x·y", xyz, nil, func(v []VecVirtual) VecVirtual {
		mul.emit(e, v[1], v[0], v[0])
		sub.emit(e, v[0], v[2], v[0])
		return v[0]
	})
	elementwise(e, "sqrt", "√x", x, nil, func(v []VecVirtual) VecVirtual {
		sqrt.emit(e, v[0], v[0])
		return v[0]
	})
	signs := YMM()
	sign := func() { // the sign bits
		signs = YMM()
		VPCMPEQD(signs, signs, signs)
		if e.size == 4 {
			VPSLLD(Imm(31), signs, signs)
		} else {
			VPSLLQ(Imm(63), signs, signs)
		}
	}
	elementwise(e, "neg", "-x", x, sign, func(v []VecVirtual) VecVirtual {
		xor.emit(e, signs, v[0], v[0])
		return v[0]
	})
	elementwise(e, "abs", "|x|", x, sign, func(v []VecVirtual) VecVirtual {
		op{VANDNPS, VANDNPD}.emit(e, v[0], signs, v[0])
		return v[0]
	})
	axpy(e)
}

// axpy writes y += alpha·x.
func axpy(e elem) {
	function("axpy"+e.suffix, "func(alpha "+e.name+", x, y *"+e.name+", n int)", "adds alpha·x to y.")
	scale := YMM()
	spread.emit(e, Load(Param("alpha"), XMM()), scale)
	x, y, n := param("x"), param("y"), param("n")
	vectors := func(i Register, count int) {
		for k := range count {
			v := YMM()
			mul.emit(e, at(x, i, e.size, e.lanes(), k), scale, v)
			add.emit(e, at(y, i, e.size, e.lanes(), k), v, v)
			move.emit(e, v, at(y, i, e.size, e.lanes(), k))
		}
	}
	sweep("", n, e.lanes(), 4, func(i Register) { vectors(i, 4) }, func(i Register) { vectors(i, 1) }, func(i, r Register) {
		mask, v, u := maskOf(r, e.size, YMM()), YMM(), YMM()
		masked.emit(e, at(x, i, e.size, e.lanes(), 0), mask, v)
		masked.emit(e, at(y, i, e.size, e.lanes(), 0), mask, u)
		mul.emit(e, scale, v, v)
		add.emit(e, u, v, v)
		masked.emit(e, v, mask, at(y, i, e.size, e.lanes(), 0))
	})
	finish()
}

// comparisons writes dst[i] = x[i] ? y[i], for n a multiple of 32.
func comparisons(e elem) {
	for _, c := range []struct {
		name, doc string
		predicate U8
	}{{"equal", "x == y", isEqual}, {"notEqual", "x != y", isNotEqual}, {"less", "x < y", isLess}, {"lessEqual", "x <= y", isLessEqual}} {
		function(c.name+e.suffix, "func(dst *bool, x, y *"+e.name+", n int)", "sets dst to "+c.doc+". n is a multiple of 32.")
		dst, x, y, n := param("dst"), param("x"), param("y"), param("n")
		one, order, i := YMM(), YMM(), GP64()
		VPCMPEQD(one, one, one)
		VPABSB(one, one)
		table := GP64()
		LEAQ(NewDataAddr(Symbol{Name: "order" + e.suffix, Static: true}, 0), table)
		VMOVDQU(Mem{Base: table}, order)
		XORQ(i, i)
		Label("Blocks")
		CMPQ(i, n)
		JGE(LabelRef("Done"))
		// quarter returns the comparisons of eight elements in 32 bits each, those of
		// float64 in the order 0 1 4 5 2 3 6 7 … of their 128-bit halves.
		quarter := func(k int) VecVirtual {
			at := func(p Register, part int) Mem {
				return Mem{Base: p, Index: i, Scale: uint8(e.size), Disp: 8*e.size*k + 32*part}
			}
			v := YMM()
			move.emit(e, at(x, 0), v)
			cmp.emit(e, c.predicate, at(y, 0), v, v)
			if e.size == 8 {
				w := YMM()
				move.emit(e, at(x, 1), w)
				cmp.emit(e, c.predicate, at(y, 1), w, w)
				VSHUFPS(Imm(0x88), w, v, v)
			}
			return v
		}
		a, b := quarter(0), quarter(1)
		VPACKSSDW(b, a, a)
		d, f := quarter(2), quarter(3)
		VPACKSSDW(f, d, d)
		VPACKSSWB(d, a, a)
		VPAND(one, a, a)
		// a has, in 32-bit groups of 4 results: for float32 0 2 4 6 | 1 3 5 7.
		if e.size == 8 {
			// Each group has elements 0 1 4 5 or 2 3 6 7 of eight: put pairs in order.
			VPERMQ(Imm(0xd8), a, a) // halves of quarters 0 1, then of 2 3
			VPSHUFB(order, a, a)
		} else {
			VPERMD(a, order, a)
		}
		VMOVDQU(a, Mem{Base: dst, Index: i, Scale: 1})
		ADDQ(Imm(32), i)
		JMP(LabelRef("Blocks"))
		Label("Done")
		finish()
	}
	GLOBL("order"+e.suffix, 24)
	if e.size == 4 {
		for i, v := range []uint32{0, 4, 1, 5, 2, 6, 3, 7} {
			DATA(4*i, U32(v))
		}
		return
	}
	for half := range 2 {
		for i, v := range []uint8{0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15} {
			DATA(16*half+i, U8(v))
		}
	}
}

// choose writes dst[i] = x[i] where cond[i] and y[i] elsewhere, for n a multiple
// of a vector's lanes.
func choose(e elem) {
	function("choose"+e.suffix, "func(dst *"+e.name+", cond *bool, x, y *"+e.name+", n int)", "sets dst to x where cond is true and to y elsewhere. n is a multiple of 8.")
	dst, cond, x, y, n := param("dst"), param("cond"), param("x"), param("y"), param("n")
	zero, i := YMM(), GP64()
	VPXOR(zero, zero, zero)
	XORQ(i, i)
	Label("Blocks")
	CMPQ(i, n)
	JGE(LabelRef("Done"))
	for k := range 8 / e.lanes() {
		m, v := YMM(), YMM()
		c := Mem{Base: cond, Index: i, Scale: 1, Disp: k * e.lanes()}
		move.emit(e, at(y, i, e.size, e.lanes(), k), v)
		if e.size == 4 {
			VPMOVZXBD(c, m)
			VPSUBD(m, zero, m)
		} else {
			VPMOVZXBQ(c, m)
			VPSUBQ(m, zero, m)
		}
		blend.emit(e, m, at(x, i, e.size, e.lanes(), k), v, v)
		move.emit(e, v, at(dst, i, e.size, e.lanes(), k))
	}
	ADDQ(Imm(8), i)
	JMP(LabelRef("Blocks"))
	Label("Done")
	finish()
}
