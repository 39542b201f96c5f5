package linalg

import (
	"caloric/internal/misuse"
	"caloric/nd"
)

// TensorSolve returns the x of TensorDot(a, x, x.NDim()) = b: a's first axes are
// b's, the others are x's, and both have as many indices.
//
// Collective unless both are replicated. Result split: b's if b and x are
// vectors, else 0, None if b is replicated. Communication: as [nd.Reshape] of a,
// b and x and [Solve].
// Panics if the shapes do not fit or the communicators differ. The error is that
// of Solve.
func TensorSolve[T nd.Inexact](a, b *nd.NDArray[T]) (*nd.NDArray[T], error) {
	sameComm(a, b)
	sa, sb := a.Shape(), b.Shape()
	n := b.Size()
	if len(sa) < len(sb) || !sa[:len(sb)].Equal(sb) || sa[len(sb):].Size() != n {
		misuse.Panic("%v is no square system for a right side %v", a.Layout(), b.Layout())
	}
	x, err := Solve(asMatrix(a, len(sb)), nd.Reshape(b, -1))
	if err != nil {
		return nil, err
	}
	return nd.Reshape(x, sa[len(sb):]...), nil
}

// TensorInv returns the inverse of a as the matrix of its first n axes against the
// others: TensorDot(TensorInv(a, n), a, n) is the identity. The result has a's
// last axes first.
//
// Collective unless a is replicated. Result split: 0, None if a is replicated.
// Communication: as [nd.Reshape] of a and the result and [Inv].
// Panics if n is not between 1 and a's number of axes, or the first axes and the
// others do not have as many indices. The error is that of Inv.
func TensorInv[T nd.Inexact](a *nd.NDArray[T], n int) (*nd.NDArray[T], error) {
	s := a.Shape()
	if n < 1 || n > len(s) || s[:n].Size() != s[n:].Size() {
		misuse.Panic("%v is not square with %d axes first", a.Layout(), n)
	}
	inv, err := Inv(asMatrix(a, n))
	if err != nil {
		return nil, err
	}
	return nd.Reshape(inv, append(s[n:], s[:n]...)...), nil
}

// asMatrix returns a as the matrix of its first n axes against the others.
func asMatrix[T nd.Number](a *nd.NDArray[T], n int) *nd.NDArray[T] {
	s := a.Shape()
	if a.NDim() == 2 && n == 1 {
		return a
	}
	return nd.Reshape(a, s[:n].Size(), s[n:].Size())
}
