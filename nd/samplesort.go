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
// lanes the splitters that cut the whole into even parts are found exactly (see
// [orderStats]), each rank parts its keys by them, one exchange brings every key
// to its rank, and there it is sorted. This is samplesort (Frazer & McKellar 1970,
// "Samplesort: a sampling approach to minimal storage tree sorting") with exact
// splitters (Cheng, Edelman, Gilbert & Shah 2006, "A novel parallel sorting
// algorithm for contemporary architectures"), so that nothing has to be moved again
// for balance. Of equal keys those of lower ranks come first. To find many splitters,
// and to sort indices, each rank sorts its keys first.
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
	var parts [][]K
	var x *laneCuts
	tmp := recycle.Make[K](len(l.keys))
	if s.c.Size() <= mostGuessed+1 {
		x, parts = s.split(l, tmp)
	} else {
		l.sort(s.c, s.kit)
		x, _ = s.cut(l, nil)
		parts = cutParts(x, l.keys)
	}
	out := s.exchange(x, parts, func() {
		recycle.Free(tmp)
		recycle.Free(l.keys)
	})
	return out.keys
}

// exchange brings the parts to their ranks and returns what comes here, sorted. It
// calls sent when the parts are not needed any more. Ranks that share memory read each
// other's keys in the first pass of the sort.
func (s *acrossSort[K]) exchange(x *laneCuts, parts [][]K, sent func()) lanes[K] {
	if !s.c.SharesMemory() {
		out := s.received(sendParts(x, parts))
		sent()
		out.sort(s.c, s.kit)
		return out
	}
	_, total := starts(x.get)
	out := s.received(recycle.Make[K](total))
	tmp := recycle.Make[K](total)
	less := make([]int, out.count)
	spare := func(i int) []K { return tmp[i*out.n : (i+1)*out.n] }
	readParts(x, parts, func(i int, in [][]K) { less[i] = s.kit.collect(out.lane(i), spare(i), in) })
	sent()
	for i, n := range less {
		s.kit.sortCollected(out.lane(i), spare(i), n, s.c.Workers())
	}
	recycle.Free(tmp)
	return out
}

// argSort returns where this rank's part of the sorted lanes was; it overwrites l.
func (s *acrossSort[K]) argSort(l lanes[K]) []int64 {
	if shared, whole := s.shareOut(l); shared != nil {
		at := whole.sortIndexed(s.c, s.kit, 0)
		return moved(wrap(s.c, shared.layout, at), s.to).Local()
	}
	lo, _ := s.from.Range(s.c.Rank())
	at := l.sortIndexed(s.c, s.kit, lo)
	x, _ := s.cut(l, nil)
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

// cut returns where this rank's lanes, once sorted, have to be cut so that each rank
// gets its part of s.to, and the keys that are the first of those parts; each is as
// in [orderStats].
func (s *acrossSort[K]) cut(l lanes[K], each []int) (*laneCuts, [][]orderStat[K]) {
	n := s.to.Shape()[1]
	// The splitter before each rank is the key that is to be its first one.
	var first []int64
	for r := 1; r < s.c.Size(); r++ {
		if lo, hi := s.to.Range(r); lo < hi && lo > 0 {
			first = append(first, int64(lo))
		}
	}
	keys, total, want := make([][]K, l.count), make([]int64, l.count), make([][]int64, l.count)
	for i := range keys {
		keys[i], total[i], want[i] = l.lane(i), int64(n), first
	}
	stats := orderStats(s.c, s.kit, keys, total, want, each)
	// Of the keys that equal a splitter, the first ones of all ranks go before it.
	before := make([]int64, 0, l.count*len(first))
	for i := range l.count {
		for _, t := range stats[i] {
			before = append(before, int64(t.equal))
		}
	}
	spmd.Exscan(s.c, before, spmd.Sum)
	if s.c.Rank() == 0 {
		clear(before)
	}
	x := newLaneCuts(s.c, l.count, l.n)
	for i := range l.count {
		for j, t := range stats[i] {
			left := first[j] - t.below - before[i*len(first)+j]
			x.at[i][j+1] = t.here + max(0, min(int(left), t.equal))
		}
		for r := len(first) + 1; r <= s.c.Size(); r++ {
			x.at[i][r] = l.n
		}
	}
	x.exchangeCounts()
	return x, stats
}

// split is cut of lanes in no order. It returns what goes where: part r*l.count+i, for
// lane i of rank r, lies in the lane's memory or that of tmp, which is as large.
func (s *acrossSort[K]) split(l lanes[K], tmp []K) (*laneCuts, [][]K) {
	x, stats := s.cut(l, s.from.Counts())
	parts := make([][]K, s.c.Size()*l.count)
	for i := range l.count {
		keys, spare, from := l.lane(i), tmp[i*l.n:(i+1)*l.n], 0
		s.parts(keys, spare, stats[i], x.at[i][1:], 0, func(part []K) {
			parts[from*l.count+i] = part
			from++
		})
	}
	return x, parts
}

// parts calls found with the parts, in order, that splitters make of keys, whose first
// is at position base; they begin at the positions at. The parts lie in the memory of
// keys or of tmp, which is as large.
func (s *acrossSort[K]) parts(keys, tmp []K, t []orderStat[K], at []int, base int, found func([]K)) {
	if len(t) == 0 {
		found(keys)
		return
	}
	m := len(t) / 2
	less := s.kit.partition(keys, tmp, t[m].key)
	n, more := at[m]-base, len(keys)-less
	// What equals the splitter and belongs before it.
	s.kit.backward(tmp[:more], t[m].key, n-less)
	copy(keys[less:], tmp[more-(n-less):more])
	rest := len(keys) - n
	s.parts(keys[:n], tmp[rest:], t[:m], at[:m], base, found)
	s.parts(tmp[:rest], keys[n:], t[m+1:], at[m+1:], base+n, found)
}
