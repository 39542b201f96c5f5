// Command keysort writes the vector instructions of package internal/keysort:
//
//	cd internal/asmgen && go run ./keysort -out ../keysort/z_amd64.s -stubs ../keysort/z_amd64.go -pkg keysort
package main

import (
	"fmt"
	"slices"

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
	xnor, xor, and, andn          func(...Op) // of masks
}

var words = []word{
	{64, 8, VPMINUQ, VPMAXUQ, VPERMQ, VPCOMPRESSQ, VPCMPUQ, VMOVDQU64,
		func(o ...Op) { KMOVB(o[0], o[1]) }, VPBROADCASTQ,
		func(o ...Op) { KXNORB(o[0], o[1], o[2]) }, func(o ...Op) { KXORB(o[0], o[1], o[2]) }, func(o ...Op) { KANDB(o[0], o[1], o[2]) },
		func(o ...Op) { KANDNB(o[0], o[1], o[2]) }},
	{32, 16, VPMINUD, VPMAXUD, VPERMD, VPCOMPRESSD, VPCMPUD, VMOVDQU32,
		func(o ...Op) { KMOVW(o[0], o[1]) }, VPBROADCASTD,
		func(o ...Op) { KXNORW(o[0], o[1], o[2]) }, func(o ...Op) { KXORW(o[0], o[1], o[2]) }, func(o ...Op) { KANDW(o[0], o[1], o[2]) },
		func(o ...Op) { KANDNW(o[0], o[1], o[2]) }},
}

func main() {
	for _, w := range words {
		w.sortSmall()
		w.partition()
		w.between()
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

// mostSmall is the number of keys that fit the registers.
const mostSmall = 128

// sizes are the numbers of vectors for which there is code of its own.
var sizes = []int{1, 2, 3, 4, 6, 8, 12, 16}

// sortSmall sorts by a bitonic network (Batcher 1968, "Sorting networks and their
// applications") in the form in which every comparison puts the smaller key first:
// the first step of each merge compares mirrored positions. Where the number of vectors
// is no power of two, the others would hold the largest key, and are left out.
func (w word) sortSmall() {
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
	Doc(fmt.Sprintf("%s sets dst to the n keys of src, sorted; n is at most %d.", name, mostSmall))
	dst, src, n := Load(Param("dst"), GP64()), Load(Param("src"), GP64()), Load(Param("n"), GP64())
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
	fits := slices.DeleteFunc(slices.Clone(sizes), func(v int) bool { return v*w.lanes > mostSmall })
	for _, v := range fits[:len(fits)-1] {
		CMPQ(n, U32(uint32(v*w.lanes)))
		JLE(LabelRef(fmt.Sprintf("vectors%d", v)))
	}
	full := 0 // vectors that are surely full
	for s := len(fits) - 1; s >= 0; s-- {
		v := fits[s]
		if full = 0; s > 0 {
			full = fits[s-1]
			Label(fmt.Sprintf("vectors%d", v))
		} else {
			Label("vectors1")
		}
		valid := GP64()
		MOVQ(I32(-1), valid)
		SUBQ(U8(uint8(full*w.lanes)), n)
		BZHIQ(n, valid, valid)
		masked := func(i int, move func(part OpmaskVirtual)) {
			shifted, part := GP64(), K()
			MOVQ(valid, shifted)
			if i > full {
				SHRQ(U8(uint8((i-full)*w.lanes)), shifted)
			}
			w.toMask(shifted.As32(), part)
			move(part)
		}
		x := make([]VecVirtual, w.padded(v))
		for i := range v {
			x[i] = ZMM()
			if i < full {
				VMOVDQU64(Mem{Base: src, Disp: 64 * i}, x[i])
				continue
			}
			VMOVDQA64(ones, x[i])
			masked(i, func(part OpmaskVirtual) { w.move(Mem{Base: src, Disp: 64 * i}, part, x[i]) })
		}
		x = w.network(x, exchangeBy, mirrorBy, upper)
		for i := range v {
			if i < full {
				VMOVDQU64(x[i], Mem{Base: dst, Disp: 64 * i})
				continue
			}
			masked(i, func(part OpmaskVirtual) { w.move(x[i], part, Mem{Base: dst, Disp: 64 * i}) })
		}
		VZEROUPPER()
		RET()
	}
}

// padded returns the power of two that v vectors are sorted as.
func (word) padded(v int) int {
	n := 1
	for n < v {
		n *= 2
	}
	return n
}

// network sorts the keys of x, in which nil stands for a vector of the largest keys.
func (w word) network(x []VecVirtual, exchangeBy, mirrorBy map[int]VecVirtual, upper map[int]OpmaskVirtual) []VecVirtual {
	within := func(by VecVirtual, larger OpmaskVirtual) {
		for i := range x {
			if x[i] == nil {
				continue
			}
			t, out := ZMM(), ZMM()
			w.perm(x[i], by, t)
			w.min(x[i], t, out)
			w.max(x[i], t, larger, out)
			x[i] = out
		}
	}
	pair := func(a, b VecVirtual) (lo, hi VecVirtual) {
		switch {
		case a == nil:
			return b, nil
		case b == nil:
			return a, nil
		}
		lo, hi = ZMM(), ZMM()
		w.min(a, b, lo)
		w.max(a, b, hi)
		return lo, hi
	}
	start := 2
	if w.lanes == 8 && len(x) >= 8 && !slices.Contains(x, nil) {
		for b := 0; b < len(x); b += 8 {
			for _, c := range columns {
				x[b+c[0]], x[b+c[1]] = pair(x[b+c[0]], x[b+c[1]])
			}
			copy(x[b:], transposed([8]VecVirtual(x[b:b+8])))
		}
		start = 16
	}
	for k := start; k <= len(x)*w.lanes; k *= 2 {
		if k <= w.lanes {
			within(mirrorBy[k], upper[k/2])
		} else {
			m := k / w.lanes
			next := make([]VecVirtual, len(x))
			for b := 0; b < len(x); b += m {
				for i := range m / 2 {
					var t VecVirtual
					if other := x[b+m-1-i]; other != nil {
						t = ZMM()
						w.perm(other, mirrorBy[w.lanes], t)
					}
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

// columns sorts eight vectors lane by lane: Batcher's odd-even merge sort.
var columns = [][2]int{{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3}, {4, 6}, {5, 7}, {1, 2}, {5, 6},
	{0, 4}, {1, 5}, {2, 6}, {3, 7}, {2, 4}, {3, 5}, {1, 2}, {3, 4}, {5, 6}}

// transposed returns the columns of eight vectors of eight keys.
func transposed(r [8]VecVirtual) []VecVirtual {
	out := make([]VecVirtual, 8)
	for odd, unpack := range []func(...Op){
		func(o ...Op) { VPUNPCKLQDQ(o[0], o[1], o[2]) },
		func(o ...Op) { VPUNPCKHQDQ(o[0], o[1], o[2]) },
	} {
		shuffled := func(by uint8, a, b VecVirtual) VecVirtual {
			z := ZMM()
			VSHUFI64X2(U8(by), b, a, z)
			return z
		}
		var t [4]VecVirtual // pairs of rows; each quarter is of one column
		for i := range t {
			t[i] = ZMM()
			unpack(r[2*i+1], r[2*i], t[i])
		}
		for half, by := range []uint8{0x44, 0xee} {
			u, v := shuffled(by, t[0], t[1]), shuffled(by, t[2], t[3])
			out[4*half+odd], out[4*half+2+odd] = shuffled(0x88, u, v), shuffled(0xdd, u, v)
		}
	}
	return out
}

// partition packs some keys at the front of x and the others at the front of y, by
// compressing each vector twice.
func (w word) partition() {
	name := fmt.Sprintf("partition%d", w.bits)
	TEXT(name, NOSPLIT, fmt.Sprintf("func(src, x, y *uint%d, n int, pivot uint%d, other uint32) int", w.bits, w.bits))
	Pragma("noescape")
	Doc(name+" writes those of the n keys of src to x that are less than pivot if other is 0, that",
		"are not if it is all ones, the rest of them to y, and returns how many x gets. What follows",
		"them in x and y, up to n, is overwritten. x may be src.")
	from, x, y, n := Load(Param("src"), GP64()), Load(Param("x"), GP64()), Load(Param("y"), GP64()), Load(Param("n"), GP64())
	p := ZMM()
	if w.bits == 64 {
		g := Load(Param("pivot"), GP64())
		VPBROADCASTQ(g, p)
	} else {
		g := Load(Param("pivot"), GP32())
		VPBROADCASTD(g, p)
	}
	flip := K()
	w.toMask(Load(Param("other"), GP32()), flip)
	l, r := x, y
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

// between packs the keys within bounds, and counts those below.
func (w word) between() {
	name := fmt.Sprintf("between%d", w.bits)
	TEXT(name, NOSPLIT, fmt.Sprintf("func(dst, src *uint%d, n int, lo, hi uint%d) (less, within int)", w.bits, w.bits))
	Pragma("noescape")
	Doc(name+" writes those of the n keys of src to dst that are from lo to hi, and returns how",
		"many are less, and how many dst gets. What follows them in dst, up to n, is overwritten.")
	dst, src, n := Load(Param("dst"), GP64()), Load(Param("src"), GP64()), Load(Param("n"), GP64())
	bound := func(name string) VecVirtual {
		z := ZMM()
		if w.bits == 64 {
			VPBROADCASTQ(Load(Param(name), GP64()), z)
		} else {
			VPBROADCASTD(Load(Param(name), GP32()), z)
		}
		return z
	}
	lo, hi := bound("lo"), bound("hi")
	size := uint8(w.bits / 8)
	less, l := GP64(), GP64()
	XORQ(less, less)
	MOVQ(dst, l)
	count := func(k OpmaskVirtual) Register {
		c := GP64()
		w.fromMask(k, c)
		POPCNTL(c.As32(), c.As32())
		return c
	}
	masks := func(v VecVirtual) (below, in OpmaskVirtual) {
		below, in = K(), K()
		w.cmp(U8(1), lo, v, below)
		w.cmp(U8(2), hi, v, in)
		w.andn(in, below, in) // in &^ below
		return below, in
	}
	Label("vectors")
	CMPQ(n, U32(uint32(w.lanes)))
	JLT(LabelRef("rest"))
	{
		v, out := ZMM(), ZMM()
		VMOVDQU64(Mem{Base: src}, v)
		below, in := masks(v)
		w.compress(v, in, out)
		VMOVDQU64(out, Mem{Base: l})
		ADDQ(count(below), less)
		LEAQ(Mem{Base: l, Index: count(in), Scale: size}, l)
	}
	ADDQ(U32(64), src)
	SUBQ(U32(uint32(w.lanes)), n)
	JMP(LabelRef("vectors"))
	Label("rest")
	{
		v, valid, g := ZMM(), K(), GP64()
		MOVQ(I32(-1), g)
		BZHIQ(n, g, g)
		w.toMask(g.As32(), valid)
		VPXORQ(v, v, v)
		w.move(Mem{Base: src}, valid, v)
		below, in := masks(v)
		w.and(below, valid, below)
		w.and(in, valid, in)
		w.compress(v, in, Mem{Base: l})
		ADDQ(count(below), less)
		LEAQ(Mem{Base: l, Index: count(in), Scale: size}, l)
	}
	SUBQ(Load(Param("dst"), GP64()), l)
	SHRQ(U8(map[int]uint8{64: 3, 32: 2}[w.bits]), l)
	Store(less, ReturnIndex(0))
	Store(l, ReturnIndex(1))
	VZEROUPPER()
	RET()
}
