package dft

import "math"

// Root returns exp(-2πi k/n) for 0 ≤ k < n, exact on the axes.
func Root(k, n int) complex128 {
	// Within 1/8 of a turn of an axis sine and cosine are as good as their argument.
	quarter := (8*k/n + 1) / 2 // the nearest axis, from 0 to 4
	s, c := math.Sincos(2 * math.Pi * (float64(4*k-quarter*n) / float64(4*n)))
	switch quarter % 4 {
	case 0:
		return complex(c, -s)
	case 1:
		return complex(-s, -c)
	case 2:
		return complex(-c, s)
	}
	return complex(s, c)
}

// Roots are the n-th roots of unity, each the product of two from tables of about √n.
type Roots struct {
	n, step      int
	small, large []complex128
}

// NewRoots returns the n-th roots of unity.
func NewRoots(n int) *Roots {
	r := &Roots{n: n, step: int(math.Sqrt(float64(n))) + 1}
	for k := 0; k < min(n, r.step); k++ {
		r.small = append(r.small, Root(k, n))
	}
	for k := 0; k < n; k += r.step {
		r.large = append(r.large, Root(k, n))
	}
	return r
}

// At returns exp(-2πi k/n) for 0 ≤ k < n.
func (r *Roots) At(k int) complex128 { return r.large[k/r.step] * r.small[k%r.step] }
