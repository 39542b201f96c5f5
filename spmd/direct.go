package spmd

import "caloric/spmd/internal/wire"

// SharesMemory reports whether c's ranks can read each other's memory, so that
// [AlltoallvDirect] and [AllgathervDirect] work: embedded ranks can.
//
// Local.
func (c *Comm) SharesMemory() bool {
	_, ok := c.t.(wire.Direct)
	return ok
}

// AlltoallvDirect is [Alltoallv] for ranks that share memory: nothing is packed
// into buffers. Each rank shows x, which tells the others where its elements are,
// and read is called with what each rank shows, this one's own first, to copy from
// there. x must not be changed before AlltoallvDirect returns, nor may what it
// points to. Only numbers say how much travels: n elements of type T are here, of
// which sendCounts[r] are for rank r. An error from read, such as that ranks do not
// agree on what is moved, ends the job.
//
// Collective; X is the same on every rank. Communication: counted as one alltoallv.
// Panics if c's ranks do not share memory.
func AlltoallvDirect[T Element, X any](c *Comm, n int, sendCounts []int, x *X, read func(rank int, theirs *X) error) {
	direct[T](c, opAlltoallv, n, x, read, func(start int64, elem int, err error) {
		c.endBlocks(opAlltoallv, start, sendCounts, elem, err)
	})
}

// AllgathervDirect is [AlltoallvDirect] where every rank wants all n elements of each.
//
// Collective; X is the same on every rank. Communication: counted as one allgatherv.
// Panics if c's ranks do not share memory.
func AllgathervDirect[T Element, X any](c *Comm, n int, x *X, read func(rank int, theirs *X) error) {
	direct[T](c, opAllgatherv, n, x, read, func(start int64, elem int, err error) {
		m := c.size - 1
		if n == 0 {
			m = 0
		}
		c.end(opAllgatherv, start, m, m*n*elem, err)
	})
}

func direct[T Element, X any](c *Comm, o operation, n int, x *X, read func(rank int, theirs *X) error,
	end func(start int64, elem int, err error)) {
	what := wire.Of([]T(nil))
	what.Len = n
	start := c.begin()
	end(start, what.Elem, c.t.(wire.Direct).Direct(o == opAllgatherv, what, x, func(rank int, theirs any) error {
		return read(rank, theirs.(*X))
	}))
}
