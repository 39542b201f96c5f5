package nd_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// program is a random sequence of operations on arrays. It is drawn once,
// together with the results by the model, and then run on several numbers of ranks.
type program struct {
	t      *rapid.T
	ranks  int
	models []model // what each step leaves
	steps  []step
}

// step computes an array from those of earlier steps. It returns the layout that
// the result should have, nil for any.
type step struct {
	name string
	do   func(r *run) (*nd.NDArray[int64], *split.Layout)
}

// run is a program in execution on one rank.
type run struct {
	c       *spmd.Comm
	arrays  []*nd.NDArray[int64]
	layouts []*split.Layout
}

// checkPrograms draws programs with draw, and runs each on one rank and on some.
func checkPrograms(t *testing.T, draw func(p *program)) {
	spmdtest.Embedded(t)
	rapid.Check(t, func(t *rapid.T) {
		p := &program{t: t, ranks: rapid.SampledFrom([]int{2, 3, 4, 5, 7}).Draw(t, "ranks")}
		draw(p)
		for _, ranks := range []int{1, p.ranks} {
			if err := spmd.Run(ranks, p.run); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func (p *program) run(c *spmd.Comm) error {
	r := &run{c: c}
	var failed error
	for i, s := range p.steps {
		a, want := s.do(r)
		if err := p.models[i].differs(a); err != nil {
			failed = errors.Join(failed, fmt.Errorf("step %d, %s: %w", i, s.name, err))
		}
		if want != nil && !a.Layout().Equal(want) {
			failed = errors.Join(failed, fmt.Errorf("step %d, %s: layout %v, want %v", i, s.name, a.Layout(), want))
		}
		r.arrays, r.layouts = append(r.arrays, a), append(r.layouts, a.Layout())
	}
	for i, a := range r.arrays {
		if err := p.models[i].differs(a); err != nil {
			failed = errors.Join(failed, fmt.Errorf("after the program, the result of step %d: %w", i, err))
		}
		if a.Layout() != r.layouts[i] {
			failed = errors.Join(failed, fmt.Errorf("after the program, the layout of step %d has changed to %v", i, a.Layout()))
		}
	}
	if err := spmd.Agree(c, failed); err != nil {
		return err
	}
	return nil
}

func (p *program) add(m model, name string, do func(r *run) (*nd.NDArray[int64], *split.Layout)) int {
	p.models = append(p.models, m)
	p.steps = append(p.steps, step{name, do})
	return len(p.steps) - 1
}

func (p *program) int(name string, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(p.t, name) }

func (p *program) bool(name string) bool { return rapid.Bool().Draw(p.t, name) }

func (p *program) shape() nd.Shape {
	return rapid.SliceOfN(rapid.IntRange(0, 7), 0, 3).Draw(p.t, "shape")
}

// counts draws how an extent is spread over the ranks.
func (p *program) counts(n int) []int {
	ends := rapid.SliceOfN(rapid.IntRange(0, n), p.ranks-1, p.ranks-1).Draw(p.t, "cuts")
	slices.Sort(ends)
	counts, last := make([]int, p.ranks), 0
	for r, e := range append(ends, n) {
		counts[r], last = e-last, e
	}
	return counts
}

// layout draws a layout of shape; the function returns it for a communicator.
func (p *program) layout(shape nd.Shape) func(c *spmd.Comm) *split.Layout {
	axis := split.Axis(p.int("split", -1, len(shape)-1))
	if axis == split.None || p.bool("balanced") {
		return func(c *spmd.Comm) *split.Layout { return split.Block(shape, axis, c.Size()) }
	}
	counts := p.counts(shape[axis])
	return func(c *spmd.Comm) *split.Layout {
		if c.Size() == 1 {
			return split.Block(shape, axis, 1)
		}
		return split.WithCounts(shape, axis, counts)
	}
}

// source adds a new array of the given shape: memory of its own, or a transposed
// or strided view of an array that nothing else sees.
func (p *program) source(shape nd.Shape) int {
	seed := int64(p.int("seed", 0, 1000))
	m := newModel(shape, func(i []int) int64 { return (int64(flat(shape, i))+seed)*2654435761%199 - 99 })
	layout := p.layout(shape)
	kind, along, step := p.int("kind of memory", 0, 2), 0, 1
	if kind == 2 && len(shape) > 0 {
		along, step = p.int("strided axis", 0, len(shape)-1), rapid.SampledFrom([]int{-1, -2, 2}).Draw(p.t, "stride")
	}
	return p.add(m, fmt.Sprintf("new %v", shape), func(r *run) (*nd.NDArray[int64], *split.Layout) {
		l := layout(r.c)
		a := nd.FromLayout(r.c, l, m.at)
		switch {
		case kind == 1:
			a = nd.Copy(a.T()).T()
		case step != 1 && l.Axis() != split.Axis(along):
			a = strided(a, along, step)
		}
		return a, l
	})
}

// strided returns a as a view with the given step along an axis that is not split.
func strided(a *nd.NDArray[int64], axis, step int) *nd.NDArray[int64] {
	shape := a.Shape()
	shape[axis] *= max(step, -step)
	l := split.Block(shape, split.None, a.Comm().Size())
	if a.Split() != split.None {
		l = split.WithCounts(shape, a.Split(), a.Layout().Counts())
	}
	items := slices.Repeat([]nd.Item{nd.Whole()}, axis)
	v := nd.FromLayout(a.Comm(), l, func([]int) int64 { return -1 }).Slice(append(items, nd.Range(nd.Open, nd.Open, step))...)
	nd.CopyInto(v, a)
	return v
}

var operations = []struct {
	name string
	f    func(a, b *nd.NDArray[int64]) *nd.NDArray[int64]
	into func(dst, a, b *nd.NDArray[int64])
	ref  func(x, y int64) int64
}{
	{"Add", nd.Add[int64], nd.AddInto[int64], func(x, y int64) int64 { return x + y }},
	{"Sub", nd.Sub[int64], nd.SubInto[int64], func(x, y int64) int64 { return x - y }},
	{"Mul", nd.Mul[int64], nd.MulInto[int64], func(x, y int64) int64 { return x * y }},
	{"Maximum", nd.Maximum[int64], nd.MaximumInto[int64], func(x, y int64) int64 { return max(x, y) }},
}

// partner adds an array that broadcasts with that of step i.
func (p *program) partner(i int) int {
	shape := slices.Clone(p.models[i].shape)
	for k, d := range shape {
		switch {
		case p.int("extent 1", 0, 3) == 0:
			shape[k] = 1
		case d == 1:
			shape[k] = p.int("extent", 0, 4)
		}
	}
	return p.source(shape[p.int("axes dropped", 0, len(shape)):])
}

// binary adds an operation on the array of step i and one that broadcasts with it.
func (p *program) binary(i int) int {
	j := p.partner(i)
	if p.bool("swap") {
		i, j = j, i
	}
	op := rapid.SampledFrom(operations).Draw(p.t, "operation")
	m := combined(p.models[i], p.models[j], op.ref)
	if p.bool("into") {
		d := p.source(m.shape)
		p.models[d] = m // from its first use on
		fresh := p.steps[d].do
		p.steps[d] = step{op.name + "Into", func(r *run) (*nd.NDArray[int64], *split.Layout) {
			dst, l := fresh(r)
			op.into(dst, r.arrays[i], r.arrays[j])
			return dst, l
		}}
		return d
	}
	return p.add(m, fmt.Sprintf("%s of steps %d and %d", op.name, i, j), func(r *run) (*nd.NDArray[int64], *split.Layout) {
		a, b := r.arrays[i], r.arrays[j]
		want, err := split.Elementwise(split.Operand{Layout: a.Layout(), Elem: 8}, split.Operand{Layout: b.Layout(), Elem: 8})
		if err != nil {
			panic(err)
		}
		return op.f(a, b), want
	})
}

// slice adds a basic slice of the array of step i.
func (p *program) slice(i int) int {
	var cuts []cut
	var items []nd.Item
	bound := func(name string, n int) int {
		if p.bool(name + " open") {
			return nd.Open
		}
		return p.int(name, -n-2, n+2)
	}
	for _, n := range p.models[i].shape {
		if p.int("new axis", 0, 5) == 0 && len(cuts) < 4 {
			cuts = append(cuts, cut{item: nd.NewAxis(), added: true})
		}
		if n > 0 && p.int("index", 0, 4) == 0 {
			at := p.int("index at", -n, n-1)
			cuts = append(cuts, cut{item: nd.Index(at), indices: []int{(at + n) % n}, drop: true})
			continue
		}
		b := bounds{bound("start", n), bound("stop", n), rapid.SampledFrom([]int{1, 1, 2, -1, -2, 3, -8}).Draw(p.t, "step")}
		cuts = append(cuts, cut{item: nd.Range(b.start, b.stop, b.step), indices: pySlice(b.start, b.stop, b.step, n)})
	}
	for _, c := range cuts {
		items = append(items, c.item)
	}
	return p.add(p.models[i].sliced(cuts), fmt.Sprintf("slice %v of step %d", items, i), func(r *run) (*nd.NDArray[int64], *split.Layout) {
		s, err := split.Slice(r.arrays[i].Layout(), items)
		if err != nil {
			panic(err)
		}
		want := s.Layout
		if s.Reversed {
			want = split.Block(want.Shape(), want.Axis(), want.Ranks())
		}
		return r.arrays[i].Slice(items...), want
	})
}

func (p *program) transpose(i int) int {
	perm := make([]int, len(p.models[i].shape))
	for k := range perm {
		perm[k] = k
	}
	perm = rapid.Permutation(perm).Draw(p.t, "permutation")
	return p.add(p.models[i].transposed(perm), fmt.Sprintf("transpose %v of step %d", perm, i), func(r *run) (*nd.NDArray[int64], *split.Layout) {
		want, err := split.Transpose(r.arrays[i].Layout(), perm)
		if err != nil {
			panic(err)
		}
		return r.arrays[i].Transpose(perm...), want
	})
}

// move adds the array of step i in another layout.
func (p *program) move(i int) int {
	layout := p.layout(p.models[i].shape)
	return p.add(p.models[i], fmt.Sprintf("move of step %d", i), func(r *run) (*nd.NDArray[int64], *split.Layout) {
		a, l := r.arrays[i], layout(r.c)
		if l.Balanced() {
			return a.Resplit(l.Axis()), l
		}
		if l.Axis() == a.Split() {
			return a.Redistribute(l.Counts()), l
		}
		return a.MoveTo(l), l
	})
}

var reductions = []struct {
	name string
	f    func(a *nd.NDArray[int64], o ...nd.Option) *nd.NDArray[int64]
	into func(dst, a *nd.NDArray[int64], o ...nd.Option)
	ref  func(x []int64) int64
	some bool // there must be an element, and at most one axis
}{
	{"Sum", nd.Sum[int64], nd.SumInto[int64], fold(int64(0), func(s, v int64) int64 { return s + v }), false},
	{"Prod", nd.Prod[int64], nd.ProdInto[int64], fold(int64(1), func(s, v int64) int64 { return s * v }), false},
	{"CountNonzero", nd.CountNonzero[int64], nd.CountNonzeroInto[int64], fold(int64(0), func(n, v int64) int64 {
		if v != 0 {
			n++
		}
		return n
	}), false},
	{"Max", nd.Max[int64], nd.MaxInto[int64], func(x []int64) int64 { return slices.Max(x) }, true},
	{"ArgMin", nd.ArgMin[int64], nd.ArgMinInto[int64], func(x []int64) int64 { return int64(slices.Index(x, slices.Min(x))) }, true},
}

// reduce adds a reduction of the array of step i.
func (p *program) reduce(i int) int {
	shape := p.models[i].shape
	op := rapid.SampledFrom(reductions).Draw(p.t, "reduction")
	if op.some && shape.Size() == 0 {
		op = reductions[0]
	}
	keep, axes := p.bool("keep"), []int(nil)
	if len(shape) > 0 && p.bool("over") {
		axes = rapid.SliceOfNDistinct(rapid.IntRange(0, len(shape)-1), 1, len(shape), rapid.ID[int]).Draw(p.t, "axes")
		if op.some {
			axes = axes[:1]
		}
		slices.Sort(axes)
	}
	m := p.models[i].reduced(axes, keep, op.ref)
	if p.bool("into") {
		d := p.source(m.shape)
		p.models[d] = m
		fresh := p.steps[d].do
		p.steps[d] = step{op.name + "Into", func(r *run) (*nd.NDArray[int64], *split.Layout) {
			dst, l := fresh(r)
			op.into(dst, r.arrays[i], options(axes, keep)...)
			return dst, l
		}}
		return d
	}
	return p.add(m, fmt.Sprintf("%s of step %d over %v", op.name, i, axes), func(r *run) (*nd.NDArray[int64], *split.Layout) {
		a := r.arrays[i]
		want, _ := split.Reduce(a.Layout(), normal(axes, a.NDim()), keep)
		return op.f(a, options(axes, keep)...), want
	})
}

func TestRandomBroadcasts(t *testing.T) {
	checkPrograms(t, func(p *program) { p.binary(p.source(p.shape())) })
}

func TestRandomReductions(t *testing.T) {
	checkPrograms(t, func(p *program) { p.reduce(p.source(p.shape())) })
}

func TestRandomSlices(t *testing.T) {
	checkPrograms(t, func(p *program) { p.slice(p.slice(p.slice(p.source(p.shape())))) })
}

func TestRandomMoves(t *testing.T) {
	checkPrograms(t, func(p *program) { p.move(p.move(p.transpose(p.source(p.shape())))) })
}

func TestRandomPrograms(t *testing.T) {
	checkPrograms(t, func(p *program) {
		p.source(p.shape())
		for range p.int("length", 5, 10) {
			of := p.int("operand", 0, len(p.steps)-1)
			switch p.int("step", 0, 4) {
			case 0:
				p.binary(of)
			case 1:
				p.slice(of)
			case 2:
				p.transpose(of)
			case 3:
				p.move(of)
			case 4:
				p.reduce(of)
			}
		}
	})
}
