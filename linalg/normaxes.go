package linalg

import (
	"math"
	"slices"

	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/split"
)

// NormOverAxes returns the norms of a along several axes together, each that of
// the elements along them as one vector, as [NormOver] does for one axis. Negative
// axes count from the end; over no axes it is the norm of each element by itself.
// Norms of matrices as operators are [MatrixNormOver].
//
// It takes the norm of norms along one axis after the other, the split one last,
// which for every order is the same number.
//
// Collective if one of the axes is the split axis, else local. Result split: None
// if one of the axes is the split axis, else a's, shifted by the axes before it. Communication: one
// allreduce of 8 bytes a result, 24 for the 2-norm, if one of the axes is the split
// axis. Extra memory: 8 bytes for each element of a without the first of the axes.
// Panics if an axis is out of range or named twice, or for order -Inf if there are
// no elements along them.
func NormOverAxes[T nd.Number](a *nd.NDArray[T], axes []int, opts ...NormOption) *nd.NDArray[float64] {
	p, keep := normOptions(opts)
	order, err := split.NormalizeAxes(axes, a.NDim())
	misuse.Check(err)
	l, _ := split.Reduce(a.Layout(), order, keep)
	if math.IsInf(p, -1) && l.Shape().Size() > 0 && a.Size() == 0 {
		misuse.Panic("smallest magnitude along axes %v of %v, which are empty", axes, a.Layout())
	}
	if len(order) == 0 {
		return NormOver(nd.ExpandDims(a, -1), -1, Ord(p))
	}
	// A long axis first, so that what comes between is small.
	s := a.Layout().Shape()
	slices.SortStableFunc(order, func(i, j int) int {
		switch a.Split() {
		case split.Axis(i):
			return 1
		case split.Axis(j):
			return -1
		}
		return s[j] - s[i]
	})
	n := NormOver(a, order[0], Ord(p), KeepDims())
	for _, k := range order[1:] {
		if p == 0 {
			n = nd.Sum(n, nd.Over(k), nd.KeepDims())
		} else {
			n = NormOver(n, k, Ord(p), KeepDims())
		}
	}
	if keep {
		return n
	}
	return nd.Wrap(n.Comm(), l, n.Local())
}
