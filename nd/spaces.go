package nd

import (
	"math"

	"caloric/internal/misuse"
	"caloric/spmd"
)

// LogSpace returns base to the powers that [Linspace] gives: n numbers from
// base^start to base^stop, both included, evenly spaced in their logarithm.
//
// Local. Result split: axis (0 or None), balanced. Communication: none.
// Panics if n is negative.
func LogSpace[T Float](c *spmd.Comm, start, stop T, n int, base T, axis Axis) *NDArray[T] {
	a := Linspace(c, float64(start), float64(stop), n, axis)
	return AsType[T](ScalarPow(float64(base), a))
}

// GeomSpace returns n numbers from start to stop, both included, each the same
// multiple of the one before.
//
// Local. Result split: axis (0 or None), balanced. Communication: none.
// Panics if n is negative, or start and stop are zero or differ in sign.
func GeomSpace[T Float](c *spmd.Comm, start, stop T, n int, axis Axis) *NDArray[T] {
	if !(float64(start)*float64(stop) > 0) && !(start < 0 && stop < 0) && !(start > 0 && stop > 0) {
		misuse.Panic("a geometric sequence from %v to %v", start, stop)
	}
	sign := math.Copysign(1, float64(start))
	from, to := log10(math.Abs(float64(start))), log10(math.Abs(float64(stop)))
	return fromFlat(c, Shape{n}, axis, func(i int) T {
		switch i {
		case 0:
			return start
		case n - 1:
			return stop
		}
		return T(sign * math.Pow(10, from+float64(i)*(to-from)/float64(n-1)))
	})
}

// Bartlett returns the triangular window of n points, 0 at both ends.
//
// Local. Result split: axis (0 or None), balanced. Communication: none.
// Panics if n is negative.
func Bartlett[T Float](c *spmd.Comm, n int, axis Axis) *NDArray[T] {
	return window[T](c, n, axis, func(x float64) float64 { return 1 - math.Abs(x) })
}

// Blackman returns the Blackman window of n points, a sum of two cosines.
//
// Local. Result split: axis (0 or None), balanced. Communication: none.
// Panics if n is negative.
func Blackman[T Float](c *spmd.Comm, n int, axis Axis) *NDArray[T] {
	return window[T](c, n, axis, func(x float64) float64 {
		return 0.42 + 0.5*math.Cos(math.Pi*x) + 0.08*math.Cos(2*math.Pi*x)
	})
}

// Hamming returns the Hamming window of n points, a raised cosine.
//
// Local. Result split: axis (0 or None), balanced. Communication: none.
// Panics if n is negative.
func Hamming[T Float](c *spmd.Comm, n int, axis Axis) *NDArray[T] {
	return window[T](c, n, axis, func(x float64) float64 { return 0.54 + 0.46*math.Cos(math.Pi*x) })
}

// Hanning returns the window of n points of Hann, a raised cosine that is 0 at both ends.
//
// Local. Result split: axis (0 or None), balanced. Communication: none.
// Panics if n is negative.
func Hanning[T Float](c *spmd.Comm, n int, axis Axis) *NDArray[T] {
	return window[T](c, n, axis, func(x float64) float64 { return 0.5 + 0.5*math.Cos(math.Pi*x) })
}

// Kaiser returns the window of n points of Kaiser, which the larger beta, the
// narrower is.
//
// Local. Result split: axis (0 or None), balanced. Communication: none.
// Panics if n is negative.
func Kaiser[T Float](c *spmd.Comm, n int, beta float64, axis Axis) *NDArray[T] {
	return window[T](c, n, axis, func(x float64) float64 {
		return i0(beta*math.Sqrt(1-x*x)) / i0(beta)
	})
}

// window returns f at n points from -1 to 1; a single point is 1.
func window[T Float](c *spmd.Comm, n int, axis Axis, f func(x float64) float64) *NDArray[T] {
	return fromFlat(c, Shape{n}, axis, func(i int) T {
		if n == 1 {
			return 1
		}
		return T(f(float64(2*i+1-n) / float64(n-1)))
	})
}
