package nd

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"caloric/internal/keysort"
)

// TestSortVectors checks the two ways to sort and to make keys against each other.
func TestSortVectors(t *testing.T) {
	if !keysort.Vectors {
		t.Skip("no vector instructions")
	}
	defer func() { keysort.Vectors = true }()
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 5, 63, 64, 65, 400, 5000} {
		x := make([]float64, n)
		for i := range x {
			x[i] = math.Float64frombits(r.Uint64())
			switch r.IntN(9) {
			case 0:
				x[i] = math.Copysign(0, float64(r.IntN(2))-0.5)
			case 1:
				x[i] = float64(r.IntN(3)) / 0
			}
		}
		for c := range coding(8) {
			var keys [2][]uint64
			var keys4 [2][]uint32
			for i := range 2 {
				keysort.Vectors = i == 0
				keys[i], keys4[i] = make([]uint64, n), make([]uint32, n)
				float64Coder{}.encode(keys[i], x, c)
				x4 := make([]float32, n)
				for j, v := range x {
					x4[j] = float32(v)
				}
				float32Coder{}.encode(keys4[i], x4, c)
				radixSort(keys[i], make([]uint64, n), 2)
				radixSort(keys4[i], make([]uint32, n), 2)
				y, y4 := make([]float64, n), make([]float32, n)
				float64Coder{}.decode(y, keys[i], c)
				float32Coder{}.decode(y4, keys4[i], c)
				for j, v := range y { // keys of what has been decoded
					keys[i] = append(keys[i], math.Float64bits(v))
					keys4[i] = append(keys4[i], math.Float32bits(y4[j]))
				}
			}
			if !slices.Equal(keys[0], keys[1]) || !slices.Equal(keys4[0], keys4[1]) {
				t.Fatalf("%d keys by coding %d differ", n, c)
			}
		}
		keys := make([]uint64, n)
		float64Coder{}.encode(keys, x, 0)
		want := slices.Sorted(slices.Values(keys))
		for i := range 2 {
			keysort.Vectors = i == 0
			for k := 0; k < n; k += 1 + n/10 {
				y := slices.Clone(keys)
				if selectKeys(y, []int{k}); y[k] != want[k] {
					t.Fatalf("position %d of %d has %d, want %d", k, n, y[k], want[k])
				}
			}
		}
	}
}

func TestMergeRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		var k []uint16
		var runs []int
		top := 1 + r.IntN(1<<r.IntN(16))
		for range r.IntN(manyRuns + 3) {
			n := r.IntN(1 << r.IntN(9))
			run := make([]uint16, n)
			for i := range run {
				run[i] = uint16(r.IntN(top))
			}
			slices.Sort(run)
			k, runs = append(k, run...), append(runs, n)
		}
		want := slices.Sorted(slices.Values(k))
		given := slices.Clone(runs)
		mergeRuns(k, make([]uint16, len(k)), runs, 1)
		if !slices.Equal(k, want) || !slices.Equal(runs, given) {
			t.Fatalf("runs of %d keys are not merged in order", runs)
		}
		if got, want := (wordKeys[uint16]{}).distinct(k), slices.Compact(want); !slices.Equal(got, want) {
			t.Fatalf("%d different keys, want %d", len(got), len(want))
		}
	}
}
