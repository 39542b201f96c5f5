package nd

import (
	"caloric/internal/kernel"
	"caloric/spmd"
)

// allOf reports whether every element is nonzero.
type allOf[T Element] struct{ anywhere[bool] }

func (allOf[T]) empty() bool { return true }

func (allOf[T]) fold(x []T, _ int) bool {
	if b, is := any(x).([]bool); is {
		return kernel.All(b)
	}
	var zero T
	for _, v := range x {
		if v == zero {
			return false
		}
	}
	return true
}

func (k allOf[T]) rows(acc []bool, x []T, n, stride, base int) {
	fill(acc, true)
	k.more(acc, x, n, stride, base)
}

func (allOf[T]) more(acc []bool, x []T, n, stride, _ int) {
	var zero T
	if b, is := any(x).([]bool); is {
		for i := range n {
			kernel.And(acc, b[i*stride:])
		}
		return
	}
	for i := range n {
		for j, v := range x[i*stride : i*stride+len(acc)] {
			w := v != zero
			acc[j] = acc[j] && w
		}
	}
}

func (allOf[T]) merge(acc, next []bool) {
	for j, v := range next[:len(acc)] {
		acc[j] = acc[j] && v
	}
}

func (allOf[T]) across(c *spmd.Comm, acc []bool) { spmd.Allreduce(c, acc, spmd.And) }

func (allOf[T]) finish(dst, acc []bool, _ int, _ float64) { copy(dst, acc) }

// anyOf reports whether some element is nonzero.
type anyOf[T Element] struct{ anywhere[bool] }

func (anyOf[T]) empty() bool { return false }

func (anyOf[T]) fold(x []T, _ int) bool {
	if b, is := any(x).([]bool); is {
		return kernel.Any(b)
	}
	var zero T
	for _, v := range x {
		if v != zero {
			return true
		}
	}
	return false
}

func (k anyOf[T]) rows(acc []bool, x []T, n, stride, base int) {
	fill(acc, false)
	k.more(acc, x, n, stride, base)
}

func (anyOf[T]) more(acc []bool, x []T, n, stride, _ int) {
	var zero T
	if b, is := any(x).([]bool); is {
		for i := range n {
			kernel.Or(acc, b[i*stride:])
		}
		return
	}
	for i := range n {
		for j, v := range x[i*stride : i*stride+len(acc)] {
			w := v != zero
			acc[j] = acc[j] || w
		}
	}
}

func (anyOf[T]) merge(acc, next []bool) {
	for j, v := range next[:len(acc)] {
		acc[j] = acc[j] || v
	}
}

func (anyOf[T]) across(c *spmd.Comm, acc []bool) { spmd.Allreduce(c, acc, spmd.Or) }

func (anyOf[T]) finish(dst, acc []bool, _ int, _ float64) { copy(dst, acc) }

// countOf counts the nonzero elements.
type countOf[T Element] struct{ anywhere[int64] }

func (countOf[T]) empty() int64 { return 0 }

func (countOf[T]) fold(x []T, _ int) int64 {
	if b, is := any(x).([]bool); is {
		return int64(kernel.Count(b))
	}
	var zero T
	n := int64(0)
	for _, v := range x {
		n += ifTrue(v != zero)
	}
	return n
}

// ifTrue returns 1 if b is true, else 0, without a branch.
func ifTrue(b bool) (n int64) {
	if b {
		n = 1
	}
	return n
}

func (k countOf[T]) rows(acc []int64, x []T, n, stride, base int) {
	clear(acc)
	k.more(acc, x, n, stride, base)
}

func (countOf[T]) more(acc []int64, x []T, n, stride, _ int) {
	var zero T
	for i := range n {
		for j, v := range x[i*stride : i*stride+len(acc)] {
			acc[j] += ifTrue(v != zero)
		}
	}
}

func (countOf[T]) merge(acc, next []int64) {
	for j, v := range next[:len(acc)] {
		acc[j] += v
	}
}

func (countOf[T]) across(c *spmd.Comm, acc []int64) { spmd.Allreduce(c, acc, spmd.Sum) }

func (countOf[T]) finish(dst, acc []int64, _ int, _ float64) { copy(dst, acc) }
