package nd

import (
	"math"

	"caloric/internal/kernel"
	"caloric/spmd"
)

// sumOf adds real numbers in the wider type A.
type sumOf[T, A, R Real] struct{ anywhere[A] }

func (sumOf[T, A, R]) empty() A { return 0 }

func (sumOf[T, A, R]) fold(x []T, _ int) A {
	if s, ok := floatSum[T, A](x); ok {
		return s
	}
	return kernel.SumAs[A](x)
}

func (sumOf[T, A, R]) rows(acc []A, x []T, n, stride, _ int) {
	if floatSumRows(acc, x, n, stride) {
		return
	}
	for j, v := range x[:len(acc)] {
		acc[j] = A(v)
	}
	for i := 1; i < n; i++ {
		r := x[i*stride : i*stride+len(acc)]
		for j, v := range r {
			acc[j] += A(v)
		}
	}
}

func (sumOf[T, A, R]) merge(acc, next []A) {
	if len(acc) > 1 && kernel.Add(acc, acc, next) {
		return
	}
	for j, v := range next[:len(acc)] {
		acc[j] += v
	}
}

func (sumOf[T, A, R]) across(c *spmd.Comm, acc []A) { spmd.Allreduce(c, acc, spmd.Sum) }

func (sumOf[T, A, R]) finish(dst []R, acc []A, _ int, _ float64) {
	for j, v := range acc {
		dst[j] = R(v)
	}
}

// meanOf is sumOf divided by the number of elements.
type meanOf[T, A, R Real] struct{ sumOf[T, A, R] }

func (meanOf[T, A, R]) finish(dst []R, acc []A, count int, _ float64) {
	for j, v := range acc {
		dst[j] = R(v / A(count))
	}
}

// complexSum adds complex numbers in the wider type A.
type complexSum[T, A, R Complex] struct{ anywhere[A] }

func (complexSum[T, A, R]) empty() A { return 0 }

func (complexSum[T, A, R]) fold(x []T, _ int) A {
	var s0, s1, s2, s3 A
	for ; len(x) >= 4; x = x[4:] {
		s0 += A(x[0])
		s1 += A(x[1])
		s2 += A(x[2])
		s3 += A(x[3])
	}
	for _, v := range x {
		s0 += A(v)
	}
	return (s0 + s1) + (s2 + s3)
}

func (complexSum[T, A, R]) rows(acc []A, x []T, n, stride, _ int) {
	for j, v := range x[:len(acc)] {
		acc[j] = A(v)
	}
	for i := 1; i < n; i++ {
		for j, v := range x[i*stride : i*stride+len(acc)] {
			acc[j] += A(v)
		}
	}
}

func (complexSum[T, A, R]) merge(acc, next []A) {
	for j, v := range next[:len(acc)] {
		acc[j] += v
	}
}

func (complexSum[T, A, R]) across(c *spmd.Comm, acc []A) { spmd.Allreduce(c, acc, spmd.Sum) }

func (complexSum[T, A, R]) finish(dst []R, acc []A, _ int, _ float64) {
	for j, v := range acc {
		dst[j] = R(v)
	}
}

// complexMean is complexSum divided by the number of elements.
type complexMean[T, A, R Complex] struct{ complexSum[T, A, R] }

func (complexMean[T, A, R]) finish(dst []R, acc []A, count int, _ float64) {
	for j, v := range acc {
		d := complex128(v) / complex(float64(count), 0)
		dst[j] = R(d)
	}
}

// prodOf multiplies real numbers in the wider type A.
type prodOf[T, A, R Real] struct{ anywhere[A] }

func (prodOf[T, A, R]) empty() A { return 1 }

func (prodOf[T, A, R]) fold(x []T, _ int) A {
	p := A(1)
	for _, v := range x {
		p *= A(v)
	}
	return p
}

func (prodOf[T, A, R]) rows(acc []A, x []T, n, stride, _ int) {
	for j, v := range x[:len(acc)] {
		acc[j] = A(v)
	}
	for i := 1; i < n; i++ {
		for j, v := range x[i*stride : i*stride+len(acc)] {
			acc[j] *= A(v)
		}
	}
}

func (prodOf[T, A, R]) merge(acc, next []A) {
	for j, v := range next[:len(acc)] {
		acc[j] *= v
	}
}

func (prodOf[T, A, R]) across(c *spmd.Comm, acc []A) { spmd.Allreduce(c, acc, spmd.Prod) }

func (prodOf[T, A, R]) finish(dst []R, acc []A, _ int, _ float64) {
	for j, v := range acc {
		dst[j] = R(v)
	}
}

// complexProd multiplies complex numbers in the wider type A.
type complexProd[T, A, R Complex] struct{ anywhere[A] }

func (complexProd[T, A, R]) empty() A { return 1 }

func (complexProd[T, A, R]) fold(x []T, _ int) A {
	p := A(1)
	for _, v := range x {
		p *= A(v)
	}
	return p
}

func (complexProd[T, A, R]) rows(acc []A, x []T, n, stride, _ int) {
	for j, v := range x[:len(acc)] {
		acc[j] = A(v)
	}
	for i := 1; i < n; i++ {
		for j, v := range x[i*stride : i*stride+len(acc)] {
			acc[j] *= A(v)
		}
	}
}

func (complexProd[T, A, R]) merge(acc, next []A) {
	for j, v := range next[:len(acc)] {
		acc[j] *= v
	}
}

func (complexProd[T, A, R]) across(c *spmd.Comm, acc []A) { spmd.Allreduce(c, acc, spmd.Prod) }

func (complexProd[T, A, R]) finish(dst []R, acc []A, _ int, _ float64) {
	for j, v := range acc {
		dst[j] = R(v)
	}
}

// minOf finds the smallest element; NaN counts as it.
type minOf[T Real] struct{ anywhere[T] }

func (minOf[T]) empty() T { return highest[T]() }

func (minOf[T]) fold(x []T, _ int) T {
	switch x := any(x).(type) {
	case []float64:
		return T(kernel.Min(x))
	case []float32:
		return T(kernel.Min(x))
	}
	m0, m1, m2, m3 := x[0], x[0], x[0], x[0]
	for ; len(x) >= 4; x = x[4:] {
		m0 = min(m0, x[0])
		m1 = min(m1, x[1])
		m2 = min(m2, x[2])
		m3 = min(m3, x[3])
	}
	for _, v := range x {
		m0 = min(m0, v)
	}
	return min(min(m0, m1), min(m2, m3))
}

func (k minOf[T]) rows(acc []T, x []T, n, stride, base int) {
	copy(acc, x[:len(acc)])
	if n > 1 {
		k.more(acc, x[stride:], n-1, stride, base+1)
	}
}

func (minOf[T]) more(acc []T, x []T, n, stride, _ int) {
	switch x := any(x).(type) {
	case []float64:
		kernel.MinRows(any(acc).([]float64), x, n, stride)
		return
	case []float32:
		kernel.MinRows(any(acc).([]float32), x, n, stride)
		return
	}
	for i := range n {
		for j, v := range x[i*stride : i*stride+len(acc)] {
			acc[j] = min(acc[j], v)
		}
	}
}

func (k minOf[T]) merge(acc, next []T) { k.more(acc, next, 1, len(acc), 0) }

func (minOf[T]) across(c *spmd.Comm, acc []T) { spmd.Allreduce(c, acc, spmd.Min) }

func (minOf[T]) finish(dst, acc []T, _ int, _ float64) { copy(dst, acc) }

// maxOf finds the largest element; NaN counts as it.
type maxOf[T Real] struct{ anywhere[T] }

func (maxOf[T]) empty() T { return lowest[T]() }

func (maxOf[T]) fold(x []T, _ int) T {
	switch x := any(x).(type) {
	case []float64:
		return T(kernel.Max(x))
	case []float32:
		return T(kernel.Max(x))
	}
	m0, m1, m2, m3 := x[0], x[0], x[0], x[0]
	for ; len(x) >= 4; x = x[4:] {
		m0 = max(m0, x[0])
		m1 = max(m1, x[1])
		m2 = max(m2, x[2])
		m3 = max(m3, x[3])
	}
	for _, v := range x {
		m0 = max(m0, v)
	}
	return max(max(m0, m1), max(m2, m3))
}

func (k maxOf[T]) rows(acc []T, x []T, n, stride, base int) {
	copy(acc, x[:len(acc)])
	if n > 1 {
		k.more(acc, x[stride:], n-1, stride, base+1)
	}
}

func (maxOf[T]) more(acc []T, x []T, n, stride, _ int) {
	switch x := any(x).(type) {
	case []float64:
		kernel.MaxRows(any(acc).([]float64), x, n, stride)
		return
	case []float32:
		kernel.MaxRows(any(acc).([]float32), x, n, stride)
		return
	}
	for i := range n {
		for j, v := range x[i*stride : i*stride+len(acc)] {
			acc[j] = max(acc[j], v)
		}
	}
}

func (k maxOf[T]) merge(acc, next []T) { k.more(acc, next, 1, len(acc), 0) }

func (maxOf[T]) across(c *spmd.Comm, acc []T) { spmd.Allreduce(c, acc, spmd.Max) }

func (maxOf[T]) finish(dst, acc []T, _ int, _ float64) { copy(dst, acc) }

// highest returns the largest value of T, +Inf for floats.
func highest[T Real]() T {
	var v T
	switch p := any(&v).(type) {
	case *int8:
		*p = math.MaxInt8
	case *int16:
		*p = math.MaxInt16
	case *int32:
		*p = math.MaxInt32
	case *int64:
		*p = math.MaxInt64
	case *uint8:
		*p = math.MaxUint8
	case *uint16:
		*p = math.MaxUint16
	case *uint32:
		*p = math.MaxUint32
	case *uint64:
		*p = math.MaxUint64
	case *float32:
		*p = float32(math.Inf(1))
	case *float64:
		*p = math.Inf(1)
	}
	return v
}

// lowest returns the smallest value of T, -Inf for floats.
func lowest[T Real]() T {
	if h := highest[T](); isFloat[T]() {
		return -h
	} else if isSigned := T(0)-1 < 0; isSigned {
		return -h - 1
	}
	return 0
}
