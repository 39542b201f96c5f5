package linalg

import (
	"fmt"

	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// Jacobi returns the inverse of the diagonal of a as an operator, to be used as a
// preconditioner; see [Precondition]. a is a square matrix, or a vector that is the
// diagonal of an operator without a matrix. If an element of it is 0 or not finite,
// there is an error, the same on every rank, that names the first one.
//
//	M, err := linalg.Jacobi(a)
//	x, res, err := linalg.CG(linalg.AsOperator(a), b, linalg.Precondition(M))
//
// The operator takes vectors that are split as a is without communication, and
// replicated ones after it has gathered the diagonal once.
//
// Collective. Communication: one allreduce of 8 bytes, none if a is replicated.
// Panics if a is neither a square matrix nor a vector.
func Jacobi[T nd.Inexact](a *nd.NDArray[T]) (Operator[T], error) {
	d := a
	switch s := a.Layout().Shape(); {
	case len(s) == 2 && s[0] == s[1]:
		d = nd.Diagonal(a, 0)
	case len(s) != 1:
		misuse.Panic("the diagonal of %v, which is neither a square matrix nor a vector", a.Layout())
	}
	d = nd.Copy(d)
	lo, _ := d.Layout().Range(d.Comm().Rank())
	bad := d.Layout().Shape()[0]
	local := d.Local()
	for i, v := range local {
		inverse := 1 / v
		if v == 0 || inverse-inverse != 0 || v-v != 0 {
			bad = min(bad, lo+i)
		}
		local[i] = inverse
	}
	if bad = firstBad(d.Layout(), d.Comm(), bad); bad < d.Layout().Shape()[0] {
		return nil, fmt.Errorf("linalg.Jacobi: diagonal element %d is zero or not finite", bad)
	}
	return &jacobi[T]{inverse: d, aligned: d}, nil
}

// firstBad returns the smallest of the ranks' indices.
func firstBad(l *split.Layout, c *spmd.Comm, index int) int {
	if l.Replicated() || c.Size() == 1 {
		return index
	}
	return int(spmd.AllreduceOne(c, int64(index), spmd.Min))
}

type jacobi[T nd.Inexact] struct {
	inverse *nd.NDArray[T]
	aligned *nd.NDArray[T] // the same in the layout of the last argument
}

func (p *jacobi[T]) Shape() (rows, cols int) {
	n := p.inverse.Layout().Shape()[0]
	return n, n
}

func (p *jacobi[T]) Apply(dst, x *nd.NDArray[T]) {
	nd.MulInto(dst, p.diagonal(x), x)
}

// ApplyAdjoint uses conj(d)·x = conj(d·conj(x)).
func (p *jacobi[T]) ApplyAdjoint(dst, x *nd.NDArray[T]) {
	nd.CopyInto(dst, x)
	conjugate(dst)
	nd.MulInto(dst, p.diagonal(dst), dst)
	conjugate(dst)
}

func (p *jacobi[T]) diagonal(x *nd.NDArray[T]) *nd.NDArray[T] {
	if l := x.Layout(); !p.aligned.Layout().Equal(l) {
		p.aligned = p.inverse.MoveTo(l)
	}
	return p.aligned
}
