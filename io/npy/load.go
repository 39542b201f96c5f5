package npy

import (
	"fmt"

	"caloric/io/internal/slab"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// Load reads the array of a .npy file, which has elements of type T.
//
// Collective; path is the same on every rank. Result split: axis, balanced.
// Communication: two allreduces, of 24 and 8 bytes, and two broadcasts of a few
// hundred; one allgatherv for axis None, one alltoallv if the ranks' runs of the
// file would be short. Extra memory: one local block if an alltoallv moves it, one
// if the file is in Fortran order. The error is the same on every rank; it names
// the file and the byte offset, or the rank that could not read.
func Load[T nd.Element](c *spmd.Comm, path string, axis nd.Axis) (*nd.NDArray[T], error) {
	f, err := slab.Open(c, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h, err := slab.FromRank(c, 0, func() (Header, error) {
		h, err := headerFor[T](f, axis)
		return h, located(path, err)
	})
	if err != nil {
		return nil, err
	}
	if !h.Fortran {
		return read[T](c, f, h, h.Shape, axis)
	}
	// A file in Fortran order is one in C order with its axes reversed.
	n := len(h.Shape)
	shape := make(nd.Shape, n)
	for k, d := range h.Shape {
		shape[n-1-k] = d
	}
	if axis != split.None {
		axis = nd.Axis(n-1) - axis
	}
	a, err := read[T](c, f, h, shape, axis)
	if err != nil || n < 2 {
		return a, err
	}
	return nd.Copy(a.T()), nil
}

// headerFor returns f's header if it is one of a whole array of T that can be
// split along axis.
func headerFor[T nd.Element](f *slab.File, axis nd.Axis) (Header, error) {
	h, err := readHeader(f)
	if err != nil {
		return h, err
	}
	size, err := f.Size()
	if err != nil {
		return h, err
	}
	if err := check[T](h, size); err != nil {
		return h, err
	}
	if err := split.Check(h.Shape, axis, 1); err != nil {
		return h, fmt.Errorf("%s: %w", f.Path(), err)
	}
	return h, nil
}

// read returns the array that the file holds in C order.
func read[T nd.Element](c *spmd.Comm, f *slab.File, h Header, shape nd.Shape, axis nd.Axis) (*nd.NDArray[T], error) {
	l := split.Block(shape, axis, c.Size())
	at := slab.Staged(l, int(itemSize[T]()))
	if l.Replicated() && c.Size() > 1 {
		at = slab.Flat(l)
	}
	local := make([]T, at.LocalSize(c.Rank()))
	err := slab.Read(f, h.Offset, slab.RunsOf(at, c.Rank()), local)
	if err := spmd.Agree(c, err); err != nil {
		return nil, err
	}
	b := slab.Bytes(local)
	if _, swapped := goType(h.DType); swapped {
		slab.Swap(b, wordSize[T]())
	}
	if h.Type == "bool" {
		for i, x := range b {
			if x > 1 { // no bool in Go's memory
				b[i] = 1
			}
		}
	}
	a := nd.Wrap(c, at, local)
	if l.Replicated() {
		return nd.Wrap(c, l, a.Resplit(split.None).Local()), nil
	}
	return a.MoveTo(l), nil
}
