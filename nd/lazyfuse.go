package nd

import (
	"unsafe"

	"caloric/internal/kernel"
)

// lazyForm is how an operation is computed: its step and operands, which take in a
// product that is added or subtracted, or a difference that is squared, so that both
// are one loop. Each is still rounded by itself.
type lazyForm struct {
	step lazyStep
	args []*lazyOp
}

// form returns the form of o.
func (c *lazyCompiler) form(o *lazyOp) lazyForm {
	if f, is := c.forms[o]; is {
		return f
	}
	f := lazyForm{o.step, o.args}
	for j, m := range o.args {
		if m.step == nil || c.uses[m] > 1 || m.layout != o.layout {
			continue
		}
		if step := lazyPair(lazyKernelOf(o), lazyKernelOf(m), j == 0); step != nil {
			args := make([]*lazyOp, 0, len(m.args)+len(o.args)-1)
			f = lazyForm{step, append(append(append(args, m.args...), o.args[:j]...), o.args[j+1:]...)}
			break
		}
	}
	c.forms[o] = f
	return f
}

// count counts how often each part of o is used.
func (c *lazyCompiler) count(o *lazyOp) {
	for _, x := range o.args {
		if c.uses[x]++; c.uses[x] == 1 {
			c.count(x)
		}
	}
}

// lazyKernelOf returns the kernel of an operation, nil if it has none.
func lazyKernelOf(o *lazyOp) any {
	if s, is := o.step.(interface{ kernel() any }); is {
		return s.kernel()
	}
	return nil
}

func (s lazyStep1[T, R]) kernel() any { return s.k }
func (s lazyStep2[T, R]) kernel() any { return s.k }

// lazyPair returns the step for kernel k of what kernel inner gives, which is the
// left or the right operand; nil if there is none.
func lazyPair(k, inner any, left bool) lazyStep {
	switch inner.(type) {
	case interface{ isProduct() }:
		if s, is := k.(interface{ withProduct(left bool) lazyStep }); is {
			return s.withProduct(left)
		}
	case interface{ isDifference() }:
		if s, is := k.(interface{ ofDifference() lazyStep }); is {
			return s.ofDifference()
		}
	}
	return nil
}

func (mulKernel[T]) isProduct()    {}
func (subKernel[T]) isDifference() {}

func (addKernel[T]) withProduct(bool) lazyStep { return lazyMulAdd[T]{} }

func (subKernel[T]) withProduct(left bool) lazyStep {
	if left {
		return lazyMulSub[T]{}
	}
	return lazySubMul[T]{}
}

func (squareKernel[T]) ofDifference() lazyStep { return lazySquaredDifference[T]{} }

// lazySquaredDifference is (x - y)².
type lazySquaredDifference[T Number] struct{}

func (lazySquaredDifference[T]) run(dst, x, y, _ unsafe.Pointer, n int) {
	d, xs, ys := unsafe.Slice((*T)(dst), n), unsafe.Slice((*T)(x), n), unsafe.Slice((*T)(y), n)
	if kernel.SquaredDifference(d, xs, ys) {
		return
	}
	for i := range d {
		v := T(xs[i] - ys[i])
		d[i] = v * v
	}
}

// lazyMulAdd is x·y + z.
type lazyMulAdd[T Number] struct{}

func (lazyMulAdd[T]) run(dst, x, y, z unsafe.Pointer, n int) {
	d, xs, ys, zs := unsafe.Slice((*T)(dst), n), unsafe.Slice((*T)(x), n), unsafe.Slice((*T)(y), n), unsafe.Slice((*T)(z), n)
	if kernel.MulAdd(d, xs, ys, zs) {
		return
	}
	for i := range d {
		d[i] = T(xs[i]*ys[i]) + zs[i]
	}
}

// lazyMulSub is x·y - z.
type lazyMulSub[T Number] struct{}

func (lazyMulSub[T]) run(dst, x, y, z unsafe.Pointer, n int) {
	d, xs, ys, zs := unsafe.Slice((*T)(dst), n), unsafe.Slice((*T)(x), n), unsafe.Slice((*T)(y), n), unsafe.Slice((*T)(z), n)
	if kernel.MulSub(d, xs, ys, zs) {
		return
	}
	for i := range d {
		d[i] = T(xs[i]*ys[i]) - zs[i]
	}
}

// lazySubMul is z - x·y.
type lazySubMul[T Number] struct{}

func (lazySubMul[T]) run(dst, x, y, z unsafe.Pointer, n int) {
	d, xs, ys, zs := unsafe.Slice((*T)(dst), n), unsafe.Slice((*T)(x), n), unsafe.Slice((*T)(y), n), unsafe.Slice((*T)(z), n)
	if kernel.SubMul(d, xs, ys, zs) {
		return
	}
	for i := range d {
		d[i] = zs[i] - T(xs[i]*ys[i])
	}
}
