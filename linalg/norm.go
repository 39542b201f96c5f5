package linalg

import (
	"math"

	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// NormOption says which norm is to be taken; see [Ord] and [KeepDims].
type NormOption struct {
	ord      float64
	keepDims bool
}

// Ord selects the p-norm (Σ|x|^p)^(1/p) of any p: 2 is the default, 0 counts the
// elements that are not zero, math.Inf(1) is the largest and math.Inf(-1) the
// smallest magnitude.
func Ord(p float64) NormOption {
	if p != p {
		misuse.Panic("norm of order NaN")
	}
	return NormOption{ord: p}
}

// KeepDims keeps the axis of [NormOver] with extent 1.
func KeepDims() NormOption { return NormOption{ord: math.NaN(), keepDims: true} }

// Norm returns the norm of all elements of a, taken as one vector, on every
// rank. For the default order that is the Frobenius norm of a matrix; norms of a
// matrix as an operator are other functions. NaN propagates.
//
// Sums are pairwise and in double precision, and the 2-norm neither overflows
// nor underflows unless its value does: magnitudes whose squares could do so are
// scaled and added up apart (Blue 1978, "A portable Fortran program to find the
// Euclidean norm of a vector"; Anderson 2017, "Algorithm 978").
//
// Collective unless a is replicated. Communication: one allreduce of 8 bytes, 24
// for the 2-norm, none if a is replicated.
// Panics if a is empty and the order is -Inf.
func Norm[T nd.Number](a *nd.NDArray[T], opts ...NormOption) float64 {
	p, _ := normOptions(opts)
	if p < 0 && math.IsInf(p, -1) && a.Size() == 0 {
		misuse.Panic("smallest magnitude of no elements (%v)", a.Layout())
	}
	m := measureOf(p)
	if !a.IsContiguous() && a.T().IsContiguous() {
		a = a.T() // the order does not matter
	}
	s := normOf(m, a.Local(), a.Comm().Workers())
	if !a.Layout().Replicated() {
		spmd.Allreduce(a.Comm(), s[:m.planes()], m.op())
	}
	return m.finish(s)
}

// NormOver returns the norms of a along one axis, which is negative to count
// from the end. It is [Norm] of each line of elements along the axis.
//
// Collective if axis is the split axis, else local. Result split: None if axis
// is the split axis, else a's, shifted if axis was before it. Communication: one
// allreduce of 8 bytes a result, 24 for the 2-norm, if axis is the split axis.
// Panics if axis is out of range, or for order -Inf if it has no elements.
func NormOver[T nd.Number](a *nd.NDArray[T], axis int, opts ...NormOption) *nd.NDArray[float64] {
	p, keepDims := normOptions(opts)
	axis, err := split.NormalizeAxis(axis, a.NDim())
	misuse.Check(err)
	l, across := split.Reduce(a.Layout(), []int{axis}, keepDims)
	if math.IsInf(p, -1) && a.Layout().Shape()[axis] == 0 && l.Shape().Size() > 0 {
		misuse.Panic("smallest magnitude along axis %d of %v, which is empty", axis, a.Layout())
	}
	m := measureOf(p)
	c := a.Comm()
	n := l.LocalSize(c.Rank())
	k := m.planes()
	sums := make([]float64, n*k)
	lines := linesOf(a, axis)
	lines.norms(m, sums, c.Workers())
	if across {
		spmd.Allreduce(c, sums, m.op())
	}
	out := make([]float64, n)
	for i := range n {
		var s sum3
		copy(s[:k], sums[i*k:])
		out[i] = m.finish(s)
	}
	return nd.Wrap(c, l, out)
}

func normOptions(opts []NormOption) (p float64, keepDims bool) {
	p = 2
	for _, o := range opts {
		if o.ord == o.ord {
			p = o.ord
		}
		keepDims = keepDims || o.keepDims
	}
	return p, keepDims
}
