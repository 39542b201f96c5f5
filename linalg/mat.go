package linalg

import (
	"unsafe"

	"caloric/nd"
)

// mat is a matrix in this rank's memory: element (i, j) is data[off+i*rs+j*cs].
type mat[T nd.Number] struct {
	data       []T
	off        int
	rows, cols int
	rs, cs     int
}

// dense returns the rows × cols matrix in C order at the start of data.
func dense[T nd.Number](data []T, rows, cols int) mat[T] {
	return mat[T]{data: data, rows: rows, cols: cols, rs: cols, cs: 1}
}

// left returns this rank's part of a as the left operand of a product, in which
// a vector is a row.
func left[T nd.Number](a *nd.NDArray[T]) mat[T] {
	if a.NDim() == 1 {
		return right(a).t()
	}
	return right(a)
}

// right returns this rank's part of a as the right operand of a product, in
// which a vector is a column.
func right[T nd.Number](a *nd.NDArray[T]) mat[T] {
	data, off, strides := a.Memory()
	m := mat[T]{data: data, off: off, rows: localExtent(a, 0), cols: 1, rs: strides[0], cs: 1}
	if a.NDim() == 2 {
		m.cols, m.cs = localExtent(a, 1), strides[1]
	}
	return m
}

// localExtent returns the extent of this rank's part of a along axis k. Unlike
// a.LocalShape it makes no copy.
func localExtent[T nd.Element](a *nd.NDArray[T], k int) int {
	l := a.Layout()
	if l.Axis() == nd.Axis(k) {
		lo, hi := l.Range(a.Comm().Rank())
		return hi - lo
	}
	return l.Shape()[k]
}

// t returns the transpose.
func (m mat[T]) t() mat[T] {
	m.rows, m.cols, m.rs, m.cs = m.cols, m.rows, m.cs, m.rs
	return m
}

// rowRange returns rows lo ≤ i < hi.
func (m mat[T]) rowRange(lo, hi int) mat[T] {
	if lo < hi && m.cols > 0 { // the offset of nothing has to stay inside the memory
		m.off += lo * m.rs
	}
	m.rows = hi - lo
	return m
}

// colRange returns columns lo ≤ j < hi.
func (m mat[T]) colRange(lo, hi int) mat[T] { return m.t().rowRange(lo, hi).t() }

// contiguous reports whether the matrix lies in C order without gaps.
func (m mat[T]) contiguous() bool {
	return (m.cs == 1 || m.cols <= 1) && (m.rs == m.cols || m.rows <= 1) || m.rows == 0 || m.cols == 0
}

// elements returns the elements of a contiguous matrix.
func (m mat[T]) elements() []T { return m.data[m.off:][:m.rows*m.cols] }

// blasLayout says how BLAS, which knows matrices in C order with a gap after
// each row, and their transposes, sees the matrix.
func (m mat[T]) blasLayout() (trans bool, ld int, ok bool) {
	switch {
	case m.rows <= 1 && (m.cs == 1 || m.cols <= 1):
		return false, max(1, m.cols), true
	case (m.cs == 1 || m.cols <= 1) && m.rs >= max(1, m.cols):
		return false, m.rs, true
	case m.cols <= 1 && m.rs == 1:
		return true, max(1, m.rows), true
	case (m.rs == 1 || m.rows <= 1) && m.cs >= max(1, m.rows):
		return true, m.cs, true
	}
	return false, 0, false
}

// tile is the side of the squares in which a matrix is copied, so that both
// the rows of one and the columns of the other stay in cache.
const tile = 32

// copyMat copies src to dst, which has the same shape and other memory.
func copyMat[T nd.Number](dst, src mat[T]) {
	switch {
	case src.rows == 0 || src.cols == 0:
		return
	case dst.rs == 1 && (dst.cs != 1 || src.cols == 1): // write along the rows
		dst, src = dst.t(), src.t()
	}
	if dst.cs == 1 && src.cs == 1 {
		if dst.contiguous() && src.contiguous() {
			copy(dst.elements(), src.elements())
			return
		}
		if src.cols <= 4 {
			copyNarrow(dst, src)
			return
		}
		for i := range src.rows {
			copy(dst.data[dst.off+i*dst.rs:][:src.cols], src.data[src.off+i*src.rs:])
		}
		return
	}
	for i0 := 0; i0 < src.rows; i0 += tile {
		i1 := min(i0+tile, src.rows)
		for j0 := 0; j0 < src.cols; j0 += tile {
			j1 := min(j0+tile, src.cols)
			i := i0
			if dst.cs == 1 && src.rs == 1 {
				for ; i+4 <= i1; i += 4 {
					transposeFour(dst, src, i, j0, j1)
				}
			}
			for ; i < i1; i++ {
				d, s := dst.off+i*dst.rs+j0*dst.cs, src.off+i*src.rs+j0*src.cs
				for range j1 - j0 {
					dst.data[d] = src.data[s]
					d += dst.cs
					s += src.cs
				}
			}
		}
	}
}

// copyNarrow is copyMat of one to four columns side by side, too few for copy to pay.
func copyNarrow[T nd.Number](dst, src mat[T]) {
	d, s := dst.off, src.off
	for range src.rows {
		switch to, from := dst.data[d:], src.data[s:]; src.cols {
		case 1:
			to[0] = from[0]
		case 2:
			r, v := (*[2]T)(to), (*[2]T)(from)
			v0, v1 := v[0], v[1]
			r[0], r[1] = v0, v1
		case 3:
			r, v := (*[3]T)(to), (*[3]T)(from)
			v0, v1, v2 := v[0], v[1], v[2]
			r[0], r[1], r[2] = v0, v1, v2
		case 4:
			r, v := (*[4]T)(to), (*[4]T)(from)
			v0, v1, v2, v3 := v[0], v[1], v[2], v[3]
			r[0], r[1], r[2], r[3] = v0, v1, v2, v3
		}
		d += dst.rs
		s += src.rs
	}
}

// transposeFour copies columns j0 ≤ j < j1 of rows i to i+3, which lie beside each
// other in src and apart in dst.
func transposeFour[T nd.Number](dst, src mat[T], i, j0, j1 int) {
	n := j1 - j0
	at := dst.off + i*dst.rs + j0
	d0, d1 := dst.data[at:][:n], dst.data[at+dst.rs:][:n]
	d2, d3 := dst.data[at+2*dst.rs:][:n], dst.data[at+3*dst.rs:][:n]
	from := src.off + i + j0*src.cs
	for j := range d0 {
		s := src.data[from : from+4 : from+4]
		d0[j], d1[j], d2[j], d3[j] = s[0], s[1], s[2], s[3]
		from += src.cs
	}
}

// packed returns a contiguous copy of m.
func packed[T nd.Number](m mat[T]) mat[T] {
	p := dense(make([]T, m.rows*m.cols), m.rows, m.cols)
	copyMat(p, m)
	return p
}

// overlap reports whether the slices share memory.
func overlap[T nd.Element](x, y []T) bool {
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	size := unsafe.Sizeof(x[0])
	xlo, ylo := uintptr(unsafe.Pointer(&x[0])), uintptr(unsafe.Pointer(&y[0]))
	return xlo < ylo+uintptr(len(y))*size && ylo < xlo+uintptr(len(x))*size
}

// part returns the area p of the matrix whose elements are the area whole of another.
func (m mat[T]) part(whole, p area) mat[T] {
	if p.size() == 0 {
		m.rows, m.cols = p.r1-p.r0, p.c1-p.c0
		return m
	}
	return m.rowRange(p.r0-whole.r0, p.r1-whole.r0).colRange(p.c0-whole.c0, p.c1-whole.c0)
}
