package nd

import (
	"unsafe"

	"caloric/internal/misuse"
	"caloric/split"
	"caloric/spmd"
)

// Operand is what an expression computes with: an array, or another expression
// of the same element type.
type Operand[T Element] interface {
	lazyOperand(*T) *lazyOp
}

// lazyOp is a node of an expression: an array, a number, or an operation on
// other nodes. Its layout is that of the array that the eager function returns.
type lazyOp struct {
	comm   *spmd.Comm
	layout *split.Layout
	elem   lazyElem
	array  lazyArray // of an array
	number lazyFill  // of a number
	step   lazyStep  // of an operation
	args   []*lazyOp
	three  [3]*lazyOp // memory for args
	plan   *lazyPlan  // made by the first evaluation
	stand  any        // for the whole in a reduction; see standIn
}

// lazyArray is an [NDArray] of any type.
type lazyArray interface {
	lazyAlive() // panics if the array has been released
	lazyAligned(l *split.Layout) lazyArray
	lazyApart(dst footprint) lazyArray
	lazyStrides(s *lazyStrides, shape []int, l *split.Layout)
}

// lazyFill sets n elements to a number.
type lazyFill interface {
	fill(dst unsafe.Pointer, n int)
}

// lazyStep is an operation on a block of n elements. A kernel's operands follow
// the destination; those that it does not have are nil.
type lazyStep interface {
	run(dst, x, y, z unsafe.Pointer, n int)
}

// lazyElem is what an evaluation must know of an element type.
type lazyElem interface {
	size() int
	// eval returns the array that o stands for, in keep if it is not nil.
	eval(o *lazyOp, keep lazyArray) lazyArray
}

type lazyElemOf[T Element] struct{}

func (lazyElemOf[T]) size() int { return itemSize[T]() }

func (lazyElemOf[T]) eval(o *lazyOp, keep lazyArray) lazyArray {
	if keep == nil {
		return lazyEval[T](o)
	}
	lazyInto(o, keep.(*NDArray[T]))
	return keep
}

type lazyNumber[T Element] struct{ v T }

func (c lazyNumber[T]) fill(dst unsafe.Pointer, n int) { fill(unsafe.Slice((*T)(dst), n), c.v) }

type lazyStep1[T, R Element] struct{ k kernel1[T, R] }

func (s lazyStep1[T, R]) run(dst, x, _, _ unsafe.Pointer, n int) {
	s.k.loop(unsafe.Slice((*R)(dst), n), unsafe.Slice((*T)(x), n))
}

type lazyStep2[T, R Element] struct{ k kernel2[T, R] }

func (s lazyStep2[T, R]) run(dst, x, y, _ unsafe.Pointer, n int) {
	s.k.loop(unsafe.Slice((*R)(dst), n), unsafe.Slice((*T)(x), n), unsafe.Slice((*T)(y), n))
}

type lazyWhereStep[T Element] struct{}

func (lazyWhereStep[T]) run(dst, cond, x, y unsafe.Pointer, n int) {
	whereRun(unsafe.Slice((*T)(dst), n), unsafe.Slice((*bool)(cond), n), unsafe.Slice((*T)(x), n), unsafe.Slice((*T)(y), n))
}

func (a *NDArray[T]) lazyOperand(*T) *lazyOp {
	return &lazyOp{comm: a.comm, layout: a.layout, elem: lazyElemOf[T]{}, array: a}
}

func (a *NDArray[T]) lazyAlive() {
	if a.comm == nil {
		panicReleased()
	}
}

func (a *NDArray[T]) lazyAligned(l *split.Layout) lazyArray { return aligned(l, a) }

// lazyApart is [apart] from a destination.
func (a *NDArray[T]) lazyApart(dst footprint) lazyArray {
	if dst.clobbers(a.footprint()) {
		return Copy(a)
	}
	return a
}

// lazyStrides sets s to where the elements are that this rank needs for its part,
// of the given shape, of an array of layout l.
func (a *NDArray[T]) lazyStrides(s *lazyStrides, shape []int, l *split.Layout) {
	w := newWalk(shape)
	addOperand(&w, l, a)
	s.base, s.len, s.size = unsafe.Pointer(unsafe.SliceData(a.data)), len(a.data), itemSize[T]()
	s.offset, s.stride = w.offset[0], w.stride[0]
}

// lazyUnary returns the expression k of x.
func lazyUnary[T, R Element](k kernel1[T, R], x *lazyOp) *lazyOp {
	o := &lazyOp{comm: x.comm, layout: x.layout, elem: lazyElemOf[R]{}, step: lazyStep1[T, R]{k}}
	o.three[0] = x
	o.args = o.three[:1]
	return o
}

// lazyBinary returns the expression k of x and y.
func lazyBinary[T, R Element](k kernel2[T, R], x, y *lazyOp) *lazyOp {
	return lazyJoin[R](lazyStep2[T, R]{k}, x, y)
}

// lazyLeft and lazyRight return the expression k of a number and x.
func lazyLeft[T, R Element](k kernel2[T, R], s T, x *lazyOp) *lazyOp {
	return lazyJoin[R](lazyStep2[T, R]{k}, lazyScalar(s), x)
}

func lazyRight[T, R Element](k kernel2[T, R], x *lazyOp, s T) *lazyOp {
	return lazyJoin[R](lazyStep2[T, R]{k}, x, lazyScalar(s))
}

func lazyScalar[T Element](s T) *lazyOp {
	return &lazyOp{elem: lazyElemOf[T]{}, number: lazyNumber[T]{s}}
}

// lazyWhere returns the expression that is x where cond is true and y elsewhere.
func lazyWhere[T Element](cond, x, y *lazyOp) *lazyOp {
	return lazyJoin[T](lazyWhereStep[T]{}, cond, x, y)
}

// lazyJoin returns an operation on args, at least one of which is no number, in
// the layout that [split.Elementwise] gives.
func lazyJoin[R Element](step lazyStep, args ...*lazyOp) *lazyOp {
	o := &lazyOp{elem: lazyElemOf[R]{}, step: step}
	o.args = append(o.three[:0], args...)
	same := true
	for _, x := range args {
		if x.number != nil {
			continue
		}
		if o.comm == nil {
			o.comm, o.layout = x.comm, x.layout
		}
		sameComm(o.comm, x.comm)
		same = same && (x.layout == o.layout || o.layout != nil && x.layout.Equal(o.layout))
	}
	if same {
		return o
	}
	operands := make([]split.Operand, 0, len(args))
	for _, x := range args {
		if x.number == nil {
			operands = append(operands, split.Operand{Layout: x.layout, Elem: x.elem.size()})
		}
	}
	l, err := split.Elementwise(operands...)
	switch {
	case err != nil && len(operands) == 2:
		misuse.Panic("shapes %v and %v do not broadcast", operands[0].Layout, operands[1].Layout)
	case err != nil:
		misuse.Panic("shapes %v, %v and %v do not broadcast", operands[0].Layout, operands[1].Layout, operands[2].Layout)
	}
	o.layout = l
	return o
}

// lazyEval returns the array that o stands for.
func lazyEval[T Element](o *lazyOp) *NDArray[T] {
	dst := newRaw[T](o.comm, o.layout)
	lazyInto(o, dst)
	return dst
}

// lazyInto sets dst to o, which broadcasts to dst's shape.
func lazyInto[T Element](o *lazyOp, dst *NDArray[T]) {
	checkDst(dst, o.comm)
	checkInto(dst.layout, o.layout, nil)
	if o.array != nil {
		CopyInto(dst, o.array.(*NDArray[T]))
		return
	}
	if !dst.layout.Shape().Equal(o.layout.Shape()) || split.Align(dst.layout, o.layout) != o.layout {
		CopyInto(dst, lazyEval[T](o)) // one result travels instead of all operands
		return
	}
	p := o.compiled()
	p.prepare()
	own := dst.footprint()
	for i := range p.inputs {
		p.inputs[i].now = p.inputs[i].now.lazyApart(own)
	}
	p.space.start(p, dst.shape, dst.layout)
	p.space.own.base, p.space.own.len, p.space.own.size = unsafe.Pointer(unsafe.SliceData(dst.data)), len(dst.data), itemSize[T]()
	p.space.own.offset = dst.offset
	copy(p.space.own.stride[:], dst.strides)
	p.space.simplify(true)
	p.runInto(dst.comm)
	p.done()
}

// standIn returns an array without memory that stands for o where the reduction
// engine reads; or the array itself if there is nothing to fuse, because o is one
// or a mask is to be paired with its elements.
func standIn[T Element](o *lazyOp, opts []Option) *NDArray[T] {
	switch {
	case o.array != nil:
		return o.array.(*NDArray[T])
	case hasOption(opts, whereOption):
		return lazyEval[T](o)
	case o.stand == nil:
		a := wrap[T](o.comm, o.layout, nil)
		a.expr = o
		o.stand = a
	}
	return o.stand.(*NDArray[T])
}
