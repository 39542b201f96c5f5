package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// chunks are the addresses of four runs, stride bytes apart.
type chunks struct{ base, stride, thrice Register }

func newChunks(base, stride Register) chunks {
	thrice := GP64()
	LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, thrice)
	return chunks{base, stride, thrice}
}

// at returns what lies disp bytes into run k.
func (c chunks) at(k, disp int) Mem {
	m := Mem{Base: c.base, Disp: disp}
	switch k {
	case 1:
		m.Index, m.Scale = c.stride, 1
	case 2:
		m.Index, m.Scale = c.stride, 2
	case 3:
		m.Index, m.Scale = c.thrice, 1
	}
	return m
}

// turned loads four elements of each of the four runs, in double precision: v[k]
// has element k of every run.
func (c chunks) turned(e elem) (v [4]VecVirtual) {
	if e.size == 8 {
		for h := range 2 {
			a, b := YMM(), YMM()
			VMOVUPD(c.at(0, 16*h), a.AsX())
			VINSERTF128(Imm(1), c.at(2, 16*h), a, a)
			VMOVUPD(c.at(1, 16*h), b.AsX())
			VINSERTF128(Imm(1), c.at(3, 16*h), b, b)
			v[2*h], v[2*h+1] = YMM(), YMM()
			VUNPCKLPD(b, a, v[2*h])
			VUNPCKHPD(b, a, v[2*h+1])
		}
		return v
	}
	var r [4]VecVirtual
	for k := range r {
		r[k] = XMM()
		VMOVUPS(c.at(k, 0), r[k])
	}
	for h, f := range []func(ops ...Op){VUNPCKLPS, VUNPCKHPS} {
		a, b := XMM(), XMM()
		f(r[1], r[0], a) // elements 2h and 2h+1 of runs 0 and 1
		f(r[3], r[2], b)
		for k, g := range []func(ops ...Op){VUNPCKLPD, VUNPCKHPD} {
			u := YMM()
			g(b, a, u.AsX())
			VCVTPS2PD(u.AsX(), u)
			v[2*h+k] = u
		}
	}
	return v
}

// put stores what turned would load.
func (c chunks) put(e elem, v [4]VecVirtual) {
	if e.size == 8 {
		for h := range 2 {
			a, b := YMM(), YMM()
			VUNPCKLPD(v[2*h+1], v[2*h], a)
			VUNPCKHPD(v[2*h+1], v[2*h], b)
			VMOVUPD(a.AsX(), c.at(0, 16*h))
			VEXTRACTF128(Imm(1), a, c.at(2, 16*h))
			VMOVUPD(b.AsX(), c.at(1, 16*h))
			VEXTRACTF128(Imm(1), b, c.at(3, 16*h))
		}
		return
	}
	var r [4]VecVirtual
	for k := range r {
		r[k] = XMM()
		VCVTPD2PSY(v[k], r[k])
	}
	for h, f := range []func(ops ...Op){VUNPCKLPS, VUNPCKHPS} {
		a, b := XMM(), XMM()
		f(r[1], r[0], a) // elements 0 and 1 of runs 2h and 2h+1
		f(r[3], r[2], b)
		lo, hi := XMM(), XMM()
		VUNPCKLPD(b, a, lo)
		VUNPCKHPD(b, a, hi)
		VMOVUPS(lo, c.at(2*h, 0))
		VMOVUPS(hi, c.at(2*h+1, 0))
	}
}

// twoSum adds v to acc and its rounding error to low. It changes v. Two of the six
// operations are products with one, for the ports that do not add.
func twoSum(acc, low, v, one VecVirtual, guard bool) {
	sum, b := YMM(), YMM()
	VADDPD(v, acc, sum)
	VSUBPD(acc, sum, b)
	VFNMADD231PD(b, one, v) // v - b
	VFNMADD213PD(sum, one, b)
	VSUBPD(b, acc, b) // acc - (sum - b)
	VADDPD(v, b, b)
	if guard { // there is no error of what is infinite or NaN
		VCMPPD(U8(0x07), b, b, v)
		VANDPD(v, b, b)
	}
	VADDPD(b, low, low)
	VMOVAPD(sum, acc)
}

func ones() VecVirtual {
	one := YMM()
	VPCMPEQQ(one, one, one)
	VPSLLQ(Imm(54), one, one)
	VPSRLQ(Imm(2), one, one)
	return one
}

// prefixes writes the compensated sums of four runs, and their prefix sums.
func prefixes(e elem) {
	function("runSums"+e.suffix, "func(x *"+e.name+", n int, s *float64)", "sets s[k] to the sum of run k of four, of n elements each, and s[4+k] to the error of its rounding. n is a multiple of 4 and at least 4.")
	x, n, s := param("x"), param("n"), param("s")
	stride := GP64()
	MOVQ(n, stride)
	SHLQ(Imm(map[int]uint64{4: 2, 8: 3}[e.size]), stride)
	c := newChunks(x, stride)
	one, acc, low := ones(), zeros(4), zeros(4)
	Label("Loop")
	for k := range 4 {
		v := YMM()
		if e.size == 4 {
			VCVTPS2PD(c.at(k, 0), v)
		} else {
			VMOVUPD(c.at(k, 0), v)
		}
		twoSum(acc[k], low[k], v, one, false)
	}
	ADDQ(Imm(uint64(4*e.size)), x)
	SUBQ(Imm(4), n)
	JNZ(LabelRef("Loop"))
	turn(acc)
	turn(low)
	for k := 1; k < 4; k++ {
		twoSum(acc[0], low[0], acc[k], one, false)
		VADDPD(low[k], low[0], low[0])
	}
	VMOVUPD(acc[0], Mem{Base: s})
	VMOVUPD(low[0], Mem{Base: s, Disp: 32})
	finish()

	function("runPrefixes"+e.suffix, "func(dst, x *"+e.name+", n int, s *float64, before float64)", "sets the elements of four runs of dst, of n elements each, to before and the sums of s[k], s[4+k] and the elements of run k of x up to each. n is a multiple of 4 and at least 4.")
	dst, x, n, s := param("dst"), param("x"), param("n"), param("s")
	before := YMM()
	VBROADCASTSD(NewParamAddr("before", 32), before)
	stride = GP64()
	MOVQ(n, stride)
	SHLQ(Imm(map[int]uint64{4: 2, 8: 3}[e.size]), stride)
	c = newChunks(x, stride)
	d := c
	d.base = dst
	one = ones()
	a, l := YMM(), YMM()
	VMOVUPD(Mem{Base: s}, a)
	VMOVUPD(Mem{Base: s, Disp: 32}, l)
	Label("Loop")
	v := c.turned(e)
	for k := range v {
		twoSum(a, l, v[k], one, true)
		VADDPD(l, a, v[k])
		VADDPD(before, v[k], v[k])
	}
	d.put(e, v)
	ADDQ(Imm(uint64(4*e.size)), x)
	ADDQ(Imm(uint64(4*e.size)), dst)
	SUBQ(Imm(4), n)
	JNZ(LabelRef("Loop"))
	finish()
}

// turn transposes four vectors of four.
func turn(v []VecVirtual) {
	a, b, c, d := YMM(), YMM(), YMM(), YMM()
	VUNPCKLPD(v[1], v[0], a) // 0 and 2 of the first two
	VUNPCKHPD(v[1], v[0], b)
	VUNPCKLPD(v[3], v[2], c)
	VUNPCKHPD(v[3], v[2], d)
	VPERM2F128(Imm(0x20), c, a, v[0])
	VPERM2F128(Imm(0x20), d, b, v[1])
	VPERM2F128(Imm(0x31), c, a, v[2])
	VPERM2F128(Imm(0x31), d, b, v[3])
}
