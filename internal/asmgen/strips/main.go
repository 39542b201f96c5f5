// Command strips writes the vector instructions of package internal/strips.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	width    = 4 // columns of a strip
	together = 8 // rows of a strip that are loaded at once
)

// isa is a set of instructions on numbers of some bits.
type isa struct {
	suffix  string
	size    int // bytes of a vector
	bits    int
	vectors int // of 64 bytes that a row of the wide matrix may have
}

func main() {
	for _, bits := range []int{64, 32} {
		for _, i := range []isa{{"2", 32, bits, 1}, {"512", 64, bits, 4}} {
			i.dots()
			i.sub()
			i.eliminate()
			i.scale()
		}
	}
	Generate()
}

func (i isa) elem() int { return i.bits / 8 }

func (i isa) text(name, signature, doc string) {
	T := fmt.Sprintf("float%d", i.bits)
	name = fmt.Sprintf("%s%sFloat%d", name, i.suffix, i.bits)
	TEXT(name, NOSPLIT, fmt.Sprintf(signature, T))
	Pragma("noescape")
	Doc(name + " " + doc)
}

func (i isa) vector() reg.VecVirtual {
	if i.size == 64 {
		return ZMM()
	}
	return YMM()
}

func (i isa) zero() reg.VecVirtual {
	v := i.vector()
	if i.size == 64 {
		VPXORQ(v, v, v)
	} else {
		VXORPS(v, v, v)
	}
	return v
}

func (i isa) broadcast(m Op, v Op) {
	if i.bits == 64 {
		VBROADCASTSD(m, v)
	} else {
		VBROADCASTSS(m, v)
	}
}

// add is c += a·b.
func (i isa) add(a, b, c Op) {
	if i.bits == 64 {
		VFMADD231PD(a, b, c)
	} else {
		VFMADD231PS(a, b, c)
	}
}

// take is c -= a·b.
func (i isa) take(a, b, c Op) {
	if i.bits == 64 {
		VFNMADD231PD(a, b, c)
	} else {
		VFNMADD231PS(a, b, c)
	}
}

func (i isa) mul(a, b, c Op) {
	if i.bits == 64 {
		VMULPD(a, b, c)
	} else {
		VMULPS(a, b, c)
	}
}

func (i isa) plus(a, b, c Op) {
	if i.bits == 64 {
		VADDPD(a, b, c)
	} else {
		VADDPS(a, b, c)
	}
}

// bytes loads a stride of elements and returns it in bytes.
func (i isa) bytes(param string) reg.Register {
	r := Load(Param(param), GP64())
	SHLQ(U8(map[int]int{8: 3, 4: 2}[i.elem()]), r)
	return r
}

// vectorsLoop writes code for each number of vectors, of which the parameter tells one.
func (i isa) variants(code func(n int)) {
	if i.vectors == 1 {
		code(64 / i.size)
		return
	}
	n := Load(Param("vectors"), GP64())
	for k := i.vectors; k > 1; k-- {
		CMPQ(n, U8(k))
		JE(LabelRef(fmt.Sprint("vectors", k)))
	}
	for k := 1; k <= i.vectors; k++ {
		Label(fmt.Sprint("vectors", k))
		code(k)
	}
}

// loop writes a loop of n steps, n ≥ 1.
func loop(name string, n reg.Register, step int, body func()) {
	Label(name)
	body()
	SUBQ(U8(step), n)
	JG(LabelRef(name))
}

func (i isa) dots() {
	i.text("dots", "func(rows int, v *%[1]s, ldv int, c *%[1]s, ldc int, y *%[1]s, ldy int, vectors int)",
		"adds to y the products of four columns v with those of c.")
	rows := Load(Param("rows"), GP64())
	v, ldv := Load(Param("v"), GP64()), i.bytes("ldv")
	c, ldc := Load(Param("c"), GP64()), i.bytes("ldc")
	y, ldy := Load(Param("y"), GP64()), i.bytes("ldy")
	i.variants(func(n int) {
		sums := make([][]reg.VecVirtual, width)
		for k := range sums {
			for range n {
				sums[k] = append(sums[k], i.zero())
			}
		}
		loop(fmt.Sprint("rows", n), rows, 1, func() {
			cs := make([]reg.VecVirtual, n)
			for j := range cs {
				cs[j] = i.vector()
				VMOVUPS(Mem{Base: c, Disp: j * i.size}, cs[j])
			}
			for k := range sums {
				x := i.vector()
				i.broadcast(Mem{Base: v, Disp: k * i.elem()}, x)
				for j := range cs {
					i.add(cs[j], x, sums[k][j])
				}
			}
			ADDQ(ldv, v)
			ADDQ(ldc, c)
		})
		for k := range sums {
			for j, s := range sums[k] {
				m := Mem{Base: y, Disp: j * i.size}
				i.plus(m, s, s)
				VMOVUPS(s, m)
			}
			ADDQ(ldy, y)
		}
		VZEROUPPER()
		RET()
	})
}

func (i isa) sub() {
	i.text("sub", "func(rows int, v *%[1]s, ldv int, c *%[1]s, ldc int, z *%[1]s, ldz int, vectors int)",
		"subtracts from c the product of four columns v with z.")
	rows := Load(Param("rows"), GP64())
	v, ldv := Load(Param("v"), GP64()), i.bytes("ldv")
	c, ldc := Load(Param("c"), GP64()), i.bytes("ldc")
	z, ldz := Load(Param("z"), GP64()), i.bytes("ldz")
	i.variants(func(n int) {
		zs := make([][]reg.VecVirtual, width)
		for k := range zs {
			for j := range n {
				x := i.vector()
				VMOVUPS(Mem{Base: z, Disp: j * i.size}, x)
				zs[k] = append(zs[k], x)
			}
			ADDQ(ldz, z)
		}
		loop(fmt.Sprint("rows", n), rows, 1, func() {
			cs := make([]reg.VecVirtual, n)
			for j := range cs {
				cs[j] = i.vector()
				VMOVUPS(Mem{Base: c, Disp: j * i.size}, cs[j])
			}
			for k := range zs {
				x := i.vector()
				i.broadcast(Mem{Base: v, Disp: k * i.elem()}, x)
				for j := range cs {
					i.take(zs[k][j], x, cs[j])
				}
			}
			for j := range cs {
				VMOVUPS(cs[j], Mem{Base: c, Disp: j * i.size})
			}
			ADDQ(ldv, v)
			ADDQ(ldc, c)
		})
		VZEROUPPER()
		RET()
	})
}

// perRow loads four numbers for each row of a vector.
func (i isa) perRow(m Mem) reg.VecVirtual {
	v := i.vector()
	switch {
	case i.size == 64 && i.bits == 64:
		VBROADCASTF64X4(m, v)
	case i.size == 64:
		VBROADCASTF32X4(m, v)
	case i.bits == 64:
		VMOVUPS(m, v)
	default:
		VBROADCASTF128(m, v)
	}
	return v
}

// column copies column j of each row to the row's others.
func (i isa) column(j int, x Op, v Op) {
	if i.bits == 64 {
		VPERMPD(U8(j*0x55), x, v)
	} else {
		VPERMILPS(U8(j*0x55), x, v)
	}
}

func (i isa) eliminate() {
	i.text("eliminate", "func(rows int, x, by, sums *%[1]s, j int)",
		"subtracts column j-1 times by from the columns of x, and multiplies them by column j.")
	rows := Load(Param("rows"), GP64())
	x := Load(Param("x"), GP64())
	by := i.perRow(Mem{Base: Load(Param("by"), GP64())})
	sums := Load(Param("sums"), GP64())
	j := Load(Param("j"), GP64())
	bytes := together * width * i.elem()
	for k := 1; k < width; k++ {
		CMPQ(j, U8(k))
		JE(LabelRef(fmt.Sprint("column", k)))
	}
	for k := range width {
		Label(fmt.Sprint("column", k))
		var acc []reg.VecVirtual
		for range bytes / i.size {
			acc = append(acc, i.zero())
		}
		loop(fmt.Sprint("rows", k), rows, together, func() {
			for a := range acc {
				m := Mem{Base: x, Disp: a * i.size}
				r, c := i.vector(), i.vector()
				VMOVUPS(m, r)
				if k > 0 {
					i.column(k-1, r, c)
					i.take(by, c, r)
					VMOVUPS(r, m)
				}
				i.column(k, r, c)
				i.add(r, c, acc[a])
			}
			ADDQ(U32(bytes), x)
		})
		for a, v := range acc {
			VMOVUPS(v, Mem{Base: sums, Disp: a * i.size})
		}
		VZEROUPPER()
		RET()
	}
}

func (i isa) scale() {
	i.text("scale", "func(rows int, x, by *%[1]s)", "multiplies the columns of x.")
	rows := Load(Param("rows"), GP64())
	x := Load(Param("x"), GP64())
	by := i.perRow(Mem{Base: Load(Param("by"), GP64())})
	bytes := together * width * i.elem()
	loop("rows", rows, together, func() {
		for a := range bytes / i.size {
			m, v := Mem{Base: x, Disp: a * i.size}, i.vector()
			i.mul(m, by, v)
			VMOVUPS(v, m)
		}
		ADDQ(U32(bytes), x)
	})
	VZEROUPPER()
	RET()
}
