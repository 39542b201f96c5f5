package linalg

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"caloric/internal/misuse"
	"caloric/nd"
)

// EigH returns the eigenvalues w and the eigenvectors of a Hermitian (for real
// types symmetric) matrix: a·v = v·diag(w), vᴴv is the identity, and w, n numbers
// on every rank, does not decrease. That a is Hermitian is not checked.
//
// The matrix is dealt out in columns and reduced to tridiagonal form by
// Householder reflections, half of whose work is matrix products (Dongarra,
// Sorensen, Hammarling 1989). Of the tridiagonal matrix every rank computes the
// eigenvalues by the implicit QL iteration (Dubrulle, Martin, Wilkinson 1968),
// and its share of the vectors' rows. Errors are those of double precision
// relative to the largest eigenvalue, of single precision for float32 and
// complex64.
//
// Collective, local if a is replicated. Result split: w None, v as a with a's counts. Communication:
// none if a is replicated; otherwise an alltoallv of a and two of v, two
// collectives a column (for column j a broadcast of n − j + 2 elements and an
// allgatherv of n − j − 1), and n/b broadcasts of b columns, with 8 ≤ b ≤ 32. Extra memory: four local parts.
// Panics if a is not a square matrix.
func EigH[T nd.Inexact](a *nd.NDArray[T]) (w *nd.NDArray[float64], v *nd.NDArray[T], err error) {
	values, v, err := eigenOf(a, true)
	if err != nil {
		return nil, nil, fmt.Errorf("linalg.EigH of %v: %w", a.Layout(), err)
	}
	return replicatedVector(a, values), v, nil
}

// EigValsH returns the eigenvalues of a Hermitian matrix, in ascending order, on
// every rank; see [EigH].
//
// Collective, local if a is replicated. Result split: None. Communication: as
// EigH, without that of v. Panics if a is not a square matrix.
func EigValsH[T nd.Inexact](a *nd.NDArray[T]) (*nd.NDArray[float64], error) {
	values, _, err := eigenOf(a, false)
	if err != nil {
		return nil, fmt.Errorf("linalg.EigValsH of %v: %w", a.Layout(), err)
	}
	return replicatedVector(a, values), nil
}

func eigenOf[T nd.Inexact](a *nd.NDArray[T], vectors bool) ([]float64, *nd.NDArray[T], error) {
	m, n := matrixShape(a)
	if m != n {
		misuse.Panic("the matrix %v is not square", a.Layout())
	}
	g := crewOf(a)
	w := dealt(a, g, g.blockOf(n))
	f := tridiagonalize(w)
	exponent, err := scaleBand(f.d, f.e[:max(0, n-1)])
	if err != nil {
		return nil, nil, err
	}
	r := rotations{workers: a.Comm().Workers()}
	lo, hi := g.share(n)
	rows := hi - lo
	if vectors {
		r.zt = dense(make([]float64, n*rows), n, rows)
		for i := range rows {
			r.zt.data[(lo+i)*rows+i] = 1
		}
	}
	if !solveTridiagonal(f.d, f.e, &r) {
		return nil, nil, ErrNotConverged
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(f.d[i], f.d[j]) })
	values := make([]float64, n)
	for k, i := range order {
		values[k] = math.Ldexp(f.d[i], exponent)
	}
	if !vectors {
		return values, nil, nil
	}
	sorted := make([]float64, 0, n*rows)
	for _, i := range order {
		sorted = append(sorted, r.zt.data[i*rows:(i+1)*rows]...)
	}
	v := tallFrom(sorted, w, n)
	f.q.apply(v, false)
	return values, v.collected(a.Layout()), nil
}
