// Package io loads and saves arrays in the format that a file's name says.
//
//	a, err := io.Load[float64](c, "a.npy", 0)
//	err = io.Save("a.csv", a)
//
// The formats are
//
//	.npy   NumPy's, see package caloric/io/npy
//	.csv   text separated by commas, see package caloric/io/csv
//	.tsv   text separated by tabs
//	.txt   text separated by spaces
//
// Their packages have options that this one does not, and package npy also bool
// and complex arrays. In all formats every rank touches only its part of the
// file, errors are the same on every rank, and no partial file is ever left
// under its final name.
package io
