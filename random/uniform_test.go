package random

import (
	"math"
	"testing"

	"caloric/nd"
	"caloric/spmd"
)

func TestUniformDistribution(t *testing.T) {
	x := draw(t, 100000, func(c *spmd.Comm, shape nd.Shape) *nd.NDArray[float64] { return Uniform(New(3), c, shape, 0, -2.0, 4) })
	for _, e := range x {
		if e < -2 || e >= 4 {
			t.Fatalf("%v is out of range", e)
		}
	}
	checkMoments(t, x, 1, 3, 1.8)
	checkKS(t, x, func(e float64) float64 { return (e + 2) / 6 })
}

// TestUniformBits: between 0 and 1, float64 shows 53 bits of the word, float32 24.
func TestUniformBits(t *testing.T) {
	x := draw(t, 1000, func(c *spmd.Comm, shape nd.Shape) *nd.NDArray[float64] { return Uniform(New(3), c, shape, 0, 0.0, 1) })
	y := draw(t, 1000, func(c *spmd.Comm, shape nd.Shape) *nd.NDArray[float32] {
		return Uniform[float32](New(3), c, shape, 0, 0, 1)
	})
	or64, or32 := uint64(0), uint64(0)
	for i := range x {
		or64 |= uint64(x[i] * 0x1p53)
		or32 |= uint64(y[i] * 0x1p24)
		if float64(y[i]) != math.Floor(x[i]*0x1p24)*0x1p-24 {
			t.Fatalf("float32 %v is not the head of float64 %v", y[i], x[i])
		}
	}
	if or64 != 1<<53-1 || or32 != 1<<24-1 {
		t.Errorf("bits used: %x, %x", or64, or32)
	}
}

// TestUniformExcludesHi: the sum lo + (hi-lo)·u may round to hi, the result may not.
func TestUniformExcludesHi(t *testing.T) {
	tests := []struct{ lo, hi, most float64 }{
		{0, 1, 1 - 0x1p-53},
		{1, 2, 2 - 0x1p-52},
		{1, 1 + 0x1p-52, 1},
		{-1, 0, -0x1p-53},
		{1e300, 1.5e300, math.Nextafter(1.5e300, 0)},
		{5, 5, 5},
		{0, 5e-324, 0},
		{-5e-324, 0, -5e-324},
	}
	for _, tt := range tests {
		u := newUniform(tt.lo, tt.hi)
		if got := at(u, math.MaxUint64); got > tt.most {
			t.Errorf("from %v to %v: the highest word gives %v", tt.lo, tt.hi, got)
		}
		if got := at(u, 0); got != tt.lo {
			t.Errorf("from %v to %v: word 0 gives %v", tt.lo, tt.hi, got)
		}
	}
	v := newUniform[float32](16777215, 16777217) // hi rounds to 16777216
	if got := at(v, math.MaxUint64); got >= 16777216 {
		t.Errorf("float32: the highest word gives %v", got)
	}
}

// at returns the number that word w stands for.
func at[T nd.Float](u uniform[T], w uint64) T {
	var v [1]T
	u.convert(v[:], []uint64{w})
	return v[0]
}
