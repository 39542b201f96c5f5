package linalg

import (
	"caloric/internal/parallel"
	"caloric/nd"
)

// engine is what computes the products of one element type on this rank.
type engine[T nd.Number] interface {
	// gemm sets c to a·b, or adds it to c. No extent is 0, and c is in C order,
	// perhaps with a gap after each row.
	gemm(c, a, b mat[T], add bool)
	// gemv sets c to a·b, or adds it to c, where b and c are columns with a
	// positive step. No extent is 0.
	gemv(c, a, b mat[T], add bool)
	// threads says which of the two spread over the rank's workers by themselves.
	threads() (gemm, gemv bool)
}

// parallelWork is the number of multiplications from which on a product is
// worth splitting over a rank's workers.
const parallelWork = 1 << 17

// multiply sets c to a·b on the given number of workers. c shares no memory
// with a or b.
func multiply[T nd.Number](c, a, b mat[T], workers int) { multiplied(c, a, b, workers, false) }

// multiplyAdd adds a·b to c; see [multiply].
func multiplyAdd[T nd.Number](c, a, b mat[T], workers int) { multiplied(c, a, b, workers, true) }

func multiplied[T nd.Number](c, a, b mat[T], workers int, add bool) {
	switch {
	case c.rows == 0 || c.cols == 0:
		return
	case a.cols == 0:
		if !add {
			setZero(c)
		}
		return
	case c.rows == 1 && c.cols > 1 || c.cols > 1 && c.cs != 1:
		// (a·b)ᵀ = bᵀ·aᵀ makes a row a column, and column-major memory row-major.
		c, a, b = c.t(), b.t(), a.t()
	}
	if c.cols > 1 && (c.cs != 1 || c.rs < c.cols) || c.rs < 1 {
		tmp := packed(c)
		multiplied(tmp, a, b, workers, add)
		copyMat(c, tmp)
		return
	}
	e := engineOf[T]()
	threaded, vector := e.threads()
	if c.cols == 1 {
		threaded = vector
		if b.rs < 1 {
			b = packed(b)
		}
	}
	parts := partsOf(workers, c.rows, c.cols, a.cols)
	if threaded || parts == 1 {
		run(e, c, a, b, add)
		return
	}
	inParts(parts, c.rows, c.cols, func(r0, r1, c0, c1 int) {
		run(e, c.rowRange(r0, r1).colRange(c0, c1), a.rowRange(r0, r1), b.colRange(c0, c1), add)
	})
}

// partsOf returns in how many parts to compute a rows × cols result, each element of
// which is a sum over inner: as many as workers, but one if it is small.
func partsOf(workers, rows, cols, inner int) int {
	if rows*cols*inner < parallelWork {
		return 1
	}
	return max(1, min(workers, max(rows, cols)))
}

// inParts calls f for parts of a rows × cols result at once: ranges of its rows, or
// of its columns if there are more of them.
func inParts(parts, rows, cols int, f func(r0, r1, c0, c1 int)) {
	if rows >= cols {
		parallel.Ranges(parts, rows, func(lo, hi int) { f(lo, hi, 0, cols) })
	} else {
		parallel.Ranges(parts, cols, func(lo, hi int) { f(0, rows, lo, hi) })
	}
}

func run[T nd.Number](e engine[T], c, a, b mat[T], add bool) {
	if c.cols == 1 {
		e.gemv(c, a, b, add)
		return
	}
	e.gemm(c, a, b, add)
}

func setZero[T nd.Number](m mat[T]) {
	if m.cs != 1 && m.rs == 1 {
		m = m.t()
	}
	for i := range m.rows {
		if at := m.off + i*m.rs; m.cs == 1 && m.cols > 0 {
			clear(m.data[at : at+m.cols])
			continue
		}
		for j := range m.cols {
			m.data[m.off+i*m.rs+j*m.cs] = 0
		}
	}
}
