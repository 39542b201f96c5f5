package linalg

import (
	"sync"

	"caloric/nd"
)

// blockDot multiplies and adds up a short block.
type blockDot[T, A nd.Number] interface{ block(x, y []T) A }

// dotBlock is how many products are added up in a row, and parallelSize from
// which length on a sum is worth splitting over workers.
const (
	dotBlock     = 1024
	parallelSize = 1 << 16
)

// pairwise returns the sum of products of x and y, added up in halves, whose
// rounding errors grow with the logarithm of the length (Higham 1993, "The
// accuracy of floating point summation"). The halves are cut alike for any
// number of workers, and so the sum does not depend on it.
func pairwise[T, A nd.Number, D blockDot[T, A]](d D, x, y []T, workers int) A {
	n := len(x)
	if n <= dotBlock {
		return d.block(x, y)
	}
	h := (n/2 + dotBlock - 1) / dotBlock * dotBlock
	if workers > 1 && n >= parallelSize {
		return pairwiseParallel[T, A](d, x, y, h, workers)
	}
	return pairwise[T, A](d, x[:h], y[:h], 1) + pairwise[T, A](d, x[h:], y[h:], 1)
}

func pairwiseParallel[T, A nd.Number, D blockDot[T, A]](d D, x, y []T, h, workers int) A {
	var low A
	var wg sync.WaitGroup
	wg.Go(func() { low = pairwise[T, A](d, x[:h], y[:h], (workers+1)/2) })
	high := pairwise[T, A](d, x[h:], y[h:], workers/2)
	wg.Wait()
	return low + high
}
