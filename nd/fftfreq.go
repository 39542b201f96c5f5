package nd

import (
	"caloric/internal/misuse"
	"caloric/spmd"
)

// FFTFreq returns the frequencies of the n coefficients of [FFT], in cycles per unit
// of the spacing d of the samples: 0, 1, …, and from the middle on -n/2, …, -1, each
// divided by n·d.
//
// Local. Result split: axis (0 or None), balanced. Communication: none.
// Panics if n is less than 1 or axis is out of range.
func FFTFreq[T Float](c *spmd.Comm, n int, d float64, axis Axis) *NDArray[T] {
	return frequencies[T](c, n, n, (n+1)/2, d, axis)
}

// RFFTFreq returns the frequencies of the n/2+1 coefficients of [RFFT] of n samples
// with spacing d: 0, 1, …, n/2, each divided by n·d.
//
// Local. Result split: axis (0 or None), balanced. Communication: none.
// Panics if n is less than 1 or axis is out of range.
func RFFTFreq[T Float](c *spmd.Comm, n int, d float64, axis Axis) *NDArray[T] {
	return frequencies[T](c, n, n/2+1, n/2+1, d, axis)
}

// frequencies returns the first count frequencies of n samples, those from number
// middle on as negative ones.
func frequencies[T Float](c *spmd.Comm, n, count, middle int, d float64, axis Axis) *NDArray[T] {
	if n < 1 {
		misuse.Panic("frequencies of %d samples", n)
	}
	unit := 1 / (float64(n) * d)
	return fromFlat(c, Shape{count}, axis, func(i int) T {
		if i >= middle {
			i -= n
		}
		return T(float64(i) * unit)
	})
}

// FFTShift returns a with the frequency 0 moved to the middle of the given axes, or of
// all: [Roll] by half an extent, rounded down.
//
// Collective if the split axis is shifted, else local. Result split: a's.
// Communication: one alltoallv of what changes its owner if the split axis is
// shifted, else none. Panics if an axis is out of range.
func FFTShift[T Element](a *NDArray[T], axes ...int) *NDArray[T] { return fftShift(a, axes, 1) }

// IFFTShift undoes [FFTShift], which for odd extents is not its own inverse.
//
// Collective if the split axis is shifted, else local. Result split and
// communication: as [FFTShift]. Panics if an axis is out of range.
func IFFTShift[T Element](a *NDArray[T], axes ...int) *NDArray[T] { return fftShift(a, axes, -1) }

func fftShift[T Element](a *NDArray[T], axes []int, sign int) *NDArray[T] {
	if len(axes) == 0 {
		for k := range a.NDim() {
			axes = append(axes, k)
		}
	}
	shifts := make([]int, len(axes))
	for i, axis := range axes {
		shifts[i] = sign * (a.layout.Shape()[axisOf(a, axis)] / 2)
	}
	return RollEach(a, shifts, axes...)
}
