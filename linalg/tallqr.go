package linalg

import (
	"caloric/internal/parallel"
	"caloric/nd"
	"caloric/spmd"
)

// localQR is a QR factorization of a matrix that a rank has whole.
type localQR[T nd.Inexact] interface {
	// triangle returns R, min(rows, columns) × columns.
	triangle() mat[T]
	// times returns Q·x for an x of as many rows as R. It is called at most once.
	times(x mat[T]) mat[T]
}

// tallWidth is the number of columns up to which a matrix is factored by blocks of
// rows: of wider ones the triangles would be too much work.
const tallWidth = 64

// localQROf factors m, which does not change. Q can be asked for only if keep is set.
// It takes memory, if it can, of as many elements as m, which may be m's own.
func localQROf[T nd.Inexact](c *spmd.Comm, m mat[T], keep bool, memory []T) localQR[T] {
	if m.cols == 0 || m.cols > tallWidth || m.rows < m.cols {
		return localReflectors(c, packed(m.t()))
	}
	return newTallQR(m, c.Workers(), keep, memory)
}

// tallQR is the QR factorization of a matrix of few columns in one rank's memory:
// blocks of rows that stay in cache are factored one by one, and their triangles
// on top of each other in turn, up a tree (the sequential TSQR of Demmel, Grigori,
// Hoemmen, Langou 2012, section 4). Blocks are shared out to the rank's workers; which blocks there
// are does not depend on how many those are.
type tallQR[T nd.Inexact] struct {
	k       vectorKernels[T]
	rows    int
	cols    int
	workers int
	levels  [][]wyBlock[T] // blocks of rows, then each time those of fan triangles
	fan     int
	keep    bool
	memory  []T // the leaves' vectors, which Q replaces
}

// wyBlock is one factorization Q = (I − V·T·Vᴴ)·diag(signs).
type wyBlock[T nd.Inexact] struct {
	lo, hi int    // its rows, or its triangles in the level below
	vt     mat[T] // V's columns, as rows
	t      mat[T]
	signs  []bool // which rows of R were turned
	r      mat[T]
}

// tallBlock is how many elements a block of rows has, of which a factorization
// holds two in cache.
var tallBlock = 3 << 14

func newTallQR[T nd.Inexact](m mat[T], workers int, keep bool, memory []T) *tallQR[T] {
	n := m.cols
	q := &tallQR[T]{k: vectorsOf[T](), rows: m.rows, cols: n, workers: workers, keep: keep}
	height := max(tallBlock/n, 4*n)
	q.fan = max(height/n, 2)
	q.memory = memory
	if keep && memory == nil {
		q.memory = make([]T, m.rows*n)
	}
	leaves := max(m.rows/height, 1)
	q.level(leaves, m.rows, func(b *wyBlock[T], w mat[T]) {
		copyMat(w, m.rowRange(b.lo, b.hi).t())
	}, q.memory)
	for len(q.top()) > 1 {
		below := q.top()
		q.level((len(below)+q.fan-1)/q.fan, len(below), func(b *wyBlock[T], w mat[T]) {
			for i := b.lo; i < b.hi; i++ {
				copyMat(w.colRange((i-b.lo)*n, (i-b.lo+1)*n), below[i].r.t())
			}
		}, nil)
	}
	return q
}

func (q *tallQR[T]) top() []wyBlock[T] { return q.levels[len(q.levels)-1] }

// level factors count blocks that share out total rows, or triangles, evenly. load
// copies a block's columns to the rows of w. The vectors are kept in memory, or in
// some of their own.
func (q *tallQR[T]) level(count, total int, load func(b *wyBlock[T], w mat[T]), memory []T) {
	blocks, n := make([]wyBlock[T], count), q.cols
	unit, leaves := 1, len(q.levels) == 0
	if !leaves {
		unit = n
	}
	largest := ((total+count-1)/count + 3) * unit * n
	q.each(count, func(next func() (int, bool)) {
		w, spare := make([]T, largest), []T(nil)
		for i, ok := next(); ok; i, ok = next() {
			b := &blocks[i]
			b.lo, b.hi = i*total/count, (i+1)*total/count
			if leaves {
				// The same alignment wherever the vectors are: kernels round by it.
				b.lo &^= 3
				if i+1 < count {
					b.hi &^= 3
				}
			}
			rows := (b.hi - b.lo) * unit
			vectors := spare
			switch {
			case memory != nil:
				vectors = memory[b.lo*n : b.hi*n]
			case q.keep:
				vectors = make([]T, rows*n)
			default:
				spare = sized(spare, rows*n)
				vectors = spare
			}
			load(b, dense(w, n, rows))
			b.factor(q.k, dense(w, n, rows), dense(vectors, n, rows))
		}
	})
	q.levels = append(q.levels, blocks)
}

// each runs work on every worker; next returns the numbers below count in turn. A BLAS with
// threads of its own uses one in each worker.
func (q *tallQR[T]) each(count int, work func(next func() (int, bool))) {
	if min(q.workers, count) > 1 {
		useWorkers(1)
		defer useWorkers(q.workers)
	}
	parallel.Take(q.workers, count, work)
}

// factor factors the matrix whose columns are the rows of w, which it changes.
func (b *wyBlock[T]) factor(k vectorKernels[T], w, vt mat[T]) {
	n := w.rows
	memory := make([]T, 2*n*n)
	b.vt, b.t, b.r = vt, dense(memory, n, n), dense(memory[n*n:], n, n)
	for j := range n {
		clear(rowOf(vt, j)[:j])
	}
	qrPanel(k, w, vt, b.t, 1)
	copyMat(b.r, w.colRange(0, n).t())
	b.signs = make([]bool, n)
	for i := range n {
		row := rowOf(b.r, i)
		if re, _ := parts(row[i]); re < 0 {
			b.signs[i] = true
			k.scale(inexact[T](-1), row[i:])
		}
	}
}

// times sets y to Q·x; of the vectors' first rows, a unit triangle, and T it makes
// one small matrix, so that the only long product is the one with V.
func (b *wyBlock[T]) times(k vectorKernels[T], y, x mat[T]) {
	n := b.vt.rows
	x = packed(x)
	for i, turned := range b.signs {
		if turned {
			k.scale(inexact[T](-1), rowOf(x, i))
		}
	}
	z := productOf(b.t, productOf(conjugated(k, b.vt.colRange(0, n)), x, 1), 1)
	k.scale(inexact[T](-1), z.data)
	multiply(y, b.vt.t(), z, 1)
	for i := range n {
		k.axpy(inexact[T](1), rowOf(x, i), rowOf(y, i))
	}
}

func (q *tallQR[T]) triangle() mat[T] { return q.top()[0].r }

// times returns Q·x in the memory of the vectors if x is square.
func (q *tallQR[T]) times(x mat[T]) mat[T] {
	n, p := q.cols, x.cols
	above := []mat[T]{x}
	for l := len(q.levels) - 1; l > 0; l-- {
		blocks := q.levels[l]
		below := make([]mat[T], len(q.levels[l-1]))
		q.each(len(blocks), func(next func() (int, bool)) {
			for i, ok := next(); ok; i, ok = next() {
				b := &blocks[i]
				y := dense(make([]T, b.vt.cols*p), b.vt.cols, p)
				b.times(q.k, y, above[i])
				for j := b.lo; j < b.hi; j++ {
					below[j] = y.rowRange((j-b.lo)*n, (j-b.lo+1)*n)
				}
			}
		})
		above = below
	}
	out := q.memory
	if p != n {
		out = make([]T, q.rows*p)
	}
	leaves := q.levels[0]
	q.each(len(leaves), func(next func() (int, bool)) {
		var space []T
		for i, ok := next(); ok; i, ok = next() {
			b := &leaves[i]
			space = sized(space, b.vt.cols*p)
			b.times(q.k, dense(space, b.vt.cols, p), above[i])
			copy(out[b.lo*p:b.hi*p], space)
		}
	})
	return dense(out, q.rows, p)
}
