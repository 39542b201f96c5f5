package linalg

import (
	"sync"

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
	parts := min(workers, c.rows)
	if threaded || parts <= 1 || c.rows*c.cols*a.cols < parallelWork {
		run(e, c, a, b, add)
		return
	}
	multiplyRows(e, c, a, b, parts, add)
}

// multiplyRows computes parts ranges of c's rows at once.
func multiplyRows[T nd.Number](e engine[T], c, a, b mat[T], parts int, add bool) {
	var wg sync.WaitGroup
	for p := range parts {
		lo, hi := p*c.rows/parts, (p+1)*c.rows/parts
		wg.Go(func() { run(e, c.rowRange(lo, hi), a.rowRange(lo, hi), b, add) })
	}
	wg.Wait()
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
