// Command kernel writes the vector instructions of package internal/kernel.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

func main() {
	TEXT("sumWide", NOSPLIT, "func(x []float32) float64")
	Doc("sumWide returns the sum of x in double precision.")
	p := Load(Param("x").Base(), GP64())
	_ = Mem{Base: p}
	acc := ZMM()
	VXORPD(acc, acc, acc)
	VCVTPS2PD(Mem{Base: p}, acc)
	Store(acc.AsX(), ReturnIndex(0))
	RET()
	Generate()
}
