package nd

import (
	"caloric/internal/parallel"
	"caloric/spmd"
)

// rowSet is a list of n rows in one memory, which have the same shape and strides.
// Row i starts at data[at[i]], or at data[base+i*step] if at is nil.
type rowSet[T Element] struct {
	data           []T
	n              int
	at             []int
	base, step     int
	shape, strides []int
}

// width returns the number of elements of a row.
func (s rowSet[T]) width() int { return Shape(s.shape).Size() }

// start returns where row i starts.
func (s rowSet[T]) start(i int) int {
	if s.at == nil {
		return s.base + i*s.step
	}
	return s.at[i]
}

// part returns the rows from lo to hi.
func (s rowSet[T]) part(lo, hi int) rowSet[T] {
	if s.at == nil {
		s.base += lo * s.step
	} else {
		s.at = s.at[lo:hi]
	}
	s.n = hi - lo
	return s
}

// pick returns the rows of the given numbers, in that order.
func (s rowSet[T]) pick(rows []int) rowSet[T] {
	at := make([]int, len(rows))
	for i, r := range rows {
		at[i] = s.start(r)
	}
	s.at, s.n = at, len(rows)
	return s
}

// starting returns rows like s's that start at the given offsets.
func (s rowSet[T]) starting(at []int) rowSet[T] {
	s.at, s.n = at, len(at)
	if at == nil {
		s.at = []int{}
	}
	return s
}

// packed returns n rows like s's, one after another in data.
func (s rowSet[T]) packed(data []T, n int) rowSet[T] {
	return rowSet[T]{data: data, n: n, step: s.width(), shape: s.shape, strides: contiguousStrides(s.shape)}
}

// rowsIn returns the rows of a's local part that axes from … from+n-1 number, in
// their C order.
func rowsIn[T Element](a *NDArray[T], from, n int) rowSet[T] {
	s := rowSet[T]{data: a.data, base: a.offset}
	for k := range a.shape {
		if k < from || k >= from+n {
			s.shape, s.strides = append(s.shape, a.shape[k]), append(s.strides, a.strides[k])
		}
	}
	shape, strides := a.shape[from:from+n], a.strides[from:from+n]
	s.n = Shape(shape).Size()
	for k := 1; k < n; k++ {
		if strides[k-1] != strides[k]*shape[k] {
			return s.starting(offsetsOf(shape, strides, a.offset))
		}
	}
	if n > 0 {
		s.step = strides[n-1]
	}
	return s
}

// offsetsOf returns the offsets of the indices of shape in C order.
func offsetsOf(shape, strides []int, base int) []int {
	out := make([]int, Shape(shape).Size())
	if len(out) == 0 {
		return out
	}
	// Fill from the last axis on: each axis repeats what lies inside it.
	out[0] = base
	n := 1
	for k := len(shape) - 1; k >= 0; k-- {
		for i := 1; i < shape[k]; i++ {
			for j := range n {
				out[i*n+j] = out[j] + i*strides[k]
			}
		}
		n *= shape[k]
	}
	return out
}

// rowOp is what carry does with each element.
type rowOp[T Element] interface {
	// run combines n elements of src into dst, each with its own stride.
	run(dst []T, d, ds int, src []T, s, ss, n int)
	// gather combines src[at[i]+s] into dst[d+i*ds] for every i in turn.
	gather(dst []T, d, ds int, src []T, at []int, s int)
	// scatter combines src[s+i*ss] into dst[at[i]+d] for every i in turn.
	scatter(dst []T, at []int, d int, src []T, s, ss int)
}

// setRows assigns: of equal keys the last one counts.
type setRows[T Element] struct{}

func (setRows[T]) run(dst []T, d, ds int, src []T, s, ss, n int) {
	if ds == 1 && ss == 1 {
		copy(dst[d:d+n], src[s:s+n])
		return
	}
	for range n {
		dst[d] = src[s]
		d += ds
		s += ss
	}
}

func (setRows[T]) gather(dst []T, d, ds int, src []T, at []int, s int) {
	for _, a := range at {
		dst[d] = src[a+s]
		d += ds
	}
}

func (setRows[T]) scatter(dst []T, at []int, d int, src []T, s, ss int) {
	for _, a := range at {
		dst[a+d] = src[s]
		s += ss
	}
}

// addRows adds: equal keys add up, in their order.
type addRows[T Number] struct{}

func (addRows[T]) run(dst []T, d, ds int, src []T, s, ss, n int) {
	for range n {
		dst[d] += src[s]
		d += ds
		s += ss
	}
}

func (addRows[T]) gather(dst []T, d, ds int, src []T, at []int, s int) {
	for _, a := range at {
		dst[d] += src[a+s]
		d += ds
	}
}

func (addRows[T]) scatter(dst []T, at []int, d int, src []T, s, ss int) {
	for _, a := range at {
		dst[a+d] += src[s]
		s += ss
	}
}

// longRow is the extent from which on a row is worth a loop of its own.
const longRow = 8

// carry combines row i of src into row i of dst, in order.
func carry[T Element](op rowOp[T], dst, src rowSet[T]) {
	if dst.n == 0 || dst.width() == 0 {
		return
	}
	w := newWalk(dst.shape)
	w.add(0, dst.shape, dst.strides)
	w.add(0, src.shape, src.strides)
	w.simplify()
	n, ds, ss := w.inner(), w.innerStride(0), w.innerStride(1)
	if n >= longRow || dst.at != nil && src.at != nil {
		for i := range dst.n {
			d, s := dst.start(i), src.start(i)
			if w.ndim == 1 {
				op.run(dst.data, d, ds, src.data, s, ss, n)
				continue
			}
			for r := w.rows(); r.next(); {
				op.run(dst.data, d+r.off[0], ds, src.data, s+r.off[1], ss, n)
			}
		}
		return
	}
	// Short rows: all rows' first elements, then all second ones, and so on.
	for r := w.rows(); r.next(); {
		for j := range n {
			d, s := r.off[0]+j*ds, r.off[1]+j*ss
			switch {
			case src.at != nil:
				op.gather(dst.data, dst.base+d, dst.step, src.data, src.at, s)
			case dst.at != nil:
				op.scatter(dst.data, dst.at, d, src.data, src.base+s, src.step)
			default:
				op.run(dst.data, dst.base+d, dst.step, src.data, src.base+s, src.step, dst.n)
			}
		}
	}
}

// carryParallel copies row i of src to row i of dst, which are distinct, on the
// rank's workers.
func carryParallel[T Element](c *spmd.Comm, dst, src rowSet[T]) {
	parts := c.Workers()
	if parts == 1 || dst.n*dst.width() < parallelSize || dst.n < parts {
		carry(setRows[T]{}, dst, src)
		return
	}
	parallel.Ranges(parts, dst.n, func(lo, hi int) { carry(setRows[T]{}, dst.part(lo, hi), src.part(lo, hi)) })
}
