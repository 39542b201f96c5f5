package random

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"caloric/internal/misuse"
	"caloric/nd"

	"gonum.org/v1/gonum/stat/distuv"
)

// probability checks a probability.
func probability(p float64, most float64) {
	if !(p >= 0 && p <= most) {
		misuse.Panic("probability %v", p)
	}
}

// whole returns the integer T of a whole number, the largest T if it is larger.
func whole[T nd.Integer](x float64) T {
	n := T(x)
	if float64(n) != x {
		var all T
		for bit := T(1); bit > 0; bit <<= 1 {
			all |= bit
		}
		return all
	}
	return n
}

// Bernoulli is true with probability p. Panics if p is no probability.
func Bernoulli(p float64) Distribution[bool] {
	probability(p, 1)
	return func(r *rand.Rand) bool { return r.Float64() < p }
}

// Poisson is the distribution of Poisson of mean lambda. Panics if lambda is
// negative or not finite.
func Poisson[T nd.Integer](lambda float64) Distribution[T] {
	notNegative(lambda)
	return func(r *rand.Rand) T { return whole[T](poisson(lambda, r)) }
}

func poisson(lambda float64, r *rand.Rand) float64 {
	if lambda == 0 {
		return 0
	}
	return distuv.Poisson{Lambda: lambda, Src: r}.Rand()
}

// Binomial is the distribution of the number of successes in n trials of
// probability p. Panics if n is negative or p is no probability.
func Binomial[T nd.Integer](n T, p float64) Distribution[T] {
	probability(p, 1)
	if n < 0 {
		misuse.Panic("%d trials", n)
	}
	d := distuv.Binomial{N: float64(n), P: p}
	return func(r *rand.Rand) T {
		switch {
		case n == 0 || p == 0:
			return 0
		case p == 1:
			return n
		}
		own := d
		own.Src = r
		return whole[T](own.Rand())
	}
}

// Geometric is the distribution of the number of trials up to the first success,
// of probability p. Panics if p is no probability or 0.
func Geometric[T nd.Integer](p float64) Distribution[T] {
	probability(p, 1)
	if p == 0 {
		misuse.Panic("success is impossible")
	}
	rate := -math.Log1p(-p)
	return func(r *rand.Rand) T { return whole[T](max(1, math.Ceil(r.ExpFloat64()/rate))) }
}

// NegativeBinomial is the distribution of the number of failures before the n-th
// success, of probability p; n need not be whole. Panics if n is not positive, or
// p is no probability or 0.
func NegativeBinomial[T nd.Integer](n, p float64) Distribution[T] {
	positive(n)
	probability(p, 1)
	if p == 0 {
		misuse.Panic("success is impossible")
	}
	return func(r *rand.Rand) T { return whole[T](poisson(gamma(n, r)*(1-p)/p, r)) }
}

// LogSeries is the logarithmic distribution, where k has a probability
// proportional to pᵏ/k (Kemp 1981, "Efficient generation of logarithmically
// distributed pseudo-random variables"). Panics if p is not between 0 and 1.
func LogSeries[T nd.Integer](p float64) Distribution[T] {
	probability(p, math.Nextafter(1, 0))
	h := math.Log1p(-p)
	return func(r *rand.Rand) T {
		v := open(r)
		if v >= p {
			return 1
		}
		q := -math.Expm1(h * open(r))
		switch {
		case v <= q*q:
			return whole[T](max(1, math.Floor(1+math.Log(v)/math.Log(q))))
		case v >= q:
			return 1
		}
		return 2
	}
}

// Zipf is the distribution of Zipf, where k has a probability proportional to
// k⁻ᵃ (Devroye 1986, "Non-uniform random variate generation", chapter X.6). Panics
// unless a > 1.
func Zipf[T nd.Integer](a float64) Distribution[T] {
	if !(a > 1) || math.IsInf(a, 1) {
		misuse.Panic("exponent %v, want more than 1", a)
	}
	e := a - 1
	b := math.Exp2(e)
	return func(r *rand.Rand) T {
		for {
			u, v := open(r), r.Float64()
			x := math.Floor(math.Pow(u, -1/e))
			if x < 1 || x > math.MaxInt64 {
				continue
			}
			if t := math.Pow(1+1/x, e); v*x*(t-1)/(b-1) <= t/b {
				return whole[T](x)
			}
		}
	}
}

// Hypergeometric is the distribution of the number of good items among sample
// ones that are taken, without putting them back, from good and bad ones. A draw
// takes about as many steps as the standard deviation. Panics if a number is
// negative or sample is more than good and bad together.
func Hypergeometric[T nd.Integer](good, bad, sample T) Distribution[T] {
	g, b, n := float64(good), float64(bad), float64(sample)
	if good < 0 || bad < 0 || sample < 0 || n > g+b {
		misuse.Panic("%d of %d good and %d bad ones", sample, good, bad)
	}
	lo, hi := max(0, n-b), min(g, n)
	mode := min(max(math.Floor((n+1)*(g+1)/(g+b+2)), lo), hi)
	choose := func(n, k float64) float64 {
		x, _ := math.Lgamma(n + 1)
		y, _ := math.Lgamma(k + 1)
		z, _ := math.Lgamma(n - k + 1)
		return x - y - z
	}
	top := math.Exp(choose(g, mode) + choose(b, n-mode) - choose(g+b, n))
	return func(r *rand.Rand) T {
		// The distribution function is inverted over the values in the order of
		// their distance from the mode, above and below in turn.
		for {
			u := r.Float64() - top
			if u < 0 {
				return whole[T](mode)
			}
			above, below, p, q := mode, mode, top, top
			for above < hi || below > lo {
				if above < hi {
					p *= (g - above) * (n - above) / ((above + 1) * (b - n + above + 1))
					above++
					if u -= p; u < 0 {
						return whole[T](above)
					}
				}
				if below > lo {
					q *= below * (b - n + below) / ((g - below + 1) * (n - below + 1))
					below--
					if u -= q; u < 0 {
						return whole[T](below)
					}
				}
				if p+q < 0x1p-60 {
					break // the probabilities do not add up to 1 in the last place
				}
			}
		}
	}
}

// Categorical is the distribution of 0, 1, … len(weights)-1 with probabilities
// proportional to weights. With [nd.Take] it chooses items of an array. Panics if
// a weight is negative or not finite, or if all are 0.
func Categorical(weights ...float64) Distribution[int64] {
	sums := make([]float64, len(weights))
	sum := 0.0
	for i, w := range weights {
		notNegative(w)
		sum += w
		sums[i] = sum
	}
	positive(sum)
	last := slices.IndexFunc(sums, func(s float64) bool { return s == sum })
	return func(r *rand.Rand) int64 {
		u := r.Float64() * sum
		i := sort.Search(len(sums), func(i int) bool { return sums[i] > u })
		return int64(min(i, last)) // the product may be rounded up to the sum
	}
}
