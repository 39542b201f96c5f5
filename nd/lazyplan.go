package nd

import (
	"sync"
	"unsafe"

	"caloric/split"
)

// lazyPlan is an expression compiled for evaluation by blocks: a list of steps
// over registers. A register is a block of the elements of one input, number or
// step.
type lazyPlan struct {
	inputs  []lazyInput // registers 0, 1, …
	numbers []lazyFill  // the registers after the inputs'
	code    []lazyCode
	regs    []lazyReg
	result  int // the register of the last step, which is the caller's memory
	bytes   int // of scratch memory
	block   int // elements of a block
	space   lazySpace
	reducer any // of the last reduction, to be used again
}

// lazyInput is an array that is read: one of the expression's, or one that a part
// of the expression has to become because it moves or is broadcast.
type lazyInput struct {
	op   *lazyOp
	want *split.Layout // that it is moved to
	keep lazyArray     // of a part: its memory, used again
	now  lazyArray     // during an evaluation
}

type lazyCode struct {
	step lazyStep
	dst  int
	args [3]int
}

// lazyReg is a register: where its scratch memory lies.
type lazyReg struct{ size, offset int }

// A block has lazyBlockBytes, so that the registers of a common expression stay
// in the first two levels of cache. It holds what the reductions take in one piece.
const (
	lazyBlockBytes = 16 << 10
	lazySkew       = 192 // keeps registers from falling on the same lines of the cache
)

func (o *lazyOp) compiled() *lazyPlan {
	if o.plan == nil {
		c := lazyCompilers.Get().(*lazyCompiler)
		c.shape, c.plan = o.layout.Shape(), &lazyPlan{inputs: make([]lazyInput, 0, 3)}
		c.count(o)
		c.visit(c.form(o).args, o.layout)
		o.plan = c.finish(o)
		c.release()
	}
	return o.plan
}

// lazyCompiler lists the operations of an expression so that each comes after
// its operands, every one once however often it is used.
type lazyCompiler struct {
	plan    *lazyPlan
	shape   Shape
	ops     []*lazyOp // with a step
	numbers []*lazyOp
	values  map[*lazyOp]int // numbers and operations by their order
	uses    map[*lazyOp]int // how often a part is an operand
	forms   map[*lazyOp]lazyForm
	last    []int // where each operation's result is used last
	at      []int // the register of each operation's result
	free    []int // registers
}

// lazyCompilers has compilers to be used again, whose memory is most of what it
// takes to compile a short expression.
var lazyCompilers = sync.Pool{New: func() any {
	return &lazyCompiler{values: map[*lazyOp]int{}, uses: map[*lazyOp]int{}, forms: map[*lazyOp]lazyForm{}}
}}

// release gives c back. It forgets the expression.
func (c *lazyCompiler) release() {
	c.plan, c.shape = nil, nil
	clear(c.ops)
	clear(c.numbers)
	clear(c.values)
	clear(c.uses)
	clear(c.forms)
	c.ops, c.numbers, c.last, c.at, c.free = c.ops[:0], c.numbers[:0], c.last[:0], c.at[:0], c.free[:0]
	lazyCompilers.Put(c)
}

func (c *lazyCompiler) visit(args []*lazyOp, parent *split.Layout) {
	for _, o := range args {
		switch {
		case o.number != nil:
			if _, seen := c.values[o]; !seen {
				c.values[o] = len(c.numbers)
				c.numbers = append(c.numbers, o)
			}
		case c.inside(o, parent):
			if _, seen := c.values[o]; !seen {
				c.visit(c.form(o).args, o.layout)
				c.values[o] = len(c.ops)
				c.ops = append(c.ops, o)
			}
		default:
			c.input(o, parent)
		}
	}
}

// inside reports whether operation o is computed block by block with its parent:
// unless it must move, or is broadcast and would be computed again and again.
func (c *lazyCompiler) inside(o *lazyOp, parent *split.Layout) bool {
	return o.step != nil && o.layout.Shape().Equal(c.shape) && split.Align(parent, o.layout) == o.layout
}

// input returns the input that o is for an operation of layout parent.
func (c *lazyCompiler) input(o *lazyOp, parent *split.Layout) int {
	want := split.Align(parent, o.layout)
	for i, in := range c.plan.inputs {
		if (in.op == o || o.array != nil && in.op.array == o.array) && in.want.Equal(want) {
			return i
		}
	}
	c.plan.inputs = append(c.plan.inputs, lazyInput{op: o, want: want})
	return len(c.plan.inputs) - 1
}

// finish assigns registers. A step's result takes the register of an operand that
// is not used again, or any that is free.
func (c *lazyCompiler) finish(root *lazyOp) *lazyPlan {
	p := c.plan
	c.ops = append(c.ops, root)
	p.regs = make([]lazyReg, 0, len(p.inputs)+len(c.numbers)+len(c.ops))
	p.code = make([]lazyCode, 0, len(c.ops))
	for _, in := range p.inputs {
		p.regs = append(p.regs, lazyReg{size: in.op.elem.size()})
	}
	for _, o := range c.numbers {
		p.numbers = append(p.numbers, o.number)
		p.regs = append(p.regs, lazyReg{size: o.elem.size()})
	}
	last := append(c.last, make([]int, len(c.ops))...)
	for i, o := range c.ops {
		for _, x := range c.form(o).args {
			if x.step != nil && c.inside(x, o.layout) {
				last[c.values[x]] = i
			}
		}
	}
	at, free := append(c.at, make([]int, len(c.ops))...), c.free
	for i, o := range c.ops {
		form := c.form(o)
		code := lazyCode{step: form.step}
		var own [3]int
		ended := own[:0]
		for j, x := range form.args {
			switch {
			case x.number != nil:
				code.args[j] = len(p.inputs) + c.values[x]
			case c.inside(x, o.layout):
				v := c.values[x]
				code.args[j] = at[v]
				if last[v] == i && !containsInt(ended, at[v]) {
					ended = append(ended, at[v])
				}
			default:
				code.args[j] = c.input(x, o.layout)
			}
		}
		free = append(free, ended...)
		code.dst = -1
		for j := len(free) - 1; j >= 0 && i < len(c.ops)-1; j-- {
			if r := free[j]; p.regs[r].size == o.elem.size() {
				code.dst = r
				free = append(free[:j], free[j+1:]...)
				break
			}
		}
		if code.dst < 0 {
			code.dst = len(p.regs)
			p.regs = append(p.regs, lazyReg{size: o.elem.size()})
		}
		at[i] = code.dst
		p.code = append(p.code, code)
	}
	p.result = at[len(at)-1]
	p.layOut()
	p.space.arrays = make([]lazyStrides, len(p.inputs))
	c.last, c.at, c.free = last, at, free
	return p
}

// layOut gives every register its scratch memory.
func (p *lazyPlan) layOut() {
	widest := 1
	for _, r := range p.regs {
		widest = max(widest, r.size)
	}
	p.block = max(foldBlock, lazyBlockBytes/widest)
	for i := range p.regs {
		p.regs[i].offset = p.bytes
		p.bytes += (p.block*p.regs[i].size+63)&^63 + lazySkew
	}
}

// prepare evaluates the parts that come first and moves what has to move.
func (p *lazyPlan) prepare() {
	for i := range p.inputs {
		in := &p.inputs[i]
		a := in.op.array
		if a != nil {
			a.lazyAlive()
		} else {
			a = in.op.elem.eval(in.op, in.keep)
			if in.want == in.op.layout {
				in.keep = a
			}
		}
		if in.want != in.op.layout {
			a = a.lazyAligned(in.want)
		}
		in.now = a
	}
}

// done lets go of what only an evaluation needs.
func (p *lazyPlan) done() {
	for i := range p.inputs {
		p.inputs[i].now = nil
		p.space.arrays[i].base = nil
	}
	p.space.own.base = nil
}

// eval computes the elements lo, lo+1, … of the space, no more than a block, and
// writes them to dst.
func (p *lazyPlan) eval(f *lazyFrame, lo, n int, dst unsafe.Pointer) {
	p.load(f, lo, n)
	f.at[p.result] = dst
	for i := range p.code {
		c := &p.code[i]
		c.step.run(f.at[c.dst], f.at[c.args[0]], f.at[c.args[1]], f.at[c.args[2]], n)
	}
}
