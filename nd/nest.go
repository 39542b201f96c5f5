package nd

import "caloric/internal/parallel"

// nest is the loop nest of a local reduction: the kept axes, whose indices
// number the accumulators in C order, around the reduced axes.
type nest struct {
	offset int
	kept   axes
	acc    [MaxDims]int // stride of each kept axis among the accumulators
	red    axes
	base   int // index of the first reduced element
}

// axes are some axes of a strided array, outermost first.
type axes struct {
	n      int
	shape  [MaxDims]int
	stride [MaxDims]int
}

func (x *axes) push(shape, stride int) {
	x.shape[x.n], x.stride[x.n] = shape, stride
	x.n++
}

func (x *axes) size() int {
	n := 1
	for _, d := range x.shape[:x.n] {
		n *= d
	}
	return n
}

// build makes the nest of a reduction of a strided array. Unless the order of
// the elements matters, reduced axes are ordered by stride.
func (n *nest) build(offset int, shape, strides []int, r *reduction, ordered bool) {
	n.offset = offset
	accStride := 1
	for k := len(shape) - 1; k >= 0; k-- {
		if !r.reduced[k] {
			accStride *= max(1, shape[k])
		}
	}
	for k, d := range shape {
		switch {
		case r.reduced[k]:
			n.red.push(d, strides[k])
		default:
			accStride /= max(1, d)
			n.acc[n.kept.n] = accStride
			n.kept.push(d, strides[k])
		}
	}
	if !ordered {
		n.red.sortByStride()
	}
	n.red.merge()
	n.mergeKept()
}

func (x *axes) sortByStride() {
	for i := 1; i < x.n; i++ {
		for j := i; j > 0 && abs(x.stride[j]) > abs(x.stride[j-1]); j-- {
			x.stride[j], x.stride[j-1] = x.stride[j-1], x.stride[j]
			x.shape[j], x.shape[j-1] = x.shape[j-1], x.shape[j]
		}
	}
}

// merge drops axes of extent 1 and joins axes that follow each other in memory.
// At least one axis remains.
func (x *axes) merge() {
	var m axes
	for k := range x.n {
		d, s := x.shape[k], x.stride[k]
		if d == 1 {
			continue
		}
		if m.n > 0 && m.stride[m.n-1] == s*d {
			m.shape[m.n-1] *= d
			m.stride[m.n-1] = s
			continue
		}
		m.push(d, s)
	}
	if m.n == 0 {
		m.push(1, 1)
	}
	*x = m
}

// mergeKept is merge for the kept axes, whose accumulators must follow too.
func (n *nest) mergeKept() {
	var m axes
	var acc [MaxDims]int
	for k := range n.kept.n {
		d, s := n.kept.shape[k], n.kept.stride[k]
		if d == 1 {
			continue
		}
		if i := m.n - 1; i >= 0 && m.stride[i] == s*d && acc[i] == n.acc[k]*d {
			m.shape[i] *= d
			m.stride[i] = s
			acc[i] = n.acc[k]
			continue
		}
		acc[m.n] = n.acc[k]
		m.push(d, s)
	}
	n.kept, n.acc = m, acc
}

// contiguousAxis returns the kept axis along which memory is contiguous, -1 if
// there is none, or reduced elements are themselves contiguous or run backwards.
func (n *nest) contiguousAxis() int {
	if s := n.red.stride[n.red.n-1]; s < 0 || s == 1 && n.red.shape[n.red.n-1] > 1 {
		return -1
	}
	for k := range n.kept.n {
		if n.kept.stride[k] == 1 {
			return k
		}
	}
	return -1
}

// foldBlock is how many elements or, for rows, leafRows how many rows are
// reduced in sequence before partial results are merged pairwise; tileWidth is
// how many rows' elements are reduced side by side.
const (
	foldBlock = 1024
	leafRows  = 16
	tileWidth = 512
)

// keptShares is the extent of a kept axis from which on its indices are shared
// among workers; else the reduced elements are, in at most maxPieces pieces. These
// do not depend on the number of workers, and so neither do rounding errors.
const (
	keptShares = 32
	maxPieces  = 256
)

// reduceNest sets acc to the reductions that n describes of x, on several
// workers where the work is worth it.
func reduceNest[T Element, A any, R Element](k reducer[T, A, R], n *nest, acc []A, x []T, workers int) {
	kept, red := n.kept.size(), n.red.size()
	if kept == 0 {
		return
	}
	if red == 0 {
		for j := range acc {
			acc[j] = k.empty()
		}
		return
	}
	if kept*red < parallelSize {
		reduceSerial(k, n, acc, x)
		return
	}
	if axis := n.kept.longest(); n.kept.shape[axis] >= keptShares {
		if workers > 1 {
			reduceShares(k, *n, axis, acc, x, workers)
		} else {
			reduceSerial(k, n, acc, x)
		}
		return
	}
	// Whole blocks, so that only the last piece has a shorter one.
	inner := kept * red / n.red.shape[0]
	per := max(parallelSize/inner, (n.red.shape[0]+maxPieces-1)/maxPieces, 1)
	if per >= foldBlock {
		per = (per + foldBlock - 1) / foldBlock * foldBlock
	}
	pieces := (n.red.shape[0] + per - 1) / per
	if pieces == 1 {
		reduceSerial(k, n, acc, x)
		return
	}
	partial, mem := borrow[A](pieces * len(acc))
	if workers > 1 {
		reduceParallel(k, *n, partial, x, per, pieces, workers)
	} else {
		for p := range pieces {
			share := n.piece(p*per, per)
			reduceSerial(k, &share, partial[p*len(acc):(p+1)*len(acc)], x)
		}
	}
	for step := 1; step < pieces; step *= 2 {
		for p := 0; p+step < pieces; p += 2 * step {
			k.merge(partial[p*len(acc):(p+1)*len(acc)], partial[(p+step)*len(acc):(p+step+1)*len(acc)])
		}
	}
	copy(acc, partial)
	giveBack(mem)
}

// longest returns the axis of the largest extent, 0 if there is none.
func (x *axes) longest() int {
	axis := 0
	for k, d := range x.shape[:x.n] {
		if d > x.shape[axis] {
			axis = k
		}
	}
	return axis
}

// piece returns the reduction of at most m indices of the first reduced axis, from
// lo on.
func (n *nest) piece(lo, m int) nest {
	p := *n
	p.base += lo * (n.red.size() / n.red.shape[0])
	p.offset += lo * n.red.stride[0]
	p.red.shape[0] = min(m, n.red.shape[0]-lo)
	return p
}

// reduceShares shares a kept axis among the workers.
func reduceShares[T Element, A any, R Element](k reducer[T, A, R], n nest, axis int, acc []A, x []T, workers int) {
	if d := n.kept.shape[0]; d >= 2*workers {
		axis = 0
	}
	parallel.Ranges(workers, n.kept.shape[axis], func(lo, hi int) {
		share := n
		share.kept.shape[axis] = hi - lo
		share.offset += lo * n.kept.stride[axis]
		reduceSerial(k, &share, acc[lo*n.acc[axis]:], x)
	})
}

// reduceParallel reduces the pieces of n to partial. Each worker takes the next
// piece when it is done with one.
func reduceParallel[T Element, A any, R Element](k reducer[T, A, R], n nest, partial []A, x []T, per, pieces, workers int) {
	width := len(partial) / pieces
	parallel.Each(workers, pieces, func(p int) {
		share := n.piece(p*per, per)
		reduceSerial(k, &share, partial[p*width:(p+1)*width], x)
	})
}

func reduceSerial[T Element, A any, R Element](k reducer[T, A, R], n *nest, acc []A, x []T) {
	if e, is := k.(*lazyReducer[T, A, R]); is { // of an expression: there is no x
		e.nested(n, acc)
		return
	}
	if tile := n.contiguousAxis(); tile >= 0 {
		reduceTiles(k, n, tile, acc, x)
		return
	}
	reduceFolds(k, n, acc, x)
}

// reduceFolds reduces one kept index after another.
func reduceFolds[T Element, A any, R Element](k reducer[T, A, R], n *nest, acc []A, x []T) {
	last := n.red.n - 1
	if last == 0 && n.red.stride[0] == 1 && n.red.shape[0] <= foldBlock {
		for it := n.kept.walk(n.offset, &n.acc); it.next(); {
			acc[it.acc] = k.fold(x[it.off:it.off+n.red.shape[0]], n.base)
		}
		return
	}
	buf := scratchPool.Get().(*scratch)
	defer scratchPool.Put(buf)
	block := scratchBlock[T](buf, 0)
	var t tower[T, A, R]
	t.init(k, 1)
	defer t.release()
	outer := n.red
	outer.n--
	rows, stride := n.red.shape[last], n.red.stride[last]
	for it := n.kept.walk(n.offset, &n.acc); it.next(); {
		t.reset()
		base, filled := n.base, 0
		for row := outer.walk(it.off, &outer.stride); row.next(); {
			if stride == 1 && rows >= len(block)/4 {
				// Long contiguous runs are reduced where they are.
				for i := 0; i < rows; i += foldBlock {
					m := min(foldBlock, rows-i)
					t.fold(x[row.off+i:row.off+i+m], base)
					base += m
				}
				continue
			}
			for i, off := 0, row.off; i < rows; {
				m := min(rows-i, len(block)-filled)
				for j := range block[filled : filled+m] {
					block[filled+j] = x[off]
					off += stride
				}
				i += m
				if filled += m; filled == len(block) {
					t.fold(block, base)
					base += filled
					filled = 0
				}
			}
		}
		if filled > 0 {
			t.fold(block[:filled], base)
		}
		t.result(acc, it.acc, 1)
	}
}

// reduceTiles reduces rows of elements side by side along kept axis tile, which
// is contiguous in memory.
func reduceTiles[T Element, A any, R Element](k reducer[T, A, R], n *nest, tile int, acc []A, x []T) {
	width := n.kept.shape[tile]
	var t tower[T, A, R]
	t.init(k, min(width, tileWidth))
	defer t.release()
	others := n.kept
	others.shape[tile] = 1
	last := n.red.n - 1
	rows, stride := n.red.shape[last], n.red.stride[last]
	outer := n.red
	outer.n--
	for it := others.walk(n.offset, &n.acc); it.next(); {
		for lo := 0; lo < width; lo += tileWidth {
			w := min(tileWidth, width-lo)
			t.width = w
			t.reset()
			base := n.base
			for row := outer.walk(it.off+lo, &outer.stride); row.next(); {
				for i := 0; i < rows; i += leafRows {
					m := min(leafRows, rows-i)
					t.rows(x[row.off+i*stride:], m, stride, base+i)
				}
				base += rows
			}
			t.result(acc, it.acc+lo*n.acc[tile], n.acc[tile])
		}
	}
}

// walker iterates over the indices of some axes: off is the position in the
// array, acc among the accumulators.
type walker struct {
	x      *axes
	accs   *[MaxDims]int
	index  [MaxDims]int
	off    int
	acc    int
	left   int
	before bool
}

func (x *axes) walk(off int, acc *[MaxDims]int) walker {
	return walker{x: x, accs: acc, off: off, left: x.size(), before: true}
}

func (w *walker) next() bool {
	if w.left == 0 {
		return false
	}
	w.left--
	if w.before {
		w.before = false
		return true
	}
	for k := w.x.n - 1; k >= 0; k-- {
		w.index[k]++
		w.off += w.x.stride[k]
		w.acc += w.accs[k]
		if w.index[k] < w.x.shape[k] {
			return true
		}
		w.off -= w.x.stride[k] * w.x.shape[k]
		w.acc -= w.accs[k] * w.x.shape[k]
		w.index[k] = 0
	}
	return true
}
