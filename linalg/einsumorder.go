package linalg

import (
	"math"
	"math/bits"
	"slices"

	"caloric/nd"
)

// mostOperands is how many operands are tried in every order: 3ⁿ steps.
const mostOperands = 8

// contractionOrder returns which two operands to take next, again and again: the
// pair leaves the list, and its result is appended to it. It depends on extents
// only, so it is the same on every rank.
func contractionOrder[T nd.Number](terms []labeled[T], out []int, sizes map[int]int) [][2]int {
	o := orderer{sets: make([]uint64, len(terms))}
	var names []int
	set := func(labels []int) (s uint64) {
		for _, label := range labels {
			k := slices.Index(names, label)
			if k < 0 {
				k = len(names)
				names = append(names, label)
				o.extents = append(o.extents, float64(sizes[label]))
			}
			s |= 1 << k
		}
		return s
	}
	for i, x := range terms {
		o.sets[i] = set(x.labels)
	}
	o.out = set(out)
	if len(terms) > mostOperands {
		return o.greedy()
	}
	return o.best()
}

// orderer finds the order of pairs; labels are bits.
type orderer struct {
	sets    []uint64 // of the operands
	out     uint64
	extents []float64
}

// cost returns the number of multiplications of a pair with these labels.
func (o *orderer) cost(labels uint64) float64 {
	n := 1.0
	for ; labels != 0; labels &= labels - 1 {
		n *= o.extents[bits.TrailingZeros64(labels)]
	}
	return n
}

// kept returns those labels that the result or an operand has that is not among
// the given ones.
func (o *orderer) kept(labels uint64, operands uint) uint64 {
	needed := o.out
	for i, s := range o.sets {
		if operands>>i&1 == 0 {
			needed |= s
		}
	}
	return labels & needed
}

// best finds the cheapest order by dynamic programming over sets of operands.
func (o *orderer) best() [][2]int {
	n := len(o.sets)
	labels := make([]uint64, 1<<n)
	cost := make([]float64, 1<<n)
	part := make([]uint, 1<<n) // one of the two sets that a set is made of
	for all := uint(1); all < 1<<n; all++ {
		if all&(all-1) == 0 {
			labels[all] = o.kept(o.sets[bits.TrailingZeros(all)], all)
			continue
		}
		cost[all] = math.Inf(1)
		for x := (all - 1) & all; x > all&^x; x = (x - 1) & all {
			y := all &^ x
			if c := cost[x] + cost[y] + o.cost(labels[x]|labels[y]); c < cost[all] || part[all] == 0 {
				cost[all], part[all] = c, x
				labels[all] = o.kept(labels[x]|labels[y], all)
			}
		}
	}
	live := make([]uint, n)
	for i := range live {
		live[i] = 1 << i
	}
	var order [][2]int
	var take func(all uint)
	take = func(all uint) {
		if all&(all-1) == 0 {
			return
		}
		x, y := part[all], all&^part[all]
		take(x)
		take(y)
		i, j := slices.Index(live, x), slices.Index(live, y)
		order = append(order, [2]int{min(i, j), max(i, j)})
		live = append(without(live, i, j), all)
	}
	take(1<<n - 1)
	return order
}

// greedy takes the cheapest pair next.
func (o *orderer) greedy() [][2]int {
	var order [][2]int
	for len(o.sets) > 1 {
		pair, least := [2]int{0, 1}, math.Inf(1)
		for j := range o.sets {
			for i := range j {
				if c := o.cost(o.sets[i] | o.sets[j]); c < least {
					pair, least = [2]int{i, j}, c
				}
			}
		}
		union := o.sets[pair[0]] | o.sets[pair[1]]
		o.sets = without(o.sets, pair[0], pair[1])
		o.sets = append(o.sets, o.kept(union, 0))
		order = append(order, pair)
	}
	return order
}

// without returns s without elements i and j.
func without[E any](s []E, i, j int) (rest []E) {
	for k, v := range s {
		if k != i && k != j {
			rest = append(rest, v)
		}
	}
	return rest
}
