package nd

import (
	"runtime"
	"sync/atomic"
	"time"

	"caloric/internal/parallel"
)

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
	discard   bool            // only the totals are wanted
	fast      runner[T, A, R] // nil if k has none for these types and strides
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
	if fast, is := k.(runner[T, A, R]); is && j.sd == 1 && j.ss == 1 && !j.ignoreNaN && fast.runs() {
		j.fast = fast
	}
	return j
}

const (
	// scanTile is how many scans side by side share a pass over memory, minTile the
	// fewest for which that pays.
	scanTile = 256
	minTile  = 8
	// scanPiece is how many elements of a lane are reduced and then scanned, so that
	// they still lie in the nearest cache. A quarter of it is no multiple of a page,
	// or the quarters would compete for the same places there.
	scanPiece = 4608
	// patience is how often a worker looks for the state before its piece until it
	// sleeps between looks.
	patience = 200
)

// run takes each lane from what lower ranks have before it. It writes the results
// to dst unless they are discarded, and the reductions to totals unless it is nil.
func (j *scanJob[T, A, R]) run(before, totals []A) {
	workers := j.workers // set once, or the closure would have it allocated
	switch {
	case j.lanes*j.n < parallelSize:
		j.lanesOf(&j.w, before, totals, 1)
		return
	case workers == 1 || j.w.shape[0] < workers:
		j.lanesOf(&j.w, before, totals, workers)
		return
	}
	shared := *j
	inParallel(&shared.w, workers, func(w *walk) { shared.lanesOf(w, before, totals, 1) })
}

// lanesOf does run's work for the lanes of w, each of them on all workers.
func (j *scanJob[T, A, R]) lanesOf(w *walk, before, totals []A, workers int) {
	states, pooled := borrow[running[A]](scanTile)
	defer giveBack(pooled)
	m, s0, s1, s2 := w.inner(), w.innerStride(0), w.innerStride(1), w.innerStride(2)
	width := 1
	if s0 == 1 && s1 == 1 && m >= minTile && !(j.sd == 1 && j.ss == 1) {
		width = scanTile
	}
	for r := w.rows(); r.next(); {
		for q := 0; q < m; q += width {
			d, x, l := r.off[0]+q*s0, r.off[1]+q*s1, r.off[2]+q*s2
			st := states[:min(width, m-q)]
			for i := range st {
				b := j.k.neutral()
				if before != nil {
					b = before[l+i*s2]
				}
				st[i] = j.k.start(b)
			}
			if workers == 1 {
				j.inTurn(d, x, st)
			} else {
				j.shared(d, x, st, workers)
			}
			for i := range st {
				if totals != nil {
					totals[l+i*s2] = j.k.total(&st[i])
				}
			}
		}
	}
}

// inTurn scans the lanes from d and x on, whose states are st, on this goroutine.
func (j *scanJob[T, A, R]) inTurn(d, x int, st []running[A]) {
	buf := scratchPool.Get().(*scratch)
	defer scratchPool.Put(buf)
	b := j.blocks(buf)
	if j.fast == nil {
		j.plain(&b, d, x, j.n, st)
		return
	}
	for p := 0; p*scanPiece < j.n; p++ {
		j.piece(&b, d, x, p, st, nil)
	}
}

// shared is inTurn on several workers. Each takes the next piece, reduces it, waits
// for the states before it, leaves those after it to the next piece, and then scans.
func (j *scanJob[T, A, R]) shared(d, x int, st []running[A], workers int) {
	own := *j
	var done atomic.Int64
	parallel.Take(workers, (j.n+scanPiece-1)/scanPiece, func(next func() (int, bool)) {
		buf := scratchPool.Get().(*scratch)
		defer scratchPool.Put(buf)
		b := own.blocks(buf)
		for p, ok := next(); ok; p, ok = next() {
			own.piece(&b, d, x, p, st, &done)
		}
	})
}

// piece scans piece p of the lanes from d and x on. done, if not nil, counts the
// pieces whose states are in st; other workers add theirs. What it does with
// elements of a runner does not depend on whether there are any.
func (j *scanJob[T, A, R]) piece(b *scanBlocks[T, R], d, x, p int, st []running[A], done *atomic.Int64) {
	n := min(scanPiece, j.n-p*scanPiece)
	d, x = d+p*scanPiece*j.sd, x+p*scanPiece*j.ss
	mem, pooled := borrow[running[A]](2 * len(st))
	defer giveBack(pooled)
	total, from := mem[:len(st)], mem[len(st):]
	r, sums := borrow[runs](1)
	defer giveBack(sums)
	ahead := j.fast != nil
	if ahead {
		ahead = j.fast.ahead(j.x[x:x+n], &r[0], &total[0])
	} else {
		for i := range total {
			total[i] = j.k.start(j.k.neutral())
		}
		b.discard = true
		j.plain(b, d, x, n, total)
		b.discard = j.discard
	}
	for tries := 0; done != nil && done.Load() != int64(p); tries++ {
		if runtime.Gosched(); tries > patience { // the worker before may lack a core
			time.Sleep(20 * time.Microsecond)
		}
	}
	if !ahead && j.fast != nil {
		j.plain(b, d, x, n, st)
	} else {
		copy(from, st)
		for i := range st {
			j.k.join(&st[i], total[i])
		}
	}
	if done != nil {
		done.Store(int64(p + 1))
	}
	switch {
	case j.discard || !ahead && j.fast != nil:
	case ahead:
		j.fast.behind(j.dst[d:d+n], j.x[x:x+n], &r[0], from[0])
	default:
		j.plain(b, d, x, n, from)
	}
}

// plain scans n elements of each lane.
func (j *scanJob[T, A, R]) plain(b *scanBlocks[T, R], d, x, n int, st []running[A]) {
	if len(st) == 1 {
		j.lane(b, d, x, n, &st[0])
	} else {
		j.rows(b, d, x, n, st)
	}
}

func (j *scanJob[T, A, R]) blocks(buf *scratch) scanBlocks[T, R] {
	return scanBlocks[T, R]{d: scratchBlock[R](buf, 0), x: scratchBlock[T](buf, 1), discard: j.discard}
}

// scanBlocks are where the blocks of a scan are put if they do not lie in memory
// as they are.
type scanBlocks[T, R Element] struct {
	d       []R
	x       []T
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
		d, direct := target(b.d[:m], j.dst, do+i*j.sd, j.sd, false)
		j.k.lane(d, u, st)
		if !direct {
			scatter(j.dst, do+i*j.sd, j.sd, d)
		}
	}
}

// rows scans n rows of elements side by side.
func (j *scanJob[T, A, R]) rows(b *scanBlocks[T, R], do, xo, n int, st []running[A]) {
	m := len(st)
	for range n {
		d := b.d[:m]
		if !b.discard {
			d = j.dst[do : do+m]
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
