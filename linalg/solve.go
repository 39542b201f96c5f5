package linalg

import (
	"math"

	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// Solve returns the X of A·X = B for a square matrix a and a vector or a matrix
// b, by [LU] with partial pivoting. To solve with one matrix again and again, keep
// LU's result. The error is a *[SingularError] if a pivot is exactly zero.
//
// For a vector, and for up to n/16 columns, one step of iterative refinement in the same
// precision follows, x + LU⁻¹(b − A·x), after which each row's residual is, unless the
// matrix is too ill conditioned, of the order of rounding errors in its own terms, however
// rows are scaled (Skeel 1980, "Iterative refinement implies numerical stability for Gaussian
// elimination"; Higham 2002, "Accuracy and Stability of Numerical Algorithms", section 12.2).
//
// Collective unless both are replicated. Result split: b's. Communication: as LU
// and [LUFactors.Solve]; to refine, as [MatMulInto] of a and x, and as LUFactors.SolveInto.
// Extra memory: LU's, to refine b's part and what SolveInto takes.
// Panics if a is not square, if b has another number of rows, or if the
// communicators differ.
func Solve[T nd.Inexact](a, b *nd.NDArray[T]) (*nd.NDArray[T], error) {
	checkFactored(a.Layout())
	checkRightSide(a.Comm(), a.Layout(), b)
	f := LU(a)
	x, err := f.Solve(b)
	if err == nil && refines(b.Layout().Shape()) {
		f.refine(x, a, b)
	}
	return x, err
}

// refines reports whether a refinement of the solution for a right-hand side of a
// shape costs little in comparison with the factorization.
func refines(s split.Shape) bool { return len(s) == 1 || s[1] == 1 || 16*s[1] <= s[0] }

// refine takes one step of iterative refinement of x, which Solve returned for b. What overflows
// on the way changes nothing.
func (f *LUFactors[T]) refine(x, a, b *nd.NDArray[T]) {
	r := nd.EmptyLike(x)
	MatMulInto(r, a, x)
	nd.SubInto(r, b, r)
	f.kept = solvedInto(r, r, f.w, f.kept, false, f.perm, nil, f.substitute)
	xs := x.Local()
	for i, d := range r.Local() {
		if d-d == 0 {
			xs[i] += d
		}
	}
}

// SolveInto sets dst, which has b's shape, to the X of A·X = B; see [Solve]. dst may
// be b, and may have another layout. It allocates the factors of a, and what Solve takes to
// refine the solution; the factors of [LU] have a SolveInto that allocates nothing.
//
// Collective unless all are replicated. Result split: dst's, which stays.
// Communication: as Solve, and one move of the result if it was refined and dst has
// another layout than b.
// Panics as Solve, or if dst has another shape.
func SolveInto[T nd.Inexact](dst, a, b *nd.NDArray[T]) error {
	checkFactored(a.Layout())
	checkRightSide(a.Comm(), a.Layout(), b)
	checkSolution(dst, b)
	f := LU(a)
	if !refines(b.Layout().Shape()) {
		return f.SolveInto(dst, b)
	}
	x, err := f.Solve(b)
	if err != nil {
		return err
	}
	f.refine(x, a, b)
	nd.CopyInto(dst, x)
	return nil
}

// Inv returns A⁻¹ of a square matrix, by [LU]. The error is a *[SingularError] if
// a pivot is exactly zero.
//
// Collective unless a is replicated. Result split: a's. Communication: as LU and
// [LUFactors.Inv].
// Panics if a is not square.
func Inv[T nd.Inexact](a *nd.NDArray[T]) (*nd.NDArray[T], error) {
	checkFactored(a.Layout())
	return LU(a).Inv()
}

// InvInto sets dst, which may be a, to A⁻¹; see [Inv]. It allocates the factors of a.
//
// Collective unless both are replicated. Result split: dst's, which stays.
// Communication: as LU and [LUFactors.InvInto].
// Panics if a is not square, if dst has another shape, or if the communicators differ.
func InvInto[T nd.Inexact](dst, a *nd.NDArray[T]) error {
	checkFactored(a.Layout())
	checkInverse(a.Comm(), a.Layout(), dst)
	return LU(a).InvInto(dst)
}

// Det returns the determinant of a square matrix, by [LU], on every rank. That
// of a matrix of 0 × 0 is 1. No pivot counts as zero but zero.
//
// Collective unless a is replicated. Communication: as LU.
// Panics if a is not square.
func Det[T nd.Inexact](a *nd.NDArray[T]) T {
	checkFactored(a.Layout())
	return LU(a).Det()
}

// SlogDet returns the sign and the natural logarithm of the modulus of the
// determinant of a square matrix, on every rank; see [LUFactors.SlogDet]. It is
// what to take where the determinant itself could overflow or underflow.
//
// Collective unless a is replicated. Communication: as LU.
// Panics if a is not square.
func SlogDet[T nd.Inexact](a *nd.NDArray[T]) (sign T, logAbs float64) {
	checkFactored(a.Layout())
	return LU(a).SlogDet()
}

// Trace returns the sum of the elements on the diagonal of a matrix of any shape,
// on every rank. Integers wrap; floating-point numbers are added as by [nd.Sum].
//
// Collective unless a is replicated. Communication: one allreduce of one element
// (8 bytes for float32, 16 for complex64),
// none if a is replicated.
// Panics if a is not a matrix.
func Trace[T nd.Number](a *nd.NDArray[T]) T {
	if a.NDim() != 2 {
		misuse.Panic("the trace is one of a matrix, not of an array %v", a.Layout())
	}
	return nd.Sum(nd.Diagonal(a, 0)).Item()
}

// TriangularOption says which system [SolveTriangular] is to solve; without any
// it is A·X = B with the upper triangle of A.
type TriangularOption uint8

// The options.
const (
	LowerTriangle   TriangularOption = 1 << iota // A is lower triangular
	UnitDiagonal                                 // A has ones on the diagonal, which is not read
	TransposedSolve                              // Aᵀ·X = B
	AdjointSolve                                 // Aᴴ·X = B
)

// SolveTriangular returns the X of A·X = B for a triangular matrix a and a vector
// or a matrix b. Only the triangle is read.
//
//	x, err := linalg.SolveTriangular(l, b, linalg.LowerTriangle, linalg.UnitDiagonal)
//
// The columns of a are dealt out to the ranks in blocks, in turns, and the rows
// of b alike. For each block of rows in turn the ranks multiply at the same time
// what they have of a's rows by their part of the solution and add up (the fan-in
// algorithm of Heath and Romine 1988, "Parallel solution of triangular systems on
// distributed-memory multiprocessors"); for Aᵀ the owner of a block sends its part
// of the solution to all (the fan-out algorithm). The width of blocks is as in [LU].
//
// The error is a *[SingularError] if an element of the diagonal is zero.
//
// Collective unless both are replicated. Result split: b's. Communication: one
// alltoallv of a, one allreduce of 8 bytes unless the diagonal is a unit one, one
// alltoallv of b and of the result, where b is replicated none and an allgatherv;
// for each block but one, one reduce, or for Aᵀ and Aᴴ one broadcast, of as many
// rows of b. If a is replicated: none if b is or is split along its columns, else
// one move of b and one of the result.
// Panics if a is not square, if b has another number of rows, or if the
// communicators differ.
func SolveTriangular[T nd.Inexact](a, b *nd.NDArray[T], opts ...TriangularOption) (*nd.NDArray[T], error) {
	checkFactored(a.Layout())
	checkRightSide(a.Comm(), a.Layout(), b)
	l := b.Layout()
	dst := nd.Wrap(b.Comm(), l, make([]T, l.LocalSize(b.Comm().Rank())))
	if err := solveTriangularInto(dst, a, b, triangularOptions(opts)); err != nil {
		return nil, err
	}
	return dst, nil
}

// SolveTriangularInto sets dst, which has b's shape, to the X of A·X = B for a
// triangular matrix a; see [SolveTriangular]. dst may be b, and may have another
// layout. It allocates a copy of a and of b.
//
// Collective unless all are replicated. Result split: dst's, which stays.
// Communication: as SolveTriangular, with the result's part of it for dst's layout.
// Panics as SolveTriangular, or if dst has another shape.
func SolveTriangularInto[T nd.Inexact](dst, a, b *nd.NDArray[T], opts ...TriangularOption) error {
	checkFactored(a.Layout())
	checkRightSide(a.Comm(), a.Layout(), b)
	checkSolution(dst, b)
	return solveTriangularInto(dst, a, b, triangularOptions(opts))
}

func triangularOptions(opts []TriangularOption) (o TriangularOption) {
	for _, opt := range opts {
		o |= opt
	}
	if o&TransposedSolve != 0 && o&AdjointSolve != 0 {
		misuse.Panic("a system of both the transpose and the adjoint")
	}
	return o
}

func solveTriangularInto[T nd.Inexact](dst, a, b *nd.NDArray[T], o TriangularOption) error {
	g := crewOf(a)
	w := dealt(a, g, triangularBlock(g, a.Layout().Shape()[0]))
	t := &triangle[T]{w: w, lower: o&LowerTriangle != 0, unit: o&UnitDiagonal != 0, k: level3Of[T](a.Comm().Workers())}
	if !t.unit {
		if j := t.firstZero(); j >= 0 {
			return &SingularError{j}
		}
	}
	solvedInto(dst, b, w, nil, o&(TransposedSolve|AdjointSolve) != 0, nil, nil, func(x *cyclicColumns[T]) {
		switch {
		case o&TransposedSolve != 0:
			t.solveTransposed(x)
		case o&AdjointSolve != 0:
			t.solveAdjoint(x)
		default:
			t.solve(x, false)
		}
	})
	return nil
}

// firstZero returns the first column with a zero on the diagonal, −1 if there is none.
func (t *triangle[T]) firstZero() int {
	first := int64(math.MaxInt64)
	for q := range t.w.own.rows {
		if j := t.w.global(q); t.w.column(q)[j] == 0 {
			first = int64(j)
			break
		}
	}
	if t.w.size > 1 {
		first = spmd.AllreduceOne(t.w.comm, first, spmd.Min)
	}
	if first == math.MaxInt64 {
		return -1
	}
	return int(first)
}
