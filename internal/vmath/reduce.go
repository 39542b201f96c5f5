package vmath

import (
	"math"
	"math/bits"
)

// reduceLarge returns n, modulo 128, and r + low with |r| ≤ π/128 such that x is nπ/64 +
// r + low, for any finite |x| ≥ 2^-10. It multiplies x by as many bits of 2/π as matter:
// Payne and Hanek 1983, "Radian reduction for trigonometric functions".
func reduceLarge(x float64) (n uint64, r, low float64) {
	b := math.Float64bits(x)
	m := b&(1<<52-1) | 1<<52
	e := int(b>>52&0x7ff) - 1075 // |x| = m·2ᵉ

	// Bits of 2/π whose product with x is a multiple of 4 are left out. Of the
	// product the top 7 bits of 192 are n, in steps of 4/128, and the rest the fraction.
	at := e - 2 + 64
	w, s := at/64, uint(at%64)
	word := func(i int) uint64 { return twoOverPi[w+i]<<s | twoOverPi[w+i+1]>>(64-s) }
	p2, p3 := bits.Mul64(m, word(2))
	h, l := bits.Mul64(m, word(1))
	p2, c := bits.Add64(p2, l, 0)
	p1 := h + c + m*word(0)
	n = p1 >> 57
	p1 = p1<<7 | p2>>57
	p2 = p2<<7 | p3>>57
	p3 <<= 7

	sign := 1.
	if p1>>63 == 1 { // the nearest n is the next
		n++
		sign = -1
		var borrow uint64
		p3, borrow = bits.Sub64(0, p3, 0)
		p2, borrow = bits.Sub64(0, p2, borrow)
		p1, _ = bits.Sub64(0, p1, borrow)
	}
	shift := bits.LeadingZeros64(p1)
	if shift == 64 {
		p1, p2, p3 = p2, p3, 0
		shift += bits.LeadingZeros64(p1)
	}
	z := uint(shift % 64)
	p1 = p1<<z | p2>>(64-z)
	p2 = p2<<z | p3>>(64-z)
	fh := math.Ldexp(float64(p1>>11), -53-shift)
	fl := math.Ldexp(float64(p1<<53>>11|p2>>22), -106-shift)
	r = fh * piBy64Hi
	low = mulRest(fh, piBy64Hi, r) + fh*piBy64Lo + fl*piBy64Hi
	if b>>63 == 1 {
		n, sign = -n, -sign
	}
	s1 := r + low
	low = (r - s1) + low
	return n, sign * s1, sign * low
}
