package strips

import "golang.org/x/sys/cpu"

//go:generate go run -C ../asmgen ./strips -out ../strips/z_amd64.s -stubs ../strips/z_amd64.go -pkg strips

func init() {
	switch {
	case cpu.X86.HasAVX512F && cpu.X86.HasAVX512VL:
		useAVX512()
	case cpu.X86.HasAVX2 && cpu.X86.HasFMA:
		useAVX2()
	}
}

func useAVX512() {
	kernels32 = kernels[float32]{4, dots512Float32, sub512Float32, eliminate512Float32, scale512Float32}
	kernels64 = kernels[float64]{4, dots512Float64, sub512Float64, eliminate512Float64, scale512Float64}
}

func useAVX2() {
	kernels32 = kernels[float32]{1, dots2Float32, sub2Float32, eliminate2Float32, scale2Float32}
	kernels64 = kernels[float64]{1, dots2Float64, sub2Float64, eliminate2Float64, scale2Float64}
}
