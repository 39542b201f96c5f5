package nd

import (
	"slices"

	"caloric/internal/misuse"
	"caloric/split"
)

// Block is a part of an array in this rank's memory, which a stencil of [MapHalo]
// reads or writes. Along its last axis the elements follow each other.
type Block[T Element] struct {
	Lo    []int // the global index of its first element; beyond the array's ends in a halo
	Shape []int

	data    []T
	offset  int
	strides []int
}

// Row returns the elements of the block along its last axis at an index of the
// axes before it, counted from the block's start: b.Row() of one axis, b.Row(i) of
// two.
func (b Block[T]) Row(index ...int) []T {
	n := len(b.Shape)
	if len(index) != n-1 {
		misuse.Panic("%d indices of a row for a block of shape %v", len(index), Shape(b.Shape))
	}
	at := b.offset
	for k, i := range index {
		if uint(i) >= uint(b.Shape[k]) {
			misuse.Panic("row %v of a block of shape %v, which has what reach and ends give it: cropped ends have no rows outside", index, Shape(b.Shape))
		}
		at += i * b.strides[k]
	}
	return b.data[at : at+b.Shape[n-1] : at+b.Shape[n-1]]
}

// MapHalo returns what the stencil f makes of a: an array like a, whose elements
// are computed from those of a that are near. f sets every element of the block
// dst; src is the block of a that lies under dst, extended by reach. Its element
// (i, j) is Front before element (i, j) of dst, unless the array ends there and
// the ends are cropped, which is the default: dst.Lo and src.Lo tell.
//
//	// One step of the heat equation on a rod with ends of temperature 0.
//	v := nd.MapHalo(u, func(dst, src nd.Block[float64]) {
//		x := src.Row()
//		for i := range dst.Row() {
//			dst.Row()[i] = x[i+1] + 0.1*(x[i]-2*x[i+1]+x[i+2])
//		}
//	}, nd.Reach{Axis: 0, Front: 1, Back: 1, Ends: nd.EndsFill})
//
// f is called with one or several blocks that cover the rank's part, the inner one
// while the halo travels; on a rank without elements it is not called. Blocks of
// a are not to be written.
//
// Collective if a is split along one of the axes of reach, else local. Result split:
// a's. Communication: as [Halo]. Panics if a has no axes, f is nil, or as [PlanHalo].
func MapHalo[T, R Element](a *NDArray[T], f func(dst Block[R], src Block[T]), reach ...Reach) *NDArray[R] {
	dst := like[R](a)
	MapHaloInto(PlanHalo[T](a.comm, a.layout, reach...), dst, a, f)
	return dst
}

// MapHaloInto sets dst, which may be a, to [MapHalo] of a with the halo h, which
// is of a's layout. h keeps its memory from one call to the next; the messages'
// requests and a few words for the blocks are allocated.
//
// Collective if a is split along one of h's axes, else local. Result split: dst's,
// which is a's. Communication: as [Halo]. Panics if the layouts differ or f is nil.
func MapHaloInto[T, R Element](h *HaloPlan[T], dst *NDArray[R], a *NDArray[T], f func(dst Block[R], src Block[T])) {
	h.checkArray(a)
	if f == nil {
		misuse.Panic("the stencil is nil")
	}
	sameComm(dst.comm, a.comm)
	checkDst(dst, a.comm)
	if !dst.layout.Equal(h.layout) {
		misuse.Panic("destination of layout %v with a halo of layout %v", dst.layout, h.layout)
	}
	if a.NDim() == 0 {
		misuse.Panic("a halo of an array without axes")
	}
	out := dst
	if !rowsContiguous(dst) {
		out = like[R](dst)
	}
	m := mapper[T, R]{h: h, dst: out, a: a, f: f}
	m.run()
	if out != dst {
		copyView(dst, out)
	}
}

// rowsContiguous reports whether elements along the last axis follow each other.
func rowsContiguous[T Element](a *NDArray[T]) bool {
	k := len(a.shape) - 1
	return a.strides[k] == 1 || a.shape[k] <= 1
}

// mapper runs a stencil over a rank's part.
type mapper[T, R Element] struct {
	h      *HaloPlan[T]
	dst    *NDArray[R]
	a      *NDArray[T]
	f      func(dst Block[R], src Block[T])
	direct bool // the inner block is read where it is in a
}

// run computes the rows along the exchange's axis whose stencil stays in the
// rank's own block while the halo travels, and then those on either side of them.
func (m *mapper[T, R]) run() {
	h := m.h
	if h.work == nil {
		h.work = h.New()
	}
	h.begin(m.a)
	h.buf = h.work
	n := h.sendShape[h.axis]
	front, back := h.reach[h.axis].of(h.comm.Rank())
	inner := split.Window{Lo: 0, Hi: n} // in own rows
	if h.body[h.axis] > 0 {
		inner.Lo = front
	}
	if h.windows.Window.Count()-h.body[h.axis]-n > 0 {
		inner.Hi = n - back
	}
	m.direct = m.readsDirectly()
	whole := m.direct && inner.Count() == n
	switch {
	case whole:
	case m.direct && inner.Count() > 0: // only what the outer rows' stencils see
		at := h.body[h.axis]
		h.place(m.a, split.Window{Lo: 0, Hi: at + inner.Lo + back}, split.Own, split.Nowhere)
		h.place(m.a, split.Window{Lo: at + inner.Hi - front, Hi: allRows.Hi}, split.Own, split.Nowhere)
	default:
		m.direct = false
		h.place(m.a, allRows, split.Own, split.Nowhere)
	}
	m.call(inner, m.direct)
	h.complete()
	if !whole {
		h.place(nil, allRows, split.Received, split.Received)
	}
	h.buf = nil
	if inner.Count() == 0 {
		m.call(split.Window{Lo: 0, Hi: n}, false)
		return
	}
	m.call(split.Window{Lo: 0, Hi: inner.Lo}, false)
	m.call(split.Window{Lo: inner.Hi, Hi: n}, false)
}

// readsDirectly reports whether the stencils of inner rows can read a's own
// memory: nothing is added along other axes, and dst lies elsewhere.
func (m *mapper[T, R]) readsDirectly() bool {
	for k, d := range m.h.sendShape {
		if k != m.h.axis && !(len(m.h.pieces[k]) == 1 && m.h.pieces[k][0].Count == d) {
			return false
		}
	}
	dlo, dhi := m.dst.extent()
	alo, ahi := m.a.extent()
	return rowsContiguous(m.a) && (dlo >= ahi || alo >= dhi)
}

// call calls f with the given rows of dst, and what of a or of the extended block
// lies under them.
func (m *mapper[T, R]) call(rows split.Window, direct bool) {
	h := m.h
	if rows.Count() == 0 || Shape(m.dst.shape).Size() == 0 {
		return
	}
	k, rank := h.axis, h.comm.Rank()
	front, back := h.reach[k].of(rank)
	// The rows of the window that lie under them.
	from := max(0, h.body[k]+rows.Lo-front)
	to := min(h.windows.Window.Count(), h.body[k]+rows.Hi+back)

	d := Block[R]{data: m.dst.data, offset: m.dst.offset + rows.Lo*m.dst.strides[k], strides: m.dst.strides,
		Lo: make([]int, len(m.dst.shape)), Shape: slices.Clone(m.dst.shape)}
	d.Shape[k] = rows.Count()
	s := Block[T]{Lo: make([]int, len(m.dst.shape))}
	if direct {
		s.data, s.strides, s.Shape = m.a.data, m.a.strides, slices.Clone(m.a.shape)
		s.offset = m.a.offset + (from-h.body[k])*m.a.strides[k]
	} else {
		s.data, s.strides, s.Shape = h.work.data, h.work.strides, slices.Clone(h.work.shape)
		s.offset = h.work.offset + from*h.work.strides[k]
	}
	s.Shape[k] = to - from
	for j := range d.Lo {
		if Axis(j) == h.layout.Axis() {
			d.Lo[j], s.Lo[j] = m.a.localStart(), m.a.localStart()
		}
		s.Lo[j] -= h.body[j]
	}
	d.Lo[k] += rows.Lo
	s.Lo[k] += from
	m.f(d, s)
}
