package keysort

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// patterns are orders of keys that are hard on a quicksort.
var patterns = []struct {
	name string
	of   func(r *rand.Rand, i, n int) uint64
}{
	{"random", func(r *rand.Rand, _, _ int) uint64 { return r.Uint64() }},
	{"few values", func(r *rand.Rand, _, _ int) uint64 { return uint64(r.IntN(3)) << 30 }},
	{"extremes", func(r *rand.Rand, _, _ int) uint64 { return -uint64(r.IntN(2)) }},
	{"one value", func(*rand.Rand, int, int) uint64 { return 7 }},
	{"largest", func(*rand.Rand, int, int) uint64 { return math.MaxUint64 }},
	{"sorted", func(_ *rand.Rand, i, _ int) uint64 { return uint64(i) << 20 }},
	{"falling", func(_ *rand.Rand, i, _ int) uint64 { return uint64(-i) }},
	{"saw", func(_ *rand.Rand, i, _ int) uint64 { return uint64(i%97) << 32 >> 3 }},
	{"organ pipe", func(_ *rand.Rand, i, n int) uint64 { return uint64(min(i, n-i)) }},
	{"one other", func(_ *rand.Rand, i, n int) uint64 { return uint64(i/(n-1)) + math.MaxUint32 }},
}

func lengths() []int {
	var n []int
	for i := range 300 {
		n = append(n, i)
	}
	return append(n, 1000, 1023, 1024, 1025, 4099, 20000, 2*grain+77)
}

func TestSort(t *testing.T) {
	if !Vectors {
		t.Skip("no AVX-512")
	}
	testSort[uint64](t)
	testSort[uint32](t)
}

func testSort[K Key](t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, p := range patterns {
		for _, n := range lengths() {
			x := make([]K, n+1)
			for i := range x[:n] {
				x[i] = K(p.of(r, i, max(n, 2)))
			}
			x[n] = 12345
			want := slices.Clone(x)
			slices.Sort(want[:n])
			for _, workers := range []int{1, 3} {
				y, tmp := slices.Clone(x), make([]K, n+1)
				Sort(y[:n], tmp[:n], workers)
				if !slices.Equal(y, want) || tmp[n] != 0 {
					t.Fatalf("%T, %s: %d keys by %d workers are out of order", x[0], p.name, n, workers)
				}
			}
			if n == 0 {
				continue
			}
			at := []int{r.IntN(n), r.IntN(n), r.IntN(n)}
			slices.Sort(at)
			y := slices.Clone(x)
			Select(y[:n], make([]K, n), at)
			for _, i := range at {
				if y[i] != want[i] || i > 0 && slices.Max(y[:i]) > y[i] || slices.Min(y[i:n]) < y[i] {
					t.Fatalf("%T, %s: position %d of %d has %d, want %d", x[0], p.name, i, n, y[i], want[i])
				}
			}
			slices.Sort(y[:n])
			if !slices.Equal(y, want) {
				t.Fatalf("%T, %s: Select of %d loses keys", x[0], p.name, n)
			}
		}
	}
}

// TestParts checks what sorts in several parts are made of, against loops.
func TestParts(t *testing.T) {
	if !Vectors {
		t.Skip("no AVX-512")
	}
	testParts[uint64](t)
	testParts[uint32](t)
}

func testParts[K Key](t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, p := range patterns {
		for _, n := range append([]int{0, 1, 7, 8, 9, 16, 31, 64, 129, 300, 1000, 5000}, 2*grain+77, 4*grain) {
			x := make([]K, n)
			for i := range x {
				x[i] = K(p.of(r, i, max(n, 2)))
			}
			want := slices.Sorted(slices.Values(x))
			lo, hi := K(r.Uint64()), K(r.Uint64())
			if n > 0 {
				lo, hi = x[r.IntN(n)], x[r.IntN(n)]
			}
			lo, hi = min(lo, hi), max(lo, hi)
			below, within := 0, []K(nil)
			for _, k := range x {
				if k < lo {
					below++
				} else if k <= hi {
					within = append(within, k)
				}
			}
			dst := make([]K, n+1)
			if less, in := Between(dst[:n], x, lo, hi); less != below || !slices.Equal(dst[:in], within) || dst[n] != 0 {
				t.Fatalf("%T, %s: %d of %d keys are below, %d between, want %d and %d", lo, p.name, less, n, in, below, len(within))
			}
			y, tmp := slices.Clone(x), make([]K, n)
			less := Partition(y, tmp, lo)
			got := slices.Concat(y[:less], tmp[:n-less])
			if less != below || less > 0 && slices.Max(y[:less]) >= lo || less < n && slices.Min(tmp[:n-less]) < lo {
				t.Fatalf("%T, %s: %d of %d keys are less, want %d", lo, p.name, less, n, below)
			}
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Fatalf("%T, %s: Partition of %d loses keys", lo, p.name, n)
			}
			var parts [][]K
			for rest := x; ; {
				m := r.IntN(len(rest) + 1)
				parts, rest = append(parts, rest[:m]), rest[m:]
				if len(parts) == 4 {
					parts = append(parts, rest)
					break
				}
			}
			given := slices.Clone(x)
			for _, workers := range []int{1, 3} {
				y, tmp := make([]K, n+1), make([]K, n+1)
				SortCollected(y[:n], tmp[:n], Collect(y[:n], tmp[:n], parts), workers)
				if !slices.Equal(y[:n], want) || y[n] != 0 || tmp[n] != 0 || !slices.Equal(x, given) {
					t.Fatalf("%T, %s: parts of %d keys are sorted wrong by %d workers", lo, p.name, n, workers)
				}
			}
		}
	}
}

// TestBadPivots checks what is done when the depth is used up.
func TestBadPivots(t *testing.T) {
	if !Vectors {
		t.Skip("no AVX-512")
	}
	r := rand.New(rand.NewPCG(3, 4))
	x, tmp := make([]uint64, 5000), make([]uint64, 5000)
	for _, inY := range []bool{false, true} {
		for depth := range 8 {
			for i := range x {
				x[i] = r.Uint64()
			}
			want := slices.Sorted(slices.Values(x))
			got := x
			if inY {
				got = tmp
			}
			if sortTo(x, tmp, inY, depth, 1); !slices.Equal(got, want) {
				t.Errorf("depth %d: out of order", depth)
			}
		}
	}
}

// TestFloats checks keys of numbers against their definition.
func TestFloats(t *testing.T) {
	if !Vectors {
		t.Skip("no AVX-512")
	}
	r := rand.New(rand.NewPCG(5, 6))
	inf, minus := math.Inf(1), math.Copysign(0, -1)
	for n := range 40 {
		x := append([]float64{inf, -inf, math.NaN(), 0, minus, 1, -1, 5e-324, -5e-324, math.MaxFloat64, -math.NaN()}, make([]float64, n)...)
		for i := 11; i < len(x); i++ {
			x[i] = math.Float64frombits(r.Uint64())
		}
		x4 := make([]float32, len(x))
		for i, v := range x {
			x4[i] = float32(v)
		}
		for _, equalZeros := range []bool{false, true} {
			for _, descending := range []bool{false, true} {
				k, y := make([]uint64, len(x)+1), make([]float64, len(x)+1)
				Encode64(k, x, equalZeros, descending)
				Decode64(y, k[:len(x)], descending)
				k4, y4 := make([]uint32, len(x)+1), make([]float32, len(x)+1)
				Encode32(k4, x4, equalZeros, descending)
				Decode32(y4, k4[:len(x)], descending)
				if k[len(x)] != 0 || y[len(x)] != 0 || k4[len(x)] != 0 || y4[len(x)] != 0 {
					t.Fatal("more is written than there is")
				}
				for i, v := range x {
					back, back4 := v, x4[i]
					if equalZeros {
						back, back4 = back+0, back4+0
					}
					if v != v {
						back, back4 = math.NaN(), float32(math.NaN())
					}
					if math.Float64bits(y[i]) != math.Float64bits(back) || math.Float32bits(y4[i]) != math.Float32bits(back4) {
						t.Fatalf("%v becomes %v and %v", v, y[i], y4[i])
					}
					for j, w := range x {
						less, less4 := v < w, x4[i] < x4[j]
						if descending {
							less, less4 = v > w, x4[i] > x4[j]
						}
						if v == 0 && w == 0 && !equalZeros {
							less = math.Signbit(v) != math.Signbit(w) && math.Signbit(v) != descending
						}
						if x4[i] == 0 && x4[j] == 0 && !equalZeros {
							less4 = math.Signbit(v) != math.Signbit(w) && math.Signbit(v) != descending
						}
						less, less4 = less || v == v && w != w, less4 || v == v && w != w
						if (k[i] < k[j]) != less || (k4[i] < k4[j]) != less4 {
							t.Fatalf("the order of the keys of %v and %v is wrong", v, w)
						}
					}
				}
			}
		}
	}
}
