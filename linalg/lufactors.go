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
	return solved(f.w, b, false, f.perm, nil, f.substitute), nil
}

// SolveInto sets dst, which has b's shape, to the X of A·X = B; see
// [LUFactors.Solve]. dst may be b, and may have another layout.
//
// The factors keep the memory that it takes, which is that of b's part on this
// rank twice or three times, for the next solution with operands of the same layouts,
// which allocates nothing if A is split, or replicated and b not split along its
// rows, but for what BLAS and messages between ranks do; gonum's BLAS
// allocates in large products and in complex ones with more than one right-hand side.
//
// Collective unless all are replicated. Result split: dst's, which stays.
// Communication: as Solve, with the result's part of it for dst's layout; if A is
// replicated, one move of b and one of the result unless both are whole columns
// alike. Panics as Solve, or if dst has another shape.
func (f *LUFactors[T]) SolveInto(dst, b *nd.NDArray[T]) error {
	f.checkSystem(b)
	checkSolution(dst, b)
	if f.zero >= 0 {
		return &SingularError{f.zero}
	}
	f.kept = solvedInto(dst, b, f.w, f.kept, false, f.perm, nil, f.substitute)
	return nil
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
	return solved(f.w, b, true, nil, f.perm, f.substituteAdjoint), nil
}

// SolveAdjointInto sets dst to the X of Aᴴ·X = B; see [LUFactors.SolveInto].
//
// Collective unless all are replicated. Result split: dst's, which stays.
// Communication and panics: as SolveInto, with broadcasts for reduces.
func (f *LUFactors[T]) SolveAdjointInto(dst, b *nd.NDArray[T]) error {
	f.checkSystem(b)
	checkSolution(dst, b)
	if f.zero >= 0 {
		return &SingularError{f.zero}
	}
	f.kept = solvedInto(dst, b, f.w, f.kept, true, nil, f.perm, f.substituteAdjoint)
	return nil
}

// setTriangles makes what solves with L and U, which the factors keep.
func (f *LUFactors[T]) setTriangles() {
	f.l, f.u = &triangle[T]{w: f.w, lower: true, unit: true, k: f.k}, &triangle[T]{w: f.w, k: f.k}
	f.substitute = func(x *cyclicColumns[T]) {
		f.l.solve(x, false)
		f.u.solve(x, false)
	}
	f.substituteAdjoint = func(x *cyclicColumns[T]) {
		f.u.solveAdjoint(x)
		f.l.solveAdjoint(x)
	}
}

func (f *LUFactors[T]) checkSystem(b *nd.NDArray[T]) {
	checkFactored(f.layout)
	checkRightSide(f.w.comm, f.layout, b)
}

// checkFactored panics unless a factored matrix is square.
func checkFactored(l *split.Layout) {
	switch s := l.Shape(); {
	case len(s) != 2:
		panicNoMatrix(l)
	case s[0] != s[1]:
		misuse.Panic("the matrix %v is not square", l)
	}
}

// checkRightSide panics unless b is a right-hand side for a matrix of layout l over c.
func checkRightSide[T nd.Inexact](c *spmd.Comm, l *split.Layout, b *nd.NDArray[T]) {
	if b.Comm() != c {
		misuse.Panic("matrix %v and right-hand side %v on different communicators (%s)", l, b.Layout(), misuse.Comms(c, b.Comm()))
	}
	if s := b.Layout().Shape(); len(s) < 1 || len(s) > 2 || s[0] != l.Shape()[0] {
		misuse.Panic("right-hand side %v for a matrix %v", b.Layout(), l)
	}
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
	out := nd.Wrap(f.w.comm, f.layout, make([]T, f.layout.LocalSize(f.w.comm.Rank())))
	if err := f.InvInto(out); err != nil {
		return nil, err
	}
	return out, nil
}

// InvInto sets dst, which has A's shape, to A⁻¹; see [LUFactors.Inv]. The memory
// that it takes, of A's part on this rank two or three times, is not kept.
//
// Collective unless A is replicated and dst as well. Result split: dst's, which stays.
// Communication: as Inv; if A is replicated and dst is not, none.
// Panics if A is not square, if dst has another shape, or if the communicators differ.
func (f *LUFactors[T]) InvInto(dst *nd.NDArray[T]) error {
	checkFactored(f.layout)
	checkInverse(f.w.comm, f.layout, dst)
	if f.zero >= 0 {
		return &SingularError{f.zero}
	}
	x := dealtUnit[T](f.w.crew, f.w.cols, f.w.block)
	f.l.solve(x, true)
	f.u.solve(x, false)
	// That was for P·A; A⁻¹ has its columns in another order.
	row := make([]T, x.rows)
	for q := range x.own.rows {
		for j, v := range x.column(q) {
			row[f.perm[j]] = v
		}
		copy(x.column(q), row)
	}
	storeRows(x, f.layout, dst)
	return nil
}

// storeRows sets dst to the rows that x deals out, through layout l if each rank
// has worked for itself.
func storeRows[T nd.Inexact](x *cyclicColumns[T], l *split.Layout, dst *nd.NDArray[T]) {
	to := dst.Layout()
	if x.size == 1 && !to.Equal(l) {
		all := nd.Wrap(x.comm, l, make([]T, x.rows*x.cols))
		newRowMove(x, l, nil).store(all)
		nd.CopyInto(dst, all)
		return
	}
	newRowMove(x, to, nil).store(dst)
}

// checkInverse panics unless dst can take the inverse of a matrix of layout l over c.
func checkInverse[T nd.Inexact](c *spmd.Comm, l *split.Layout, dst *nd.NDArray[T]) {
	if dst.Comm() != c {
		misuse.Panic("matrix %v and destination %v on different communicators (%s)", l, dst.Layout(), misuse.Comms(c, dst.Comm()))
	}
	if !dst.Layout().Shape().Equal(l.Shape()) {
		misuse.Panic("destination %v for the inverse of %v", dst.Layout(), l)
	}
}

// checkSolution panics unless dst can take the solution for b.
func checkSolution[T nd.Inexact](dst, b *nd.NDArray[T]) {
	if dst.Comm() != b.Comm() {
		misuse.Panic("right-hand side %v and destination %v on different communicators (%s)", b.Layout(), dst.Layout(), misuse.Comms(b.Comm(), dst.Comm()))
	}
	if !dst.Layout().Shape().Equal(b.Layout().Shape()) {
		misuse.Panic("destination %v for a right-hand side %v", dst.Layout(), b.Layout())
	}
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
