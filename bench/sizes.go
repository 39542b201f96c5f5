package main

import (
	"fmt"
	"strconv"
	"strings"

	"caloric/nd"
	"caloric/split"
)

// sizes are the sizes of the cases. Names tell them, so that only results of
// equal sizes are compared.
type sizes struct {
	vector   int    // elements of a large vector
	short    int    // of one whose time is all overhead
	order    int    // elements to sort, to parse, and so on
	roll     int    // Heat's roll sends element by element
	table    [2]int // rows and columns of what is reduced
	square   int    // order of the matrix that is redistributed
	product  int    // of matrices that are multiplied and factored
	spectrum int    // of one whose eigenvalues are found
	tall     [2]int // rows and columns of a tall matrix
	steps    int    // of an iterative solver
	resident int    // elements of the sum whose memory is watched
}

var (
	fullSizes = sizes{1e7, 1e3, 1e6, 1e4, [2]int{4000, 2500}, 4000, 2000, 1000, [2]int{200_000, 50}, 100, 1e8}
	tinySizes = sizes{100, 10, 64, 30, [2]int{6, 5}, 7, 8, 6, [2]int{24, 3}, 4, 1e4}
)

// count prints n as names have it: 1e7 for a power of ten from 1000 on.
func count(n int) string {
	s := strconv.Itoa(n)
	if len(s) > 3 && strings.Trim(s[1:], "0") == "" {
		return fmt.Sprintf("%ce%d", s[0], len(s)-1)
	}
	return s
}

// typeName is T as names have it.
func typeName[T nd.Element]() string {
	switch any(*new(T)).(type) {
	case float32:
		return "f32"
	case float64:
		return "f64"
	case int64:
		return "i64"
	}
	return fmt.Sprintf("%T", *new(T))
}

// sizeOf returns the bytes of a T as a number to compute with.
func sizeOf[T nd.Element]() float64 {
	switch any(*new(T)).(type) {
	case float32:
		return 4
	}
	return 8
}

// splitName is a split as names have it: s0, s1, none.
func splitName(axis nd.Axis) string {
	if axis == split.None {
		return "none"
	}
	return fmt.Sprintf("s%d", axis)
}

// axisName is a split as in "resplit 0→none".
func axisName(axis nd.Axis) string { return strings.TrimPrefix(splitName(axis), "s") }

// vectorName names a case on vectors of n elements, split along axis 0.
func vectorName[T nd.Element](op string, n int) string {
	return fmt.Sprintf("%s n=%s %s", op, count(n), typeName[T]())
}

// tableName names a case on matrices; a square one has one extent.
func tableName[T nd.Element](op string, rows, cols int, layout string) string {
	extent := strconv.Itoa(rows)
	if cols != rows {
		extent = fmt.Sprintf("%dx%d", rows, cols)
	}
	return fmt.Sprintf("%s %s %s %s", op, extent, typeName[T](), layout)
}
