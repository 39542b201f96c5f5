package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// float is what the kernels between numbers and keys of one size are made of.
type float struct {
	word
	nan, sign      uint64
	add, compare   func(...Op)
	shift, ternary func(...Op)
	or             func(...Op)
}

var floats = []float{
	{words[0], 0x7FF8000000000001, 1 << 63, VADDPD, VCMPPD, VPSRAQ, VPTERNLOGQ, VPORQ},
	{words[1], 0x7FC00000, 1 << 31, VADDPS, VCMPPS, VPSRAD, VPTERNLOGD, VPORD},
}

func (f float) fill(x uint64) VecVirtual {
	z, g := ZMM(), GP64()
	MOVQ(U64(x), g)
	if f.bits == 64 {
		f.broadcast(g, z)
	} else {
		f.broadcast(g.As32(), z)
	}
	return z
}

func (f float) param(name string) VecVirtual {
	z := ZMM()
	if f.bits == 64 {
		f.broadcast(Load(Param(name), GP64()), z)
	} else {
		f.broadcast(Load(Param(name), GP32()), z)
	}
	return z
}

// loop does body for n elements, a vector at a time; the last one is masked.
func (f float) loop(dst, src, n Register, body func(x VecVirtual) VecVirtual) {
	size := 64
	Label("loop")
	CMPQ(n, U32(uint32(f.lanes)))
	JLT(LabelRef("rest"))
	x := ZMM()
	VMOVDQU64(Mem{Base: src}, x)
	VMOVDQU64(body(x), Mem{Base: dst})
	ADDQ(U32(uint32(size)), src)
	ADDQ(U32(uint32(size)), dst)
	SUBQ(U32(uint32(f.lanes)), n)
	JMP(LabelRef("loop"))
	Label("rest")
	valid, g := K(), GP64()
	MOVQ(I32(-1), g)
	BZHIQ(n, g, g)
	f.toMask(g.As32(), valid)
	x = ZMM()
	VPXORQ(x, x, x)
	f.move(Mem{Base: src}, valid, x)
	f.move(body(x), valid, Mem{Base: dst})
	VZEROUPPER()
	RET()
}

func (f float) encode() {
	name := fmt.Sprintf("encodeFloats%d", f.bits)
	TEXT(name, NOSPLIT, fmt.Sprintf("func(dst *uint%d, src *float%d, n int, zero, flip uint%d)", f.bits, f.bits, f.bits))
	Pragma("noescape")
	Doc(name+" sets dst to the keys of n numbers, exclusive or flip, and of NaN all ones.",
		"zero is the bits of a zero that is added first.")
	dst, src, n := Load(Param("dst"), GP64()), Load(Param("src"), GP64()), Load(Param("n"), GP64())
	zero, flip, sign, ones := f.param("zero"), f.param("flip"), f.fill(f.sign), ZMM()
	VPTERNLOGD(U8(0xff), ones, ones, ones)
	f.loop(dst, src, n, func(x VecVirtual) VecVirtual {
		nan, s := K(), ZMM()
		f.add(x, zero, x)
		f.compare(U8(3), x, x, nan)
		f.shift(U8(uint8(f.bits-1)), x, s)
		f.or(sign, s, s)
		f.ternary(U8(0x96), flip, s, x) // x ^ s ^ flip
		f.move(ones, nan, x)
		return x
	})
}

func (f float) decode() {
	name := fmt.Sprintf("decodeFloats%d", f.bits)
	TEXT(name, NOSPLIT, fmt.Sprintf("func(dst *float%d, src *uint%d, n int, flip uint%d)", f.bits, f.bits, f.bits))
	Pragma("noescape")
	Doc(name + " undoes what encodeFloats does.")
	dst, src, n := Load(Param("dst"), GP64()), Load(Param("src"), GP64()), Load(Param("n"), GP64())
	flip, sign, nans, ones := f.param("flip"), f.fill(f.sign), f.fill(f.nan), ZMM()
	VPTERNLOGD(U8(0xff), ones, ones, ones)
	f.loop(dst, src, n, func(x VecVirtual) VecVirtual {
		nan, s := K(), ZMM()
		f.cmp(U8(0), ones, x, nan)
		VPXORQ(flip, x, x)
		f.shift(U8(uint8(f.bits-1)), x, s)
		f.ternary(U8(0xcf), sign, sign, s) // ^s | sign
		VPXORQ(s, x, x)
		f.move(nans, nan, x)
		return x
	})
}
