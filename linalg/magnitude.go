package linalg

import (
	"math/cmplx"
	"sync"

	"caloric/internal/kernel"
	"caloric/nd"
)

// normBlock is how many magnitudes are folded at once.
const normBlock = 1024

// normOf reduces the elements of x by m, in halves as [pairwise] does.
func normOf[T nd.Number](m measure, x []T, workers int) sum3 {
	n := len(x)
	if n <= normBlock {
		return normOfBlock(m, x)
	}
	h := (n/2 + normBlock - 1) / normBlock * normBlock
	if workers > 1 && n >= parallelSize {
		return normOfParallel(m, x, h, workers)
	}
	return merge(m, normOf(m, x[:h], 1), normOf(m, x[h:], 1))
}

func normOfParallel[T nd.Number](m measure, x []T, h, workers int) sum3 {
	var low sum3
	var wg sync.WaitGroup
	wg.Go(func() { low = normOf(m, x[:h], (workers+1)/2) })
	high := normOf(m, x[h:], workers/2)
	wg.Wait()
	return merge(m, low, high)
}

func normOfBlock[T nd.Number](m measure, x []T) sum3 {
	switch x := any(x).(type) {
	case []float64:
		return m.fold(x)
	case []float32:
		if _, ok := m.(twoNorm); ok {
			// In double precision their squares neither overflow nor underflow.
			return sum3{kernel.Dot(x, x)}
		}
	case []complex128:
		if _, ok := m.(twoNorm); ok {
			// |z|² is the sum of both parts' squares.
			return m.fold(realsOf[float64](x))
		}
	}
	buf := magnitudeBuffers.Get().(*[normBlock]float64)
	defer magnitudeBuffers.Put(buf)
	magnitudes(buf[:], 1, x, 0, 1, len(x))
	return m.fold(buf[:len(x)])
}

// magnitudeBuffers holds memory for blocks, which could not stay on the stack
// because a measure sees it through an interface.
var magnitudeBuffers = sync.Pool{New: func() any { return new([normBlock]float64) }}

// magnitudes sets dst[i*dstStep] to a number whose absolute value is that of
// x[off+i*step], for every i < n.
func magnitudes[T nd.Number](dst []float64, dstStep int, x []T, off, step, n int) {
	switch x := any(x).(type) {
	case []int8:
		convert(dst, dstStep, x, off, step, n)
	case []int16:
		convert(dst, dstStep, x, off, step, n)
	case []int32:
		convert(dst, dstStep, x, off, step, n)
	case []int64:
		convert(dst, dstStep, x, off, step, n)
	case []uint8:
		convert(dst, dstStep, x, off, step, n)
	case []uint16:
		convert(dst, dstStep, x, off, step, n)
	case []uint32:
		convert(dst, dstStep, x, off, step, n)
	case []uint64:
		convert(dst, dstStep, x, off, step, n)
	case []float32:
		convert(dst, dstStep, x, off, step, n)
	case []float64:
		convert(dst, dstStep, x, off, step, n)
	case []complex64:
		for i := range n {
			dst[i*dstStep] = cmplx.Abs(complex128(x[off+i*step]))
		}
	case []complex128:
		for i := range n {
			dst[i*dstStep] = cmplx.Abs(x[off+i*step])
		}
	}
}

func convert[T nd.Real](dst []float64, dstStep int, x []T, off, step, n int) {
	for i := range n {
		dst[i*dstStep] = float64(x[off+i*step])
	}
}
