package random

import (
	"math"
	"testing"

	"caloric/nd"
	"caloric/spmd"
)

// TestQuantile compares with quantiles computed to 50 digits (mpmath 1.3.0).
func TestQuantile(t *testing.T) {
	tests := []struct {
		w    uint64
		want float64
	}{
		{0x0000000000000000, 6.7942295524213059625e-20},
		{0x0000000000000001, 2.0382688657263917887e-19},
		{0x0000000000100000, 1.4248538888548999063e-13},
		{0x0000010000000000, 1.4940668789339957897e-7},
		{0x4000000000000000, 0.67448975019608174329},
		{0x6000000000000000, 1.1503493803760081784},
		{0x6b851eb851eb8400, 1.4050715603096324516}, // on either side of the change of formula
		{0x6e147ae147ae1400, 1.4757910281791706858},
		{0x7333333333333400, 1.6448536269514728228},
		{0x7ff972474538f000, 3.7190164854557084552},
		{0x7fffff0000000000, 5.2947040848546811615},
		{0x7ffffffff0000000, 6.6510353801671203384}, // on either side of the next
		{0x7ffffffff8000000, 6.7523004319473414031},
		{0x7ffffffffffffc00, 8.2924191516246561114},
		{0x7ffffffffffffffe, 9.0359188485719379718},
		{0x7fffffffffffffff, 9.155293772686072546},
	}
	for _, tt := range tests {
		got := quantile(tt.w)
		if e := math.Abs(got/tt.want - 1); e > 1e-15 {
			t.Errorf("quantile(%#x) = %v, want %v: relative error %v", tt.w, got, tt.want, e)
		}
		if mirrored := quantile(^tt.w); mirrored != -got {
			t.Errorf("quantile(%#x) = %v, want %v", ^tt.w, mirrored, -got)
		}
	}
}

// TestQuantileInvertsErfc: the probability beyond the quantile, by the standard
// library's error function, is the word's. An error dz in z changes it by z·dz.
func TestQuantileInvertsErfc(t *testing.T) {
	prev := 0.0
	for w := uint64(1); w < 1<<63; w += w/97 + 1 {
		p := (float64(w) + 0.5) * 0x1p-64 // of the tail
		z := quantile(1<<63 - 1 - w)
		if got := math.Erfc(z/math.Sqrt2) / 2; math.Abs(got/p-1) > 1e-15*(1+z*z) {
			t.Fatalf("the tail of %v is %v, want %v: relative error %v", z, got, p, got/p-1)
		}
		if prev != 0 && z > prev {
			t.Fatalf("a larger tail than %v's has quantile %v", prev, z)
		}
		prev = z
	}
}

func TestNormalDistribution(t *testing.T) {
	x := draw(t, 100000, func(c *spmd.Comm, shape nd.Shape) *nd.NDArray[float64] { return Normal(New(4), c, shape, 0, 2.0, 3) })
	checkMoments(t, x, 2, 9, 3)
	checkKS(t, x, func(e float64) float64 { return math.Erfc(-(e-2)/3/math.Sqrt2) / 2 })
	third := 0.0
	for _, e := range x {
		z := (e - 2) / 3
		third += z * z * z / float64(len(x))
	}
	if e := 5 * math.Sqrt(15/float64(len(x))); math.Abs(third) > e {
		t.Errorf("third moment %v, want 0 ± %v", third, e)
	}
	y := draw(t, 100000, func(c *spmd.Comm, shape nd.Shape) *nd.NDArray[float32] {
		return Normal[float32](New(4), c, shape, 0, 2, 3)
	})
	for i := range y {
		if y[i] != float32(x[i]) {
			t.Fatalf("float32 %v is not float64 %v rounded", y[i], x[i])
		}
	}
}

func TestNormalWithoutSpread(t *testing.T) {
	for _, e := range draw(t, 9, func(c *spmd.Comm, shape nd.Shape) *nd.NDArray[float64] { return Normal(New(4), c, shape, 0, 2.5, 0) }) {
		if e != 2.5 {
			t.Errorf("element %v", e)
		}
	}
}
