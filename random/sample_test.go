package random

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/spmd"

	"gonum.org/v1/gonum/stat/distuv"
)

// sampleOf returns n numbers of d.
func sampleOf[T nd.Element](t testing.TB, n int, d Distribution[T]) []T {
	return draw(t, n, func(c *spmd.Comm, shape nd.Shape) *nd.NDArray[T] { return Sample(New(11), c, shape, 0, d) })
}

// greedy takes a number of words that depends on them.
func greedy(r *rand.Rand) float64 {
	x := 0.0
	for range 1 + r.IntN(9) {
		x += r.Float64()
	}
	return x
}

func TestSampleInAnyLayout(t *testing.T) {
	want := sampleOf(t, 60, greedy)
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		silently(t, c, func() {
			for _, shape := range []nd.Shape{{60}, {3, 20}, {5, 3, 4}, {60, 1}} {
				for axis := nd.None; int(axis) < len(shape); axis++ {
					checkPart(t, "sample", Sample(New(11), c, shape, axis, greedy), func(i int) float64 { return want[i] })
					for _, l := range layouts(shape, axis, c.Size()) {
						a := nd.Wrap(c, l, make([]float64, l.LocalSize(c.Rank())))
						SampleInto(New(11), a, greedy)
						checkPart(t, "sample", a, func(i int) float64 { return want[i] })
					}
				}
			}
		})
	})
}

// TestSampleWordsAreDistinct: no word is used for two elements, or for an element
// of another kind of draw.
func TestSampleWordsAreDistinct(t *testing.T) {
	seen := map[uint64]bool{}
	note := func(w uint64) {
		if seen[w] {
			t.Errorf("word %x twice", w)
		}
		seen[w] = true
	}
	s := stream{key: 11}
	for i := range uint64(40) {
		note(s.word(i))
		q := sequence{s: s, element: i}
		q.s.use = samples
		for range 23 {
			note(q.Uint64())
		}
	}
}

func TestContinuousDistributions(t *testing.T) {
	cdf := func(d interface{ CDF(float64) float64 }) func(float64) float64 { return d.CDF }
	tests := []struct {
		name string
		d    Distribution[float64]
		cdf  func(float64) float64
	}{
		{"Exponential", Exponential(2.5), cdf(distuv.Exponential{Rate: 0.4})},
		{"Gamma", Gamma(3.5, 2.0), cdf(distuv.Gamma{Alpha: 3.5, Beta: 0.5})},
		{"Gamma of small shape", Gamma(0.1, 1.0), cdf(distuv.Gamma{Alpha: 0.1, Beta: 1})},
		{"ChiSquare", ChiSquare(3.0), cdf(distuv.ChiSquared{K: 3})},
		{"NoncentralChiSquare", NoncentralChiSquare(3.0, 2.5), noncentralCDF(3, 2.5)},
		{"NoncentralChiSquare of few degrees", NoncentralChiSquare(0.5, 4.0), noncentralCDF(0.5, 4)},
		{"F", F(4.0, 7.0), cdf(distuv.F{D1: 4, D2: 7})},
		{"StudentT", StudentT(2.5), cdf(distuv.StudentsT{Sigma: 1, Nu: 2.5})},
		{"Beta", Beta(2.0, 0.5), cdf(distuv.Beta{Alpha: 2, Beta: 0.5})},
		{"LogNormal", LogNormal(0.5, 0.75), cdf(distuv.LogNormal{Mu: 0.5, Sigma: 0.75})},
		{"Laplace", Laplace(-1.0, 2.0), cdf(distuv.Laplace{Mu: -1, Scale: 2})},
		{"Logistic", Logistic(1.0, 0.5), func(x float64) float64 { return 1 / (1 + math.Exp(-(x-1)/0.5)) }},
		{"Gumbel", Gumbel(0.5, 2.0), cdf(distuv.GumbelRight{Mu: 0.5, Beta: 2})},
		{"Pareto", Pareto(2.5), func(x float64) float64 { return distuv.Pareto{Xm: 1, Alpha: 2.5}.CDF(1 + x) }},
		{"Weibull", Weibull(1.5), cdf(distuv.Weibull{K: 1.5, Lambda: 1})},
		{"Rayleigh", Rayleigh(2.0), func(x float64) float64 { return -math.Expm1(-x * x / 8) }},
		{"Power", Power(3.0), func(x float64) float64 { return x * x * x }},
		{"Cauchy", Cauchy[float64](), func(x float64) float64 { return 0.5 + math.Atan(x)/math.Pi }},
		{"Triangular", Triangular(-1.0, 0.5, 4.0), cdf(distuv.NewTriangle(-1, 4, 0.5, nil))},
		{"Triangular with the top at an end", Triangular(0.0, 0.0, 1.0), func(x float64) float64 { return 1 - (1-x)*(1-x) }},
		{"VonMises", VonMises(0.0, 2.0), vonMisesCDF(2)},
		{"VonMises, nearly uniform", VonMises(0.0, 1e-6), func(x float64) float64 { return 0.5 + x/(2*math.Pi) }},
		{"VonMises, uniform", VonMises(0.0, 0.0), func(x float64) float64 { return 0.5 + x/(2*math.Pi) }},
		{"VonMises, narrow", VonMises(0.0, 1e7), func(x float64) float64 { return distuv.UnitNormal.CDF(x * math.Sqrt(1e7)) }},
		{"Wald", Wald(1.5, 2.0), waldCDF(1.5, 2)},
		{"Wald, wide", Wald(50.0, 0.1), waldCDF(50, 0.1)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { checkKS(t, sampleOf(t, 20000, tt.d), tt.cdf) })
	}
}

func noncentralCDF(df, nonc float64) func(float64) float64 {
	return func(x float64) float64 {
		p := 0.0
		for i := range 60 {
			p += distuv.Poisson{Lambda: nonc / 2}.Prob(float64(i)) * distuv.ChiSquared{K: df + 2*float64(i)}.CDF(x)
		}
		return p
	}
}

func waldCDF(m, l float64) func(float64) float64 {
	phi := distuv.UnitNormal.CDF
	return func(x float64) float64 {
		s := math.Sqrt(l / x)
		return phi(s*(x/m-1)) + math.Exp(2*l/m)*phi(-s*(x/m+1))
	}
}

// vonMisesCDF integrates the density by Simpson's rule.
func vonMisesCDF(k float64) func(float64) float64 {
	integral := func(to float64) float64 {
		const n = 400
		h := (to + math.Pi) / n
		sum := 0.0
		for i := range n + 1 {
			w := 2.0 + 2*float64(i%2)
			if i == 0 || i == n {
				w = 1
			}
			sum += w * math.Exp(k*math.Cos(-math.Pi+float64(i)*h))
		}
		return sum * h / 3
	}
	all := integral(math.Pi)
	return func(x float64) float64 { return integral(x) / all }
}

func TestVonMisesWrapsItsMean(t *testing.T) {
	for _, x := range sampleOf(t, 1000, VonMises(20.0, 4.0)) {
		if !(math.Abs(x) <= math.Pi) {
			t.Fatalf("angle %v", x)
		}
	}
}

func TestNoncentralFMoments(t *testing.T) {
	const n, d, l = 3, 40, 2.0
	mean := 0.0
	x := sampleOf(t, 50000, NoncentralF(float64(n), float64(d), l))
	for _, v := range x {
		mean += v / float64(len(x))
	}
	if want := d * (n + l) / (n * (d - 2.0)); math.Abs(mean-want) > 0.03 {
		t.Errorf("mean %v, want %v", mean, want)
	}
}

func TestDiscreteDistributions(t *testing.T) {
	tests := []struct {
		name string
		d    Distribution[int64]
		prob func(k float64) float64
	}{
		{"Poisson", Poisson[int64](3.5), distuv.Poisson{Lambda: 3.5}.Prob},
		{"Poisson of large mean", Poisson[int64](40), distuv.Poisson{Lambda: 40}.Prob},
		{"Binomial", Binomial[int64](20, 0.3), distuv.Binomial{N: 20, P: 0.3}.Prob},
		{"Binomial of many trials", Binomial[int64](300, 0.7), distuv.Binomial{N: 300, P: 0.7}.Prob},
		{"Geometric", Geometric[int64](0.25), func(k float64) float64 { return 0.25 * math.Pow(0.75, k-1) }},
		{"NegativeBinomial", NegativeBinomial[int64](2.5, 0.4), func(k float64) float64 {
			a, _ := math.Lgamma(k + 2.5)
			b, _ := math.Lgamma(k + 1)
			c, _ := math.Lgamma(2.5)
			return math.Exp(a - b - c + 2.5*math.Log(0.4) + k*math.Log(0.6))
		}},
		{"LogSeries", LogSeries[int64](0.7), func(k float64) float64 { return -math.Pow(0.7, k) / k / math.Log(0.3) }},
		{"Zipf", Zipf[int64](2.5), func(k float64) float64 { return math.Pow(k, -2.5) / 1.341487257250917 }},
		{"Hypergeometric", Hypergeometric[int64](12, 30, 15), hypergeometric(12, 30, 15)},
		{"Hypergeometric of many", Hypergeometric[int64](500, 800, 300), hypergeometric(500, 800, 300)},
		{"Categorical", Categorical(1, 0, 4, 2.5), func(k float64) float64 { return []float64{1, 0, 4, 2.5}[int(k)] / 7.5 }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { checkProbabilities(t, sampleOf(t, 30000, tt.d), tt.prob) })
	}
}

func hypergeometric(good, bad, sample float64) func(float64) float64 {
	choose := func(n, k float64) float64 {
		a, _ := math.Lgamma(n + 1)
		b, _ := math.Lgamma(k + 1)
		c, _ := math.Lgamma(n - k + 1)
		return a - b - c
	}
	return func(k float64) float64 {
		return math.Exp(choose(good, k) + choose(bad, sample-k) - choose(good+bad, sample))
	}
}

// checkProbabilities is the chi-square test at six standard deviations over the
// values that are expected ten times or more; the others count as one.
func checkProbabilities(t *testing.T, x []int64, prob func(float64) float64) {
	t.Helper()
	counts := map[int64]float64{}
	for _, k := range x {
		counts[k]++
	}
	n := float64(len(x))
	chi2, values, often, expected := 0.0, 0, 0.0, 0.0
	for k, got := range counts {
		want := n * prob(float64(k))
		if want == 0 {
			t.Errorf("%d is impossible", k)
		}
		if want >= 10 {
			chi2 += (got - want) * (got - want) / want
			often += got
			expected += want
			values++
		}
	}
	if rest := n - expected; rest >= 10 {
		chi2 += (n - often - rest) * (n - often - rest) / rest
		values++
	}
	f := float64(values - 1)
	if s := math.Sqrt(2 * f); chi2 > f+6*s || values < 3 {
		t.Errorf("chi-square %v for %v degrees of freedom", chi2, f)
	}
}

func TestDistributionsAtTheirEnds(t *testing.T) {
	for _, k := range sampleOf(t, 100, Binomial[int8](100, 1)) {
		if k != 100 {
			t.Fatalf("%d certain successes of 100", k)
		}
	}
	for _, k := range sampleOf(t, 100, Poisson[uint8](0)) {
		if k != 0 {
			t.Fatalf("%d of mean 0", k)
		}
	}
	for _, k := range sampleOf(t, 100, Poisson[int8](1e6)) {
		if k != math.MaxInt8 {
			t.Fatalf("%d, want the largest int8", k)
		}
	}
	for _, k := range sampleOf(t, 100, Hypergeometric[int32](3, 0, 2)) {
		if k != 2 {
			t.Fatalf("%d good ones of 2", k)
		}
	}
	for _, x := range sampleOf(t, 1000, Beta(1e-4, 1e-4)) {
		if !(x >= 0 && x <= 1) {
			t.Fatalf("beta number %v", x)
		}
	}
	for _, k := range sampleOf(t, 100, Geometric[int64](1)) {
		if k != 1 {
			t.Fatalf("certain success after %d trials", k)
		}
	}
	if trues := countTrue(sampleOf(t, 20000, Bernoulli(0.25))); math.Abs(trues-5000) > 5*61.3 {
		t.Errorf("%v of 20000 with probability 0.25", trues)
	}
}

func countTrue(x []bool) (n float64) {
	for _, b := range x {
		if b {
			n++
		}
	}
	return n
}

func TestDistributionMistakes(t *testing.T) {
	nan := math.NaN()
	for want, f := range map[string]func(){
		"parameters [0], want positive numbers":                     func() { Exponential(0.0) },
		"parameters [1 NaN], want positive numbers":                 func() { Gamma(1, nan) },
		"parameters [-2], want positive numbers":                    func() { ChiSquare(-2.0) },
		"parameter -1, want 0 or a positive number":                 func() { NoncentralChiSquare(1.0, -1) },
		"the location is +Inf":                                      func() { Laplace(math.Inf(1), 1) },
		"no triangle from 1 over 0 to 2":                            func() { Triangular(1.0, 0, 2) },
		"probability 1.5":                                           func() { Bernoulli(1.5) },
		"-1 trials":                                                 func() { Binomial[int64](-1, 0.5) },
		"success is impossible":                                     func() { Geometric[int64](0) },
		"exponent 1, want more than 1":                              func() { Zipf[int64](1) },
		"5 of 1 good and 2 bad ones":                                func() { Hypergeometric[int64](1, 2, 5) },
		"2 covariances for 2 means, want 4":                         func() { MultivariateNormal([]float64{0, 0}, []float64{1, 1}) },
		"the covariances are not positive definite":                 func() { MultivariateNormal([]float64{0, 0}, []float64{1, 2, 2, 1}) },
		"the covariances are not symmetric":                         func() { MultivariateNormal([]float64{0, 0}, []float64{1, 0, 0.5, 1}) },
		"3 trials with probabilities [0.5 0.25], which add up to 0": func() { Multinomial[int64](3, 0.5, 0.25) },
	} {
		if err := nd.Try(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
