package keysort

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func BenchmarkSort(b *testing.B) {
	const n = 1_000_000
	r := rand.New(rand.NewPCG(1, 2))
	x, y, tmp := make([]uint64, n), make([]uint64, n), make([]uint64, n)
	x4, y4, tmp4 := make([]uint32, n), make([]uint32, n), make([]uint32, n)
	for i := range x {
		x[i], x4[i] = r.Uint64(), r.Uint32()
	}
	for _, row := range []struct {
		name   string
		vector bool
		do     func()
	}{
		{"slices", false, func() { copy(y, x); slices.Sort(y) }},
		{"uint64", true, func() { copy(y, x); Sort(y, tmp, 1) }},
		{"uint64/workers=2", true, func() { copy(y, x); Sort(y, tmp, 2) }},
		{"uint32", true, func() { copy(y4, x4); Sort(y4, tmp4, 1) }},
		{"uint32/workers=2", true, func() { copy(y4, x4); Sort(y4, tmp4, 2) }},
		{"select", true, func() { copy(y, x); Select(y, tmp, []int{n / 2, n/2 + 1}) }},
	} {
		b.Run(row.name, func(b *testing.B) {
			if row.vector && !Vectors {
				b.Skip("no AVX-512")
			}
			for b.Loop() {
				row.do()
			}
		})
	}
}
