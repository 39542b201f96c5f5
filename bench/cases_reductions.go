package main

import (
	"caloric/linalg"
	"caloric/nd"
	"caloric/spmd"
)

// reductionCases are reductions of a table with both splits, of a short vector,
// and two of a long vector.
func reductionCases[T nd.Float](s sizes) []benchCase {
	type row struct {
		op    string
		flops int // an element
		f     func(x *nd.NDArray[T], opts ...nd.Option)
	}
	rows := []row{
		{"sum", 1, func(x *nd.NDArray[T], opts ...nd.Option) { nd.Sum(x, opts...) }},
		{"max", 1, func(x *nd.NDArray[T], opts ...nd.Option) { nd.Max(x, opts...) }},
		{"argmax", 1, func(x *nd.NDArray[T], opts ...nd.Option) { nd.ArgMax(x, opts...) }},
		{"mean", 1, func(x *nd.NDArray[T], opts ...nd.Option) { nd.Mean[T](x, opts...) }},
		{"var", 3, func(x *nd.NDArray[T], opts ...nd.Option) { nd.Var[T](x, opts...) }},
		{"std", 3, func(x *nd.NDArray[T], opts ...nd.Option) { nd.Std[T](x, opts...) }},
	}
	var list []benchCase
	size := float64(s.table[0] * s.table[1])
	for _, axis := range []nd.Axis{0, 1} {
		for _, over := range []string{"", "/axis0", "/axis1"} {
			for _, r := range rows {
				list = append(list, benchCase{
					name:  tableName[T](r.op+over, s.table[0], s.table[1], splitName(axis)),
					bytes: size * sizeOf[T](), flops: size * float64(r.flops), limit: "read",
					setup: func(c *spmd.Comm) func() {
						x := uniform[T](c, 1, axis, s.table[0], s.table[1])
						opts := []nd.Option{}
						if over != "" {
							opts = append(opts, nd.Over(int(over[len(over)-1]-'0')))
						}
						return func() { r.f(x, opts...) }
					}})
			}
		}
	}
	for _, r := range rows {
		list = append(list, benchCase{name: vectorName[T](r.op, s.short), setup: func(c *spmd.Comm) func() {
			x := vector[T](c, 1, s.short)
			return func() { r.f(x) }
		}})
	}
	for _, n := range []int{s.vector, s.short} {
		norm := benchCase{name: vectorName[T]("norm", n), bytes: float64(n) * sizeOf[T](), flops: 2 * float64(n),
			setup: func(c *spmd.Comm) func() {
				x := vector[T](c, 1, n)
				return func() { linalg.Norm(x) }
			}}
		vdot := benchCase{name: vectorName[T]("vdot", n), bytes: 2 * float64(n) * sizeOf[T](), flops: 2 * float64(n),
			setup: func(c *spmd.Comm) func() {
				x, y := vector[T](c, 1, n), vector[T](c, 2, n)
				return func() { linalg.VDot(x, y) }
			}}
		if n == s.vector {
			norm.limit, vdot.limit = "read", "read"
		}
		list = append(list, norm, vdot)
	}
	return list
}
