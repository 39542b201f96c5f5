package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// partial is the number of vectors of partial sums, four in each.
const partial = 8

// load loads four elements from element i + 4k of the array at p on, in double precision.
func load(e elem, p, i Register, k int, v VecVirtual) {
	if m := at(p, i, e.size, 4, k); e.size == 4 {
		VCVTPS2PD(m, v)
	} else {
		VMOVUPD(m, v)
	}
}

// loadMasked is load of those under a mask from maskOf4, zeros for the others.
func loadMasked(e elem, p, i Register, mask, v VecVirtual) {
	if m := at(p, i, e.size, 4, 0); e.size == 4 {
		VMASKMOVPS(m, mask.AsX(), v.AsX())
		VCVTPS2PD(v.AsX(), v)
	} else {
		VMASKMOVPD(m, mask, v)
	}
}

// wide returns a mask of e's size as one of float64's.
func wide(e elem, mask VecVirtual) VecVirtual {
	if e.size == 8 {
		return mask
	}
	w := YMM()
	VPMOVSXDQ(mask.AsX(), w)
	return w
}

func zeros(n int) []VecVirtual {
	var list []VecVirtual
	for range n {
		v := YMM()
		VXORPD(v, v, v)
		list = append(list, v)
	}
	return list
}

// negativeZeros returns n vectors of -0, to which -0 can be added.
func negativeZeros(n int) []VecVirtual {
	list := zeros(n)
	for _, v := range list {
		VPCMPEQD(v, v, v)
		VPSLLQ(Imm(63), v, v)
	}
	return list
}

// total adds up the partial sums.
func total(acc []VecVirtual) Register {
	for n := len(acc) / 2; n > 0; n /= 2 {
		for k := range n {
			VADDPD(acc[k+n], acc[k], acc[k])
		}
	}
	sum, high := acc[0].AsX(), XMM()
	VEXTRACTF128(Imm(1), acc[0], high)
	VADDPD(high, sum, sum)
	VUNPCKHPD(sum, sum, high)
	VADDSD(high, sum, sum)
	return sum
}

// sums writes the sums of elements, products, and squares in double precision.
func sums(e elem) {
	sum := func(name, doc, signature string, operands []string, before func(), body func(acc VecVirtual, load func(p Register, v VecVirtual), mask func(v VecVirtual), p []Register)) {
		function(name+e.suffix, signature, "returns "+doc+", in double precision.")
		var p []Register
		for _, o := range operands {
			p = append(p, param(o))
		}
		n := param("n")
		before()
		acc := zeros(partial)
		vectors := func(i Register, count int) {
			for k := range count {
				body(acc[k], func(p Register, v VecVirtual) { load(e, p, i, k, v) }, func(VecVirtual) {}, p)
			}
		}
		sweep("", n, 4, partial, func(i Register) { vectors(i, partial) }, func(i Register) { vectors(i, 1) }, func(i, r Register) {
			mask := maskOf(r, e.size, YMM())
			m := wide(e, mask)
			body(acc[0], func(p Register, v VecVirtual) { loadMasked(e, p, i, mask, v) }, func(v VecVirtual) { VANDPD(m, v, v) }, p)
		})
		Store(total(acc), ReturnIndex(0))
		finish()
	}
	sum("sum", "the sum of x", "func(x *"+e.name+", n int) float64", []string{"x"}, func() {},
		func(acc VecVirtual, load func(Register, VecVirtual), _ func(VecVirtual), p []Register) {
			v := YMM()
			load(p[0], v)
			VADDPD(v, acc, acc)
		})
	sum("dot", "the sum of the products of x and y", "func(x, y *"+e.name+", n int) float64", []string{"x", "y"}, func() {},
		func(acc VecVirtual, load func(Register, VecVirtual), _ func(VecVirtual), p []Register) {
			v, w := YMM(), YMM()
			load(p[0], v)
			load(p[1], w)
			VFMADD231PD(w, v, acc)
		})
	var mean VecVirtual
	before := func() {
		mean = YMM()
		VBROADCASTSD(NewParamAddr("mean", 16), mean)
	}
	sum("squares", "the sum of the squares of x-mean", "func(x *"+e.name+", n int, mean float64) float64", []string{"x"}, before,
		func(acc VecVirtual, load func(Register, VecVirtual), mask func(VecVirtual), p []Register) {
			v := YMM()
			load(p[0], v)
			VSUBPD(mean, v, v)
			mask(v)
			VFMADD231PD(v, v, acc)
		})
}

// strips goes through the columns of n rows by strips of some vectors.
func strips(e elem, width Register, lanes, unroll int, strip func(i Register, count int, mask VecVirtual)) {
	sweep("", width, lanes, unroll, func(i Register) { strip(i, unroll, nil) }, func(i Register) { strip(i, 1, nil) },
		func(i, r Register) { strip(i, 1, maskOf(r, e.size, YMM())) })
}

// down calls f for each of n rows of x from column i on.
func down(label string, e elem, x, i, n, stride Register, f func(p Register)) {
	p, left := GP64(), GP64()
	LEAQ(Mem{Base: x, Index: i, Scale: uint8(e.size)}, p)
	MOVQ(n, left)
	Label(label)
	f(p)
	ADDQ(stride, p)
	DECQ(left)
	JNZ(LabelRef(label))
}

var labels = map[int]string{8: "Eight", 4: "Four", 1: "One"}

func label(count int, mask VecVirtual) string {
	if mask != nil {
		return "Masked"
	}
	return labels[count]
}

// rows writes the sums of columns.
func rows(e elem) {
	zero := func() Register {
		z := GP64()
		XORQ(z, z)
		return z
	}
	function("sumRows"+e.suffix, "func(acc *float64, width int, x *"+e.name+", n, stride int)", "sets acc[j] to the sum of x[j], x[stride+j], … over n ≥ 1 rows.")
	acc, width, x, n, stride := param("acc"), param("width"), param("x"), param("n"), param("stride")
	IMUL3Q(Imm(uint64(e.size)), stride, stride)
	none := zero()
	strips(e, width, 4, partial, func(i Register, count int, mask VecVirtual) {
		s := negativeZeros(count)
		down(label(count, mask), e, x, i, n, stride, func(p Register) {
			for k := range count {
				v := YMM()
				if mask != nil {
					loadMasked(e, p, none, mask, v)
				} else {
					load(e, p, none, k, v)
				}
				VADDPD(v, s[k], s[k])
			}
		})
		for k := range count {
			if mask != nil {
				VMASKMOVPD(s[k], wide(e, mask), at(acc, i, 8, 4, k))
			} else {
				VMOVUPD(s[k], at(acc, i, 8, 4, k))
			}
		}
	})
	finish()

	function("squaresRows"+e.suffix, "func(acc, mean *float64, width int, x *"+e.name+", n, stride int)", "sets acc[j] to the sum of the squares of x[j]-mean[j], x[stride+j]-mean[j], … over n ≥ 1 rows.")
	acc, mean, width, x, n, stride := param("acc"), param("mean"), param("width"), param("x"), param("n"), param("stride")
	IMUL3Q(Imm(uint64(e.size)), stride, stride)
	none = zero()
	strips(e, width, 4, 4, func(i Register, count int, mask VecVirtual) {
		s, m := zeros(count), zeros(count)
		for k := range count {
			if mask != nil {
				VMASKMOVPD(at(mean, i, 8, 4, k), wide(e, mask), m[k])
			} else {
				VMOVUPD(at(mean, i, 8, 4, k), m[k])
			}
		}
		down(label(count, mask), e, x, i, n, stride, func(p Register) {
			for k := range count {
				v := YMM()
				if mask != nil {
					loadMasked(e, p, none, mask, v)
				} else {
					load(e, p, none, k, v)
				}
				VSUBPD(m[k], v, v)
				VFMADD231PD(v, v, s[k])
			}
		})
		for k := range count {
			if mask != nil {
				VMASKMOVPD(s[k], wide(e, mask), at(acc, i, 8, 4, k))
			} else {
				VMOVUPD(s[k], at(acc, i, 8, 4, k))
			}
		}
	})
	finish()
}

// extremes writes the largest and the smallest of a run, of columns, and where bits are.
func extremes(e elem) {
	lanes := e.lanes()
	for _, d := range []struct {
		name, doc string
		op, join  op // join keeps of two zeros the larger or the smaller
	}{{"max", "largest", large, and}, {"min", "smallest", small, or}} {
		function(d.name+e.suffix, "func(x *"+e.name+", n int) "+e.name, "returns the "+d.doc+" of n ≥ 8 elements, of zeros either, NaN if one is.")
		x, n := param("x"), param("n")
		const unroll = 8
		var m []VecVirtual
		for range unroll {
			v := YMM()
			spread.emit(e, Mem{Base: x}, v)
			m = append(m, v)
		}
		nan := zeros(1)[0]
		one := func(mem Mem) {
			v, u := YMM(), YMM()
			move.emit(e, mem, v)
			cmp.emit(e, isUnordered, v, v, u)
			or.emit(e, u, nan, nan)
			d.op.emit(e, v, m[0], m[0])
		}
		sweep("", n, lanes, unroll, func(i Register) {
			for k := 0; k < unroll; k += 2 {
				v, w, u := YMM(), YMM(), YMM()
				move.emit(e, at(x, i, e.size, lanes, k), v)
				move.emit(e, at(x, i, e.size, lanes, k+1), w)
				cmp.emit(e, isUnordered, v, w, u)
				or.emit(e, u, nan, nan)
				d.op.emit(e, v, m[k], m[k])
				d.op.emit(e, w, m[k+1], m[k+1])
			}
		}, func(i Register) { one(at(x, i, e.size, lanes, 0)) },
			func(Register, Register) { one(Mem{Base: x, Index: n, Scale: uint8(e.size), Disp: -32}) })
		for h := unroll / 2; h > 0; h /= 2 {
			for k := range h {
				d.op.emit(e, m[k+h], m[k], m[k])
			}
		}
		r, t := m[0].AsX(), XMM()
		VEXTRACTF128(Imm(1), m[0], t)
		d.op.emit(e, t, r, r)
		VPSRLDQ(Imm(8), r, t)
		d.op.emit(e, t, r, r)
		if e.size == 4 {
			VPSRLDQ(Imm(4), r, t)
			d.op.emit(e, t, r, r)
		}
		// All bits set is a NaN.
		found, bad := GP32(), GP64()
		bits.emit(e, nan, found)
		XORQ(bad, bad)
		NEGL(found)
		SBBQ(bad, bad)
		set := XMM()
		VMOVQ(bad, set)
		or.emit(e, set, r, r)
		Store(r, ReturnIndex(0))
		finish()

		function(d.name+"Rows"+e.suffix, "func(acc *"+e.name+", width int, x *"+e.name+", n, stride int)", "sets acc[j] to the "+d.doc+" of it and x[j], x[stride+j], … over n ≥ 1 rows, NaN if one is.")
		acc, width, x, n, stride := param("acc"), param("width"), param("x"), param("n"), param("stride")
		IMUL3Q(Imm(uint64(e.size)), stride, stride)
		strips(e, width, lanes, 4, func(i Register, count int, mask VecVirtual) {
			m, nan := zeros(count), zeros(count)
			for k := range count {
				if mask != nil {
					masked.emit(e, at(acc, i, e.size, lanes, k), mask, m[k])
				} else {
					move.emit(e, at(acc, i, e.size, lanes, k), m[k])
				}
				cmp.emit(e, isUnordered, m[k], m[k], nan[k])
			}
			down(label(count, mask), e, x, i, n, stride, func(p Register) {
				for k := range count {
					v, u := YMM(), YMM()
					if mask != nil {
						masked.emit(e, Mem{Base: p}, mask, v)
					} else {
						move.emit(e, Mem{Base: p, Disp: 32 * k}, v)
					}
					cmp.emit(e, isUnordered, v, v, u)
					or.emit(e, u, nan[k], nan[k])
					// Of equal operands each gives the other.
					d.op.emit(e, v, m[k], u)
					d.op.emit(e, m[k], v, m[k])
					d.join.emit(e, u, m[k], m[k])
				}
			})
			for k := range count {
				or.emit(e, nan[k], m[k], m[k])
				if mask != nil {
					masked.emit(e, m[k], mask, at(acc, i, e.size, lanes, k))
				} else {
					move.emit(e, m[k], at(acc, i, e.size, lanes, k))
				}
			}
		})
		finish()
	}
	find(e)
}

// find writes the search for a pattern of bits.
func find(e elem) {
	lanes := e.lanes()
	function("find"+e.suffix, "func(x *"+e.name+", n int, v "+e.name+") int", "returns the index of the first of n ≥ 8 elements that has the bits of v, -1 if none has.")
	x, n := param("x"), param("n")
	want := YMM()
	spread.emit(e, Load(Param("v"), XMM()), want)
	found, result := GP32(), GP64()
	i, next := GP64(), GP64()
	XORQ(i, i)
	Label("Blocks")
	LEAQ(Mem{Base: i, Disp: 4 * lanes}, next)
	CMPQ(next, n)
	JGT(LabelRef("Vectors"))
	var c [4]VecVirtual
	for k := range c {
		c[k] = YMM()
		equal.emit(e, at(x, i, e.size, lanes, k), want, c[k])
	}
	VPOR(c[1], c[0], c[0])
	VPOR(c[3], c[2], c[2])
	VPOR(c[2], c[0], c[0])
	bits.emit(e, c[0], found)
	TESTL(found, found)
	JNZ(LabelRef("Vectors")) // it is in one of the four
	ADDQ(Imm(uint64(4*lanes)), i)
	JMP(LabelRef("Blocks"))
	Label("Vectors")
	CMPQ(i, n)
	JGE(LabelRef("None"))
	LEAQ(Mem{Base: i, Disp: lanes}, next)
	CMPQ(next, n)
	JLE(LabelRef("Whole"))
	LEAQ(Mem{Base: n, Disp: -lanes}, i) // what is before has been seen
	Label("Whole")
	v := YMM()
	equal.emit(e, at(x, i, e.size, lanes, 0), want, v)
	bits.emit(e, v, found)
	ADDQ(Imm(uint64(lanes)), i)
	TESTL(found, found)
	JZ(LabelRef("Vectors"))
	BSFL(found, found)
	LEAQ(Mem{Base: i, Index: found.As64(), Scale: 1, Disp: -lanes}, result)
	Store(result, ReturnIndex(0))
	finish()
	Label("None")
	MOVQ(I32(-1), result)
	Store(result, ReturnIndex(0))
	finish()
}
