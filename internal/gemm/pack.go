package gemm

import (
	"unsafe"

	"caloric/internal/turn"
)

// pack copies indices i0 ≤ i < i0+n across and p0 ≤ p < p0+k along to dst in panels of
// width indices, each in the order of p, and fills the last panel up with zeros.
func (x operand[T]) pack(dst []T, i0, n, p0, k, width int) {
	for i := 0; i < n; i += width {
		panel := dst[i*k:][:width*k]
		w := min(width, n-i)
		if w < width {
			clear(panel)
		}
		src := x.data[(i0+i)*x.across+p0*x.along:]
		if x.across == 1 {
			packLines(panel, src, w, k, width, x.along)
		} else {
			packTransposed(panel, src, w, k, width, x.across)
		}
	}
}

// packLines copies k lines of w elements beside each other.
func packLines[T Float](panel, src []T, w, k, width, along int) {
	if w == width {
		switch width {
		case 8:
			for p := range k {
				*(*[8]T)(panel[p*8:]) = *(*[8]T)(src[p*along:])
			}
			return
		case 12:
			for p := range k {
				*(*[12]T)(panel[p*12:]) = *(*[12]T)(src[p*along:])
			}
			return
		case 16:
			for p := range k {
				*(*[16]T)(panel[p*16:]) = *(*[16]T)(src[p*along:])
			}
			return
		case 32:
			for p := range k {
				*(*[32]T)(panel[p*32:]) = *(*[32]T)(src[p*along:])
			}
			return
		}
	}
	for p := range k {
		copy(panel[p*width:][:w], src[p*along:])
	}
}

// packTransposed copies w lines of k elements to columns.
func packTransposed[T Float](panel, src []T, w, k, width, across int) {
	rows, i := turn.Tile(unsafe.Pointer(&panel[0]), width, unsafe.Pointer(&src[0]), across, k, w, int(unsafe.Sizeof(src[0])))
	for j := range i {
		for p := rows; p < k; p++ {
			panel[p*width+j] = src[j*across+p]
		}
	}
	for ; i+4 <= w; i += 4 {
		s0, s1 := src[i*across:][:k], src[(i+1)*across:][:k]
		s2, s3 := src[(i+2)*across:][:k], src[(i+3)*across:][:k]
		at := i
		for p, v := range s0 {
			d := panel[at : at+4 : at+4]
			d[0], d[1], d[2], d[3] = v, s1[p], s2[p], s3[p]
			at += width
		}
	}
	for ; i < w; i++ {
		at := i
		for _, v := range src[i*across:][:k] {
			panel[at] = v
			at += width
		}
	}
}
