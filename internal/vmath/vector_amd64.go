package vmath

import "golang.org/x/sys/cpu"

func best() instructionSet {
	x := &cpu.X86
	switch {
	case !x.HasAVX2 || !x.HasFMA:
		return pureGo
	case x.HasAVX512F && x.HasAVX512DQ && x.HasAVX512VL:
		return avx512
	}
	return avx2
}
