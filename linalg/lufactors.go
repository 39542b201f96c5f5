package linalg

import (
	"fmt"
	"math"
	"slices"

	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// SingularError says that a matrix has no inverse: elimination met a pivot, or a
// triangle has a diagonal element, that is exactly zero. Every rank gets the same.
type SingularError struct {
	Column int // the first column with such a pivot
}

// Error names the column.
func (e *SingularError) Error() string {
	return fmt.Sprintf("the matrix is singular: the pivot of column %d is zero", e.Column)
}

// Perm returns the row exchanges: row i of L·U is row Perm()[i] of A.
//
// Local. Communication: none.
func (f *LUFactors[T]) Perm() []int { return slices.Clone(f.perm) }

// P returns the permutation matrix P of A = P·L·U.
//
// Local. Result split: A's. Communication: none.
func (f *LUFactors[T]) P() *nd.NDArray[T] {
	m := len(f.perm)
	c, layout := f.w.comm, resized(f.layout, m, m)
	p := nd.Wrap(c, layout, make([]T, layout.LocalSize(c.Rank())))
	v := right(p)
	r0, r1, c0, c1 := boxOf(layout, c.Rank())
	for j, i := range f.perm {
		if r0 <= i && i < r1 && c0 <= j && j < c1 {
			v.data[v.off+(i-r0)*v.rs+(j-c0)*v.cs] = 1
		}
	}
	return p
}

// L returns the factor L (m, k) of A = P·L·U.
//
// Collective unless A is replicated. Result split: A's, along the columns
// balanced if there are fewer than A's. Communication: one alltoallv, none if A
// is replicated.
func (f *LUFactors[T]) L() *nd.NDArray[T] {
	n := len(f.diag)
	part := *f.w
	part.cols, part.own = n, f.w.own.rowRange(0, f.w.before(n, f.w.rank))
	l := part.collected(resized(f.layout, f.w.rows, n))
	keepTriangle(l, true, true)
	return l
}

// U returns the factor U (k, n) of A = P·L·U.
//
// Collective unless A is replicated. Result split: A's, along the rows balanced
// if there are fewer than A's. Communication: one alltoallv, none if A is replicated.
func (f *LUFactors[T]) U() *nd.NDArray[T] {
	n := len(f.diag)
	part := *f.w
	part.rows, part.own = n, f.w.own.colRange(0, n)
	u := part.collected(resized(f.layout, n, f.w.cols))
	keepTriangle(u, false, false)
	return u
}

// resized returns the layout of a matrix of m × n that is split as l is, with
// the same counts if its extent is the same, else balanced.
func resized(l *split.Layout, m, n int) *split.Layout {
	shape := split.Shape{m, n}
	if k := l.Axis(); k != split.None && shape[k] == l.Shape()[k] {
		return split.WithCounts(shape, k, l.Counts())
	}
	return split.Block(shape, l.Axis(), l.Ranks())
}

// keepTriangle sets the elements above the diagonal of a, or else below it, to
// zero, and if unit those on it to one.
func keepTriangle[T nd.Inexact](a *nd.NDArray[T], lower, unit bool) {
	v := right(a)
	r0, _, c0, _ := boxOf(a.Layout(), a.Comm().Rank())
	for i := range v.rows {
		d := min(max(r0+i-c0, 0), v.cols) // the columns before the diagonal
		row := v.data[v.off+i*v.rs:][:v.cols]
		onDiagonal := r0+i >= c0 && d < v.cols
		switch {
		case lower && onDiagonal:
			clear(row[d+1:])
		case lower:
			clear(row[d:])
		default:
			clear(row[:d])
		}
		if unit && onDiagonal {
			row[d] = 1
		}
	}
}

// Solve returns the X of A·X = B for a vector or a matrix b. A is square.
//
// Each rank holds the rows of X that belong to its columns of A; where it takes
// more than one block of those, ranks multiply at the same time and add up
// (see [SolveTriangular]). If A is replicated, each rank solves for itself: for
// all of b, or for its columns of it.
//
// The error is a *[SingularError] if a pivot is zero. That a matrix is nearly
// singular is for [LUFactors.RCond] to say.
//
// Collective unless both are replicated. Result split: b's. Communication: one
// alltoallv of b, one of the result, where b is replicated none and an
// allgatherv; for each block of columns but one, two reduces of as many rows of b.
// If A is replicated: none if b is or is split along its columns, else one move
// of b and one of the result.
// Panics if A is not square, if b has another number of rows, or if the
// communicators differ.
func (f *LUFactors[T]) Solve(b *nd.NDArray[T]) (*nd.NDArray[T], error) {
	f.checkSystem(b)
	if f.zero >= 0 {
		return nil, &SingularError{f.zero}
	}
	l, u := f.triangles()
	return solved(f.w, b, f.perm, nil, func(x *cyclicColumns[T]) {
		l.solve(x, false)
		u.solve(x, false)
	}), nil
}

// SolveAdjoint returns the X of Aᴴ·X = B; see [LUFactors.Solve].
//
// Collective unless both are replicated. Result split: b's. Communication: as
// Solve, with broadcasts for reduces. Panics as Solve.
func (f *LUFactors[T]) SolveAdjoint(b *nd.NDArray[T]) (*nd.NDArray[T], error) {
	f.checkSystem(b)
	if f.zero >= 0 {
		return nil, &SingularError{f.zero}
	}
	l, u := f.triangles()
	return solved(f.w, b, nil, f.perm, func(x *cyclicColumns[T]) {
		u.solveAdjoint(x)
		l.solveAdjoint(x)
	}), nil
}

func (f *LUFactors[T]) triangles() (l, u *triangle[T]) {
	return &triangle[T]{f.w, true, true, f.k}, &triangle[T]{f.w, false, false, f.k}
}

func (f *LUFactors[T]) checkSystem(b *nd.NDArray[T]) {
	checkFactored(f.layout)
	checkRightSide(f.w.comm, f.layout, b)
}

// checkFactored panics unless a factored matrix is square.
func checkFactored(l *split.Layout) {
	if s := l.Shape(); len(s) != 2 || s[0] != s[1] {
		misuse.Panic("the matrix %v is not square", l)
	}
}

// checkRightSide panics unless b is a right-hand side for a matrix of layout l over c.
func checkRightSide[T nd.Inexact](c *spmd.Comm, l *split.Layout, b *nd.NDArray[T]) {
	if b.Comm() != c {
		misuse.Panic("matrix %v and right-hand side %v on different communicators (%v and %v)", l, b.Layout(), c, b.Comm())
	}
	if s := b.Layout().Shape(); len(s) < 1 || len(s) > 2 || s[0] != l.Shape()[0] {
		misuse.Panic("right-hand side %v for a matrix %v", b.Layout(), l)
	}
}

// solved returns b after its rows were dealt out as the columns of w, in the given
// order, worked on in place, and put back in another order.
func solved[T nd.Inexact](w *cyclicColumns[T], b *nd.NDArray[T], in, out []int, work func(*cyclicColumns[T])) *nd.NDArray[T] {
	l := b.Layout()
	target := l
	if w.size == 1 && w.comm.Size() > 1 && l.Axis() == 0 {
		// Each rank works for itself, on whole columns.
		target = split.Block(l.Shape(), split.Axis(len(l.Shape())-1), l.Ranks())
		if len(l.Shape()) == 1 {
			target = split.Block(l.Shape(), split.None, l.Ranks())
		}
		b = b.MoveTo(target)
	}
	x := dealtRows(b, in, w.crew, w.block)
	work(x)
	return collectedRows(x, target, out).MoveTo(l)
}

// Inv returns A⁻¹. It solves for the columns of the unit matrix, in whose forward
// substitution it leaves out what is zero; prefer Solve to a product with it.
//
// The error is a *[SingularError] if a pivot is zero.
//
// Collective unless A is replicated. Result split: A's. Communication: as
// [LUFactors.Solve] for a matrix, without the move of b.
// Panics if A is not square.
func (f *LUFactors[T]) Inv() (*nd.NDArray[T], error) {
	checkFactored(f.layout)
	if f.zero >= 0 {
		return nil, &SingularError{f.zero}
	}
	l, u := f.triangles()
	x := dealtUnit[T](f.w.crew, f.w.cols, f.w.block)
	l.solve(x, true)
	u.solve(x, false)
	// That was for P·A; A⁻¹ has its columns in another order.
	row := make([]T, x.rows)
	for q := range x.own.rows {
		for j, v := range x.column(q) {
			row[f.perm[j]] = v
		}
		copy(x.column(q), row)
	}
	return collectedRows(x, f.layout, nil), nil
}

// Det returns the determinant of A. Products of pivots are kept with an exponent
// of their own: it overflows or underflows only if its value does.
//
// Local. Communication: none. Panics if A is not square.
func (f *LUFactors[T]) Det() T {
	checkFactored(f.layout)
	re, im, exp := scaledProduct(f.diag)
	if f.odd {
		re, im = -re, -im
	}
	return fromParts[T](math.Ldexp(re, exp), math.Ldexp(im, exp))
}

// SlogDet returns the determinant of A as its sign, for complex numbers the
// factor of modulus 1, and the natural logarithm of its modulus. A singular
// matrix has sign 0 and logarithm −Inf.
//
// Local. Communication: none. Panics if A is not square.
func (f *LUFactors[T]) SlogDet() (sign T, logAbs float64) {
	checkFactored(f.layout)
	re, im, exp := scaledProduct(f.diag)
	if re == 0 && im == 0 {
		return 0, math.Inf(-1)
	}
	if f.odd {
		re, im = -re, -im
	}
	size := math.Hypot(re, im)
	return fromParts[T](re/size, im/size), math.Log(size) + float64(exp)*math.Ln2
}

// scaledProduct returns the product of x as (re + i·im)·2^exp.
func scaledProduct[T nd.Inexact](x []T) (re, im float64, exp int) {
	re = 1
	for _, v := range x {
		a, b, e := mantissa(parts(v))
		exp += e
		if isComplex[T]() {
			re, im = re*a-im*b, re*b+im*a
		} else {
			re *= a
		}
		re, im, e = mantissa(re, im)
		exp += e
	}
	return re, im, exp
}

// mantissa returns re + i·im as a number of a size near 1 times 2^e.
func mantissa(re, im float64) (float64, float64, int) {
	size := max(math.Abs(re), math.Abs(im))
	if !(size > 0) || math.IsInf(size, 0) {
		return re, im, 0
	}
	_, e := math.Frexp(size)
	return math.Ldexp(re, -e), math.Ldexp(im, -e), e
}
