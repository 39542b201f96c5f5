package nd

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
	ranges := make([][4]int, c.Size()) // of what goes to each rank and comes from it
	send := newPatchLists(c.Size(), func(r, _ int) patch[T] { return patchOf(f.rows(ranges[r][0], ranges[r][1])) })
	recv := newPatchLists(c.Size(), func(r, _ int) patch[T] { return patchOf(f.rows(ranges[r][2], ranges[r][3])) })
	all := 0 // what no rank has more of to send
	for r := range c.Size() {
		lo, hi := a.layout.Range(r)
		i, j := want(r)
		all += max(0, j-i) * width
		if r == me {
			continue
		}
		ranges[r] = [4]int{max(i, f.lo), min(j, f.hi), max(from, lo), min(to, hi)}
		if x := ranges[r]; x[0] < x[1] && width > 0 {
			send.add(r, (x[1]-x[0])*width)
		}
		if x := ranges[r]; x[2] < x[3] && width > 0 {
			recv.add(r, (x[3]-x[2])*width)
		}
	}
	in := recv.incoming(c)
	if axis == 0 {
		in.all = f.others.data
	}
	exchangeStreams(c, send.outgoing(c), in, messageSize[T](c, scratchFits[T](2*all), 1), func() {})
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
