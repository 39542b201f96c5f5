package linalg

import (
	"fmt"
	"math"

	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// HierarchicalSVD returns a truncated singular value decomposition
// u·diag(s)·vh ≈ a of at most maxRank singular values, 0 for any number, that
// leaves at most rtol times a's Frobenius norm, 0 for all that is not rounding, as far as
// maxRank allows. The last result is a bound of ‖a − u·uᴴ·a‖ (‖a − a·v·vᴴ‖ if a
// is split along its rows) in that norm.
//
// Each rank decomposes its columns and drops what is small; then the factors
// U·diag(s) are put side by side in pairs, decomposed and truncated again, up a
// tree (Iwen and Ong 2016, "A distributed and incremental SVD algorithm for
// agglomerative data analysis on large networks"), and what a has in the range of
// the last U is decomposed with a. If a is split along its rows
// that is done with its adjoint. It takes the least communication where r, the rank, is small.
//
// Collective, local if a is replicated. Result split: s None; if a is split along
// its rows u as a and vh None, otherwise u None and vh as a. Communication: one
// allreduce of 24 bytes, at most ⌈log₂ P⌉ messages a rank of r columns, a broadcast
// of r columns, and an [SVD] of an r × n matrix. Extra memory: 2r columns and the rank's part of a twice.
// Panics if a is not a matrix or maxRank or rtol is negative.
func HierarchicalSVD[T nd.Inexact](a *nd.NDArray[T], maxRank int, rtol float64) (u *nd.NDArray[T], s *nd.NDArray[float64], vh *nd.NDArray[T], bound float64, err error) {
	matrixShape(a)
	if maxRank < 0 || !(rtol >= 0) {
		misuse.Panic("rank %d, relative tolerance %v", maxRank, rtol)
	}
	b := a
	if a.Split() == 0 {
		b = adjoint(a)
	}
	d, bound, err := hierarchical(b, maxRank, rtol)
	if err != nil {
		return nil, nil, nil, 0, fmt.Errorf("linalg.HierarchicalSVD of %v: %w", a.Layout(), err)
	}
	if a.Split() == 0 {
		d.u, d.vh = adjoint(d.vh), adjoint(d.u)
	}
	return d.u, replicatedVector(a, d.s), d.vh, bound, nil
}

// node is what one rank knows in the tree: the columns of U·diag(s), as rows, and
// how far they are from the columns that they stand for.
type node[T nd.Inexact] struct {
	us    mat[T]
	error float64
}

func hierarchical[T nd.Inexact](a *nd.NDArray[T], maxRank int, rtol float64) (d singular[T], bound float64, err error) {
	m, n := matrixShape(a)
	c := a.Comm()
	g := crewOf(a)
	norm := Norm(a)
	if math.IsNaN(norm) || math.IsInf(norm, 0) {
		return d, 0, ErrNotFinite
	}
	// Each level of the tree may add its part of the error.
	levels := 1
	for p := 1; p < g.size; p *= 2 {
		levels++
	}
	rtol = max(rtol, vectorsOf[T]().epsilon()*float64(max(m, n)))
	if maxRank == 0 {
		maxRank = m
	}
	x, err := truncatedNode(c, packed(right(a).t()), maxRank, rtol/float64(levels))
	for step := 1; step < g.size; step *= 2 {
		if g.rank&step != 0 {
			x.send(c, g.rank-step, err)
			break
		}
		if g.rank+step < g.size {
			y, otherErr := receiveNode[T](c, m, g.rank+step)
			if err == nil {
				err = otherErr
			}
			if err == nil {
				both := dense(make([]T, (x.us.rows+y.us.rows)*m), x.us.rows+y.us.rows, m)
				copyMat(both.rowRange(0, x.us.rows), x.us)
				copyMat(both.rowRange(x.us.rows, both.rows), y.us)
				before := math.Hypot(x.error, y.error)
				x, err = truncatedNode(c, both, maxRank, rtol/float64(levels))
				x.error += before
			}
		}
	}
	x, err = shareNode(g, x, m, err)
	if err != nil {
		return d, 0, err
	}
	k := vectorsOf[T]()
	for i := range x.us.rows {
		k.scale(inexact[T](1/k.norm(rowOf(x.us, i))), rowOf(x.us, i))
	}
	r := x.us.rows
	u := nd.Wrap(c, split.Block(split.Shape{m, r}, split.None, c.Size()), packed(x.us.t()).data)
	// What is left of a is decomposed once more, so that both its vectors are orthonormal.
	d, err = decompose(MatMul(adjoint(u), a), true)
	if err != nil {
		return d, 0, err
	}
	d.u = MatMul(u, d.u)
	// The tree has been careful; what the range of U leaves of a is orthogonal to
	// what is dropped here.
	bound = x.error
	for r > 0 && math.Hypot(x.error, tail(d.s, r-1)) <= rtol*norm {
		r--
		bound = math.Hypot(x.error, tail(d.s, r))
	}
	return truncated(d, r, a), bound, nil
}

// truncatedNode decomposes the matrix whose columns are the rows of wt, which it
// changes, and drops all but the largest singular values.
func truncatedNode[T nd.Inexact](c *spmd.Comm, wt mat[T], maxRank int, rtol float64) (node[T], error) {
	k := vectorsOf[T]()
	g := soloCrew(c)
	transposed := wt.rows > wt.cols
	if transposed {
		wt = packed(conjugated(k, wt).t())
	}
	u, v, s, err := singularOf(&cyclicColumns[T]{crew: g, rows: wt.cols, cols: wt.rows, block: g.blockOf(wt.rows), own: wt}, true)
	if err != nil {
		return node[T]{}, err
	}
	if transposed {
		u = v // aᴴ = (U·diag(s)·Vᴴ)ᴴ
	}
	total := tail(s, 0)
	r := min(len(s), maxRank)
	for r > 0 && tail(s, r-1) <= rtol*total {
		r--
	}
	for i := range r {
		k.scale(inexact[T](s[i]), rowOf(u.own, i))
	}
	return node[T]{us: u.own.rowRange(0, r), error: tail(s, r)}, nil
}

// tail returns the 2-norm of s, which falls, from i on.
func tail(s []float64, i int) float64 {
	if i >= len(s) || s[i] == 0 {
		return 0
	}
	sum := 0.0
	for k := len(s) - 1; k >= i; k-- {
		x := s[k] / s[i]
		sum += x * x
	}
	return s[i] * math.Sqrt(sum)
}

// header is a node's rank, negative if it has failed, and its error.
func (x node[T]) header(err error) []float64 {
	if err != nil {
		return []float64{-1, 0}
	}
	return []float64{float64(x.us.rows), x.error}
}

func (x node[T]) send(c *spmd.Comm, to int, err error) {
	spmd.Send(c, x.header(err), to, 0)
	if err == nil {
		spmd.Send(c, packed(x.us).data, to, 1)
	}
}

func receiveNode[T nd.Inexact](c *spmd.Comm, m, from int) (node[T], error) {
	h := make([]float64, 2)
	spmd.Recv(c, h, from, 0)
	if h[0] < 0 {
		return node[T]{}, ErrNotConverged
	}
	r := int(h[0])
	x := node[T]{us: dense(make([]T, r*m), r, m), error: h[1]}
	spmd.Recv(c, x.us.data, from, 1)
	return x, nil
}

// shareNode returns rank 0's node, or its error, on every rank.
func shareNode[T nd.Inexact](g crew, x node[T], m int, err error) (node[T], error) {
	if g.size == 1 {
		return x, err
	}
	h := x.header(err)
	spmd.Bcast(g.comm, h, 0)
	if h[0] < 0 {
		return x, ErrNotConverged
	}
	r := int(h[0])
	all := dense(make([]T, r*m), r, m)
	if g.rank == 0 {
		copyMat(all, x.us)
	}
	spmd.Bcast(g.comm, all.data, 0)
	return node[T]{us: all, error: h[1]}, nil
}
