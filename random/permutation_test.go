package random

import (
	"math"
	"slices"
	"testing"
)

// TestPermutationParts: any part of it is that part of the whole, which has each
// number once.
func TestPermutationParts(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 5, 100, 1023, 1024, 1025, 5000, 70001} {
		s := stream{key: 8, draw: uint64(n)}
		whole := permutation(s, n, 0, n)
		seen := make([]bool, n)
		for _, e := range whole {
			if seen[e] {
				t.Fatalf("n=%d: %d appears twice", n, e)
			}
			seen[e] = true
		}
		if len(whole) != n {
			t.Fatalf("n=%d: %d numbers", n, len(whole))
		}
		for _, parts := range []int{2, 3, 7} {
			for p := range parts {
				lo, hi := p*n/parts, (p+1)*n/parts
				if got := permutation(s, n, lo, hi); !slices.Equal(got, whole[lo:hi]) {
					t.Fatalf("n=%d: elements %d to %d are not those of the whole", n, lo, hi)
				}
			}
		}
	}
}

// TestPermutationUniform: all orders of a few numbers are equally likely.
func TestPermutationUniform(t *testing.T) {
	for n, seeds := range map[int]uint64{2: 20000, 3: 20000, 4: 50000, 5: 50000} {
		orders := 1
		for k := 2; k <= n; k++ {
			orders *= k
		}
		counts := make([]int, orders)
		for seed := range seeds {
			p := permutation(stream{key: seed}, n, 0, n)
			rank := 0 // of p in lexicographic order
			for i := range p {
				smaller := 0
				for _, e := range p[i+1:] {
					if e < p[i] {
						smaller++
					}
				}
				rank = rank*(n-i) + smaller
			}
			counts[rank]++
		}
		checkChi2(t, counts)
	}
}

// TestLargePermutation looks at what a permutation made of buckets could get
// wrong: where a number goes, who its neighbour is, how many stay, the parity.
func TestLargePermutation(t *testing.T) {
	const n, seeds = 5000, 600
	places, neighbours := make([]int, 25*25), make([]int, 100)
	fixed, odd := 0, 0
	for seed := range uint64(seeds) {
		p := permutation(stream{key: seed}, n, 0, n)
		next := -1
		for i, e := range p {
			places[i*25/n*25+int(e)*25/n]++
			if int(e) == i {
				fixed++
			}
			if i > 0 {
				d := (int(e-p[i-1]) + n) % n // uniform over 1 … n-1
				neighbours[(d-1)*100/(n-1)]++
			}
		}
		seen := make([]bool, n)
		cycles := 0
		for i := range p {
			if seen[i] {
				continue
			}
			cycles++
			for next = i; !seen[next]; next = int(p[next]) {
				seen[next] = true
			}
		}
		odd += (n - cycles) % 2
	}
	checkChi2(t, neighbours)
	// Each permutation puts n/25 numbers in each row and column, so chi-square
	// of the table has (25-1)² degrees of freedom, and a little over 1 of variance.
	chi2, want := 0.0, float64(seeds)*n/625
	for _, c := range places {
		chi2 += (float64(c) - want) * (float64(c) - want) / want
	}
	if k := 24.0 * 24; math.Abs(chi2-k) > 6*math.Sqrt(2*k) {
		t.Errorf("places of numbers: chi-square %v for %v degrees of freedom", chi2, k)
	}
	if math.Abs(float64(fixed)-seeds) > 5*math.Sqrt(seeds) {
		t.Errorf("%d fixed points in %d permutations, want one each", fixed, seeds)
	}
	if math.Abs(float64(odd)-seeds/2) > 5*math.Sqrt(seeds)/2 {
		t.Errorf("%d of %d permutations are odd", odd, seeds)
	}
}

func TestBucketBits(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1023: 0, 1024: 1, 1 << 20: 11, 1 << 25: 16, 1 << 26: 16, math.MaxInt: 16} {
		if got := bucketBits(n); got != want {
			t.Errorf("bucketBits(%d) = %d, want %d", n, got, want)
		}
	}
}

// TestPermutationStays: programs rely on a seed's permutation, bucket by bucket.
func TestPermutationStays(t *testing.T) {
	tests := []struct {
		n    int
		want []int64 // the first elements of seed 42
	}{
		{10, []int64{5, 7, 3, 1, 9}},
		{5000, []int64{4143, 4586, 4261, 3000, 3778}},
		{70001, []int64{64260, 59213, 61260, 47362, 415}},
	}
	for _, tt := range tests {
		if got := permutation(stream{key: 42}, tt.n, 0, 5); !slices.Equal(got, tt.want) {
			t.Errorf("n=%d: %v, want %v", tt.n, got, tt.want)
		}
	}
}
