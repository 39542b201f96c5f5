package nd

import "caloric/spmd"

// allOf reports whether every element is nonzero.
type allOf[T Element] struct{ anywhere[bool] }

func (allOf[T]) empty() bool { return true }

func (allOf[T]) fold(x []T, _ int) bool {
	var zero T
	for _, v := range x {
		if v == zero {
			return false
		}
	}
	return true
}

func (allOf[T]) rows(acc []bool, x []T, n, stride, _ int) {
	var zero T
	fill(acc, true)
	for i := range n {
		for j, v := range x[i*stride : i*stride+len(acc)] {
			acc[j] = acc[j] && v != zero
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
	var zero T
	for _, v := range x {
		if v != zero {
			return true
		}
	}
	return false
}

func (anyOf[T]) rows(acc []bool, x []T, n, stride, _ int) {
	var zero T
	fill(acc, false)
	for i := range n {
		for j, v := range x[i*stride : i*stride+len(acc)] {
			acc[j] = acc[j] || v != zero
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
	var zero T
	n := int64(0)
	for _, v := range x {
		if v != zero {
			n++
		}
	}
	return n
}

func (countOf[T]) rows(acc []int64, x []T, n, stride, _ int) {
	var zero T
	clear(acc)
	for i := range n {
		for j, v := range x[i*stride : i*stride+len(acc)] {
			if v != zero {
				acc[j]++
			}
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
