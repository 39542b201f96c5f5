package linalg_test

import (
	"math"
	"math/cmplx"
	"testing"

	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// testBlock is a width of blocks with which even small matrices take several a rank.
const testBlock = 3

// narrowBlocks has a test deal out columns in blocks of testBlock.
func narrowBlocks(t *testing.T) { t.Cleanup(linalg.SetTriangularBlock(testBlock)) }

// general returns element (i, j) of a matrix without structure, of numbers
// between −1 and 1.
func general[T nd.Inexact](i, j int) T {
	h := uint32(i*7919+j*104729+12345) * 2654435761
	h ^= h >> 15
	h *= 2246822519
	h ^= h >> 13
	g := h * 3266489917
	g ^= g >> 16
	return number[T](float64(h%2001)/1000-1, float64(g%2001)/1000-1)
}

// elements returns the array of layout l of elements f, as a transposed view if
// asked for.
func elements[T nd.Inexact](c *spmd.Comm, l *split.Layout, transposed bool, f func(i, j int) T) *nd.NDArray[T] {
	if len(l.Shape()) == 1 {
		return nd.FromLayout(c, l, func(i []int) T { return f(i[0], 0) })
	}
	if !transposed {
		return nd.FromLayout(c, l, func(i []int) T { return f(i[0], i[1]) })
	}
	t, _ := split.Transpose(l, []int{1, 0})
	return nd.FromLayout(c, t, func(i []int) T { return f(i[1], i[0]) }).T()
}

// matrix128 is a whole matrix in double precision.
type matrix128 struct {
	rows, cols int
	data       []complex128
}

func (m matrix128) at(i, j int) complex128 { return m.data[i*m.cols+j] }

func complexOf[T nd.Inexact](v T) complex128 {
	switch v := any(v).(type) {
	case float32:
		return complex(float64(v), 0)
	case float64:
		return complex(v, 0)
	case complex64:
		return complex128(v)
	case complex128:
		return v
	}
	panic("not reached")
}

// whole gathers a vector, as a column, or a matrix.
func whole[T nd.Inexact](a *nd.NDArray[T]) matrix128 {
	a = a.Resplit(split.None)
	m := matrix128{rows: a.Shape()[0], cols: 1}
	if a.NDim() == 2 {
		m.cols = a.Shape()[1]
	}
	for _, v := range a.Local() {
		m.data = append(m.data, complexOf(v))
	}
	return m
}

func tabulate(rows, cols int, f func(i, j int) complex128) matrix128 {
	m := matrix128{rows, cols, make([]complex128, rows*cols)}
	for i := range m.data {
		m.data[i] = f(i/cols, i%cols)
	}
	return m
}

func (m matrix128) times(b matrix128) matrix128 {
	return tabulate(m.rows, b.cols, func(i, j int) (sum complex128) {
		for l := range m.cols {
			sum += m.at(i, l) * b.at(l, j)
		}
		return sum
	})
}

func (m matrix128) t() matrix128 {
	return tabulate(m.cols, m.rows, func(i, j int) complex128 { return m.at(j, i) })
}

func (m matrix128) h() matrix128 {
	return tabulate(m.cols, m.rows, func(i, j int) complex128 { return cmplx.Conj(m.at(j, i)) })
}

// largest returns the largest modulus of an element.
func (m matrix128) largest() (size float64) {
	for _, v := range m.data {
		size = math.Max(size, cmplx.Abs(v))
	}
	return size
}

// apart returns the largest modulus of a difference.
func (m matrix128) apart(b matrix128) (size float64) {
	if m.rows != b.rows || m.cols != b.cols {
		return math.Inf(1)
	}
	for i, v := range m.data {
		size = math.Max(size, cmplx.Abs(v-b.data[i]))
	}
	return size
}

func isTriangle(m matrix128, lower bool) bool {
	for i := range m.rows {
		for j := range m.cols {
			if (lower && j > i || !lower && j < i) && m.at(i, j) != 0 {
				return false
			}
		}
	}
	return true
}

func roundoff[T nd.Inexact]() float64 {
	var zero T
	switch any(zero).(type) {
	case float32, complex64:
		return 0x1p-23
	}
	return 0x1p-52
}

// blocksOf returns how many blocks n columns make.
func blocksOf(n int) int64 { return int64((n + testBlock - 1) / testBlock) }

// countMoves adds what is communicated to deal out the rows of an array and to put
// them back.
func countMoves(want map[string]int64, l *split.Layout) {
	if l.Ranks() == 1 {
		return
	}
	if l.Replicated() {
		want["allgatherv"]++
	} else {
		want["alltoallv"] += 2
	}
}

// nonzero drops the operations that were not called.
func nonzero(n map[string]int64) map[string]int64 {
	for op, k := range n {
		if k == 0 {
			delete(n, op)
		}
	}
	return n
}
