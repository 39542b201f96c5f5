package kernel

import (
	"bytes"
	"encoding/binary"
	"unsafe"
)

// bytesOf returns the memory of x, whose bytes are 0 and 1.
func bytesOf(x []bool) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

// All reports whether all of x is true.
func All(x []bool) bool { return bytes.IndexByte(bytesOf(x), 0) < 0 }

// Any reports whether some of x is true.
func Any(x []bool) bool { return bytes.IndexByte(bytesOf(x), 1) >= 0 }

// Count returns how many of x are true.
func Count(x []bool) int { return bytes.Count(bytesOf(x), []byte{1}) }

// And sets acc to acc and x, which is at least as long.
func And(acc, x []bool) {
	a, b := bytesOf(acc), bytesOf(x[:len(acc)])
	for ; len(a) >= 8 && len(b) >= 8; a, b = a[8:], b[8:] {
		binary.LittleEndian.PutUint64(a, binary.LittleEndian.Uint64(a)&binary.LittleEndian.Uint64(b))
	}
	for j := range a {
		a[j] &= b[j]
	}
}

// Or sets acc to acc or x, which is at least as long.
func Or(acc, x []bool) {
	a, b := bytesOf(acc), bytesOf(x[:len(acc)])
	for ; len(a) >= 8 && len(b) >= 8; a, b = a[8:], b[8:] {
		binary.LittleEndian.PutUint64(a, binary.LittleEndian.Uint64(a)|binary.LittleEndian.Uint64(b))
	}
	for j := range a {
		a[j] |= b[j]
	}
}
