package nd

import (
	"slices"

	"caloric/internal/recycle"
	"caloric/split"
	"caloric/spmd"
)

// placesOf finds, in each lane of a along axes, the elements at given places of
// the sorted order, as [Quantile] needs them: at(n) are the places, width of them
// in any order or none, in a lane of n elements that are not NaN. It returns n for
// each lane of the reduction's result on this rank, and the elements, width a lane.
func placesOf[T, K Element](o keying[T, K], a *NDArray[T], axes []int, width int, at func(n int) []int) ([]int, []T) {
	keys := laneKeys(o.code, a, 0, axes...)
	var found []K
	var counts []int64
	switch axis := int(a.layout.Axis()); {
	case a.comm.Size() == 1 || !containsInt(axes, axis) || a.Size() == 0:
		counts, found = placesIn(o, a.comm, keys, width, at)
		recycle.Free(keys.keys)
	case keys.count >= a.comm.Size() && itemSize[T]()*laneShare(a, keys.count) <= width*searchBytes:
		counts, found = placesShared(o, a, keys, width, at)
	default:
		counts, found = placesAcross(o, a, keys, width, at)
	}
	values := make([]T, len(found))
	o.code.decode(values, found, 0)
	n := make([]int, len(counts))
	for i, c := range counts {
		n[i] = int(c)
	}
	return n, values
}

// searchBytes is about what a search for one element sends for each lane.
const searchBytes = 1024

// laneShare returns how many elements of a lane a rank has on average.
func laneShare[T Element](a *NDArray[T], lanes int) int {
	return a.Size() / max(1, lanes) / a.comm.Size()
}

// mayBeNaN reports whether T has NaN, so that the largest key is NaN's.
func mayBeNaN[T Element]() bool { return kindOf[T]() >= kindFloat32 }

// placesIn finds places in lanes that are whole on this rank.
func placesIn[T, K Element](o keying[T, K], c *spmd.Comm, l lanes[K], width int, at func(n int) []int) (counts []int64, found []K) {
	counts, found = make([]int64, l.count), make([]K, l.count*width)
	l.eachLane(c, func(from, to int) {
		for i := from; i < to; i++ {
			lane := l.lane(i)
			n := l.n
			if mayBeNaN[T]() {
				n -= o.kit.tops(lane)
			}
			counts[i] = int64(n)
			places := at(n)
			o.kit.selectAt(lane, slices.Compact(slices.Sorted(slices.Values(places))))
			for j, p := range places {
				found[i*width+j] = lane[p]
			}
		}
	})
	return counts, found
}

// placesShared shares the lanes out over the ranks, which find the places each in
// its lanes, and gathers what they find.
func placesShared[T, K Element](o keying[T, K], a *NDArray[T], l lanes[K], width int, at func(n int) []int) (counts []int64, found []K) {
	c, n := a.comm, a.Size()/l.count
	each := a.layout.Counts()
	for r := range each {
		each[r] *= n / a.layout.Shape()[a.layout.Axis()]
	}
	shape := Shape{l.count, n}
	shared := moved(wrap(c, split.WithCounts(shape, 1, each), l.keys), split.Block(shape, 0, c.Size()))
	counts, found = placesIn(o, c, lanes[K]{shared.Local(), shared.shape[0], n}, width, at)
	if mayBeNaN[T]() {
		counts = gathered(c, counts, l.count, 1)
	} else {
		counts = make([]int64, l.count)
		fillInt64(counts, int64(n))
	}
	return counts, gathered(c, found, l.count, width)
}

// gathered returns the rows, of the given width, that the ranks have of an even
// split of n.
func gathered[T Element](c *spmd.Comm, rows []T, n, width int) []T {
	s := Shape{n, width}
	return moved(wrap(c, split.Block(s, 0, c.Size()), rows), split.Block(s, split.None, c.Size())).Local()
}

// placesAcross finds places in lanes that are spread over the ranks.
func placesAcross[T, K Element](o keying[T, K], a *NDArray[T], l lanes[K], width int, at func(n int) []int) (counts []int64, found []K) {
	whole := int64(a.Size() / l.count)
	counts, found = make([]int64, l.count), make([]K, l.count*width)
	if mayBeNaN[T]() {
		for i := range counts {
			counts[i] = int64(l.n - o.kit.tops(l.lane(i)))
		}
		spmd.Allreduce(a.comm, counts, spmd.Sum)
	} else {
		fillInt64(counts, whole)
	}
	keys, size, want := make([][]K, l.count), make([]int64, l.count), make([][]int64, l.count)
	places := make([][]int, l.count)
	for i, n := range counts {
		keys[i], size[i], places[i] = l.lane(i), whole, at(int(n))
		for _, p := range places[i] {
			want[i] = append(want[i], int64(p))
		}
		slices.Sort(want[i])
		want[i] = slices.Compact(want[i])
	}
	each := a.layout.Counts()
	for r := range each {
		each[r] *= int(whole) / a.layout.Shape()[a.layout.Axis()]
	}
	stats := orderStats(a.comm, o.kit, keys, size, want, each)
	for i := range places {
		for j, p := range places[i] {
			k, _ := slices.BinarySearch(want[i], int64(p))
			found[i*width+j] = stats[i][k].key
		}
	}
	return counts, found
}
