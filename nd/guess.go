package nd

import (
	"math"

	"caloric/internal/recycle"
	"caloric/spmd"
)

const (
	// mostGuessed is the number of positions of a lane up to which a pass over the keys for
	// each is cheaper than to sort or count them all.
	mostGuessed = 8
	// leastSamples and mostSamples bound the samples of a range, of all ranks together.
	leastSamples, mostSamples = 512, 1024
)

// guess replaces each open range of keys by ones around the wanted positions, about
// four standard deviations wide, which it reads off a sample: as in Floyd & Rivest
// 1975, "Expected time bounds for selection", and with every rank's samples as in
// Harsh, Kale & Solomonik 2019, "Histogram sort with sampling". It reports whether all
// guesses were right; a range of which one was wrong remains. Communication: an
// allgatherv of samples, at most 1/16 of a rank's share of the keys, and one of counts;
// none if there are too few keys, or too many positions.
func (s *statSearch[K]) guess() bool {
	samples := min(mostSamples, int(s.few)/2/len(s.open))
	for _, b := range s.open {
		if b.to-b.from > mostGuessed {
			return false
		}
	}
	if samples < leastSamples {
		return false
	}
	sampled := s.sample(samples)
	var guesses []bracket[K]
	var of []int // which open range each guess is of
	var bounds [][2]K
	var counts []int64
	for i, b := range s.open {
		for from := b.from; from < b.to; {
			lo, hi, share, to := s.around(sampled[i], b, from)
			g := bracket[K]{lane: b.lane, from: from, to: to}
			var less int
			room := recycle.Make[K](int(1.2*share*float64(len(b.keys))) + 1<<13)
			s.rooms = append(s.rooms, room)
			g.keys, less = s.kit.between(room[:0], b.keys, lo, hi)
			g.here = b.here + less
			guesses, of, bounds = append(guesses, g), append(of, i), append(bounds, [2]K{lo, hi})
			counts = append(counts, int64(less), int64(len(g.keys)))
			from = to
		}
	}
	size := s.c.Size()
	all, per := make([]int64, size*len(counts)), make([]int, size)
	fillInts(per, len(counts))
	spmd.Allgatherv(s.c, counts, all, per)
	right := true
	open := s.open[:0:0]
	for i, g := range guesses {
		b := s.open[of[i]]
		g.below, g.each = b.below, make([]int, size)
		for r := range size {
			n := all[r*len(counts)+2*i:]
			g.below += n[0]
			g.size += n[1]
			g.each[r] = int(n[1])
		}
		w := s.want[g.lane][g.from:g.to]
		switch {
		case w[0] < g.below || w[len(w)-1] >= g.below+g.size:
			right = false
			b.from, b.to = g.from, g.to
			open = append(open, b)
		case s.kit.upTo([]K{bounds[i][1]}, bounds[i][0]) == 1:
			for w := g.from; w < g.to; w++ {
				s.found[g.lane][w] = orderStat[K]{bounds[i][0], g.below, g.here, len(g.keys)}
			}
		default:
			open = append(open, g)
		}
	}
	s.open = open
	return right
}

// sample returns keys of each open range in order, about n, of each rank in proportion
// to what it has.
func (s *statSearch[K]) sample(n int) [][]K {
	size, me := s.c.Size(), s.c.Rank()
	share := func(b bracket[K], r int) int {
		return min(b.each[r], int(math.Ceil(float64(n)*float64(b.each[r])/float64(b.size))))
	}
	var send []K
	per := make([]int, size)
	for _, b := range s.open {
		for r := range per {
			per[r] += share(b, r)
		}
		m := share(b, me)
		for i := range m { // not quite evenly, in case the keys are periodic
			lo, hi := i*len(b.keys)/m, (i+1)*len(b.keys)/m
			send = append(send, b.keys[lo+int(uint32(i)*2654435761>>8)%(hi-lo)])
		}
	}
	at, total := starts(per)
	recv := make([]K, total)
	spmd.Allgatherv(s.c, send, recv, per)
	out := make([][]K, len(s.open))
	for i, b := range s.open {
		for r := range size {
			m := share(b, r)
			out[i] = append(out[i], recv[at[r]:at[r]+m]...)
			at[r] += m
		}
		s.kit.sort(out[i], make([]K, len(out[i])), 1)
	}
	return out
}

// around returns bounds between which wanted position from of b is likely to be, and
// those up to but without to, as far as their bounds overlap; and what share of the
// keys is likely to be between.
func (s *statSearch[K]) around(sampled []K, b bracket[K], from int) (lo, hi K, share float64, to int) {
	n := len(sampled)
	margin := 2 * (int(math.Sqrt(float64(n))) + 1)
	place := func(w int) int { return int(float64(s.want[b.lane][w]-b.below) / float64(b.size) * float64(n)) }
	for to = from + 1; to < b.to && place(to)-place(to-1) < 2*margin; to++ {
	}
	first, last := max(place(from)-margin, -1), min(place(to-1)+margin, n)
	if first >= 0 {
		lo = sampled[first]
	}
	hi = s.kit.last(hi, s.kit.bits())
	if last < n {
		hi = sampled[last]
	}
	return lo, hi, float64(last-first) / float64(n), to
}
