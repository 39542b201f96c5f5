package nd

import (
	"caloric/internal/misuse"
	"caloric/split"
	"caloric/spmd"
)

// Ascending makes [TopK] take the smallest elements, smallest first.
func Ascending() SortOption { return func(c *coding) { *c &^= descending } }

// TopK returns the k largest elements along axis, largest first, and their
// indices along it: what [Sort] and [ArgSort], [Descending], begin with. Of equal
// elements the first ones are taken, NaN only where nothing else is left; a zero
// loses its sign. With [Ascending] it is the smallest, smallest first.
//
// Collective along the split axis, else local. Result split: None along the split
// axis, else a's. Communication: along the split axis two allgathervs, of as many
// elements and indices as min(k, its extent on the rank) for each lane; else none.
// For many elements take [Sort], which leaves them where they are.
// Panics if axis is out of range or k is not between 0 and the extent.
func TopK[T Element](a *NDArray[T], k, axis int, opts ...SortOption) (values *NDArray[T], at *NDArray[int64]) {
	axis = axisOf(a, axis)
	if n := a.layout.Shape()[axis]; k < 0 || k > n {
		misuse.Panic("%d elements asked of the %d along axis %d of shape %v", k, n, axis, a.layout.Shape())
	}
	c := descending
	for _, o := range opts {
		o(&c)
	}
	return orderingOf[T]().topK(a, axis, k, c)
}

func topKLanes[T, K Element](o keying[T, K], a *NDArray[T], axis, k int, c coding) (*NDArray[T], *NDArray[int64]) {
	keys := laneKeys(o.code, a, c|equalZeros, axis)
	across := a.layout.Axis() == Axis(axis) && a.comm.Size() > 1
	lo := 0
	if a.layout.Axis() == Axis(axis) {
		lo = a.localStart()
	}
	best, at := bestOf(o.kit, a.comm, keys, min(k, keys.n), lo)
	if across {
		best, at = gatherBest(o.kit, a.comm, best, at, k, a.layout)
	}
	values := make([]T, len(best.keys))
	o.code.decode(values, best.keys, c)
	l := split.Resize(a.layout, axis, k)
	if a.layout.Axis() == Axis(axis) {
		l = split.Block(l.Shape(), split.None, a.comm.Size())
	}
	return fromLanes(a, l, axis, values), fromLanes(a, l, axis, at)
}

// bestOf returns the k smallest keys of each lane in order, and their positions
// plus base.
func bestOf[K Element](kit keyKit[K], c *spmd.Comm, l lanes[K], k, base int) (lanes[K], []int64) {
	best := lanes[K]{make([]K, l.count*k), l.count, k}
	at := make([]int64, l.count*k)
	l.eachLane(c, func(from, to int) {
		tmp, tmpAt := make([]K, k), make([]int64, k)
		for i := from; i < to; i++ {
			a, keys := at[i*k:(i+1)*k], best.lane(i)
			for j, p := range kit.smallest(tmpAt[:0], l.lane(i), k) {
				keys[j], a[j] = l.lane(i)[p], p+int64(base)
			}
			kit.sortIndexed(keys, tmp, a, tmpAt)
		}
	})
	return best, at
}

// gatherBest returns the k smallest of all ranks' keys, and their positions.
func gatherBest[K Element](kit keyKit[K], c *spmd.Comm, l lanes[K], at []int64, k int, layout *split.Layout) (lanes[K], []int64) {
	counts, each := make([]int, c.Size()), layout.Counts()
	total := 0
	for r := range counts {
		each[r] = min(k, each[r])
		counts[r] = each[r] * l.count
		total += each[r]
	}
	keys, positions := make([]K, total*l.count), make([]int64, total*l.count)
	spmd.Allgatherv(c, l.keys, keys, counts)
	spmd.Allgatherv(c, at, positions, counts)
	best, at := lanes[K]{make([]K, l.count*k), l.count, k}, make([]int64, l.count*k)
	from, _ := starts(counts)
	ks, tmp := make([]K, 0, total), make([]K, total)
	ps, tmpAt := make([]int64, 0, total), make([]int64, total)
	for i := range l.count {
		ks, ps = ks[:0], ps[:0]
		for r, n := range each {
			ks = append(ks, keys[from[r]+i*n:from[r]+(i+1)*n]...)
			ps = append(ps, positions[from[r]+i*n:from[r]+(i+1)*n]...)
		}
		kit.sortIndexed(ks, tmp, ps, tmpAt)
		copy(best.lane(i), ks)
		copy(at[i*k:(i+1)*k], ps)
	}
	return best, at
}
