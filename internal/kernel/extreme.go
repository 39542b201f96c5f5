package kernel

import (
	"math"

	"github.com/viterin/vek"
	"github.com/viterin/vek/vek32"
)

// Max returns the largest element of x, which has at least one, NaN if one is.
// Of zeros +0 is the larger.
func Max[T Float](x []T) T {
	m, found := peak(x)
	if !found || m == 0 && math.Signbit(float64(m)) {
		return plainMax(x)
	}
	return m
}

// Min returns the smallest element of x, which has at least one, NaN if one is.
// Of zeros -0 is the smaller.
func Min[T Float](x []T) T {
	m, found := trough(x)
	if !found || m == 0 && !math.Signbit(float64(m)) {
		return plainMin(x)
	}
	return m
}

func plainMax[T Float](x []T) T {
	m := x[0]
	for _, v := range x {
		m = max(m, v)
	}
	return m
}

func plainMin[T Float](x []T) T {
	m := x[0]
	for _, v := range x {
		m = min(m, v)
	}
	return m
}

// peak returns the largest element of x, of zeros either, or that it has not been
// found, because one is NaN or there may be no finite one. Vector instructions
// overlook a NaN, but a sum is NaN if an element is.
func peak[T Float](x []T) (m T, found bool) {
	if !vectors || len(x) < short {
		return 0, false
	}
	switch x := any(x).(type) {
	case []float64:
		s, v := vek.Sum(x), vek.Max(x)
		return T(v), s == s && v > -math.MaxFloat64
	case []float32:
		s, v := vek32.Sum(x), vek32.Max(x)
		return T(v), s == s && v > -math.MaxFloat32
	}
	return 0, false
}

// trough is peak for the smallest element.
func trough[T Float](x []T) (m T, found bool) {
	if !vectors || len(x) < short {
		return 0, false
	}
	switch x := any(x).(type) {
	case []float64:
		s, v := vek.Sum(x), vek.Min(x)
		return T(v), s == s && v < math.MaxFloat64
	case []float32:
		s, v := vek32.Sum(x), vek32.Min(x)
		return T(v), s == s && v < math.MaxFloat32
	}
	return 0, false
}

// ArgMax returns the largest element of x, which has at least one, and the index
// of the first that equals it, of the first NaN if there is one.
func ArgMax[T Float](x []T) (m T, at int) {
	if m, found := peak(x); found {
		return m, index(x, m)
	}
	m = x[0]
	for i, v := range x {
		if !(v <= m) {
			if m, at = v, i; v != v {
				break
			}
		}
	}
	return m, at
}

// ArgMin is [ArgMax] for the smallest element.
func ArgMin[T Float](x []T) (m T, at int) {
	if m, found := trough(x); found {
		return m, index(x, m)
	}
	m = x[0]
	for i, v := range x {
		if !(v >= m) {
			if m, at = v, i; v != v {
				break
			}
		}
	}
	return m, at
}

// index returns the index of the first element of x that equals m, which is there.
func index[T Float](x []T, m T) int {
	if m != 0 { // vek tells zeros apart
		switch x := any(x).(type) {
		case []float64:
			return vek.Find(x, float64(m))
		case []float32:
			return vek32.Find(x, float32(m))
		}
	}
	for i, v := range x {
		if v == m {
			return i
		}
	}
	return -1
}

// MaxRows raises acc[j] to the largest of it and x[j], x[stride+j], … over n ≥ 1
// rows, as [Max] does.
func MaxRows[T Float](acc, x []T, n, stride int) {
	if !foldRows(acc, x, n, stride, vek.Maximum_Inplace, vek32.Maximum_Inplace) {
		for i := range n {
			for j, v := range x[i*stride : i*stride+len(acc)] {
				acc[j] = max(acc[j], v)
			}
		}
		return
	}
	for j, v := range acc {
		if v == 0 && math.Signbit(float64(v)) && hasZero(x[j:], n, stride, false) {
			acc[j] = 0
		}
	}
}

// MinRows lowers acc[j] to the smallest of it and x[j], x[stride+j], … over n ≥ 1
// rows, as [Min] does.
func MinRows[T Float](acc, x []T, n, stride int) {
	if !foldRows(acc, x, n, stride, vek.Minimum_Inplace, vek32.Minimum_Inplace) {
		for i := range n {
			for j, v := range x[i*stride : i*stride+len(acc)] {
				acc[j] = min(acc[j], v)
			}
		}
		return
	}
	for j, v := range acc {
		if v == 0 && !math.Signbit(float64(v)) && hasZero(x[j:], n, stride, true) {
			acc[j] = T(math.Copysign(0, -1))
		}
	}
}

// foldRows combines acc with n rows of x, and reports false, when it may have got
// half way, if there is a NaN or there are no vector instructions. Of zeros either
// may remain.
func foldRows[T Float](acc, x []T, n, stride int, double func(acc, x []float64), single func(acc, x []float32)) bool {
	w := len(acc)
	if !vectors || w < short {
		return false
	}
	switch x := any(x).(type) {
	case []float64:
		acc := any(acc).([]float64)
		if s := vek.Sum(acc); s != s {
			return false
		}
		for i := range n {
			row := x[i*stride : i*stride+w]
			if s := vek.Sum(row); s != s {
				return false
			}
			double(acc, row)
		}
		return true
	case []float32:
		acc := any(acc).([]float32)
		if s := vek32.Sum(acc); s != s {
			return false
		}
		for i := range n {
			row := x[i*stride : i*stride+w]
			if s := vek32.Sum(row); s != s {
				return false
			}
			single(acc, row)
		}
		return true
	}
	return false
}

// hasZero reports whether a zero of the given sign is among n elements of x.
func hasZero[T Float](x []T, n, stride int, negative bool) bool {
	for i := range n {
		if v := x[i*stride]; v == 0 && math.Signbit(float64(v)) == negative {
			return true
		}
	}
	return false
}
