package linalg

import (
	"fmt"
	"math"

	"caloric/internal/misuse"
	"caloric/internal/recycle"
	"caloric/nd"
	"caloric/split"
)

// RankOption says which singular values count as zero; see [Rcond] and [Tol].
type RankOption struct {
	rcond    float64
	absolute bool
}

// Rcond counts singular values as zero that are at most rcond times the largest
// one. By default it is the larger extent times the distance from 1 to the next
// number of the element type.
func Rcond(rcond float64) RankOption {
	if !(rcond >= 0) {
		misuse.Panic("rcond is %v", rcond)
	}
	return RankOption{rcond: rcond}
}

// Tol counts singular values as zero that are at most tol.
func Tol(tol float64) RankOption {
	if !(tol >= 0) {
		misuse.Panic("tolerance %v", tol)
	}
	return RankOption{rcond: tol, absolute: true}
}

// cutoff returns the number up to which singular values of an m × n matrix count as zero.
func cutoff[T nd.Inexact](m, n int, s []float64, opts []RankOption) float64 {
	o := RankOption{rcond: float64(max(m, n)) * vectorsOf[T]().epsilon()}
	for _, last := range opts {
		o = last
	}
	switch {
	case o.absolute:
		return o.rcond
	case len(s) == 0:
		return 0
	}
	return o.rcond * s[0]
}

// rankOf returns how many of the descending s are larger than tol.
func rankOf(s []float64, tol float64) int {
	r := 0
	for r < len(s) && s[r] > tol {
		r++
	}
	return r
}

// inverses returns 1/s for the first rank of s and 0 for the others.
func inverses(s []float64, rank int) []float64 {
	inv := make([]float64, len(s))
	for i := range rank {
		inv[i] = 1 / s[i]
	}
	return inv
}

// LstSqResult says what [LstSq] found. It is the same on every rank.
type LstSqResult struct {
	Rank           int                  // the number of singular values that do not count as zero
	SingularValues *nd.NDArray[float64] // of a, replicated, in descending order
	Residuals      []float64            // ‖b − a·x‖ of each right-hand side, not squared as NumPy's are
}

// LstSq returns the x of smallest norm among those that minimize ‖b − a·x‖, for
// each column of b, or for b if it is a vector. It goes through the singular
// value decomposition of a, which may have any rank; [Rcond] says which singular
// values count as zero.
//
// For a tall matrix (m ≥ (n+k)·P for k right-hand sides on P ranks) the triangle
// of a and b side by side is computed by TSQR, see [QR], and all else from that on
// every rank (Golub and Van Loan 2013, section 5.3.3). Otherwise x is
// V·diag(1/s)·Uᴴ·b with the factors of [SVD].
//
// Collective, local if a and b are replicated. Result split: None for a tall a,
// or if both are replicated; 1 if a is replicated and b split along axis 1; otherwise
// 0. Communication: of a tall a, that of TSQR with n+k columns; otherwise that of
// SVD, three products and a norm; before that one alltoallv of b if a is split and
// b is split otherwise than a's rows. Panics if the shapes do not fit, or the communicators differ.
func LstSq[T nd.Inexact](a, b *nd.NDArray[T], opts ...RankOption) (*nd.NDArray[T], LstSqResult, error) {
	m, n := matrixShape(a)
	sameComm(a, b)
	sb := b.Layout().Shape()
	if len(sb) < 1 || len(sb) > 2 || sb[0] != m {
		misuse.Panic("right-hand side %v for a matrix %v", b.Layout(), a.Layout())
	}
	k := 1
	if len(sb) == 2 {
		k = sb[1]
	}
	var x *nd.NDArray[T]
	var res LstSqResult
	var err error
	if c := a.Comm(); !a.Layout().Replicated() && isTall(m, n+k, c.Size()) {
		x, res, err = lstsqTall(a, b, k, opts)
	} else {
		x, res, err = lstsqSVD(a, b, opts)
	}
	if err != nil {
		return nil, res, fmt.Errorf("linalg.LstSq of %v: %w", a.Layout(), err)
	}
	return x, res, nil
}

// rowsBeside returns b with the rows of a, which is split, on each rank.
func rowsBeside[T nd.Inexact](a, b *nd.NDArray[T]) *nd.NDArray[T] {
	s := b.Layout().Shape()
	if a.Split() == 0 {
		return b.MoveTo(split.WithCounts(s, 0, a.Layout().Counts()))
	}
	if b.Split() == 0 {
		return b
	}
	return b.MoveTo(split.Block(s, 0, a.Comm().Size()))
}

func lstsqTall[T nd.Inexact](a, b *nd.NDArray[T], k int, opts []RankOption) (*nd.NDArray[T], LstSqResult, error) {
	m, n := matrixShape(a)
	c := a.Comm()
	rows := byRows(crewOf(a), a)
	b = rowsBeside(rows, b)
	left, right := right(rows), right(b)
	both := dense(recycle.Make[T]((n+k)*left.rows), left.rows, n+k)
	copyMat(both.colRange(0, n), left)
	copyMat(both.colRange(n, n+k), right)
	r := newTSQR(crewOf(a), both, rows.Layout().Counts(), false, nil).r
	recycle.Free(both.data)
	g := soloCrew(c)
	w := newCyclicColumns[T](g, n, n, g.blockOf(n))
	copyMat(w.own, r.rowRange(0, n).colRange(0, n).t())
	u, v, s, err := singularOf(w, true)
	if err != nil {
		return nil, LstSqResult{}, err
	}
	res := LstSqResult{SingularValues: replicatedVector(a, s), Residuals: make([]float64, k)}
	res.Rank = rankOf(s, cutoff[T](m, n, s, opts))
	vk := vectorsOf[T]()
	y := productOf(conjugated(vk, u.own), r.rowRange(0, n).colRange(n, n+k), c.Workers())
	rest := make([]T, r.rows) // what x leaves of a column of b, in the basis of Q
	for j := range k {
		// Of Uᴴb the part that belongs to values that count as zero is left as well.
		for i := range n {
			rest[i] = 0
			if i >= res.Rank {
				rest[i] = y.data[i*k+j]
			}
		}
		for i := n; i < r.rows; i++ {
			rest[i] = r.data[r.off+i*r.rs+(n+j)*r.cs]
		}
		res.Residuals[j] = vk.norm(rest)
	}
	for i, f := range inverses(s, res.Rank) {
		vk.scale(inexact[T](f), y.data[i*k:(i+1)*k])
	}
	x := productOf(v.own.t(), y, c.Workers())
	shape := split.Shape{n}
	if b.NDim() == 2 {
		shape = split.Shape{n, k}
	}
	return nd.Wrap(c, split.Block(shape, split.None, c.Size()), x.data), res, nil
}

func lstsqSVD[T nd.Inexact](a, b *nd.NDArray[T], opts []RankOption) (*nd.NDArray[T], LstSqResult, error) {
	m, n := matrixShape(a)
	if !a.Layout().Replicated() {
		b = rowsBeside(a, b)
	}
	d, err := decompose(a, true)
	if err != nil {
		return nil, LstSqResult{}, err
	}
	res := LstSqResult{SingularValues: replicatedVector(a, d.s)}
	res.Rank = rankOf(d.s, cutoff[T](m, n, d.s, opts))
	y := MatMul(adjoint(d.u), b)
	scaleRows(y, inverses(d.s, res.Rank))
	x := MatMul(adjoint(d.vh), y)
	rest := nd.Sub(b, MatMul(a, x).MoveTo(b.Layout()))
	if rest.NDim() == 1 {
		res.Residuals = []float64{Norm(rest)}
	} else {
		res.Residuals = NormOver(rest, 0).Gather()
	}
	return x, res, nil
}

// scaleRows multiplies row i of a, a matrix or a vector, by f[i].
func scaleRows[T nd.Inexact](a *nd.NDArray[T], f []float64) {
	m := right(a)
	lo := 0
	if a.Split() == 0 {
		lo, _ = a.Layout().Range(a.Comm().Rank())
	}
	for i := range m.rows {
		v := inexact[T](f[lo+i])
		for j := range m.cols {
			m.data[m.off+i*m.rs+j*m.cs] *= v
		}
	}
}

// PInv returns the Moore-Penrose pseudo-inverse of an m × n matrix, which is
// n × m, from its singular value decomposition; [Rcond] says which singular values
// count as zero (Golub and Van Loan 2013, section 5.5.2).
//
// Collective, local if a is replicated. Result split: a's, transposed, with a's
// counts. Communication: that of [SVD] and of one product, which is local for a
// tall or a wide matrix; of one that is wide and split along its rows, the product's
// reduce-scatter and an alltoallv. Panics if a is not a matrix.
func PInv[T nd.Inexact](a *nd.NDArray[T], opts ...RankOption) (*nd.NDArray[T], error) {
	m, n := matrixShape(a)
	d, err := decompose(a, true)
	if err != nil {
		return nil, fmt.Errorf("linalg.PInv of %v: %w", a.Layout(), err)
	}
	uh := adjoint(d.u)
	if !isComplex[T]() {
		uh = nd.Copy(uh) // it is a view of u
	}
	scaleRows(uh, inverses(d.s, rankOf(d.s, cutoff[T](m, n, d.s, opts))))
	l, _ := split.Transpose(a.Layout(), []int{1, 0})
	return MatMul(adjoint(d.vh), uh).MoveTo(l), nil
}

// MatrixRank returns how many singular values of a matrix do not count as zero,
// on every rank; see [Rcond] and [Tol].
//
// Collective, local if a is replicated. Communication: that of [SVDVals].
// Panics if a is not a matrix.
func MatrixRank[T nd.Inexact](a *nd.NDArray[T], opts ...RankOption) (int, error) {
	m, n := matrixShape(a)
	d, err := decompose(a, false)
	if err != nil {
		return 0, fmt.Errorf("linalg.MatrixRank of %v: %w", a.Layout(), err)
	}
	return rankOf(d.s, cutoff[T](m, n, d.s, opts)), nil
}

// Cond returns the condition number of a matrix in the 2-norm, its largest
// singular value over its smallest one, on every rank: +Inf if that is 0.
//
// Collective, local if a is replicated. Communication: that of [SVDVals].
// Panics if a is not a matrix or has no elements.
func Cond[T nd.Inexact](a *nd.NDArray[T]) (float64, error) {
	s, err := singularValues(a, "Cond")
	if err != nil {
		return 0, err
	}
	if last := s[len(s)-1]; last > 0 {
		return s[0] / last, nil
	}
	return math.Inf(1), nil
}

func singularValues[T nd.Inexact](a *nd.NDArray[T], name string) ([]float64, error) {
	if m, n := matrixShape(a); m == 0 || n == 0 {
		misuse.Panic("the matrix %v has no elements", a.Layout())
	}
	d, err := decompose(a, false)
	if err != nil {
		return nil, fmt.Errorf("linalg.%s of %v: %w", name, a.Layout(), err)
	}
	return d.s, nil
}
