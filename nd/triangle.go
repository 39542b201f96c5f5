package nd

import (
	"caloric/internal/misuse"
	"caloric/spmd"
)

// Tril returns a with the elements above diagonal k of its last two axes set to zero.
//
// Local. Result split: a's. Communication: none. Panics if a has fewer than two axes.
func Tril[T Element](a *NDArray[T], k int) *NDArray[T] {
	needAxes(a, 2)
	out := Copy(a)
	clearTriangle(out, k, false)
	return out
}

// TrilInto sets dst to [Tril] of a, which may be dst.
//
// Collective, local if the layouts agree. Result split: dst's. Communication:
// none if the layouts agree, else one move of a.
// Panics if a has fewer than two axes or dst another shape.
func TrilInto[T Element](dst, a *NDArray[T], k int) {
	intoTriangle(dst, a)
	clearTriangle(dst, k, false)
}

// Triu returns a with the elements below diagonal k of its last two axes set to zero.
//
// Local. Result split: a's. Communication: none. Panics if a has fewer than two axes.
func Triu[T Element](a *NDArray[T], k int) *NDArray[T] {
	needAxes(a, 2)
	out := Copy(a)
	clearTriangle(out, k, true)
	return out
}

// TriuInto sets dst to [Triu] of a, which may be dst.
//
// Collective, local if the layouts agree. Result split: dst's. Communication:
// none if the layouts agree, else one move of a.
// Panics if a has fewer than two axes or dst another shape.
func TriuInto[T Element](dst, a *NDArray[T], k int) {
	intoTriangle(dst, a)
	clearTriangle(dst, k, true)
}

func intoTriangle[T Element](dst, a *NDArray[T]) {
	needAxes(a, 2)
	checkResultShape(dst, a.layout.Shape())
	if dst != a {
		CopyInto(dst, a)
	}
}

// Tri returns the matrix of rows × cols with ones on and below diagonal k and
// zeros above it.
//
// Local. Result split: axis, balanced. Communication: none.
// Panics if axis is out of range or an extent is negative.
func Tri[T Number](c *spmd.Comm, rows, cols, k int, axis Axis) *NDArray[T] {
	a := Ones[T](c, Shape{rows, cols}, axis)
	clearTriangle(a, k, false)
	return a
}

// clampDiagonal returns the diagonal nearest to k that a matrix of rows × cols has,
// or the empty one just outside.
func clampDiagonal(k, rows, cols int) int { return min(max(k, -rows), cols) }

// clearTriangle sets the elements of a below diagonal k of the last two axes to
// zero, or without lower those above it. It goes along the shorter of the two
// axes, a row or a column at a time.
func clearTriangle[T Element](a *NDArray[T], k int, lower bool) {
	if a.LocalSize() == 0 {
		return
	}
	row := a.NDim() - 2
	shape := a.layout.Shape()
	k = clampDiagonal(k, shape[row], shape[row+1])
	if lower {
		k--
	} else {
		k++
	}
	box := a.layout.Local(a.comm.Rank())
	along, across := row, row+1
	if a.shape[row] > a.shape[row+1] {
		// A column's part below the diagonal is the part on its other side seen
		// from a row: (i, j) with j-i ≤ k is i-j ≥ -k.
		along, across, k, lower = row+1, row, -k, !lower
	}
	v := *a
	v.sole = 0
	v.shape, v.strides = append([]int(nil), a.shape...), a.strides
	v.shape[along] = 1
	var zero T
	for i := range a.shape[along] {
		from, to := box.Lo[across], box.Hi[across]
		if edge := box.Lo[along] + i + k; lower {
			to = min(to, edge+1)
		} else {
			from = max(from, edge)
		}
		if from >= to {
			continue
		}
		v.offset = a.offset + i*a.strides[along] + (from-box.Lo[across])*a.strides[across]
		v.shape[across] = to - from
		fillLocal(&v, zero)
	}
}

// Vander returns the matrix of n columns whose column j is x to the power n-1-j,
// or j if increasing.
//
// Local. Result split: 0, as x; None if x is replicated. Communication: none.
// Panics if x is not a vector or n is negative.
func Vander[T Number](x *NDArray[T], n int, increasing bool) *NDArray[T] {
	if x.NDim() != 1 || n < 0 {
		misuse.Panic("%d powers of an array of shape %v", n, x.layout.Shape())
	}
	out := newArray[T](x.comm, BroadcastTo(ExpandDims(x, 1), x.Size(), n).layout)
	for i, v := range x.Local() {
		row, p := out.data[i*n:(i+1)*n], T(1)
		for j := range row {
			if increasing {
				row[j] = p
			} else {
				row[n-1-j] = p
			}
			p *= v
		}
	}
	return out
}
