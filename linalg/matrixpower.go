package linalg

import (
	"math"

	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/split"
)

// MatrixPower returns a square matrix to the power of n by repeated squaring: at
// most 2·log₂|n| products (Knuth, "The Art of Computer Programming", 4.6.3). A
// negative power is one of the inverse, and the error then a *[SingularError] if a
// has none. Power 0 is the identity.
//
// Collective unless a is replicated. Result split: a's. Communication: for each
// product one gather of a matrix, as [MatMul]; for negative n before that as
// [Inv]; none if a is replicated.
// Panics if a is not square.
func MatrixPower[T nd.Inexact](a *nd.NDArray[T], n int) (*nd.NDArray[T], error) {
	checkFactored(a.Layout())
	power := uint(n)
	switch {
	case n == 0:
		size := a.Layout().Shape()[0]
		return nd.Eye[T](a.Comm(), size, size, 0, split.None).MoveTo(a.Layout()), nil
	case n < 0:
		power = -power
		inv, err := Inv(a)
		if err != nil {
			return nil, err
		}
		a = inv
	}
	times := func(x, y *nd.NDArray[T]) *nd.NDArray[T] {
		z := nd.EmptyLike(a)
		MatMulInto(z, x, y)
		return z
	}
	var result *nd.NDArray[T]
	for square := a; ; square = times(square, square) {
		if power&1 == 1 {
			if result == nil {
				result = square
			} else {
				result = times(result, square)
			}
		}
		if power >>= 1; power == 0 {
			break
		}
	}
	if result == a && n > 0 {
		result = nd.Copy(a)
	}
	return result, nil
}

// MultiDot returns the product of matrices, in the order of fewest
// multiplications (dynamic programming over the chain; Cormen et al.,
// "Introduction to Algorithms", 15.2). The first one may be a vector, which is a
// row, and the last one, which is a column.
//
// Collective unless local. Result split and communication: for each product as
// [MatMul]. Panics if there are no matrices, or their shapes do not fit or the
// communicators differ.
func MultiDot[T nd.Number](matrices ...*nd.NDArray[T]) *nd.NDArray[T] {
	n := len(matrices)
	if n == 0 {
		misuse.Panic("the product of no matrices")
	}
	if n == 1 {
		return nd.Copy(matrices[0])
	}
	// Matrix i has extents d[i] and d[i+1].
	d := make([]float64, 0, n+1)
	for i, a := range matrices {
		s := a.Layout().Shape()
		if len(s) == 1 && i == 0 {
			s = nd.Shape{1, s[0]}
		} else if len(s) == 1 && i == n-1 {
			s = nd.Shape{s[0], 1}
		}
		if len(s) != 2 {
			misuse.Panic("factor %d of %d is %v, not a matrix", i, n, a.Layout())
		}
		sameComm(matrices[0], a)
		if i == 0 {
			d = append(d, float64(s[0]))
		} else if d[i] != float64(s[0]) {
			misuse.Panic("factors %d and %d, %v and %v, do not fit", i-1, i, matrices[i-1].Layout(), a.Layout())
		}
		d = append(d, float64(s[1]))
	}
	at := chainOrder(d)
	var product func(i, j int) *nd.NDArray[T]
	product = func(i, j int) *nd.NDArray[T] {
		if i == j {
			return matrices[i]
		}
		k := at[i][j]
		return MatMul(product(i, k), product(k+1, j))
	}
	return product(0, n-1)
}

// chainOrder returns the k after which to part the product of matrices i to j of
// extents d[i] and d[i+1], for each i and j.
func chainOrder(d []float64) [][]int {
	n := len(d) - 1
	at, cost := make([][]int, n), make([][]float64, n)
	for i := range n {
		at[i], cost[i] = make([]int, n), make([]float64, n)
	}
	for length := 1; length < n; length++ {
		for i := 0; i+length < n; i++ {
			j := i + length
			cost[i][j] = math.Inf(1)
			for k := i; k < j; k++ {
				if c := cost[i][k] + cost[k+1][j] + d[i]*d[k+1]*d[j+1]; c < cost[i][j] {
					at[i][j], cost[i][j] = k, c
				}
			}
		}
	}
	return at
}
