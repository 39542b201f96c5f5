package random

import "math/bits"

// The multipliers and Weyl increments of Philox4x64.
const (
	mul0  = 0xD2E7470EE14C6C93
	mul1  = 0xCA5A826395121157
	weyl0 = 0x9E3779B97F4A7C15 // golden ratio
	weyl1 = 0xBB67AE8584CAA73B // √3 - 1
)

// philox returns the four words of counter (c0, c1, c2, c3) under key (k0, k1):
// ten rounds of Philox4x64, from Salmon, Moraes, Dror, Shaw, "Parallel random
// numbers: as easy as 1, 2, 3", SC 2011. The rounds are written out, and pass
// their words in registers, because all that is drawn is made here.
func philox(c0, c1, c2, c3, k0, k1 uint64) (w0, w1, w2, w3 uint64) {
	c0, c1, c2, c3 = round(c0, c1, c2, c3, k0, k1)
	k0, k1 = k0+weyl0, k1+weyl1
	c0, c1, c2, c3 = round(c0, c1, c2, c3, k0, k1)
	k0, k1 = k0+weyl0, k1+weyl1
	c0, c1, c2, c3 = round(c0, c1, c2, c3, k0, k1)
	k0, k1 = k0+weyl0, k1+weyl1
	c0, c1, c2, c3 = round(c0, c1, c2, c3, k0, k1)
	k0, k1 = k0+weyl0, k1+weyl1
	c0, c1, c2, c3 = round(c0, c1, c2, c3, k0, k1)
	k0, k1 = k0+weyl0, k1+weyl1
	c0, c1, c2, c3 = round(c0, c1, c2, c3, k0, k1)
	k0, k1 = k0+weyl0, k1+weyl1
	c0, c1, c2, c3 = round(c0, c1, c2, c3, k0, k1)
	k0, k1 = k0+weyl0, k1+weyl1
	c0, c1, c2, c3 = round(c0, c1, c2, c3, k0, k1)
	k0, k1 = k0+weyl0, k1+weyl1
	c0, c1, c2, c3 = round(c0, c1, c2, c3, k0, k1)
	k0, k1 = k0+weyl0, k1+weyl1
	return round(c0, c1, c2, c3, k0, k1)
}

func round(c0, c1, c2, c3, k0, k1 uint64) (w0, w1, w2, w3 uint64) {
	hi0, lo0 := bits.Mul64(mul0, c0)
	hi1, lo1 := bits.Mul64(mul1, c2)
	return hi1 ^ c1 ^ k0, lo1, hi0 ^ c3 ^ k1, lo0
}
