package linalg

import (
	"caloric/nd"
	"caloric/spmd"
)

// reflectors is a product of Householder reflectors, a panel of them at a time,
// whose vectors are columns of a matrix that is dealt out to the ranks.
type reflectors[T nd.Inexact] struct {
	k       vectorKernels[T]
	v       *cyclicColumns[T] // column j has vector j below row j+shift-1
	shift   int               // of the vectors against the diagonal
	count   int
	t       []mat[T]  // of each panel
	signs   []float64 // column j of the product is multiplied by it
	space   []T
	workers int
}

// width returns the number of reflectors in the panel that starts at j.
func (f *reflectors[T]) width(j int) int { return min(f.v.block, f.count-j) }

// householderQR factors the matrix w, which becomes R on and above the diagonal,
// whose entries are not negative, and the reflectors' vectors below it.
//
// For each panel the rank that has it broadcasts its vectors and triangle, and
// every rank changes the columns that it has to the panel's right.
func householderQR[T nd.Inexact](w *cyclicColumns[T]) *reflectors[T] {
	f := &reflectors[T]{k: vectorsOf[T](), v: w, count: min(w.rows, w.cols), workers: w.comm.Workers()}
	useWorkers(f.workers)
	f.signs = make([]float64, f.count)
	checkExtents(level3RoutinesOf[T]().implementation(), w.rows)
	for j := 0; j < f.count; j += w.block {
		b, m := f.width(j), w.rows-j
		f.space = sized(f.space, b*m+b*b+b)
		clear(f.space)
		vt, t, diagonal := dense(f.space, b, m), dense(f.space[b*m:], b, b), f.space[b*m+b*b:][:b]
		mine := w.owner(j) == w.rank
		var panel mat[T]
		if mine {
			at := w.before(j, w.rank)
			panel = w.own.rowRange(at, at+b).colRange(j, w.rows)
			qrPanel(f.k, panel, vt, t, f.workers)
			for i := range b {
				diagonal[i] = panel.data[panel.off+i*panel.rs+i]
			}
		}
		if w.size > 1 {
			spmd.Bcast(w.comm, f.space[:b*m+b*b+b], w.owner(j))
		}
		for i, d := range diagonal {
			f.signs[j+i] = 1
			if re, _ := parts(d); re < 0 {
				f.signs[j+i] = -1
			}
		}
		f.t = append(f.t, packed(t))
		applyPanel(f.k, w.from(min(j+b, w.cols)).colRange(j, w.rows), vt, t, true, f.workers)
		if mine {
			for i := range b {
				copy(panel.data[panel.off+i*panel.rs+i+1:][:m-i-1], vt.data[i*m+i+1:(i+1)*m])
			}
		}
	}
	for l := range w.own.rows {
		j := w.global(l)
		for i, x := range w.column(l)[:min(j+1, f.count)] {
			if f.signs[i] < 0 {
				w.column(l)[i] = -x
			}
		}
	}
	return f
}

// panel returns the vectors of the panel that starts at j, in rows j+shift on,
// on every rank. It takes one broadcast.
func (f *reflectors[T]) panel(j int) mat[T] {
	b, m := f.width(j), f.v.rows-j-f.shift
	f.space = sized(f.space, b*m)
	vt := dense(f.space, b, m)
	if f.v.owner(j) == f.v.rank {
		clear(vt.data[:b*m])
		at := f.v.before(j, f.v.rank)
		for i := range b {
			vt.data[i*m+i] = 1
			copy(vt.data[i*m+i+1:(i+1)*m], f.v.column(at + i)[j+f.shift+i+1:])
		}
	}
	if f.v.size > 1 {
		spmd.Bcast(f.v.comm, f.space[:b*m], f.v.owner(j))
	}
	return vt
}

// apply multiplies x, which is dealt out to the same ranks, by the product of
// the reflectors from the left. If x is upper triangular, as the identity is,
// columns that a panel does not reach are passed over.
func (f *reflectors[T]) apply(x *cyclicColumns[T], triangular bool) {
	for i := range x.own.rows {
		for l, s := range f.signs {
			if s < 0 {
				x.column(i)[l] = -x.column(i)[l]
			}
		}
	}
	for p := len(f.t) - 1; p >= 0; p-- {
		j := p * f.v.block
		c := x.own
		if triangular {
			c = x.from(min(j, x.cols))
		}
		applyPanel(f.k, c.colRange(j+f.shift, x.rows), f.panel(j), f.t[p], false, f.workers)
	}
}

// factor returns the rows × n matrix R that w holds after householderQR.
func (f *reflectors[T]) factor(rows int) *cyclicColumns[T] {
	r := newCyclicColumns[T](f.v.crew, rows, f.v.cols, f.v.block)
	for l := range r.own.rows {
		copy(r.column(l), f.v.column(l)[:min(f.v.global(l)+1, f.count)])
	}
	return r
}

// columns returns the first n columns of the product of the reflectors.
func (f *reflectors[T]) columns(n int) *cyclicColumns[T] {
	q := newCyclicColumns[T](f.v.crew, f.v.rows, n, f.v.block)
	for l := range q.own.rows {
		q.column(l)[q.global(l)] = 1
	}
	f.apply(q, true)
	return q
}
