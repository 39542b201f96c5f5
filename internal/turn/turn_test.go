package turn

import (
	"testing"
	"unsafe"
)

func check[T uint32 | uint64](t *testing.T, m, n, off int) {
	dr, sc, size := (n+off+7)&^7, m+3, int(unsafe.Sizeof(T(0)))
	src, memory := make([]T, sc*n+1), make([]T, m*dr+64)
	for i := range src {
		src[i] = T(i + 1)
	}
	dst := memory[off:]
	rows, cols := Tile(unsafe.Pointer(&dst[0]), dr, unsafe.Pointer(&src[0]), sc, m, n, size)
	if wr, wc := m&^7, n&^(32/size-1); Works(size) && wr*wc > 0 && (rows != wr || cols != wc) {
		t.Fatalf("%d×%d: %d rows, %d columns", m, n, rows, cols)
	}
	want := make([]T, len(memory))
	for i := range rows {
		for j := range cols {
			want[off+i*dr+j] = src[i+j*sc]
		}
	}
	for i, v := range memory {
		if v != want[i] {
			t.Fatalf("%d×%d at %d: element %d is %d, not %d", m, n, off, i, v, want[i])
		}
	}
}

// Every shape around the vectors', at every alignment, writes the tile and nothing else.
func TestTile(t *testing.T) {
	for _, m := range []int{0, 1, 7, 8, 9, 16, 33, 64} {
		for _, n := range []int{1, 3, 4, 7, 8, 12, 31, 64} {
			for off := range 9 {
				check[uint32](t, m, n, off)
				check[uint64](t, m, n, off)
			}
		}
	}
}
