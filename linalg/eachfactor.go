package linalg

import (
	"fmt"

	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/split"
)

// DetEach returns the determinants of the square matrices along the last two axes
// of a, as NumPy's det does; see [Det].
//
// Collective if an axis of the matrices is split, else local. Result split: None
// if a is replicated, else along the axis before the matrices that a is split along,
// with a's counts, or if there is none along the longest of them, balanced.
// Communication: none if no matrix is split, else one move of a, which then is split along
// the longest other axis; if it has no other axes, that of Det.
// Panics if a is not a stack of square matrices.
func DetEach[T nd.Inexact](a *nd.NDArray[T]) *nd.NDArray[T] {
	checkMatrices(a, true)
	if a.NDim() == 2 {
		return oneNumber(a, Det(a))
	}
	s := matricesOf(a)
	det, set := eachOf[T](s)
	s.each(func(i int, m *nd.NDArray[T]) { set(i, []T{LU(m).Det()}) })
	return det
}

// SlogDetEach returns the signs and the natural logarithms of the determinants of
// the square matrices along the last two axes of a; see [SlogDet].
//
// Collective, result split, communication and panics: as [DetEach].
func SlogDetEach[T nd.Inexact](a *nd.NDArray[T]) (sign *nd.NDArray[T], logAbs *nd.NDArray[float64]) {
	checkMatrices(a, true)
	if a.NDim() == 2 {
		s, l := SlogDet(a)
		return oneNumber(a, s), oneNumber(a, l)
	}
	s := matricesOf(a)
	sign, setSign := eachOf[T](s)
	logAbs, setLog := eachOf[float64](s)
	s.each(func(i int, m *nd.NDArray[T]) {
		v, l := LU(m).SlogDet()
		setSign(i, []T{v})
		setLog(i, []float64{l})
	})
	return sign, logAbs
}

// oneNumber returns a replicated array without axes, where a is.
func oneNumber[U nd.Element, T nd.Element](a *nd.NDArray[T], v U) *nd.NDArray[U] {
	return nd.Wrap(a.Comm(), split.Block(split.Shape{}, split.None, a.Comm().Size()), []U{v})
}

// InvEach returns the inverses of the square matrices along the last two axes of
// a; see [Inv]. The error is a *[MatrixError] of the first singular one.
//
// Collective unless a is replicated. Result split: None if a is replicated, else
// along the axis before the matrices that a is split along, with a's counts, or if
// there is none along the longest of them, balanced; a's if it has no other axes.
// Communication: one allreduce of 8 bytes if a is split; before that, if an axis of
// the matrices is split, one move of a, which then is split along the longest other
// axis; if it has no other axes, that of Inv.
// Panics if a is not a stack of square matrices.
func InvEach[T nd.Inexact](a *nd.NDArray[T]) (*nd.NDArray[T], error) {
	checkMatrices(a, true)
	if a.NDim() == 2 {
		return Inv(a)
	}
	s := matricesOf(a)
	inv, set := eachOf[T](s, s.rows, s.cols)
	err := s.try(func(i int, m *nd.NDArray[T]) error {
		x, err := LU(m).Inv()
		if err == nil {
			set(i, x.Local())
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("linalg.InvEach of %v: %w", a.Layout(), err)
	}
	return inv, nil
}

// CholeskyEach returns the factors L of the Hermitian positive definite matrices
// along the last two axes of a; see [Cholesky]. The error is a *[MatrixError] of
// the first one that is not positive definite.
//
// Collective, result split and panics: as [InvEach]. Communication: as InvEach, with
// Cholesky for Inv.
func CholeskyEach[T nd.Inexact](a *nd.NDArray[T]) (*nd.NDArray[T], error) {
	checkMatrices(a, true)
	if a.NDim() == 2 {
		return Cholesky(a)
	}
	s := matricesOf(a)
	l, set := eachOf[T](s, s.rows, s.cols)
	err := s.try(func(i int, m *nd.NDArray[T]) error {
		x, err := Cholesky(m)
		if err == nil {
			set(i, x.Local())
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("linalg.CholeskyEach of %v: %w", a.Layout(), err)
	}
	return l, nil
}

// QREach returns the factors of the matrices along the last two axes of a; see [QR].
//
// Collective if an axis of the matrices is split, else local. Result split: as
// [InvEach]. Communication: none if no matrix is split, else one move of a, which
// then is split along the longest other axis; if it has no other axes, that of QR.
// Panics if a is not a stack of matrices.
func QREach[T nd.Inexact](a *nd.NDArray[T], mode QRMode) (q, r *nd.NDArray[T]) {
	checkMatrices(a, false)
	if a.NDim() == 2 {
		return QR(a, mode)
	}
	s := matricesOf(a)
	k := min(s.rows, s.cols)
	if mode == Complete {
		k = s.rows
	}
	r, setR := eachOf[T](s, k, s.cols)
	var setQ func(int, []T)
	if mode != OnlyR {
		q, setQ = eachOf[T](s, s.rows, k)
	}
	s.each(func(i int, m *nd.NDArray[T]) {
		x, y := QR(m, mode)
		setR(i, y.Local())
		if q != nil {
			setQ(i, x.Local())
		}
	})
	return q, r
}

// SVDEach returns the singular value decompositions of the matrices along the last
// two axes of a, with u (…, m, k), s (…, k) and vh (…, k, n) for k = min(m, n); see
// [SVD]. The error is a *[MatrixError].
//
// Collective, result split and panics: as [InvEach], of s without the last axis.
// Communication: as InvEach, with SVD for Inv.
func SVDEach[T nd.Inexact](a *nd.NDArray[T]) (u *nd.NDArray[T], s *nd.NDArray[float64], vh *nd.NDArray[T], err error) {
	checkMatrices(a, false)
	if a.NDim() == 2 {
		return SVD(a)
	}
	st := matricesOf(a)
	k := min(st.rows, st.cols)
	u, setU := eachOf[T](st, st.rows, k)
	vh, setV := eachOf[T](st, k, st.cols)
	s, setS := eachOf[float64](st, k)
	err = st.try(func(i int, m *nd.NDArray[T]) error {
		d, err := decompose(m, true)
		if err == nil {
			setU(i, d.u.Local())
			setV(i, d.vh.Local())
			setS(i, d.s)
		}
		return err
	})
	if err != nil {
		return nil, nil, nil, fmt.Errorf("linalg.SVDEach of %v: %w", a.Layout(), err)
	}
	return u, s, vh, nil
}

// EigHEach returns the eigenvalues and eigenvectors of the Hermitian matrices along
// the last two axes of a; see [EigH]. The error is a *[MatrixError].
//
// Collective, result split and panics: as [InvEach], of w without the last axis.
// Communication: as InvEach, with EigH for Inv.
func EigHEach[T nd.Inexact](a *nd.NDArray[T]) (w *nd.NDArray[float64], v *nd.NDArray[T], err error) {
	checkMatrices(a, true)
	if a.NDim() == 2 {
		return EigH(a)
	}
	s := matricesOf(a)
	w, setW := eachOf[float64](s, s.rows)
	v, setV := eachOf[T](s, s.rows, s.rows)
	err = s.try(func(i int, m *nd.NDArray[T]) error {
		x, y, err := EigH(m)
		if err == nil {
			setW(i, x.Local())
			setV(i, y.Local())
		}
		return err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("linalg.EigHEach of %v: %w", a.Layout(), err)
	}
	return w, v, nil
}

// SolveEach returns the X of A·X = B for each square matrix A along the last two
// axes of a and each B along the last two axes of b, or for a vector b; the axes
// before broadcast. See [Solve]. The error is a *[MatrixError] of the first singular
// matrix.
//
// Collective unless both are replicated. Result split: None if both are replicated,
// else along an axis before the matrices: the one that the larger of the two is split along,
// with its counts, where that is not the first with split matrices. If a is one
// matrix, which each rank factors for itself, the result is split as b.
// Communication: one allreduce of 8 bytes unless both are replicated; before that
// one move of each operand with split matrices, as in [InvEach], one broadcast of
// one that is split along an axis that repeats, and one move of the smaller
// operand if both are split, but differently. If both have two axes or fewer, that
// of Solve.
// Panics if the extents do not fit, or if the communicators differ.
func SolveEach[T nd.Inexact](a, b *nd.NDArray[T]) (*nd.NDArray[T], error) {
	checkMatrices(a, true)
	sameComm(a, b)
	if a.NDim() == 2 && b.NDim() <= 2 {
		return Solve(a, b)
	}
	if b.NDim() == 1 {
		x, err := SolveEach(a, nd.Reshape(b, b.Size(), 1))
		if err != nil {
			return nil, err
		}
		l, _ := split.Reduce(x.Layout(), []int{x.NDim() - 1}, false)
		return nd.Wrap(x.Comm(), l, x.Local()), nil
	}
	checkMatrices(b, false)
	sa, sb := a.Layout().Shape(), b.Layout().Shape()
	na, nb := len(sa)-2, len(sb)-2
	lead, err := split.BroadcastShapes(sa[:na], sb[:nb])
	if err != nil || sa[na] != sb[nb] {
		misuse.Panic("no systems of matrices %v and right-hand sides %v", a.Layout(), b.Layout())
	}
	shape := func(tail split.Shape) split.Shape { return append(append(split.Shape{}, lead...), tail...) }
	spread := func(x *nd.NDArray[T]) *nd.NDArray[T] {
		x = x.MoveTo(wholeMatrices(x.Layout()))
		return nd.BroadcastTo(x, shape(x.Layout().Shape()[x.NDim()-2:])...)
	}
	bs := spread(b)
	place := bs.Layout()
	var factors *LUFactors[T]
	var as *nd.NDArray[T]
	if na == 0 {
		factors = LU(a.Resplit(split.None))
	} else {
		as = spread(a)
		if l := as.Layout(); place.Replicated() || a.Size() > b.Size() && !l.Replicated() {
			place = l
		}
	}
	on := func(s split.Shape) *split.Layout {
		if place.Replicated() {
			return split.Block(s, split.None, place.Ranks())
		}
		return split.WithCounts(s, place.Axis(), place.Counts())
	}
	rhs := matricesIn(bs, on(shape(sb[nb:])))
	x, set := eachOf[T](rhs, rhs.rows, rhs.cols)
	var each matrices[T]
	if as != nil {
		each = matricesIn(as, on(shape(sa[na:])))
	}
	l := split.Block(split.Shape{rhs.rows, rhs.rows}, split.None, place.Ranks())
	err = rhs.try(func(i int, m *nd.NDArray[T]) error {
		f := factors
		if f == nil {
			size := rhs.rows * rhs.rows
			f = LU(nd.Wrap(a.Comm(), l, each.data[i*size:(i+1)*size]))
		}
		v, err := f.Solve(m)
		if err == nil {
			set(i, v.Local())
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("linalg.SolveEach of %v and %v: %w", a.Layout(), b.Layout(), err)
	}
	return x, nil
}
