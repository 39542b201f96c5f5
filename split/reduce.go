package split

import (
	"fmt"
	"slices"
)

// NormalizeAxis returns axis as a number from 0 to ndim-1; a negative axis
// counts from the end.
func NormalizeAxis(axis, ndim int) (int, error) {
	if axis < -ndim || axis >= ndim {
		return 0, fmt.Errorf("axis %d is out of range for %d axes", axis, ndim)
	}
	if axis < 0 {
		axis += ndim
	}
	return axis, nil
}

// NormalizeAxes returns axes normalized and in ascending order. A repeated axis is an error.
func NormalizeAxes(axes []int, ndim int) ([]int, error) {
	out := make([]int, len(axes))
	for i, a := range axes {
		var err error
		if out[i], err = NormalizeAxis(a, ndim); err != nil {
			return nil, err
		}
	}
	slices.Sort(out)
	for i := 1; i < len(out); i++ {
		if out[i] == out[i-1] {
			return nil, fmt.Errorf("axis %d is named twice in %v", out[i], axes)
		}
	}
	return out, nil
}

// Reduce returns the layout of the reduction of l over axes (normalized,
// ascending), and whether the split axis is among them, so that the ranks'
// partial results have to be combined by an allreduce. The result is then
// replicated; otherwise it keeps the split, whose axis number drops by the
// reduced axes before it unless keepDims is set.
func Reduce(l *Layout, axes []int, keepDims bool) (out *Layout, across bool) {
	shape := make(Shape, 0, len(l.shape))
	axis := None
	for k, d := range l.shape {
		reduced := slices.Contains(axes, k)
		if Axis(k) == l.axis {
			across = reduced
			if !reduced {
				axis = Axis(len(shape))
			}
		}
		switch {
		case !reduced:
			shape = append(shape, d)
		case keepDims:
			shape = append(shape, 1)
		}
	}
	if axis == None {
		return replicated(shape, l.ranks), across
	}
	return l.reshaped(shape, axis), false
}

// Transpose returns the layout of the array whose axis k is axis perm[k] of l's;
// the split moves with its axis. perm must be a permutation of l's axes.
func Transpose(l *Layout, perm []int) (*Layout, error) {
	if _, err := NormalizeAxes(perm, len(l.shape)); err != nil || len(perm) != len(l.shape) {
		return nil, fmt.Errorf("axes %v are no permutation of the %d axes of shape %v", perm, len(l.shape), l.shape)
	}
	shape := make(Shape, len(perm))
	axis := None
	for k, p := range perm {
		p, _ = NormalizeAxis(p, len(perm))
		shape[k] = l.shape[p]
		if Axis(p) == l.axis {
			axis = Axis(k)
		}
	}
	return l.reshaped(shape, axis), nil
}
