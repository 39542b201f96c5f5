package nd

import (
	"caloric/internal/recycle"
	"caloric/split"
	"caloric/spmd"
)

// acrossSort sorts lanes that are spread over the ranks: a sort along the split
// axis. The result is spread evenly.
//
// With at least as many lanes as ranks the lanes are shared out, sorted where
// they are whole, and sent back: two exchanges, and no splitters. With fewer
// lanes each rank sorts its part, the splitters that cut the whole into even
// parts are found exactly (see [orderStats]), and one exchange brings every key
// to its rank, which merges what it gets. This is parallel sorting by regular
// sampling (Shi & Schaeffer 1992, "Parallel sorting by regular sampling") with
// exact splitters instead of samples (Cheng, Edelman, Gilbert & Shah 2006, "A
// novel parallel sorting algorithm for contemporary architectures"), so that
// nothing has to be moved again for balance. Of equal keys those of lower ranks,
// and so of lower index, come first.
type acrossSort[K Element] struct {
	c    *spmd.Comm
	kit  keyKit[K]
	from *split.Layout // of the lanes as an array (lanes, length) split along axis 1
	to   *split.Layout
}

func newAcrossSort[K Element](c *spmd.Comm, kit keyKit[K], count int, l *split.Layout) *acrossSort[K] {
	counts := l.Counts()
	n := l.Shape()[l.Axis()]
	return &acrossSort[K]{c, kit, split.WithCounts(Shape{count, n}, 1, counts), split.Block(Shape{count, n}, 1, c.Size())}
}

// sort returns this rank's part of the sorted lanes; it overwrites l.
func (s *acrossSort[K]) sort(l lanes[K]) []K {
	if shared, whole := s.shareOut(l); shared != nil {
		whole.sort(s.c, s.kit)
		return moved(shared, s.to).Local()
	}
	l.sort(s.c, s.kit)
	x := s.cut(l)
	out := s.received(sendCuts(x, l.keys))
	recycle.Free(l.keys)
	tmp := recycle.Make[K](out.n)
	for i := range out.count {
		s.kit.mergeRuns(out.lane(i), tmp, x.runs(i), s.c.Workers())
	}
	recycle.Free(tmp)
	return out.keys
}

// argSort returns where this rank's part of the sorted lanes was; it overwrites l.
func (s *acrossSort[K]) argSort(l lanes[K]) []int64 {
	if shared, whole := s.shareOut(l); shared != nil {
		at := whole.sortIndexed(s.c, s.kit, 0)
		return moved(wrap(s.c, shared.layout, at), s.to).Local()
	}
	lo, _ := s.from.Range(s.c.Rank())
	at := l.sortIndexed(s.c, s.kit, lo)
	x := s.cut(l)
	out := s.received(sendCuts(x, l.keys))
	at = sendCuts(x, at)
	tmp, tmpAt := make([]K, out.n), make([]int64, out.n)
	for i := range out.count {
		s.kit.sortIndexed(out.lane(i), tmp, at[i*out.n:(i+1)*out.n], tmpAt)
	}
	return at
}

// shareOut returns the lanes as an array of whole lanes on each rank, and this
// rank's; nil if there are too few of them.
func (s *acrossSort[K]) shareOut(l lanes[K]) (*NDArray[K], lanes[K]) {
	if l.count < s.c.Size() {
		return nil, lanes[K]{}
	}
	a := moved(wrap(s.c, s.from, l.keys), split.Block(s.from.Shape(), 0, s.c.Size()))
	return a, lanes[K]{a.Local(), a.shape[0], a.shape[1]}
}

func (s *acrossSort[K]) received(keys []K) lanes[K] {
	shape := s.to.LocalShape(s.c.Rank())
	return lanes[K]{keys, shape[0], shape[1]}
}

// cut returns where this rank's sorted lanes have to be cut so that each rank
// gets its part of s.to.
func (s *acrossSort[K]) cut(l lanes[K]) *laneCuts {
	size := s.c.Size()
	n := s.to.Shape()[1]
	// The splitter before each rank is the key that is to be its first one.
	var first []int64
	for r := 1; r < size; r++ {
		if lo, hi := s.to.Range(r); lo < hi && lo > 0 {
			first = append(first, int64(lo))
		}
	}
	keys, total, want := make([][]K, l.count), make([]int64, l.count), make([][]int64, l.count)
	for i := range keys {
		keys[i], total[i], want[i] = l.lane(i), int64(n), first
	}
	stats := orderStats(s.c, s.kit, keys, total, want, true)
	// Of the keys that equal a splitter, the first ones of all ranks go before it.
	equal := make([]int64, l.count*len(first))
	for i := range l.count {
		for j, t := range stats[i] {
			equal[i*len(first)+j] = int64(s.kit.upTo(keys[i], t.key) - s.kit.below(keys[i], t.key))
		}
	}
	before := append([]int64(nil), equal...)
	spmd.Exscan(s.c, before, spmd.Sum)
	if s.c.Rank() == 0 {
		clear(before)
	}
	x := newLaneCuts(s.c, l.count, l.n)
	for i := range l.count {
		for j, t := range stats[i] {
			k := i*len(first) + j
			left := max(0, min(first[j]-t.below-before[k], equal[k]))
			x.at[i][j+1] = s.kit.below(keys[i], t.key) + int(left)
		}
		for r := len(first) + 1; r <= size; r++ {
			x.at[i][r] = l.n
		}
	}
	x.exchangeCounts()
	return x
}

// laneCuts says which part of each of this rank's lanes goes to which rank.
type laneCuts struct {
	c          *spmd.Comm
	count, n   int     // lanes, and their length here
	at         [][]int // at[i][r]:at[i][r+1] of lane i goes to rank r
	recv       []int64 // recv[r*count+i] keys of lane i come from rank r
	sends, get []int   // sums over the lanes
}

func newLaneCuts(c *spmd.Comm, count, n int) *laneCuts {
	x := &laneCuts{c: c, count: count, n: n, at: make([][]int, count)}
	for i := range x.at {
		x.at[i] = make([]int, c.Size()+1)
	}
	return x
}

// exchangeCounts tells every rank how much it gets.
func (x *laneCuts) exchangeCounts() {
	size := x.c.Size()
	send := make([]int64, size*x.count)
	x.sends, x.get = make([]int, size), make([]int, size)
	for r := range size {
		for i := range x.count {
			n := x.at[i][r+1] - x.at[i][r]
			send[r*x.count+i] = int64(n)
			x.sends[r] += n
		}
	}
	x.recv = make([]int64, len(send))
	per := make([]int, size)
	fillInts(per, x.count)
	spmd.Alltoallv(x.c, send, per, x.recv, per)
	for r := range size {
		x.get[r] = sumInt64(x.recv[r*x.count : (r+1)*x.count])
	}
}

// runs returns how many keys of lane i come from each rank.
func (x *laneCuts) runs(i int) []int {
	n := make([]int, x.c.Size())
	for r := range n {
		n[r] = int(x.recv[r*x.count+i])
	}
	return n
}

// sendCuts sends the parts of values, which lie in lanes, to their ranks and
// returns what this rank gets: in each lane the ranks' parts in rank order.
func sendCuts[V Element](x *laneCuts, values []V) []V {
	send := values
	if x.count > 1 {
		send = make([]V, 0, len(values))
		for r := range x.c.Size() {
			for i := range x.count {
				send = append(send, values[i*x.n+x.at[i][r]:i*x.n+x.at[i][r+1]]...)
			}
		}
	}
	from, total := starts(x.get)
	recv := recycle.Make[V](total)
	spmd.Alltoallv(x.c, send, x.sends, recv, x.get)
	if x.count == 1 {
		return recv
	}
	out := make([]V, 0, total)
	for i := range x.count {
		for r := range x.c.Size() {
			n := int(x.recv[r*x.count+i])
			out = append(out, recv[from[r]:from[r]+n]...)
			from[r] += n
		}
	}
	return out
}
