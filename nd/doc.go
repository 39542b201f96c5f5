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
// # Finding things
//
// Creation: [Zeros], [Ones], [Full], [Arange], [Linspace], [Eye], [FromSlice],
// [FromFunc], [FromLocal] (parts that only their ranks know), [ZerosLike] …
// Selecting: [NDArray.Slice] with [Range], [From], [To], [Index], [Whole], [NewAxis],
// [Ellipsis]; [NDArray.At], [NDArray.Item]. Moving: [NDArray.Resplit],
// [NDArray.Balance], [NDArray.T]. Computing: the functions named after NumPy's, with
// scalar forms such as [MulScalar] and [ScalarSub]; reductions such as [Sum] take
// [Over], [KeepDims], [DDof], [OnlyWhere], [Initial]. Indexing: [Take], [TakeAt],
// [MaskedSelect], [Where], [NDArray.SetSlice], [SetWhere], [AddAt]. Order: [Sort],
// [Unique], [TopK], [Quantile], [Histogram]. Along an axis: [CumSum], [Diff],
// [Gradient], [Convolve], [FFT]. Neighbours: [Halo], [MapHalo] for stencils.
// Several operations in one pass over memory: [Lazy].
// Reaching the memory: [NDArray.Local], [NDArray.Gather]. Printing: [Print], [Fprint].
// The page docs/numpy.md has every name of NumPy.
//
// # Types
//
// The element type is part of the array's type and never changes silently:
// [AsType] converts, [SumAs] and [Mean] accumulate in the type they are given.
// Name the type where the compiler cannot know it, nd.Full[float64](c, shape, 1,
// 0) and nd.Mean[float64](a), or write 0.0: an untyped 0 is an int, which no array
// holds.
// Integers wrap around; sums of float32 are taken in double precision.
//
// # Memory
//
// Slices and transposes are views: they share memory with the array they come
// from. Assigning to a part of an array is [CopyInto] a slice of it. Elementwise
// operations and reductions F have a form FInto that writes to an array that exists
// and allocates nothing; the destination may be an operand. Where a rank has several
// workers, sharing work among them costs a few small allocations all the same.
//
// Elementwise operations, copies and moves write results of 16 MiB or more on a rank past
// the caches, where the processor can: they would not stay in them until they are read.
//
// Memory of arrays that nothing refers to is used again for new ones once the collector
// has found them, and [NDArray.Release] gives it on at once; [SetRecycleLimit] bounds
// what is kept.
//
// Where elements change owners, each rank packs them in buffers within the limit of
// [SetScratchLimit], in rounds if they are more; what is side by side in memory is
// not packed.
//
// # Accuracy
//
// Square roots are rounded correctly. In units in the last place (ULP) of the exact
// result, [Exp], [Exp2], [Log] and its siblings, [Cbrt] and [Pow] are within 1; [Sin] and
// [Cos] within 1.3; [Expm1], [Atan], [Atan2], [Acos], [Asinh], [Acosh], [Atanh],
// [Cosh] and [Hypot] within 1.8; [Tan], [Asin], [Sinh] and [Tanh] within 2, the tangent of
// float32 within 2.6. Special values are those of C. An element's result depends on that
// element alone. Between processors with and without vector instructions the last digit may differ.
//
// # Errors
//
// A mistake in the program, such as shapes that do not broadcast, panics with an
// [*Error] that names the function, the shapes and the line, on every rank alike;
// [Try] turns it into an error.
package nd

//go:generate go run ../internal/genops
