// Package nd provides n-dimensional arrays spread over the ranks of a
// communicator.
//
// Every rank runs the same program. An [NDArray] knows its global shape, the part
// that this rank holds, and the axis along which it is split; a replicated array
// (split [split.None]) is held whole by every rank.
//
//	spmd.Main(func(c *spmd.Comm) error {
//		a := nd.Arange[float64](c, 0, 1e6, 1, 0)          // split along axis 0
//		b := nd.Sqrt(nd.MulScalar(a, 2))                  // local
//		m := nd.Mean[float64](b)                          // one allreduce
//		return nd.Fprint(os.Stdout, m)
//	})
//
// # Collective and local
//
// A collective function communicates, so every rank of the communicator calls
// it, in the same order. A local function never does. Doc comments say which a
// function is, how the result is split, and what is communicated; [spmd.Comm.Stats]
// counts it. Metadata is always local: shapes and layouts are known to every rank.
//
// # Layout of results
//
// An elementwise operation works on operands broadcast as in NumPy. Operands of
// one layout, and replicated operands, cost no communication; of two different
// layouts the operand with fewer bytes moves. A reduction over the split axis is
// one allreduce and replicates its result; over other axes it is local and keeps
// the split. A transpose moves the split with its axis. A slice is a view that
// leaves data where it is, and so may be unbalanced, which every operation takes;
// [NDArray.Balance] spreads it again. Operands are never changed, nor is their
// layout, unless the name says so.
//
// # Types
//
// The element type is part of the array's type and never changes silently:
// [AsType] converts, [SumAs] and [Mean] accumulate in the type they are given.
// Integers wrap around; sums of float32 are taken in double precision.
//
// # Memory
//
// Slices and transposes are views: they share memory with the array they come
// from. Every function F that returns a new array has a form FInto that writes to
// one that exists and allocates nothing. The destination may be an operand.
//
// # Errors
//
// A mistake in the program, such as shapes that do not broadcast, panics with an
// [*Error] that names the function, the shapes and the line, on every rank alike;
// [Try] turns it into an error.
package nd

//go:generate go run ../internal/genops
