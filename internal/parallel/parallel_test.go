package parallel

import (
	"sync/atomic"
	"testing"
)

func TestEach(t *testing.T) {
	for _, workers := range []int{0, 1, 2, 7} {
		for _, count := range []int{0, 1, 2, 5, 100} {
			calls := make([]atomic.Int32, count)
			Each(workers, count, func(i int) { calls[i].Add(1) })
			for i := range calls {
				if n := calls[i].Load(); n != 1 {
					t.Errorf("%d workers: %d calls for %d of %d", workers, n, i, count)
				}
			}
		}
	}
}

func TestTake(t *testing.T) {
	for _, workers := range []int{1, 3} {
		var works, sum atomic.Int32
		Take(workers, 10, func(next func() (int, bool)) {
			works.Add(1)
			for i, ok := next(); ok; i, ok = next() {
				sum.Add(int32(i))
			}
		})
		if works.Load() != int32(workers) || sum.Load() != 45 {
			t.Errorf("%d workers: called %d times, took numbers of sum %d", workers, works.Load(), sum.Load())
		}
	}
}

func TestRanges(t *testing.T) {
	for _, parts := range []int{1, 2, 3, 8} {
		for _, n := range []int{0, 1, 2, 7, 100} {
			var seen [100]atomic.Int64
			Ranges(parts, n, func(lo, hi int) {
				for i := lo; i < hi; i++ {
					seen[i].Add(1)
				}
			})
			for i := range n {
				if got := seen[i].Load(); got != 1 {
					t.Errorf("%d parts of %d: %d is covered %d times", parts, n, i, got)
				}
			}
		}
	}
}
