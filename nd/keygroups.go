package nd

import (
	"caloric/internal/recycle"
	"caloric/split"
	"caloric/spmd"
)

// keyGroups are different keys in ascending order and what is known of each;
// columns that are not wanted are nil.
type keyGroups[K Element] struct {
	keys  []K
	count []int64 // how often the key occurs
	first []int64 // its first position in C order of the whole array
	sets  []uint8 // the sets that it is in, a bit for each
}

// groupKeys returns the groups of keys, which it sorts. With of it also returns
// the group of each key. Without columns g has its keys in the memory of keys.
func groupKeys[K Element](kit keyKit[K], keys []K, want uniqueParts, workers int) (g keyGroups[K], of []int64) {
	tmp := recycle.Make[K](len(keys))
	defer recycle.Free(tmp)
	var at []int64
	if want&(uniqueIndices|uniqueInverse) != 0 {
		at = make([]int64, len(keys))
		for i := range at {
			at[i] = int64(i)
		}
		kit.sortIndexed(keys, tmp, at, make([]int64, len(keys)))
	} else {
		kit.sort(keys, tmp, workers)
		if want == 0 {
			return keyGroups[K]{keys: kit.distinct(keys)}, nil
		}
	}
	heads := kit.heads(nil, keys)
	g.keys = pickKeys(keys, heads)
	if want&uniqueIndices != 0 {
		g.first = make([]int64, len(heads))
		for i, h := range heads {
			g.first[i] = at[h]
		}
	}
	if want&uniqueCounts != 0 {
		g.count = make([]int64, len(heads))
		for i, h := range heads {
			g.count[i] = int64(runEnd(heads, i, len(keys)) - h)
		}
	}
	if want&uniqueInverse != 0 {
		of = make([]int64, len(keys))
		for i, h := range heads {
			for _, p := range at[h:runEnd(heads, i, len(keys))] {
				of[p] = int64(i)
			}
		}
	}
	return g, of
}

func pickKeys[K Element](keys []K, at []int) []K {
	out := make([]K, len(at))
	for i, p := range at {
		out[i] = keys[p]
	}
	return out
}

func runEnd(heads []int, i, n int) int {
	if i+1 < len(heads) {
		return heads[i+1]
	}
	return n
}

// mergeGroups joins the groups of g that have one key, and returns what group of
// the result each has become.
func mergeGroups[K Element](kit keyKit[K], g keyGroups[K]) (out keyGroups[K], of []int64) {
	keys := append([]K(nil), g.keys...)
	out, of = groupKeys(kit, keys, uniqueInverse, 1)
	if g.count != nil {
		out.count = make([]int64, len(out.keys))
		for i, j := range of {
			out.count[j] += g.count[i]
		}
	}
	if g.first != nil {
		out.first = make([]int64, len(out.keys))
		fillInt64(out.first, -1)
		for i, j := range of {
			if f := out.first[j]; f < 0 || g.first[i] < f {
				out.first[j] = g.first[i]
			}
		}
	}
	if g.sets != nil {
		out.sets = make([]uint8, len(out.keys))
		for i, j := range of {
			out.sets[j] |= g.sets[i]
		}
	}
	return out, of
}

func fillInt64(s []int64, v int64) {
	for i := range s {
		s[i] = v
	}
}

// meeting is where the groups of all ranks have met: each key on one rank, in
// ascending order over the ranks. It can send answers back.
type meeting[K Element] struct {
	c          *spmd.Comm
	groups     keyGroups[K] // this rank's
	of         []int64      // the group of each that came
	sends, get []int
}

// meet brings each key, which several ranks may have, to one rank, so that each
// rank gets about as many: the ranges of keys are cut by exact splitters; see
// [orderStats]. With answers it can send them back. Communication: one allreduce of 8 bytes, what orderStats needs,
// one alltoallv of counts, and one of each column.
func meet[K Element](c *spmd.Comm, kit keyKit[K], g keyGroups[K], answers bool) meeting[K] {
	total := spmd.AllreduceOne(c, int64(len(g.keys)), spmd.Sum)
	even := split.Block(Shape{int(total)}, 0, c.Size())
	var first []int64
	for r := 1; r < c.Size(); r++ {
		if lo, hi := even.Range(r); lo < hi && lo > 0 {
			first = append(first, int64(lo))
		}
	}
	stats := orderStats(c, kit, [][]K{g.keys}, []int64{total}, [][]int64{first}, nil)
	x := newLaneCuts(c, 1, len(g.keys))
	for j, t := range stats[0] {
		x.at[0][j+1] = kit.below(g.keys, t.key)
	}
	for r := len(first) + 1; r <= c.Size(); r++ {
		x.at[0][r] = len(g.keys)
	}
	x.exchangeCounts()
	got := keyGroups[K]{keys: sendCuts(x, g.keys)}
	if g.count != nil {
		got.count = sendCuts(x, g.count)
	}
	if g.first != nil {
		got.first = sendCuts(x, g.first)
	}
	if g.sets != nil {
		got.sets = sendCuts(x, g.sets)
	}
	m := meeting[K]{c: c, sends: x.sends, get: x.get}
	if !answers && g.count == nil && g.first == nil && g.sets == nil {
		tmp := recycle.Make[K](len(got.keys))
		kit.mergeRuns(got.keys, tmp, x.runs(0), c.Workers())
		recycle.Free(tmp)
		m.groups.keys = kit.distinct(got.keys)
		return m
	}
	m.groups, m.of = mergeGroups(kit, got)
	return m
}

// answer returns, for each group that this rank sent, the value that it has got
// where it went. Communication: one alltoallv.
func answer[K, V Element](m meeting[K], values []V) []V {
	send := make([]V, len(m.of))
	for i, g := range m.of {
		send[i] = values[g]
	}
	_, n := starts(m.sends)
	recv := make([]V, n)
	spmd.Alltoallv(m.c, send, m.get, recv, m.sends)
	return recv
}

// partLengths returns every rank's n.
func partLengths(c *spmd.Comm, n int) []int {
	all, ones := make([]int64, c.Size()), make([]int, c.Size())
	fillInts(ones, 1)
	spmd.Allgatherv(c, []int64{int64(n)}, all, ones)
	for r := range ones {
		ones[r] = int(all[r])
	}
	return ones
}
