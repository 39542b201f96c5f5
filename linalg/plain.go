package linalg

import "caloric/nd"

// plain multiplies with Go loops, for types that BLAS does not know. Integers wrap.
type plain[T nd.Number] struct{}

func (plain[T]) threads() (gemm, gemv bool) { return false, false }

// The block of b that is reused for every row of a: 32 KiB of 8-byte elements.
const (
	blockRows = 32
	blockCols = 128
)

// gemm copies b block by block into memory that stays in cache, which also
// takes any strides, and adds up rows of it.
func (plain[T]) gemm(c, a, b mat[T], add bool) {
	if !add {
		setZero(c)
	}
	block := make([]T, blockRows*blockCols)
	for j0 := 0; j0 < c.cols; j0 += blockCols {
		j1 := min(j0+blockCols, c.cols)
		for l0 := 0; l0 < a.cols; l0 += blockRows {
			l1 := min(l0+blockRows, a.cols)
			p := dense(block, l1-l0, j1-j0)
			copyMat(p, b.rowRange(l0, l1).colRange(j0, j1))
			for i := range c.rows {
				plainRow(c.data[c.off+i*c.rs+j0:][:j1-j0], a.data, a.off+i*a.rs+l0*a.cs, a.cs, p)
			}
		}
	}
}

// plainRow adds to c the rows of p, each times its element of a. Four rows at
// a time load and store c once.
func plainRow[T nd.Number](c, a []T, off, step int, p mat[T]) {
	l := 0
	for ; l+4 <= p.rows; l += 4 {
		a0, a1, a2, a3 := a[off], a[off+step], a[off+2*step], a[off+3*step]
		off += 4 * step
		r := p.data[l*p.rs:][:4*p.rs]
		b0, b1, b2, b3 := r[:len(c)], r[p.rs:][:len(c)], r[2*p.rs:][:len(c)], r[3*p.rs:][:len(c)]
		for j := range c {
			c[j] += a0*b0[j] + a1*b1[j] + a2*b2[j] + a3*b3[j]
		}
	}
	for ; l < p.rows; l++ {
		v := a[off]
		off += step
		for j, w := range p.data[l*p.rs:][:len(c)] {
			c[j] += v * w
		}
	}
}

// gemv runs along the rows of a, or along its columns if those are closer together.
func (plain[T]) gemv(c, a, b mat[T], add bool) {
	if !add {
		setZero(c)
	}
	if abs(a.rs) < abs(a.cs) {
		for l := range a.cols {
			v, s, d := b.data[b.off+l*b.rs], a.off+l*a.cs, c.off
			for range a.rows {
				c.data[d] += v * a.data[s]
				d += c.rs
				s += a.rs
			}
		}
		return
	}
	for i := range a.rows {
		var sum T
		s, t := a.off+i*a.rs, b.off
		for range a.cols {
			sum += a.data[s] * b.data[t]
			s += a.cs
			t += b.rs
		}
		c.data[c.off+i*c.rs] += sum
	}
}

func abs(x int) int {
	if x < 0 {
		return -x
	}
	return x
}
