//go:build mpi && !cgo

package mpi

// MPI is a C library: -tags mpi needs CGO_ENABLED=1 and a C compiler.
var _ int = "build with CGO_ENABLED=1 and a C compiler in PATH: -tags mpi needs cgo"
