package nd

import "caloric/spmd"

// fringe is what a rank works on when an operation along an axis reads indices
// near its own: its part of an array, and copies of what others have of the rest.
type fringe[T Element] struct {
	a      *NDArray[T]
	axis   int
	lo, hi int         // the indices that this rank holds itself
	others *NDArray[T] // the indices of lower ranks, then those of higher ones
	first  int         // of those of lower ranks
}

// fringed returns a with what this rank needs of an axis: indices from ≤ i < to on
// rank r if want(r) returns from and to. It communicates by one alltoallv of what
// ranks need and do not have, wherever it is, and not at all if there is nothing.
func fringed[T Element](a *NDArray[T], axis int, want func(r int) (from, to int)) fringe[T] {
	f := fringe[T]{a: a, axis: axis, hi: a.layout.Shape()[axis]}
	if Axis(axis) != a.layout.Axis() {
		return f
	}
	c, me := a.comm, a.comm.Rank()
	f.lo, f.hi = a.layout.Range(me)
	enough := true
	for r := range c.Size() {
		lo, hi := a.layout.Range(r)
		from, to := want(r)
		enough = enough && (from >= to || lo <= from && to <= hi)
	}
	if enough {
		return f
	}
	row := a.sliceOf(axis, 0, 0) // of no extent along axis
	width := 1
	for k, d := range a.shape {
		if k != axis {
			width *= d
		}
	}
	from, to := want(me)
	f.first = from
	missing := max(0, min(to, f.lo)-from) + max(0, to-max(from, f.hi))
	row.shape[axis] = missing
	f.others = &NDArray[T]{comm: c, layout: a.layout, data: make([]T, missing*width),
		shape: row.shape, strides: contiguousStrides(row.shape)}
	sendCounts, recvCounts := make([]int, c.Size()), make([]int, c.Size())
	var pieces []*NDArray[T]
	total := 0
	for r := range c.Size() {
		if r == me {
			continue
		}
		if i, j := want(r); max(i, f.lo) < min(j, f.hi) {
			i, j = max(i, f.lo), min(j, f.hi)
			pieces = append(pieces, f.rows(i, j))
			sendCounts[r] = (j - i) * width
			total += sendCounts[r]
		}
		lo, hi := a.layout.Range(r)
		recvCounts[r] = max(0, min(to, hi)-max(from, lo)) * width
	}
	send, at := make([]T, total), 0
	for _, p := range pieces {
		n := p.LocalSize()
		copyLocal(send[at:at+n], contiguousStrides(p.shape), p)
		at += n
	}
	recv := f.others.data
	if axis > 0 {
		recv = make([]T, len(recv))
	}
	spmd.Alltoallv(c, send, sendCounts, recv, recvCounts)
	for r, i, at := 0, 0, 0; axis > 0 && width > 0 && r < c.Size(); r++ {
		n := recvCounts[r] / width
		dst := f.others.sliceOf(axis, i, i+n)
		copyView(dst, &NDArray[T]{comm: c, layout: a.layout, data: recv, offset: at, shape: dst.shape, strides: contiguousStrides(dst.shape)})
		i += n
		at += recvCounts[r]
	}
	return f
}

// rows returns indices from ≤ i < to of the axis as a view of local memory. They
// are all this rank's own, or all lower ranks', or all higher ranks'.
func (f *fringe[T]) rows(from, to int) *NDArray[T] {
	switch {
	case from >= f.lo && to <= f.hi:
		return f.a.sliceOf(f.axis, from-f.lo, to-f.lo)
	case to <= f.lo:
		return f.others.sliceOf(f.axis, from-f.first, to-f.first)
	}
	below := max(0, f.lo-f.first)
	return f.others.sliceOf(f.axis, below+from-f.hi, below+to-f.hi)
}

// sliceOf returns the view of a's local memory at the local indices from ≤ i < to of axis.
func (a *NDArray[T]) sliceOf(axis, from, to int) *NDArray[T] {
	shape := append([]int(nil), a.shape...)
	shape[axis] = to - from
	return a.view(a.layout, a.offset+from*a.strides[axis], shape, a.strides)
}

// disjoint returns a, or a copy of it if it shares memory with dst.
func disjoint[T, R Element](dst *NDArray[R], a *NDArray[T]) *NDArray[T] {
	dlo, dhi := dst.extent()
	alo, ahi := a.extent()
	if dlo < ahi && alo < dhi {
		return Copy(a)
	}
	return a
}
