package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// emitter writes a program for one vector length.
type emitter struct {
	*program
	wide   bool // 512 bits and mask registers, else 256
	last   []value
	regs   map[value]reg.Register
	hoist  map[value]bool
	params [2]reg.Register
	at     reg.GPVirtual
}

// constants are the constants of all programs, by their bits and size.
var constants = struct {
	at    map[[2]uint64]int
	list  [][2]uint64
	bytes int
}{at: map[[2]uint64]int{}}

func constantAt(bits int, b uint64) Mem {
	key := [2]uint64{uint64(bits), b}
	if _, ok := constants.at[key]; !ok {
		constants.at[key] = constants.bytes
		constants.list = append(constants.list, key)
		constants.bytes += 8
	}
	return NewDataAddr(Symbol{Name: "constants", Static: true}, constants.at[key])
}

// writeConstants writes their table.
func writeConstants() {
	GLOBL("constants", 8|16) // RODATA|NOPTR
	for _, key := range constants.list {
		DATA(constants.at[key], U64(key[1]))
	}
}

// of returns which of a pair of instructions the lanes take.
func (e *emitter) of(pair [2]instruction) instruction { return pair[b2i(e.bits == 32)] }

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (e *emitter) vector() reg.VecVirtual {
	if e.wide {
		return ZMM()
	}
	return YMM()
}

// lanes is the number of elements of a vector.
func (e *emitter) lanes() int {
	if e.wide {
		return 512 / e.bits
	}
	return 256 / e.bits
}

// step is the bytes of a vector's elements in memory.
func (e *emitter) step() int { return e.lanes() * e.elem / 8 }

// reg returns the register of v, loading a constant.
func (e *emitter) reg(v value) reg.Register {
	if r, ok := e.regs[v]; ok {
		return r
	}
	r := e.vector()
	e.of(broadcast)(constantAt(e.bits, e.nodes[v].imm), r)
	return r
}

// dies reports whether v's register is free once node at has read it.
func (e *emitter) dies(v, at value) bool {
	if e.nodes[v].op == opConst {
		return !e.hoist[v]
	}
	return e.last[v] == at
}

// emit writes the function. It ends at the first vector with flagged lanes, of which it
// stores the others, and returns the byte where that begins times 2¹⁶ plus the bits of the
// flagged lanes; 0 if there is none.
func (e *emitter) emit(name string) {
	used := e.live()
	e.chooseHoisted(used)
	e.regs = map[value]reg.Register{}
	operands := "x"
	if e.args == 2 {
		operands = "x, y"
	}
	TEXT(name, NOSPLIT, fmt.Sprintf("func(dst, %s *float%d, n int) int", operands, e.elem))
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	e.params[0] = Load(Param("x"), GP64())
	if e.args == 2 {
		e.params[1] = Load(Param("y"), GP64())
	}
	end := Load(Param("n"), GP64())
	SHLQ(Imm(uint64(2+b2i(e.elem == 64))), end)
	e.at = GP64()
	XORQ(e.at, e.at)
	for v := range e.nodes {
		if e.hoist[value(v)] {
			r := e.vector()
			e.of(broadcast)(constantAt(e.bits, e.nodes[v].imm), r)
			e.regs[value(v)] = r
		}
	}
	Label("loop")
	for v := range e.nodes {
		if used[v] && e.nodes[v].op != opConst {
			e.node(value(v))
		}
	}
	to := Mem{Base: dst, Index: e.at, Scale: 1}
	result := e.reg(e.result)
	if e.short() {
		half := reg.Register(YMM())
		if e.wide {
			VCVTPD2PS(result, half)
		} else {
			half = XMM()
			VCVTPD2PSY(result, half)
		}
		result = half
	}
	var mask reg.Register
	if e.flags != none {
		mask = e.regs[e.flags]
		if e.wide {
			KORTESTW(mask, mask)
		} else {
			e.of2(VTESTPD, VTESTPS)(mask, mask)
		}
		JNE(LabelRef("flagged"))
	}
	VMOVUPS(result, to)
	ADDQ(Imm(uint64(e.step())), e.at)
	CMPQ(e.at, end)
	JLT(LabelRef("loop"))
	note := GP64()
	XORQ(note, note)
	Store(note, ReturnIndex(0))
	VZEROUPPER()
	RET()
	if e.flags != none {
		Label("flagged")
		e.flagged(mask, result, to)
		VZEROUPPER()
		RET()
	}
}

func (e *emitter) of2(f, g func(a, b Op)) func(a, b Op) {
	if e.bits == 32 {
		return g
	}
	return f
}

// flagged stores the lanes that are not flagged and returns the note of the others.
func (e *emitter) flagged(mask, result reg.Register, to Mem) {
	note := GP64()
	if e.wide {
		k := K()
		KMOVW(mask, note.As32())
		KNOTW(mask, k)
		if e.elem == 32 {
			VMOVUPS(result, k, to)
		} else {
			VMOVUPD(result, k, to)
		}
	} else {
		e.of(signs)(mask, note.As32())
		ones, not := YMM(), YMM()
		VBROADCASTSD(constantAt(64, 1<<64-1), ones)
		VXORPS(ones, mask, not)
		switch {
		case e.short():
			hi, lo := XMM(), XMM()
			VEXTRACTF128(Imm(1), not, hi)
			VSHUFPS(Imm(0xdd), hi, not.AsX(), lo)
			VMASKMOVPS(result, lo, to)
		case e.elem == 32:
			VMASKMOVPS(result, not, to)
		default:
			VMASKMOVPD(result, not, to)
		}
	}
	SHLQ(Imm(16), e.at)
	ORQ(e.at, note)
	Store(note, ReturnIndex(0))
}

// node writes one operation.
func (e *emitter) node(v value) {
	n := e.nodes[v]
	if n.op == opXorSign || n.op == opOrSign {
		e.withSign(v, n)
		return
	}
	if n.op == opMulAdd || n.op == opNegMulAdd || n.op == opMulSub {
		e.mulAdd(v, n)
		return
	}
	if n.op.isMask() || n.op == opSelect {
		e.mask(v, n)
		return
	}
	if f, ok := binary[n.op]; ok {
		a, b := e.reg(n.a), e.reg(n.b)
		r := e.vector()
		e.of(f)(b, a, r)
		e.regs[v] = r
		return
	}
	r := e.vector()
	switch n.op {
	case opArg:
		from := Mem{Base: e.params[n.imm], Index: e.at, Scale: 1}
		switch {
		case e.short():
			VCVTPS2PD(from, r)
		default:
			VMOVUPS(from, r)
		}
	case opSqrt:
		e.of(sqrt)(e.reg(n.a), r)
	case opShiftLeft:
		e.of(shiftLeft)(Imm(n.imm), e.reg(n.a), r)
	case opShiftRight:
		e.of(shiftRight)(Imm(n.imm), e.reg(n.a), r)
	case opGather:
		table := GP64()
		LEAQ(NewDataAddr(Symbol{Name: "·" + n.table}, 0).Offset(int(n.imm)), table)
		from := Mem{Base: table, Index: e.reg(n.a), Scale: 8}
		if e.wide {
			ones, k := GP32(), K()
			MOVL(U32(0xff), ones)
			KMOVW(ones, k)
			VXORPD(r, r, r)
			VGATHERQPD(from, k, r)
		} else {
			ones := YMM()
			VBROADCASTSD(constantAt(64, 1<<64-1), ones)
			VXORPD(r, r, r)
			VGATHERQPD(ones, from, r)
		}
	default:
		panic("no such operation")
	}
	e.regs[v] = r
}

// mulAdd overwrites an operand that is not needed any more, if there is one.
func (e *emitter) mulAdd(v value, n node) {
	f231, f213 := e.of(mulAdd231), e.of(mulAdd213)
	if n.op == opNegMulAdd {
		f231, f213 = e.of(negMulAdd231), e.of(negMulAdd213)
	}
	if n.op == opMulSub {
		f231, f213 = e.of(mulSub231), e.of(mulSub213)
	}
	a, b, c := e.reg(n.a), e.reg(n.b), reg.Register(nil)
	if n.c == n.a || n.c == n.b || n.a == n.b {
		// An operand that is read twice cannot be overwritten.
		r := e.vector()
		if n.a == n.b && n.c != n.a && e.dies(n.c, v) {
			r2 := e.reg(n.c)
			f231(b, a, r2)
			e.regs[v] = r2
			return
		}
		e.of(move)(e.reg(n.c), r)
		f231(b, a, r)
		e.regs[v] = r
		return
	}
	c = e.reg(n.c)
	switch {
	case e.dies(n.c, v):
		f231(b, a, c)
		e.regs[v] = c
	case e.dies(n.a, v):
		f213(c, b, a)
		e.regs[v] = a
	case e.dies(n.b, v):
		f213(c, a, b)
		e.regs[v] = b
	default:
		r := e.vector()
		e.of(move)(c, r)
		f231(b, a, r)
		e.regs[v] = r
	}
}

// Predicates of comparisons.
const (
	lessQuiet    = 0x11
	notLessQuiet = 0x15
)

// mask writes comparisons and what takes their results: in mask registers, or in the sign
// bits of lanes.
func (e *emitter) mask(v value, n node) {
	var r reg.Register
	if n.op == opSelect || !e.wide {
		r = e.vector()
	} else {
		r = K()
	}
	switch n.op {
	case opLess:
		e.of(compare)(Imm(lessQuiet), e.reg(n.b), e.reg(n.a), r)
	case opNotLess:
		e.of(compare)(Imm(notLessQuiet), e.reg(n.b), e.reg(n.a), r)
	case opIntGreater:
		e.of(intGreater)(e.reg(n.b), e.reg(n.a), r)
	case opSign:
		if e.wide {
			e.of(toMask)(e.reg(n.a), r)
		} else {
			r = e.reg(n.a)
		}
	case opMaskOr:
		if e.wide {
			KORW(e.reg(n.a), e.reg(n.b), r)
		} else {
			VORPS(e.reg(n.a), e.reg(n.b), r)
		}
	case opSelect:
		m, a, b := e.reg(n.a), e.reg(n.b), e.reg(n.c)
		if e.wide {
			if e.dies(n.c, v) && n.c != n.b {
				r = b
			} else {
				e.of(move)(b, r)
			}
			e.of(move)(a, m, r)
		} else {
			e.of(blendVar)(m, a, b, r)
		}
	}
	e.regs[v] = r
}

// withSign takes one instruction of AVX-512, which looks each bit up in a table.
func (e *emitter) withSign(v value, n node) {
	a, b, s := e.reg(n.a), e.reg(n.b), e.reg(n.c)
	r := e.vector()
	last, table := instruction(VXORPS), uint64(0x6c) // of bits b, a, s
	if n.op == opOrSign {
		last, table = VORPS, 0xec
	}
	if e.wide {
		VMOVAPS(b, r)
		VPTERNLOGQ(Imm(table), s, a, r)
	} else {
		VANDPS(s, b, r)
		last(a, r, r)
	}
	e.regs[v] = r
}
