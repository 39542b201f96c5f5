package nd

import (
	"math"

	"caloric/internal/misuse"
	"caloric/split"
)

// Diagonal returns the elements of a whose index along the second axis is k more
// than along the first, as a view. By default the axes are 0 and 1. They are gone
// from the result; the diagonal is its last axis.
//
// Local. Result split: the last axis if a is split along one of the two, each
// rank keeping what it has, which may leave it unbalanced; else a's, shifted.
// Communication: none. Panics if a has not two different axes of these numbers.
func Diagonal[T Element](a *NDArray[T], k int, axes ...int) *NDArray[T] {
	needAxes(a, 2)
	if len(axes) == 0 {
		axes = []int{0, 1}
	}
	if len(axes) != 2 || axisOf(a, axes[0]) == axisOf(a, axes[1]) {
		misuse.Panic("axes %v are not two of the axes of shape %v", axes, a.layout.Shape())
	}
	i, j := axisOf(a, axes[0]), axisOf(a, axes[1])
	shape := a.layout.Shape()
	k = clampDiagonal(k, shape[i], shape[j])
	at := [2]int{max(0, -k), max(0, k)}
	n := max(0, min(shape[i]-at[0], shape[j]-at[1]))
	l := split.Diagonal(a.layout, i, j, at[0], at[1], n)
	local := l.LocalShape(a.comm.Rank())
	var strides []int
	for m, s := range a.strides {
		if m != i && m != j {
			strides = append(strides, s)
		}
	}
	strides = append(strides, a.strides[i]+a.strides[j])
	offset := a.offset
	if local.Size() > 0 {
		for m, axis := range []int{i, j} {
			first := at[m]
			if a.layout.Axis() == Axis(axis) || a.layout.Axis() == Axis(i+j-axis) {
				lo, _ := l.Range(a.comm.Rank())
				first += lo
			}
			if a.layout.Axis() == Axis(axis) {
				first -= a.localStart()
			}
			offset += first * a.strides[axis]
		}
	}
	return a.view(l, offset, local, strides)
}

// Diag returns, of a vector, the matrix with it on diagonal k and zeros
// elsewhere; of an array with more axes, its [Diagonal] k, as a view.
//
// Local. Result split: of a vector axis 0, with every row where its element is,
// None if a is replicated; else as [Diagonal]. Communication: none.
// Panics if a has no axes.
func Diag[T Element](a *NDArray[T], k int) *NDArray[T] {
	needAxes(a, 1)
	if a.NDim() > 1 {
		return Diagonal(a, k)
	}
	if k == math.MinInt || abs(k) > math.MaxInt32*math.MaxInt32-a.Size() {
		misuse.Panic("no matrix has a diagonal %d of %d elements", k, a.Size())
	}
	n := a.Size() + abs(k)
	above := max(0, -k) // rows before the first element's
	l := layoutOf(a.comm, Shape{n, n}, split.None)
	if !a.layout.Replicated() {
		rows := split.Stretch(a.layout, 0, n, func(i int) int {
			if i == 0 {
				return 0
			}
			return above + i
		})
		l = split.WithCounts(Shape{n, n}, 0, rows.Counts())
	}
	out := newArray[T](a.comm, l)
	CopyInto(Diagonal(out, k), a)
	return out
}

// DiagFlat is [Diag] of a flattened.
//
// Local, but for [Ravel]. Result split: 0, None if a is replicated.
// Communication: as [Ravel].
func DiagFlat[T Element](a *NDArray[T], k int) *NDArray[T] { return Diag(Ravel(a), k) }

// fillLocal sets every element of a's local part to v.
func fillLocal[T Element](a *NDArray[T], v T) {
	if a.LocalSize() == 0 {
		return
	}
	w := newWalk(a.shape)
	w.add(a.offset, a.shape, a.strides)
	w.simplify()
	n, step := w.inner(), w.innerStride(0)
	for r := w.rows(); r.next(); {
		d := r.off[0]
		if step == 1 {
			fill(a.data[d:d+n], v)
			continue
		}
		for range n {
			a.data[d] = v
			d += step
		}
	}
}
