package linalg

import (
	"errors"
	"fmt"
	"math"

	"caloric/internal/misuse"
	"caloric/internal/parallel"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// MatrixError says which matrix of a stack a factorization could not do, the first
// one in C order, and why. Every rank gets the same, by one more allreduce
// of 16 bytes if the stack is split; [errors.As] finds the reason.
type MatrixError struct {
	Index []int // along the axes before the matrices'
	Err   error
}

// Error names the matrix and the reason.
func (e *MatrixError) Error() string {
	return fmt.Sprintf("matrix %v of the stack: %v", e.Index, e.Err)
}

// Unwrap returns the reason.
func (e *MatrixError) Unwrap() error { return e.Err }

// matrices is a stack of matrices along the last two axes of an array, each of
// which one rank has whole.
type matrices[T nd.Inexact] struct {
	a          *nd.NDArray[T]
	lead       split.Shape // global extents before the matrices'
	rows, cols int
	data       []T // this rank's, one after the other
}

// matricesOf returns the stack that a is. If it is split along an axis of the
// matrices, one move splits it along the longest other axis.
func matricesOf[T nd.Inexact](a *nd.NDArray[T]) matrices[T] {
	return matricesIn(a, wholeMatrices(a.Layout()))
}

func matricesIn[T nd.Inexact](a *nd.NDArray[T], l *split.Layout) matrices[T] {
	a = a.MoveTo(l)
	s := l.Shape()
	n := len(s) - 2
	return matrices[T]{a, s[:n], s[n], s[n+1], a.Local()}
}

// wholeMatrices returns l, or a layout in which no matrix is split.
func wholeMatrices(l *split.Layout) *split.Layout {
	s := l.Shape()
	n := len(s) - 2
	if l.Axis() == split.None || int(l.Axis()) < n {
		return l
	}
	longest := split.None
	for k := range n {
		if longest == split.None || s[k] > s[longest] {
			longest = split.Axis(k)
		}
	}
	return split.Block(s, longest, l.Ranks())
}

// checkMatrices panics unless a is a stack of matrices, square ones if asked for.
func checkMatrices[T nd.Element](a *nd.NDArray[T], square bool) {
	s := a.Layout().Shape()
	switch n := len(s); {
	case n < 2:
		misuse.Panic("a stack of matrices has two axes or more, the array is %v", a.Layout())
	case square && s[n-1] != s[n-2]:
		misuse.Panic("the matrices of %v are not square", a.Layout())
	}
}

// count returns the number of matrices on this rank.
func (s matrices[T]) count() int {
	n := 1
	for k := range s.lead {
		n *= localExtent(s.a, k)
	}
	return n
}

// each calls f for each matrix on this rank, as a replicated one, for which nothing
// is communicated. If they are small the workers share them out.
func (s matrices[T]) each(f func(i int, m *nd.NDArray[T])) {
	c := s.a.Comm()
	l := split.Block(split.Shape{s.rows, s.cols}, split.None, c.Size())
	size, count := s.rows*s.cols, s.count()
	one := func(i int) { f(i, nd.Wrap(c, l, s.data[i*size:(i+1)*size:(i+1)*size])) }
	workers := c.Workers()
	if size*min(s.rows, s.cols) >= parallelWork {
		workers = 1 // the matrices' own products use them
	}
	parallel.Each(workers, count, one)
}

// eachOf returns an array with a result of the given shape for each matrix, split
// as the stack is, and a function that sets those of this rank's matrix i.
func eachOf[U nd.Element, T nd.Inexact](s matrices[T], shape ...int) (*nd.NDArray[U], func(i int, x []U)) {
	l, c := s.a.Layout(), s.a.Comm()
	full := append(append(split.Shape{}, s.lead...), shape...)
	to := split.Block(full, split.None, c.Size())
	if l.Axis() != split.None {
		to = split.WithCounts(full, l.Axis(), l.Counts())
	}
	out := make([]U, to.LocalSize(c.Rank()))
	size := split.Shape(shape).Size()
	return nd.Wrap(c, to, out), func(i int, x []U) { copy(out[i*size:(i+1)*size], x) }
}

// try calls f for each matrix on this rank and returns the error of the first one
// of all ranks that has one, on every rank. It takes one allreduce of 8 bytes if the
// stack is split, with an error another one of 16.
func (s matrices[T]) try(f func(i int, m *nd.NDArray[T]) error) error {
	errs := make([]error, s.count())
	s.each(func(i int, m *nd.NDArray[T]) { errs[i] = f(i, m) })
	first, mine := int64(math.MaxInt64), int64(math.MaxInt64)
	var err error
	for i, e := range errs {
		if e != nil {
			mine, err = int64(s.global(i)), e
			break
		}
	}
	c := s.a.Comm()
	if first = mine; !s.a.Layout().Replicated() {
		first = spmd.AllreduceOne(c, mine, spmd.Min)
	}
	if first == math.MaxInt64 {
		return nil
	}
	code := []int64{0, 0}
	if mine == first {
		code = errorCode(err)
	}
	if !s.a.Layout().Replicated() {
		spmd.Allreduce(c, code, spmd.Max)
	}
	e := &MatrixError{Index: make([]int, len(s.lead)), Err: errorOf(code)}
	for k, rest := len(s.lead)-1, int(first); k >= 0; k-- {
		e.Index[k] = rest % s.lead[k]
		rest /= s.lead[k]
	}
	return e
}

// global returns which matrix of all, in C order, this rank's matrix i is.
func (s matrices[T]) global(i int) int {
	n, at := 0, 1
	l := s.a.Layout()
	for k := len(s.lead) - 1; k >= 0; k-- {
		here, lo := localExtent(s.a, k), 0
		if l.Axis() == split.Axis(k) {
			lo, _ = l.Range(s.a.Comm().Rank())
		}
		n += (lo + i%here) * at
		i /= here
		at *= s.lead[k]
	}
	return n
}

// errorCode is an error of a factorization as numbers.
func errorCode(err error) []int64 {
	var singular *SingularError
	var indefinite *NotPositiveDefiniteError
	switch {
	case errors.As(err, &singular):
		return []int64{1, int64(singular.Column)}
	case errors.As(err, &indefinite):
		return []int64{2, int64(indefinite.Order)}
	case errors.Is(err, ErrNotFinite):
		return []int64{3, 0}
	}
	return []int64{4, 0}
}

func errorOf(code []int64) error {
	switch code[0] {
	case 1:
		return &SingularError{int(code[1])}
	case 2:
		return &NotPositiveDefiniteError{int(code[1])}
	case 3:
		return ErrNotFinite
	}
	return ErrNotConverged
}
