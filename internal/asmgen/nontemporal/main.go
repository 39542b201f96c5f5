// Program nontemporal writes the assembly of package internal/nontemporal.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	lines("lines", 0)
	lines("linesAhead", 2)
	TEXT("fence", NOSPLIT, "func()")
	Doc("fence waits until what lines has written can be seen by others.")
	SFENCE()
	RET()
	Generate()
}

// lines copies lines of a cache, two at a time as far as that goes, and asks for as many
// of other streams.
func lines(name string, streams int) {
	doc := name + " copies n bytes, a multiple of 64, to dst, which is one too, past the caches"
	if streams == 0 {
		TEXT(name, NOSPLIT, "func(dst, src *byte, n int)")
		Doc(doc + ".")
	} else {
		TEXT(name, NOSPLIT, "func(dst, src *byte, n int, x, y *byte)")
		Doc(doc+", while n bytes", "at x and at y are read ahead.")
	}
	Pragma("noescape")
	dst, src := Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	n := Load(Param("n"), GP64())
	var ahead []Register
	for i := range streams {
		ahead = append(ahead, Load(Param([]string{"x", "y"}[i]), GP64()))
	}
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
	prefetch := func(bytes int) {
		for _, x := range ahead {
			for at := 0; at < bytes; at += 64 {
				PREFETCHT0(Mem{Base: x, Disp: at})
			}
			ADDQ(Imm(uint64(bytes)), x)
		}
	}
	Label("two")
	CMPQ(n, Imm(128))
	JLT(LabelRef("one"))
	move(4)
	prefetch(128)
	ADDQ(Imm(128), src)
	ADDQ(Imm(128), dst)
	SUBQ(Imm(128), n)
	JMP(LabelRef("two"))
	Label("one")
	CMPQ(n, Imm(64))
	JLT(LabelRef("done"))
	move(2)
	prefetch(64)
	Label("done")
	VZEROUPPER()
	RET()
}
