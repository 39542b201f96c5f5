package linalg

import (
	"caloric/internal/parallel"
	"caloric/internal/recycle"
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
	rows    int
	cols    int
	workers int
	levels  [][]stripBlock[T] // blocks of rows, then each time those of fan triangles
	fan     int
	keep    bool
	memory  []T // the leaves' vectors, which Q replaces
}

// tallBlock is how many elements a block of rows has, which stays in the second cache while
// it is factored.
var tallBlock = 1 << 16

func newTallQR[T nd.Inexact](m mat[T], workers int, keep bool, memory []T) *tallQR[T] {
	n := m.cols
	q := &tallQR[T]{rows: m.rows, cols: n, workers: workers, keep: keep}
	height := max(tallBlock/lanesOf[T](n), 4*n)
	q.fan = max(height/n, 2)
	q.memory = memory
	if keep && memory == nil {
		q.memory = recycle.Make[T](m.rows * n)
	}
	leaves := max(m.rows/height, 1)
	q.level(leaves, m.rows, 1, func(b *stripBlock[T], w mat[T]) {
		copyMat(w, m.rowRange(b.lo, b.hi))
	})
	for len(q.top()) > 1 {
		below := q.top()
		q.level((len(below)+q.fan-1)/q.fan, len(below), n, func(b *stripBlock[T], w mat[T]) {
			for i := b.lo; i < b.hi; i++ {
				copyMat(w.rowRange((i-b.lo)*n, (i-b.lo+1)*n), below[i].r)
			}
		})
	}
	return q
}

func (q *tallQR[T]) top() []stripBlock[T] { return q.levels[len(q.levels)-1] }

// level factors count blocks that share out total units of some rows evenly. load copies a
// block to w. The vectors of the first level are kept in q's memory.
func (q *tallQR[T]) level(count, total, unit int, load func(b *stripBlock[T], w mat[T])) {
	blocks, n := make([]stripBlock[T], count), q.cols
	leaves := len(q.levels) == 0
	q.each(count, func(next func() (int, bool)) {
		s := newStripSpace[T](n)
		for i, ok := next(); ok; i, ok = next() {
			b := &blocks[i]
			b.lo, b.hi = i*total/count, (i+1)*total/count
			rows := (b.hi - b.lo) * unit
			var memory []T
			switch {
			case q.keep && leaves:
				memory = q.memory[b.lo*n : b.hi*n]
			case q.keep:
				memory = make([]T, rows*n)
			}
			load(b, s.load(rows))
			b.factor(s, rows, memory)
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

func (q *tallQR[T]) triangle() mat[T] { return q.top()[0].r }

// times returns Q·x in the memory of the vectors if x is square.
func (q *tallQR[T]) times(x mat[T]) mat[T] {
	n, p := q.cols, x.cols
	above := []mat[T]{x}
	for l := len(q.levels) - 1; l >= 0; l-- {
		blocks := q.levels[l]
		var out mat[T]
		switch {
		case l > 0:
			rows := len(q.levels[l-1]) * n
			out = dense(make([]T, rows*p), rows, p)
		case p == n:
			out = dense(q.memory, q.rows, n)
		default:
			out = dense(make([]T, q.rows*p), q.rows, p)
		}
		unit := 1
		if l > 0 {
			unit = n
		}
		q.each(len(blocks), func(next func() (int, bool)) {
			s := newStripSpace[T](n)
			for i, ok := next(); ok; i, ok = next() {
				b := &blocks[i]
				b.times(s, out.rowRange(b.lo*unit, b.hi*unit), above[i])
			}
		})
		if l == 0 {
			return out
		}
		above = above[:0:0]
		for i := range len(q.levels[l-1]) {
			above = append(above, out.rowRange(i*n, (i+1)*n))
		}
	}
	return mat[T]{}
}
