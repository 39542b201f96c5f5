package kernel

import "github.com/viterin/vek"

// Moments returns the mean of x, which has at least one element and at most
// [Run], and the sum of the squares of the deviations from it: in two passes, the
// second of which finds x in the cache, so that nothing cancels.
func Moments[T Float](x []T) (mean, m2 float64) {
	if vectors && len(x) >= short {
		buf := buffers.Get().(*buffer)
		d := buf[0][:len(x)]
		switch x := any(x).(type) {
		case []float64:
			copy(d, x)
		case []float32:
			vek.FromFloat32_Into(d, x)
		}
		mean = vek.Sum(d) / float64(len(x))
		vek.SubNumber_Inplace(d, mean)
		m2 = vek.Dot(d, d)
		buffers.Put(buf)
		return mean, m2
	}
	mean = plainSum(x) / float64(len(x))
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

// MomentsRows sets mean[j] and m2[j] to the [Moments] of x[j], x[stride+j], … over n rows.
func MomentsRows[T Float](mean, m2 []float64, x []T, n, stride int) {
	SumRows(mean, x, n, stride)
	m2 = m2[:len(mean)]
	for j := range mean {
		mean[j] /= float64(n)
		m2[j] = 0
	}
	for i := range n {
		addSquares(m2, x[i*stride:i*stride+len(mean)], mean)
	}
}

// addSquares adds to m2 the squares of x-mean.
func addSquares[T Float](m2 []float64, x []T, mean []float64) {
	if !vectors || len(x) < short {
		mean, m2 = mean[:len(x)], m2[:len(x)]
		for j, v := range x {
			d := float64(v) - mean[j]
			m2[j] += d * d
		}
		return
	}
	buf := buffers.Get().(*buffer)
	for len(x) > 0 {
		n := min(len(x), Run)
		d, e := buf[0][:n], buf[1][:n]
		switch x := any(x).(type) {
		case []float64:
			copy(d, x)
		case []float32:
			vek.FromFloat32_Into(d, x[:n])
		}
		vek.Sub_Inplace(d, mean[:n])
		copy(e, d)
		vek.Mul_Inplace(d, e)
		vek.Add_Inplace(m2[:n], d)
		m2, x, mean = m2[n:], x[n:], mean[n:]
	}
	buffers.Put(buf)
}
