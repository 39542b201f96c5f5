//go:build mpi && cgo

package mpi

// #include "transport.h"
import "C"

import (
	"unsafe"

	"caloric/spmd/internal/wire"

	gompi "github.com/sbromberger/gompi"
)

// gompi works on MPI_COMM_WORLD and wants non-empty operands of its eight types
// in slices of their own: it hands cgo an untyped pointer, which may not lie in
// memory that holds Go pointers, as a field of a struct does. Small operands are
// therefore copied through the scratch memory; large ones, for which two more
// copies would cost more than the call, are left to this package's own calls.

var gompiOps = [...]gompi.Op{
	wire.Sum: gompi.OpSum, wire.Prod: gompi.OpProd, wire.Min: gompi.OpMin, wire.Max: gompi.OpMax,
	wire.And: gompi.OpBand, wire.Or: gompi.OpBor, wire.Xor: gompi.OpBxor,
}

// all as the root of a reduction gives every rank the result.
const all = -1

func fitsGompi(b wire.Buffer) bool {
	return b.Len > 0 && b.Size() <= min(keptScratch/2, int(C.spmd_limit))
}

// reduceByGompi reports whether it has done the reduction. Complex types are not
// gompi's: its datatype for them is Fortran's, which an MPI may lack.
func reduceByGompi(c *comm, b wire.Buffer, op wire.Op, root int) bool {
	if !fitsGompi(b) {
		return false
	}
	switch b.Type {
	case wire.Int32:
		reduceVia(c, b, op, root, (*gompi.Communicator).ReduceInt32s, (*gompi.Communicator).AllreduceInt32s)
	case wire.Int64:
		reduceVia(c, b, op, root, (*gompi.Communicator).ReduceInt64s, (*gompi.Communicator).AllreduceInt64s)
	case wire.Uint32:
		reduceVia(c, b, op, root, (*gompi.Communicator).ReduceUint32s, (*gompi.Communicator).AllreduceUint32s)
	case wire.Uint64:
		reduceVia(c, b, op, root, (*gompi.Communicator).ReduceUint64s, (*gompi.Communicator).AllreduceUint64s)
	case wire.Float32, wire.Float64:
		if op == wire.Min || op == wire.Max {
			return false // MPI's own do not keep NaN
		}
		if b.Type == wire.Float32 {
			reduceVia(c, b, op, root, (*gompi.Communicator).ReduceFloat32s, (*gompi.Communicator).AllreduceFloat32s)
		} else {
			reduceVia(c, b, op, root, (*gompi.Communicator).ReduceFloat64s, (*gompi.Communicator).AllreduceFloat64s)
		}
	default:
		return false
	}
	return true
}

type gompiReduction[T any] func(w *gompi.Communicator, dest, orig []T, op gompi.Op, root int) error

func reduceVia[T any](c *comm, b wire.Buffer, op wire.Op, root int, one, every gompiReduction[T]) {
	buf := wire.View[T](b)
	both := unsafe.Slice((*T)(c.room(2*b.Size())), 2*b.Len)
	orig, dest := both[:b.Len], both[b.Len:]
	copy(orig, buf)
	// The only error these return is for an operation that the type lacks.
	if root == all {
		_ = every(c.world, dest, orig, gompiOps[op], 0)
	} else {
		_ = one(c.world, dest, orig, gompiOps[op], root)
	}
	if root == all || root == c.rank {
		copy(buf, dest)
	}
}

// bcastByGompi reports whether it has done the broadcast. Bytes are not gompi's:
// BcastBytes moves four times what it is given.
func bcastByGompi(c *comm, b wire.Buffer, root int) bool {
	if !fitsGompi(b) {
		return false
	}
	switch b.Type {
	case wire.Int32:
		bcastVia(c, b, root, (*gompi.Communicator).BcastInt32s)
	case wire.Int64:
		bcastVia(c, b, root, (*gompi.Communicator).BcastInt64s)
	case wire.Uint32:
		bcastVia(c, b, root, (*gompi.Communicator).BcastUint32s)
	case wire.Uint64:
		bcastVia(c, b, root, (*gompi.Communicator).BcastUint64s)
	case wire.Float32:
		bcastVia(c, b, root, (*gompi.Communicator).BcastFloat32s)
	case wire.Float64:
		bcastVia(c, b, root, (*gompi.Communicator).BcastFloat64s)
	default:
		return false
	}
	return true
}

func bcastVia[T any](c *comm, b wire.Buffer, root int, bcast func(*gompi.Communicator, []T, int)) {
	buf := wire.View[T](b)
	s := unsafe.Slice((*T)(c.room(b.Size())), b.Len)
	if c.rank == root {
		copy(s, buf)
	}
	bcast(c.world, s, root)
	if c.rank != root {
		copy(buf, s)
	}
}
