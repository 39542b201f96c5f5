package learn

import (
	"sync"
	"sync/atomic"
)

// inWorkers calls f for each part from 0, by up to so many workers at a time.
func inWorkers(workers, parts int, f func(part int)) {
	workers = min(workers, parts)
	if workers < 2 {
		for p := range parts {
			f(p)
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for p := int(next.Add(1)) - 1; p < parts; p = int(next.Add(1)) - 1 {
				f(p)
			}
		})
	}
	wg.Wait()
}

// pairwiseSum adds halves, so that errors grow with the logarithm of the length.
func pairwiseSum(x []float64) float64 {
	if len(x) > 128 {
		return pairwiseSum(x[:len(x)/2]) + pairwiseSum(x[len(x)/2:])
	}
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum
}
