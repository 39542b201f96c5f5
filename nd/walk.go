package nd

// maxArrays is the most local arrays that one operation steps through at once.
const maxArrays = 4

// walk steps through the local memory of up to maxArrays arrays of one shape at
// once. Its first array is the destination: the axes are ordered by it.
type walk struct {
	arrays int
	ndim   int
	shape  [MaxDims]int
	stride [maxArrays][MaxDims]int
	offset [maxArrays]int
	past   bool // whether the destination is to be written past the caches
}

// newWalk returns a walk over shape without arrays.
func newWalk(shape []int) walk {
	w := walk{ndim: len(shape)}
	copy(w.shape[:], shape)
	return w
}

// add adds an array whose shape broadcasts to the walk's.
func (w *walk) add(offset int, shape, strides []int) {
	for k, d := range shape {
		if o := w.ndim - len(shape) + k; d == w.shape[o] {
			w.stride[w.arrays][o] = strides[k]
		}
	}
	w.offset[w.arrays] = offset
	w.arrays++
}

// addScalar adds an array of one element that every index reads.
func (w *walk) addScalar() { w.arrays++ }

// size returns the number of indices.
func (w *walk) size() int {
	n := 1
	for _, d := range w.shape[:w.ndim] {
		n *= d
	}
	return n
}

// simplify drops axes of extent 1, orders the axes so that the destination's
// strides fall, and merges axes that are contiguous in every array. The result
// has at least one axis. It must not be used where the order of indices matters.
func (w *walk) simplify() {
	w.dropOnes()
	for i := 1; i < w.ndim; i++ {
		for j := i; j > 0 && abs(w.stride[0][j]) > abs(w.stride[0][j-1]); j-- {
			w.swapAxes(j, j-1)
		}
	}
	w.merge()
}

func (w *walk) dropOnes() {
	n := 0
	for k := range w.ndim {
		if w.shape[k] != 1 {
			w.moveAxis(n, k)
			n++
		}
	}
	w.ndim = n
	if n == 0 {
		w.ndim, w.shape[0] = 1, 1
		for i := range w.arrays {
			w.stride[i][0] = 1
		}
	}
}

// merge joins each axis with the next where that changes no array's order.
func (w *walk) merge() {
	n := 0
	for k := 1; k < w.ndim; k++ {
		joined := true
		for i := range w.arrays {
			joined = joined && w.stride[i][n] == w.stride[i][k]*w.shape[k]
		}
		if joined {
			w.shape[n] *= w.shape[k]
			for i := range w.arrays {
				w.stride[i][n] = w.stride[i][k]
			}
			continue
		}
		n++
		w.moveAxis(n, k)
	}
	w.ndim = n + 1
}

func (w *walk) moveAxis(to, from int) {
	w.shape[to] = w.shape[from]
	for i := range w.arrays {
		w.stride[i][to] = w.stride[i][from]
	}
}

func (w *walk) swapAxes(a, b int) {
	w.shape[a], w.shape[b] = w.shape[b], w.shape[a]
	for i := range w.arrays {
		w.stride[i][a], w.stride[i][b] = w.stride[i][b], w.stride[i][a]
	}
}

// inner returns the extent of the last axis.
func (w *walk) inner() int { return w.shape[w.ndim-1] }

// innerStride returns array i's stride along the last axis.
func (w *walk) innerStride(i int) int { return w.stride[i][w.ndim-1] }

// part returns the share p of parts of the walk, cut along its first axis.
func (w *walk) part(p, parts int) walk {
	out := *w
	lo, hi := p*w.shape[0]/parts, (p+1)*w.shape[0]/parts
	out.shape[0] = hi - lo
	for i := range w.arrays {
		out.offset[i] += lo * w.stride[i][0]
	}
	return out
}

// stripWidth is the length of the runs of a walk in strips, whose memory in a
// transposed array, a cache line and perhaps a page for each element, is met
// again while it is near. Shorter runs would spend their time between the loops.
const stripWidth = 128

// strips returns a walk over most of w's indices in strips across the last two
// axes, and one over the rest, if an array lies across them.
func (w *walk) strips() (most, rest walk, ok bool) {
	k := w.ndim - 1
	if k < 1 || w.ndim == MaxDims || w.shape[k] < 4*stripWidth || w.shape[k-1] < 8 {
		return
	}
	for i := range w.arrays {
		ok = ok || abs(w.stride[i][k]) > 8 && abs(w.stride[i][k-1]) < abs(w.stride[i][k])
	}
	if !ok {
		return
	}
	most, rest = *w, *w
	count := w.shape[k] / stripWidth
	rest.shape[k] -= count * stripWidth
	most.ndim++
	most.shape[k-1], most.shape[k], most.shape[k+1] = count, w.shape[k-1], stripWidth
	for i := range w.arrays {
		along, across := w.stride[i][k], w.stride[i][k-1]
		rest.offset[i] += count * stripWidth * along
		most.stride[i][k-1], most.stride[i][k], most.stride[i][k+1] = stripWidth*along, across, along
	}
	return most, rest, true
}

// rows iterates over the walk's runs along the last axis: off holds where the
// run starts in each array.
type rows struct {
	w     *walk
	index [MaxDims]int
	off   [maxArrays]int
	left  int
}

func (w *walk) rows() rows {
	n := w.size()
	if n > 0 {
		n /= w.inner()
	}
	r := rows{w: w, off: w.offset, left: n + 1}
	r.index[max(0, w.ndim-2)] = -1
	if w.ndim >= 2 {
		for i := range w.arrays {
			r.off[i] -= w.stride[i][w.ndim-2]
		}
	}
	return r
}

// next moves to the next run and reports whether there is one.
func (r *rows) next() bool {
	r.left--
	if r.left <= 0 {
		return false
	}
	w := r.w
	for k := w.ndim - 2; k >= 0; k-- {
		r.index[k]++
		for i := range w.arrays {
			r.off[i] += w.stride[i][k]
		}
		if r.index[k] < w.shape[k] {
			break
		}
		for i := range w.arrays {
			r.off[i] -= w.stride[i][k] * w.shape[k]
		}
		r.index[k] = 0
	}
	return true
}

func abs(x int) int {
	if x < 0 {
		return -x
	}
	return x
}
