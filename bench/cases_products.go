package main

import (
	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// productCases multiply square matrices of every combination of splits, and a
// matrix and a vector. A product of replicated matrices is computed by each rank
// and counts that often.
func productCases[T nd.Float](s sizes) []benchCase {
	var list []benchCase
	n := s.product
	every := []nd.Axis{split.None, 0, 1}
	for _, a := range every {
		for _, b := range every {
			layout := splitName(a) + "·" + splitName(b)
			list = append(list, benchCase{name: tableName[T]("matmul", n, n, layout),
				bytes: 3 * float64(n*n) * sizeOf[T](), flops: 2 * cube(n), limit: "gemm " + typeName[T](),
				everywhere: a == split.None && b == split.None,
				setup: func(c *spmd.Comm) func() {
					x, y := uniform[T](c, 1, a, n, n), uniform[T](c, 2, b, n, n)
					return func() { linalg.MatMul(x, y) }
				}})
		}
	}
	for _, b := range []nd.Axis{split.None, 0} {
		list = append(list, benchCase{name: tableName[T]("matvec", n, n, "s0·"+splitName(b)),
			bytes: float64(n*n) * sizeOf[T](), flops: 2 * float64(n*n), limit: "read",
			setup: func(c *spmd.Comm) func() {
				x, v := uniform[T](c, 1, 0, n, n), uniform[T](c, 2, b, n)
				return func() { linalg.MatMul(x, v) }
			}})
	}
	return list
}
