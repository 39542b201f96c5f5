package nd

import "sync"

// scanJob is the local work of a scan: lanes of n elements along the axis,
// numbered in the C order of the other axes, which w steps through: the results,
// the elements and the numbers of the lanes.
type scanJob[T, A, R Element] struct {
	k         scanner[T, A, R]
	w         walk
	lanes     int
	n, sd, ss int // extent of the axis and its strides in dst and x
	dst       []R
	x         []T
	ignoreNaN bool
	discard   bool // only the totals are wanted
	workers   int
}

func newScanJob[T, A, R Element](k scanner[T, A, R], dst *NDArray[R], a *NDArray[T], s scan) scanJob[T, A, R] {
	j := scanJob[T, A, R]{k: k, dst: dst.data, x: a.data, ignoreNaN: s.ignoreNaN, workers: a.comm.Workers(), lanes: 1,
		n: a.shape[s.axis], sd: dst.strides[s.axis], ss: a.strides[s.axis]}
	// The walk has the axes but this one.
	var shape [MaxDims]int
	var strides [3][MaxDims]int
	n := 0
	for i, d := range a.shape {
		if i == s.axis {
			continue
		}
		shape[n], strides[0][n], strides[1][n] = d, dst.strides[i], a.strides[i]
		n++
	}
	for i := n - 1; i >= 0; i-- {
		strides[2][i] = j.lanes
		j.lanes *= shape[i]
	}
	j.w = newWalk(shape[:n])
	j.w.add(dst.offset, shape[:n], strides[0][:n])
	j.w.add(a.offset, shape[:n], strides[1][:n])
	j.w.add(0, shape[:n], strides[2][:n])
	j.w.simplify()
	return j
}

// scanTile is how many scans side by side share a pass over memory, minTile the
// fewest for which that pays.
const (
	scanTile = 256
	minTile  = 8
)

// parts returns how many parts each lane is cut into, so that every worker has
// one: 1 if there are lanes enough to share, or too little to do.
func (j *scanJob[T, A, R]) parts() int {
	workers := j.workers
	if workers == 1 || j.lanes*j.n < parallelSize || j.w.shape[0] >= workers || j.n < workers {
		return 1
	}
	return workers
}

// run takes each part of each lane from what lower ranks have before it and, in
// parts, earlier parts of this rank. It writes the results to dst unless they are
// discarded, and the reductions to totals unless it is nil.
func (j *scanJob[T, A, R]) run(parts int, before, earlier, totals []A) {
	workers := j.workers
	if parts == 1 && (workers == 1 || j.lanes*j.n < parallelSize || j.w.shape[0] < workers) {
		j.serial(&j.w, 0, j.n, before, earlier, totals)
		return
	}
	shared := *j
	var wg sync.WaitGroup
	for p := range workers {
		wg.Go(func() {
			if parts == 1 {
				w := shared.w.part(p, workers)
				shared.serial(&w, 0, shared.n, before, earlier, totals)
				return
			}
			e, t := earlier, totals
			if t != nil {
				t = t[p*shared.lanes:]
			} else {
				e = e[p*shared.lanes:]
			}
			shared.serial(&shared.w, p*shared.n/parts, (p+1)*shared.n/parts, before, e, t)
		})
	}
	wg.Wait()
}

// serial does run's work for indices lo to hi of the lanes of w.
func (j *scanJob[T, A, R]) serial(w *walk, lo, hi int, before, earlier, totals []A) {
	states, pooled := borrow[running[A]](scanTile)
	defer giveBack(pooled)
	buf := scratchPool.Get().(*scratch)
	defer scratchPool.Put(buf)
	b := scanBlocks[T, R]{d: scratchBlock[R](buf, 0), x: scratchBlock[T](buf, 1)}
	if b.discard = j.discard; !b.discard {
		b.dst = j.dst
	}
	m, s0, s1, s2 := w.inner(), w.innerStride(0), w.innerStride(1), w.innerStride(2)
	width := 1
	if s0 == 1 && s1 == 1 && m >= minTile && !(j.sd == 1 && j.ss == 1) {
		width = scanTile
	}
	for r := w.rows(); r.next(); {
		for q := 0; q < m; q += width {
			d, x, l := r.off[0]+q*s0+lo*j.sd, r.off[1]+q*s1+lo*j.ss, r.off[2]+q*s2
			st := states[:min(width, m-q)]
			for i := range st {
				b, a := j.k.neutral(), j.k.neutral()
				if before != nil {
					b = before[l+i*s2]
				}
				if earlier != nil {
					a = earlier[l+i*s2]
				}
				st[i] = j.k.start(b, a)
			}
			if width == 1 {
				j.lane(&b, d, x, hi-lo, &st[0])
			} else {
				j.rows(&b, d, x, hi-lo, st)
			}
			for i := range st {
				if totals != nil {
					totals[l+i*s2] = j.k.total(&st[i])
				}
			}
		}
	}
}

// scanBlocks are where the blocks of a scan are put if they do not lie in memory
// as they are.
type scanBlocks[T, R Element] struct {
	d       []R
	x       []T
	dst     []R
	discard bool // results are not wanted
}

// lane scans n elements, from x[xo] on, into dst[do] on.
func (j *scanJob[T, A, R]) lane(b *scanBlocks[T, R], do, xo, n int, st *running[A]) {
	for i := 0; i < n; i += block {
		m := min(block, n-i)
		u := j.elements(b, gather(b.x[:m], j.x, xo+i*j.ss, j.ss))
		if b.discard {
			j.k.lane(b.d[:m], u, st)
			continue
		}
		d, direct := target(b.d[:m], b.dst, do+i*j.sd, j.sd)
		j.k.lane(d, u, st)
		if !direct {
			scatter(b.dst, do+i*j.sd, j.sd, d)
		}
	}
}

// rows scans n rows of elements side by side.
func (j *scanJob[T, A, R]) rows(b *scanBlocks[T, R], do, xo, n int, st []running[A]) {
	m := len(st)
	for range n {
		d := b.d[:m]
		if !b.discard {
			d = b.dst[do : do+m]
		}
		j.k.row(d, j.elements(b, j.x[xo:xo+m]), st)
		do += j.sd
		xo += j.ss
	}
}

// elements returns x, or where NaN is ignored a copy in which the identity stands for it.
func (j *scanJob[T, A, R]) elements(b *scanBlocks[T, R], x []T) []T {
	if !j.ignoreNaN {
		return x
	}
	one, out := j.k.identity(), b.x[:len(x)]
	for i, v := range x {
		if v != v {
			v = one
		}
		out[i] = v
	}
	return out
}
