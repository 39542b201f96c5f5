package learn

import (
	"math"
	"slices"

	"caloric/internal/misuse"
	"caloric/internal/parallel"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// Moments describe the numbers of a table, or of each column or row of it.
type Moments struct {
	Count          int // numbers that each is of
	Mean, Var, Std *nd.NDArray[float64]
	Skew           *nd.NDArray[float64] // third central moment over the power 3/2 of the second
	Kurtosis       *nd.NDArray[float64] // fourth over the square of the second, minus 3
	Min, Max       *nd.NDArray[float64]
}

// Over says what Describe goes over.
type Over int

const (
	All     Over = iota // the whole table: one result
	Rows                // a result for each column
	Columns             // a result for each row
)

// Describe returns the moments of x in one pass over it. Functions of package nd, such
// as nd.Skew, return each of them alone. Skewness and kurtosis are NaN where all
// numbers are equal but for rounding, as SciPy has it; all is NaN where one number is.
// ddof is subtracted from the divisor n of the variance.
//
// Each block of rows has its mean, and sums of powers of what its numbers differ from
// that; blocks and ranks are merged by the formulas of Pébay (2008, "Formulas for
// robust, one-pass parallel computation of covariances and arbitrary-order
// statistical moments"), so that nothing cancels.
//
// Collective. Result split: None, but axis 0 as the rows over Columns. Communication:
// one allreduce of 56 bytes, over Rows of as many for each column, over Columns none;
// before that one alltoallv if x is split along axis 1. Extra memory: a copy of x if
// it is not split along axis 0 or is a view with gaps. Panics if x does not have two
// axes, or has no rows or no columns.
func Describe[T nd.Float](x *nd.NDArray[T], over Over, ddof int) *Moments {
	s := x.Shape()
	if len(s) != 2 || s[0] == 0 || s[1] == 0 {
		misuse.Panic("a table of shape %v has nothing to describe", s)
	}
	x = byRows(x)
	c, rows, n, d := x.Comm(), x.Local(), x.LocalShape()[0], s[1]
	switch over {
	case Columns:
		all := make([]summary, n)
		parallel.Each(c.Workers(), min(n, maxParts), func(p int) {
			wide := make([]float64, d)
			for i := p * n / min(n, maxParts); i < (p+1)*n/min(n, maxParts); i++ {
				for t, v := range rows[i*d : (i+1)*d] {
					wide[t] = float64(v)
				}
				all[i] = summarize(wide)
			}
		})
		return newMoments(c, split.WithCounts(nd.Shape{s[0]}, 0, x.Layout().Counts()), all, d, ddof)
	case Rows:
		all := describeRows(c, rows, n, d)
		spmd.AllreduceFunc(c, all, mergeSummaries)
		return newMoments(c, split.Block(nd.Shape{d}, nd.None, c.Size()), all, s[0], ddof)
	}
	all := describeRows(c, rows, n, d)
	for _, a := range all[1:] {
		mergeSummaries(all[:1], []summary{a})
	}
	spmd.AllreduceFunc(c, all[:1], mergeSummaries)
	return newMoments(c, split.Block(nd.Shape{}, nd.None, c.Size()), all[:1], s[0]*d, ddof)
}

// describeRows returns a summary of each column of this rank's n rows.
func describeRows[T nd.Float](c *spmd.Comm, rows []T, n, d int) []summary {
	parts := make([][]summary, min(maxParts, 1+n/blockRows))
	parallel.Each(c.Workers(), len(parts), func(p int) {
		all, block := make([]summary, d), make([]summary, d)
		columns, origin := make([]float64, blockRows*d), make([]float64, d)
		for lo, hi := p*n/len(parts), (p+1)*n/len(parts); lo < hi; lo += blockRows {
			m := min(blockRows, hi-lo)
			transpose(columns, rows[lo*d:], d, m, origin)
			for t := range d {
				block[t] = summarize(columns[t*m : (t+1)*m])
			}
			mergeSummaries(all, block)
		}
		parts[p] = all
	})
	for _, p := range parts[1:] {
		mergeSummaries(parts[0], p)
	}
	return parts[0]
}

// summary is of some numbers: how many, their mean, the sums of the powers 2, 3 and 4
// of what they differ from it, and the least and the largest.
type summary struct{ n, mean, m2, m3, m4, min, max float64 }

func summarize(x []float64) summary {
	n := float64(len(x))
	var s0, s1, s2, s3 float64
	y := x
	for ; len(y) >= 4; y = y[4:] {
		s0 += y[0]
		s1 += y[1]
		s2 += y[2]
		s3 += y[3]
	}
	for _, v := range y {
		s0 += v
	}
	s := summary{n: n, mean: ((s0 + s1) + (s2 + s3)) / n, min: x[0], max: x[0]}
	for _, v := range x {
		if v < s.min {
			s.min = v
		}
		if v > s.max {
			s.max = v
		}
	}
	if math.IsNaN(s.mean) { // perhaps for a NaN, which comparisons pass over
		s.min, s.max = slices.Min(x), slices.Max(x)
	}
	rest := 0.0 // what the mean's rounding leaves
	var m2, m3, m4 float64
	for _, v := range x {
		v -= s.mean
		v2 := v * v
		rest += v
		m2 += v2
		m3 += v2 * v
		m4 += v2 * v2
	}
	if math.IsInf(s.mean, 0) {
		s.m2, s.m3, s.m4 = math.NaN(), math.NaN(), math.NaN()
		return s
	}
	by := rest / n
	s.m4 = m4 - 4*by*m3
	s.m3 = m3 - 3*by*m2
	s.m2 = m2 - by*rest
	s.mean += by
	return s
}

// mergeSummaries sets acc to the summaries of what acc and next are of, by formulas
// 2.1 and 3.1 of Pébay.
func mergeSummaries(acc, next []summary) {
	for j, b := range next {
		a := &acc[j]
		switch {
		case b.n == 0:
			continue
		case a.n == 0:
			*a = b
			continue
		}
		n, mean := a.n+b.n, a.mean
		by, fa, fb := b.mean-a.mean, a.n/n, b.n/n
		by2 := by * by
		a.m4 += b.m4 + by2*by2*a.n*fb*(fa*fa-fa*fb+fb*fb) + 6*by2*(fa*fa*b.m2+fb*fb*a.m2) + 4*by*(fa*b.m3-fb*a.m3)
		a.m3 += b.m3 + by2*by*a.n*fb*(fa-fb) + 3*by*(fa*b.m2-fb*a.m2)
		a.m2 += b.m2 + by2*a.n*fb
		if a.mean += by * fb; math.IsInf(by, 0) {
			a.mean = mean + b.mean // of infinities by is no distance
		}
		a.n, a.min, a.max = n, min(a.min, b.min), max(a.max, b.max)
	}
}

func newMoments(c *spmd.Comm, l *split.Layout, all []summary, n, ddof int) *Moments {
	of := func(f func(s summary) float64) *nd.NDArray[float64] {
		values := make([]float64, len(all))
		for j, s := range all {
			values[j] = f(s)
		}
		return nd.Wrap(c, l, values)
	}
	variance := func(s summary) float64 { return s.m2 / max(s.n-float64(ddof), 0) }
	equal := func(s summary) bool {
		least := 0x1p-52 * s.mean
		return s.m2/s.n <= least*least
	}
	return &Moments{
		Count: n,
		Mean:  of(func(s summary) float64 { return s.mean }),
		Var:   of(variance),
		Std:   of(func(s summary) float64 { return math.Sqrt(variance(s)) }),
		Skew: of(func(s summary) float64 {
			if equal(s) {
				return math.NaN()
			}
			v := s.m2 / s.n
			return s.m3 / s.n / (v * math.Sqrt(v))
		}),
		Kurtosis: of(func(s summary) float64 {
			if equal(s) {
				return math.NaN()
			}
			return s.n*s.m4/(s.m2*s.m2) - 3
		}),
		Min: of(func(s summary) float64 { return s.min }),
		Max: of(func(s summary) float64 { return s.max }),
	}
}
