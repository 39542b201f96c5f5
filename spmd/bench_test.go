package spmd_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/spmd"
)

// million is the number of elements of the large operands.
const million = 1_000_000

// benchmark times op on n embedded ranks. setup allocates what a rank needs, so
// that buffers are warm. No rank may finish an op before rank 0 has called it.
func benchmark(b *testing.B, n, bytes int, setup func(c *spmd.Comm) (op func())) {
	b.Helper()
	spmdtest.Embedded(b)
	b.ReportAllocs()
	b.SetBytes(int64(bytes))
	var last atomic.Int64 // the number of the last op, once rank 0 knows it
	err := spmd.Run(n, func(c *spmd.Comm) error {
		op := setup(c)
		op()
		if c.Rank() != 0 {
			for i := int64(1); i != last.Load(); i++ {
				op()
			}
			return nil
		}
		calls := int64(0)
		for b.Loop() {
			op()
			calls++
		}
		last.Store(calls + 2)
		op()
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}

func BenchmarkBarrier(b *testing.B) {
	for _, n := range []int{1, 2, 4, 256} {
		b.Run(fmt.Sprintf("ranks=%d", n), func(b *testing.B) {
			benchmark(b, n, 0, func(c *spmd.Comm) func() { return c.Barrier })
		})
	}
}

func BenchmarkAllreduce(b *testing.B) {
	for _, n := range []int{1, 2, 4, 256} {
		for _, elements := range []int{1, million} {
			if n == 256 && elements > 1 {
				continue
			}
			b.Run(fmt.Sprintf("ranks=%d/n=%d", n, elements), func(b *testing.B) {
				benchmark(b, n, 8*elements, func(c *spmd.Comm) func() {
					buf := make([]float64, elements)
					return func() { spmd.Allreduce(c, buf, spmd.Sum) }
				})
			})
		}
	}
}

func BenchmarkBcast(b *testing.B) {
	benchmark(b, 2, 8*million, func(c *spmd.Comm) func() {
		buf := make([]float64, million)
		return func() { spmd.Bcast(c, buf, 0) }
	})
}

// BenchmarkAllgatherv leaves a million elements on each rank.
func BenchmarkAllgatherv(b *testing.B) {
	benchmark(b, 2, 8*million, func(c *spmd.Comm) func() {
		send, recv := make([]float64, million/2), make([]float64, million)
		counts := []int{million / 2, million / 2}
		return func() { spmd.Allgatherv(c, send, recv, counts) }
	})
}

// BenchmarkAlltoallv exchanges a million elements in all, as a resplit does.
func BenchmarkAlltoallv(b *testing.B) {
	for _, n := range []int{2, 4} {
		b.Run(fmt.Sprintf("ranks=%d", n), func(b *testing.B) {
			benchmark(b, n, 8*million, func(c *spmd.Comm) func() {
				counts := make([]int, n)
				for r := range counts {
					counts[r] = million / n / n
				}
				send, recv := make([]float64, million/n), make([]float64, million/n)
				return func() { spmd.Alltoallv(c, send, counts, recv, counts) }
			})
		})
	}
}

// BenchmarkSendrecv lets two ranks exchange messages, buffered ones and one that
// is copied straight from memory to memory.
func BenchmarkSendrecv(b *testing.B) {
	for _, elements := range []int{1, 512, 1 << 17} {
		b.Run(fmt.Sprintf("n=%d", elements), func(b *testing.B) {
			benchmark(b, 2, 8*elements, func(c *spmd.Comm) func() {
				send, recv := make([]float64, elements), make([]float64, elements)
				peer := 1 - c.Rank()
				return func() { spmd.Sendrecv(c, send, peer, recv, peer, 0) }
			})
		})
	}
}

// BenchmarkIallreduce posts a reduction of one number and waits for it.
func BenchmarkIallreduce(b *testing.B) {
	benchmark(b, 2, 8, func(c *spmd.Comm) func() {
		buf := make([]float64, 1)
		return func() { spmd.Iallreduce(c, buf, spmd.Sum).Wait() }
	})
}
