package linalg

import (
	"fmt"
	"math"

	"caloric/nd"
	"caloric/split"
	"caloric/spmd"

	"gonum.org/v1/gonum/blas"
)

// NotPositiveDefiniteError says that a matrix has no Cholesky factorization.
// Every rank gets the same.
type NotPositiveDefiniteError struct {
	Order int // of the smallest leading minor that is not positive
}

// Error names the minor.
func (e *NotPositiveDefiniteError) Error() string {
	return fmt.Sprintf("the matrix is not positive definite: its leading minor of order %d is not positive", e.Order)
}

// CholeskyFactors is the factorization A = L·Lᴴ of a Hermitian positive definite
// matrix, which [FactorCholesky] makes, in the memory that A takes. Its columns
// are dealt out over the ranks in blocks; the diagonal of L is known on every rank.
type CholeskyFactors[T nd.Inexact] struct {
	layout *split.Layout // A's
	w      *cyclicColumns[T]
	diag   []float64 // of L
	k      level3[T]
	sums   []float64 // of the magnitudes of A's columns, as far as this rank knows
	l      *triangle[T]
	kept   *rightSides[T]

	substitute func(*cyclicColumns[T])
}

// Cholesky returns the lower triangular L, with a positive diagonal, of
// A = L·Lᴴ for a Hermitian positive definite matrix a. Only the lower triangle of
// a is read, as in NumPy, and of its diagonal only the real part. The error is a
// *[NotPositiveDefiniteError] if there is no such L. To solve systems, keep
// [FactorCholesky]'s result instead.
//
// Collective unless a is replicated. Result split: a's. Communication: that of
// FactorCholesky and one alltoallv of L; none if a is replicated.
// Panics if a is not square.
func Cholesky[T nd.Inexact](a *nd.NDArray[T]) (*nd.NDArray[T], error) {
	f, err := FactorCholesky(a)
	if err != nil {
		return nil, err
	}
	return f.L(), nil
}

// FactorCholesky returns the factorization A = L·Lᴴ of a Hermitian positive
// definite matrix; see [Cholesky], whose error it returns.
//
//	f, err := linalg.FactorCholesky(a)
//	x := f.Solve(b)
//
// It deals out the columns as [LU] does. The owner of a block factors it and
// sends it to all, who subtract from their columns, on and below the diagonal,
// what they have to (the right-looking algorithm; Choi, Dongarra, Ostrouchov,
// Petitet, Walker and Whaley 1996, "Design and implementation of the ScaLAPACK
// LU, QR, and Cholesky factorization routines").
//
// Collective unless a is replicated. Result split: see the methods.
// Communication: one alltoallv of a, and for each block of w columns, from column
// j on, one broadcast of w·(n − j) + 1 elements; none if a is replicated. Extra
// memory: at most three times a's part on the rank, and a block.
// Panics if a is not square.
func FactorCholesky[T nd.Inexact](a *nd.NDArray[T]) (*CholeskyFactors[T], error) {
	checkFactored(a.Layout())
	g, n := crewOf(a), a.Layout().Shape()[0]
	f := &CholeskyFactors[T]{layout: a.Layout(), k: level3Of[T](a.Comm().Workers())}
	f.w = dealt(a, g, triangularBlock(g, n))
	f.diag, f.sums = make([]float64, n), make([]float64, n)
	for q := range f.w.own.rows {
		j := f.w.global(q)
		for i, v := range f.w.column(q)[j:] {
			size := magnitudeOf(v)
			f.sums[j] += size
			if i > 0 {
				f.sums[j+i] += size // the upper triangle is not read
			}
		}
	}
	if order := f.factor(); order > 0 {
		return nil, &NotPositiveDefiniteError{order}
	}
	f.l = &triangle[T]{w: f.w, lower: true, k: f.k}
	f.substitute = func(x *cyclicColumns[T]) {
		f.l.solve(x, false)
		f.l.solveAdjoint(x)
	}
	return f, nil
}

// factor does the factorization in place, block by block. It returns the order of
// the first leading minor that is not positive, 0 if all are.
func (f *CholeskyFactors[T]) factor() int {
	w, n := f.w, f.w.cols
	var space []T
	for j := 0; j < n; j += w.block {
		j1 := min(j+w.block, n)
		at, owner, bad := w.before(j, w.rank), w.owner(j), 0
		var panel mat[T]
		if owner == w.rank {
			panel = w.own.rowRange(at, at+j1-j).colRange(j, n)
			bad = choleskyPanel(f.k, panel)
		}
		if w.size > 1 {
			size := (j1 - j) * (n - j)
			space = sized(space, size+1)
			sent := dense(space, j1-j, n-j)
			if owner == w.rank {
				copyMat(sent, panel)
				space[size] = inexact[T](float64(bad))
			}
			spmd.Bcast(w.comm, space, owner)
			panel = sent
			re, _ := parts(space[size])
			bad = int(re)
		}
		if bad > 0 {
			return j + bad
		}
		for i := range panel.rows {
			f.diag[j+i], _ = parts(panel.data[panel.off+i*panel.rs+i])
		}
		w.runs(w.rank, j1, n, func(lo, hi, at int) {
			c := w.own.rowRange(at, at+hi-lo).colRange(lo, n)
			f.k.sub(blas.ConjTrans, c, panel.colRange(lo-j, hi-j), panel.colRange(lo-j, n-j))
		})
	}
	return 0
}

// choleskyPanel factors the matrix whose columns are the rows of p: its square on
// the left, of which it reads the upper triangle, as Rᴴ·R, and solves for the rest.
// It returns the order of the first leading minor that is not positive, or 0.
func choleskyPanel[T nd.Inexact](k level3[T], p mat[T]) int {
	row := func(i int) []T { return p.data[p.off+i*p.rs:][:p.rows] }
	for j := range p.rows {
		r := row(j)
		d, _ := parts(r[j])
		if !(d > 0) {
			return j + 1
		}
		root := inexact[T](math.Sqrt(d))
		r[j] = root
		for i := j + 1; i < p.rows; i++ {
			r[i] /= root
		}
		for i := j + 1; i < p.rows; i++ {
			subtractScaled(row(i)[i:], conjugateOf(r[i]), r[i:])
		}
	}
	k.solve(blas.Left, blas.Upper, blas.ConjTrans, blas.NonUnit, p.colRange(0, p.rows), p.colRange(p.rows, p.cols))
	return 0
}

// L returns the factor L of A = L·Lᴴ.
//
// Collective unless A is replicated. Result split: A's. Communication: one
// alltoallv, none if A is replicated.
func (f *CholeskyFactors[T]) L() *nd.NDArray[T] {
	l := f.w.collected(f.layout)
	keepTriangle(l, true, false)
	return l
}

// Solve returns the X of A·X = B for a vector or a matrix b.
//
// Collective unless both are replicated. Result split: b's. Communication: as
// [LUFactors.Solve], with one reduce and one broadcast for two reduces.
// Panics if b has another number of rows, or if the communicators differ.
func (f *CholeskyFactors[T]) Solve(b *nd.NDArray[T]) *nd.NDArray[T] {
	checkRightSide(f.w.comm, f.layout, b)
	return solved(f.w, b, false, nil, nil, f.substitute)
}

// SolveInto sets dst, which has b's shape, to the X of A·X = B. dst may be b, and
// may have another layout. The factors keep the memory that it takes; see
// [LUFactors.SolveInto].
//
// Collective unless all are replicated. Result split: dst's, which stays.
// Communication: as Solve, with the result's part of it for dst's layout.
// Panics as Solve, or if dst has another shape.
func (f *CholeskyFactors[T]) SolveInto(dst, b *nd.NDArray[T]) {
	checkRightSide(f.w.comm, f.layout, b)
	checkSolution(dst, b)
	f.kept = solvedInto(dst, b, f.w, f.kept, false, nil, nil, f.substitute)
}

// Inv returns A⁻¹.
//
// Collective unless A is replicated. Result split: A's. Communication: as
// [CholeskyFactors.Solve] for a matrix, without the move of b.
func (f *CholeskyFactors[T]) Inv() *nd.NDArray[T] {
	out := nd.Wrap(f.w.comm, f.layout, make([]T, f.layout.LocalSize(f.w.comm.Rank())))
	f.InvInto(out)
	return out
}

// InvInto sets dst, which has A's shape, to A⁻¹.
//
// Collective unless A is replicated and dst as well. Result split: dst's, which stays.
// Communication: as Inv; if A is replicated and dst is not, none.
// Panics if dst has another shape, or if the communicators differ.
func (f *CholeskyFactors[T]) InvInto(dst *nd.NDArray[T]) {
	checkInverse(f.w.comm, f.layout, dst)
	x := dealtUnit[T](f.w.crew, f.w.cols, f.w.block)
	f.l.solve(x, true)
	f.l.solveAdjoint(x)
	storeRows(x, f.layout, dst)
}

// Det returns the determinant of A. It overflows or underflows only if its value
// does.
//
// Local. Communication: none.
func (f *CholeskyFactors[T]) Det() T {
	re, _, exp := scaledProduct(f.diag)
	return inexact[T](math.Ldexp(re*re, 2*exp))
}

// LogDet returns the natural logarithm of the determinant of A, which is positive.
//
// Local. Communication: none.
func (f *CholeskyFactors[T]) LogDet() float64 {
	re, _, exp := scaledProduct(f.diag)
	return 2 * (math.Log(re) + float64(exp)*math.Ln2)
}
