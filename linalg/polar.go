package linalg

import (
	"fmt"

	"caloric/nd"
)

// Polar returns the factors of a = u·h, where h is Hermitian positive
// semi-definite and u, as large as a, has orthonormal columns, or rows if a has
// fewer of them: u is the closest such matrix to a. They are U·Vᴴ and V·diag(s)·Vᴴ
// with the factors of the singular value decomposition (Higham 2008, "Functions
// of matrices", chapter 8), as SciPy computes them.
//
// Collective, local if a is replicated. Result split: u as a, with a's counts; h
// as a, None for a tall a. Communication: that of [SVD] and of two products, and
// one move of a result if a is wide. Panics if a is not a matrix.
func Polar[T nd.Inexact](a *nd.NDArray[T]) (u, h *nd.NDArray[T], err error) {
	_, n := matrixShape(a)
	d, err := decompose(a, true)
	if err != nil {
		return nil, nil, fmt.Errorf("linalg.Polar of %v: %w", a.Layout(), err)
	}
	u = MatMul(d.u, d.vh).MoveTo(a.Layout())
	v := adjoint(d.vh)
	scaled := nd.Copy(d.vh)
	scaleRows(scaled, d.s)
	h = MatMul(v, scaled)
	if !d.vh.Layout().Replicated() {
		h = h.MoveTo(columnsLike(a, n, n))
	}
	return u, h, nil
}
