package linalg

import (
	"math"
	"unsafe"

	"caloric/internal/kernel"
	"caloric/nd"
)

// powers returns a power of two, plain, such that columns whose largest elements are from
// 2^-plain to 2^plain are factored as they are, as their products neither overflow nor lose
// digits; and the least one of which the inverse is a number of full precision too.
func (s *stripSpace[T]) powers() (plain, least int) {
	if s.k.epsilon() > 0x1p-52 {
		return 30, -126
	}
	return 200, -1022
}

// equilibrate multiplies the columns of the h rows that were loaded by powers of two, where their
// sizes are extreme, so that their largest elements are near one. That changes neither Q nor,
// but for the same powers, R, whose columns the result multiplies; nil stands for ones.
func (s *stripSpace[T]) equilibrate(h int) (back []T) {
	rows := s.rows[:h*s.lanes]
	largest := make([]float64, s.lanes)
	switch x := any(rows).(type) {
	case []float32:
		columnMaxima(largest, x, s.lanes)
	case []float64:
		columnMaxima(largest, x, s.lanes)
	case []complex64:
		columnMaxima(largest, realsOf[float32](x), 2*s.lanes)
	case []complex128:
		columnMaxima(largest, realsOf[float64](x), 2*s.lanes)
	}
	plain, least := s.powers()
	var up []T
	for j, l := range largest {
		if l == 0 || !isFinite(l) {
			continue
		}
		_, e := math.Frexp(l)
		e--
		if -plain <= e && e <= plain {
			continue
		}
		if up == nil {
			up, back = make([]T, s.lanes), make([]T, s.cols)
			for i := range up {
				up[i] = 1
			}
			for i := range back {
				back[i] = 1
			}
		}
		e = max(e, least)
		up[j], back[j-s.before] = inexact[T](math.Ldexp(1, -e)), inexact[T](math.Ldexp(1, e))
	}
	if up != nil {
		for i := range h {
			row := rows[i*s.lanes:][:s.lanes]
			for j := range row {
				row[j] *= up[j]
			}
		}
	}
	return back
}

// columnMaxima sets largest to the sizes of the largest elements of the columns of x, which
// has rows of width numbers: for each of largest one, or a real and an imaginary part.
func columnMaxima[R kernel.Float](largest []float64, x []R, width int) {
	side := width * max(1, 64/width) // some rows are side by side, for the vectors
	high, low := make([]R, side), make([]R, side)
	n := len(x) / side
	kernel.MaxRows(high, x, n, side)
	kernel.MinRows(low, x, n, side)
	x = x[n*side:]
	kernel.MaxRows(high[:width], x, len(x)/width, width)
	kernel.MinRows(low[:width], x, len(x)/width, width)
	parts := width / len(largest)
	for i := range side {
		l := &largest[i%width/parts]
		*l = max(*l, float64(high[i]), -float64(low[i])) // NaN if there is one
	}
}

// realsOf returns the real and imaginary parts of x, in its memory.
func realsOf[R kernel.Float, T nd.Complex](x []T) []R {
	return unsafe.Slice((*R)(unsafe.Pointer(unsafe.SliceData(x))), 2*len(x))
}
