package kernel

// Sum returns the sum of x in double precision, added up in several partial sums.
func Sum[T Float](x []T) float64 {
	if v := vectorsFor[T](len(x)); v != nil {
		return v.sum(&x[0], len(x))
	}
	return plainSum(x)
}

func plainSum[T Float](x []T) float64 { return SumAs[float64](x) }

// SumAs returns the sum of x in type A, added up in eight partial sums, without
// vector instructions.
func SumAs[A, T Real](x []T) A {
	var s0, s1, s2, s3, s4, s5, s6, s7 A
	for ; len(x) >= 8; x = x[8:] {
		v := (*[8]T)(x)
		s0 += A(v[0])
		s1 += A(v[1])
		s2 += A(v[2])
		s3 += A(v[3])
		s4 += A(v[4])
		s5 += A(v[5])
		s6 += A(v[6])
		s7 += A(v[7])
	}
	for _, v := range x {
		s0 += A(v)
	}
	return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))
}

// SumRows sets acc[j] to the sum of x[j], x[stride+j], … over n ≥ 1 rows, one after
// the other.
func SumRows[T Float](acc []float64, x []T, n, stride int) {
	w := len(acc)
	if v := vectorsFor[T](w); v != nil {
		_ = x[(n-1)*stride+w-1]
		v.sumRows(&acc[0], w, &x[0], n, stride)
		return
	}
	for j, v := range x[:w] {
		acc[j] = float64(v)
	}
	for i := 1; i < n; i++ {
		for j, v := range x[i*stride : i*stride+w] {
			acc[j] += float64(v)
		}
	}
}

// Dot returns the sum of the products of x and y, which are as long, in double precision.
func Dot[T Float](x, y []T) float64 {
	if v := vectorsFor[T](len(x)); v != nil {
		y = y[:len(x)]
		return v.dot(&x[0], &y[0], len(x))
	}
	return plainDot(x, y)
}

func plainDot[T Float](x, y []T) float64 {
	var s0, s1, s2, s3 float64
	y = y[:len(x)]
	for ; len(x) >= 4 && len(y) >= 4; x, y = x[4:], y[4:] {
		s0 += float64(x[0]) * float64(y[0])
		s1 += float64(x[1]) * float64(y[1])
		s2 += float64(x[2]) * float64(y[2])
		s3 += float64(x[3]) * float64(y[3])
	}
	for i, v := range x {
		s0 += float64(v) * float64(y[i])
	}
	return (s0 + s1) + (s2 + s3)
}
