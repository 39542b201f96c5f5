package random

import (
	"math"
	"math/rand/v2"

	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"

	"gonum.org/v1/gonum/mat"
)

// A RowDistribution makes one random vector of Len numbers from the words of r,
// under the rules of [Distribution].
type RowDistribution[T nd.Element] struct {
	Len  int
	Draw func(r *rand.Rand, row []T)
}

// SampleRows returns a matrix whose n rows are independent vectors of a distribution.
//
// Collective, as every rank takes the draw. Result split: axis, 0 or [nd.None],
// balanced. Communication: none. Panics if axis is neither or n is negative.
func SampleRows[T nd.Element](g *Generator, c *spmd.Comm, n int, axis nd.Axis, d RowDistribution[T]) *nd.NDArray[T] {
	if axis > 0 {
		misuse.Panic("the rows of a sample are whole: split %v, want 0 or None", axis)
	}
	a := nd.Empty[T](c, nd.Shape{n, d.Len}, axis)
	s := g.next(c)
	s.use = samples
	first := 0
	if axis != split.None {
		first, _ = a.Layout().Range(c.Rank())
	}
	local := a.Local()
	q := sequence{s: s}
	r := rand.New(&q)
	for i := range a.LocalShape()[0] {
		q.element, q.taken = uint64(first+i), 0
		d.Draw(r, local[i*d.Len:(i+1)*d.Len:(i+1)*d.Len])
	}
	return a
}

// Dirichlet is the distribution of Dirichlet, of numbers that add up to 1: of
// [Gamma] numbers divided by their sum. Panics if a parameter is not positive.
func Dirichlet[T nd.Float](alpha ...T) RowDistribution[T] {
	positive(alpha...)
	return RowDistribution[T]{len(alpha), func(r *rand.Rand, row []T) {
		sum := 0.0
		numbers := make([]float64, len(alpha))
		for sum == 0 && len(alpha) > 0 { // not all of them rounded to 0
			for i, a := range alpha {
				numbers[i] = gamma(float64(a), r)
				sum += numbers[i]
			}
		}
		for i, x := range numbers {
			row[i] = T(x / sum)
		}
	}}
}

// Multinomial is the distribution of how often each of len(p) outcomes happens in
// n trials. Panics if n is negative, or p is not probabilities that add up to 1
// within 1e-12.
func Multinomial[T nd.Integer](n T, p ...float64) RowDistribution[T] {
	sum := 0.0
	for _, x := range p {
		probability(x, 1)
		sum += x
	}
	if n < 0 || len(p) == 0 || math.Abs(sum-1) > 1e-12 {
		misuse.Panic("%d trials with probabilities %v, which add up to %v", n, p, sum)
	}
	return RowDistribution[T]{len(p), func(r *rand.Rand, row []T) {
		left, rest := n, sum
		for i, x := range p {
			row[i] = left
			if i < len(p)-1 {
				row[i] = Binomial(left, min(1, x/max(rest, x, math.SmallestNonzeroFloat64)))(r)
			}
			left -= row[i]
			rest -= x
		}
	}}
}

// MultivariateNormal is the normal distribution of vectors with the given mean and
// covariance, a symmetric positive definite matrix in C order. Panics if it is
// none, or if the sizes do not fit.
func MultivariateNormal[T nd.Float](mean, covariance []T) RowDistribution[T] {
	k := len(mean)
	if len(covariance) != k*k {
		misuse.Panic("%d covariances for %d means, want %d", len(covariance), k, k*k)
	}
	root := make([]float64, k*k) // the lower Cholesky factor
	if k > 0 {
		sym := mat.NewSymDense(k, nil)
		for i := range k {
			for j := range i + 1 {
				if covariance[i*k+j] != covariance[j*k+i] {
					misuse.Panic("the covariances are not symmetric")
				}
				sym.SetSym(i, j, float64(covariance[i*k+j]))
			}
		}
		var ch mat.Cholesky
		if !ch.Factorize(sym) {
			misuse.Panic("the covariances are not positive definite")
		}
		var l mat.TriDense
		ch.LTo(&l)
		for i := range k {
			for j := range i + 1 {
				root[i*k+j] = l.At(i, j)
			}
		}
	}
	return RowDistribution[T]{k, func(r *rand.Rand, row []T) {
		z := make([]float64, k)
		for i := range z {
			z[i] = r.NormFloat64()
			sum := float64(mean[i])
			for j := range i + 1 {
				sum += root[i*k+j] * z[j]
			}
			row[i] = T(sum)
		}
	}}
}
