package nd

// stencil is a linear combination of neighbours along an axis of n indices:
// u·(x[p+1]-x[p]) + v·(x[p+2]-x[p+1]), where p is i-1, but 0 for the first index and
// n-1-order for the last.
type stencil struct {
	n, order    int
	u, v        []float64  // of the indices between
	span        float64    // if u is nil, these have (x[i+1]-x[i-1])/span
	first, last [2]float64 // u and v of the ends; of order 1, (x[p+1]-x[p])/u
}

// at returns the first neighbour and the coefficients of index i.
func (s *stencil) at(i int) (p int, u, v float64) {
	switch i {
	case 0:
		return 0, s.first[0], s.first[1]
	case s.n - 1:
		return s.n - 1 - s.order, s.last[0], s.last[1]
	}
	return i - 1, s.u[i], s.v[i]
}

// reach returns the indices that the stencil reads for indices lo ≤ i < hi.
func (s *stencil) reach(lo, hi int) (from, to int) {
	if lo >= hi {
		return lo, lo
	}
	from, to = max(0, lo-1), min(s.n, hi+1)
	if lo == 0 {
		to = max(to, s.order+1)
	}
	if hi == s.n {
		from = min(from, s.n-1-s.order)
	}
	return from, to
}

// applyStencil sets dst to s of a along axis; they have one layout and share no memory.
// Indices whose neighbours are this rank's own are computed where they lie.
func applyStencil[T Inexact](s *stencil, dst, a *NDArray[T], axis int) {
	f := fringed(a, axis, func(r int) (from, to int) {
		lo, hi := a.layout.Range(r)
		return s.reach(lo, hi)
	})
	if dst.LocalSize() == 0 {
		return
	}
	central := dividedDifference[T]{inexact[T](s.span)}
	one := func(i int) {
		to, edge := dst.sliceOf(axis, i-f.lo, i-f.lo+1), i == 0 || i == s.n-1
		if s.u == nil && !edge {
			apply2(central, to, f.rows(i+1, i+2), f.rows(i-1, i), *new(T))
			return
		}
		p, u, v := s.at(i)
		x0, x1 := f.rows(p, p+1), f.rows(p+1, p+2)
		if edge && s.order == 1 {
			apply2(dividedDifference[T]{inexact[T](u)}, to, x1, x0, *new(T))
			return
		}
		twoDifferences(to, x0, x1, f.rows(p+2, p+3), inexact[T](u), inexact[T](v))
	}
	one(f.lo)
	if f.hi-f.lo > 1 {
		one(f.hi - 1)
	}
	switch {
	case f.hi-f.lo <= 2:
	case s.u == nil:
		apply2(central, dst.sliceOf(axis, 1, f.hi-f.lo-1), f.rows(f.lo+2, f.hi), f.rows(f.lo, f.hi-2), *new(T))
	case abs(dst.strides[axis]) == 1:
		lanesInside(s, dst, &f)
	default:
		for i := f.lo + 1; i < f.hi-1; i++ {
			one(i)
		}
	}
}

// dividedDifference is the kernel of (x-y)/by.
type dividedDifference[T Inexact] struct{ by T }

func (k dividedDifference[T]) loop(dst []T, xs, ys []T) {
	ys = ys[:len(dst)]
	for i, x := range xs[:len(dst)] {
		dst[i] = (x - ys[i]) / k.by
	}
}

// twoDifferences sets dst to u·(y-x) + v·(z-y), of local parts of one shape.
func twoDifferences[T Inexact](dst, x, y, z *NDArray[T], u, v T) {
	w := newWalk(dst.shape)
	for _, a := range [...]*NDArray[T]{dst, x, y, z} {
		w.add(a.offset, a.shape, a.strides)
	}
	w.simplify()
	n := w.inner()
	for r := w.rows(); r.next(); {
		i, j, k, l := r.off[0], r.off[1], r.off[2], r.off[3]
		for range n {
			dst.data[i] = u*(y.data[k]-x.data[j]) + v*(z.data[l]-y.data[k])
			i += w.innerStride(0)
			j += w.innerStride(1)
			k += w.innerStride(2)
			l += w.innerStride(3)
		}
	}
}

// lanesInside applies s to the indices that have own neighbours on both sides, one
// lane after another.
func lanesInside[T Inexact](s *stencil, dst *NDArray[T], f *fringe[T]) {
	n := f.hi - f.lo - 2
	u, v := make([]T, n), make([]T, n)
	for i := range n {
		u[i], v[i] = inexact[T](s.u[f.lo+1+i]), inexact[T](s.v[f.lo+1+i])
	}
	to, from := dst.sliceOf(f.axis, 1, 2), f.a.sliceOf(f.axis, 0, 1)
	w := newWalk(to.shape)
	w.add(to.offset, to.shape, to.strides)
	w.add(from.offset, from.shape, from.strides)
	w.simplify()
	sd, sx := dst.strides[f.axis], f.a.strides[f.axis]
	x := f.a.data
	for r := w.rows(); r.next(); {
		for q := range w.inner() {
			d, p := r.off[0]+q*w.innerStride(0), r.off[1]+q*w.innerStride(1)
			before, here := x[p], x[p+sx]
			for i, a := range u {
				after := x[p+(i+2)*sx]
				dst.data[d] = a*(here-before) + v[i]*(after-here)
				before, here = here, after
				d += sd
			}
		}
	}
}

// inexact returns x as T.
func inexact[T Inexact](x float64) T {
	var v T
	switch p := any(&v).(type) {
	case *float32:
		*p = float32(x)
	case *float64:
		*p = x
	case *complex64:
		*p = complex(float32(x), 0)
	case *complex128:
		*p = complex(x, 0)
	}
	return v
}
