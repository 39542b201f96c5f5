package dft

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"sync"
	"testing"

	"gonum.org/v1/gonum/dsp/fourier"
)

func noise(n int) []complex128 {
	r := rand.New(rand.NewPCG(uint64(n), 1))
	x := make([]complex128, n)
	for i := range x {
		x[i] = complex(r.NormFloat64(), r.NormFloat64())
	}
	return x
}

// slow is the transform by its definition.
func slow(x []complex128, inverse bool) []complex128 {
	y := make([]complex128, len(x))
	for k := range y {
		for j, v := range x {
			w := Root(j*k%len(x), len(x))
			if inverse {
				w = conj(w)
			}
			y[k] += v * w
		}
	}
	return y
}

func norm(x []complex128) float64 {
	s := 0.0
	for _, v := range x {
		s += real(v)*real(v) + imag(v)*imag(v)
	}
	return math.Sqrt(s)
}

func wantNear(t *testing.T, what string, got, want []complex128, tolerance float64) {
	t.Helper()
	d := make([]complex128, len(got))
	for i := range d {
		d[i] = got[i] - want[i]
	}
	if e := norm(d) / max(norm(want), math.SmallestNonzeroFloat64); !(e <= tolerance) {
		t.Errorf("%s is off by %.2g of its norm", what, e)
	}
}

func TestLines(t *testing.T) {
	lengths := []int{}
	for n := 1; n <= 150; n++ {
		lengths = append(lengths, n)
	}
	for _, n := range append(lengths, 243, 256, 257, 343, 480, 509, 512, 625, 961, 1009, 1331, 1024, 2*509, 3*337) {
		x := noise(n)
		p := Get(n)
		for _, inverse := range []bool{false, true} {
			want := slow(x, inverse)
			for name, f := range map[string]transform{"plan": p.t, "direct": direct{fourier.NewCmplxFFT(n)}, "chirp": newChirp(n), "pair": newPair(pairOf(n))} {
				y := append([]complex128(nil), x...)
				f.run(y, inverse)
				wantNear(t, fmt.Sprintf("%s of %d, inverse %v,", name, n, inverse), y, want, 5e-15)
			}
		}
		p.Release()
	}
}

func pairOf(n int) (int, int) {
	n1, n2 := Halves(n)
	return n2, n1
}

func TestRealLines(t *testing.T) {
	for n := 1; n <= 130; n++ {
		z := noise(n)
		x := make([]float64, n)
		for i := range x {
			x[i] = real(z[i])
			z[i] = complex(x[i], 0)
		}
		want := slow(z, false)[:n/2+1]
		for name, p := range map[string]*RealPlan{
			"plan": newRealPlan(n), "whole": {n: n, whole: newPlan(n), line: make([]complex128, n)},
		} {
			got := make([]complex128, n/2+1)
			p.Forward(got, x)
			wantNear(t, fmt.Sprintf("%s of %d", name, n), got, want, 5e-15)
			// What must be ignored is.
			got[0] += 3i
			if n%2 == 0 {
				got[n/2] += 5i
			}
			back := make([]float64, n)
			p.Backward(back, got)
			for i := range back {
				if math.Abs(back[i]/float64(n)-x[i]) > 5e-14 {
					t.Fatalf("%s of %d and back: %v, want %v", name, n, back[i]/float64(n), x[i])
				}
			}
		}
	}
}

// Lengths with more factors than gonum's plans have room for, and a large prime.
func TestLongLines(t *testing.T) {
	for _, n := range []int{1594323 * 3, 10007, 65537, 1 << 17} {
		x := noise(n)
		y := append([]complex128(nil), x...)
		p := Get(n)
		p.Forward(y)
		if a, b := norm(y), norm(x)*math.Sqrt(float64(n)); math.Abs(a/b-1) > 1e-13 {
			t.Errorf("%d: norm is %v, want %v", n, a, b)
		}
		k := n / 3
		var want complex128
		for j, v := range x {
			want += v * Root(int(uint64(j)*uint64(k)%uint64(n)), n)
		}
		if cmplx.Abs(y[k]-want) > 1e-12*norm(y)/10 {
			t.Errorf("%d: coefficient %d is %v, want %v", n, k, y[k], want)
		}
		p.Backward(y)
		for i := range y {
			y[i] /= complex(float64(n), 0)
		}
		wantNear(t, fmt.Sprint(n, " and back"), y, x, 1e-14)
		p.Release()
	}
}

func TestRootsAndChirps(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 7, 8, 12, 100, 1 << 20, 1000003} {
		r := NewRoots(n)
		for k := 0; k < n; k += 1 + n/1000 {
			want := cmplx.Rect(1, -2*math.Pi*float64(k)/float64(n))
			if cmplx.Abs(Root(k, n)-want) > 2e-15 || cmplx.Abs(r.At(k)-want) > 2e-15 {
				t.Fatalf("root %d of %d: %v, %v, want %v", k, n, Root(k, n), r.At(k), want)
			}
		}
	}
	for k, want := range []complex128{1, -1i, -1, 1i} {
		if Root(k, 4) != want {
			t.Errorf("root %d of 4 is %v", k, Root(k, 4))
		}
	}
	// exp(-πi k²/n) is 1 where 2n divides k².
	if w := Chirp(6000000, 1000000); w != 1 {
		t.Errorf("chirp is %v", w)
	}
}

func TestFactors(t *testing.T) {
	for _, c := range []struct{ n, largest, count, smooth, n1 int }{
		{1, 1, 0, 1, 1}, {2, 2, 1, 2, 1}, {8, 2, 2, 8, 2}, {7, 7, 1, 8, 1}, {12, 3, 2, 12, 3}, {1009, 1009, 1, 1024, 1},
		{36, 3, 3, 36, 6}, {2 * 509, 509, 2, 1024, 2}, {1 << 27, 2, 14, 1 << 27, 1 << 13}, {61, 61, 1, 64, 1}, {97, 97, 1, 100, 1}, {127, 127, 1, 128, 1},
	} {
		largest, count := factors(c.n)
		n1, n2 := Halves(c.n)
		if largest != c.largest || count != c.count || Smooth(c.n) != c.smooth || n1 != c.n1 || n1*n2 != c.n {
			t.Errorf("%d: %d %d %d %d %d, want %v", c.n, largest, count, Smooth(c.n), n1, n2, c)
		}
	}
}

// Plans of one length are used by many goroutines at once.
func TestPlansAreSafe(t *testing.T) {
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 40 {
				n := 30 + i%4
				p := Get(n)
				x := noise(n)
				y := append([]complex128(nil), x...)
				p.Forward(y)
				want := slow(x, false)
				wantNear(t, "line", y, want, 5e-15)
				p.Release()
			}
		})
	}
	wg.Wait()
}

// BenchmarkCrossover compares the ways to transform lengths with a prime factor p.
func BenchmarkCrossover(b *testing.B) {
	for _, n := range []int{23, 31, 37, 41, 43, 47, 53, 61, 97, 23 * 32, 31 * 32, 37 * 32, 43 * 32, 53 * 32, 61 * 32, 97 * 32, 37 * 512, 43 * 512, 53 * 512, 29 * 29, 37 * 37, 43 * 43} {
		x := noise(n)
		for _, k := range []struct {
			name string
			t    transform
		}{{"direct", direct{fourier.NewCmplxFFT(n)}}, {"chirp", newChirp(n)}} {
			b.Run(fmt.Sprintf("%d/%s", n, k.name), func(b *testing.B) {
				for range b.N {
					k.t.run(x, false)
				}
			})
		}
	}
}

// BenchmarkLong compares a long line at once with a line in two steps.
func BenchmarkLong(b *testing.B) {
	for _, n := range []int{1 << 14, 1 << 16, 1 << 18, 1 << 20} {
		x := noise(n)
		n1, n2 := Halves(n)
		for _, k := range []struct {
			name string
			t    transform
		}{{"direct", direct{fourier.NewCmplxFFT(n)}}, {"pair", newPair(n1, n2)}} {
			b.Run(fmt.Sprintf("%d/%s", n, k.name), func(b *testing.B) {
				for range b.N {
					k.t.run(x, false)
				}
			})
		}
	}
}
