// Package dft computes discrete Fourier transforms of single lines in memory, of any
// length in O(n log n), through gonum's dsp/fourier.
//
// Transforms are not scaled: one forward and one backward multiply a line by its
// length.
package dft

import (
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/dsp/fourier"
)

// Plan transforms complex lines of one length. It holds work space, so that it
// serves one goroutine at a time: take one with [Get] and give it back with
// [Plan.Release].
type Plan struct {
	n int
	t transform
}

// transform is a way to transform lines of one length in place.
type transform interface {
	run(x []complex128, inverse bool)
}

// Len returns the length of the lines.
func (p *Plan) Len() int { return p.n }

// Forward replaces x by Σ x[j] exp(-2πi jk/n).
func (p *Plan) Forward(x []complex128) { p.t.run(x, false) }

// Backward replaces x by Σ x[j] exp(+2πi jk/n).
func (p *Plan) Backward(x []complex128) { p.t.run(x, true) }

// largePrime is the prime factor from which on the chirp transform is faster than
// gonum's, whose passes take n·p operations for a factor p: see BenchmarkCrossover.
// Those for real lines compute their twiddle factors by a recurrence, which from
// largeRealPrime on loses digits.
const (
	largePrime     = 100
	largeRealPrime = 40
)

// maxFactors is how many factors gonum's plans have room for.
const maxFactors = 13

func newPlan(n int) *Plan {
	largest, count := factors(n)
	p := &Plan{n: n}
	switch {
	case largest >= largePrime:
		p.t = newChirp(n)
	case count > maxFactors:
		n1, _ := Halves(n)
		p.t = newPair(n1, n/n1)
	default:
		p.t = direct{fourier.NewCmplxFFT(n)}
	}
	return p
}

// direct is gonum's transform.
type direct struct{ *fourier.CmplxFFT }

func (d direct) run(x []complex128, inverse bool) {
	if inverse {
		d.Sequence(x, x)
		return
	}
	d.Coefficients(x, x)
}

// RealPlan transforms real lines of length n to the first n/2+1 coefficients, of
// which the others are the conjugates, and back. See [Plan] for its use.
type RealPlan struct {
	n      int
	direct *fourier.FFT
	whole  *Plan // for the lengths that direct is slow for
	line   []complex128
}

// Forward sets dst, of n/2+1 elements, to the transform of x.
func (p *RealPlan) Forward(dst []complex128, x []float64) {
	if p.direct != nil {
		p.direct.Coefficients(dst, x)
		return
	}
	for i, v := range x {
		p.line[i] = complex(v, 0)
	}
	p.whole.Forward(p.line)
	copy(dst, p.line)
}

// Backward sets x to the real line of which src are the first n/2+1 coefficients.
// The imaginary part of src[0], and for even n that of the last, are not read.
func (p *RealPlan) Backward(x []float64, src []complex128) {
	if p.direct != nil {
		p.direct.Sequence(x, src)
		return
	}
	copy(p.line, src)
	p.line[0] = complex(real(src[0]), 0)
	if p.n%2 == 0 {
		p.line[p.n/2] = complex(real(src[p.n/2]), 0)
	}
	for k := 1; 2*k < p.n; k++ {
		p.line[p.n-k] = conj(src[k])
	}
	p.whole.Backward(p.line)
	for i := range x {
		x[i] = real(p.line[i])
	}
}

func newRealPlan(n int) *RealPlan {
	if largest, count := factors(n); largest >= largeRealPrime || count > maxFactors {
		return &RealPlan{n: n, whole: newPlan(n), line: make([]complex128, n)}
	}
	return &RealPlan{n: n, direct: fourier.NewFFT(n)}
}

func conj(z complex128) complex128 { return complex(real(z), -imag(z)) }

// cache keeps the plans that are not in use, by length, until the garbage
// collector wants their memory.
type cache[P any] struct {
	pools   sync.Map // length to *sync.Pool
	lengths atomic.Int64
	make    func(n int) P
}

// maxLengths bounds the number of lengths that are remembered.
const maxLengths = 1 << 10

func (c *cache[P]) pool(n int) *sync.Pool {
	if p, ok := c.pools.Load(n); ok {
		return p.(*sync.Pool)
	}
	if c.lengths.Add(1) > maxLengths {
		c.pools.Clear()
		c.lengths.Store(1)
	}
	p, _ := c.pools.LoadOrStore(n, &sync.Pool{New: func() any { return c.make(n) }})
	return p.(*sync.Pool)
}

var (
	plans     = cache[*Plan]{make: newPlan}
	realPlans = cache[*RealPlan]{make: newRealPlan}
)

// Get returns a plan for complex lines of n ≥ 1 elements, which only the caller uses.
func Get(n int) *Plan { return plans.pool(n).Get().(*Plan) }

// Release gives p back for others to use.
func (p *Plan) Release() { plans.pool(p.n).Put(p) }

// GetReal returns a plan for real lines of n ≥ 1 elements, which only the caller uses.
func GetReal(n int) *RealPlan { return realPlans.pool(n).Get().(*RealPlan) }

// Release gives p back for others to use.
func (p *RealPlan) Release() { realPlans.pool(p.n).Put(p) }
