package strips

import "golang.org/x/sys/cpu"

func init() {
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		instructions["AVX2"] = useAVX2
	}
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512VL {
		instructions["AVX-512"] = useAVX512
	}
}
