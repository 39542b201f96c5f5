package nd

import (
	"unsafe"

	"caloric/internal/nontemporal"
	"caloric/split"
)

// lazySpace is the index space of an evaluation on one rank, and where its
// elements are in the destination and in each input. A position in it is a number
// in C order.
type lazySpace struct {
	ndim   int
	shape  [MaxDims]int
	own    lazyStrides // the destination
	arrays []lazyStrides
}

// lazyStrides says where an array's elements are.
type lazyStrides struct {
	base   unsafe.Pointer
	len    int // elements from base on
	size   int // bytes of one
	offset int
	stride [MaxDims]int
	flat   bool // without gaps, in the space's order
}

// start sets the space to shape, a rank's part of an array of layout l, and the
// arrays to p's inputs.
func (s *lazySpace) start(p *lazyPlan, shape []int, l *split.Layout) {
	s.ndim = len(shape)
	copy(s.shape[:], shape)
	for i := range p.inputs {
		p.inputs[i].now.lazyStrides(&s.arrays[i], shape, l)
	}
}

func (s *lazySpace) size() int { return Shape(s.shape[:s.ndim]).Size() }

// simplify drops axes of extent 1, orders the axes so that the destination's
// strides fall if it may, and merges axes that are contiguous in every array. The
// result has at least one axis.
func (s *lazySpace) simplify(order bool) {
	n := 0
	for k := range s.ndim {
		if s.shape[k] != 1 {
			s.moveAxis(n, k)
			n++
		}
	}
	if s.ndim = n; n == 0 {
		s.ndim, s.shape[0], s.own.stride[0] = 1, 1, 1
		for i := range s.arrays {
			s.arrays[i].stride[0] = 1
		}
	}
	for i := 1; order && i < s.ndim; i++ {
		for j := i; j > 0 && abs(s.own.stride[j]) > abs(s.own.stride[j-1]); j-- {
			s.swapAxes(j, j-1)
		}
	}
	n = 0
	for k := 1; k < s.ndim; k++ {
		joined := s.own.follows(n, k, s.shape[k])
		for i := range s.arrays {
			joined = joined && s.arrays[i].follows(n, k, s.shape[k])
		}
		if joined {
			d := s.shape[n]
			s.moveAxis(n, k)
			s.shape[n] *= d
			continue
		}
		n++
		s.moveAxis(n, k)
	}
	s.ndim = n + 1
	s.own.flat = s.isFlat(&s.own)
	for i := range s.arrays {
		s.arrays[i].flat = s.isFlat(&s.arrays[i])
	}
}

func (a *lazyStrides) follows(outer, inner, extent int) bool {
	return a.stride[outer] == a.stride[inner]*extent
}

func (s *lazySpace) isFlat(a *lazyStrides) bool {
	n := 1
	for k := s.ndim - 1; k >= 0; k-- {
		if a.stride[k] != n {
			return false
		}
		n *= s.shape[k]
	}
	return true
}

func (s *lazySpace) moveAxis(to, from int) {
	s.shape[to], s.own.stride[to] = s.shape[from], s.own.stride[from]
	for i := range s.arrays {
		s.arrays[i].stride[to] = s.arrays[i].stride[from]
	}
}

func (s *lazySpace) swapAxes(a, b int) {
	s.shape[a], s.shape[b] = s.shape[b], s.shape[a]
	s.own.stride[a], s.own.stride[b] = s.own.stride[b], s.own.stride[a]
	for i := range s.arrays {
		t := &s.arrays[i].stride
		t[a], t[b] = t[b], t[a]
	}
}

// lazyRow is the extent of the last axis from which on blocks end with its rows,
// so that arrays that are contiguous along it need no packing.
const lazyRow = 256

// upTo returns how many elements from position lo on make a block, at most n.
func (s *lazySpace) upTo(lo, n int) int {
	if row := s.shape[s.ndim-1]; s.ndim > 1 && row >= lazyRow {
		n = min(n, row-lo%row)
	}
	return n
}

// writtenPast reports whether the destination is so large that it is written past the
// caches, unless its memory is read at the same time.
func (s *lazySpace) writtenPast() bool {
	if !nontemporal.Pays(s.size() * s.own.size) {
		return false
	}
	for i := range s.arrays {
		a := &s.arrays[i]
		if uintptr(a.base) < uintptr(s.own.base)+uintptr(s.own.len*s.own.size) &&
			uintptr(s.own.base) < uintptr(a.base)+uintptr(a.len*a.size) {
			return false
		}
	}
	return true
}

// index returns the index of a position.
func (s *lazySpace) index(lo int) (index [MaxDims]int) {
	for k := s.ndim - 1; k > 0; k-- {
		index[k] = lo % s.shape[k]
		lo /= s.shape[k]
	}
	index[0] = lo
	return index
}

// direct returns the address of a's n elements from position lo on if they lie
// one after another, else nil.
func (s *lazySpace) direct(a *lazyStrides, lo, n int) unsafe.Pointer {
	last := s.ndim - 1
	off := a.offset + lo
	if !a.flat {
		if a.stride[last] != 1 || s.ndim > 1 && lo%s.shape[last]+n > s.shape[last] {
			return nil
		}
		off = a.offset
		for k := last; k > 0; k-- {
			off += lo % s.shape[k] * a.stride[k]
			lo /= s.shape[k]
		}
		off += lo * a.stride[0]
	}
	return unsafe.Add(a.base, off*a.size)
}

// move copies a's n elements from position lo on to block, or the other way.
func (s *lazySpace) move(a *lazyStrides, lo, n int, block unsafe.Pointer, pack bool) {
	index, last := s.index(lo), s.ndim-1
	off := a.offset
	for k := range s.ndim {
		off += index[k] * a.stride[k]
	}
	for {
		m := min(n, s.shape[last]-index[last])
		a.run(off, a.stride[last], m, block, pack)
		if n -= m; n == 0 {
			return
		}
		block = unsafe.Add(block, m*a.size)
		off += m * a.stride[last]
		index[last] += m
		for k := last; k > 0 && index[k] == s.shape[k]; k-- {
			index[k] = 0
			index[k-1]++
			off += a.stride[k-1] - s.shape[k]*a.stride[k]
		}
	}
}

// run copies n elements with a stride to block, or the other way. Only their size
// matters.
func (a *lazyStrides) run(off, stride, n int, block unsafe.Pointer, pack bool) {
	switch a.size {
	case 1:
		lazyRun[uint8](a, off, stride, n, block, pack)
	case 2:
		lazyRun[uint16](a, off, stride, n, block, pack)
	case 4:
		lazyRun[uint32](a, off, stride, n, block, pack)
	case 8:
		lazyRun[uint64](a, off, stride, n, block, pack)
	default:
		lazyRun[complex128](a, off, stride, n, block, pack)
	}
}

func lazyRun[U Element](a *lazyStrides, off, stride, n int, block unsafe.Pointer, pack bool) {
	memory, b := unsafe.Slice((*U)(a.base), a.len), unsafe.Slice((*U)(block), n)
	switch {
	case !pack:
		scatter(memory, off, stride, b)
	case stride == 1:
		copy(b, memory[off:off+n])
	default:
		gather(b, memory, off, stride)
	}
}
