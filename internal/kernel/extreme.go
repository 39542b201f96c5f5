package kernel

import "math"

// Max returns the largest element of x, which has at least one, NaN if one is.
// Of zeros +0 is the larger.
func Max[T Float](x []T) T {
	if v := vectorsFor[T](len(x)); v != nil {
		m := v.max(&x[0], len(x))
		if m == 0 && v.find(&x[0], len(x), 0) >= 0 {
			m = 0
		}
		return m
	}
	m := x[0]
	for _, v := range x {
		m = max(m, v)
	}
	return m
}

// Min returns the smallest element of x, which has at least one, NaN if one is.
// Of zeros -0 is the smaller.
func Min[T Float](x []T) T {
	if v := vectorsFor[T](len(x)); v != nil {
		m := v.min(&x[0], len(x))
		if m == 0 && v.find(&x[0], len(x), negativeZero[T]()) >= 0 {
			m = negativeZero[T]()
		}
		return m
	}
	m := x[0]
	for _, v := range x {
		m = min(m, v)
	}
	return m
}

func negativeZero[T Float]() T { return T(math.Copysign(0, -1)) }

// ArgMax returns the largest element of x, which has at least one, and the index
// of the first that equals it, of the first NaN if there is one.
func ArgMax[T Float](x []T) (m T, at int) {
	if v := vectorsFor[T](len(x)); v != nil {
		m = v.max(&x[0], len(x))
		return m, v.index(x, m)
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
	if v := vectorsFor[T](len(x)); v != nil {
		m = v.min(&x[0], len(x))
		return m, v.index(x, m)
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

// index returns the index of the first element of x that equals m, which is there,
// of the first NaN if m is one.
func (v *vectors[T]) index(x []T, m T) int {
	switch {
	case m == 0:
		i, j := v.find(&x[0], len(x), 0), v.find(&x[0], len(x), negativeZero[T]())
		if i < 0 || j >= 0 && j < i {
			return j
		}
		return i
	case m == m:
		return v.find(&x[0], len(x), m)
	}
	at := 0
	for x[at] == x[at] {
		at++
	}
	return at
}

// MaxRows raises acc[j] to the largest of it and x[j], x[stride+j], … over n
// rows, as [Max] does.
func MaxRows[T Float](acc, x []T, n, stride int) {
	if v := vectorsFor[T](len(acc)); v != nil && n > 0 {
		_ = x[(n-1)*stride+len(acc)-1]
		v.maxRows(&acc[0], len(acc), &x[0], n, stride)
		return
	}
	for i := range n {
		for j, v := range x[i*stride : i*stride+len(acc)] {
			acc[j] = max(acc[j], v)
		}
	}
}

// MinRows lowers acc[j] to the smallest of it and x[j], x[stride+j], … over n
// rows, as [Min] does.
func MinRows[T Float](acc, x []T, n, stride int) {
	if v := vectorsFor[T](len(acc)); v != nil && n > 0 {
		_ = x[(n-1)*stride+len(acc)-1]
		v.minRows(&acc[0], len(acc), &x[0], n, stride)
		return
	}
	for i := range n {
		for j, v := range x[i*stride : i*stride+len(acc)] {
			acc[j] = min(acc[j], v)
		}
	}
}
