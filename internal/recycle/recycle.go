// Package recycle gives out memory for the elements of large arrays and takes it
// back when nothing refers to it any more.
//
// Fresh memory is slow: the operating system hands it out page by page, and Go
// clears what it has used before. So a loop of temporaries spends more on getting
// memory than on filling it. Blocks of this package come from Go's heap and have a
// finalizer, which the collector calls when no slice into the block is left,
// whoever holds it: an array, a view of one, a slice that its user kept. The block
// is alive again by being an argument of the call, and is given to the next caller
// who asks for one of its size. Nothing has to be released, and nothing that is
// still in use can be handed out twice.
package recycle

import (
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// Element is the set of types that blocks hold: none has pointers, so that the
// collector need not know which of them a block was made for.
type Element interface {
	~bool | ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 |
		~float32 | ~float64 | ~complex64 | ~complex128
}

const (
	// minBytes is the size from which on blocks are recycled. Go's allocator has
	// its own caches for smaller ones, and a finalizer costs as much as clearing them.
	minBytes = 32 << 10

	// pageBytes is the size from which on smaller blocks ask for huge pages around them.
	pageBytes = 2 << 10

	// DefaultLimit is the limit of [SetLimit] that holds until it is called.
	DefaultLimit = 256 << 20

	// smallLimit bounds what results much smaller than the limit leave dead between
	// two collections, so that they stay in the caches, and someLimit what those
	// leave that fit no cache: less would be collected too often, and more is
	// first touched for nothing.
	smallLimit = 32 << 20
	someLimit  = 128 << 20

	// clearBlock is the number of elements that are cleared at once.
	clearBlock = 1 << 18

	// freshRate is about how many bytes of new memory are touched while a collection
	// reads one, and freshBytes while it does what does not depend on them.
	freshRate  = 2
	freshBytes = 1 << 19

	// A block stays unused for keptCycles collections and for keptTime before Go gets it back.
	keptCycles = 4
	keptTime   = time.Second
)

// Stats says what the package holds and has done, in bytes unless named otherwise.
type Stats struct {
	InUse       int // given out and not yet found dead
	Idle        int // ready to be given out again
	Hits        int // times that a dead block was given out
	Misses      int // times that there was none
	Collections int // of the collector, asked for by this package
}

// pool is the state of the package. All ranks of a process share it: it is used
// for large blocks only, and for less than a microsecond each time.
type pool struct {
	mu         sync.Mutex
	free       [classes][]block
	returns    [classes]func(*byte) // the finalizers, made when they are first needed
	limit      int
	live       int // of stats.InUse, what the last collection of our own left: the rest may be dead by now
	cycle      int // collections seen
	watching   bool
	scan       int // bytes that the collector reads
	collecting chan struct{}
	smallBytes atomic.Int64 // given out in small blocks and not yet counted in smallDead
	smallDead  int          // given out in small blocks since the last collection, about
	stats      Stats
}

// block is an idle block.
type block struct {
	p     *byte
	cycle int // in which it came back
	since time.Time
}

var shared = &pool{limit: DefaultLimit}

// Make returns n elements of any value.
func Make[T Element](n int) []T {
	s, _ := alloc[T](n)
	if poison {
		b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), n*int(unsafe.Sizeof(*new(T))))
		if len(b) > 0 {
			b[0] = 1 // of every type a value
		}
		for i := 1; i < len(b); i *= 2 {
			copy(b[i:], b[:i])
		}
	}
	return s
}

// MakeZero returns n elements that are zero.
func MakeZero[T Element](n int) []T {
	s, fresh := alloc[T](n)
	whole := s
	if !fresh {
		for len(s) > clearBlock { // the collector cannot interrupt one clear
			clear(s[:clearBlock])
			s = s[clearBlock:]
		}
		clear(s)
	}
	return whole
}

func alloc[T Element](n int) (s []T, fresh bool) {
	size := n * int(unsafe.Sizeof(*new(T)))
	if size < minBytes {
		s = make([]T, n)
		if size >= pageBytes {
			adviseAround(unsafe.Pointer(unsafe.SliceData(s)))
			shared.small(size)
		}
		return s, true
	}
	p, fresh := shared.get(size)
	return unsafe.Slice((*T)(unsafe.Pointer(p)), n), fresh
}

// Free takes back s, which Make or MakeZero returned, at once. Nothing may refer
// to its memory any more.
func Free[T Element](s []T) {
	size := cap(s) * int(unsafe.Sizeof(*new(T)))
	if size < minBytes {
		return
	}
	p := (*byte)(unsafe.Pointer(unsafe.SliceData(s)))
	runtime.SetFinalizer(p, nil)
	shared.put(classOf(size), p)
}

// SetLimit sets the number of bytes that dead blocks may hold, from which on the
// collector is asked to find them, and returns the limit before. With 0 nothing is
// recycled, and memory is as Go's allocator gives it.
func SetLimit(bytes int) int {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	old := shared.limit
	shared.limit = max(0, bytes)
	shared.shed(0, shared.limit)
	return old
}

// Read returns what the package holds and has done.
func Read() Stats {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	return shared.stats
}

// Sizes are rounded up to one of 16 in each power of two.
const (
	stepBits = 4
	classes  = 64 << stepBits
)

func classOf(size int) int {
	shift := bits.Len(uint(size-1)) - stepBits - 1
	return shift<<stepBits + (size-1)>>shift - 1<<stepBits
}

// classSize returns the largest size of class c.
func classSize(c int) int {
	return (1<<stepBits + c&(1<<stepBits-1) + 1) << (c >> stepBits)
}

// get returns a block for size bytes, and whether it is new and so all zero.
func (p *pool) get(size int) (b *byte, fresh bool) {
	class := classOf(size)
	p.mu.Lock()
	b = p.take(class)
	for try := 0; b == nil && try < 2 && p.due(classSize(class)); try++ {
		p.collect(class)
		b = p.take(class)
	}
	fresh = b == nil
	if fresh {
		p.stats.Misses++
		p.shed(classSize(class), p.limit)
	} else {
		p.stats.Hits++
	}
	p.stats.InUse += classSize(class)
	if p.returns[class] == nil {
		p.returns[class] = func(b *byte) { p.put(class, b) }
	}
	put := p.returns[class]
	if p.limit == 0 {
		put = func(*byte) { p.lost(class) }
	}
	p.watch()
	p.mu.Unlock()
	if fresh {
		b = fromHeap(classSize(class))
	}
	runtime.SetFinalizer(b, put)
	return b, fresh
}

// fromHeap returns a new block. The blocks are the largest that a program
// has: pages of 2 MiB make them several times faster to touch first and, with fewer
// misses of the TLB, to go through later.
func fromHeap(size int) *byte {
	b := make([]byte, size)
	if size >= hugeBytes {
		adviseHuge(b)
	}
	return unsafe.SliceData(b)
}

// take removes and returns the block of a class that came back last, which is the
// most likely to be in a cache.
func (p *pool) take(class int) *byte {
	free := p.free[class]
	n := len(free)
	if n == 0 {
		return nil
	}
	b := free[n-1].p
	free[n-1] = block{}
	p.free[class] = free[:n-1]
	p.stats.Idle -= classSize(class)
	return b
}

// due reports whether to look for dead blocks before one more of size bytes is
// given out: a collection should find several blocks, and take less time than the
// new memory that it saves, which touched first comes at some freshRate.
// A collection that Go decided on does not count, as it may have come while the
// last results were in use.
func (p *pool) due(size int) bool {
	young := p.stats.InUse - p.live
	if p.limit == 0 || young == 0 {
		return false
	}
	several := max(smallLimit, min(8*size, someLimit), 3*size)
	return young+size > max(p.worth(), min(p.limit, several))
}

// worth is the number of bytes of new memory that take as long as a collection.
func (p *pool) worth() int { return min(freshBytes+freshRate*p.scan, 4*p.limit) }

// put takes a block back.
func (p *pool) put(class int, b *byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	size := classSize(class)
	p.gone(class)
	limit := max(p.limit, p.stats.InUse/2)
	if p.limit == 0 || size > limit {
		return
	}
	p.shed(size, limit)
	p.free[class] = append(p.free[class], block{b, p.cycle, time.Now()})
	p.stats.Idle += size
}

func (p *pool) lost(class int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gone(class)
}

// gone notes that a block is not in use any more.
func (p *pool) gone(class int) {
	p.stats.InUse -= classSize(class)
	p.live = min(p.live, p.stats.InUse)
}
