package linalg

import (
	"errors"
	"fmt"
	"math"

	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// MatrixOrd is a norm of matrices, or one of the smallest gains that NumPy gives
// the names of negative norms.
type MatrixOrd uint8

// The norms of a matrix.
const (
	Frobenius   MatrixOrd = iota // the square root of the sum of squares
	MaxColSum                    // order 1: the largest sum of magnitudes of a column
	MinColSum                    // order −1: the smallest one
	MaxRowSum                    // order ∞: the largest sum of magnitudes of a row
	MinRowSum                    // order −∞: the smallest one
	Spectral                     // order 2: the largest singular value
	MinSpectral                  // order −2: the smallest singular value
	Nuclear                      // the sum of the singular values
)

// String returns NumPy's name.
func (o MatrixOrd) String() string {
	return [...]string{"fro", "1", "-1", "inf", "-inf", "2", "-2", "nuc"}[o]
}

// ofNothing reports whether the largest or smallest of no numbers is asked for in
// a matrix of m × n.
func (o MatrixOrd) ofNothing(m, n int) bool {
	switch o {
	case MaxColSum, MinColSum:
		return n == 0
	case MaxRowSum, MinRowSum:
		return m == 0
	case Spectral, MinSpectral:
		return m == 0 || n == 0
	}
	return false
}

// MatrixNorm returns a norm of a matrix, on every rank. None overflows unless its
// value does; NaN propagates. The norms by singular values return the error of
// [SVDVals]; the others never return one.
//
// Collective unless a is replicated. Communication: that of SVDVals for the norms
// by singular values, else one allreduce: of 24 bytes for the Frobenius norm, of 8
// bytes a sum for sums that run along the split axis, of 8 bytes for others; none
// if a is replicated.
// Panics if a is not a matrix, or the largest or smallest of no numbers is asked for.
func MatrixNorm[T nd.Inexact](a *nd.NDArray[T], ord MatrixOrd) (float64, error) {
	if a.NDim() != 2 {
		misuse.Panic("the norm of a matrix, not of an array %v; see MatrixNormOver", a.Layout())
	}
	n, err := MatrixNormOver(a, ord, 0, 1)
	if err != nil {
		return 0, err
	}
	return n.Item(), nil
}

// MatrixNormOver returns the norms of the matrices along two axes of a, rows
// running along the first and columns along the second; see [MatrixNorm].
// [KeepDims] keeps the axes with extent 1.
//
// Collective unless the matrices are whole on a rank. Result split: None if one
// of the axes is the split axis, else a's, shifted by the axes before it.
// Communication: if the split axis is one of the two, one allreduce, of 24 bytes
// a matrix for the Frobenius norm, of 8 bytes a sum for sums that run along the
// split axis, of 8 bytes a matrix for others; for norms by singular values that of
// [SVDVals] for each matrix. If it is another axis, one allreduce of a flag for
// norms by singular values, to agree on an error, else none.
// Panics if the axes are out of range or equal, or the largest or smallest of no
// numbers is asked for.
func MatrixNormOver[T nd.Inexact](a *nd.NDArray[T], ord MatrixOrd, rows, cols int, opts ...NormOption) (*nd.NDArray[float64], error) {
	_, keep := normOptions(opts)
	i, err := split.NormalizeAxis(rows, a.NDim())
	misuse.Check(err)
	j, err := split.NormalizeAxis(cols, a.NDim())
	misuse.Check(err)
	if i == j || ord > Nuclear {
		misuse.Panic("norm %d of matrices along axes %d and %d of %v", ord, rows, cols, a.Layout())
	}
	if s := a.Layout().Shape(); ord.ofNothing(s[i], s[j]) {
		misuse.Panic("norm %v of matrices along axes %d and %d of %v, which have no elements", ord, rows, cols, a.Layout())
	}
	var n *nd.NDArray[float64]
	switch ord {
	case Frobenius:
		// The norm of the norms of lines, which cannot overflow on the way.
		if a.Split() == split.Axis(j) { // the lines are whole
			i, j = j, i
		}
		n = NormOver(NormOver(a, j, KeepDims()), i, KeepDims())
	case MaxColSum:
		n = nd.Max(NormOver(a, i, Ord(1), KeepDims()), nd.Over(j), nd.KeepDims())
	case MinColSum:
		n = nd.Min(NormOver(a, i, Ord(1), KeepDims()), nd.Over(j), nd.KeepDims())
	case MaxRowSum:
		n = nd.Max(NormOver(a, j, Ord(1), KeepDims()), nd.Over(i), nd.KeepDims())
	case MinRowSum:
		n = nd.Min(NormOver(a, j, Ord(1), KeepDims()), nd.Over(i), nd.KeepDims())
	default:
		if n, err = singularNorms(a, ord, i, j); err != nil {
			return nil, err
		}
	}
	if keep {
		return n, nil
	}
	l, _ := split.Reduce(a.Layout(), []int{i, j}, false)
	return nd.Wrap(n.Comm(), l, n.Local()), nil
}

// singularNorms returns norms by singular values, axes i and j with extent 1.
func singularNorms[T nd.Inexact](a *nd.NDArray[T], ord MatrixOrd, i, j int) (*nd.NDArray[float64], error) {
	l, across := split.Reduce(a.Layout(), []int{i, j}, true)
	c := a.Comm()
	out := make([]float64, l.LocalSize(c.Rank()))
	stacked := nd.MoveAxes(a, []int{i, j}, []int{-2, -1})
	var failed error
	at := 0
	eachStacked(stacked, across, func(m *nd.NDArray[T]) {
		v, err := singularNorm(m, ord)
		if err != nil && failed == nil {
			failed = err
		}
		out[at] = v
		at++
	})
	if !across && !a.Layout().Replicated() {
		failed = agreedError(c, failed)
	}
	if failed != nil {
		return nil, fmt.Errorf("linalg.MatrixNormOver of %v: %w", a.Layout(), failed)
	}
	return nd.Wrap(c, l, out), nil
}

// agreedError returns the error of singular values that any rank has, on every
// rank one that [errors.Is] knows.
func agreedError(c *spmd.Comm, err error) error {
	known := []error{nil, ErrNotFinite, ErrNotConverged}
	var code int64
	for k, e := range known {
		if err != nil && errors.Is(err, e) {
			code = int64(k)
		}
	}
	return known[spmd.AllreduceOne(c, code, spmd.Max)]
}

// singularNorm returns a norm of one matrix by its singular values.
func singularNorm[T nd.Inexact](m *nd.NDArray[T], ord MatrixOrd) (float64, error) {
	if m.Size() == 0 {
		return 0, nil // only the nuclear norm comes here
	}
	values, err := SVDVals(m)
	if err != nil {
		return 0, err
	}
	s := values.Local()
	switch ord {
	case Spectral:
		return s[0], nil
	case MinSpectral:
		return s[len(s)-1], nil
	}
	sum := 0.0
	for _, v := range s {
		sum += v
	}
	return sum, nil
}

// eachStacked calls f for the matrices along the last two axes of a: for all of
// them if those are split, else for this rank's, as replicated matrices, for which
// nothing is communicated.
func eachStacked[T nd.Number](a *nd.NDArray[T], across bool, f func(m *nd.NDArray[T])) {
	n := a.NDim() - 2
	if !across {
		shape := nd.Shape(a.LocalShape())
		size := shape[n] * shape[n+1]
		l := split.Block(shape[n:], split.None, a.Comm().Size())
		local := a.Local()
		for k := range shape[:n].Size() {
			f(nd.Wrap(a.Comm(), l, local[k*size:(k+1)*size]))
		}
		return
	}
	items := make([]nd.Item, n)
	shape := a.Shape()
	for k := range shape[:n].Size() {
		for d := n - 1; d >= 0; d-- {
			items[d] = nd.Index(k % shape[d])
			k /= shape[d]
		}
		f(a.Slice(items...))
	}
}

// CondIn returns the condition number of a matrix in a norm, ‖A‖·‖A⁻¹‖, on every
// rank; [Cond] is the one in the 2-norm, by singular values. For the orders 2 and
// −2 the matrix may have any shape, and the value is the quotient of the largest
// and the smallest singular value, or of the smallest and the largest. It is +Inf
// for a singular matrix, 0 for order −2.
//
// Collective unless a is replicated. Communication: that of [SVDVals] for orders
// 2 and −2, else as [Inv] and twice [MatrixNorm].
// Panics if a is not square where it has to be, or has no elements.
func CondIn[T nd.Inexact](a *nd.NDArray[T], ord MatrixOrd) (float64, error) {
	if ord == Spectral || ord == MinSpectral {
		v, err := Cond(a)
		if err == nil && ord == MinSpectral {
			v = 1 / v
		}
		return v, err
	}
	checkFactored(a.Layout())
	if a.Size() == 0 {
		misuse.Panic("condition number of %v, which has no elements", a.Layout())
	}
	x, err := MatrixNorm(a, ord)
	if err != nil {
		return 0, err
	}
	inv, err := Inv(a)
	if err != nil { // singular: not an error of the condition number, but its answer
		if math.IsNaN(x) {
			return x, nil
		}
		return math.Inf(1), nil
	}
	y, err := MatrixNorm(inv, ord)
	return x * y, err
}
