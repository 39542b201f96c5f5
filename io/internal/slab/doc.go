// Package slab lets the ranks of a communicator read and write one file, each
// its own part of it.
//
// [Open] and [Save] are collective and fail on every rank alike. What a rank
// finds out on its own, such as a read that fails, it takes to [spmd.Agree]
// before the next collective. Runs says which elements of a file in C order
// a rank's part of an array is.
package slab
