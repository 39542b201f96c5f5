// Command vmath writes the vector instructions of package internal/vmath: each function
// for vectors of 256 bits (AVX2 and FMA) and of 512 (AVX-512 F, DQ and VL), which do the
// same operations.
package main

import (
	"fmt"
	"strings"

	. "github.com/mmcloughlin/avo/build"
)

// functions are what there is, in the order of the constants in vmath.go. Those that are
// short compute float32 in lanes of float64.
var functions = []function{
	{"sqrt", 1, false, func(p *program) { p.result = p.sqrt(p.arg(0)) }},
	{"exp", 1, false, exp},
	{"exp2", 1, false, exp2},
	{"expm1", 1, false, expm1},
	{"log", 1, false, log},
	{"log2", 1, false, log2},
	{"log10", 1, false, log10},
	{"log1p", 1, false, log1p},
	{"sinh", 1, false, sinh},
	{"cosh", 1, false, cosh},
	{"tanh", 1, false, tanh},
	{"asinh", 1, false, asinh},
	{"acosh", 1, false, acosh},
	{"atanh", 1, false, atanh},
	{"sin", 1, false, sin},
	{"cos", 1, false, cos},
	{"tan", 1, false, tan},
	{"asin", 1, false, asin},
	{"acos", 1, false, acos},
	{"atan", 1, false, atan},
	{"cbrt", 1, false, cbrt},
	{"pow", 2, true, pow},
	{"atan2", 2, false, atan2},
	{"hypot", 2, false, hypot},
}

type function struct {
	name  string
	args  int
	short bool
	write func(*program)
}

// number is the expression of the function's number in package vmath.
func (f function) number() string {
	n := "fn" + strings.ToUpper(f.name[:1]) + f.name[1:]
	if f.args == 2 {
		n += " + numUnary"
	}
	return n
}

func main() {
	ConstraintExpr("amd64")
	for _, f := range functions {
		for _, elem := range []int{64, 32} {
			bits := elem
			if f.short {
				bits = 64
			}
			for _, wide := range []bool{false, true} {
				p := newProgram(bits, elem, f.args)
				f.write(p)
				e := &emitter{program: p, wide: wide}
				e.emit(fmt.Sprintf("%sF%dx%d", f.name, elem, e.lanes()))
			}
		}
	}
	writeConstants()
	writeCalls()
	Generate()
}
