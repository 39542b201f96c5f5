// Command gemm writes the vector instructions of package internal/gemm.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// unroll is how many steps the long loop takes at once.
const unroll = 4

func main() {
	// Two vectors in each row of the tile, and as many rows as leave registers for
	// two vectors of b and one or two of a's elements.
	for _, bits := range []int{64, 32} {
		tile("tile2", 32, 6, bits)
		tile("tile512", 64, 12, bits)
	}
	Generate()
}

// tile writes the function that multiplies rows × 2 vectors of size bytes.
func tile(name string, size, rows, bits int) {
	elem := bits / 8
	vector := YMM
	if size == 64 {
		vector = ZMM
	}
	double := bits == 64
	T := fmt.Sprintf("float%d", bits)
	name = fmt.Sprintf("%sFloat%d", name, bits)
	TEXT(name, NOSPLIT, fmt.Sprintf("func(k int, a, b, c *%s, ldc int, alpha %s, add bool)", T, T))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s sets a tile of c, %d × %d, to alpha·a·b, or adds that, for a and b that are packed.", name, rows, 2*size/elem))

	k := Load(Param("k"), GP64())
	a := Load(Param("a"), GP64())
	b := Load(Param("b"), GP64())
	c := Load(Param("c"), GP64())
	ldc := Load(Param("ldc"), GP64())
	SHLQ(U8(map[int]int{8: 3, 4: 2}[elem]), ldc)

	at := GP64()
	MOVQ(c, at)
	for range rows { // the tile is there when the product is
		PREFETCHT0(Mem{Base: at})
		PREFETCHT0(Mem{Base: at, Disp: 2*size - 1})
		ADDQ(ldc, at)
	}
	sums := make([][2]reg.VecVirtual, rows)
	for i := range sums {
		for j := range sums[i] {
			v := vector()
			if size == 64 {
				VPXORQ(v, v, v)
			} else {
				VXORPS(v, v, v)
			}
			sums[i][j] = v
		}
	}
	bs := [2]reg.VecVirtual{vector(), vector()}
	step := func(s int) {
		for j := range bs {
			VMOVUPS(Mem{Base: b, Disp: (2*s + j) * size}, bs[j])
		}
		for i := range sums {
			x := vector()
			m := Mem{Base: a, Disp: (s*rows + i) * elem}
			if double {
				VBROADCASTSD(m, x)
			} else {
				VBROADCASTSS(m, x)
			}
			for j := range bs {
				if double {
					VFMADD231PD(bs[j], x, sums[i][j])
				} else {
					VFMADD231PS(bs[j], x, sums[i][j])
				}
			}
		}
	}
	advance := func(n int) {
		ADDQ(U32(n*rows*elem), a)
		ADDQ(U32(n*2*size), b)
		SUBQ(U8(n), k)
	}
	Label("many")
	CMPQ(k, U8(unroll))
	JL(LabelRef("few"))
	for s := range unroll {
		step(s)
	}
	advance(unroll)
	JMP(LabelRef("many"))
	Label("few")
	CMPQ(k, U8(0))
	JE(LabelRef("done"))
	step(0)
	advance(1)
	JMP(LabelRef("few"))

	Label("done")
	alpha := vector()
	p, err := Param("alpha").Resolve()
	if err != nil {
		panic(err)
	}
	if double {
		VBROADCASTSD(p.Addr, alpha)
	} else {
		VBROADCASTSS(p.Addr, alpha)
	}
	add := Load(Param("add"), GP8())
	TESTB(add, add)
	JE(LabelRef("set"))
	for i := range sums {
		for j := range sums[i] {
			x := vector()
			m := Mem{Base: c, Disp: j * size}
			VMOVUPS(m, x)
			if double {
				VFMADD231PD(alpha, sums[i][j], x)
			} else {
				VFMADD231PS(alpha, sums[i][j], x)
			}
			VMOVUPS(x, m)
		}
		ADDQ(ldc, c)
	}
	VZEROUPPER()
	RET()
	Label("set")
	for i := range sums {
		for j := range sums[i] {
			if double {
				VMULPD(alpha, sums[i][j], sums[i][j])
			} else {
				VMULPS(alpha, sums[i][j], sums[i][j])
			}
			VMOVUPS(sums[i][j], Mem{Base: c, Disp: j * size})
		}
		ADDQ(ldc, c)
	}
	VZEROUPPER()
	RET()
}
