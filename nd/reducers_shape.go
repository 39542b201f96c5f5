package nd

import (
	"math"

	"caloric/spmd"
)

// moments4 are the count of some numbers, their mean, and the sums of the second
// to fourth powers of their deviations from it. The mean is near+rest, of which
// near is some number close to it: a rounded mean would cost the third moment of
// numbers far from zero as many digits as the mean is larger than the deviations.
type moments4 struct{ n, near, rest, m2, m3, m4 float64 }

func (m *moments4) mean() float64 { return m.near + m.rest }

// momentsOf is embedded by the reducers that need four moments. Those of parts
// are merged by the formulas of Pébay 2008, "Formulas for robust, one-pass
// parallel computation of covariances and arbitrary-order statistical moments",
// equation 3.1; within a block the mean is found first.
type momentsOf[T Real, R Float] struct{ anywhere[moments4] }

func (momentsOf[T, R]) empty() moments4 { return moments4{} }

func (momentsOf[T, R]) fold(x []T, _ int) moments4 {
	n := float64(len(x))
	m := moments4{n: n, near: sumOf[T, float64, float64]{}.fold(x, 0) / n}
	for _, v := range x {
		m.rest += float64(v) - m.near
	}
	m.rest /= n
	for _, v := range x {
		m.add(float64(v) - m.near - m.rest)
	}
	return m
}

// add adds the powers of a deviation.
func (m *moments4) add(d float64) {
	d2 := d * d
	m.m2 += d2
	m.m3 += d2 * d
	m.m4 += d2 * d2
}

func (momentsOf[T, R]) rows(acc []moments4, x []T, n, stride, _ int) {
	for j := range acc {
		sum := 0.0
		for i := range n {
			sum += float64(x[i*stride+j])
		}
		m := moments4{n: float64(n), near: sum / float64(n)}
		for i := range n {
			m.rest += float64(x[i*stride+j]) - m.near
		}
		m.rest /= float64(n)
		for i := range n {
			m.add(float64(x[i*stride+j]) - m.near - m.rest)
		}
		acc[j] = m
	}
}

func (momentsOf[T, R]) merge(acc, next []moments4) { mergeMoments4(acc, next) }

func mergeMoments4(acc, next []moments4) {
	for j := range acc {
		a, b := &acc[j], next[j]
		switch {
		case b.n == 0:
		case a.n == 0:
			*a = b
		default:
			a.merge(b)
		}
	}
}

func (a *moments4) merge(b moments4) {
	n := a.n + b.n
	p, q := a.n/n, b.n/n
	d := b.near - a.near + (b.rest - a.rest)
	s := a.n * q * d * d // the second moment of two points
	a.m4 += b.m4 + s*d*d*(p*p-p*q+q*q) + 6*d*d*(p*p*b.m2+q*q*a.m2) + 4*d*(p*b.m3-q*a.m3)
	a.m3 += b.m3 + s*d*(p-q) + 3*d*(p*b.m2-q*a.m2)
	a.m2 += b.m2 + s
	a.rest += d * q
	a.n = n
}

func (momentsOf[T, R]) across(c *spmd.Comm, acc []moments4) {
	spmd.AllreduceFunc(c, acc, mergeMoments4)
}

// constant reports whether all numbers are equal but for rounding: what is left
// of them says nothing of their distribution.
func (m moments4) constant() bool {
	const resolution = 1e-15
	return m.m2/m.n <= resolution*resolution*m.mean()*m.mean()
}

// skewOf finds the skewness, as scipy.stats.skew does.
type skewOf[T Real, R Float] struct {
	momentsOf[T, R]
	unbiased bool
}

func (k skewOf[T, R]) finish(dst []R, acc []moments4, _ int, _ float64) {
	for j, m := range acc {
		n, v := m.n, m.m2/m.n
		s := m.m3 / n / (v * math.Sqrt(v))
		switch {
		case n == 0 || m.constant():
			s = math.NaN()
		case k.unbiased && n > 2:
			s *= math.Sqrt((n-1)*n) / (n - 2)
		}
		dst[j] = R(s)
	}
}

// kurtosisOf finds the kurtosis, as scipy.stats.kurtosis does.
type kurtosisOf[T Real, R Float] struct {
	momentsOf[T, R]
	unbiased, pearson bool
}

func (k kurtosisOf[T, R]) finish(dst []R, acc []moments4, _ int, _ float64) {
	for j, m := range acc {
		n, v := m.n, m.m2/m.n
		s := m.m4 / n / (v * v)
		switch {
		case n == 0 || m.constant():
			s = math.NaN()
		case k.unbiased && n > 3:
			s = ((n*n-1)*s-3*(n-1)*(n-1))/((n-2)*(n-3)) + 3
		}
		if !k.pearson {
			s -= 3
		}
		dst[j] = R(s)
	}
}

// bounds are the smallest and the largest of some elements.
type bounds[T Real] struct{ lo, hi T }

// ptpOf finds how far the largest element is from the smallest.
type ptpOf[T Real] struct{ anywhere[bounds[T]] }

func (ptpOf[T]) empty() bounds[T] { return bounds[T]{highest[T](), lowest[T]()} }

func (ptpOf[T]) fold(x []T, _ int) bounds[T] {
	return bounds[T]{minOf[T]{}.fold(x, 0), maxOf[T]{}.fold(x, 0)}
}

func (ptpOf[T]) rows(acc []bounds[T], x []T, n, stride, _ int) {
	for j, v := range x[:len(acc)] {
		acc[j] = bounds[T]{v, v}
	}
	for i := 1; i < n; i++ {
		for j, v := range x[i*stride : i*stride+len(acc)] {
			acc[j] = bounds[T]{min(acc[j].lo, v), max(acc[j].hi, v)}
		}
	}
}

func (ptpOf[T]) merge(acc, next []bounds[T]) { mergeBounds(acc, next) }

func mergeBounds[T Real](acc, next []bounds[T]) {
	for j, v := range next[:len(acc)] {
		acc[j] = bounds[T]{min(acc[j].lo, v.lo), max(acc[j].hi, v.hi)}
	}
}

func (ptpOf[T]) across(c *spmd.Comm, acc []bounds[T]) { spmd.AllreduceFunc(c, acc, mergeBounds[T]) }

func (ptpOf[T]) finish(dst []T, acc []bounds[T], _ int, _ float64) {
	for j, v := range acc {
		dst[j] = v.hi - v.lo
	}
}
