package nd

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"caloric/internal/keysort"
	"caloric/internal/spmdtest"
	"caloric/split"
	"caloric/spmd"
)

// TestSortAcross sorts arrays that are large enough for guessed splitters, whose values
// are hard on them, against a sort on one rank.
func TestSortAcross(t *testing.T) {
	const n = 50000
	r := rand.New(rand.NewPCG(5, 6))
	for _, row := range []struct {
		name string
		of   func(i int) float64
	}{
		{"normal", func(int) float64 { return r.NormFloat64() }},
		{"one value", func(int) float64 { return 3 }},
		{"few values", func(int) float64 { return float64(r.IntN(5)) }},
		{"zeros, NaN", func(int) float64 {
			return []float64{math.Copysign(0, -1), 0, math.NaN(), math.Inf(1), 1}[r.IntN(5)]
		}},
		{"sorted", func(i int) float64 { return float64(i) }},
		{"falling", func(i int) float64 { return -float64(i) }},
		{"periodic", func(i int) float64 { return float64(i % 97) }},
		{"one other", func(i int) float64 { return float64(i / (n - 1)) }},
	} {
		x := make([]float64, n)
		for i := range x {
			x[i] = row.of(i)
		}
		sorted := func(step, first int) (out []float64) {
			for i := first; i < n; i += step {
				out = append(out, x[i])
			}
			slices.SortFunc(out, func(a, b float64) int { return cmp.Compare(key64(a, 0), key64(b, 0)) })
			return out
		}
		whole, lanes := [][]float64{sorted(1, 0)}, [][]float64{sorted(2, 0), sorted(2, 1)}
		spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
			counts := make([]int, c.Size())
			counts[c.Size()-1] = n
			for i := 0; i < c.Size()-1; i += 2 { // ranks 1, 3, … have none
				counts[i] = n / (2 * c.Size())
				counts[c.Size()-1] -= counts[i]
			}
			a := FromSlice(c, x, Shape{n}, 0)
			for _, a := range []*NDArray[float64]{a, a.MoveTo(split.WithCounts(Shape{n}, 0, counts)), a.Reshape(n/2, 2)} {
				got, want := Sort(a, 0), whole
				if a.NDim() == 2 {
					want = lanes
				}
				if !got.Layout().Balanced() {
					t.Fatalf("%s: the result lies as %v", row.name, got.Layout())
				}
				lo, _ := got.Layout().Range(c.Rank())
				for i, v := range got.Local() {
					w := want[i%len(want)][lo+i/len(want)]
					if math.Float64bits(v) != math.Float64bits(w) {
						t.Fatalf("%s, %v: local element %d is %v, want %v", row.name, a.Layout(), i, v, w)
					}
				}
			}
		})
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestOrderStats checks places, counts and this rank's counts against sorted keys.
func TestOrderStats(t *testing.T) {
	const n = 60000
	r := rand.New(rand.NewPCG(9, 10))
	keys := make([]uint64, n)
	for _, top := range []uint64{1, 7, 1 << 10, 1 << 62} {
		for i := range keys {
			keys[i] = r.Uint64N(top)
		}
		sorted := slices.Sorted(slices.Values(keys))
		spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
			l := split.Block(Shape{n}, 0, c.Size())
			lo, hi := l.Range(c.Rank())
			mine := slices.Clone(keys[lo:hi])
			kit := wordKeys[uint64]{}
			for _, want := range [][]int64{{0}, {n - 1}, {n / 2, n/2 + 1}, {5, n / 3, n / 3 * 2, n - 2}} {
				found := orderStats(c, kit, [][]uint64{mine}, []int64{n}, [][]int64{want}, l.Counts())
				for j, s := range found[0] {
					here, equal := 0, 0
					for _, k := range mine {
						here += boolInt(k < s.key)
						equal += boolInt(k == s.key)
					}
					if s.key != sorted[want[j]] || s.below != int64(kit.below(sorted, s.key)) || s.here != here || s.equal != equal {
						t.Fatalf("place %d has %+v, want %d, of this rank's %d less and %d equal", want[j], s, sorted[want[j]], here, equal)
					}
				}
			}
		})
	}
}

// TestKits checks what the kits do to keys against definitions, with and without
// vector instructions.
func TestKits(t *testing.T) {
	vectors := keysort.Vectors
	defer func() { keysort.Vectors = vectors }()
	for _, keysort.Vectors = range []bool{false, vectors} {
		testKit(t, wordKeys[uint8]{}, func(v int) uint8 { return uint8(v) })
		testKit(t, wordKeys[uint16]{}, func(v int) uint16 { return uint16(v) })
		testKit(t, wordKeys[uint32]{}, func(v int) uint32 { return uint32(v) })
		testKit(t, wordKeys[uint64]{}, func(v int) uint64 { return uint64(v) << 40 })
		testKit(t, wideKeys{}, func(v int) complex128 { return wideKey(uint64(v/16), uint64(v%16)<<50) })
	}
}

func testKit[K Element](t *testing.T, kit keyKit[K], key func(int) K) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 60 {
		n := r.IntN(1 << r.IntN(13))
		values, keys := make([]int, n), make([]K, n)
		for i := range values {
			values[i] = r.IntN(200)
			keys[i] = key(values[i])
		}
		sortedKeys := func(values []int) string {
			k := []K{}
			for _, v := range slices.Sorted(slices.Values(values)) {
				k = append(k, key(v))
			}
			return fmt.Sprint(k)
		}
		inOrder := func(k []K) string {
			k = slices.Clone(k)
			kit.sort(k, make([]K, len(k)), 1)
			return fmt.Sprint(append([]K{}, k...))
		}
		lo := r.IntN(200)
		hi := lo + r.IntN(200-lo)
		var less, in, other []int
		for _, v := range values {
			if v < lo {
				less = append(less, v)
				continue
			}
			other = append(other, v)
			if v <= hi {
				in = append(in, v)
			}
		}
		if got, below := kit.between(nil, keys, key(lo), key(hi)); below != len(less) || inOrder(got) != sortedKeys(in) {
			t.Fatalf("%T: between has %d and %d of %d, want %d and %d", kit, below, len(got), n, len(less), len(in))
		}
		x, y := slices.Clone(keys), make([]K, n)
		m := kit.partition(x, y, key(lo))
		if m != len(less) || inOrder(x[:m]) != sortedKeys(less) || inOrder(y[:n-m]) != sortedKeys(other) {
			t.Fatalf("%T: partition has %d of %d, want %d", kit, m, n, len(less))
		}
		x = slices.Clone(keys)
		equal := kit.upTo([]K{}, key(lo))
		for _, v := range values {
			equal += boolInt(v == lo)
		}
		back := r.IntN(equal + 1)
		kit.backward(x, key(lo), back)
		if inOrder(x) != sortedKeys(values) || inOrder(x[n-back:]) != sortedKeys(slices.Repeat([]int{lo}, back)) {
			t.Fatalf("%T: %d of %d keys are not at the end", kit, back, n)
		}
		x, y = make([]K, n), make([]K, n)
		kit.sortCollected(x, y, kit.collect(x, y, [][]K{keys[:n/3], keys[n/3 : n/2], keys[n/2:]}), 2)
		if fmt.Sprint(append([]K{}, x...)) != sortedKeys(values) {
			t.Fatalf("%T: %d collected keys are out of order", kit, n)
		}
	}
}
