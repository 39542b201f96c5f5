package nd

import (
	"caloric/internal/kernel"
	"caloric/internal/misuse"
	"caloric/split"
	"caloric/spmd"
)

// Where returns x where cond is true and y elsewhere; the three broadcast. It
// selects and never computes, so that nothing of the other branch gets into the
// result. NumPy's where of one argument is [Nonzero].
//
// Local unless the layouts differ. Result split: as [split.Elementwise] of the
// three. Communication: none if the layouts are equal or replicated, else a move of
// the operands with another layout. Panics if the shapes do not broadcast.
func Where[T Element](cond *NDArray[bool], x, y *NDArray[T]) *NDArray[T] {
	l := cond.layout
	if !l.Equal(x.layout) || !l.Equal(y.layout) {
		e := itemSize[T]()
		var err error
		l, err = split.Elementwise(split.Operand{Layout: l, Elem: 1},
			split.Operand{Layout: x.layout, Elem: e}, split.Operand{Layout: y.layout, Elem: e})
		misuse.Check(err)
	}
	dst := newRaw[T](cond.comm, l)
	WhereInto(dst, cond, x, y)
	return dst
}

// WhereInto sets dst, which may be x or y, to [Where] of the operands. It allocates
// nothing if the layouts agree.
//
// Local unless the layouts differ. Result split: dst's. Communication: none if the
// layouts agree or operands are replicated, else one move of each that does not.
// Panics if the shapes do not broadcast to dst's.
func WhereInto[T Element](dst *NDArray[T], cond *NDArray[bool], x, y *NDArray[T]) {
	checkDst(dst, cond.comm)
	sameComm(dst.comm, x.comm)
	sameComm(dst.comm, y.comm)
	checkInto(dst.layout, cond.layout, x.layout)
	checkInto(dst.layout, y.layout, nil)
	cond = apart(dst, aligned(dst.layout, cond))
	x, y = apart(dst, aligned(dst.layout, x)), apart(dst, aligned(dst.layout, y))
	w := newWalk(dst.shape)
	w.add(dst.offset, dst.shape, dst.strides)
	addOperand(&w, dst.layout, cond)
	addOperand(&w, dst.layout, x)
	addOperand(&w, dst.layout, y)
	w.simplify()
	if parts := workerParts(dst.comm, &w); parts > 1 {
		inParallel(&w, parts, func(w *walk) { whereRows(w, dst.data, cond.data, x.data, y.data) })
		return
	}
	whereRows(&w, dst.data, cond.data, x.data, y.data)
}

func whereRows[T Element](w *walk, dst []T, cond []bool, x, y []T) {
	if most, rest, ok := w.strips(); ok {
		whereRows(&most, dst, cond, x, y)
		w = &rest
	}
	n := w.inner()
	sd, sc, sx, sy := w.innerStride(0), w.innerStride(1), w.innerStride(2), w.innerStride(3)
	for r := w.rows(); r.next(); {
		d, c, u, v := r.off[0], r.off[1], r.off[2], r.off[3]
		if sd == 1 && sc == 1 && sx == 1 && sy == 1 {
			whereRun(dst[d:d+n], cond[c:c+n], x[u:u+n], y[v:v+n])
			continue
		}
		for range n {
			if cond[c] {
				dst[d] = x[u]
			} else {
				dst[d] = y[v]
			}
			d += sd
			c += sc
			u += sx
			v += sy
		}
	}
}

func whereRun[T Element](dst []T, cond []bool, x, y []T) {
	if kernel.Choose(dst, cond, x, y) {
		return
	}
	cond, x, y = cond[:len(dst)], x[:len(dst)], y[:len(dst)]
	for i := range dst {
		v := y[i]
		if cond[i] {
			v = x[i]
		}
		dst[i] = v
	}
}

// WhereScalar is [Where] with a number for y.
func WhereScalar[T Element](cond *NDArray[bool], x *NDArray[T], y T) *NDArray[T] {
	return Where(cond, x, scalarOf(x.comm, y))
}

// ScalarWhere is [Where] with a number for x.
func ScalarWhere[T Element](cond *NDArray[bool], x T, y *NDArray[T]) *NDArray[T] {
	return Where(cond, scalarOf(y.comm, x), y)
}

// WhereScalars returns x where cond is true and y elsewhere.
//
// Local. Result split: cond's. Communication: none.
func WhereScalars[T Element](cond *NDArray[bool], x, y T) *NDArray[T] {
	return Where(cond, scalarOf(cond.comm, x), scalarOf(cond.comm, y))
}

// CopyWhere sets the elements of dst at which mask is true to a's; mask and a
// broadcast to dst: NumPy's copyto with where, and putmask.
//
// Local unless the layouts differ. Result split: dst's. Communication: none if the
// layouts agree or mask and a are replicated, else one move of each that does not.
// Panics if the shapes do not broadcast to dst's.
func CopyWhere[T Element](dst, a *NDArray[T], mask *NDArray[bool]) { WhereInto(dst, mask, a, dst) }

// Select returns, for each element, that of the first choice whose condition is
// true there, and otherwise where none is; all of them broadcast.
//
// Local unless the layouts differ. Result split: as [split.Elementwise] of all.
// Communication: none if the layouts are equal or replicated, else a move of the
// operands with another layout. Panics if there are not as many choices as
// conditions, or none, or the shapes do not broadcast.
func Select[T Element](conditions []*NDArray[bool], choices []*NDArray[T], otherwise T) *NDArray[T] {
	if len(conditions) != len(choices) || len(choices) == 0 {
		misuse.Panic("%d conditions for %d choices", len(conditions), len(choices))
	}
	var ops []split.Operand
	for i, x := range choices {
		sameComm(choices[0].comm, x.comm)
		ops = append(ops, split.Operand{Layout: conditions[i].layout, Elem: 1}, split.Operand{Layout: x.layout, Elem: itemSize[T]()})
	}
	l, err := split.Elementwise(ops...)
	misuse.Check(err)
	dst := newArray[T](choices[0].comm, l)
	fill(dst.data, otherwise)
	for i := len(choices) - 1; i >= 0; i-- {
		CopyWhere(dst, choices[i], conditions[i])
	}
	return dst
}

// Piecewise returns, for each element of x, what functions[i] makes of it, where
// conditions[i] is the last condition that is true there. One function more than
// conditions is applied where none is; without it those elements are 0. Each
// function gets the elements that it is for and returns as many, so that none sees
// an argument outside its piece.
//
// Collective if x or a condition is split. Result split: x's. Communication: as
// [MaskedSelect] and [SetWhere] for each function.
// Panics if the conditions do not have x's shape, or their number does not fit.
func Piecewise[T Element](x *NDArray[T], conditions []*NDArray[bool], functions []func(*NDArray[T]) *NDArray[T]) *NDArray[T] {
	n := len(conditions)
	if len(functions) != n && len(functions) != n+1 {
		misuse.Panic("%d functions for %d conditions", len(functions), n)
	}
	out, none := like[T](x), like[bool](x)
	fill(none.data, true)
	for i, f := range functions {
		mask := none
		if i < n {
			mask = conditions[i]
			if !mask.layout.Shape().Equal(x.layout.Shape()) {
				misuse.Panic("a condition of shape %v for an array of shape %v", mask.layout.Shape(), x.layout.Shape())
			}
			CopyWhere(none, scalarOf(x.comm, false), mask)
		}
		SetWhere(out, mask, f(MaskedSelect(x, mask)))
	}
	return out
}

// Choose returns, for each element of index, that of the choice it names: all of
// them broadcast. NumPy's choose.
//
// Local unless the layouts differ or index is split. Result split: as
// [split.Elementwise] of all. Communication: one allreduce of 8 bytes if index is
// split; a move of the operands with another layout.
// Panics if an index is negative or not less than the number of choices.
func Choose[T Element](index *NDArray[int64], choices ...*NDArray[T]) *NDArray[T] {
	ops := []split.Operand{{Layout: index.layout, Elem: 8}}
	for _, x := range choices {
		sameComm(index.comm, x.comm)
		ops = append(ops, split.Operand{Layout: x.layout, Elem: itemSize[T]()})
	}
	l, err := split.Elementwise(ops...)
	misuse.Check(err)
	checkRange(index, "choice", len(choices))
	dst := newArray[T](index.comm, l)
	mask := newArray[bool](index.comm, index.layout)
	local := index.Local()
	for i, x := range choices {
		for j, v := range local {
			mask.data[j] = v == int64(i)
		}
		CopyWhere(dst, x, mask)
	}
	return dst
}

// checkRange panics on every rank alike unless every element of index is in
// 0 ≤ i < n. Communication: none if index is replicated, else one allreduce of 8
// bytes, and a broadcast before the panic.
func checkRange(index *NDArray[int64], what string, n int) {
	c := index.comm
	bad, value := false, int64(0)
	for _, v := range index.Local() {
		if v < 0 || v >= int64(n) {
			bad, value = true, v
			break
		}
	}
	if !index.layout.Replicated() && c.Size() > 1 {
		first := c.Size()
		if bad {
			first = c.Rank()
		}
		first = int(spmd.AllreduceOne(c, int64(first), spmd.Min))
		if bad = first < c.Size(); bad {
			value = spmd.BcastOne(c, value, first)
		}
	}
	if bad {
		misuse.Panic("%s %d of %d", what, value, n)
	}
}
