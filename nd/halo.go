package nd

import (
	"caloric/internal/misuse"
	"caloric/split"
	"caloric/spmd"
)

// Halo returns every rank's block of a extended along axis by the front indices
// before it and the back ones after it, which other ranks own: an array of the
// extended blocks one after another, split like a. Beyond the array's own ends
// the blocks hold what ends says; without ends they stop there. If a is not split
// along axis the result is a so extended, as by [Pad].
//
//	nd.Halo(nd.Arange[int64](c, 0, 6, 1, 0), 0, 1, 1)    // on 2 ranks: 0 1 2 3 | 2 3 4 5
//
// See [HaloPlan] for a halo exchange that is repeated, or undone, and [MapHalo] to
// apply a stencil.
//
// Collective if a is split along axis, else local. Result split: a's, each rank's
// block with its halo. Communication: one message from each rank that owns a part
// of this rank's halo, two where the neighbours' blocks are at least as wide, each
// element once; one alltoallv where a rank would have more than 8 such neighbours;
// none if a is not split along axis. Panics if axis is out of range or a width is
// negative.
func Halo[T Element](a *NDArray[T], axis, front, back int, ends ...Ends) *NDArray[T] {
	r := Reach{Axis: axis, Front: front, Back: back, Ends: oneEnds(EndsCrop, ends)}
	h := PlanHalo[T](a.comm, a.layout, r)
	buf := h.New()
	h.Gather(buf, a)
	return buf
}

// oneEnds returns the one entry of ends, or what holds without.
func oneEnds(without Ends, ends []Ends) Ends {
	if len(ends) > 1 {
		misuse.Panic("%d kinds of ends for one halo", len(ends))
	}
	if len(ends) == 1 {
		return ends[0]
	}
	return without
}

// Gather sets buf, which has the layout [HaloPlan.Extended], to the blocks of a
// and their halos. It allocates nothing but its messages' requests. a may be the
// [HaloPlan.Crop] of buf: an array that lives in its extended blocks, whose halos
// are brought up to date.
//
// Collective. Communication: as [Halo]. Panics if a or buf has another layout.
func (h *HaloPlan[T]) Gather(buf, a *NDArray[T]) {
	h.Start(buf, a)
	h.Wait()
}

// Start begins a [HaloPlan.Gather] and returns: the messages are under way, and
// buf holds the blocks and what of the halos this rank has itself. Until
// [HaloPlan.Wait] has returned, buf may be read there, but not written.
//
// Collective. Communication: as [Halo]. Panics if a or buf has another layout, or
// the last exchange of h is not complete.
func (h *HaloPlan[T]) Start(buf, a *NDArray[T]) {
	h.checkArray(a)
	h.checkBuf(buf)
	checkDst(buf, h.comm)
	if !h.isBodyOf(a, buf) {
		a = apart(buf, a)
	}
	h.begin(a)
	h.buf = buf
	h.place(a, allRows, split.Own, split.Nowhere)
}

// Wait returns when the exchange begun by [HaloPlan.Start] is complete.
//
// Collective. Panics if none has been.
func (h *HaloPlan[T]) Wait() {
	if h.buf == nil {
		misuse.Panic("no halo exchange was started")
	}
	h.complete()
	h.place(h.buf, allRows, split.Received, split.Received)
	h.buf = nil
}

// HaloAccumulate sets a to the sum, for each of its elements, of all the copies
// that the extended blocks buf hold of it: what ranks have in their halos is sent
// back and added to what the owner has. It is the adjoint of [HaloPlan.Gather]:
// ⟨Gather(x), y⟩ = ⟨x, HaloAccumulate(y)⟩. What buf holds where [EndsFill] fills
// belongs to no element. Sums are taken in T, of every rank in rank order. It
// allocates nothing but its messages' requests.
//
// Collective. Communication: as [Halo], in the other direction. Panics if a or
// buf has another layout.
func HaloAccumulate[T Number](h *HaloPlan[T], a, buf *NDArray[T]) {
	h.checkArray(a)
	h.checkBuf(buf)
	checkDst(a, h.comm)
	if !h.isBodyOf(a, buf) {
		buf = apart(a, buf)
	}
	h.free()
	clear(h.recv)
	addPieces(h, a, buf, split.Received)
	h.transfer(h.send, h.windows.Send, h.sendCounts, h.recv, h.windows.Recv, h.recvCounts)
	w := newWalk(h.sendShape)
	w.addStrided(a.offset, a.strides)
	w.addStrided(h.bodyIn(buf), buf.strides)
	copyWalk(a.comm, &w, a.data, buf.data)
	addPieces(h, a, buf, split.Own)
	h.complete()
	h.eachSent(a, func(w walk, n int) { accumulateRows(&w, a.data, h.send[n:]) })
}

// isBodyOf reports whether a is the Crop of buf, which the halos do not overlap.
func (h *HaloPlan[T]) isBodyOf(a, buf *NDArray[T]) bool {
	return a.LocalSize() > 0 && buf.LocalSize() > 0 && &a.data[a.offset] == &buf.data[h.bodyIn(buf)] && equalInts(a.strides, buf.strides)
}

func (h *HaloPlan[T]) free() {
	if h.buf != nil || len(h.requests) > 0 {
		misuse.Panic("the last exchange of this halo is not complete")
	}
}

// begin packs what other ranks want of a and starts the messages.
func (h *HaloPlan[T]) begin(a *NDArray[T]) {
	h.free()
	h.eachSent(a, func(w walk, n int) {
		// The destination comes first.
		w.stride[0], w.stride[1] = w.stride[1], w.stride[0]
		w.offset[0], w.offset[1] = w.offset[1], w.offset[0]
		copyWalk(a.comm, &w, h.send[n:], a.data)
	})
	h.transfer(h.recv, h.windows.Recv, h.recvCounts, h.send, h.windows.Send, h.sendCounts)
}

// eachSent calls f with a walk over each range of indices of a that other ranks
// want, and over its place in what is sent, from element n on.
func (h *HaloPlan[T]) eachSent(a *NDArray[T], f func(w walk, n int)) {
	n := 0
	for _, s := range h.windows.Send {
		for _, r := range s.Ranges {
			w := newWalk(a.shape)
			w.shape[h.axis] = r.Count()
			w.addStrided(a.offset+(r.Lo-a.localStart())*a.strides[h.axis], a.strides)
			w.addStrided(0, h.strides)
			f(w, n)
			n += r.Count() * h.row
		}
	}
}

// addStrided adds an array of the walk's shape.
func (w *walk) addStrided(offset int, strides []int) {
	copy(w.stride[w.arrays][:], strides)
	w.offset[w.arrays] = offset
	w.arrays++
}

// transfer starts an exchange in which this rank receives in, in the strips of
// from, and sends out in those of to.
func (h *HaloPlan[T]) transfer(in []T, from []split.Strip, inCounts []int, out []T, to []split.Strip, outCounts []int) {
	if outCounts != nil {
		spmd.Alltoallv(h.comm, out, outCounts, in, inCounts)
		return
	}
	for _, s := range from {
		h.requests = append(h.requests, spmd.Irecv(h.comm, in[s.At*h.row:(s.At+s.Count)*h.row], s.Rank, haloTag))
	}
	for _, s := range to {
		h.requests = append(h.requests, spmd.Isend(h.comm, out[s.At*h.row:(s.At+s.Count)*h.row], s.Rank, haloTag))
	}
}

// complete waits for the messages.
func (h *HaloPlan[T]) complete() {
	for i, r := range h.requests {
		r.Wait()
		h.requests[i] = nil
	}
	h.requests = h.requests[:0]
}

// allRows stands for the whole of a window.
var allRows = split.Window{Lo: 0, Hi: 1 << 62}

// place fills the part of h.buf whose indices along the exchange's axis, counted
// from the window's start, are in rows: from a and the ends' filling, or from
// what was received. along is the source along the exchange's axis.
func (h *HaloPlan[T]) place(a *NDArray[T], rows split.Window, sources ...split.Source) {
	buf := h.buf
	for _, along := range sources {
		h.eachPiece(rows, along, func(p pieces) {
			w := newWalk(p.count[:len(buf.shape)])
			w.addStrided(p.offsetIn(buf.offset, buf.strides), buf.strides)
			switch {
			case p.nowhere:
				w.simplify()
				fillRows(&w, buf.data, h.fill)
			case along == split.Received:
				p.addSource(&w, 0, h.strides)
				copyWalk(buf.comm, &w, buf.data, h.recv)
			default:
				p.addSource(&w, a.offset, a.strides)
				copyWalk(buf.comm, &w, buf.data, a.data)
			}
		})
	}
}

// addPieces adds to a, or to what is to be sent back, what the halos in buf hold.
func addPieces[T Number](h *HaloPlan[T], a, buf *NDArray[T], along split.Source) {
	h.eachPiece(allRows, along, func(p pieces) {
		if p.nowhere || h.isBody(&p) {
			return
		}
		w := newWalk(p.count[:len(buf.shape)])
		if along == split.Received {
			p.addSource(&w, 0, h.strides)
			w.addStrided(p.offsetIn(buf.offset, buf.strides), buf.strides)
			accumulateRows(&w, h.recv, buf.data)
			return
		}
		p.addSource(&w, a.offset, a.strides)
		w.addStrided(p.offsetIn(buf.offset, buf.strides), buf.strides)
		accumulateRows(&w, a.data, buf.data)
	})
}

// pieces is one piece of each axis: a box of an extended block.
type pieces struct {
	at, count   [MaxDims]int
	start, step [MaxDims]int
	ndim        int
	nowhere     bool
}

// eachPiece calls f with every box of the extended block within rows whose piece
// along the exchange's axis comes from the given source.
func (h *HaloPlan[T]) eachPiece(rows split.Window, along split.Source, f func(p pieces)) {
	var index [MaxDims]int
	ndim := len(h.pieces)
	if ndim == 0 {
		if along == split.Own {
			f(pieces{})
		}
		return
	}
	for k := range ndim {
		if len(h.pieces[k]) == 0 {
			return
		}
	}
	for {
		p := pieces{ndim: ndim}
		use := true
		for k := range ndim {
			q := h.pieces[k][index[k]]
			if k == h.axis {
				use = q.Source == along
				lo, hi := max(q.At, rows.Lo), min(q.At+q.Count, rows.Hi)
				q.Start += (lo - q.At) * q.Step
				q.At, q.Count = lo, max(0, hi-lo)
			}
			p.nowhere = p.nowhere || q.Source == split.Nowhere
			p.at[k], p.count[k], p.start[k], p.step[k] = q.At, q.Count, q.Start, q.Step
			use = use && q.Count > 0
			if !use {
				break
			}
		}
		if use {
			f(p)
		}
		k := ndim - 1
		for ; k >= 0; k-- {
			index[k]++
			if index[k] < len(h.pieces[k]) {
				break
			}
			index[k] = 0
		}
		if k < 0 {
			return
		}
	}
}

// offsetIn returns where the box starts in an extended block.
func (p *pieces) offsetIn(offset int, strides []int) int {
	for k, s := range strides {
		offset += p.at[k] * s
	}
	return offset
}

// addSource adds the box's source to a walk.
func (p *pieces) addSource(w *walk, offset int, strides []int) {
	var by [MaxDims]int
	for k, s := range strides {
		offset += p.start[k] * s
		by[k] = p.step[k] * s
	}
	w.addStrided(offset, by[:len(strides)])
}

// isBody reports whether the box is the rank's own block.
func (h *HaloPlan[T]) isBody(p *pieces) bool {
	for k, d := range h.sendShape {
		if p.at[k] != h.body[k] || p.count[k] != d || p.start[k] != 0 {
			return false
		}
	}
	return true
}

// fillRows sets what w steps through to v.
func fillRows[T Element](w *walk, dst []T, v T) {
	n, step := w.inner(), w.innerStride(0)
	for r := w.rows(); r.next(); {
		d := r.off[0]
		if step == 1 {
			fill(dst[d:d+n], v)
			continue
		}
		for range n {
			dst[d] = v
			d += step
		}
	}
}

// accumulateRows adds src to dst as w steps through them.
func accumulateRows[T Number](w *walk, dst, src []T) {
	w.simplify()
	n, s0, s1 := w.inner(), w.innerStride(0), w.innerStride(1)
	for r := w.rows(); r.next(); {
		d, s := r.off[0], r.off[1]
		for range n {
			dst[d] += src[s]
			d += s0
			s += s1
		}
	}
}
