package gemm

import "golang.org/x/sys/cpu"

//go:generate go run -C ../asmgen ./gemm -out ../gemm/z_amd64.s -stubs ../gemm/z_amd64.go -pkg gemm

var (
	tiles64 tile[float64]
	tiles32 tile[float32]
)

func init() {
	switch {
	case cpu.X86.HasAVX512F && cpu.X86.HasAVX512VL:
		useAVX512()
	case cpu.X86.HasAVX2 && cpu.X86.HasFMA:
		useAVX2()
	}
}

func useAVX512() {
	tiles64 = tile[float64]{12, 16, tile512Float64}
	tiles32 = tile[float32]{12, 32, tile512Float32}
}

func useAVX2() {
	tiles64 = tile[float64]{6, 8, tile2Float64}
	tiles32 = tile[float32]{6, 16, tile2Float32}
}
