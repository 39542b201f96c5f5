package nd

import (
	"caloric/split"
	"caloric/spmd"
)

// Union1D returns the different elements of a and b in ascending order.
//
// Collective unless both are replicated. Result split: 0, each rank with the
// values of its range, so that the layout is unbalanced; None if both are
// replicated. Communication: as [Unique] of both together, and one alltoallv of a
// byte an element; none if both are replicated.
func Union1D[T Element](a, b *NDArray[T]) *NDArray[T] { return combine(a, b, union) }

// Intersect1D returns the different elements that a and b have in common, in
// ascending order. NaN is equal to nothing.
//
// Collective unless both are replicated. Result split and communication: as [Union1D].
func Intersect1D[T Element](a, b *NDArray[T]) *NDArray[T] { return combine(a, b, intersection) }

// SetDiff1D returns the different elements of a that b does not have, in
// ascending order. NaN is equal to nothing.
//
// Collective unless both are replicated. Result split and communication: as [Union1D].
func SetDiff1D[T Element](a, b *NDArray[T]) *NDArray[T] { return combine(a, b, difference) }

// SetXor1D returns the different elements that only one of a and b has, in
// ascending order. NaN is equal to nothing, so that it is there twice if both have it.
//
// Collective unless both are replicated. Result split and communication: as [Union1D].
func SetXor1D[T Element](a, b *NDArray[T]) *NDArray[T] { return combine(a, b, symmetricDifference) }

// IsIn tells of each element of a whether test has it. NaN is equal to nothing.
//
// Collective unless test is replicated. Result split: a's. Communication: none if
// test is replicated; one allreduce of a byte an element if a is; else as [Unique]
// of both together, with an alltoallv of a byte an element there and back.
func IsIn[T Element](a, test *NDArray[T]) *NDArray[bool] {
	sameComm(a.comm, test.comm)
	return orderingOf[T]().isIn(a, test)
}

// In1D is [IsIn] of a's elements in C order, as a vector.
//
// Collective unless both are replicated. Result split: as [Ravel].
// Communication: that of [Ravel] and [IsIn].
func In1D[T Element](a, test *NDArray[T]) *NDArray[bool] { return IsIn(Ravel(a), test) }

func combine[T Element](a, b *NDArray[T], op setOp) *NDArray[T] {
	sameComm(a.comm, b.comm)
	return orderingOf[T]().combine(a, b, op)
}

// setOp says how many times a value is in the result that is in a only, in b
// only, and in both; and, where it is NaN, in both.
type setOp struct{ inA, inB, both, bothNaN int }

var (
	union               = setOp{1, 1, 1, 1}
	intersection        = setOp{0, 0, 1, 0}
	difference          = setOp{1, 0, 0, 1}
	symmetricDifference = setOp{1, 1, 0, 2}
)

// The sets that a group of keys is in.
const (
	inA uint8 = 1 << iota
	inB
)

func combineSets[T, K Element](o keying[T, K], a, b *NDArray[T], op setOp) *NDArray[T] {
	c := a.comm
	alone := c.Size() == 1 || a.layout.Replicated() && b.layout.Replicated()
	g := groupsOf(o, a, inA, alone)
	h := groupsOf(o, b, inB, alone)
	g.keys, g.sets = append(g.keys, h.keys...), append(g.sets, h.sets...)
	g, _ = mergeGroups(o.kit, g)
	if !alone {
		g = meet(c, o.kit, g, false).groups
	}
	values := make([]T, len(g.keys))
	o.code.decode(values, g.keys, 0)
	var out []T
	for i, x := range values {
		times := op.both
		switch {
		case g.sets[i] == inA:
			times = op.inA
		case g.sets[i] == inB:
			times = op.inB
		case x != x:
			times = op.bothNaN
		}
		for range times {
			out = append(out, x)
		}
	}
	if alone {
		return wrap(c, joinAlone(a, b, len(out)), out)
	}
	lengths := partLengths(c, len(out))
	_, n := starts(lengths)
	return wrap(c, split.WithCounts(Shape{n}, 0, lengths), out)
}

// joinAlone returns the layout of n values that this rank has found by itself.
func joinAlone[T Element](a, b *NDArray[T], n int) *split.Layout {
	axis := split.None
	if !a.layout.Replicated() || !b.layout.Replicated() {
		axis = 0
	}
	return split.Block(Shape{n}, axis, a.comm.Size())
}

// groupsOf returns the groups of this rank's share of a: its part, or unless
// alone an even share of a replicated array.
func groupsOf[T, K Element](o keying[T, K], a *NDArray[T], set uint8, alone bool) keyGroups[K] {
	src := a.Local()
	if !alone && a.layout.Replicated() {
		lo, hi := split.Block(Shape{len(src)}, 0, a.comm.Size()).Range(a.comm.Rank())
		src = src[lo:hi]
	}
	keys := make([]K, len(src))
	o.code.encode(keys, src, equalZeros|equalNaNs)
	g, _ := groupKeys(o.kit, keys, 0, a.comm.Workers())
	g.sets = make([]uint8, len(g.keys))
	for i := range g.sets {
		g.sets[i] = set
	}
	return g
}

func isInSet[T, K Element](o keying[T, K], a, test *NDArray[T]) *NDArray[bool] {
	src := a.Local()
	out := newArray[bool](a.comm, a.layout)
	keys := make([]K, len(src))
	o.code.encode(keys, src, equalZeros)
	if a.comm.Size() == 1 || a.layout.Replicated() || test.layout.Replicated() {
		at := make([]int64, len(keys))
		o.kit.find(at, groupsOf(o, test, inB, true).keys, keys)
		for i, p := range at {
			out.data[i] = p >= 0
		}
		if a.layout.Replicated() && !test.layout.Replicated() {
			spmd.Allreduce(a.comm, out.data, spmd.Or)
		}
	} else {
		g, of := groupKeys(o.kit, keys, uniqueInverse, 1)
		g.sets = make([]uint8, len(g.keys))
		for i := range g.sets {
			g.sets[i] = inA
		}
		h := groupsOf(o, test, inB, false)
		n := len(g.keys)
		g.keys, g.sets = append(g.keys, h.keys...), append(g.sets, h.sets...)
		g, joined := mergeGroups(o.kit, g)
		m := meet(a.comm, o.kit, g, true)
		sets := answer(m, m.groups.sets)
		for i, j := range of {
			out.data[i] = sets[joined[:n][j]]&inB != 0
		}
	}
	for i, x := range src {
		if x != x {
			out.data[i] = false
		}
	}
	return out
}
