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
