package turn

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

var enabled = cpu.X86.HasAVX

func strip(dst unsafe.Pointer, dr int, src unsafe.Pointer, sc, n, size int) {
	if size == 8 {
		turn64((*uint64)(dst), dr, (*uint64)(src), sc, n)
		return
	}
	turn32((*uint32)(dst), dr, (*uint32)(src), sc, n)
}
