package main

import (
	"fmt"
	"slices"
	"strings"
)

// family is a type of expressions: methods cannot narrow the type parameter of
// their receiver, so that there is one for each constraint's operations.
type family struct {
	name, param, elem string // "Expr", "[T Float]", "T"
	make              string // the function that returns one
	of                string // what its elements are, for comments
	constraints       []string
}

var families = []family{
	{"Expr", "[T Float]", "T", "Lazy", "real numbers", []string{"Number", "Real", "Inexact", "Float", "Element"}},
	{"IntegerExpr", "[T Integer]", "T", "LazyInteger", "integers", []string{"Number", "Real", "Integer", "Bits", "Element"}},
	{"ComplexExpr", "[T Complex]", "T", "LazyComplex", "complex numbers", []string{"Number", "Inexact", "Complex", "Element"}},
	{"BoolExpr", "", "bool", "LazyBool", "truth values", []string{"Bits", "Element"}},
}

func (f family) generic() bool { return f.param != "" }

// typ returns the type in terms of its parameter.
func (f family) typ() string {
	if f.generic() {
		return f.name + "[T]"
	}
	return f.name
}

// lazyReduction is a reduction that expressions end with. The function called is
// that of the families named; the result's type is T where it is empty.
type lazyReduction struct {
	name, result string
	calls        [4]string // by family, empty for none
}

var lazyReductions = []lazyReduction{
	{"Sum", "", [4]string{"Sum", "Sum", "Sum"}},
	{"Prod", "", [4]string{"Prod", "Prod", "Prod"}},
	{"Mean", "mean", [4]string{"Mean", "Mean", "MeanComplex"}},
	{"Var", "mean", [4]string{"Var", "Var"}},
	{"Std", "mean", [4]string{"Std", "Std"}},
	{"Min", "", [4]string{"Min", "Min"}},
	{"Max", "", [4]string{"Max", "Max"}},
	{"Ptp", "", [4]string{"Ptp", "Ptp"}},
	{"ArgMin", "int64", [4]string{"ArgMin", "ArgMin"}},
	{"ArgMax", "int64", [4]string{"ArgMax", "ArgMax"}},
	{"All", "bool", [4]string{"All", "All", "All", "All"}},
	{"Any", "bool", [4]string{"Any", "Any", "Any", "Any"}},
	{"CountNonzero", "int64", [4]string{"CountNonzero", "CountNonzero", "CountNonzero", "CountNonzero"}},
}

// lazy returns the source of the types of expressions.
func lazy() []byte {
	var p printer
	for i, f := range families {
		p.family(f)
		for _, o := range unary {
			if slices.Contains(f.constraints, o.on) {
				p.lazyUnary(f, o)
			}
		}
		for _, o := range binary {
			if slices.Contains(f.constraints, o.on) {
				p.lazyBinary(f, o)
			}
		}
		for _, r := range lazyReductions {
			if r.calls[i] != "" {
				p.lazyReduction(f, r, r.calls[i])
			}
		}
	}
	return file("nd", p.Bytes(), "slices", "caloric/split")
}

func (p *printer) family(f family) {
	T, typ := f.elem, f.typ()
	p.doc(fmt.Sprintf("%s is an elementwise expression of %s that is not computed yet; see [%s]. Its methods are the functions of the same names.", f.name, f.of, f.make))
	p.line("type %s%s struct{ op *lazyOp }\n", f.name, f.param)
	p.doc(fmt.Sprintf("%s returns a as an expression.", f.make))
	if f.make == "Lazy" {
		p.line(`//
// The operations of an expression are computed together when it is evaluated, by
// blocks that fit into the cache: memory is read and written once, and no arrays are
// made for what is between. Results have the same bits, and the same layout, as
// those of the functions; only which NaN a NaN is may differ.
//
//	nd.Lazy(a).Mul(b).Add(a).Exp().Into(dst)  // Exp(Add(Mul(a, b), a))
//	nd.Lazy(a).Sub(b).Square().Sum()          // reads a and b once
//
// Operands are arrays and other expressions. They are read when the expression is
// evaluated, and again whenever that is done again. A part that is broadcast, or
// moves to another layout, is computed before the rest; if it does not move, the
// expression keeps its memory for the next time. A part that is used in several
// places, as x := nd.Lazy(a).Exp() is in x.Mul(x), is computed once for all that are
// computed together. An expression is evaluated
// by one goroutine at a time, which uses the rank's workers. Every operation is
// rounded by itself: a product is never fused with a sum into one rounding.
//
// The element type is a float. [LazyInteger], [LazyComplex] and [LazyBool] are for
// other types; [LazyAs] and its like go from one to another.`)
	} else {
		p.line("// See [Lazy].")
	}
	p.line("//\n// Local. Communication: none.")
	p.line("func %s%s(a *NDArray[%s]) %s { return %s{a.lazyOperand(nil)} }\n", f.make, f.param, T, typ, typ)
	p.line("func (x %s) lazyOperand(*%s) *lazyOp { return x.op }\n", typ, T)
	p.line("// Shape returns the global shape of the result. Local.")
	p.line("func (x %s) Shape() Shape { return slices.Clone(x.op.layout.Shape()) }\n", typ)
	p.line("// Layout returns who will own what of the result: the layout that the functions give it. Local.")
	p.line("func (x %s) Layout() *split.Layout { return x.op.layout }\n", typ)
	p.line("// Eval returns the array that x stands for.\n//")
	p.line("// Local unless the operands' layouts differ. Result split: that of [%s.Layout]. Communication:\n// that of the functions, except that an operand used twice moves once, and that a part\n// used both in one that is computed before the rest and elsewhere is computed for each.", f.name)
	p.line("func (x %s) Eval() *NDArray[%s] { return lazyEval[%s](x.op) }\n", typ, T, T)
	p.line(`// Into sets dst to x, which broadcasts to dst's shape. It allocates nothing from the
// second time on unless something moves. dst may be an operand.
//
// Local unless the layouts differ. Result split: dst's. Communication: that of
// [%s.Eval], and one move of the result if dst has another layout than x.
// Panics if x does not broadcast to dst's shape.`, f.name)
	p.line("func (x %s) Into(dst *NDArray[%s]) { lazyInto(x.op, dst) }\n", typ, T)
	p.line("// Where is x where cond is true and y elsewhere, as [Where] of cond, x and y.\n//\n// Local. Result split and panics: as [Where]. Communication: none before the evaluation.")
	p.line("func (x %s) Where(cond Operand[bool], y Operand[%s]) %s {\nreturn %s{lazyWhere[%s](cond.lazyOperand(nil), x.op, y.lazyOperand(nil))}\n}\n", typ, T, typ, typ, T)
	if slices.Contains(f.constraints, "Real") {
		p.line("// Clip is [Clip] of x.\n//\n// Local. Result split: x's. Communication: none before the evaluation.")
		p.line("func (x %s) Clip(lo, hi T) %s { return x.MaximumScalar(lo).MinimumScalar(hi) }\n", typ, typ)
	}
}

// lazyKernel returns the expression for o's kernel of type elem.
func (o operation) lazyKernel(elem string, operands int) string {
	ks := o.kernels()
	if len(ks) == 1 {
		return fmt.Sprintf("%s[%s]{}", ks[0].name, elem)
	}
	return fmt.Sprintf("%sKernels[kindOf[%s]()].(kernel%d[%s, %s])", lower(o.name), elem, operands, elem, o.lazyResult(elem))
}

func (o operation) lazyResult(elem string) string {
	if o.result != "" {
		return o.result
	}
	return elem
}

// becomes returns the type of the result.
func (f family) becomes(o operation) string {
	if o.result == "bool" {
		return "BoolExpr"
	}
	return f.typ()
}

func (p *printer) lazyUnary(f family, o operation) {
	p.line("// %s is [%s] of x.\n//\n// Local. Result split: x's. Communication: none before the evaluation.", o.name, o.name)
	p.line("func (x %s) %s() %s {\nreturn %s{lazyUnary[%s, %s](%s, x.op)}\n}\n", f.typ(), o.name, f.becomes(o), f.becomes(o),
		f.elem, o.lazyResult(f.elem), o.lazyKernel(f.elem, 1))
}

func (p *printer) lazyBinary(f family, o operation) {
	types := f.elem + ", " + o.lazyResult(f.elem)
	k, to := o.lazyKernel(f.elem, 2), f.becomes(o)
	p.line("// %s is [%s] of x and y.\n//\n// Local. Result split and panics: as [%s]. Communication: none before the evaluation.", o.name, o.name, o.name)
	p.line("func (x %s) %s(y Operand[%s]) %s {\nreturn %s{lazyBinary[%s](%s, x.op, y.lazyOperand(nil))}\n}\n", f.typ(), o.name, f.elem, to, to, types, k)
	if !f.generic() {
		return // truth values have LogicalNot, and no numbers to go with
	}
	p.line("// %sScalar is [%sScalar] of x.\n//\n// Local. Result split: x's. Communication: none before the evaluation.", o.name, o.name)
	p.line("func (x %s) %sScalar(s T) %s {\nreturn %s{lazyRight[%s](%s, x.op, s)}\n}\n", f.typ(), o.name, to, to, types, k)
	if o.commutative {
		return
	}
	p.line("// Scalar%s is [Scalar%s] of s and x.\n//\n// Local. Result split: x's. Communication: none before the evaluation.", o.name, o.name)
	p.line("func (x %s) Scalar%s(s T) %s {\nreturn %s{lazyLeft[%s](%s, s, x.op)}\n}\n", f.typ(), o.name, to, to, types, k)
}

func (p *printer) lazyReduction(f family, r lazyReduction, call string) {
	res, arg := f.elem, ""
	switch r.result {
	case "":
	case "mean": // of numbers of this type, or of integers
		if f.name == "IntegerExpr" {
			res = "float64"
		}
		arg = "[" + res + "]"
	default:
		res = r.result
	}
	in := ""
	if strings.HasSuffix(f.name, "IntegerExpr") && r.result == "mean" {
		in = ", in float64"
	}
	p.line("// %s returns [%s] of x%s, without an array for x. Options are those of [%s].\n//", r.name, call, in, call)
	p.line("// Collective if the split axis is reduced, or if the evaluation moves operands; else local. Result\n// split and panics: as [%s]. Communication: that of [%s], and that of [%s.Eval].", call, call, f.name)
	p.line("func (x %s) %s(opts ...Option) *NDArray[%s] {\nreturn %s%s(standIn[%s](x.op, opts), opts...)\n}\n", f.typ(), r.name, res, call, arg, f.elem)
	if call == "MeanComplex" {
		return // which has no form with a destination
	}
	p.line("// %sInto sets dst to [%s.%s]. It allocates nothing from the second time on where [%sInto] does not\n// and nothing moves.\n//\n// Collective if [%s.%s] is. Result split: dst's. Communication: as [%s.%s].", r.name, f.name, r.name, call, f.name, r.name, f.name, r.name)
	p.line("func (x %s) %sInto(dst *NDArray[%s], opts ...Option) {\n%sInto(dst, standIn[%s](x.op, opts), opts...)\n}\n", f.typ(), r.name, res, call, f.elem)
}
