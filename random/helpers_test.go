package random

import (
	"math"
	"slices"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/spmd"
)

func TestMain(m *testing.M) { spmdtest.Main(m) }

// onOneRank runs f on one embedded rank.
func onOneRank(t testing.TB, f func(c *spmd.Comm)) {
	t.Helper()
	err := spmd.Run(1, func(c *spmd.Comm) error {
		silently(t, c, func() { f(c) })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// silently checks that f communicates nothing.
func silently(t testing.TB, c *spmd.Comm, f func()) {
	t.Helper()
	before := c.Stats()
	f()
	if sent := c.Stats().Sub(before); len(sent) > 0 {
		t.Errorf("%v communicated:\n%v", c, sent)
	}
}

// draw returns the n elements that f draws on one rank.
func draw[T nd.Element](t testing.TB, n int, f func(c *spmd.Comm, shape nd.Shape) *nd.NDArray[T]) []T {
	t.Helper()
	var out []T
	onOneRank(t, func(c *spmd.Comm) { out = f(c, nd.Shape{n}).Local() })
	return out
}

// checkMoments compares the mean and variance of x with those expected, at five
// standard errors; kurtosis is the fourth central moment over the variance².
func checkMoments(t *testing.T, x []float64, mean, variance, kurtosis float64) {
	t.Helper()
	n := float64(len(x))
	var m, v float64
	for _, e := range x {
		m += (e - mean) / n
	}
	for _, e := range x {
		v += (e - mean) * (e - mean) / n
	}
	if e := 5 * math.Sqrt(variance/n); math.Abs(m) > e {
		t.Errorf("mean %v, want %v ± %v", mean+m, mean, e)
	}
	if e := 5 * variance * math.Sqrt((kurtosis-1)/n); math.Abs(v-variance) > e {
		t.Errorf("variance %v, want %v ± %v", v, variance, e)
	}
}

// checkKS is the test of Kolmogorov and Smirnov at level 0.001.
func checkKS(t *testing.T, x []float64, cdf func(float64) float64) {
	t.Helper()
	x = slices.Sorted(slices.Values(x))
	n := float64(len(x))
	d := 0.0
	for i, e := range x {
		p := cdf(e)
		d = max(d, p-float64(i)/n, float64(i+1)/n-p)
	}
	if limit := 1.95 / math.Sqrt(n); d > limit {
		t.Errorf("the distribution function is off by %v, more than %v", d, limit)
	}
}

// checkChi2 tests counts for being equally likely. Chi-square has mean k and
// variance 2k for k degrees of freedom; six standard deviations are allowed, on
// the lower side too, as counts can also be too even.
func checkChi2(t *testing.T, counts []int) {
	t.Helper()
	total := 0
	for _, c := range counts {
		total += c
	}
	want := float64(total) / float64(len(counts))
	chi2 := 0.0
	for _, c := range counts {
		chi2 += (float64(c) - want) * (float64(c) - want) / want
	}
	k := float64(len(counts) - 1)
	if s := math.Sqrt(2 * k); chi2 < k-6*s || chi2 > k+6*s {
		t.Errorf("chi-square %v for %v degrees of freedom; counts %v", chi2, k, counts[:min(len(counts), 20)])
	}
}

func correlation(x, y []float64) float64 {
	var mx, my, sxx, syy, sxy float64
	n := float64(len(x))
	for i := range x {
		mx += x[i] / n
		my += y[i] / n
	}
	for i := range x {
		sxx += (x[i] - mx) * (x[i] - mx)
		syy += (y[i] - my) * (y[i] - my)
		sxy += (x[i] - mx) * (y[i] - my)
	}
	return sxy / math.Sqrt(sxx*syy)
}
