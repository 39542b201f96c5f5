package kernel

import (
	"github.com/viterin/vek"
)

// Sum returns the sum of x in double precision, added up in several partial sums.
func Sum[T Float](x []T) float64 {
	if vectors && len(x) >= short {
		switch x := any(x).(type) {
		case []float64:
			return vek.Sum(x)
		case []float32:
			return sumWide(x)
		}
	}
	return plainSum(x)
}

func sumWide(x []float32) float64 {
	buf := buffers.Get().(*buffer)
	s := 0.0
	for len(x) > 0 {
		n := min(len(x), Run)
		s += vek.Sum(vek.FromFloat32_Into(buf[0][:n], x[:n]))
		x = x[n:]
	}
	buffers.Put(buf)
	return s
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

// Accumulate adds x to acc, element by element.
func Accumulate[T Float](acc []float64, x []T) {
	if vectors && len(x) >= short {
		switch x := any(x).(type) {
		case []float64:
			vek.Add_Inplace(acc[:len(x)], x)
			return
		case []float32:
			accumulateWide(acc, x)
			return
		}
	}
	acc = acc[:len(x)]
	for j, v := range x {
		acc[j] += float64(v)
	}
}

func accumulateWide(acc []float64, x []float32) {
	buf := buffers.Get().(*buffer)
	for len(x) > 0 {
		n := min(len(x), Run)
		vek.Add_Inplace(acc[:n], vek.FromFloat32_Into(buf[0][:n], x[:n]))
		acc, x = acc[n:], x[n:]
	}
	buffers.Put(buf)
}

// SumRows sets acc[j] to the sum of x[j], x[stride+j], … over n rows.
func SumRows[T Float](acc []float64, x []T, n, stride int) {
	w := len(acc)
	if same, ok := any(x).([]float64); ok {
		copy(acc, same[:w])
	} else {
		for j, v := range x[:w] {
			acc[j] = float64(v)
		}
	}
	for i := 1; i < n; i++ {
		Accumulate(acc, x[i*stride:i*stride+w])
	}
}

// Dot returns the sum of the products of x and y, which are as long, in double precision.
func Dot[T Float](x, y []T) float64 {
	if vectors && len(x) >= short {
		switch x := any(x).(type) {
		case []float64:
			return vek.Dot(x, any(y).([]float64)[:len(x)])
		case []float32:
			return dotWide(x, any(y).([]float32)[:len(x)])
		}
	}
	return plainDot(x, y)
}

func dotWide(x, y []float32) float64 {
	buf := buffers.Get().(*buffer)
	s := 0.0
	for len(x) > 0 {
		n := min(len(x), Run)
		u := vek.FromFloat32_Into(buf[0][:n], x[:n])
		v := u
		if &x[0] != &y[0] {
			v = vek.FromFloat32_Into(buf[1][:n], y[:n])
		}
		s += vek.Dot(u, v)
		x, y = x[n:], y[n:]
	}
	buffers.Put(buf)
	return s
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
