package csv

import (
	"fmt"
	"io"

	"caloric/internal/misuse"
	"caloric/io/internal/slab"
	"caloric/nd"
	"caloric/spmd"
)

// Save writes a, which has one axis (a column) or two (rows and columns), to a
// CSV file, which takes the place of one of that name when all of it is written.
// It is written under a temporary name beside it, which does not remain after an
// error. Numbers are written in as few digits as give the same number when read.
//
// Collective. Communication: one allgatherv of 8 bytes, four broadcasts of a few
// and one allreduce of 8; one alltoallv if a is split along axis 1. Extra memory:
// the text of a rank's rows, at most 32 MB of it; one local block if a is not
// split along axis 0 or is a view with gaps. The error is the same on every rank
// and names the rank that could not write.
// Panics if a has no axis or more than two, or the names are not one for each column.
func Save[T nd.Real](path string, a *nd.NDArray[T], opts ...Option) error {
	o := resolve(opts)
	shape := a.Shape()
	if len(shape) != 1 && len(shape) != 2 {
		misuse.Panic("array of shape %v is no table", shape)
	}
	cols := nd.Shape(shape[1:]).Size()
	if o.names != nil && len(o.names) != cols {
		misuse.Panic("%d names for %d columns", len(o.names), cols)
	}
	c := a.Comm()
	if a.Split() != 0 {
		a = a.Resplit(0)
	}
	t := newText(&o, cols, a.Local())
	if c.Rank() == 0 {
		t.head = o.headerLine()
	}
	size := t.measure()
	offset, total := place(c, size)
	return slab.Save(c, path, fmt.Sprintf("%T of shape %v", *new(T), shape), total, func(w io.WriterAt) error { return t.writeAt(w, offset) })
}

// place returns the offset of this rank's text, which has size bytes, and the
// size of all ranks' texts.
func place(c *spmd.Comm, size int64) (offset, total int64) {
	ones, sizes := make([]int, c.Size()), make([]int64, c.Size())
	for r := range ones {
		ones[r] = 1
	}
	spmd.Allgatherv(c, []int64{size}, sizes, ones)
	for r, n := range sizes {
		if r < c.Rank() {
			offset += n
		}
		total += n
	}
	return offset, total
}
