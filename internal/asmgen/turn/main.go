// Program turn writes the assembly of package internal/turn.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	strip(8)
	strip(4)
	Generate()
}

// strip writes a function that copies eight rows of a transpose, whose elements have
// the given size. Halves of vectors are loaded from source lines that lie half a
// vector apart, which leaves the transposes within the halves to be done.
func strip(size int) {
	name := map[int]string{4: "turn32", 8: "turn64"}[size]
	typ := map[int]string{4: "uint32", 8: "uint64"}[size]
	lanes := 32 / size // columns at a time
	TEXT(name, NOSPLIT, "func(dst *"+typ+", dr int, src *"+typ+", sc int, n int)")
	Doc(name+" copies 8 rows of n elements, a multiple of "+map[int]string{4: "8", 8: "4"}[size]+", to dst.",
		"Element j of row i is src[i+j·sc]. Strides are in bytes.")
	d0, dr := Load(Param("dst"), GP64()), Load(Param("dr"), GP64())
	s0, sc := Load(Param("src"), GP64()), Load(Param("sc"), GP64())
	n := Load(Param("n"), GP64())
	dr3, d4 := GP64(), GP64()
	LEAQ(Mem{Base: dr, Index: dr, Scale: 2}, dr3)
	LEAQ(Mem{Base: d0, Index: dr, Scale: 4}, d4)
	sc3, s4, step := GP64(), GP64(), GP64()
	LEAQ(Mem{Base: sc, Index: sc, Scale: 2}, sc3)
	MOVQ(sc, step)
	SHLQ(U8(map[int]int{4: 3, 8: 2}[size]), step)
	row := func(base4, base, stride, stride3 Register, k int) Mem {
		if k >= 4 {
			base, k = base4, k-4
		}
		switch k {
		case 0:
			return Mem{Base: base}
		case 3:
			return Mem{Base: base, Index: stride3, Scale: 1}
		}
		return Mem{Base: base, Index: stride, Scale: uint8(k)}
	}
	dst := func(k int) Mem { return row(d4, d0, dr, dr3, k) }
	src := func(k int) Mem { return row(s4, s0, sc, sc3, k) }
	store := func(v VecVirtual, k int) { VMOVUPD(v, dst(k)) }
	// halves returns elements from byte at on of line k, and of the line half a vector on.
	halves := func(k, at int) VecVirtual {
		v := YMM()
		VMOVUPD(src(k).Offset(at), v.AsX())
		VINSERTF128(U8(1), src(k+lanes/2).Offset(at), v, v)
		return v
	}
	Label("loop")
	CMPQ(n, U8(0))
	JLE(LabelRef("done"))
	LEAQ(Mem{Base: s0, Index: sc, Scale: 4}, s4)
	for k := range lanes {
		PREFETCHT0(src(k).Offset(ahead))
	}
	if size == 8 {
		for h := range 4 {
			a, b := halves(0, 16*h), halves(1, 16*h)
			lo, hi := YMM(), YMM()
			VUNPCKLPD(b, a, lo)
			VUNPCKHPD(b, a, hi)
			store(lo, 2*h)
			store(hi, 2*h+1)
		}
	} else {
		for h := range 2 {
			var a, t, o [4]VecVirtual
			for k := range a {
				a[k], t[k], o[k] = halves(k, 16*h), YMM(), YMM()
			}
			VUNPCKLPS(a[1], a[0], t[0])
			VUNPCKHPS(a[1], a[0], t[1])
			VUNPCKLPS(a[3], a[2], t[2])
			VUNPCKHPS(a[3], a[2], t[3])
			VUNPCKLPD(t[2], t[0], o[0])
			VUNPCKHPD(t[2], t[0], o[1])
			VUNPCKLPD(t[3], t[1], o[2])
			VUNPCKHPD(t[3], t[1], o[3])
			for k := range o {
				store(o[k], 4*h+k)
			}
		}
	}
	ADDQ(step, s0)
	ADDQ(U8(32), d0)
	ADDQ(U8(32), d4)
	SUBQ(U8(uint8(lanes)), n)
	JMP(LabelRef("loop"))
	Label("done")
	VZEROUPPER()
	RET()
}

// ahead is how many bytes before their use source lines are asked for.
const ahead = 128
