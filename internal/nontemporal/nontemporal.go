// Package nontemporal writes memory past the caches.
//
// A store that misses the caches first reads the line that it changes, and in the end
// drives another one out. Where a result is much larger than the caches, both are for
// nothing: non-temporal stores write whole lines to memory and read none (Intel,
// Optimization Reference Manual, "Non-temporal stores"). They pay where the result would
// not stay in the caches anyway, and cost where it would have.
package nontemporal

import (
	"sync/atomic"
	"unsafe"
)

//go:generate go run -C ../asmgen ./nontemporal -out ../nontemporal/z_amd64.s -stubs ../nontemporal/z_amd64.go -pkg nontemporal

// Bytes is the size of a result from which on it is to be written past the caches.
const Bytes = 16 << 20

var threshold atomic.Int64

func init() { threshold.Store(Bytes) }

// SetBytes sets the size that is [Bytes] at first, for tests, and returns the one before.
func SetBytes(n int) int { return int(threshold.Swap(int64(n))) }

// line is the size of a line of the caches.
const line = 64

// Pays reports whether [Copy] should write a result of that many bytes.
func Pays(bytes int) bool { return enabled && int64(bytes) >= threshold.Load() }

// leading returns how many of the n elements of size bytes at p lie before the first whole
// line, n if there is no such line or elements do not begin with one.
func leading(p unsafe.Pointer, n, size int) int {
	before := int(-uintptr(p) % line)
	if before%size != 0 {
		return n
	}
	return min(n, before/size)
}

// Copy copies len(dst) elements of src, which dst does not overlap, whole lines past the
// caches. What it has written may be read by others only after [Fence].
func Copy[T any](dst, src []T) { CopyAhead(dst, src, nil, nil) }

// CopyAhead is [Copy], and has as much memory at x and at y read ahead, unless x is nil.
// Nothing is wrong with addresses that no memory has.
func CopyAhead[T any](dst, src []T, x, y unsafe.Pointer) {
	size := int(unsafe.Sizeof(*new(T)))
	src = src[:len(dst)]
	if len(dst) == 0 || size == 0 {
		return
	}
	lead := leading(unsafe.Pointer(&dst[0]), len(dst), size)
	whole := (len(dst) - lead) * size / line * line
	if !enabled || whole == 0 || whole%size != 0 {
		copy(dst, src)
		return
	}
	copy(dst[:lead], src)
	d, s := (*byte)(unsafe.Pointer(&dst[lead])), (*byte)(unsafe.Pointer(&src[lead]))
	if x == nil {
		lines(d, s, whole)
	} else {
		linesAhead(d, s, whole, (*byte)(x), (*byte)(y))
	}
	lead += whole / size
	copy(dst[lead:], src[lead:])
}

// Fence ends a series of copies.
func Fence() {
	if enabled {
		fence()
	}
}
