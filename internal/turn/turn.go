// Package turn copies tiles of transposed arrays with vector instructions.
package turn

import "unsafe"

//go:generate go run -C ../asmgen ./turn -out ../turn/z_amd64.s -stubs ../turn/z_amd64.go -pkg turn

// Works reports whether [Tile] copies elements of size bytes on this processor.
func Works(size int) bool { return enabled && (size == 4 || size == 8) }

// Tile copies to dst as many rows and columns as vectors divide of a tile of m rows
// and n columns, and returns how many these are: none unless [Works]. Element j of
// row i is src[i+j·sc], and is written to dst[i·dr+j]; strides count elements.
// Tiles with many rows and few columns are fastest: they read memory in order.
func Tile(dst unsafe.Pointer, dr int, src unsafe.Pointer, sc, m, n, size int) (rows, cols int) {
	if !Works(size) {
		return 0, 0
	}
	rows, cols = m&^7, n&^(32/size-1)
	if rows == 0 || cols == 0 {
		return 0, 0
	}
	for i := 0; i < rows; i += 8 {
		strip(unsafe.Add(dst, i*dr*size), dr*size, unsafe.Add(src, i*size), sc*size, cols, size)
	}
	return rows, cols
}
