package gemm

import "golang.org/x/sys/cpu"

type instructionSet struct {
	name string
	use  func()
}

func instructions() []instructionSet {
	list := []instructionSet{{"AVX2", useAVX2}}
	if cpu.X86.HasAVX512F {
		list = append(list, instructionSet{"AVX-512", useAVX512})
	}
	return list
}
