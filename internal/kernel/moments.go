package kernel

import "math"

// Moments returns the mean of x, which has at least one element and at most
// [Run], and the sum of the squares of the deviations from it: in two passes, the
// second of which finds x in the cache, so that nothing cancels.
func Moments[T Float](x []T) (mean, m2 float64) {
	mean = Sum(x) / float64(len(x))
	if v := vectorsFor[T](len(x)); v != nil {
		return mean, v.squares(&x[0], len(x), mean)
	}
	var s0, s1, s2, s3 float64
	for ; len(x) >= 4; x = x[4:] {
		d0, d1, d2, d3 := float64(x[0])-mean, float64(x[1])-mean, float64(x[2])-mean, float64(x[3])-mean
		s0 += d0 * d0
		s1 += d1 * d1
		s2 += d2 * d2
		s3 += d3 * d3
	}
	for _, v := range x {
		d := float64(v) - mean
		s0 += d * d
	}
	return mean, (s0 + s1) + (s2 + s3)
}

// MomentsRows sets mean[j] and m2[j] to the [Moments] of x[j], x[stride+j], … over
// n ≥ 1 rows.
func MomentsRows[T Float](mean, m2 []float64, x []T, n, stride int) {
	w := len(mean)
	SumRows(mean, x, n, stride)
	m2 = m2[:w]
	for j := range mean {
		mean[j] /= float64(n)
	}
	if v := vectorsFor[T](w); v != nil {
		v.squareRows(&m2[0], &mean[0], w, &x[0], n, stride)
		return
	}
	clear(m2)
	for i := range n {
		for j, v := range x[i*stride : i*stride+w] {
			d := float64(v) - mean[j]
			m2[j] = math.FMA(d, d, m2[j]) // as the vectors, so that no column depends on the width
		}
	}
}
