package recycle

import (
	"sync/atomic"
	"syscall"
	"unsafe"
)

const (
	hugePage = 2 << 20
	// hugeBytes is the size from which on blocks ask for huge pages.
	hugeBytes = 1 << 20
	advice    = 14 // MADV_HUGEPAGE
)

// adviseHuge asks for huge pages under b and around it up to their boundaries,
// which stays inside an arena of Go's heap, as those are multiples of 64 MiB (4 MiB
// on 32-bit machines). That is only a wish, and does not change what memory holds.
func adviseHuge(b []byte) {
	at := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	lo := at &^ (hugePage - 1)
	hi := (at + uintptr(len(b)) + hugePage - 1) &^ (hugePage - 1)
	syscall.Syscall(syscall.SYS_MADVISE, lo, hi-lo, advice)
}

// advised has the 4 MiB of memory that small blocks have last been seen in, in the
// places that their addresses say.
var advised [1 << 10]atomic.Uintptr

// adviseAround asks for huge pages for the part of Go's heap around p, once: Go
// gives out its heap by 4 MiB, and a program that makes many small results goes
// through all of it between two collections.
func adviseAround(p unsafe.Pointer) {
	const step = 4 << 20
	at := uintptr(p) &^ (step - 1)
	seen := &advised[at/step%uintptr(len(advised))]
	if seen.Load() != at {
		seen.Store(at)
		syscall.Syscall(syscall.SYS_MADVISE, at, step, advice)
	}
}
