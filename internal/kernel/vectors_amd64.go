package kernel

import "golang.org/x/sys/cpu"

func init() {
	if !cpu.X86.HasAVX2 || !cpu.X86.HasFMA {
		return
	}
	single = &vectors[float32]{
		unary:   [...]func(dst, x *float32, n int){sqrt32, neg32, abs32},
		binary:  [...]func(dst, x, y *float32, n int){add32, sub32, mul32, div32, squaredDifference32},
		ternary: [...]func(dst, x, y, z *float32, n int){mulAdd32, mulSub32, subMul32},
		compare: [...]func(dst *bool, x, y *float32, n int){equal32, notEqual32, less32, lessEqual32},
		choose:  choose32, axpy: axpy32,
		sum: sum32, dot: dot32, squares: squares32, sumRows: sumRows32, squareRows: squaresRows32,
		max: max32, min: min32, maxRows: maxRows32, minRows: minRows32, find: find32,
		runSums: runSums32, runPrefixes: runPrefixes32,
	}
	double = &vectors[float64]{
		unary:   [...]func(dst, x *float64, n int){sqrt64, neg64, abs64},
		binary:  [...]func(dst, x, y *float64, n int){add64, sub64, mul64, div64, squaredDifference64},
		ternary: [...]func(dst, x, y, z *float64, n int){mulAdd64, mulSub64, subMul64},
		compare: [...]func(dst *bool, x, y *float64, n int){equal64, notEqual64, less64, lessEqual64},
		choose:  choose64, axpy: axpy64,
		sum: sum64, dot: dot64, squares: squares64, sumRows: sumRows64, squareRows: squaresRows64,
		max: max64, min: min64, maxRows: maxRows64, minRows: minRows64, find: find64,
		runSums: runSums64, runPrefixes: runPrefixes64,
	}
}
