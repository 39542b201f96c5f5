package linalg

import (
	"caloric/internal/misuse"
	"caloric/internal/recycle"
	"caloric/nd"
	"caloric/split"
)

// MatMul returns the matrix product of a and b: of a matrix (m, k) and a matrix
// (k, n), with a vector in a's place as (1, k) and in b's place as (k, 1), whose
// axis the result then lacks. The product of two vectors is a single number, and
// equals [Dot].
//
//	a \ b         None             split 0 (k)      split 1 (n)
//	None          local            partial sums     local
//	split 0 (m)   local            b gathered       b gathered
//	split 1 (k)   partial sums     partial sums     a gathered
//
// That is what small products do, and those with a vector. A larger one uses the
// algorithm, and first moves the operands, that take least time by the
// communicator's [Model]: local, gathering, a ring, sums passed round a ring, or
// SUMMA on a grid of ranks; see [Algorithm] and [PlanMatMul]. Algorithms round
// differently, as they add up in different orders; [SetModel] or [UseAlgorithm]
// makes the choice the same in each run. If no model is set, the first product of
// at least 2³² flops of float64 a rank measures one, see [MeasureModel]; smaller
// ones choose by [DefaultModel]. The package comment says what the local product is.
//
// Arrays of more than two axes are stacks of matrices, along their last two axes;
// the axes before broadcast, and a vector goes with each matrix. Nothing is
// communicated if at most one operand is split, not along the inner axis, or both
// are split alike along an axis before the matrices'. Otherwise result split and
// communication are those of [Einsum] of "...ij,...jk->...ik". Of the options they
// know [ResultSplit] and [ResultLayout].
//
// Collective unless local. Result split: as [split.MatMul], or as [ResultSplit]
// says. Communication: as [PlanMatMul] says; of a small product one allgatherv of
// the operand that is gathered, or one reduce-scatter of the result, an allreduce
// where the result is replicated; before that one alltoallv of the smaller operand
// if the ranks have different columns of a and rows of b. Extra memory: as
// PlanMatMul says; a whole operand or result only if that is small.
// Panics if the shapes do not fit or the communicators differ.
func MatMul[T nd.Number](a, b *nd.NDArray[T], opts ...MatMulOption) *nd.NDArray[T] {
	sameComm(a, b)
	o := newMatMulOptions(opts)
	if isStacked(a, b) {
		z := stackedMatMul(a, b)
		return z.MoveTo(o.result(z.Layout()))
	}
	rule := productLayout(a, b)
	l := o.result(rule)
	dst := nd.Wrap(a.Comm(), l, recycle.Make[T](l.LocalSize(a.Comm().Rank())))
	multiplyInto(dst, a, b, rule, &o)
	return dst
}

// MatMulInto sets dst to [MatMul] of a and b. dst may be an operand, and have
// another layout than the result of MatMul, which the choice of the algorithm takes
// into account: partial sums go straight to a replicated dst by an allreduce,
// and to one that is split along the rows in any way by the reduce-scatter;
// otherwise the result moves to dst's layout. It allocates what MatMul needs beside
// the result; an [Operator] keeps that memory from one product to the next.
//
// Collective unless local. Result split: dst's. Communication: as MatMul, and one
// move of the result where it says so. Panics if dst does not have the result's
// shape, if an option asks for another layout, or as MatMul.
func MatMulInto[T nd.Number](dst, a, b *nd.NDArray[T], opts ...MatMulOption) {
	o := newMatMulOptions(opts)
	if o.split || o.layout != nil {
		misuse.Panic("the destination %v has a layout already", dst.Layout())
	}
	if isStacked(a, b) {
		sameComm(a, b)
		sameComm(dst, a)
		stackedMatMulInto(dst, a, b)
		return
	}
	multiplyInto(dst, a, b, checkedLayout(dst, a, b), &o)
}

// checkedLayout returns the layout of the product of a and b after checking that
// dst can hold it.
func checkedLayout[T nd.Number](dst, a, b *nd.NDArray[T]) *split.Layout {
	sameComm(a, b)
	sameComm(dst, a)
	l := productLayout(a, b)
	if !l.Shape().Equal(dst.Layout().Shape()) {
		misuse.Panic("the product of %v and %v has shape %v, the destination %v",
			a.Layout(), b.Layout(), l.Shape(), dst.Layout().Shape())
	}
	return l
}

// multiplyInto sets dst to a·b; rule is the layout of [split.MatMul].
func multiplyInto[T nd.Number](dst, a, b *nd.NDArray[T], rule *split.Layout, o *matMulOptions) {
	if dst.NDim() == 0 {
		dst.Local()[0] = Dot(a, b)
		return
	}
	p := newProduct[T](a.Comm(), dst.Layout(), a.Layout(), b.Layout(), rule, o)
	p.into(dst, a, b)
	p.release()
}

// productLayout returns the layout of the product of a and b.
func productLayout[T nd.Number](a, b *nd.NDArray[T]) *split.Layout {
	l, err := split.MatMul(a.Layout(), b.Layout())
	if err != nil {
		misuse.Panic("%v (operands %v and %v)", err, a.Layout(), b.Layout())
	}
	return l
}

func sameComm[T, U nd.Element](a *nd.NDArray[T], b *nd.NDArray[U]) {
	if a.Comm() != b.Comm() {
		misuse.Panic("operands %v and %v on different communicators (%s)",
			a.Layout(), b.Layout(), misuse.Comms(a.Comm(), b.Comm()))
	}
}
