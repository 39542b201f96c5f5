package io

import (
	"fmt"
	"path/filepath"
	"strings"

	"caloric/io/csv"
	"caloric/io/npy"
	"caloric/nd"
	"caloric/spmd"
)

// commas maps the extensions of text files to what separates their fields.
var commas = map[string]byte{".csv": ',', ".tsv": '\t', ".txt": ' '}

// Load reads an array from a file in the format that the extension of path says.
// From a text file it has two axes, rows and columns.
//
// Collective. Result split: axis. Communication: see [npy.Load] and [csv.Load].
// The error is the same on every rank.
// Panics if axis is out of range for a text file.
func Load[T nd.Real](c *spmd.Comm, path string, axis nd.Axis) (*nd.NDArray[T], error) {
	ext := extension(path)
	if ext == ".npy" {
		return npy.Load[T](c, path, axis)
	}
	if comma, ok := commas[ext]; ok {
		return csv.Load[T](c, path, axis, csv.Comma(comma))
	}
	return nil, unknown(path, ext)
}

// Save writes a to a file in the format that the extension of path says. The
// file takes the place of one of that name when all of it is written.
//
// Collective. Communication: see [npy.Save] and [csv.Save]. The error is the
// same on every rank.
// Panics if a text file is to hold an array of no axis or more than two.
func Save[T nd.Real](path string, a *nd.NDArray[T]) error {
	ext := extension(path)
	if ext == ".npy" {
		return npy.Save(path, a)
	}
	if comma, ok := commas[ext]; ok {
		return csv.Save(path, a, csv.Comma(comma))
	}
	return unknown(path, ext)
}

func extension(path string) string { return strings.ToLower(filepath.Ext(path)) }

func unknown(path, ext string) error {
	return fmt.Errorf("%s: extension %q is none of .csv, .npy, .tsv, .txt", path, ext)
}
