package linalg

import (
	"sync/atomic"

	"caloric/nd"
	"caloric/spmd"
)

// Where ranks share memory nothing travels round a ring: a rank multiplies by the
// others' parts where they lie, in the order in which the ring would bring them,
// and adds to its block of the result at once. What a ring sends is counted all
// the same, as an alltoallv of as many messages and bytes.

// exhibit is what a rank shows the others: its part of the right operand, and of
// the left one where the inner axis is split.
type exhibit[T nd.Number] struct{ x, y mat[T] }

// directRing is what [product.shown] works in.
type directRing[T nd.Number] struct {
	mine   exhibit[T]
	all    []exhibit[T]
	counts []int
}

// noDirect makes ranks that share memory send messages as others do, for tests.
var noDirect atomic.Bool

func (p *product[T]) readsDirectly() bool { return p.comm.SharesMemory() && !noDirect.Load() }

// shown calls use with what every rank shows, and returns when use has returned on
// all of them, so that operands may change again. sends is how many elements a ring
// would send, as a message for each rank.
func (p *product[T]) shown(mine exhibit[T], sends func(rank int) int, use func(all []exhibit[T])) {
	d, ranks := &p.direct, p.comm.Size()
	if d.all == nil {
		d.all, d.counts = make([]exhibit[T], ranks), make([]int, ranks)
	}
	d.mine = mine
	n, seen := 0, 0
	for r := range d.counts {
		d.counts[r] = sends(r)
		n += d.counts[r]
	}
	spmd.AlltoallvDirect[T](p.comm, n, d.counts, &d.mine, func(r int, theirs *exhibit[T]) error {
		d.all[r] = *theirs
		if seen++; seen == ranks {
			use(d.all)
		}
		return nil
	})
	clear(d.all) // which would keep the others' memory alive
	d.mine = exhibit[T]{}
}
