package nd

import (
	"sync"
	"unsafe"

	"caloric/internal/misuse"
	"caloric/internal/nontemporal"
	"caloric/split"
	"caloric/spmd"
)

// A kernel computes a block of an elementwise operation: dst[i] = f(x[i], …)
// for every i < len(dst). Its operands are at least as long as dst; dst may be
// one of them. Kernels are zero-size types, so that passing one as an interface
// allocates nothing, and the loop inside is compiled for its element type.
type kernel1[T, R Element] interface{ loop(dst []R, x []T) }

type kernel2[T, R Element] interface{ loop(dst []R, x, y []T) }

// unary returns k of a, in a's layout.
func unary[T, R Element](k kernel1[T, R], a *NDArray[T]) *NDArray[R] {
	dst := likeRaw[R](a)
	apply1(k, dst, a)
	return dst
}

// unaryInto sets dst to k of a, which may broadcast to dst's shape and is moved
// to dst's layout if it has another.
func unaryInto[T, R Element](k kernel1[T, R], dst *NDArray[R], a *NDArray[T]) {
	checkDst(dst, a.comm)
	checkInto(dst.layout, a.layout, nil)
	apply1(k, dst, aligned(dst.layout, a))
}

// binary returns k of a and b in the layout that [split.Elementwise] gives.
func binary[T, R Element](k kernel2[T, R], a, b *NDArray[T]) *NDArray[R] {
	sameComm(a.comm, b.comm)
	l := a.layout
	if l != b.layout && !l.Equal(b.layout) {
		e := itemSize[T]()
		var err error
		l, err = split.Elementwise(split.Operand{Layout: a.layout, Elem: e}, split.Operand{Layout: b.layout, Elem: e})
		if err != nil {
			misuse.Panic("shapes %v and %v do not broadcast", a.layout, b.layout)
		}
	}
	dst := newRaw[R](a.comm, l)
	apply2(k, dst, aligned(l, a), aligned(l, b), *new(T))
	return dst
}

// binaryInto sets dst to k of a and b, which broadcast to dst's shape and are
// moved to dst's layout if they have another.
func binaryInto[T, R Element](k kernel2[T, R], dst *NDArray[R], a, b *NDArray[T]) {
	checkDst(dst, a.comm)
	sameComm(dst.comm, b.comm)
	checkInto(dst.layout, a.layout, b.layout)
	apply2(k, dst, aligned(dst.layout, a), aligned(dst.layout, b), *new(T))
}

// checkInto panics unless the operands' shapes broadcast to exactly dst's. b may be nil.
func checkInto(dst, a, b *split.Layout) {
	switch {
	case b == nil && !broadcastsTo(a.Shape(), dst.Shape()):
		misuse.Panic("shape %v does not broadcast to the destination's %v", a, dst)
	case b != nil && !(broadcastsTo(a.Shape(), dst.Shape()) && broadcastsTo(b.Shape(), dst.Shape())):
		misuse.Panic("shapes %v and %v do not broadcast to the destination's %v", a, b, dst)
	}
}

func broadcastsTo(s, to Shape) bool {
	if len(s) > len(to) {
		return false
	}
	for k, d := range s {
		if t := to[len(to)-len(s)+k]; d != t && d != 1 {
			return false
		}
	}
	return true
}

// scalarLeft and scalarRight apply k with a number as one operand.
func scalarLeft[T, R Element](k kernel2[T, R], s T, a *NDArray[T]) *NDArray[R] {
	dst := likeRaw[R](a)
	apply2(k, dst, nil, a, s)
	return dst
}

func scalarRight[T, R Element](k kernel2[T, R], a *NDArray[T], s T) *NDArray[R] {
	dst := likeRaw[R](a)
	apply2(k, dst, a, nil, s)
	return dst
}

func scalarLeftInto[T, R Element](k kernel2[T, R], dst *NDArray[R], s T, a *NDArray[T]) {
	checkDst(dst, a.comm)
	checkInto(dst.layout, a.layout, nil)
	apply2(k, dst, nil, aligned(dst.layout, a), s)
}

func scalarRightInto[T, R Element](k kernel2[T, R], dst *NDArray[R], a *NDArray[T], s T) {
	checkDst(dst, a.comm)
	checkInto(dst.layout, a.layout, nil)
	apply2(k, dst, aligned(dst.layout, a), nil, s)
}

// aligned returns a in the layout in which it can be combined locally with an
// array of layout l, moved there if need be.
func aligned[T Element](l *split.Layout, a *NDArray[T]) *NDArray[T] {
	want := split.Align(l, a.layout)
	if want != a.layout {
		a = moved(a, want)
	}
	return a
}

// addOperand adds to w the part of a that this rank needs for an array of
// layout l: all of it, or of a replicated array the piece along l's split axis.
func addOperand[T Element](w *walk, l *split.Layout, a *NDArray[T]) {
	offset := a.offset
	if axis := l.Axis(); axis != split.None && a.layout.Replicated() {
		k := int(axis) - (len(l.Shape()) - len(a.shape))
		if k >= 0 && a.shape[k] == l.Shape()[axis] && a.shape[k] != w.shape[axis] {
			lo, _ := l.Range(a.comm.Rank())
			offset += lo * a.strides[k]
			w.addPiece(offset, a.shape, a.strides, k)
			return
		}
	}
	w.add(offset, a.shape, a.strides)
}

// addPiece is add for an array of which axis k is cut to the walk's extent.
func (w *walk) addPiece(offset int, shape, strides []int, k int) {
	w.add(offset, shape, strides)
	w.stride[w.arrays-1][w.ndim-len(shape)+k] = strides[k]
}

// apply1 runs k over dst's local part.
func apply1[T, R Element](k kernel1[T, R], dst *NDArray[R], a *NDArray[T]) {
	a = apart(dst, a)
	w := newWalk(dst.shape)
	w.add(dst.offset, dst.shape, dst.strides)
	addOperand(&w, dst.layout, a)
	w.past = writtenPast(dst) && !dst.footprint().touches(a.footprint())
	w.simplify()
	parts := workerParts(dst.comm, &w)
	if parts == 1 {
		run1(&w, k, dst.data, a.data)
		return
	}
	d, x := dst.data, a.data
	inParallel(&w, parts, func(w *walk) { run1(w, k, d, x) })
}

// apply2 runs k over dst's local part. One of a and b may be nil and stands for s.
func apply2[T, R Element](k kernel2[T, R], dst *NDArray[R], a, b *NDArray[T], s T) {
	w := newWalk(dst.shape)
	w.add(dst.offset, dst.shape, dst.strides)
	w.past = writtenPast(dst)
	var x, y []T
	if a == nil {
		w.addScalar()
	} else {
		a = apart(dst, a)
		x = a.data
		w.past = w.past && !dst.footprint().touches(a.footprint())
		addOperand(&w, dst.layout, a)
	}
	if b == nil {
		w.addScalar()
	} else {
		b = apart(dst, b)
		y = b.data
		w.past = w.past && !dst.footprint().touches(b.footprint())
		addOperand(&w, dst.layout, b)
	}
	w.simplify()
	parts := workerParts(dst.comm, &w)
	if parts == 1 {
		run2(&w, k, dst.data, x, y, s)
		return
	}
	d, u, v := dst.data, x, y
	inParallel(&w, parts, func(w *walk) { run2(w, k, d, u, v, s) })
}

// writtenPast reports whether dst's local part is so large that it is written past the
// caches, unless what is read lies in the same memory.
func writtenPast[R Element](dst *NDArray[R]) bool {
	return nontemporal.Pays(dst.LocalSize() * itemSize[R]())
}

// apart returns a, or a copy of its local part if dst shares memory with it in
// another order, so that writing dst could change what is still to be read.
func apart[T, R Element](dst *NDArray[R], a *NDArray[T]) *NDArray[T] {
	if dst.footprint().clobbers(a.footprint()) {
		return Copy(a)
	}
	return a
}

// footprint is the memory of an array's local part, of elements of any type.
type footprint struct {
	lo, hi         uintptr
	shape, strides []int
	size           int
}

func (a *NDArray[T]) footprint() footprint {
	lo, hi := a.extent()
	return footprint{lo, hi, a.shape, a.strides, itemSize[T]()}
}

// touches reports whether d and a reach into the same stretch of memory.
func (d footprint) touches(a footprint) bool { return d.lo < a.hi && a.lo < d.hi }

// clobbers reports whether writing d in order could change what is still to be
// read of a.
func (d footprint) clobbers(a footprint) bool {
	if !d.touches(a) || interleaved(d.strides, a.strides, d.lo-a.lo, d.size, a.size) {
		return false
	}
	return d.lo != a.lo || d.size != a.size || !equalInts(d.shape, a.shape) || !equalInts(d.strides, a.strides)
}

// interleaved reports whether arrays with the given strides, one shift bytes after
// the other, have no element in common because they step past each other, as two
// columns of a matrix do.
func interleaved(d, a []int, shift uintptr, sizeD, sizeA int) bool {
	step := int64(0)
	for _, strides := range [2][]int{d, a} {
		for _, s := range strides {
			step = gcd(step, int64(s))
		}
	}
	return sizeD == sizeA && step != 0 && int64(shift)/int64(sizeA)%step != 0
}

// extent returns the addresses between which a's local elements lie, 0 and 0 if
// there are none.
func (a *NDArray[T]) extent() (lo, hi uintptr) {
	if a.LocalSize() == 0 {
		return 0, 0
	}
	first, last := a.offset, a.offset
	for k, s := range a.strides {
		if n := (a.shape[k] - 1) * s; n < 0 {
			first += n
		} else {
			last += n
		}
	}
	lo = uintptr(unsafe.Pointer(&a.data[first]))
	return lo, lo + uintptr((last-first+1)*itemSize[T]())
}

func overlap[T, R Element](d []R, x []T) bool {
	if len(d) == 0 || len(x) == 0 {
		return false
	}
	dlo, xlo := uintptr(unsafe.Pointer(&d[0])), uintptr(unsafe.Pointer(&x[0]))
	return dlo < xlo+uintptr(len(x)*itemSize[T]()) && xlo < dlo+uintptr(len(d)*itemSize[R]())
}

func equalInts(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// parallelSize is the number of elements from which on an operation is worth
// splitting over a rank's workers.
const parallelSize = 1 << 16

func workerParts(c *spmd.Comm, w *walk) int {
	if c.Workers() == 1 || w.size() < parallelSize {
		return 1
	}
	return max(1, min(c.Workers(), w.shape[0]))
}

// inParallel calls f for each of parts shares of w, all but one on new goroutines.
func inParallel(w *walk, parts int, f func(w *walk)) {
	var wg sync.WaitGroup
	for p := 1; p < parts; p++ {
		share := w.part(p, parts)
		wg.Go(func() { f(&share) })
	}
	share := w.part(0, parts)
	f(&share)
	wg.Wait()
}

// block is the number of elements that strided operands are gathered in.
const block = 512

// scratch is memory for the blocks of one operation. It is pooled because
// memory that a kernel sees through an interface cannot live on the stack.
type scratch [maxArrays][block * 2]uint64

var scratchPool = sync.Pool{New: func() any { return new(scratch) }}

// pastBytes is the size of what is written past the caches at once, short enough that the
// operands' memory is read ahead meanwhile.
const pastBytes = 2 << 10

// blockLen returns the number of elements of a block of results.
func blockLen[R Element](w *walk) int {
	if w.past {
		return min(block, pastBytes/itemSize[R]())
	}
	return block
}

func scratchBlock[T Element](s *scratch, i int) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(&s[i])), block)
}

func run1[T, R Element](w *walk, k kernel1[T, R], dst []R, x []T) {
	if w.past || w.innerStride(0) != 1 || w.innerStride(1) != 1 {
		if most, rest, ok := w.strips(); ok {
			run1Strided(&most, k, dst, x)
			w = &rest
		}
		run1Strided(w, k, dst, x)
		return
	}
	n := w.inner()
	for r := w.rows(); r.next(); {
		k.loop(dst[r.off[0]:r.off[0]+n], x[r.off[1]:r.off[1]+n])
	}
}

// run2Past is run2 past the caches: a block of results is made in the cache, and then goes to
// memory. Reading two arrays takes longer than a processor reads ahead of its own accord, so
// that is asked for meanwhile.
func run2Past[T, R Element](w *walk, k kernel2[T, R], dst []R, x, y []T) {
	buf := scratchPool.Get().(*scratch)
	defer scratchPool.Put(buf)
	defer nontemporal.Fence()
	bd := pastBlock[R](buf)
	n := w.inner()
	for r := w.rows(); r.next(); {
		d, u, v := dst[r.off[0]:r.off[0]+n], x[r.off[1]:r.off[1]+n], y[r.off[2]:r.off[2]+n]
		for len(d) > 0 {
			m := min(len(bd), len(d))
			k.loop(bd[:m], u[:m], v[:m])
			nontemporal.CopyAhead(d[:m], bd, after(u, m), after(v, m))
			d, u, v = d[m:], u[m:], v[m:]
		}
	}
}

// pastBlock returns the memory for a block of results that go past the caches.
func pastBlock[R Element](s *scratch) []R {
	return unsafe.Slice((*R)(unsafe.Pointer(&s[0])), int(unsafe.Sizeof(s[0]))/itemSize[R]())
}

// after returns the address of s[m], the last element's if there is none.
func after[T Element](s []T, m int) unsafe.Pointer { return unsafe.Pointer(&s[min(m, len(s)-1)]) }

func run1Strided[T, R Element](w *walk, k kernel1[T, R], dst []R, x []T) {
	buf := scratchPool.Get().(*scratch)
	defer scratchPool.Put(buf)
	if w.past {
		defer nontemporal.Fence()
	}
	bd, bx := scratchBlock[R](buf, 0), scratchBlock[T](buf, 1)
	n := w.inner()
	s0, s1 := w.innerStride(0), w.innerStride(1)
	step := blockLen[R](w)
	for r := w.rows(); r.next(); {
		for i := 0; i < n; i += step {
			m := min(step, n-i)
			u := gather(bx[:m], x, r.off[1]+i*s1, s1)
			d, direct := target(bd[:m], dst, r.off[0]+i*s0, s0, w.past)
			k.loop(d, u)
			if !direct {
				scatter(dst, r.off[0]+i*s0, s0, d)
			}
		}
	}
}

func run2[T, R Element](w *walk, k kernel2[T, R], dst []R, x, y []T, s T) {
	if w.innerStride(0) != 1 || w.innerStride(1) != 1 || w.innerStride(2) != 1 || x == nil || y == nil {
		if most, rest, ok := w.strips(); ok {
			run2Strided(&most, k, dst, x, y, s)
			w = &rest
		}
		run2Strided(w, k, dst, x, y, s)
		return
	}
	if w.past {
		run2Past(w, k, dst, x, y)
		return
	}
	n := w.inner()
	for r := w.rows(); r.next(); {
		k.loop(dst[r.off[0]:r.off[0]+n], x[r.off[1]:r.off[1]+n], y[r.off[2]:r.off[2]+n])
	}
}

func run2Strided[T, R Element](w *walk, k kernel2[T, R], dst []R, x, y []T, s T) {
	buf := scratchPool.Get().(*scratch)
	defer scratchPool.Put(buf)
	if w.past {
		defer nontemporal.Fence()
	}
	bd, bx, by := scratchBlock[R](buf, 0), scratchBlock[T](buf, 1), scratchBlock[T](buf, 2)
	n := w.inner()
	if x == nil {
		fill(bx[:min(n, block)], s)
	}
	if y == nil {
		fill(by[:min(n, block)], s)
	}
	s0, s1, s2 := w.innerStride(0), w.innerStride(1), w.innerStride(2)
	step := blockLen[R](w)
	for r := w.rows(); r.next(); {
		for i := 0; i < n; i += step {
			m := min(step, n-i)
			u, v := bx[:m], by[:m]
			if x != nil {
				u = gather(u, x, r.off[1]+i*s1, s1)
			}
			if y != nil {
				v = gather(v, y, r.off[2]+i*s2, s2)
			}
			d, direct := target(bd[:m], dst, r.off[0]+i*s0, s0, w.past)
			k.loop(d, u, v)
			if !direct {
				scatter(dst, r.off[0]+i*s0, s0, d)
			}
		}
	}
}

// gather returns len(buf) elements of x from off on with the given stride: x's
// own memory if the stride is 1, else a copy in buf.
func gather[T Element](buf, x []T, off, stride int) []T {
	switch stride {
	case 1:
		return x[off : off+len(buf)]
	case 0:
		fill(buf, x[off])
		return buf
	}
	for i := range buf {
		buf[i] = x[off]
		off += stride
	}
	return buf
}

// target returns where len(buf) results for dst[off], dst[off+stride], … can be
// written: dst itself if the stride is 1 and the caches are to be used, else buf,
// to be scattered.
func target[R Element](buf, dst []R, off, stride int, past bool) (d []R, direct bool) {
	if stride == 1 && !past {
		return dst[off : off+len(buf)], true
	}
	return buf, false
}

func scatter[R Element](dst []R, off, stride int, d []R) {
	if stride == 1 { // past the caches, or it would not have been in a buffer
		nontemporal.Copy(dst[off:off+len(d)], d)
		return
	}
	for _, v := range d {
		dst[off] = v
		off += stride
	}
}

func fill[T Element](s []T, v T) {
	for i := range s {
		s[i] = v
	}
}
