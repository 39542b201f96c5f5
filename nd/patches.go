package nd

import (
	"slices"
	"sort"

	"caloric/internal/nontemporal"
	"caloric/spmd"
)

// patch is a part of a rank's memory whose elements travel in C order.
type patch[T Element] struct {
	data           []T
	offset         int
	shape, strides []int
	// What arrives is written times times, step elements of memory apart; 0 is once.
	times, step int
	// joined is the elements where they are side by side in memory.
	joined []T
}

// patchOf returns a's local memory as a patch.
func patchOf[T Element](a *NDArray[T]) patch[T] {
	b := patch[T]{data: a.data, offset: a.offset, shape: a.shape, strides: a.strides}
	if a.IsContiguous() {
		b.joined = a.local()
	}
	return b
}

// eachRange calls f with the patches, as large as can be, that make up elements
// lo ≤ i < hi of b in C order.
func (b *patch[T]) eachRange(lo, hi int, f func(x patch[T])) {
	if lo >= hi {
		return
	}
	x, size := *b, Shape(b.shape).Size()
	x.joined = nil
	for size != hi-lo { // so there are axes
		inner := size / x.shape[0]
		first, last := lo/inner, (hi-1)/inner
		if first < last {
			// The end of the first index, whole indices, and the start of the last one.
			if lo%inner != 0 {
				x.eachRange(lo, (first+1)*inner, f)
				first++
			}
			whole := hi / inner
			if first < whole {
				y := x
				y.offset += first * x.strides[0]
				y.shape = append([]int{whole - first}, x.shape[1:]...)
				f(y)
			}
			if whole*inner < hi {
				x.eachRange(whole*inner, hi, f)
			}
			return
		}
		x.offset += first * x.strides[0]
		x.shape, x.strides = x.shape[1:], x.strides[1:]
		lo, hi, size = lo-first*inner, hi-first*inner, inner
	}
	f(x)
}

// run returns the memory of elements lo ≤ i < hi of b if they are side by side there.
func (b *patch[T]) run(lo, hi int) []T {
	switch {
	case lo >= hi:
		return b.data[:0]
	case b.joined != nil:
		return b.joined[lo:hi:hi]
	case b.times != 0:
		return nil
	}
	start, next, together := 0, -1, true
	b.eachRange(lo, hi, func(x patch[T]) {
		if next < 0 {
			start, next = x.offset, x.offset
		}
		together = together && x.offset == next && inOrder(x.shape, x.strides)
		next += Shape(x.shape).Size()
	})
	if !together {
		return nil
	}
	return b.data[start:next:next]
}

// get copies elements of b from lo on to buf.
func (b *patch[T]) get(c *spmd.Comm, lo int, buf []T) {
	if len(buf) == 0 {
		return
	}
	if b.joined != nil && len(buf) < parallelSize {
		copy(buf, b.joined[lo:])
		return
	}
	b.eachRange(lo, lo+len(buf), func(x patch[T]) {
		w := newWalk(x.shape)
		w.add(0, x.shape, contiguousStrides(x.shape))
		w.add(x.offset, x.shape, x.strides)
		copyWalk(c, &w, buf, x.data)
		buf = buf[Shape(x.shape).Size():]
	})
}

// set copies buf to the elements of b from lo on.
func (b *patch[T]) set(c *spmd.Comm, lo int, buf []T) {
	if len(buf) == 0 {
		return
	}
	if b.joined != nil && len(buf) < parallelSize {
		copy(b.joined[lo:], buf)
		return
	}
	b.eachRange(lo, lo+len(buf), func(x patch[T]) {
		n := Shape(x.shape).Size()
		from := contiguousStrides(x.shape)
		if x.times != 0 {
			x.shape, x.strides = append(slices.Clone(x.shape), x.times), append(slices.Clone(x.strides), x.step)
			from = append(from, 0)
		}
		w := newWalk(x.shape)
		w.add(x.offset, x.shape, x.strides)
		w.add(0, x.shape, from)
		w.past = nontemporal.Pays(len(x.data) * itemSize[T]())
		copyWalk(c, &w, x.data, buf)
		buf = buf[n:]
	})
}

// patchLists is the patches that a rank sends to each rank, or gets from it, in the
// order in which they travel. It makes them where they are needed: a list of many
// small patches would be larger than what it describes.
type patchLists[T Element] struct {
	ends [][]int // ends[r][i] is the number of elements of rank r's patches up to its patch i
	at   func(r, i int) patch[T]
}

func newPatchLists[T Element](ranks int, at func(r, i int) patch[T]) *patchLists[T] {
	return &patchLists[T]{make([][]int, ranks), at}
}

// add appends a patch of n elements to the patches of rank r.
func (b *patchLists[T]) add(r, n int) { b.ends[r] = append(b.ends[r], b.count(r)+n) }

// count returns the number of elements of rank r's patches.
func (b *patchLists[T]) count(r int) int {
	if ends := b.ends[r]; len(ends) > 0 {
		return ends[len(ends)-1]
	}
	return 0
}

// find returns the patch of rank r's element from, and the patch's first element.
func (b *patchLists[T]) find(r, from int) (i, start int) {
	i = sort.SearchInts(b.ends[r], from+1)
	if i > 0 {
		start = b.ends[r][i-1]
	}
	return i, start
}

func (b *patchLists[T]) run(r, from, n int) []T {
	i, start := b.find(r, from)
	if from+n > b.ends[r][i] {
		return nil
	}
	x := b.at(r, i)
	return x.run(from-start, from-start+n)
}

// stream returns the stream of b's patches, which copies elements by move.
func (b *patchLists[T]) stream(move func(x patch[T], lo int, buf []T)) *stream[T] {
	s := &stream[T]{counts: make([]int, len(b.ends)), run: b.run}
	for r := range b.ends {
		s.counts[r] = b.count(r)
	}
	s.move = func(r, from int, buf []T) {
		i, start := b.find(r, from)
		for ; len(buf) > 0; i++ {
			n := min(len(buf), b.ends[r][i]-from)
			move(b.at(r, i), from-start, buf[:n])
			buf, from = buf[n:], from+n
			start = from
		}
	}
	return s
}

// outgoing returns the stream of b's patches as they are sent.
func (b *patchLists[T]) outgoing(c *spmd.Comm) *stream[T] {
	return b.stream(func(x patch[T], lo int, buf []T) { x.get(c, lo, buf) })
}

// incoming returns the stream of b's patches as they arrive.
func (b *patchLists[T]) incoming(c *spmd.Comm) *stream[T] {
	return b.stream(func(x patch[T], lo int, buf []T) { x.set(c, lo, buf) })
}
