// Package gemm multiplies matrices of floating-point numbers with the processor's
// vector instructions, on one goroutine: K. Goto, R. A. van de Geijn, "Anatomy of
// high-performance matrix multiplication", ACM Transactions on Mathematical Software
// 34 (2008), with the tiles in registers of F. G. Van Zee, R. A. van de Geijn, "BLIS:
// a framework for rapidly instantiating BLAS functionality", same journal 41 (2015).
//
// An element of the result is a sum in the order of the inner index, by fused
// multiplications and additions, of stretches of [depth]: it depends neither on the
// element's place in the matrix nor on the instructions that there are. NaN and Inf
// go where the definition has them.
package gemm

import (
	"sync"
	"unsafe"
)

// Float is a type of which there are products.
type Float interface{ float32 | float64 }

// A part of op(a) of depth columns stays in the second cache while it is multiplied
// by one of op(b); both lie there in the order in which they are read. That of b is
// bytes wide at most, so that a product of any size takes the same memory.
const (
	depth     = 256
	leftBytes = 1 << 19
	partBytes = 1 << 22
)

// tile is how a processor multiplies: rows × cols elements of c at a time.
type tile[T Float] struct {
	rows, cols int
	multiply   func(k int, a, b, c *T, ldc int, alpha T, add bool)
}

// Available reports whether this processor has the instructions for [Mul].
func Available() bool { return tiles64.multiply != nil }

// tileOf returns the tile of T.
func tileOf[T Float]() *tile[T] {
	var zero T
	if unsafe.Sizeof(zero) == 4 {
		return any(&tiles32).(*tile[T])
	}
	return any(&tiles64).(*tile[T])
}

// operand is op(x): its element (i, p), with p the inner index, is data[i*across+p*along],
// and one of the steps is 1.
type operand[T Float] struct {
	data          []T
	across, along int
}

// Mul sets c, m × n in C order with a step of ldc between rows, to alpha·op(a)·op(b) + beta·c,
// as BLAS's gemm: op(a) is m × k, op(b) k × n, each transposed if ta or tb is set, with steps lda
// and ldb. If beta is 0, c need not hold numbers. m and n are not 0. c shares no memory with a or b.
//
// It must be [Available].
func Mul[T Float](ta, tb bool, m, n, k int, alpha T, a []T, lda int, b []T, ldb int, beta T, c []T, ldc int) {
	x, y := operand[T]{a, lda, 1}, operand[T]{b, 1, ldb}
	if ta {
		x.across, x.along = 1, lda
	}
	if tb {
		y.across, y.along = ldb, 1
	}
	if k == 0 || beta != 0 && beta != 1 {
		scale(c, m, n, ldc, beta)
		beta = 1
	}
	t := tileOf[T]()
	size := int(unsafe.Sizeof(alpha))
	most := min(depth, k)
	rows := roundUp(min(m, leftBytes/(depth*size)), t.rows)
	cols := roundUp(min(n, partBytes/(depth*size)), t.cols)
	space := spaceOf[T](rows*most + cols*most + t.rows*t.cols)
	left, right, edge := space.part(rows*most), space.part(cols*most), space.part(t.rows*t.cols)
	for j0 := 0; j0 < n; j0 += cols {
		nc := min(cols, n-j0)
		for p0 := 0; p0 < k; p0 += depth {
			kc := min(depth, k-p0)
			y.pack(right, j0, nc, p0, kc, t.cols)
			for i0 := 0; i0 < m; i0 += rows {
				mc := min(rows, m-i0)
				x.pack(left, i0, mc, p0, kc, t.rows)
				t.block(mc, nc, kc, alpha, left, right, c[i0*ldc+j0:], ldc, beta != 0 || p0 > 0, edge)
			}
		}
	}
	space.free()
}

// block multiplies packed parts.
func (t *tile[T]) block(m, n, k int, alpha T, a, b, c []T, ldc int, add bool, edge []T) {
	for j := 0; j < n; j += t.cols {
		right := &b[j*k]
		for i := 0; i < m; i += t.rows {
			left := &a[i*k]
			if i+t.rows <= m && j+t.cols <= n {
				t.multiply(k, left, right, &c[i*ldc+j], ldc, alpha, add)
				continue
			}
			rows, cols := min(t.rows, m-i), min(t.cols, n-j)
			if add {
				for r := range rows {
					copy(edge[r*t.cols:][:cols], c[(i+r)*ldc+j:])
				}
			}
			t.multiply(k, left, right, &edge[0], t.cols, alpha, add)
			for r := range rows {
				copy(c[(i+r)*ldc+j:][:cols], edge[r*t.cols:])
			}
		}
	}
}

// scale multiplies c by beta, and sets it to zero if that is 0.
func scale[T Float](c []T, m, n, ldc int, beta T) {
	for i := range m {
		row := c[i*ldc:][:n]
		if beta == 0 {
			clear(row)
			continue
		}
		for j := range row {
			row[j] *= beta
		}
	}
}

func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }

// space is aligned memory that one product leaves to the next.
type space[T Float] struct {
	data []T
	used int
}

// vector is the alignment in bytes.
const vector = 64

var spaces32, spaces64 sync.Pool

func poolOf[T Float]() *sync.Pool {
	var zero T
	if unsafe.Sizeof(zero) == 4 {
		return &spaces32
	}
	return &spaces64
}

// spaceOf returns a space for three parts of n elements together.
func spaceOf[T Float](n int) *space[T] {
	var zero T
	size := int(unsafe.Sizeof(zero))
	n += 3 * vector / size
	s, _ := poolOf[T]().Get().(*space[T])
	if s == nil {
		s = &space[T]{}
	}
	if len(s.data) < n {
		data := make([]T, n+vector/size)
		if odd := int(uintptr(unsafe.Pointer(&data[0])) % vector); odd != 0 {
			data = data[(vector-odd)/size:]
		}
		s.data = data
	}
	s.used = 0
	return s
}

func (s *space[T]) part(n int) []T {
	var zero T
	p := s.data[s.used:][:n]
	s.used += roundUp(n, vector/int(unsafe.Sizeof(zero)))
	return p
}

func (s *space[T]) free() { poolOf[T]().Put(s) }
