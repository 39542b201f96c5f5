package npy

import (
	"fmt"
	"io"

	"caloric/io/internal/slab"
	"caloric/nd"
)

// Save writes a to a .npy file, which takes the place of one of that name when
// all of it is written. It is written under a temporary name beside it, which
// does not remain after an error.
//
// Collective. Communication: four broadcasts of a few bytes and one allreduce of
// 8; one alltoallv if the ranks' runs of the file would be short. Extra memory:
// one local block for an alltoallv, and one if a is a view with gaps. The error
// is the same on every rank and names the rank that could not write.
func Save[T nd.Element](path string, a *nd.NDArray[T]) error {
	c := a.Comm()
	_, dtype := dtypeOf[T]()
	elem := itemSize[T]()
	header := encodeHeader(dtype, a.Shape())
	a = a.MoveTo(slab.Staged(a.Layout(), int(elem)))
	local := a.Local()
	runs := slab.RunsOf(a.Layout(), c.Rank())
	if a.Layout().Replicated() {
		local = local[runs.Start : runs.Start+runs.Length]
	}
	offset := int64(len(header))
	return slab.Save(c, path, fmt.Sprintf("%T of shape %v", *new(T), a.Shape()), offset+int64(a.Size())*elem, func(w io.WriterAt) error {
		if c.Rank() == 0 {
			if _, err := w.WriteAt(header, 0); err != nil {
				return err
			}
		}
		return slab.Write(w, offset, runs, local)
	})
}
