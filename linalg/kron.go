package linalg

import (
	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/split"
)

// Kron returns the Kronecker product of a and b: along each axis, index
// i·n + j is index i of a and index j of b, which has extent n there. The array
// with fewer axes gets axes of extent 1 in front.
//
// Collective if b is split, else local. Result split: a's, with a's counts times
// b's extent; b's, balanced, if a is replicated; None if both are.
// Communication: one gather of b if it is split, else none. Extra memory: b, if
// it is split. Panics if the communicators differ.
func Kron[T nd.Number](a, b *nd.NDArray[T]) *nd.NDArray[T] {
	sameComm(a, b)
	a, b = leadingAxes(a, b.NDim()), leadingAxes(b, a.NDim())
	c := a.Comm()
	la, lb := a.Layout(), b.Layout()
	shape := make(nd.Shape, a.NDim())
	for k := range shape {
		shape[k] = la.Shape()[k] * lb.Shape()[k]
	}
	if _, err := split.BroadcastShapes(shape); err != nil {
		misuse.Panic("the Kronecker product of %v and %v: %v", la, lb, err)
	}
	l := split.Block(shape, lb.Axis(), c.Size())
	if axis := la.Axis(); axis != split.None {
		counts := la.Counts()
		for r := range counts {
			counts[r] *= lb.Shape()[axis]
		}
		l = split.WithCounts(shape, axis, counts)
	}
	if !lb.Replicated() {
		b = b.Resplit(split.None)
	}
	k := kron[T]{box: l.Local(c.Rank()), inner: lb.Shape(), out: make([]T, 0, l.LocalSize(c.Rank()))}
	if axis := la.Axis(); axis != split.None {
		// The part of a is this rank's, and its indices count from 0.
		n := k.box.Hi[axis] - k.box.Lo[axis]
		k.box.Lo[axis], k.box.Hi[axis] = 0, n
	}
	k.a, k.aOff, k.aStrides = a.Memory()
	k.b, k.bOff, k.bStrides = b.Memory()
	if l.LocalSize(c.Rank()) > 0 {
		k.fill(0, k.aOff, k.bOff)
	}
	return nd.Wrap(c, l, k.out)
}

// leadingAxes returns a with axes of extent 1 in front so that it has n or more.
func leadingAxes[T nd.Number](a *nd.NDArray[T], n int) *nd.NDArray[T] {
	var axes []int
	for k := range n - a.NDim() {
		axes = append(axes, k)
	}
	if len(axes) == 0 {
		return a
	}
	return nd.ExpandDims(a, axes...)
}

// kron writes a box of a Kronecker product in C order.
type kron[T nd.Number] struct {
	box                split.Box
	inner              nd.Shape // b's extents
	a, b, out          []T
	aOff, bOff         int
	aStrides, bStrides []int
}

// fill appends the elements that differ from axis on, of the elements of a and b
// at offsets p and q.
func (k *kron[T]) fill(axis, p, q int) {
	if axis == len(k.inner) {
		k.out = append(k.out, k.a[p]*k.b[q])
		return
	}
	n := k.inner[axis]
	i, j := k.box.Lo[axis]/n, k.box.Lo[axis]%n
	for left := k.box.Hi[axis] - k.box.Lo[axis]; left > 0; i, j = i+1, 0 {
		m := min(n-j, left)
		left -= m
		s, t := p+i*k.aStrides[axis], q+j*k.bStrides[axis]
		if axis < len(k.inner)-1 {
			for range m {
				k.fill(axis+1, s, t)
				t += k.bStrides[axis]
			}
			continue
		}
		v := k.a[s]
		for range m {
			k.out = append(k.out, v*k.b[t])
			t += k.bStrides[axis]
		}
	}
}
