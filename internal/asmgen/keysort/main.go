// Command keysort writes the vector instructions of package internal/keysort:
//
//	cd internal/asmgen && go run ./keysort -out ../keysort/z_amd64.s -stubs ../keysort/z_amd64.go -pkg keysort
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// word is what the kernels of one size of keys are made of.
type word struct {
	bits  int
	lanes int

	min, max, perm, compress, cmp func(...Op)
	move                          func(...Op) // with a mask
	toMask                        func(...Op)
	broadcast                     func(...Op)
	xnor, xor, and                func(...Op) // of masks
}

var words = []word{
	{64, 8, VPMINUQ, VPMAXUQ, VPERMQ, VPCOMPRESSQ, VPCMPUQ, VMOVDQU64,
		func(o ...Op) { KMOVB(o[0], o[1]) }, VPBROADCASTQ,
		func(o ...Op) { KXNORB(o[0], o[1], o[2]) }, func(o ...Op) { KXORB(o[0], o[1], o[2]) }, func(o ...Op) { KANDB(o[0], o[1], o[2]) }},
	{32, 16, VPMINUD, VPMAXUD, VPERMD, VPCOMPRESSD, VPCMPUD, VMOVDQU32,
		func(o ...Op) { KMOVW(o[0], o[1]) }, VPBROADCASTD,
		func(o ...Op) { KXNORW(o[0], o[1], o[2]) }, func(o ...Op) { KXORW(o[0], o[1], o[2]) }, func(o ...Op) { KANDW(o[0], o[1], o[2]) }},
}

func main() {
	for _, w := range words {
		w.sortSmall()
		w.partition()
	}
	for _, f := range floats {
		f.encode()
		f.decode()
	}
	Generate()
}

// table emits lanes indices and returns where they are.
func (w word) table(name string, of func(i int) int) Mem {
	m := GLOBL(fmt.Sprintf("%s%d", name, w.bits), 8|16) // RODATA|NOPTR
	for i := range w.lanes {
		if w.bits == 64 {
			DATA(8*i, U64(of(i)))
		} else {
			DATA(4*i, U32(of(i)))
		}
	}
	return m
}

// sortSmall sorts by a bitonic network (Batcher 1968, "Sorting networks and their
// applications") in the form in which every comparison puts the smaller key first:
// the first step of each merge compares mirrored positions.
func (w word) sortSmall() {
	const most = 64
	mirror, exchange := map[int]Mem{}, map[int]Mem{}
	for d := 1; d < w.lanes; d *= 2 {
		exchange[d] = w.table(fmt.Sprintf("exchange%dOf", d), func(i int) int { return i ^ d })
	}
	for k := 4; k <= w.lanes; k *= 2 {
		mirror[k] = w.table(fmt.Sprintf("mirror%dOf", k), func(i int) int { return i ^ (k - 1) })
	}
	name := fmt.Sprintf("sortSmall%d", w.bits)
	TEXT(name, NOSPLIT, fmt.Sprintf("func(dst, src *uint%d, n int)", w.bits))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s sets dst to the n keys of src, sorted; n is at most %d.", name, most))
	dst, src, n := Load(Param("dst"), GP64()), Load(Param("src"), GP64()), Load(Param("n"), GP64())
	valid := GP64()
	MOVQ(I32(-1), valid)
	BZHIQ(n, valid, valid)
	index := func(m Mem) VecVirtual {
		z := ZMM()
		VMOVDQU64(m, z)
		return z
	}
	exchangeBy, mirrorBy, upper := map[int]VecVirtual{}, map[int]VecVirtual{}, map[int]OpmaskVirtual{}
	for d := 1; d < w.lanes; d *= 2 {
		exchangeBy[d] = index(exchange[d])
		k, g, bits := K(), GP32(), uint32(0)
		for i := range w.lanes {
			if i&d != 0 {
				bits |= 1 << i
			}
		}
		MOVL(U32(bits), g)
		KMOVW(g, k)
		upper[d] = k
	}
	mirrorBy[2] = exchangeBy[1]
	for k := 4; k <= w.lanes; k *= 2 {
		mirrorBy[k] = index(mirror[k])
	}
	ones := ZMM()
	VPTERNLOGD(U8(0xff), ones, ones, ones)
	for v := 1; v*w.lanes <= most; v *= 2 {
		CMPQ(n, U32(uint32(v*w.lanes)))
		JLE(LabelRef(fmt.Sprintf("vectors%d", v)))
	}
	for v := 1; v*w.lanes <= most; v *= 2 {
		Label(fmt.Sprintf("vectors%d", v))
		x := make([]VecVirtual, v)
		shifted := GP64()
		part := K()
		for i := range x {
			MOVQ(valid, shifted)
			if i > 0 {
				SHRQ(U8(uint8(i*w.lanes)), shifted)
			}
			w.toMask(shifted.As32(), part)
			x[i] = ZMM()
			VMOVDQA64(ones, x[i])
			w.move(Mem{Base: src, Disp: 64 * i}, part, x[i])
		}
		x = w.network(x, exchangeBy, mirrorBy, upper)
		for i := range x {
			MOVQ(valid, shifted)
			if i > 0 {
				SHRQ(U8(uint8(i*w.lanes)), shifted)
			}
			w.toMask(shifted.As32(), part)
			w.move(x[i], part, Mem{Base: dst, Disp: 64 * i})
		}
		VZEROUPPER()
		RET()
	}
}

func (w word) network(x []VecVirtual, exchangeBy, mirrorBy map[int]VecVirtual, upper map[int]OpmaskVirtual) []VecVirtual {
	within := func(by VecVirtual, larger OpmaskVirtual) {
		for i := range x {
			t, out := ZMM(), ZMM()
			w.perm(x[i], by, t)
			w.min(x[i], t, out)
			w.max(x[i], t, larger, out)
			x[i] = out
		}
	}
	pair := func(a, b VecVirtual) (lo, hi VecVirtual) {
		lo, hi = ZMM(), ZMM()
		w.min(a, b, lo)
		w.max(a, b, hi)
		return lo, hi
	}
	for k := 2; k <= len(x)*w.lanes; k *= 2 {
		if k <= w.lanes {
			within(mirrorBy[k], upper[k/2])
		} else {
			m := k / w.lanes
			next := make([]VecVirtual, len(x))
			for b := 0; b < len(x); b += m {
				for i := range m / 2 {
					t := ZMM()
					w.perm(x[b+m-1-i], mirrorBy[w.lanes], t)
					// The larger half comes reversed, which is bitonic as well.
					next[b+i], next[b+m/2+i] = pair(x[b+i], t)
				}
			}
			x = next
		}
		for d := k / 4; d >= 1; d /= 2 {
			if d < w.lanes {
				within(exchangeBy[d], upper[d])
				continue
			}
			next := make([]VecVirtual, len(x))
			for i := range x {
				if step := d / w.lanes; i&step == 0 {
					next[i], next[i+step] = pair(x[i], x[i+step])
				}
			}
			x = next
		}
	}
	return x
}

// partition packs the keys that stay at the front of x and the others at the front
// of y, by compressing each vector twice.
func (w word) partition() {
	name := fmt.Sprintf("partition%d", w.bits)
	TEXT(name, NOSPLIT, fmt.Sprintf("func(x, y *uint%d, n int, pivot uint%d, stay uint32) int", w.bits, w.bits))
	Pragma("noescape")
	Doc(name+" leaves those of the n keys of x at its front that are less than pivot if stay",
		"is 0, that are not if it is all ones, moves the others to y, and returns how many are left.",
		"What follows them in x and y, up to n, is overwritten.")
	x, y, n := Load(Param("x"), GP64()), Load(Param("y"), GP64()), Load(Param("n"), GP64())
	p := ZMM()
	if w.bits == 64 {
		g := Load(Param("pivot"), GP64())
		VPBROADCASTQ(g, p)
	} else {
		g := Load(Param("pivot"), GP32())
		VPBROADCASTD(g, p)
	}
	flip := K()
	w.toMask(Load(Param("stay"), GP32()), flip)
	from, l, r := GP64(), x, y
	MOVQ(x, from)
	size := uint8(w.bits / 8)
	const unroll = 4
	place := func(z VecVirtual, keep, other OpmaskVirtual) {
		c, out := GP64(), ZMM()
		w.compress(z, keep, out)
		VMOVDQU64(out, Mem{Base: l})
		w.fromMask(keep, c)
		POPCNTL(c.As32(), c.As32())
		LEAQ(Mem{Base: l, Index: c, Scale: size}, l)
		out = ZMM()
		w.compress(z, other, out)
		VMOVDQU64(out, Mem{Base: r})
		NEGQ(c)
		LEAQ(Mem{Base: r, Index: c, Scale: size, Disp: 64}, r)
	}
	Label("blocks")
	CMPQ(n, U32(uint32(unroll*w.lanes)))
	JLT(LabelRef("vectors"))
	var z [unroll]VecVirtual
	for i := range z {
		z[i] = ZMM()
		VMOVDQU64(Mem{Base: from, Disp: 64 * i}, z[i])
	}
	for i := range z {
		less, keep, other := K(), K(), K()
		w.cmp(U8(1), p, z[i], less)
		w.xor(less, flip, keep)
		w.xnor(less, flip, other)
		place(z[i], keep, other)
	}
	ADDQ(U32(64*unroll), from)
	SUBQ(U32(uint32(unroll*w.lanes)), n)
	JMP(LabelRef("blocks"))
	Label("vectors")
	CMPQ(n, U32(uint32(w.lanes)))
	JLT(LabelRef("rest"))
	{
		v, less, keep, other := ZMM(), K(), K(), K()
		VMOVDQU64(Mem{Base: from}, v)
		w.cmp(U8(1), p, v, less)
		w.xor(less, flip, keep)
		w.xnor(less, flip, other)
		place(v, keep, other)
	}
	ADDQ(U32(64), from)
	SUBQ(U32(uint32(w.lanes)), n)
	JMP(LabelRef("vectors"))
	Label("rest")
	{
		v, less, keep, other, valid, g, c := ZMM(), K(), K(), K(), K(), GP64(), GP64()
		MOVQ(I32(-1), g)
		BZHIQ(n, g, g)
		w.toMask(g.As32(), valid)
		VPXORQ(v, v, v)
		w.move(Mem{Base: from}, valid, v)
		w.cmp(U8(1), p, v, less)
		w.xor(less, flip, keep)
		w.xnor(less, flip, other)
		w.and(keep, valid, keep)
		w.and(other, valid, other)
		w.compress(v, keep, Mem{Base: l})
		w.compress(v, other, Mem{Base: r})
		w.fromMask(keep, c)
		POPCNTL(c.As32(), c.As32())
		LEAQ(Mem{Base: l, Index: c, Scale: size}, l)
	}
	start := Load(Param("x"), GP64())
	SUBQ(start, l)
	SHRQ(U8(map[int]uint8{64: 3, 32: 2}[w.bits]), l)
	Store(l, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

func (w word) fromMask(k OpmaskVirtual, g GPVirtual) {
	if w.bits == 64 {
		KMOVB(k, g.As32())
	} else {
		KMOVW(k, g.As32())
	}
}
