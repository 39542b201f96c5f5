// Package split is the arithmetic of distribution: which rank owns which
// indices of an array ([Layout]), what a move between two layouts sends where
// ([Move]), and which layout the result of an operation has ([Elementwise],
// [Reduce], [Transpose], [Slice], [MatMul]).
//
// It holds no data and never communicates. Every function is pure and gives the
// same answer on every rank, which is why metadata needs no messages.
//
// # Words
//
// An array's shape is global; what one rank holds of it has a local shape. A
// layout is split along one axis, each rank owning one contiguous block of
// indices in rank order, or replicated: every rank holds everything. It is
// balanced when the blocks differ by at most one index, the longer ones first;
// slices and filters leave unbalanced layouts, in which ranks may own nothing.
package split
