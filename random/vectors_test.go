package random

import (
	"math"
	"testing"

	"caloric/nd"
	"caloric/spmd"
)

// TestVectors checks that words and numbers have the same bits when they are
// computed eight at a time, wherever a rank's part starts and ends.
func TestVectors(t *testing.T) {
	if !vectors {
		t.Skip("no AVX-512")
	}
	defer func() { vectors = true }()
	s := stream{key: math.MaxUint64, id: 1 << 63, draw: 3, part: 5, use: 7}
	for first := range uint64(9) {
		for n := range batch + 1 {
			var got, want [batch]uint64
			at := first + math.MaxUint32*4
			vectors = true
			s.words(&got, at, n)
			vectors = false
			s.words(&want, at, n)
			if got != want {
				t.Fatalf("%d words from %d differ", n, at)
			}
		}
	}
	sameNumbers(t, newUniform(-1.0, 3))
	sameNumbers(t, newUniform(1e300, 1e300))
	sameNumbers(t, newUniform[float32](1, 1.0000002)) // mostly rounds up to the end
	sameNumbers(t, newUniform[float32](-2, 0))
	sameNumbers(t, normal[float64]{-1, 1e-3})
	sameNumbers(t, normal[float32]{3, 2})
}

func sameNumbers[T nd.Float, K kernel[T]](t *testing.T, k K) {
	t.Helper()
	s := stream{key: 42}
	for _, n := range []int{0, 1, 7, 8, 9, 31, 200, 20011} {
		got, want := make([]T, n+1), make([]T, n+1)
		vectors = true
		k.run(got[:n], s, 3)
		vectors = false
		k.run(want[:n], s, 3)
		for i, x := range want {
			if y := got[i]; x != y || math.Signbit(float64(x)) != math.Signbit(float64(y)) {
				t.Fatalf("%T: number %d of %d is %v, want %v", k, i, n, y, x)
			}
		}
	}
}

// TestVectorsRarely checks words of the far tails, which a draw hardly has.
func TestVectorsRarely(t *testing.T) {
	if !vectors {
		t.Skip("no AVX-512")
	}
	words := []uint64{0, 1, math.MaxUint64, 1 << 63, 1<<63 - 1, 1<<63 + 1, 1 << 40, 0xD99999999999999A, 0x6CCCCCCCCCCCCC00, 0x6CCCCCCCCCCCCD00}
	for len(words)%lanes != 0 {
		words = append(words, uint64(len(words))<<59)
	}
	x := make([]float64, len(words))
	if n := (normal[float64]{0, 1}).convertVectors(x, words); n != len(words) {
		t.Fatalf("%d of %d", n, len(words))
	}
	for i, w := range words {
		if x[i] != quantile(w) {
			t.Errorf("word %x gives %v, want %v", w, x[i], quantile(w))
		}
	}
}

// BenchmarkVectors compares both ways.
func BenchmarkVectors(b *testing.B) {
	const n = 1 << 15
	for _, row := range []struct {
		name string
		do   func(g *Generator, x *nd.NDArray[float64])
	}{
		{"Uniform", func(g *Generator, x *nd.NDArray[float64]) { UniformInto(g, x, 0, 1) }},
		{"Normal", func(g *Generator, x *nd.NDArray[float64]) { NormalInto(g, x, 0, 1) }},
	} {
		for _, v := range []bool{false, vectors} {
			b.Run(row.name+map[bool]string{true: "/vectors", false: "/scalar"}[v], func(b *testing.B) {
				defer func(old bool) { vectors = old }(vectors)
				vectors = v
				benchmark(b, n, func(b *testing.B, c *spmd.Comm) {
					g, x := New(1), nd.Zeros[float64](c, nd.Shape{n}, 0)
					for b.Loop() {
						row.do(g, x)
					}
				})
			})
		}
	}
}
