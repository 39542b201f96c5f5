package nd

import "caloric/internal/kernel"

// shortFold is the length below which the loop of the reducer itself is as fast.
const shortFold = 32

// floatSum returns the sum of x if A is float64 and T a float: these have kernels
// of their own.
func floatSum[T, A Real](x []T) (s A, ok bool) {
	if len(x) < shortFold {
		return 0, false
	}
	if p, is := any(&s).(*float64); is {
		switch x := any(x).(type) {
		case []float64:
			*p = kernel.Sum(x)
			return s, true
		case []float32:
			*p = kernel.Sum(x)
			return s, true
		}
	}
	return 0, false
}

// floatSumRows sets acc to the sums of n rows of x, and reports whether it did,
// under the same condition as [floatSum].
func floatSumRows[T, A Real](acc []A, x []T, n, stride int) bool {
	if acc, is := any(acc).([]float64); is {
		switch x := any(x).(type) {
		case []float64:
			kernel.SumRows(acc, x, n, stride)
			return true
		case []float32:
			kernel.SumRows(acc, x, n, stride)
			return true
		}
	}
	return false
}

// floatMoments returns the moments of x, which is of at most [kernel.Run]
// elements, if T is a float.
func floatMoments[T Real](x []T) (m moments, ok bool) {
	switch x := any(x).(type) {
	case []float64:
		mean, m2 := kernel.Moments(x)
		return moments{float64(len(x)), mean, m2}, true
	case []float32:
		mean, m2 := kernel.Moments(x)
		return moments{float64(len(x)), mean, m2}, true
	}
	return moments{}, false
}

// floatMomentsRows sets acc to the moments of n rows of x, and reports whether it
// did: if T is a float, and what is side by side is worth it.
func floatMomentsRows[T Real](acc []moments, x []T, n, stride int) bool {
	if len(acc) < 8 || len(acc) > kernel.Run || !isFloat[T]() {
		return false
	}
	buf := scratchPool.Get().(*scratch)
	defer scratchPool.Put(buf)
	for lo := 0; lo < len(acc); lo += block {
		out := acc[lo:min(lo+block, len(acc))]
		mean, m2 := scratchBlock[float64](buf, 0)[:len(out)], scratchBlock[float64](buf, 1)[:len(out)]
		switch x := any(x[lo:]).(type) {
		case []float64:
			kernel.MomentsRows(mean, m2, x, n, stride)
		case []float32:
			kernel.MomentsRows(mean, m2, x, n, stride)
		}
		for j := range out {
			out[j] = moments{float64(n), mean[j], m2[j]}
		}
	}
	return true
}
