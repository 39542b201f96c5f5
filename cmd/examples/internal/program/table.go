// Package program holds what the example programs share: they read tables, name
// columns and show progress.
package program

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"caloric/internal/learn"
	"caloric/io"
	"caloric/io/csv"
	"caloric/io/npy"
	"caloric/nd"
	"caloric/spmd"
)

// Load reads the table of a .csv, .tsv, .txt or .npy file of any real type, split
// along its rows, with the names of its columns, or nil. An array of one axis is one
// column. skip lines of text come before the table.
//
// Collective. The error is the same on every rank.
func Load(c *spmd.Comm, path string, skip int) (*nd.NDArray[float64], []string, error) {
	if skip < 0 {
		return nil, nil, fmt.Errorf("%d lines to skip", skip)
	}
	var table *nd.NDArray[float64]
	var names []string
	var err error
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv":
		table, names, err = csv.LoadTable[float64](c, path, 0, csv.Skip(skip))
	case ".tsv":
		table, names, err = csv.LoadTable[float64](c, path, 0, csv.Skip(skip), csv.Comma('\t'))
	case ".txt":
		table, names, err = csv.LoadTable[float64](c, path, 0, csv.Skip(skip), csv.Comma(' '))
	case ".npy":
		table, err = loadNpy(c, path)
	default:
		table, err = io.Load[float64](c, path, 0) // which names the extensions
	}
	if err != nil {
		return nil, nil, err
	}
	switch s := table.Shape(); {
	case len(s) == 1:
		table = table.Slice(nd.Whole(), nd.NewAxis())
	case len(s) != 2:
		return nil, nil, fmt.Errorf("%s: shape %v; a table has rows and columns", path, s)
	}
	if s := table.Shape(); s[0] == 0 || s[1] == 0 {
		return nil, nil, fmt.Errorf("%s: shape %v; the table is empty", path, s)
	}
	return table, names, nil
}

func loadNpy(c *spmd.Comm, path string) (*nd.NDArray[float64], error) {
	h, err := npy.Info(path)
	if err := spmd.Agree(c, err); err != nil {
		return nil, err
	}
	if len(h.Shape) == 0 {
		return nil, fmt.Errorf("%s: shape (); a table has rows and columns", path)
	}
	switch h.Type {
	case "float64":
		return npy.Load[float64](c, path, 0)
	case "float32":
		return converted[float32](c, path)
	case "bool":
		return converted[bool](c, path)
	case "int8":
		return converted[int8](c, path)
	case "int16":
		return converted[int16](c, path)
	case "int32":
		return converted[int32](c, path)
	case "int64":
		return converted[int64](c, path)
	case "uint8":
		return converted[uint8](c, path)
	case "uint16":
		return converted[uint16](c, path)
	case "uint32":
		return converted[uint32](c, path)
	case "uint64":
		return converted[uint64](c, path)
	}
	return nil, fmt.Errorf("%s: its elements, %s, are not real numbers", path, h.DType)
}

func converted[T nd.Element](c *spmd.Comm, path string) (*nd.NDArray[float64], error) {
	a, err := npy.Load[T](c, path, 0)
	if err != nil {
		return nil, err
	}
	return nd.AsType[float64](a), nil
}

// Column returns the number, from 0, of the column of a table of n that text names:
// by its name, or by its number from 1, or from -1 for the last one.
func Column(text string, names []string, n int) (int, error) {
	for j, name := range names {
		if name == text {
			return j, nil
		}
	}
	j, err := strconv.Atoi(text)
	switch {
	case err != nil && names != nil:
		return 0, fmt.Errorf("no column is named %q; there are %s", text, strings.Join(names, ", "))
	case err != nil:
		return 0, fmt.Errorf("no column is named %q: columns have numbers, from 1 to %d", text, n)
	case j >= 1 && j <= n:
		return j - 1, nil
	case j <= -1 && j >= -n:
		return n + j, nil
	}
	return 0, fmt.Errorf("column %d of %d", j, n)
}

// Columns returns the numbers of the columns in a list with commas, which may be empty.
func Columns(list string, names []string, n int) ([]int, error) {
	var columns []int
	for text := range strings.SplitSeq(list, ",") {
		if text == "" {
			continue
		}
		j, err := Column(text, names, n)
		if err != nil {
			return nil, err
		}
		columns = append(columns, j)
	}
	return columns, nil
}

// Names returns the names of n columns: "column 1" and so on if names is nil.
func Names(names []string, n int) []string {
	if names != nil {
		return names
	}
	names = make([]string, n)
	for j := range names {
		names[j] = fmt.Sprintf("column %d", j+1)
	}
	return names
}

// Explain names the column and the file of an error of learn's functions; target is
// the name of the target, if there is one.
func Explain(err error, path string, names []string, target string) error {
	var e *learn.NotFiniteError
	if !errors.As(err, &e) {
		return fmt.Errorf("%s: %w", path, err)
	}
	name := target
	if e.Column >= 0 {
		name = names[e.Column]
	}
	return fmt.Errorf("%s: row %d, %s: not a finite number", path, e.Row+1, name)
}

// Without returns a table and its names without some of the columns.
func Without(table *nd.NDArray[float64], names []string, columns []int) (*nd.NDArray[float64], []string) {
	var left []string
	gone := map[int]bool{}
	for _, j := range columns {
		gone[j] = true
	}
	for j, name := range names {
		if !gone[j] {
			left = append(left, name)
		}
	}
	return nd.Delete(table, columns, 1), left
}
