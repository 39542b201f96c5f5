package nd

import (
	"math/bits"
	"slices"

	"caloric/internal/recycle"
	"caloric/spmd"
)

// orderStat is the element that has a given position in a lane's sorted order:
// its key, how many keys of the whole lane are less, how many of this rank's, and how
// many of this rank's equal it.
type orderStat[K Element] struct {
	key         K
	below       int64
	here, equal int
}

// orderStats finds elements by their position in the sorted order of lanes that
// are spread over the ranks, without moving the lanes. size[i] is the number of
// keys of lane i on all ranks, want[i] the positions wanted of it, ascending.
// keys holds this rank's part of each lane, in order if each is nil; else that is
// how many keys of a lane each rank has.
//
// With each, ranges of keys that are likely to have the positions are guessed from
// samples first, and counted; see [statSearch.guess].
//
// The rest is selection by histograms of digits, the highest first, as in radix sort:
// each round counts the digit of the keys that are still possible and adds the
// counts up by one allreduce, at most maxDigit bits and 1/16 of a rank's share of
// the keys; bits in which all keys agree are passed over. When few keys are left on all ranks, these are gathered. Compare the
// splitters of histogram sort: Solomonik & Kalé 2010, "Highly scalable parallel
// sorting".
func orderStats[K Element](c *spmd.Comm, kit keyKit[K], keys [][]K, size []int64, want [][]int64, each []int) [][]orderStat[K] {
	s := statSearch[K]{c: c, kit: kit, want: want, sorted: each == nil, found: make([][]orderStat[K], len(want))}
	var total int64
	for i, w := range want {
		s.found[i] = make([]orderStat[K], len(w))
		total += size[i]
		if len(w) > 0 {
			s.open = append(s.open, bracket[K]{lane: i, keys: keys[i], size: size[i], each: each, to: len(w)})
		}
	}
	share := int(total / int64(c.Size()))
	s.bins = max(64, min(share/16, 1<<12))
	s.few = int64(max(128, min(share/8, 1<<12)))
	defer func() {
		for _, r := range s.rooms {
			recycle.Free(r)
		}
	}()
	shift, agreed, guessing := kit.bits(), false, !s.sorted
	for len(s.open) > 0 {
		left := s.left()
		if left <= s.few {
			s.gather()
			break
		}
		switch {
		case guessing:
			guessing = s.guess() && s.left() <= left/2
		case shift == 0:
			s.settle()
			return s.found
		case !agreed:
			shift, agreed = s.agree(), true
		default:
			shift = s.narrow(shift)
		}
	}
	return s.found
}

// maxDigit is the largest digit, in bits.
const maxDigit = 11

// bracket is a range of the keys of a lane, which agree with prefix in the bits looked
// at so far, and the positions from..to of want[lane] that are among them.
type bracket[K Element] struct {
	lane     int
	keys     []K // this rank's
	prefix   K
	here     int   // this rank's keys that are less
	below    int64 // keys of the lane that are less
	size     int64 // on all ranks
	each     []int // on each rank, while ranges are guessed
	from, to int
}

type statSearch[K Element] struct {
	c      *spmd.Comm
	kit    keyKit[K]
	want   [][]int64
	found  [][]orderStat[K]
	open   []bracket[K]
	sorted bool
	bins   int   // counters of one round
	few    int64 // keys that are worth gathering
	rooms  [][]K // memory to free at the end
}

// left returns how many keys are still possible.
func (s *statSearch[K]) left() int64 {
	var n int64
	for _, b := range s.open {
		n += b.size
	}
	return n
}

// agree passes over the highest bits, in which the keys of each lane agree on all
// ranks, and returns how many bits are left.
func (s *statSearch[K]) agree() uint {
	// Of each lane the bits that some key has, and those that some key lacks.
	words := make([]uint64, 4*len(s.open))
	for i, b := range s.open {
		keys := b.keys
		if s.sorted && len(keys) > 2 {
			keys = []K{keys[0], keys[len(keys)-1]}
		}
		s.kit.union((*[4]uint64)(words[4*i:]), keys)
	}
	spmd.Allreduce(s.c, words, spmd.Or)
	shift := uint(0)
	for i := range s.open {
		w := words[4*i:]
		if hi := w[0] & w[2]; hi != 0 {
			shift = max(shift, 64+uint(bits.Len64(hi)))
		}
		shift = max(shift, uint(bits.Len64(w[1]&w[3])))
	}
	for i := range s.open {
		s.open[i].prefix = s.kit.prefix((*[4]uint64)(words[4*i:]), shift)
	}
	return shift
}

// narrow looks at the next digit below shift and returns where it starts.
func (s *statSearch[K]) narrow(shift uint) uint {
	digit := min(shift, maxDigit, max(2, uint(bits.Len(uint(s.bins/len(s.open))))-1))
	shift -= digit
	counts := make([]int64, len(s.open)<<digit)
	for i, b := range s.open {
		if n := counts[i<<digit : (i+1)<<digit]; s.sorted {
			s.count(n, b.keys, b.prefix, shift, 0)
		} else {
			s.kit.histogram(n, b.keys, shift, digit)
		}
	}
	mine := slices.Clone(counts)
	spmd.Allreduce(s.c, counts, spmd.Sum)
	var open []bracket[K]
	for i, b := range s.open {
		here, below, w := b.here, b.below, b.from
		for d, n := range counts[i<<digit : (i+1)<<digit] {
			from := w
			for w < b.to && s.want[b.lane][w] < below+n {
				w++
			}
			if w > from {
				prefix := s.kit.extend(b.prefix, shift, d)
				open = append(open, bracket[K]{lane: b.lane, keys: s.within(b.keys, prefix, shift), prefix: prefix,
					here: here, below: below, size: n, from: from, to: w})
			}
			here += int(mine[i<<digit+d])
			below += n
		}
	}
	s.open = open
	return shift
}

// count is the kit's histogram of keys in order, which agree with prefix above the
// digit, and whose digits are from first to first+len(counts)-1. Counting one by one
// would wait at each key for the counter that the key before has just changed.
func (s *statSearch[K]) count(counts []int64, keys []K, prefix K, shift uint, first int) {
	if len(keys) == 0 {
		return
	}
	half := len(counts) / 2
	if half == 0 {
		counts[0] = int64(len(keys))
		return
	}
	n := s.kit.below(keys, s.kit.extend(prefix, shift, first+half))
	s.count(counts[:half], keys[:n], prefix, shift, first)
	s.count(counts[half:], keys[n:], prefix, shift, first+half)
}

func (s *statSearch[K]) within(keys []K, prefix K, shift uint) []K {
	if s.sorted {
		return keys[s.kit.below(keys, prefix):s.kit.upTo(keys, s.kit.last(prefix, shift))]
	}
	keys, _ = s.kit.between(nil, keys, prefix, s.kit.last(prefix, shift))
	return keys
}

// settle ends the search when every bit is known.
func (s *statSearch[K]) settle() {
	for _, b := range s.open {
		for w := b.from; w < b.to; w++ {
			s.found[b.lane][w] = orderStat[K]{b.prefix, b.below, b.here, len(b.keys)}
		}
	}
}

// gather ends the search on every rank with all the keys that are left.
func (s *statSearch[K]) gather() {
	size, n := s.c.Size(), len(s.open)
	mine, counts := make([]int64, n), make([]int64, n*size)
	var send []K
	known := true
	for i, b := range s.open {
		mine[i] = int64(len(b.keys))
		send = append(send, b.keys...)
		known = known && b.each != nil
		for r, k := range b.each {
			counts[r*n+i] = int64(k)
		}
	}
	per := make([]int, size)
	if !known {
		fillInts(per, n)
		spmd.Allgatherv(s.c, mine, counts, per)
	}
	total := 0
	for r := range per {
		per[r] = sumInt64(counts[r*n : (r+1)*n])
		total += per[r]
	}
	recv := make([]K, total)
	spmd.Allgatherv(s.c, send, recv, per)
	at, _ := starts(per)
	for i, b := range s.open {
		var keys []K
		for r := range size {
			k := int(counts[r*n+i])
			keys = append(keys, recv[at[r]:at[r]+k]...)
			at[r] += k
		}
		s.kit.sort(keys, make([]K, len(keys)), 1)
		mine := slices.Clone(b.keys)
		s.kit.sort(mine, make([]K, len(mine)), 1)
		for w := b.from; w < b.to; w++ {
			key := keys[s.want[b.lane][w]-b.below]
			here := s.kit.below(mine, key)
			s.found[b.lane][w] = orderStat[K]{key, b.below + int64(s.kit.below(keys, key)), b.here + here, s.kit.upTo(mine, key) - here}
		}
	}
}

func sumInt64(x []int64) int {
	n := int64(0)
	for _, v := range x {
		n += v
	}
	return int(n)
}
