package nd

import (
	"math"

	"caloric/spmd"
)

// moments are the count, mean and sum of squared deviations of some numbers.
type moments struct{ n, mean, m2 float64 }

// varOf finds the variance. Moments of parts are merged by the formula of Chan,
// Golub and LeVeque (1979, "Updating formulae and a pairwise algorithm for
// computing sample variances"); within a block the mean is found first.
type varOf[T Real, R Float] struct{ anywhere[moments] }

func (varOf[T, R]) empty() moments { return moments{} }

func (varOf[T, R]) fold(x []T, _ int) moments {
	if m, ok := floatMoments(x); ok {
		return m
	}
	n := float64(len(x))
	mean := sumOf[T, float64, float64]{}.fold(x, 0) / n
	var s0, s1, s2, s3 float64
	y := x
	for ; len(y) >= 4; y = y[4:] {
		d0, d1, d2, d3 := float64(y[0])-mean, float64(y[1])-mean, float64(y[2])-mean, float64(y[3])-mean
		s0 += d0 * d0
		s1 += d1 * d1
		s2 += d2 * d2
		s3 += d3 * d3
	}
	for _, v := range y {
		d := float64(v) - mean
		s0 += d * d
	}
	return moments{n, mean, (s0 + s1) + (s2 + s3)}
}

func (varOf[T, R]) rows(acc []moments, x []T, n, stride, _ int) {
	if floatMomentsRows(acc, x, n, stride) {
		return
	}
	for j := range acc {
		sum := 0.0
		for i := range n {
			sum += float64(x[i*stride+j])
		}
		mean, m2 := sum/float64(n), 0.0
		for i := range n {
			d := float64(x[i*stride+j]) - mean
			m2 = math.FMA(d, d, m2) // as the kernels, so that no column depends on the width
		}
		acc[j] = moments{float64(n), mean, m2}
	}
}

func (varOf[T, R]) merge(acc, next []moments) { mergeMoments(acc, next) }

func mergeMoments(acc, next []moments) {
	// Side by side the counts are mostly the same, and so are the quotients.
	var an, bn, share, product float64
	for j := range acc {
		a, b := &acc[j], &next[j]
		switch {
		case b.n == 0:
		case a.n == 0:
			*a = *b
		default:
			n := a.n + b.n
			if a.n != an || b.n != bn {
				an, bn = a.n, b.n
				share, product = bn/n, an*bn/n
			}
			d := b.mean - a.mean
			a.mean += d * share
			a.m2 += b.m2 + d*d*product
			a.n = n
		}
	}
}

func (varOf[T, R]) across(c *spmd.Comm, acc []moments) { spmd.AllreduceFunc(c, acc, mergeMoments) }

func (varOf[T, R]) finish(dst []R, acc []moments, count int, ddof float64) {
	for j, m := range acc {
		dst[j] = R(m.m2 / max(float64(count)-ddof, 0))
	}
}

// stdOf finds the standard deviation.
type stdOf[T Real, R Float] struct{ varOf[T, R] }

func (stdOf[T, R]) finish(dst []R, acc []moments, count int, ddof float64) {
	for j, m := range acc {
		dst[j] = R(math.Sqrt(m.m2 / max(float64(count)-ddof, 0)))
	}
}
