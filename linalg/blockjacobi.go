package linalg

import (
	"fmt"
	"math"

	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/split"
)

// BlockJacobi returns the inverse of the diagonal blocks of the square matrix a as
// an operator, to be used as a preconditioner; see [Precondition]. Every rank
// factors the blocks of the rows or columns that it has, by Gaussian elimination
// with partial pivoting, and applies their inverses to its part of a vector. A
// block has at most size rows; with size 0 every rank has one block, and so a
// better preconditioner on fewer ranks. A replicated matrix is cut in blocks of
// size too; with size 0 every rank inverts it whole.
//
// If a block is singular or has a number that is not finite, there is an error,
// the same on every rank, that names the first row of the first one.
//
// The operator takes vectors that are split as a is without communication.
//
// Collective. Communication: one allreduce of 8 bytes, none if a is replicated.
// Extra memory: the blocks, twice while they are factored.
// Panics if a is not a square matrix or size is negative.
func BlockJacobi[T nd.Inexact](a *nd.NDArray[T], size int) (Operator[T], error) {
	l := a.Layout()
	if s := l.Shape(); len(s) != 2 || s[0] != s[1] || size < 0 {
		misuse.Panic("blocks of %d rows of %v, which has to be a square matrix", size, l)
	}
	c, n := a.Comm(), l.Shape()[0]
	p := &blockJacobi[T]{n: n}
	lo, hi := 0, n
	if l.Replicated() {
		p.layout = split.Block(split.Shape{n}, split.None, l.Ranks())
	} else {
		p.layout = split.WithCounts(split.Shape{n}, 0, l.Counts())
		lo, hi = l.Range(c.Rank())
	}
	own := right(a)
	bad := n
	for i := lo; i < hi; {
		rows := hi - i
		if size > 0 {
			rows = min(rows, size)
		}
		block := own
		if l.Axis() != 1 {
			block = block.rowRange(i-lo, i-lo+rows).colRange(i, i+rows)
		} else {
			block = block.rowRange(i, i+rows).colRange(i-lo, i-lo+rows)
		}
		f, ok := factorBlock(block)
		if !ok {
			bad = min(bad, i)
		}
		p.blocks = append(p.blocks, f)
		i += rows
	}
	if bad = firstBad(l, c, bad); bad < n {
		return nil, fmt.Errorf("linalg.BlockJacobi: the diagonal block from row %d on is singular or not finite", bad)
	}
	p.space = vectorOf[T](c, p.layout)
	return p, nil
}

type blockJacobi[T nd.Inexact] struct {
	n      int
	layout *split.Layout // of what this rank's blocks multiply
	blocks []factoredBlock[T]
	space  *nd.NDArray[T]
}

func (p *blockJacobi[T]) Shape() (rows, cols int) { return p.n, p.n }

func (p *blockJacobi[T]) Apply(dst, x *nd.NDArray[T]) { p.solve(dst, x, factoredBlock[T].solve) }

func (p *blockJacobi[T]) ApplyAdjoint(dst, x *nd.NDArray[T]) {
	p.solve(dst, x, factoredBlock[T].solveAdjoint)
}

func (p *blockJacobi[T]) solve(dst, x *nd.NDArray[T], solve func(factoredBlock[T], []T)) {
	y := dst
	if !dst.Layout().Equal(p.layout) || !dst.IsContiguous() {
		y = p.space
	}
	nd.CopyInto(y, x)
	local := y.Local()
	for _, b := range p.blocks {
		n := b.lu.rows
		solve(b, local[:n])
		local = local[n:]
	}
	if y != dst {
		nd.CopyInto(dst, y)
	}
}

// factoredBlock is a square matrix as P·L·U: L below the diagonal, where its ones
// are not stored, U above; row i was exchanged with row pivots[i].
type factoredBlock[T nd.Inexact] struct {
	lu     mat[T]
	pivots []int
}

// factorPanel is how many columns are eliminated before the columns to their right
// follow, in a product of matrices.
const factorPanel = 32

// factorBlock factors a copy of a, and reports whether all pivots are finite and
// not 0.
func factorBlock[T nd.Inexact](a mat[T]) (factoredBlock[T], bool) {
	f := factoredBlock[T]{packed(a), make([]int, a.rows)}
	n := a.rows
	var space []T
	for lo := 0; lo < n; lo += factorPanel {
		hi := min(lo+factorPanel, n)
		if !f.eliminate(lo, hi) {
			return f, false
		}
		if hi == n {
			break
		}
		for i := lo + 1; i < hi; i++ { // rows of U to the right of the panel
			for k := lo; k < i; k++ {
				subtractRow(f.row(i)[hi:], f.row(i)[k], f.row(k)[hi:])
			}
		}
		space = sized(space, (n-hi)*(n-hi))
		update := dense(space, n-hi, n-hi)
		multiply(update, f.lu.rowRange(hi, n).colRange(lo, hi), f.lu.rowRange(lo, hi).colRange(hi, n), 1)
		for i := hi; i < n; i++ {
			subtractRow(f.row(i)[hi:], 1, update.rowRange(i-hi, i-hi+1).elements())
		}
	}
	return f, true
}

// eliminate factors columns lo to hi and exchanges whole rows.
func (f factoredBlock[T]) eliminate(lo, hi int) bool {
	n := f.lu.rows
	for k := lo; k < hi; k++ {
		p, most := k, -1.0
		for i := k; i < n; i++ {
			v := magnitude1(f.row(i)[k])
			if !isFinite(v) {
				return false
			}
			if v > most {
				p, most = i, v
			}
		}
		f.pivots[k] = p
		pivot := f.row(p)[k]
		if pivot == 0 {
			return false
		}
		if p != k {
			x, y := f.row(p), f.row(k)
			for j, v := range x {
				x[j], y[j] = y[j], v
			}
		}
		for i := k + 1; i < n; i++ {
			row := f.row(i)
			row[k] /= pivot
			subtractRow(row[k+1:hi], row[k], f.row(k)[k+1:hi])
		}
	}
	return true
}

func (f factoredBlock[T]) row(i int) []T { return f.lu.data[i*f.lu.rs:][:f.lu.cols] }

// solve replaces x by A⁻¹·x.
func (f factoredBlock[T]) solve(x []T) {
	n := len(x)
	for i, p := range f.pivots {
		x[i], x[p] = x[p], x[i]
	}
	for i := range n {
		x[i] -= sumOfProducts(f.row(i)[:i], x)
	}
	for i := n - 1; i >= 0; i-- {
		row := f.row(i)
		x[i] = (x[i] - sumOfProducts(row[i+1:], x[i+1:])) / row[i]
	}
}

// solveAdjoint replaces x by A⁻ᴴ·x = conj(P·L⁻ᵀ·U⁻ᵀ·conj(x)).
func (f factoredBlock[T]) solveAdjoint(x []T) {
	n := len(x)
	vectorsOf[T]().conj(x)
	for i := range n {
		row := f.row(i)
		x[i] /= row[i]
		subtractRow(x[i+1:], x[i], row[i+1:])
	}
	for i := n - 1; i >= 0; i-- {
		subtractRow(x[:i], x[i], f.row(i)[:i])
	}
	for i := n - 1; i >= 0; i-- {
		p := f.pivots[i]
		x[i], x[p] = x[p], x[i]
	}
	vectorsOf[T]().conj(x)
}

// subtractRow subtracts factor·x from y.
func subtractRow[T nd.Inexact](y []T, factor T, x []T) {
	x = x[:len(y)]
	for j := range y {
		y[j] -= factor * x[j]
	}
}

func sumOfProducts[T nd.Inexact](a, x []T) (sum T) {
	x = x[:len(a)]
	for j, v := range a {
		sum += v * x[j]
	}
	return sum
}

// magnitude1 returns |re| + |im|, by which pivots are chosen, as LAPACK does.
func magnitude1[T nd.Inexact](v T) float64 {
	re, im := parts(v)
	return math.Abs(re) + math.Abs(im)
}
