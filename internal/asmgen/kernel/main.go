// Command kernel writes the vector instructions of package internal/kernel, for
// processors with AVX2 and FMA.
//
// Every loop takes its operands by blocks of several vectors, then by single
// vectors, and the rest with a mask, so that what is done with an element depends
// on its index alone.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64")
	masks()
	for _, e := range []elem{{4, "float32", "32"}, {8, "float64", "64"}} {
		arithmetic(e)
		comparisons(e)
		choose(e)
		sums(e)
		rows(e)
		extremes(e)
		prefixes(e)
	}
	Generate()
}

// elem is the type of elements.
type elem struct {
	size         int
	name, suffix string
}

// lanes is the number of elements in a vector.
func (e elem) lanes() int { return 32 / e.size }

// op is an instruction in single and double precision.
type op struct{ single, double func(ops ...Op) }

func (o op) emit(e elem, ops ...Op) {
	if e.size == 4 {
		o.single(ops...)
	} else {
		o.double(ops...)
	}
}

var (
	add    = op{VADDPS, VADDPD}
	sub    = op{VSUBPS, VSUBPD}
	mul    = op{VMULPS, VMULPD}
	div    = op{VDIVPS, VDIVPD}
	sqrt   = op{VSQRTPS, VSQRTPD}
	and    = op{VANDPS, VANDPD}
	or     = op{VORPS, VORPD}
	xor    = op{VXORPS, VXORPD}
	large  = op{VMAXPS, VMAXPD}
	small  = op{VMINPS, VMINPD}
	move   = op{VMOVUPS, VMOVUPD}
	masked = op{three(VMASKMOVPS), three(VMASKMOVPD)}
	cmp    = op{VCMPPS, VCMPPD}
	blend  = op{four(VBLENDVPS), four(VBLENDVPD)}
	spread = op{VBROADCASTSS, VBROADCASTSD}
	equal  = op{VPCMPEQD, VPCMPEQQ}
	bits   = op{two(VMOVMSKPS), two(VMOVMSKPD)}
)

func two(f func(a, b Op)) func(...Op)        { return func(o ...Op) { f(o[0], o[1]) } }
func three(f func(a, b, c Op)) func(...Op)   { return func(o ...Op) { f(o[0], o[1], o[2]) } }
func four(f func(a, b, c, d Op)) func(...Op) { return func(o ...Op) { f(o[0], o[1], o[2], o[3]) } }

// Predicates of comparisons, none of which signals a quiet NaN but the orderings.
const (
	isEqual     = U8(0x00)
	isLess      = U8(0x11)
	isLessEqual = U8(0x12)
	isUnordered = U8(0x03)
	isNotEqual  = U8(0x04)
)

// masks writes the table that the masks of the last elements are taken from.
func masks() {
	GLOBL("masks", 24) // RODATA|NOPTR
	for i := range 8 {
		v := U64(0)
		if i < 4 {
			v = ^v
		}
		DATA(8*i, v)
	}
}

// maskOf returns a mask of the first r lanes of the given size. It changes r.
func maskOf(r Register, size int, mask VecVirtual) VecVirtual {
	table := GP64()
	LEAQ(NewDataAddr(Symbol{Name: "masks", Static: true}, 0), table)
	NEGQ(r)
	VMOVUPD(Mem{Base: table, Disp: 32, Index: r, Scale: uint8(size)}, mask)
	return mask
}

// at returns vector k from element i of the array at base on.
func at(base, i Register, size, lanes, k int) Mem {
	return Mem{Base: base, Index: i, Scale: uint8(size), Disp: k * size * lanes}
}

// sweep steps i through n elements: by blocks of unroll vectors, by single
// vectors, and tail has the r that are left, at least one.
func sweep(name string, n Register, lanes, unroll int, block, one func(i Register), tail func(i, r Register)) {
	i, next := GP64(), GP64()
	XORQ(i, i)
	if unroll > 1 {
		Label(name + "Blocks")
		LEAQ(Mem{Base: i, Disp: lanes * unroll}, next)
		CMPQ(next, n)
		JGT(LabelRef(name + "Vectors"))
		block(i)
		ADDQ(Imm(uint64(lanes*unroll)), i)
		JMP(LabelRef(name + "Blocks"))
	}
	Label(name + "Vectors")
	LEAQ(Mem{Base: i, Disp: lanes}, next)
	CMPQ(next, n)
	JGT(LabelRef(name + "Rest"))
	one(i)
	ADDQ(Imm(uint64(lanes)), i)
	JMP(LabelRef(name + "Vectors"))
	Label(name + "Rest")
	r := GP64()
	MOVQ(n, r)
	SUBQ(i, r)
	JZ(LabelRef(name + "Done"))
	tail(i, r)
	Label(name + "Done")
}

// function starts a function.
func function(name, signature, doc string) {
	TEXT(name, NOSPLIT, signature)
	Doc(name + " " + doc)
}

// param loads a parameter of the function.
func param(name string) Register { return Load(Param(name), GP64()) }

func finish() {
	VZEROUPPER()
	RET()
}
