package nd

import (
	"caloric/internal/nontemporal"
	"caloric/spmd"
)

// Copy returns a copy of a with memory of its own, in C order on each rank.
//
// Local. Result split: a's. Communication: none.
func Copy[T Element](a *NDArray[T]) *NDArray[T] {
	c := likeRaw[T](a)
	copyLocal(c.data, c.strides, a)
	return c
}

// CopyInto sets dst to a, which broadcasts to dst's shape. With a slice as dst it
// assigns to a part of an array, as a[1:3] = x does in NumPy:
//
//	nd.CopyInto(a.Slice(nd.Range(1, 3)), x)
//
// Local unless the layouts differ. Result split: dst's. Communication: none if the layouts agree or
// a is replicated, else one move of a. Panics if the shapes do not broadcast.
func CopyInto[T Element](dst, a *NDArray[T]) {
	checkDst(dst, a.comm)
	checkInto(dst.layout, a.layout, nil)
	a = apart(dst, aligned(dst.layout, a))
	w := newWalk(dst.shape)
	w.add(dst.offset, dst.shape, dst.strides)
	addOperand(&w, dst.layout, a)
	copyWalk(dst.comm, &w, dst.data, a.data)
}

// copyLocal copies a's local part to dst, which has the given strides.
func copyLocal[T Element](dst []T, strides []int, a *NDArray[T]) {
	w := newWalk(a.shape)
	w.add(0, a.shape, strides)
	w.add(a.offset, a.shape, a.strides)
	copyWalk(a.comm, &w, dst, a.data)
}

// copyWalk copies src to dst as w steps through them, on the workers of c's rank.
func copyWalk[T Element](c *spmd.Comm, w *walk, dst, src []T) {
	w.past = w.past || nontemporal.Pays(w.size()*itemSize[T]())
	w.simplify()
	if parts := workerParts(c, w); parts > 1 {
		inParallel(w, parts, func(w *walk) { copyRows(w, dst, src) })
		return
	}
	copyRows(w, dst, src)
}

// copyBlock is the number of elements that are copied at once.
const copyBlock = 1 << 18

func copyRows[T Element](w *walk, dst, src []T) {
	if k := w.tiledAxis(); k >= 0 {
		copyTiles(w, k, dst, src)
		return
	}
	n, s0, s1 := w.inner(), w.innerStride(0), w.innerStride(1)
	if w.past {
		defer nontemporal.Fence()
	}
	for r := w.rows(); r.next(); {
		d, s := r.off[0], r.off[1]
		if s0 == 1 && s1 == 1 {
			for ; n > copyBlock; n -= copyBlock { // the collector cannot interrupt one copy
				copyRun(dst[d:d+copyBlock], src[s:s+copyBlock], w.past)
				d, s = d+copyBlock, s+copyBlock
			}
			copyRun(dst[d:d+n], src[s:s+n], w.past)
			n = w.inner()
			continue
		}
		for range n {
			dst[d] = src[s]
			d += s0
			s += s1
		}
	}
}

// copyRun copies src to dst, past the caches if that is wanted.
func copyRun[T Element](dst, src []T, past bool) {
	if past {
		nontemporal.Copy(dst, src)
		return
	}
	copy(dst, src)
}
