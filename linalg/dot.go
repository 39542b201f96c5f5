package linalg

import (
	"caloric/internal/kernel"
	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/spmd"
)

// Dot returns Σ a[i]·b[i] over the elements of two arrays of equal shape, on
// every rank. Integers wrap; floating-point numbers are added pairwise in double
// precision. The matrix product is [MatMul].
//
// Collective unless both are replicated. Communication: one allreduce of one
// element (8 bytes for float32, 16 for complex64), none if both are replicated;
// before that one move of b if both are split, but differently. It allocates
// nothing if the layouts agree and the arrays are contiguous.
// Panics if the shapes or the communicators differ.
func Dot[T nd.Number](a, b *nd.NDArray[T]) T { return scalarProduct(a, b, false) }

// VDot returns Σ conj(a[i])·b[i] over the elements of two arrays of equal shape,
// on every rank; see [Dot], from which it differs for complex numbers only.
//
// Collective unless both are replicated. Communication and panics: as Dot.
func VDot[T nd.Number](a, b *nd.NDArray[T]) T { return scalarProduct(a, b, true) }

func scalarProduct[T nd.Number](a, b *nd.NDArray[T], conj bool) T {
	x, y, across := pairOf(a, b)
	return dotterOf[T]().dot(a.Comm(), x, y, conj, across)
}

// pairOf returns the elements of a and b that this rank has to multiply, and
// whether the ranks' sums have to be added up.
func pairOf[T nd.Number](a, b *nd.NDArray[T]) (x, y []T, across bool) {
	sameComm(a, b)
	la, lb := a.Layout(), b.Layout()
	if !la.Shape().Equal(lb.Shape()) {
		misuse.Panic("operands %v and %v have different shapes", la, lb)
	}
	switch {
	case la.Equal(lb):
	case la.Replicated():
		a = piece(a, lb.Axis(), b)
	case lb.Replicated():
		b = piece(b, la.Axis(), a)
	default:
		b = b.MoveTo(la)
	}
	across = !(la.Replicated() && lb.Replicated())
	if !a.IsContiguous() && !b.IsContiguous() && a.NDim() > 1 {
		// The order of the elements does not matter as long as it is one.
		if s, t := a.T(), b.T(); s.IsContiguous() && t.IsContiguous() {
			a, b = s, t
		}
	}
	return a.Local(), b.Local(), across
}

// piece returns this rank's view of the indices of a replicated array that it
// has of b along axis.
func piece[T nd.Number](a *nd.NDArray[T], axis nd.Axis, b *nd.NDArray[T]) *nd.NDArray[T] {
	items := make([]nd.Item, axis+1)
	for k := range items {
		items[k] = nd.Whole()
	}
	lo, hi := b.Layout().Range(a.Comm().Rank())
	items[axis] = nd.Range(lo, hi, 1)
	return a.Slice(items...)
}

// dotter adds up products of T.
type dotter[T nd.Number] interface {
	dot(c *spmd.Comm, x, y []T, conj, across bool) T
	wide(c *spmd.Comm, x, y []T, across bool) complex128
}

func dotterOf[T nd.Number]() dotter[T] {
	var zero T
	return dotters(any(zero)).(dotter[T])
}

func dotters(zero any) any {
	switch zero.(type) {
	case int8:
		return realDot[int8, int8]{}
	case int16:
		return realDot[int16, int16]{}
	case int32:
		return realDot[int32, int32]{}
	case int64:
		return realDot[int64, int64]{}
	case uint8:
		return realDot[uint8, uint8]{}
	case uint16:
		return realDot[uint16, uint16]{}
	case uint32:
		return realDot[uint32, uint32]{}
	case uint64:
		return realDot[uint64, uint64]{}
	case float32:
		return realDot[float32, float64]{}
	case float64:
		return realDot[float64, float64]{}
	case complex64:
		return complexDot[complex64]{}
	}
	return complexDot[complex128]{}
}

// realDot adds up products of T in A.
type realDot[T, A nd.Real] struct{}

func (d realDot[T, A]) dot(c *spmd.Comm, x, y []T, _, across bool) T {
	return T(d.sum(c, x, y, across))
}

func (d realDot[T, A]) wide(c *spmd.Comm, x, y []T, across bool) complex128 {
	return complex(float64(d.sum(c, x, y, across)), 0)
}

func (d realDot[T, A]) sum(c *spmd.Comm, x, y []T, across bool) A {
	s := pairwise(d, x, y, c.Workers())
	if across {
		s = spmd.AllreduceOne(c, s, spmd.Sum)
	}
	return s
}

func (realDot[T, A]) block(x, y []T) A {
	switch x := any(x).(type) {
	case []float64:
		return A(kernel.Dot(x, any(y).([]float64)))
	case []float32:
		return A(kernel.Dot(x, any(y).([]float32)))
	}
	var s0, s1, s2, s3 A
	y = y[:len(x)]
	for ; len(x) >= 4 && len(y) >= 4; x, y = x[4:], y[4:] {
		s0 += A(x[0]) * A(y[0])
		s1 += A(x[1]) * A(y[1])
		s2 += A(x[2]) * A(y[2])
		s3 += A(x[3]) * A(y[3])
	}
	for i, v := range x {
		s0 += A(v) * A(y[i])
	}
	return (s0 + s1) + (s2 + s3)
}

// complexDot adds up products in complex128.
type complexDot[T nd.Complex] struct{}

func (d complexDot[T]) dot(c *spmd.Comm, x, y []T, conj, across bool) T {
	return T(d.sum(c, x, y, conj, across))
}

func (d complexDot[T]) wide(c *spmd.Comm, x, y []T, across bool) complex128 {
	return d.sum(c, x, y, true, across)
}

func (d complexDot[T]) sum(c *spmd.Comm, x, y []T, conj, across bool) complex128 {
	var s complex128
	if conj {
		s = pairwise(complexVDot[T]{}, x, y, c.Workers())
	} else {
		s = pairwise(d, x, y, c.Workers())
	}
	if across {
		s = spmd.AllreduceOne(c, s, spmd.Sum)
	}
	return s
}

func (complexDot[T]) block(x, y []T) complex128 {
	var s0, s1 complex128
	y = y[:len(x)]
	for ; len(x) >= 2 && len(y) >= 2; x, y = x[2:], y[2:] {
		s0 += complex128(x[0]) * complex128(y[0])
		s1 += complex128(x[1]) * complex128(y[1])
	}
	for i, v := range x {
		s0 += complex128(v) * complex128(y[i])
	}
	return s0 + s1
}

type complexVDot[T nd.Complex] struct{}

func (complexVDot[T]) block(x, y []T) complex128 {
	var r0, r1, i0, i1 float64
	y = y[:len(x)]
	for i, v := range x {
		a, b := complex128(v), complex128(y[i])
		r0 += real(a) * real(b)
		r1 += imag(a) * imag(b)
		i0 += real(a) * imag(b)
		i1 += imag(a) * real(b)
	}
	return complex(r0+r1, i0-i1)
}
