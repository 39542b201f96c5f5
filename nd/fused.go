package nd

import (
	"math"

	"caloric/internal/kernel"
)

// Axpy adds alpha·x to y, in place and in one pass. x broadcasts to y's shape.
// It allocates nothing.
//
// Local unless the layouts differ. Communication: none if the layouts agree or x
// is replicated, else one move of x. Panics if x does not broadcast to y.
func Axpy[T Number](alpha T, x, y *NDArray[T]) { axpby(alpha, x, 1, y) }

// Axpby sets y to alpha·x + beta·y, in place and in one pass. x broadcasts to
// y's shape. It allocates nothing.
//
// Local unless the layouts differ. Communication: as [Axpy]. Panics if x does not
// broadcast to y.
func Axpby[T Number](alpha T, x *NDArray[T], beta T, y *NDArray[T]) { axpby(alpha, x, beta, y) }

// Scale multiplies x by alpha, in place. It allocates nothing.
//
// Local. Communication: none.
func Scale[T Number](alpha T, x *NDArray[T]) { MulScalarInto(x, x, alpha) }

func axpby[T Number](alpha T, x *NDArray[T], beta T, y *NDArray[T]) {
	checkDst(y, x.comm)
	checkInto(y.layout, x.layout, nil)
	x = apart(y, aligned(y.layout, x))
	w := newWalk(y.shape)
	w.add(y.offset, y.shape, y.strides)
	addOperand(&w, y.layout, x)
	w.simplify()
	parts := workerParts(y.comm, &w)
	if parts == 1 {
		axpbyRows(&w, alpha, x.data, beta, y.data)
		return
	}
	u, v := x.data, y.data
	inParallel(&w, parts, func(w *walk) { axpbyRows(w, alpha, u, beta, v) })
}

func axpbyRows[T Number](w *walk, alpha T, x []T, beta T, y []T) {
	if most, rest, ok := w.strips(); ok {
		axpbyRows(&most, alpha, x, beta, y)
		w = &rest
	}
	n, sy, sx := w.inner(), w.innerStride(0), w.innerStride(1)
	for r := w.rows(); r.next(); {
		i, j := r.off[0], r.off[1]
		switch {
		case (sy != 1 || sx != 1) && beta == 1:
			for range n {
				y[i] += alpha * x[j]
				i += sy
				j += sx
			}
		case sy != 1 || sx != 1:
			for range n {
				y[i] = alpha*x[j] + beta*y[i]
				i += sy
				j += sx
			}
		case beta == 1:
			u, v := x[j:j+n], y[i:i+n]
			if kernel.Axpy(alpha, u, v) {
				continue
			}
			for k, u := range u {
				v[k] += alpha * u
			}
		default:
			v := y[i : i+n]
			for k, u := range x[j : j+n] {
				v[k] = alpha*u + beta*v[k]
			}
		}
	}
}

// Clip returns a with elements below lo replaced by lo and those above hi by hi.
// NaN stays. Where lo > hi the result is hi.
//
// Local. Result split: a's. Communication: none.
func Clip[T Real](a *NDArray[T], lo, hi T) *NDArray[T] {
	dst := likeRaw[T](a)
	ClipInto(dst, a, lo, hi)
	return dst
}

// ClipInto sets dst to [Clip] of a; see [MinimumInto].
func ClipInto[T Real](dst, a *NDArray[T], lo, hi T) {
	MaximumScalarInto(dst, a, lo)
	MinimumScalarInto(dst, dst, hi)
}

// Round returns a rounded to the given number of decimals, which may be negative,
// and to the even one of two that are equally near. As in NumPy the digits are
// shifted, rounded and shifted back, so the last bit may differ from the nearest
// decimal's.
//
// Local. Result split: a's. Communication: none.
func Round[T Float](a *NDArray[T], decimals int) *NDArray[T] {
	dst := likeRaw[T](a)
	RoundInto(dst, a, decimals)
	return dst
}

// RoundInto sets dst to [Round] of a; see [RintInto].
func RoundInto[T Float](dst, a *NDArray[T], decimals int) {
	p := T(math.Pow10(max(decimals, -decimals)))
	switch {
	case decimals == 0:
		RintInto(dst, a)
	case decimals > 0:
		MulScalarInto(dst, a, p)
		RintInto(dst, dst)
		DivScalarInto(dst, dst, p)
	default:
		DivScalarInto(dst, a, p)
		RintInto(dst, dst)
		MulScalarInto(dst, dst, p)
	}
}
