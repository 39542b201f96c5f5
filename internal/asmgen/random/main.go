// Command random writes the vector instructions of package random:
//
//	cd internal/asmgen && go run ./random -out ../../random/z_amd64.s -stubs ../../random/z_amd64.go -pkg random
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const lanes = 8

func main() {
	philox()
	uniform()
	normal()
	scale()
	Generate()
}

func broadcast(x uint64) VecVirtual {
	g, z := GP64(), ZMM()
	MOVQ(U64(x), g)
	VPBROADCASTQ(g, z)
	return z
}

func param(name string) VecVirtual {
	z := ZMM()
	VPBROADCASTQ(Load(Param(name), GP64()), z)
	return z
}

// number is param for one of type float64.
func number(name string) VecVirtual {
	z := ZMM()
	VBROADCASTSD(address(name), z)
	return z
}

// address returns where a parameter is. Legacy instructions, which Load chooses for
// floats, are slow while the upper parts of registers are in use.
func address(name string) Mem {
	b, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return b.Addr
}

func table(name string, x ...uint64) VecVirtual {
	m := GLOBL(name, 8|16) // RODATA|NOPTR
	for i, v := range x {
		DATA(8*i, U64(v))
	}
	z := ZMM()
	VMOVDQU64(m, z)
	return z
}

// product is the multiplication of vectors by a number of 64 bits, from products
// of 32.
type product struct{ low, high VecVirtual }

func newProduct(x uint64) product { return product{broadcast(x), broadcast(x >> 32)} }

// times returns the upper and the lower half of the product with x.
func (m product) times(x, half VecVirtual, odd OpmaskVirtual) (hi, lo VecVirtual) {
	xh, lh, hl, t, u := ZMM(), ZMM(), ZMM(), ZMM(), ZMM()
	lo, hi = ZMM(), ZMM()
	VPSRLQ(U8(32), x, xh)
	VPMULUDQ(m.low, x, lo)
	VPMULUDQ(m.low, xh, lh)
	VPMULUDQ(m.high, x, hl)
	VPMULUDQ(m.high, xh, hi)
	VPSRLQ(U8(32), lo, t)
	VPADDQ(t, lh, t)
	VPANDQ(half, t, u)
	VPADDQ(u, hl, u)
	VPSRLQ(U8(32), t, t)
	VPADDQ(t, hi, hi)
	VPSHUFD(U8(0xa0), u, odd, lo) // the lower half of u above that of lo
	VPSRLQ(U8(32), u, u)
	VPADDQ(u, hi, hi)
	return hi, lo
}

func philox() {
	TEXT("philoxVectors", NOSPLIT, "func(dst *uint64, groups int, c0, c1, c2, c3, k0, k1 uint64)")
	Pragma("noescape")
	Doc("philoxVectors sets dst to the words of 8*groups counters from (c0, c1, c2, c3) on, by philox.")
	const rounds = 10
	keys := AllocLocal(16 * rounds)
	dst, groups := Load(Param("dst"), GP64()), Load(Param("groups"), GP64())
	for i, weyl := range []uint64{0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B} {
		k, w := Load(Param([]string{"k0", "k1"}[i]), GP64()), GP64()
		MOVQ(U64(weyl), w)
		for r := range rounds {
			MOVQ(k, keys.Offset(16*r+8*i))
			ADDQ(w, k)
		}
	}
	counter, c1, c2, c3 := param("c0"), param("c1"), param("c2"), param("c3")
	VPADDQ(table("counting", 0, 1, 2, 3, 4, 5, 6, 7), counter, counter)
	step := broadcast(lanes)
	mul0, mul1, half := newProduct(0xD2E7470EE14C6C93), newProduct(0xCA5A826395121157), broadcast(1<<32-1)
	evens, odds := table("lowerPairs", 0, 1, 8, 9, 2, 3, 10, 11), table("upperPairs", 4, 5, 12, 13, 6, 7, 14, 15)
	odd, g := K(), GP32()
	MOVL(U32(0xaaaa), g)
	KMOVW(g, odd)
	Label("group")
	w := [4]VecVirtual{counter, c1, c2, c3}
	for r := range rounds {
		hi0, lo0 := mul0.times(w[0], half, odd)
		hi1, lo1 := mul1.times(w[2], half, odd)
		x0, x2 := ZMM(), ZMM()
		VMOVDQA64(hi1, x0)
		VMOVDQA64(hi0, x2)
		VPTERNLOGQ_BCST(U8(0x96), keys.Offset(16*r), w[1], x0)
		VPTERNLOGQ_BCST(U8(0x96), keys.Offset(16*r+8), w[3], x2)
		w = [4]VecVirtual{x0, lo1, x2, lo0}
	}
	for i, unpack := range []func(...Op){VPUNPCKLQDQ, VPUNPCKHQDQ} {
		a, b, c := ZMM(), ZMM(), ZMM()
		unpack(w[1], w[0], a)
		unpack(w[3], w[2], b)
		VMOVDQA64(a, c)
		VPERMT2Q(b, evens, a)
		VPERMT2Q(b, odds, c)
		VMOVDQU64(a.AsY(), Mem{Base: dst, Disp: 32 * i})
		VEXTRACTI64X4(U8(1), a, Mem{Base: dst, Disp: 32 * (i + 2)})
		VMOVDQU64(c.AsY(), Mem{Base: dst, Disp: 32 * (i + 4)})
		VEXTRACTI64X4(U8(1), c, Mem{Base: dst, Disp: 32 * (i + 6)})
	}
	VPADDQ(step, counter, counter)
	ADDQ(U32(32*lanes), dst)
	DECQ(groups)
	JNZ(LabelRef("group"))
	VZEROUPPER()
	RET()
}

func uniform() {
	TEXT("uniformVectors64", NOSPLIT, "func(dst *float64, words *uint64, vectors int, lo, width, last float64)")
	Pragma("noescape")
	Doc("uniformVectors64 does convert's work for 8*vectors words.")
	dst, words, n := Load(Param("dst"), GP64()), Load(Param("words"), GP64()), Load(Param("vectors"), GP64())
	lo, width, last, unit := number("lo"), number("width"), number("last"), broadcast(0x3CA0000000000000)
	Label("vector")
	x := ZMM()
	VPSRLQ(U8(64-53), Mem{Base: words}, x)
	VCVTQQ2PD(x, x)
	VMULPD(unit, x, x)
	VMULPD(width, x, x)
	VADDPD(lo, x, x)
	VMINPD(x, last, x)
	VMOVUPD(x, Mem{Base: dst})
	ADDQ(U32(64), words)
	ADDQ(U32(64), dst)
	DECQ(n)
	JNZ(LabelRef("vector"))
	VZEROUPPER()
	RET()

	TEXT("uniformVectors32", NOSPLIT, "func(dst *float32, words *uint64, vectors int, lo, width, last float32)")
	Pragma("noescape")
	Doc("uniformVectors32 does convert's work for 8*vectors words.")
	dst, words, n = Load(Param("dst"), GP64()), Load(Param("words"), GP64()), Load(Param("vectors"), GP64())
	single := func(name string) VecVirtual {
		y := YMM()
		VBROADCASTSS(address(name), y)
		return y
	}
	lo, width, last = single("lo"), single("width"), single("last")
	unit, g := YMM(), GP32()
	MOVL(U32(0x33800000), g)
	VPBROADCASTD(g, unit)
	Label("vector")
	x = ZMM()
	VPSRLQ(U8(64-24), Mem{Base: words}, x)
	y := YMM()
	VCVTQQ2PS(x, y)
	VMULPS(unit, y, y)
	VMULPS(width, y, y)
	VADDPS(lo, y, y)
	VMINPS(y, last, y)
	VMOVUPS(y, Mem{Base: dst})
	ADDQ(U32(64), words)
	ADDQ(U32(32), dst)
	DECQ(n)
	JNZ(LabelRef("vector"))
	VZEROUPPER()
	RET()
}

func normal() {
	TEXT("centralVectors", NOSPLIT, "func(x *float64, words *uint64, vectors int, coefficients *float64, tails *uint64) int")
	Pragma("noescape")
	Doc("centralVectors sets x to the normal quantiles of 8*vectors words in the central region,",
		"and tails to the positions of the others, of which it returns how many there are.",
		"The coefficients are those of the numerator and the denominator.")
	x, words, n := Load(Param("x"), GP64()), Load(Param("words"), GP64()), Load(Param("vectors"), GP64())
	coeff, tails := Load(Param("coefficients"), GP64()), Load(Param("tails"), GP64())
	half, unit, edge, abs := broadcast(0x3FE0000000000000), broadcast(0x3BF0000000000000), broadcast(0x3FDB333333333333), broadcast(1<<63-1)
	square := broadcast(0x3FC71EB851EB851F)
	at, step := table("positions", 0, 1, 2, 3, 4, 5, 6, 7), broadcast(lanes)
	Label("vector")
	q, a, k, g := ZMM(), ZMM(), K(), GP64()
	VCVTQQ2PD(Mem{Base: words}, q)
	VADDPD(half, q, q)
	VMULPD(unit, q, q)
	VPANDQ(abs, q, a)
	VCMPPD(U8(14), edge, a, k) // a > edge
	VPCOMPRESSQ(at, k, Mem{Base: tails})
	KMOVB(k, g.As32())
	POPCNTL(g.As32(), g.As32())
	LEAQ(Mem{Base: tails, Index: g, Scale: 8}, tails)
	VPADDQ(step, at, at)
	r, num, den := ZMM(), ZMM(), ZMM()
	VMULPD(q, q, r)
	VSUBPD(r, square, r)
	VMULPD_BCST(Mem{Base: coeff, Disp: 56}, r, num)
	VMULPD_BCST(Mem{Base: coeff, Disp: 64 + 56}, r, den)
	for i := 6; i >= 0; i-- {
		VADDPD_BCST(Mem{Base: coeff, Disp: 8 * i}, num, num)
		VADDPD_BCST(Mem{Base: coeff, Disp: 64 + 8*i}, den, den)
		if i > 0 {
			VMULPD(r, num, num)
			VMULPD(r, den, den)
		}
	}
	VDIVPD(den, num, num)
	VMULPD(num, q, q)
	VMOVUPD(q, Mem{Base: x})
	ADDQ(U32(64), words)
	ADDQ(U32(64), x)
	DECQ(n)
	JNZ(LabelRef("vector"))
	start := Load(Param("tails"), GP64())
	SUBQ(start, tails)
	SHRQ(U8(3), tails)
	Store(tails, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

func scale() {
	for _, bits := range []string{"64", "32"} {
		TEXT("scaleVectors"+bits, NOSPLIT, "func(dst *float"+bits+", x *float64, vectors int, mean, std float64)")
		Pragma("noescape")
		Doc("scaleVectors" + bits + " sets dst to mean + std*x for 8*vectors numbers.")
		dst, x, n := Load(Param("dst"), GP64()), Load(Param("x"), GP64()), Load(Param("vectors"), GP64())
		mean, std := number("mean"), number("std")
		Label("vector")
		z := ZMM()
		VMULPD(Mem{Base: x}, std, z)
		VADDPD(mean, z, z)
		if bits == "64" {
			VMOVUPD(z, Mem{Base: dst})
			ADDQ(U32(64), dst)
		} else {
			y := YMM()
			VCVTPD2PS(z, y)
			VMOVUPS(y, Mem{Base: dst})
			ADDQ(U32(32), dst)
		}
		ADDQ(U32(64), x)
		DECQ(n)
		JNZ(LabelRef("vector"))
		VZEROUPPER()
		RET()
	}
}
