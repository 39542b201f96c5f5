package nd

import (
	"sync"
	"unsafe"

	"caloric/internal/nontemporal"
	"caloric/internal/turn"
)

// tileSide is the number of elements along a side of the tiles of a copy that
// changes the order of axes. A tile's lines on both sides stay in a second level
// cache, and a row of it is long enough for memory to be read ahead.
const tileSide = 64

// Vectors turn tiles of this many rows and columns: a row is a line or two of a
// cache, and the source is read in order.
const (
	turnRows = 2048
	turnCols = 16
)

// A tile that is written past the caches has this many rows and bytes, which fit a second
// level cache; its rows are long enough for most of them to be whole lines.
const (
	stageRows  = 1024
	stageBytes = 128 << 10
)

var stages = sync.Pool{New: func() any { return new([stageBytes / 16]complex128) }}

// tiledAxis returns the axis along which the source of a copy is closer together
// than along the last, which the destination steps through fastest, so that it pays
// to copy by tiles of the two; -1 if there is none.
func (w *walk) tiledAxis() int {
	last := w.ndim - 1
	if w.shape[last] < 4 || abs(w.stride[1][last]) <= 1 {
		return -1
	}
	best := -1
	for k := range last {
		s := abs(w.stride[1][k])
		if s != 0 && s < abs(w.stride[1][last]) && w.shape[k] >= 4 && (best < 0 || s < abs(w.stride[1][best])) {
			best = k
		}
	}
	return best
}

// copyTiles copies src to dst by tiles of the last axis and axis k.
func copyTiles[T Element](w *walk, k int, dst, src []T) {
	last := w.ndim - 1
	rows, cols := w.shape[k], w.shape[last]
	dr, dc := w.stride[0][k], w.stride[0][last]
	sr, sc := w.stride[1][k], w.stride[1][last]
	outer := *w
	outer.moveAxis(k, last)
	outer.ndim--
	outer.shape[k] = 1 // what is left of the two
	if k != last-1 {
		outer.swapAxes(k, last-1)
	}
	turns := dc == 1 && sr == 1 && dr > 0 && sc > 0
	tall, wide := tileSide, tileSide
	if turns && turn.Works(itemSize[T]()) {
		tall, wide = turnRows, turnCols
	}
	var stage []T // where tiles are turned that are written past the caches
	if turns && w.past {
		tall, wide = stageRows, stageBytes/stageRows/itemSize[T]()
		buf := stages.Get().(*[stageBytes / 16]complex128)
		defer stages.Put(buf)
		defer nontemporal.Fence()
		stage = unsafe.Slice((*T)(unsafe.Pointer(buf)), tall*wide)
	}
	for r := outer.rows(); r.next(); {
		for i := 0; i < rows; i += tall {
			for j := 0; j < cols; j += wide {
				m, n := min(tall, rows-i), min(wide, cols-j)
				d, s := r.off[0]+i*dr+j*dc, r.off[1]+i*sr+j*sc
				if stage != nil {
					turnTile(stage, wide, src[s:], sc, m, n)
					for q := range m {
						nontemporal.Copy(dst[d+q*dr:][:n], stage[q*wide:])
					}
					continue
				}
				if turns {
					turnTile(dst[d:], dr, src[s:], sc, m, n)
					continue
				}
				for range m {
					for q := range n {
						dst[d+q*dc] = src[s+q*sc]
					}
					d, s = d+dr, s+sr
				}
			}
		}
	}
}

// turnTile copies a tile of m rows and n columns whose source has its elements
// along a column side by side.
func turnTile[T Element](dst []T, dr int, src []T, sc, m, n int) {
	_, _ = dst[(m-1)*dr+n-1], src[(n-1)*sc+m-1] // Tile does not check
	rows, cols := turn.Tile(unsafe.Pointer(&dst[0]), dr, unsafe.Pointer(&src[0]), sc, m, n, itemSize[T]())
	if cols < n {
		turnPart(dst[cols:], dr, src[cols*sc:], sc, rows, n-cols)
	}
	if rows < m {
		turnPart(dst[rows*dr:], dr, src[rows:], sc, m-rows, n)
	}
}

// turnPart copies eight rows at a time, so that a line of the source is read once.
func turnPart[T Element](dst []T, dr int, src []T, sc, m, n int) {
	i := 0
	for ; i+8 <= m; i += 8 {
		d0, d1, d2, d3 := dst[i*dr:][:n], dst[(i+1)*dr:][:n], dst[(i+2)*dr:][:n], dst[(i+3)*dr:][:n]
		d4, d5, d6, d7 := dst[(i+4)*dr:][:n], dst[(i+5)*dr:][:n], dst[(i+6)*dr:][:n], dst[(i+7)*dr:][:n]
		for q := range n {
			s := (*[8]T)(src[q*sc+i:])
			d0[q], d1[q], d2[q], d3[q] = s[0], s[1], s[2], s[3]
			d4[q], d5[q], d6[q], d7[q] = s[4], s[5], s[6], s[7]
		}
	}
	for ; i < m; i++ {
		for q := range n {
			dst[i*dr+q] = src[q*sc+i]
		}
	}
}
