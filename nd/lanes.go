package nd

import (
	"unsafe"

	"caloric/internal/parallel"
	"caloric/internal/recycle"
	"caloric/spmd"
)

// lanes are the local parts of the 1-d arrays that an operation along an axis
// works on, one after another: count lanes of n keys each.
type lanes[K Element] struct {
	keys     []K
	count, n int
}

func (l lanes[K]) lane(i int) []K { return l.keys[i*l.n : (i+1)*l.n] }

// laneKeys returns a's local part as lanes of keys along the given axes, which
// lie in a lane in C order.
func laneKeys[T, K Element](code coder[T, K], a *NDArray[T], c coding, axes ...int) lanes[K] {
	var perm []int
	l := lanes[K]{count: 1, n: 1}
	for k, d := range a.shape {
		if !containsInt(axes, k) {
			perm = append(perm, k)
			l.count *= d
		}
	}
	for _, k := range axes {
		perm = append(perm, k)
		l.n *= a.shape[k]
	}
	v := a
	if len(perm) > 0 {
		v = a.Transpose(perm...)
	}
	src := v.Local()
	l.keys = recycle.Make[K](len(src))
	inParts(a.comm, len(src), func(lo, hi int) { code.encode(l.keys[lo:hi], src[lo:hi], c) })
	return l
}

func containsInt(s []int, x int) bool {
	for _, y := range s {
		if y == x {
			return true
		}
	}
	return false
}

// eachLane calls f with ranges of lanes that cover all, on the rank's workers if
// there is enough to do.
func (l lanes[K]) eachLane(c *spmd.Comm, f func(from, to int)) {
	parts := 1
	if c.Workers() > 1 && l.count*l.n >= parallelSize/4 {
		parts = max(1, min(c.Workers(), l.count))
	}
	parallel.Ranges(parts, l.count, f)
}

// inParts calls f with ranges that cover n elements, on the rank's workers if there
// is enough to do.
func inParts(c *spmd.Comm, n int, f func(from, to int)) {
	parts := 1
	if n >= parallelSize {
		parts = max(1, c.Workers())
	}
	parallel.Ranges(parts, n, f)
}

// sort sorts every lane: the workers share the lanes, or one that is alone.
func (l lanes[K]) sort(c *spmd.Comm, kit keyKit[K]) {
	workers := 1
	if l.count == 1 {
		workers = c.Workers()
	}
	l.eachLane(c, func(from, to int) {
		tmp := recycle.Make[K](l.n)
		for i := from; i < to; i++ {
			kit.sort(l.lane(i), tmp, workers)
		}
		recycle.Free(tmp)
	})
}

// decoded returns the elements that keys stand for, in the keys' memory.
func decoded[T, K Element](code coder[T, K], c *spmd.Comm, keys []K, o coding) []T {
	values := unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(keys))), len(keys))
	inParts(c, len(keys), func(lo, hi int) { code.decode(values[lo:hi], keys[lo:hi], o) })
	return values
}

// sortIndexed sorts every lane and returns where its keys were: their position
// in the lane, plus base.
func (l lanes[K]) sortIndexed(c *spmd.Comm, kit keyKit[K], base int) []int64 {
	at := make([]int64, len(l.keys))
	l.eachLane(c, func(from, to int) {
		tmp, tmpAt := make([]K, l.n), make([]int64, l.n)
		for i := from; i < to; i++ {
			a := at[i*l.n : (i+1)*l.n]
			for j := range a {
				a[j] = int64(base + j)
			}
			kit.sortIndexed(l.lane(i), tmp, a, tmpAt)
		}
	})
	return at
}

// store sets dst to lanes of values along axis.
func storeLanes[T Element](dst *NDArray[T], axis int, values []T) {
	v := MoveAxis(dst, axis, -1)
	src := v.view(v.layout, 0, v.shape, contiguousStrides(v.shape))
	src.data = values
	copyView(v, src)
}
