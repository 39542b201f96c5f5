package linalg

import (
	"fmt"
	"math"

	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/split"
)

// RandomizedOption sets how [RandomizedSVD] samples; see [Oversampling],
// [PowerIterations] and [Seed].
type RandomizedOption func(*randomized)

type randomized struct {
	oversampling, iterations int
	seed                     uint64
}

// Oversampling sets how many more columns than the rank are sampled, 10 by default.
func Oversampling(n int) RandomizedOption {
	return func(r *randomized) { r.oversampling = max(0, n) }
}

// PowerIterations sets how often the sample is multiplied by a·aᴴ, 2 by default.
// Each of them takes two more products with a, and makes the result better where
// the singular values decay slowly.
func PowerIterations(n int) RandomizedOption {
	return func(r *randomized) { r.iterations = max(0, n) }
}

// Seed chooses the random numbers, which are the same for any number of ranks.
func Seed(seed uint64) RandomizedOption { return func(r *randomized) { r.seed = seed } }

// RandomizedSVD returns an approximation u·diag(s)·vh of rank at most rank to an m × n
// matrix: the singular value decomposition of its projection to the range of its
// product with a random matrix of l = rank + 10 columns (Halko, Martinsson, Tropp
// 2011, "Finding structure with randomness", algorithms 4.4 and 5.1). If the
// singular values decay it is close to the best one; for a matrix of no higher
// rank it is that.
//
// Collective, local if a is replicated. Result split: s None; if a is split along
// its rows u as a and vh None, otherwise u None and vh as a. Communication: none if
// a is replicated, otherwise, for each of 2 + 2·2 products with a, at most one
// reduce-scatter or allgatherv of l columns or rows, a [QR] of l columns, and an
// [SVD] of l rows. Extra memory: l columns and rows.
// Panics if a is not a matrix or rank is less than 1.
func RandomizedSVD[T nd.Inexact](a *nd.NDArray[T], rank int, opts ...RandomizedOption) (u *nd.NDArray[T], s *nd.NDArray[float64], vh *nd.NDArray[T], err error) {
	m, n := matrixShape(a)
	if rank < 1 {
		misuse.Panic("rank %d", rank)
	}
	o := randomized{oversampling: 10, iterations: 2}
	for _, f := range opts {
		f(&o)
	}
	k := min(m, n)
	width := min(rank+o.oversampling, k)
	ah := adjoint(a)
	q, _ := QR(MatMul(a, gaussian(a, n, width, o.seed)), Reduced)
	for range o.iterations {
		z, _ := QR(MatMul(ah, q), Reduced)
		q, _ = QR(MatMul(a, z), Reduced)
	}
	d, err := decompose(MatMul(adjoint(q), a), true)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("linalg.RandomizedSVD of %v: %w", a.Layout(), err)
	}
	d.u = MatMul(q, d.u)
	d = truncated(d, min(rank, k), a)
	return d.u, replicatedVector(a, d.s), d.vh, nil
}

// truncated returns the first r singular values of d and their vectors, of which
// the long ones are split as a is and the others replicated.
func truncated[T nd.Inexact](d singular[T], r int, a *nd.NDArray[T]) singular[T] {
	m, n := matrixShape(a)
	c := a.Comm()
	lu, lv := split.Block(split.Shape{m, r}, split.None, c.Size()), split.Block(split.Shape{r, n}, split.None, c.Size())
	switch a.Split() {
	case 0:
		lu = columnsLike(a, m, r)
	case 1:
		lv = columnsLike(a, r, n)
	}
	return singular[T]{
		u:  nd.Copy(d.u.Slice(nd.Whole(), nd.Range(0, r, 1))).MoveTo(lu),
		vh: nd.Copy(d.vh.Slice(nd.Range(0, r, 1), nd.Whole())).MoveTo(lv),
		s:  d.s[:r],
	}
}

// gaussian returns an n × k matrix of normal random numbers, placed where a·x reads it.
func gaussian[T nd.Inexact](a *nd.NDArray[T], n, k int, seed uint64) *nd.NDArray[T] {
	l := split.Block(split.Shape{n, k}, split.None, a.Comm().Size())
	if a.Split() == 1 {
		l = split.WithCounts(split.Shape{n, k}, 0, a.Layout().Counts())
	}
	return nd.FromLayout(a.Comm(), l, func(i []int) T {
		at := seed*0x9e3779b97f4a7c15 + 2*uint64(i[0]*k+i[1])
		// Box and Muller 1958; 1 − u is not 0.
		u, v := uniform(at), uniform(at+1)
		r := math.Sqrt(-2 * math.Log(1-u))
		return fromParts[T](r*math.Cos(2*math.Pi*v), r*math.Sin(2*math.Pi*v))
	})
}

// uniform returns number i of a sequence of random numbers in [0, 1) (Steele,
// Lea, Flood 2014, "Fast splittable pseudorandom number generators").
func uniform(i uint64) float64 {
	z := (i + 1) * 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return float64((z^z>>31)>>11) * 0x1p-53
}
