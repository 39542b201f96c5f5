package dft

import "math/bits"

// chirp transforms lines of any length n as a convolution of length m ≥ 2n-1, a
// product of small primes: with w(k) = exp(-πi k²/n), jk = (j² + k² - (k-j)²)/2
// makes the transform w(k) Σ x(j) w(j) · conj w(k-j).
//
// L. Bluestein 1970, "A linear filtering approach to the computation of discrete
// Fourier transform"; L. Rabiner, R. Schafer, C. Rader 1969, "The chirp z-transform
// algorithm".
type chirp struct {
	w      []complex128 // w(0) … w(n-1)
	filter []complex128 // the transform of conj w, over m
	line   []complex128
	inner  *Plan
}

func newChirp(n int) *chirp {
	m := Smooth(2*n - 1)
	c := &chirp{w: make([]complex128, n), filter: make([]complex128, m), line: make([]complex128, m), inner: newPlan(m)}
	for k := range c.w {
		c.w[k] = Chirp(k, n)
		v := conj(c.w[k]) / complex(float64(m), 0)
		c.filter[k] = v
		c.filter[(m-k)%m] = v
	}
	c.inner.Forward(c.filter)
	return c
}

// Chirp returns exp(-πi k²/n) for 0 ≤ k < 2^32. The exponent is taken modulo its
// period 2n before it is rounded.
func Chirp(k, n int) complex128 {
	hi, lo := bits.Mul64(uint64(k), uint64(k))
	return Root(int(bits.Rem64(hi, lo, uint64(2*n))), 2*n)
}

func (c *chirp) run(x []complex128, inverse bool) {
	if inverse {
		conjugate(x)
	}
	for j, w := range c.w {
		c.line[j] = x[j] * w
	}
	clear(c.line[len(x):])
	c.inner.Forward(c.line)
	for k, f := range c.filter {
		c.line[k] *= f
	}
	c.inner.Backward(c.line)
	for k, w := range c.w {
		x[k] = c.line[k] * w
	}
	if inverse {
		conjugate(x)
	}
}

func conjugate(x []complex128) {
	for i, v := range x {
		x[i] = conj(v)
	}
}
