package linalg

import (
	"caloric/nd"
	"caloric/spmd"
)

// scalars are the inner products that a solver needs at one point of a step, so
// that they share one allreduce. [scalars.put] adds them up on this rank,
// [scalars.sum] over the ranks.
type scalars[T nd.Inexact] struct {
	comm    *spmd.Comm
	across  bool // some of the vectors are split
	width   int  // numbers an inner product: 1 or, for complex T, 2
	data    []float64
	request *spmd.Request
}

// newScalars returns memory for n inner products of vectors that are all
// replicated, or some of them split.
func newScalars[T nd.Inexact](c *spmd.Comm, across bool, n int) scalars[T] {
	s := scalars[T]{comm: c, across: across && c.Size() > 1, width: 1}
	if isComplex[T]() {
		s.width = 2
	}
	s.data = make([]float64, 0, n*s.width)
	return s
}

func (s *scalars[T]) reset() { s.data = s.data[:0] }

// put appends xᴴy, in double precision. The vectors have one layout and are
// contiguous. What every rank has in full counts on one.
func (s *scalars[T]) put(x, y *nd.NDArray[T]) {
	var v complex128
	if !s.across || !x.Layout().Replicated() || s.comm.Rank() == 0 {
		v = dotterOf[T]().wide(s.comm, x.Local(), y.Local(), false)
	}
	s.data = append(s.data, real(v))
	if s.width == 2 {
		s.data = append(s.data, imag(v))
	}
}

// sum adds up over the ranks what was put.
func (s *scalars[T]) sum() {
	if s.across {
		spmd.Allreduce(s.comm, s.data, spmd.Sum)
	}
}

// start begins [scalars.sum], which is done when [scalars.wait] returns.
func (s *scalars[T]) start() {
	if s.across {
		s.request = spmd.Iallreduce(s.comm, s.data, spmd.Sum)
	}
}

func (s *scalars[T]) wait() {
	if s.request != nil {
		s.request.Wait()
		s.request = nil
	}
}

// real returns the real part of inner product i, which for xᴴx is all of it.
func (s *scalars[T]) real(i int) float64 { return s.data[i*s.width] }

func (s *scalars[T]) at(i int) complex128 {
	if s.width == 2 {
		return complex(s.data[2*i], s.data[2*i+1])
	}
	return complex(s.data[i], 0)
}

// one returns xᴴy by an allreduce of its own.
func (s *scalars[T]) one(x, y *nd.NDArray[T]) complex128 {
	s.reset()
	s.put(x, y)
	s.sum()
	return s.at(0)
}

// leftOver returns whole − part, both sums of squares, and whether it is accurate
// enough to be used instead of a sum of its own: it is unless nearly all cancels.
func leftOver(whole, part float64) (float64, bool) {
	d := whole - part
	return d, d >= 0.01*whole
}
