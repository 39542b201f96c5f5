package linalg

import (
	"fmt"
	"math"

	"caloric/nd"
	"caloric/split"

	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/gonum"
)

// Eig returns the eigenvalues w and right eigenvectors, columns of v, of any real
// square matrix: a·v = v·diag(w), in the order of LAPACK's geev, which is also
// NumPy's. Conjugate pairs stand beside each other, the one with the positive
// imaginary part first. Each vector has norm 1, of a pair the largest element real. Of a
// defective matrix the vectors are not independent. For a symmetric one, [EigH] is faster,
// keeps the matrix spread out, and also takes complex numbers.
//
// The matrix is balanced, reduced to Hessenberg form and that by the multi-shift
// QR iteration with aggressive early deflation (Braman, Byers, Mathias 2002), on
// every rank by itself, and in double precision also for float32.
//
// The error is [ErrNotFinite] or [ErrNotConverged].
//
// Collective, local if a is replicated. Result split: w None, v as a with a's
// counts. Communication: one allgatherv of a, none if a is replicated. Extra
// memory: on every rank 4n² numbers of 8 bytes for n × n elements.
// Panics if a is not a square matrix.
func Eig[T nd.Float](a *nd.NDArray[T]) (w, v *nd.NDArray[complex128], err error) {
	checkFactored(a.Layout())
	values, x, err := generalEigenOf(a, true)
	if err != nil {
		return nil, nil, fmt.Errorf("linalg.Eig of %v: %w", a.Layout(), err)
	}
	n := len(values)
	all := make([]complex128, n*n)
	for j := 0; j < n; j++ {
		if imag(values[j]) == 0 {
			for i := range n {
				all[i*n+j] = complex(x[i*n+j], 0)
			}
			continue
		}
		for i := range n {
			all[i*n+j], all[i*n+j+1] = complex(x[i*n+j], x[i*n+j+1]), complex(x[i*n+j], -x[i*n+j+1])
		}
		j++
	}
	c := a.Comm()
	v = nd.Wrap(c, split.Block(split.Shape{n, n}, split.None, c.Size()), all)
	return replicatedVector(a, values), v.MoveTo(a.Layout()), nil
}

// EigVals returns the eigenvalues of any real square matrix, on every rank; see [Eig].
//
// Collective, local if a is replicated. Result split: None. Communication: one
// allgatherv of a, none if a is replicated. Extra memory: on every rank 2n² numbers
// of 8 bytes for n × n elements. Panics if a is not a square matrix.
func EigVals[T nd.Float](a *nd.NDArray[T]) (*nd.NDArray[complex128], error) {
	checkFactored(a.Layout())
	values, _, err := generalEigenOf(a, false)
	if err != nil {
		return nil, fmt.Errorf("linalg.EigVals of %v: %w", a.Layout(), err)
	}
	return replicatedVector(a, values), nil
}

// generalEigenOf returns the eigenvalues and, if asked for, LAPACK's real form of the right
// eigenvectors, in which a pair has the real and the imaginary part of one.
func generalEigenOf[T nd.Float](a *nd.NDArray[T], vectors bool) (w []complex128, v []float64, err error) {
	n := a.Layout().Shape()[0]
	m := make([]float64, n*n)
	here := a.Resplit(split.None)
	src := right(here)
	for i := range n {
		for j := range n {
			x := float64(src.data[src.off+i*src.rs+j*src.cs])
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return nil, nil, ErrNotFinite
			}
			m[i*n+j] = x
		}
	}
	if n == 0 {
		return nil, nil, nil
	}
	useWorkers(a.Comm().Workers())
	job, ldv := lapack.RightEVNone, 1
	if vectors {
		job, ldv, v = lapack.RightEVCompute, n, make([]float64, n*n)
	}
	re, im, size := make([]float64, n), make([]float64, n), make([]float64, 1)
	geev := func(work []float64, lwork int) int {
		return gonum.Implementation{}.Dgeev(lapack.LeftEVNone, job, n, m, n, re, im, nil, 1, v, ldv, work, lwork)
	}
	geev(size, -1)
	if geev(make([]float64, int(size[0])), int(size[0])) > 0 {
		return nil, nil, ErrNotConverged
	}
	w = make([]complex128, n)
	for i := range w {
		w[i] = complex(re[i], im[i])
	}
	return w, v, nil
}
