// Package npy reads and writes arrays in NumPy's .npy format, each rank its own
// part of the file.
//
//	a, err := npy.Load[float64](c, "a.npy", 0) // split along axis 0
//	err = npy.Save("b.npy", a)                 // any split, balanced or not
//
// Files of versions 1, 2 and 3 are read, of either byte order, in C or Fortran
// order, of bool, integers of 8 to 64 bits, floats of 32 and 64 bits and complex
// numbers of 64 and 128. The element type is the caller's to name: a file that
// holds another one is an error that says which; [Info] tells beforehand. What
// is saved is what numpy.save writes, to the byte.
//
// # Access
//
// Every rank reads or writes its part at computed offsets. A part of an array
// split along axis k is one run of the file for each index of the axes before k.
// Where such runs would be short and many, the ranks access the file as split
// along an earlier axis, and one alltoallv moves the data. A replicated array is
// read in equal shares that one allgatherv puts together, and written in equal
// shares.
package npy
