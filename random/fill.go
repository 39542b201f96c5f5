package random

import (
	"caloric/internal/parallel"
	"caloric/nd"
	"caloric/split"
)

// kernel computes elements of a distribution: dst[j] is the element of global
// index first+j in draw s. It is a type rather than a function so that filling
// an array allocates nothing.
type kernel[T nd.Element] interface {
	run(dst []T, s stream, first uint64)
}

// fill sets dst to what k makes of the next draw of g.
func fill[T nd.Element, K kernel[T]](g *Generator, dst *nd.NDArray[T], k K) {
	s := g.next(dst.Comm())
	if dst.IsContiguous() {
		fillLocal(dst.Local(), dst, s, k)
		return
	}
	whole := nd.EmptyLike(dst)
	fillLocal(whole.Local(), whole, s, k)
	nd.CopyInto(dst, whole)
}

// parallelSize is the number of elements from which on a draw is worth splitting
// over a rank's workers.
const parallelSize = 1 << 16

// fillLocal computes local, this rank's elements of a in C order.
func fillLocal[T nd.Element, K kernel[T]](local []T, a *nd.NDArray[T], s stream, k K) {
	r := runsOf(a.Layout(), a.Comm().Rank())
	workers := a.Comm().Workers()
	if workers == 1 || len(local) < parallelSize {
		fillRuns(local, 0, r, s, k)
		return
	}
	parallel.Ranges(workers, len(local), func(lo, hi int) { fillRuns(local[lo:hi], lo, r, s, k) })
}

// fillRuns computes piece, which starts at local element at.
func fillRuns[T nd.Element, K kernel[T]](piece []T, at int, r runs, s stream, k K) {
	for len(piece) > 0 {
		first, n := r.from(at)
		n = min(n, len(piece))
		k.run(piece[:n], s, uint64(first))
		piece, at = piece[n:], at+n
	}
}

// runs describes which global indices, in C order, a rank's elements have: runs
// of length consecutive ones, the first starting at start, each next one stride
// further on.
type runs struct{ start, length, stride int }

func runsOf(l *split.Layout, rank int) runs {
	if l.Replicated() {
		n := l.Shape().Size()
		return runs{0, n, n}
	}
	row := l.Shape()[l.Axis()+1:].Size()
	lo, hi := l.Range(rank)
	return runs{lo * row, (hi - lo) * row, l.Shape()[l.Axis()] * row}
}

// from returns the global index of local element at, and how many consecutive
// ones its run has from there on.
func (r runs) from(at int) (first, n int) {
	k, j := at/r.length, at%r.length
	return r.start + k*r.stride + j, r.length - j
}
