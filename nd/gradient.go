package nd

import (
	"slices"

	"caloric/internal/misuse"
)

// GradientOption says where the points of [Gradient] lie and how it treats the ends.
type GradientOption struct {
	steps  []float64
	points [][]float64
	order  int
}

// GridSpacing sets the distance of neighbouring points, 1 without it: one number for all
// axes, or one for each.
func GridSpacing(h ...float64) GradientOption { return GradientOption{steps: h} }

// Coordinates sets the coordinates of the points along the axis, one list for each
// axis; they are the same on every rank.
func Coordinates(x ...[]float64) GradientOption { return GradientOption{points: x} }

// EdgeOrder sets the order, 1 or 2, of the differences at the two ends; it is 1 by
// default. Those between are of second order.
func EdgeOrder(order int) GradientOption { return GradientOption{order: order} }

// Gradient returns the derivative of a along axis: central differences between,
// for points at uneven distances the formula of second order in them, and
// one-sided differences at the ends.
//
//	nd.Gradient(a, 0, nd.GridSpacing(0.1), nd.EdgeOrder(2))
//
// Collective if axis is the split axis, else local. Result split: a's.
// Communication: along the split axis one alltoallv of one index to each neighbour,
// more only to an end that has too few of its own; else none.
// Panics if axis is out of range, has not more indices than the order, or as many as
// there are coordinates, or if the order is not 1 or 2.
func Gradient[T Inexact](a *NDArray[T], axis int, opts ...GradientOption) *NDArray[T] {
	k := axisOf(a, axis)
	dst := like[T](a)
	s := newStencil(a, k, 0, 1, opts)
	applyStencil(&s, dst, a, k)
	return dst
}

// GradientInto sets dst to [Gradient] of a.
//
// Collective if axis is the split axis. Result split: dst's. Communication: as
// [Gradient], and one move of the result if dst has another layout.
// Panics as Gradient does, and if dst does not have a's shape.
func GradientInto[T Inexact](dst, a *NDArray[T], axis int, opts ...GradientOption) {
	checkDst(dst, a.comm)
	k := axisOf(a, axis)
	s := newStencil(a, k, 0, 1, opts)
	checkResultShape(dst, a.layout.Shape())
	if dst.layout.Equal(a.layout) {
		applyStencil(&s, dst, disjoint(dst, a), k)
		return
	}
	CopyInto(dst, Gradient(a, k, opts...))
}

// Gradients returns the [Gradient] of a along each axis.
//
// Collective unless a is replicated. Result split: a's, of each. Communication: as
// [Gradient] along the split axis.
// Panics if an axis has not more indices than the order, or not as many as there are
// coordinates, or if there is another number of distances or coordinates than axes.
func Gradients[T Inexact](a *NDArray[T], opts ...GradientOption) []*NDArray[T] {
	stencils := make([]stencil, a.NDim())
	for k := range stencils {
		stencils[k] = newStencil(a, k, k, a.NDim(), opts)
	}
	out := make([]*NDArray[T], a.NDim())
	for k, s := range stencils {
		out[k] = like[T](a)
		applyStencil(&s, out[k], a, k)
	}
	return out
}

// newStencil returns the stencil of the gradient along axis k, which is number i of
// the count axes that it is taken along.
func newStencil[T Element](a *NDArray[T], k, i, count int, opts []GradientOption) stencil {
	s := stencil{n: a.layout.Shape()[k], order: 1}
	h, points := 1.0, []float64(nil)
	for _, o := range opts {
		if o.order != 0 {
			s.order = o.order
		}
		if len(o.steps) > 1 && len(o.steps) != count || len(o.points) > 0 && len(o.points) != count {
			misuse.Panic("%d distances or coordinates for %d axes", max(len(o.steps), len(o.points)), count)
		}
		if len(o.steps) > 0 {
			h, points = o.steps[min(i, len(o.steps)-1)], nil
		}
		if len(o.points) > 0 {
			points = o.points[i]
		}
	}
	switch {
	case s.order != 1 && s.order != 2:
		misuse.Panic("edges of order %d", s.order)
	case s.n <= s.order:
		misuse.Panic("axis %d of shape %v has too few indices for edges of order %d", k, a.layout.Shape(), s.order)
	case points != nil && len(points) != s.n:
		misuse.Panic("%d coordinates for axis %d of shape %v", len(points), k, a.layout.Shape())
	}
	d := make([]float64, max(0, len(points)-1))
	for i := range d {
		d[i] = points[i+1] - points[i]
	}
	if points != nil {
		h = d[0]
	}
	if uniform := points == nil || len(slices.Compact(slices.Clone(d))) == 1; uniform {
		s.span = 2 * h
		s.first, s.last = [2]float64{h}, [2]float64{h}
		if s.order == 2 {
			s.first, s.last = [2]float64{1.5 / h, -0.5 / h}, [2]float64{-0.5 / h, 1.5 / h}
		}
		return s
	}
	// The coefficients -a and c of Fornberg (1988, "Generation of finite difference
	// formulas on arbitrarily spaced grids"); the three add up to 0.
	s.u, s.v = make([]float64, s.n), make([]float64, s.n)
	for i := 1; i < s.n-1; i++ {
		s.u[i], s.v[i] = d[i]/(d[i-1]*(d[i-1]+d[i])), d[i-1]/(d[i]*(d[i-1]+d[i]))
	}
	m := len(d)
	s.first, s.last = [2]float64{d[0]}, [2]float64{d[m-1]}
	if s.order == 2 {
		s.first = [2]float64{(2*d[0] + d[1]) / (d[0] * (d[0] + d[1])), -d[0] / (d[1] * (d[0] + d[1]))}
		s.last = [2]float64{-d[m-1] / (d[m-2] * (d[m-2] + d[m-1])), (2*d[m-1] + d[m-2]) / (d[m-1] * (d[m-2] + d[m-1]))}
	}
	return s
}
