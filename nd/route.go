package nd

import (
	"unsafe"

	"caloric/split"
	"caloric/spmd"
)

// Indexing by arrays of keys is an exchange between the ranks that hold keys and
// the ranks that own the rows that the keys name. This file holds that exchange:
// reading is fetch, assigning and adding are deliver.

// keySpace is the axes of an array that keys name. A key is a position in the C
// order of their extents.
type keySpace struct {
	extents []int
	strides []int // of the C order
	memory  []int // of the rank's memory
	base    int   // the offset in memory of global index 0
	layout  *split.Layout
	axis    int // which of the axes is the split axis, -1 if this rank holds every key's row
	lo, hi  int // what this rank owns of that axis
}

// newKeySpace returns the space of the given axes of a. If local is true every
// rank finds all that it needs in its own memory.
func newKeySpace[T Element](a *NDArray[T], axes []int, local bool) *keySpace {
	s := &keySpace{layout: a.layout, axis: -1, base: a.offset}
	for j, k := range axes {
		s.extents = append(s.extents, a.layout.Shape()[k])
		s.memory = append(s.memory, a.strides[k])
		if Axis(k) == a.layout.Axis() {
			s.lo, s.hi = a.layout.Range(a.comm.Rank())
			s.base -= s.lo * a.strides[k]
			if !local {
				s.axis = j
			}
		}
	}
	s.strides = contiguousStrides(s.extents)
	return s
}

// along returns the index of a key along the split axis.
func (s *keySpace) along(key int) int { return key / s.strides[s.axis] % s.extents[s.axis] }

// owns reports whether this rank holds the row of a key.
func (s *keySpace) owns(key int) bool {
	if s.axis < 0 {
		return true
	}
	i := s.along(key)
	return s.lo <= i && i < s.hi
}

// offset returns where the row of a key that this rank owns starts in memory.
func (s *keySpace) offset(key int) int {
	if len(s.extents) == 1 {
		return s.base + key*s.memory[0]
	}
	at := s.base
	for k := len(s.extents) - 1; k > 0; k-- {
		at += key % s.extents[k] * s.memory[k]
		key /= s.extents[k]
	}
	if len(s.extents) > 0 {
		at += key * s.memory[0]
	}
	return at
}

// offsets replaces keys that this rank owns by their offsets.
func (s *keySpace) offsets(keys []int) []int {
	for i, k := range keys {
		keys[i] = s.offset(k)
	}
	return keys
}

// byOwner returns the positions of keys in the order of the ranks that own them,
// and how many each rank owns.
func (s *keySpace) byOwner(keys []int, ranks int) (slots, counts []int) {
	owners, counts := make([]int32, len(keys)), make([]int, ranks)
	if Shape(s.extents).Size() == 0 { // every key is out of range
		keys = nil
		counts[0] = len(owners)
	}
	owner, lo, hi := 0, 0, 0
	for i, k := range keys {
		if j := s.along(k); j < lo || j >= hi {
			owner = s.layout.Owner(j)
			lo, hi = s.layout.Range(owner)
		}
		owners[i] = int32(owner)
		counts[owner]++
	}
	at, _ := starts(counts)
	slots = make([]int, len(owners))
	for i, r := range owners {
		slots[at[r]] = i
		at[r]++
	}
	return slots, counts
}

// A route connects the keys of every rank with the rows that they name.
type route struct {
	comm  *spmd.Comm
	slots []int // this rank's keys, as positions in its list, in the order of the rows' owners
	want  []int // how many of their rows rank r owns
	rows  []int // the offsets of this rank's rows that keys name, in the order of the keys' ranks
	serve []int // how many of them the keys of rank r name
	most  int   // a rank has no more keys and rows; the same on every rank
	once  bool  // no row is named twice
}

// mostKeys returns a bound on a rank's keys and rows together for keys of layout l.
// Without asking, no rank knows how many rows another one has to serve.
func mostKeys(l *split.Layout) int {
	n := 0
	for r := range l.Ranks() {
		n += l.LocalSize(r)
	}
	return 2 * n
}

// knownRoute returns the route of keys that every rank knows, of which each has
// those that l, a layout of the keys split along its first axis, gives it. Local.
func knownRoute(c *spmd.Comm, s *keySpace, keys []int, l *split.Layout) *route {
	r := &route{comm: c, serve: make([]int, c.Size()), most: mostKeys(l)}
	inner := l.Inner()
	for q := range c.Size() {
		lo, hi := l.Range(q)
		for _, k := range keys[lo*inner : hi*inner] {
			if s.owns(k) {
				r.rows = append(r.rows, s.offset(k))
				r.serve[q]++
			}
		}
	}
	lo, hi := l.Range(c.Rank())
	r.slots, r.want = s.byOwner(keys[lo*inner:hi*inner], c.Size())
	return r
}

// askedRoute returns the route of keys that only their ranks know.
// Collective. Communication: one alltoallv of 8 bytes for each rank and one exchange
// of the keys.
func askedRoute(c *spmd.Comm, s *keySpace, keys keyList) *route {
	r := &route{comm: c, most: mostKeys(keys.layout)}
	r.slots, r.want = s.byOwner(keys.at, c.Size())
	r.serve = keys.exchangeCounts(c, r.want)
	r.rows = make([]int, sumOfCounts(r.serve))
	first, _ := starts(r.want)
	send := &stream[int64]{counts: r.want, run: noRun[int64], move: func(q, from int, buf []int64) {
		for i, slot := range r.slots[first[q]+from:][:len(buf)] {
			buf[i] = int64(keys.at[slot])
		}
	}}
	at, _ := starts(r.serve)
	recv := &stream[int64]{counts: r.serve, run: noRun[int64], move: func(q, from int, buf []int64) {
		rows := r.rows[at[q]+from:]
		for i, k := range buf {
			rows[i] = s.offset(int(k))
		}
	}}
	exchangeStreams(c, send, recv, messageSize[int64](c, scratchFits[int64](r.most), 1), func() {
		me := c.Rank()
		for i, slot := range r.slots[first[me]:][:r.want[me]] {
			r.rows[at[me]+i] = s.offset(keys.at[slot])
		}
	})
	return r
}

// noRun is the run of streams whose elements are never side by side in memory.
func noRun[T Element](int, int, int) []T { return nil }

func sumOfCounts(counts []int) int {
	_, total := starts(counts)
	return total
}

// scaled returns counts of rows as counts of elements.
func scaled(counts []int, width int) []int {
	out := make([]int, len(counts))
	for r, n := range counts {
		out[r] = n * width
	}
	return out
}

// fetch sets row i of dst to the row that this rank's key i names; src's rows
// are the route's. Collective. Communication: one exchange of the rows.
func fetch[T Element](r *route, dst, src rowSet[T]) {
	src, dst = src.starting(r.rows), dst.pick(r.slots)
	send, recv := rowStream(setRows[T]{}, src, r.serve, true), rowStream(setRows[T]{}, dst, r.want, false)
	exchangeStreams(r.comm, send, recv, rowMessages[T](r, dst.width()), func() {
		carry(setRows[T]{}, dst.ofRank(r.comm.Rank(), r.want), src.ofRank(r.comm.Rank(), r.serve))
	})
}

// rowMessages returns the size of messages of the route's rows: see messageSize.
func rowMessages[T Element](r *route, width int) int {
	return messageSize[T](r.comm, scratchFits[T](r.most*width), 1)
}

// deliver combines row i of src into the row that this rank's key i names; dst's
// rows are the route's. Keys count in the order of their ranks, which therefore send
// one after another where that takes rounds.
// Collective. Communication: one exchange of the rows.
func deliver[T Element](r *route, op rowOp[T], dst, src rowSet[T]) {
	src, dst = src.pick(r.slots), dst.starting(r.rows)
	send, recv := rowStream(setRows[T]{}, src, r.want, true), rowStream(op, dst, r.serve, false)
	size := rowMessages[T](r, dst.width())
	if size == 0 {
		exchangeStreams(r.comm, send, recv, 0, nil)
		return
	}
	if !r.once {
		recv.run = noRun[T] // two messages on their way would arrive in one row in any order
	}
	me := r.comm.Rank()
	for q := range r.comm.Size() {
		out, in := *send, *recv
		out.counts, in.counts = make([]int, r.comm.Size()), make([]int, r.comm.Size())
		in.counts[q] = recv.counts[q]
		if q == me {
			out.counts = send.counts
		}
		exchangeRounds(r.comm, &out, &in, size, func() {
			if q == me {
				carry(op, dst.ofRank(me, r.serve), src.ofRank(me, r.want))
			}
		})
	}
}

// ofRank returns the rows of rank r, of which counts has how many each rank has.
func (s rowSet[T]) ofRank(r int, counts []int) rowSet[T] {
	first, _ := starts(counts)
	return s.part(first[r], first[r]+counts[r])
}

// rowStream returns the stream of rows, of which counts has how many each rank has,
// as they are sent, or as op combines what arrives into them.
func rowStream[T Element](op rowOp[T], rows rowSet[T], counts []int, sends bool) *stream[T] {
	width := rows.width()
	first, _ := starts(counts)
	combine := func(part rowSet[T], buf []T) {
		packed := part.packed(buf, part.n)
		if sends {
			carry(setRows[T]{}, packed, part)
		} else {
			carry(op, part, packed)
		}
	}
	row := func(i int) patch[T] {
		return patch[T]{data: rows.data, offset: rows.start(i), shape: rows.shape, strides: rows.strides}
	}
	_, sets := op.(setRows[T])
	return &stream[T]{
		counts: scaled(counts, width),
		run: func(r, from, n int) []T {
			if at := from % width; at+n <= width && (sends || sets) {
				x := row(first[r] + from/width)
				return x.run(at, at+n)
			}
			return nil
		},
		move: func(r, from int, buf []T) {
			for len(buf) > 0 {
				i, at := first[r]+from/width, from%width
				if n := len(buf) / width; at == 0 && n > 0 {
					combine(rows.part(i, i+n), buf)
					buf, from = buf[n*width:], from+n*width
					continue
				}
				n := min(len(buf), width-at)
				x := row(i)
				x.eachRange(at, at+n, func(x patch[T]) {
					one := rowSet[T]{data: x.data, n: 1, base: x.offset, shape: x.shape, strides: x.strides}
					combine(one, buf)
					buf = buf[one.width():]
				})
				from += n
			}
		},
	}
}

// deliverPairs is askedRoute and deliver in one: each key travels with its row.
// Collective. Communication: one alltoallv of 8 bytes for each rank and one of
// the keys with their rows, or askedRoute's and deliver's where that takes rounds.
func deliverPairs[T Element](c *spmd.Comm, s *keySpace, keys keyList, op rowOp[T], dst, src rowSet[T]) {
	width := dst.width()
	keySize, rowSize := itemSize[int64](), width*itemSize[T]()
	// The keys and rows are put together for sending, and taken apart again.
	if !scratchFits[byte](2 * mostKeys(keys.layout) * (keySize + rowSize)) {
		deliver(askedRoute(c, s, keys), op, dst, src)
		return
	}
	slots, want := s.byOwner(keys.at, c.Size())
	serve := keys.exchangeCounts(c, want)
	rows := make([]T, len(slots)*width)
	carry(setRows[T]{}, src.packed(rows, len(slots)), src.pick(slots))
	numbers := make([]int64, len(slots))
	for i, slot := range slots {
		numbers[i] = int64(keys.at[slot])
	}
	// A block for a rank is its keys and then their rows.
	keyBytes, rowBytes := bytesOf(numbers), bytesOf(rows)
	send := borrowScratch[byte](len(keyBytes) + len(rowBytes))[:0]
	for _, n := range want {
		send = append(append(send, keyBytes[:n*keySize]...), rowBytes[:n*rowSize]...)
		keyBytes, rowBytes = keyBytes[n*keySize:], rowBytes[n*rowSize:]
	}
	total := sumOfCounts(serve)
	arrived := borrowScratch[byte](total * (keySize + rowSize))
	recv := arrived
	spmd.Alltoallv(c, send, scaled(want, keySize+rowSize), recv, scaled(serve, keySize+rowSize))
	returnScratch(send)
	numbers, rows = make([]int64, total), make([]T, total*width)
	keyBytes, rowBytes = bytesOf(numbers), bytesOf(rows)
	for _, n := range serve {
		keyBytes, rowBytes = keyBytes[copy(keyBytes, recv[:n*keySize]):], rowBytes[copy(rowBytes, recv[n*keySize:n*(keySize+rowSize)]):]
		recv = recv[n*(keySize+rowSize):]
	}
	returnScratch(arrived)
	at := make([]int, total)
	for i, k := range numbers {
		at[i] = s.offset(int(k))
	}
	carry(op, dst.starting(at), dst.packed(rows, total))
}

// bytesOf returns the memory of x.
func bytesOf[T Element](x []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*itemSize[T]())
}
