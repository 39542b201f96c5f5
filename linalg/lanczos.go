package linalg

import (
	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/split"
)

// Lanczos returns an orthonormal basis V (n, m) of the Krylov space of a Hermitian
// operator A and a start vector, and the real symmetric tridiagonal matrix T (m, m)
// of A in it: Vᴴ·A·V = T, whose eigenvalues approach the outer ones of A (Lanczos
// 1950, "An iteration method for the solution of the eigenvalue problem of linear
// differential and integral operators"). Every vector is orthogonalized against all
// before it, so that VᴴV = I to rounding (Parlett 1998, "The Symmetric Eigenvalue
// Problem", section 13.8).
//
// If the Krylov space has fewer than m dimensions, V has as many columns, and its
// space is invariant: A·V = V·T. If A is found to make a number that is not finite,
// the error is a *[NotConvergedError], the same on every rank, and V has the columns
// before. A start of zeros has an empty space.
//
// Collective. Result split: V as the start along axis 0, with A's counts if both are
// split; T None. Communication: at step j one allreduce of j inner products, 8
// bytes each, 16 for complex types, a second one where orthogonalization cancels
// more than half of a vector; and those of A's product. No allreduces of its own if
// the start is replicated.
// Panics if A is not square, start is not a vector of its size, or m is negative.
func Lanczos[T nd.Inexact](A Operator[T], start *nd.NDArray[T], m int) (v, t *nd.NDArray[T], err error) {
	n := checkSystem(A, start)
	if m < 0 {
		misuse.Panic("%d vectors of Lanczos", m)
	}
	m = min(m, n)
	c, l := start.Comm(), workLayout(A, start)
	basis := newBasis[T](c, l, m+1)
	nd.CopyInto(basis.vectors[0], start)
	res := Result{}
	entries := make([]T, m*m)
	// A power of two keeps squares in range and directions as they are.
	if s := scaleFor(Norm(basis.vectors[0])); s != 1 {
		nd.Scale(inexact[T](1/s), basis.vectors[0])
	}
	k := 0
	below := basis.orthonormalize(0)
	for ; k < m && below > 0 && isFinite(below); k++ {
		if k > 0 {
			entries[k*m+k-1], entries[(k-1)*m+k] = inexact[T](below), inexact[T](below)
		}
		A.Apply(basis.vectors[k+1], basis.vectors[k])
		below = basis.orthonormalize(k + 1)
		entries[k*m+k] = inexact[T](real(basis.h[k]))
	}
	if !isFinite(below) {
		k = max(0, k-1) // A of the last vector is not finite
		res.Reason, res.Iterations, res.Residual = NotFinite, k, below
		err = &NotConvergedError{"linalg.Lanczos", res}
	}
	return basisColumns(basis, l, k), replicatedCorner(start, entries, m, k), err
}

// basisColumns returns the first k vectors of a basis as the columns of a matrix.
func basisColumns[T nd.Inexact](b *basis[T], l *split.Layout, k int) *nd.NDArray[T] {
	n := l.Shape()[0]
	rows := split.Block(split.Shape{k, n}, split.None, l.Ranks())
	if !l.Replicated() {
		rows = split.WithCounts(split.Shape{k, n}, 1, l.Counts())
	}
	c := b.sums.comm
	size := k * l.LocalSize(c.Rank())
	return nd.Wrap(c, rows, b.data[:size:size]).T()
}

// replicatedCorner returns the first k rows and columns of the m × m matrix t.
func replicatedCorner[T nd.Inexact](like *nd.NDArray[T], t []T, m, k int) *nd.NDArray[T] {
	for i := range k {
		copy(t[i*k:(i+1)*k], t[i*m:])
	}
	return nd.Wrap(like.Comm(), split.Block(split.Shape{k, k}, split.None, like.Comm().Size()), t[:k*k])
}
