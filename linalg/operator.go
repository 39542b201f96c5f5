package linalg

import (
	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/split"
)

// Operator is a linear map of vectors, all of them 1-d arrays over one
// communicator. A matrix is one by [AsOperator].
//
// Apply and ApplyAdjoint set all of dst, which shares no memory with x. They are
// collective and take vectors of any layout; one that keeps to the layouts it
// was last called with should allocate nothing.
type Operator[T nd.Inexact] interface {
	// Shape returns the lengths of Apply's dst and of its x.
	Shape() (rows, cols int)
	// Apply sets dst to A·x.
	Apply(dst, x *nd.NDArray[T])
	// ApplyAdjoint sets dst to Aᴴ·x.
	ApplyAdjoint(dst, x *nd.NDArray[T])
}

// A domainer is an operator that works best on vectors of one layout. A nil
// layout says that it has no such preference.
type domainer interface{ Domain() *split.Layout }

// A ranger is an operator whose results are best of one layout, or nil.
type ranger interface{ Range() *split.Layout }

// AsOperator returns the matrix a as an operator. It keeps a, not a copy, and
// the workspace of its products. A product with a matrix that is split along its
// rows gathers x; with one that is split along its columns it reduce-scatters
// the result; see [MatMul].
//
// Local. Panics if a is not a matrix.
func AsOperator[T nd.Inexact](a *nd.NDArray[T]) Operator[T] {
	if a.NDim() != 2 {
		misuse.Panic("an operator has two axes, the array %v", a.Layout())
	}
	o := &matrixOperator[T]{a: a, adjoint: a.T()}
	if l := a.Layout(); !l.Replicated() {
		vector := split.WithCounts(split.Shape{l.Shape()[l.Axis()]}, 0, l.Counts())
		square := l.Shape()[0] == l.Shape()[1]
		if square || l.Axis() == 1 {
			o.domain = vector
		}
		if square || l.Axis() == 0 {
			o.rangeOf = vector
		}
	}
	return o
}

type matrixOperator[T nd.Inexact] struct {
	a, adjoint        *nd.NDArray[T] // the adjoint is not conjugated
	domain, rangeOf   *split.Layout
	forward, backward *product[T]
	conjugate         *nd.NDArray[T] // of the argument of ApplyAdjoint
}

func (o *matrixOperator[T]) Shape() (rows, cols int) {
	s := o.a.Layout().Shape()
	return s[0], s[1]
}

func (o *matrixOperator[T]) Domain() *split.Layout { return o.domain }

func (o *matrixOperator[T]) Range() *split.Layout { return o.rangeOf }

func (o *matrixOperator[T]) Apply(dst, x *nd.NDArray[T]) {
	o.forward = applied(o.forward, dst, o.a, x)
}

// ApplyAdjoint uses Aᴴx = conj(Aᵀ conj(x)).
func (o *matrixOperator[T]) ApplyAdjoint(dst, x *nd.NDArray[T]) {
	if isComplex[T]() {
		if o.conjugate == nil || !o.conjugate.Layout().Equal(x.Layout()) {
			o.conjugate = nd.EmptyLike(x)
		}
		nd.CopyInto(o.conjugate, x)
		conjugate(o.conjugate)
		x = o.conjugate
	}
	o.backward = applied(o.backward, dst, o.adjoint, x)
	if isComplex[T]() {
		conjugate(dst)
	}
}

// applied sets dst to a·x by p, or a new product if p does not fit, and returns it.
func applied[T nd.Inexact](p *product[T], dst, a, x *nd.NDArray[T]) *product[T] {
	if p.fits(dst.Layout(), a.Layout(), x.Layout()) && a.Comm() == x.Comm() && a.Comm() == dst.Comm() {
		p.into(dst, a, x)
		return p
	}
	rule := checkedLayout(dst, a, x)
	p = newProduct[T](a.Comm(), dst.Layout(), a.Layout(), x.Layout(), rule, &matMulOptions{})
	p.into(dst, a, x)
	return p
}

// conjugate conjugates a vector in place.
func conjugate[T nd.Inexact](a *nd.NDArray[T]) {
	data, off, strides := a.Memory()
	switch data := any(data).(type) {
	case []complex64:
		for i := range localExtent(a, 0) {
			z := &data[off+i*strides[0]]
			*z = complex(real(*z), -imag(*z))
		}
	case []complex128:
		for i := range localExtent(a, 0) {
			z := &data[off+i*strides[0]]
			*z = complex(real(*z), -imag(*z))
		}
	}
}
