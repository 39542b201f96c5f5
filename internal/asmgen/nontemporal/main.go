// Program nontemporal writes the assembly of package internal/nontemporal.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	lines()
	TEXT("fence", NOSPLIT, "func()")
	Doc("fence waits until what lines has written can be seen by others.")
	SFENCE()
	RET()
	Generate()
}

// lines copies lines of a cache, two at a time as far as that goes.
func lines() {
	TEXT("lines", NOSPLIT, "func(dst, src *byte, n int)")
	Doc("lines copies n bytes, a multiple of 64, to dst, which is one too, past the caches.")
	Pragma("noescape")
	dst, src := Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	n := Load(Param("n"), GP64())
	move := func(count int) {
		var v [4]VecVirtual
		for i := range count {
			v[i] = YMM()
			VMOVDQU(Mem{Base: src, Disp: 32 * i}, v[i])
		}
		for i := range count {
			VMOVNTDQ(v[i], Mem{Base: dst, Disp: 32 * i})
		}
	}
	Label("two")
	CMPQ(n, Imm(128))
	JLT(LabelRef("one"))
	move(4)
	ADDQ(Imm(128), src)
	ADDQ(Imm(128), dst)
	SUBQ(Imm(128), n)
	JMP(LabelRef("two"))
	Label("one")
	CMPQ(n, Imm(64))
	JLT(LabelRef("done"))
	move(2)
	Label("done")
	VZEROUPPER()
	RET()
}
