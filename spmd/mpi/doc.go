// Package mpi is the transport of ranks that are processes of an MPI job. Only
// package spmd uses it, and only this package knows that MPI or cgo exists.
//
// The module gompi starts and stops MPI and makes the world's barriers,
// broadcasts and reductions of the types it has. It keeps to MPI_COMM_WORLD.
// The C files beside this one do the rest on a duplicate of it, whose errors
// are returned: point-to-point messages (all of them, since a blocking send has
// to match a non-blocking receive), the collectives that gompi lacks, every
// element type, other communicators, and operands past MPI's count limit.
//
// Everything but this file needs -tags mpi and cgo.
package mpi
