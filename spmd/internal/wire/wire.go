// Package wire is the contract between package spmd and its transports: typed
// memory, reduction operations, and the interface that a transport implements.
// A transport sees bytes and element types, never Go type parameters.
package wire

import (
	"errors"
	"fmt"
	"unsafe"
)

// ErrGoexit is the error of a rank whose goroutine was ended by something other
// than its function's return or a panic.
var ErrGoexit = errors.New("the rank's goroutine was ended (runtime.Goexit, as by testing.T.FailNow)")

// Type is the element type of a Buffer.
type Type uint8

// The element types that a transport can reduce, and Raw, which it only moves.
const (
	Bool Type = iota
	Int8
	Int16
	Int32
	Int64
	Uint8
	Uint16
	Uint32
	Uint64
	Float32
	Float64
	Complex64
	Complex128
	Raw // an opaque struct without pointers; Buffer.Elem is its size
)

var typeNames = [...]string{"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
	"uint64", "float32", "float64", "complex64", "complex128", "raw"}

// String returns the Go name of the type.
func (t Type) String() string { return typeNames[t] }

// Op is a reduction operation. Every Op is associative and commutative up to
// rounding; Min and Max return NaN when any operand is NaN.
type Op uint8

// The reduction operations. And, Or and Xor are bitwise on integers and logical on bool.
const (
	Sum Op = iota
	Prod
	Min
	Max
	And
	Or
	Xor
)

var opNames = [...]string{"sum", "prod", "min", "max", "and", "or", "xor"}

// String returns the operation's lower-case name.
func (o Op) String() string {
	if int(o) >= len(opNames) {
		return fmt.Sprintf("operation %d", uint8(o))
	}
	return opNames[o]
}

// Defined reports whether o has a meaning for elements of type t.
func (o Op) Defined(t Type) bool {
	switch o {
	case Sum, Prod:
		return t != Bool && t != Raw
	case Min, Max:
		return t >= Int8 && t <= Float64
	case And, Or, Xor:
		return t <= Uint64
	}
	return false
}

// Buffer is a typed piece of a rank's memory: Len elements of Elem bytes at Ptr.
// Ptr may be nil when Len is 0.
type Buffer struct {
	Ptr  unsafe.Pointer
	Len  int
	Elem int
	Type Type
}

// Of describes the elements of s. T is an element type or, as Raw, any struct
// without pointers.
func Of[T any](s []T) Buffer {
	var zero T
	return Buffer{Ptr: unsafe.Pointer(unsafe.SliceData(s)), Len: len(s), Elem: int(unsafe.Sizeof(zero)), Type: TypeOf[T]()}
}

// TypeOf returns the wire type of T, Raw if it is none of the element types.
func TypeOf[T any]() Type {
	var zero T
	switch any(zero).(type) {
	case bool:
		return Bool
	case int8:
		return Int8
	case int16:
		return Int16
	case int32:
		return Int32
	case int64:
		return Int64
	case uint8:
		return Uint8
	case uint16:
		return Uint16
	case uint32:
		return Uint32
	case uint64:
		return Uint64
	case float32:
		return Float32
	case float64:
		return Float64
	case complex64:
		return Complex64
	case complex128:
		return Complex128
	}
	return Raw
}

// Size returns the number of bytes in b.
func (b Buffer) Size() int { return b.Len * b.Elem }

// Bytes returns the memory of b as bytes.
func (b Buffer) Bytes() []byte { return unsafe.Slice((*byte)(b.Ptr), b.Len*b.Elem) }

// Slice returns the n elements of b from index lo on.
func (b Buffer) Slice(lo, n int) Buffer {
	if n != 0 {
		b.Ptr = unsafe.Add(b.Ptr, lo*b.Elem)
	}
	b.Len = n
	return b
}

// View returns the elements of b as a slice of T, which must be the type b was made from.
func View[T any](b Buffer) []T {
	if b.Len == 0 {
		return nil
	}
	return unsafe.Slice((*T)(b.Ptr), b.Len)
}

// Func is a reduction operation of the user's own. It must be associative;
// operands come in rank order. It is an interface so that making one from a
// function allocates nothing.
type Func interface {
	// Combine sets acc[i] to acc[i] ⊕ next[i]. The operands have equal lengths.
	Combine(acc, next Buffer)
}

// Request is a non-blocking operation in progress.
type Request interface {
	// Wait returns when the operation is complete. A second call returns the same answer at once.
	Wait() error
	// Test reports whether Wait would return without waiting.
	Test() bool
}

// Direct is what a transport implements beside Transport if its ranks can read each
// other's memory.
type Direct interface {
	// Direct is an alltoallv, or an allgatherv if gather is true, without buffers:
	// x, of one type on all ranks, is shown to the others, and read is called with
	// what each rank shows, this one's own first. Direct returns when every rank
	// has read. What describes the type and number of elements for messages. An
	// error of read ends the job.
	Direct(gather bool, what Buffer, x any, read func(rank int, x any) error) error
}

// Transport is one rank's end of a communicator. Every method but Rank, Size,
// Test and Abort may wait for other ranks. Counts are elements; displacements
// are the running sums of counts. Each rank passes the same counts to Allgatherv,
// Gatherv, Scatterv and ReduceScatter. Every error that a method returns has
// ended, or is about to end, the whole job.
type Transport interface {
	Rank() int
	Size() int

	Barrier() error
	Bcast(buf Buffer, root int) error
	// Reduce leaves the result in buf on root and buf unchanged elsewhere.
	Reduce(buf Buffer, op Op, root int) error
	// Allreduce leaves bitwise the same result in buf on every rank.
	Allreduce(buf Buffer, op Op) error
	// AllreduceFunc is Allreduce with f applied in rank order.
	AllreduceFunc(buf Buffer, f Func) error
	Allgatherv(send, recv Buffer, counts []int) error
	Gatherv(send, recv Buffer, counts []int, root int) error
	Scatterv(send, recv Buffer, counts []int, root int) error
	Alltoallv(send Buffer, sendCounts []int, recv Buffer, recvCounts []int) error
	// ReduceScatter reduces send over the ranks and leaves piece r of the result in recv on rank r.
	ReduceScatter(send, recv Buffer, counts []int, op Op) error
	// Exscan leaves the reduction of the lower ranks' buf in buf; buf is unchanged on rank 0.
	Exscan(buf Buffer, op Op) error

	Send(buf Buffer, to, tag int) error
	Recv(buf Buffer, from, tag int) error
	Sendrecv(send Buffer, to int, recv Buffer, from, tag int) error
	Isend(buf Buffer, to, tag int) (Request, error)
	Irecv(buf Buffer, from, tag int) (Request, error)
	Iallreduce(buf Buffer, op Op) (Request, error)

	// Split makes one communicator per color, its ranks ordered by key, then by
	// rank. A negative color joins none and gets nil.
	Split(color, key int) (Transport, error)
	Dup() (Transport, error)
	Free() error
	// Abort ends the whole job with err. Embedded ranks unwind by panic, so it may return.
	Abort(err error)
}
