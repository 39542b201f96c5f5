package nd_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// expression is what the types of lazy expressions have in common.
type expression[T nd.Element] interface {
	nd.Operand[T]
	Layout() *split.Layout
	Eval() *nd.NDArray[T]
	Into(dst *nd.NDArray[T])
}

// lazyKit is a type of expressions and some of its operations, beside the
// functions that they must agree with.
type lazyKit[T nd.Element, E expression[T]] struct {
	of         func(*nd.NDArray[T]) E
	value      func(i int64) T
	unary      []lazyUnaryPair[T, E]
	binary     []lazyBinaryPair[T, E]
	scalar     []lazyScalarPair[T, E]
	less       func(E, nd.Operand[T]) nd.BoolExpr
	eagerLess  func(a, b *nd.NDArray[T]) *nd.NDArray[bool]
	where      func(E, nd.Operand[bool], nd.Operand[T]) E
	reductions []lazyReductionPair[T, E]
}

type lazyUnaryPair[T nd.Element, E any] struct {
	name  string
	lazy  func(E) E
	eager func(a *nd.NDArray[T]) *nd.NDArray[T]
}

type lazyBinaryPair[T nd.Element, E any] struct {
	name  string
	lazy  func(E, nd.Operand[T]) E
	eager func(a, b *nd.NDArray[T]) *nd.NDArray[T]
}

type lazyScalarPair[T nd.Element, E any] struct {
	name  string
	lazy  func(E, T) E
	eager func(a *nd.NDArray[T], s T) *nd.NDArray[T]
}

// lazyReductionPair checks a reduction of an expression against that of an array.
type lazyReductionPair[T nd.Element, E any] struct {
	name  string
	check func(x E, a *nd.NDArray[T], opts ...nd.Option) error
	some  bool // needs elements
	one   bool // at most one axis
}

func lazyReduced[T nd.Element, E any, R nd.Element](name string, lazy func(E, ...nd.Option) *nd.NDArray[R], into func(E, *nd.NDArray[R], ...nd.Option),
	eager func(*nd.NDArray[T], ...nd.Option) *nd.NDArray[R]) lazyReductionPair[T, E] {
	return lazyReductionPair[T, E]{name: name, check: func(x E, a *nd.NDArray[T], opts ...nd.Option) error {
		want := eager(a, opts...)
		if into != nil {
			dst := nd.ZerosLike[R](want)
			into(x, dst, opts...)
			if err := lazySameBits(dst, want); err != nil {
				return fmt.Errorf("into: %w", err)
			}
		}
		return lazySameBits(lazy(x, opts...), want)
	}}
}

func (r lazyReductionPair[T, E]) needs(some, one bool) lazyReductionPair[T, E] {
	r.some, r.one = some, one
	return r
}

func lazyFloats[T nd.Float]() lazyKit[T, nd.Expr[T]] {
	type E = nd.Expr[T]
	return lazyKit[T, E]{
		of: nd.Lazy[T], value: func(i int64) T { return T(i%17) / 4 },
		unary: []lazyUnaryPair[T, E]{{"Neg", E.Neg, nd.Neg[T]}, {"Square", E.Square, nd.Square[T]}, {"Sqrt", E.Sqrt, nd.Sqrt[T]},
			{"Abs", E.Abs, nd.Abs[T]}, {"Exp", E.Exp, nd.Exp[T]}, {"Sin", E.Sin, nd.Sin[T]}, {"Rint", E.Rint, nd.Rint[T]}},
		binary: []lazyBinaryPair[T, E]{{"Add", E.Add, nd.Add[T]}, {"Sub", E.Sub, nd.Sub[T]}, {"Mul", E.Mul, nd.Mul[T]}, {"Div", E.Div, nd.Div[T]},
			{"Maximum", E.Maximum, nd.Maximum[T]}, {"Hypot", E.Hypot, nd.Hypot[T]}},
		scalar: []lazyScalarPair[T, E]{{"AddScalar", E.AddScalar, nd.AddScalar[T]}, {"DivScalar", E.DivScalar, nd.DivScalar[T]},
			{"ScalarSub", E.ScalarSub, func(a *nd.NDArray[T], s T) *nd.NDArray[T] { return nd.ScalarSub(s, a) }}},
		less: E.Less, eagerLess: nd.Less[T], where: E.Where,
		reductions: append([]lazyReductionPair[T, E]{
			lazyReduced("Mean", E.Mean, E.MeanInto, nd.Mean[T, T]),
			lazyReduced("Var", E.Var, E.VarInto, nd.Var[T, T]),
		}, lazyOrdered(E.Sum, E.SumInto, E.Prod, E.ProdInto, E.Max, E.MaxInto, E.ArgMin, E.ArgMinInto, E.Any, E.AnyInto)...),
	}
}

func lazyIntegers[T nd.Integer]() lazyKit[T, nd.IntegerExpr[T]] {
	type E = nd.IntegerExpr[T]
	return lazyKit[T, E]{
		of: nd.LazyInteger[T], value: func(i int64) T { return T(i % 100) },
		unary: []lazyUnaryPair[T, E]{{"Neg", E.Neg, nd.Neg[T]}, {"Square", E.Square, nd.Square[T]}, {"Sign", E.Sign, nd.Sign[T]}, {"BitNot", E.BitNot, nd.BitNot[T]}},
		binary: []lazyBinaryPair[T, E]{{"Add", E.Add, nd.Add[T]}, {"Sub", E.Sub, nd.Sub[T]}, {"Mul", E.Mul, nd.Mul[T]},
			{"FloorDiv", E.FloorDiv, nd.FloorDiv[T]}, {"BitXor", E.BitXor, nd.BitXor[T]}, {"GCD", E.GCD, nd.GCD[T]}},
		scalar: []lazyScalarPair[T, E]{{"AddScalar", E.AddScalar, nd.AddScalar[T]}, {"RemainderScalar", E.RemainderScalar, nd.RemainderScalar[T]},
			{"ScalarSub", E.ScalarSub, func(a *nd.NDArray[T], s T) *nd.NDArray[T] { return nd.ScalarSub(s, a) }}},
		less: E.Less, eagerLess: nd.Less[T], where: E.Where,
		reductions: append([]lazyReductionPair[T, E]{lazyReduced("Std", E.Std, E.StdInto, nd.Std[float64, T])},
			lazyOrdered(E.Sum, E.SumInto, E.Prod, E.ProdInto, E.Max, E.MaxInto, E.ArgMin, E.ArgMinInto, E.Any, E.AnyInto)...),
	}
}

func lazyOrdered[T nd.Real, E any](sum func(E, ...nd.Option) *nd.NDArray[T], sumInto func(E, *nd.NDArray[T], ...nd.Option),
	prod func(E, ...nd.Option) *nd.NDArray[T], prodInto func(E, *nd.NDArray[T], ...nd.Option),
	largest func(E, ...nd.Option) *nd.NDArray[T], largestInto func(E, *nd.NDArray[T], ...nd.Option),
	arg func(E, ...nd.Option) *nd.NDArray[int64], argInto func(E, *nd.NDArray[int64], ...nd.Option),
	some func(E, ...nd.Option) *nd.NDArray[bool], someInto func(E, *nd.NDArray[bool], ...nd.Option)) []lazyReductionPair[T, E] {
	return []lazyReductionPair[T, E]{
		lazyReduced("Sum", sum, sumInto, nd.Sum[T]),
		lazyReduced("Prod", prod, prodInto, nd.Prod[T]),
		lazyReduced("Max", largest, largestInto, nd.Max[T]).needs(true, false),
		lazyReduced("ArgMin", arg, argInto, nd.ArgMin[T]).needs(true, true),
		lazyReduced("Any", some, someInto, nd.Any[T]),
	}
}

func lazyComplexes[T nd.Complex]() lazyKit[T, nd.ComplexExpr[T]] {
	type E = nd.ComplexExpr[T]
	return lazyKit[T, E]{
		of: nd.LazyComplex[T], value: func(i int64) T { return T(complex(float64(i%17)/4, float64(i%5))) },
		unary:  []lazyUnaryPair[T, E]{{"Neg", E.Neg, nd.Neg[T]}, {"Conj", E.Conj, nd.Conj[T]}, {"Exp", E.Exp, nd.Exp[T]}},
		binary: []lazyBinaryPair[T, E]{{"Add", E.Add, nd.Add[T]}, {"Sub", E.Sub, nd.Sub[T]}, {"Mul", E.Mul, nd.Mul[T]}, {"Div", E.Div, nd.Div[T]}},
		scalar: []lazyScalarPair[T, E]{{"AddScalar", E.AddScalar, nd.AddScalar[T]}, {"MulScalar", E.MulScalar, nd.MulScalar[T]}},
		less:   E.Equal, eagerLess: nd.Equal[T], where: E.Where,
		reductions: []lazyReductionPair[T, E]{
			lazyReduced("Sum", E.Sum, E.SumInto, nd.Sum[T]),
			lazyReduced("Mean", E.Mean, nil, nd.MeanComplex[T, T]),
			lazyReduced("CountNonzero", E.CountNonzero, E.CountNonzeroInto, nd.CountNonzero[T]),
		},
	}
}

// lazySameBits compares what this rank holds of two arrays, and their layouts. Which
// NaN a NaN is does not matter: the processor takes that of either operand.
func lazySameBits[T nd.Element](got, want *nd.NDArray[T]) error {
	if !got.Layout().Equal(want.Layout()) {
		return fmt.Errorf("layout %v, want %v", got.Layout(), want.Layout())
	}
	g, w := got.Local(), want.Local()
	if len(g) != len(w) {
		return fmt.Errorf("%d elements, want %d", len(g), len(w))
	}
	for i := range g {
		if g[i] != g[i] && w[i] != w[i] {
			continue
		}
		if !bytes.Equal(bytesAt(&g[i]), bytesAt(&w[i])) {
			return fmt.Errorf("local element %d of %v is %v, want %v", i, want.Layout(), g[i], w[i])
		}
	}
	return nil
}

func bytesAt[T any](p *T) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(p)), unsafe.Sizeof(*p)) }

// lazyTrial is a random expression, drawn once and run on several numbers of ranks.
type lazyTrial[T nd.Element, E expression[T]] struct {
	program
	kit     lazyKit[T, E]
	arrays  []func(c *spmd.Comm) *nd.NDArray[T]
	nodes   []lazyNode
	dst     []func(c *spmd.Comm) *nd.NDArray[T] // of the result's shape
	axes    []int
	keep    bool
	reduced nd.Shape
}

// lazyNode is an operation on earlier nodes: the arrays come first.
type lazyNode struct {
	kind, op int // kind 0: unary, 1: binary, 2: scalar, 3: where
	x, y, z  int
	s        int64
	shape    nd.Shape
}

var lazyShapes = []nd.Shape{{2500}, {3, 700}, {41, 60}, {1100, 3}, {5, 6, 130}, {4, 300, 3}, {2, 1100}, {2, 2100}, {20, 9, 7}}

func (p *lazyTrial[T, E]) array(shape nd.Shape) func(c *spmd.Comm) *nd.NDArray[T] {
	seed := int64(p.int("seed", 0, 1000))
	layout := p.layout(shape)
	kind, along, step := p.int("kind of memory", 0, 2), 0, 1
	if kind == 2 && len(shape) > 0 {
		along, step = p.int("strided axis", 0, len(shape)-1), rapid.SampledFrom([]int{-1, -2, 2}).Draw(p.t, "stride")
	}
	return func(c *spmd.Comm) *nd.NDArray[T] {
		l := layout(c)
		a := nd.FromLayout(c, l, func(i []int) T { return p.kit.value((int64(flat(shape, i))+seed)*2654435761%199 - 99) })
		switch {
		case kind == 1:
			a = nd.Copy(a.T()).T()
		case step != 1 && l.Axis() != split.Axis(along):
			a = lazyStrided(a, along, step)
		}
		return a
	}
}

// lazyStrided is [strided] for any type.
func lazyStrided[T nd.Element](a *nd.NDArray[T], axis, step int) *nd.NDArray[T] {
	shape := a.Shape()
	shape[axis] *= max(step, -step)
	l := split.Block(shape, split.None, a.Comm().Size())
	if a.Split() != split.None {
		l = split.WithCounts(shape, a.Split(), a.Layout().Counts())
	}
	var zero T
	items := slices.Repeat([]nd.Item{nd.Whole()}, axis)
	v := nd.FromLayout(a.Comm(), l, func([]int) T { return zero }).Slice(append(items, nd.Range(nd.Open, nd.Open, step))...)
	nd.CopyInto(v, a)
	return v
}

func (p *lazyTrial[T, E]) draw() {
	shape := p.shape()
	if p.int("large", 0, 2) == 0 {
		shape = rapid.SampledFrom(lazyShapes).Draw(p.t, "large shape")
	}
	shapes := []nd.Shape{shape}
	for range p.int("arrays", 0, 3) {
		s := slices.Clone(shape)
		if p.int("broadcast", 0, 2) == 0 {
			for k := range s {
				if p.bool("extent 1") {
					s[k] = 1
				}
			}
			s = s[p.int("axes dropped", 0, len(s)):]
		}
		shapes = append(shapes, s)
	}
	for _, s := range shapes {
		p.arrays = append(p.arrays, p.array(s))
	}
	for range p.int("operations", 1, 7) {
		n := lazyNode{kind: p.int("kind", 0, 5), s: int64(p.int("number", -5, 5))}
		pick := func(name string) int { return p.int(name, max(0, len(shapes)-5), len(shapes)-1) }
		n.x, n.y, n.z = pick("x"), pick("y"), pick("z")
		switch n.shape = shapes[n.x]; n.kind {
		case 0:
			n.op = p.int("operation", 0, len(p.kit.unary)-1)
		case 2:
			n.op = p.int("operation", 0, len(p.kit.scalar)-1)
		case 3:
			n.shape = broadcast(broadcast(n.shape, shapes[n.y]), shapes[n.z])
		default:
			n.kind = 1
			n.op = p.int("operation", 0, len(p.kit.binary)-1)
			n.shape = broadcast(n.shape, shapes[n.y])
		}
		p.nodes, shapes = append(p.nodes, n), append(shapes, n.shape)
	}
	last := shapes[len(shapes)-1]
	p.dst = append(p.dst, p.array(last), p.array(append(nd.Shape{2}, last...)))
	if len(last) > 0 && p.bool("over") {
		p.axes = rapid.SliceOfNDistinct(rapid.IntRange(0, len(last)-1), 1, len(last), rapid.ID[int]).Draw(p.t, "axes")
		slices.Sort(p.axes)
	}
	p.keep, p.reduced = p.bool("keep"), last
}

// isTree reports whether the result uses no other operation twice. A part that is
// used in several places may be computed, and its operands moved, for each of them
// that is computed before the rest.
func (p *lazyTrial[T, E]) isTree() bool {
	arrays := len(p.arrays)
	uses := make([]int, arrays+len(p.nodes))
	uses[len(uses)-1] = 1
	for i := len(p.nodes) - 1; i >= 0; i-- {
		n := p.nodes[i]
		if uses[arrays+i] == 0 {
			continue
		}
		operands := map[int][]int{0: {n.x}, 1: {n.x, n.y}, 2: {n.x}, 3: {n.x, n.y, n.y, n.z}}[n.kind]
		for _, o := range operands {
			if uses[o]++; o >= arrays && uses[o] > 1 {
				return false
			}
		}
	}
	return true
}

// build returns the expression and the array that the functions make of the same.
func (p *lazyTrial[T, E]) build(arrays []*nd.NDArray[T]) (x E, want *nd.NDArray[T]) {
	var xs []E
	eager := slices.Clone(arrays)
	for _, a := range arrays {
		xs = append(xs, p.kit.of(a))
	}
	for i, n := range p.nodes {
		var y nd.Operand[T] = xs[n.y]
		if n.y < len(arrays) && i%2 == 0 {
			y = arrays[n.y]
		}
		switch n.kind {
		case 0:
			op := p.kit.unary[n.op]
			x, want = op.lazy(xs[n.x]), op.eager(eager[n.x])
		case 1:
			op := p.kit.binary[n.op]
			x, want = op.lazy(xs[n.x], y), op.eager(eager[n.x], eager[n.y])
		case 2:
			op := p.kit.scalar[n.op]
			x, want = op.lazy(xs[n.x], p.kit.value(n.s)), op.eager(eager[n.x], p.kit.value(n.s))
		case 3:
			x = p.kit.where(xs[n.x], p.kit.less(xs[n.y], xs[n.z]), y)
			want = nd.Where(p.kit.eagerLess(eager[n.y], eager[n.z]), eager[n.x], eager[n.y])
		}
		xs, eager = append(xs, x), append(eager, want)
	}
	return x, want
}

func (p *lazyTrial[T, E]) run(c *spmd.Comm) error {
	var failed error
	check := func(what string, err error) {
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", what, err))
		}
	}
	var arrays []*nd.NDArray[T]
	for _, f := range p.arrays {
		arrays = append(arrays, f(c))
	}
	start := c.Stats()
	x, want := p.build(arrays)
	eager := c.Stats().Sub(start).Total()
	if !x.Layout().Equal(want.Layout()) {
		check("layout", fmt.Errorf("%v, want %v", x.Layout(), want.Layout()))
	}
	start = c.Stats()
	got := x.Eval()
	if lazy := c.Stats().Sub(start).Total(); p.isTree() && (lazy.Calls > eager.Calls || lazy.Bytes > eager.Bytes) {
		check("communication", fmt.Errorf("%+v, the functions' %+v", lazy, eager))
	}
	check("Eval", lazySameBits(got, want))
	for _, f := range p.dst {
		dst, copied := f(c), f(c)
		nd.CopyInto(copied, want)
		for range 2 {
			x.Into(dst)
			check("Into", lazySameBits(dst, copied))
		}
	}
	opts := options(p.axes, p.keep)
	for _, r := range p.kit.reductions {
		if r.some && p.reduced.Size() == 0 || r.one && len(p.axes) > 1 {
			continue
		}
		for range 2 {
			check(r.name, r.check(x, want, opts...))
		}
	}
	for i, a := range arrays {
		if a.Shape().Equal(want.Shape()) {
			copied := nd.Copy(a)
			nd.CopyInto(copied, want)
			x.Into(a)
			check(fmt.Sprintf("Into array %d", i), lazySameBits(a, copied))
			break
		}
	}
	return spmd.Agree(c, failed)
}

func checkLazy[T nd.Element, E expression[T]](t *testing.T, kit lazyKit[T, E]) {
	spmdtest.Embedded(t)
	rapid.Check(t, func(t *rapid.T) {
		p := &lazyTrial[T, E]{kit: kit}
		p.t, p.ranks = t, rapid.SampledFrom([]int{2, 3, 4, 5, 7}).Draw(t, "ranks")
		p.draw()
		for _, ranks := range []int{1, p.ranks} {
			if err := spmd.Run(ranks, p.run); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestLazyRandomFloat64(t *testing.T)    { checkLazy(t, lazyFloats[float64]()) }
func TestLazyRandomFloat32(t *testing.T)    { checkLazy(t, lazyFloats[float32]()) }
func TestLazyRandomInt64(t *testing.T)      { checkLazy(t, lazyIntegers[int64]()) }
func TestLazyRandomComplex128(t *testing.T) { checkLazy(t, lazyComplexes[complex128]()) }
