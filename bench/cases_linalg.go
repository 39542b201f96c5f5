package main

import (
	"fmt"

	"caloric/linalg"
	"caloric/nd"
	"caloric/spmd"
)

// solverCases run CG for a fixed number of steps on a dense matrix split along
// its rows.
func solverCases[T nd.Float](s sizes) []benchCase {
	n, steps := s.product, s.steps
	matrix := float64(n*n) * sizeOf[T]()
	name := tableName[T](fmt.Sprintf("cg/%d", steps), n, n, "s0")
	return []benchCase{{name: name, bytes: float64(steps) * matrix, flops: float64(steps) * 2 * float64(n*n), limit: "read",
		setup: func(c *spmd.Comm) func() {
			a := linalg.AsOperator(definite[T](c, n, 0))
			b := nd.Ones[T](c, nd.Shape{n}, 0)
			return func() {
				_, res, _ := linalg.CG(a, b, linalg.Rtol(0), linalg.MaxIter(steps))
				if res.Iterations != steps {
					panic(fmt.Sprintf("CG ended after %d steps: %v", res.Iterations, res.Reason))
				}
			}
		}}}
}

// factorizationCases factor square matrices and a tall one, all split along
// their rows. Operations are counted as LAPACK does (Anderson et al. 1999,
// "LAPACK Users' Guide").
func factorizationCases(s sizes) []benchCase {
	type row struct {
		op    string
		n     int
		flops float64
		setup func(c *spmd.Comm, n int) func()
	}
	var list []benchCase
	for _, r := range []row{
		{"cholesky", s.product, cube(s.product) / 3, func(c *spmd.Comm, n int) func() {
			a := definite[float64](c, n, 0)
			return func() { must(linalg.Cholesky(a)) }
		}},
		{"lu", s.product, 2 * cube(s.product) / 3, func(c *spmd.Comm, n int) func() {
			a := uniform[float64](c, 1, 0, n, n)
			return func() { linalg.LU(a) }
		}},
		{"qr", s.product, 8 * cube(s.product) / 3, func(c *spmd.Comm, n int) func() {
			a := uniform[float64](c, 1, 0, n, n)
			return func() { linalg.QR(a, linalg.Reduced) }
		}},
		{"eigh", s.spectrum, 9 * cube(s.spectrum), func(c *spmd.Comm, n int) func() {
			a := definite[float64](c, n, 0)
			return func() {
				_, v, err := linalg.EigH(a)
				must(v, err)
			}
		}},
	} {
		list = append(list, benchCase{name: tableName[float64](r.op, r.n, r.n, "s0"), flops: r.flops, limit: "gemm f64",
			setup: func(c *spmd.Comm) func() { return r.setup(c, r.n) }})
	}
	return append(list, tallCase[float32](s), tallCase[float64](s))
}

func tallCase[T nd.Float](s sizes) benchCase {
	m, n := float64(s.tall[0]), float64(s.tall[1])
	return benchCase{name: tableName[T]("qr", s.tall[0], s.tall[1], "s0"), flops: 4*m*n*n - 4*n*n*n/3,
		limit: "gemm " + typeName[T](), setup: func(c *spmd.Comm) func() {
			a := uniform[T](c, 1, 0, s.tall[:]...)
			return func() { linalg.QR(a, linalg.Reduced) }
		}}
}

// must panics where a matrix that was made to have factors has none.
func must[T nd.Float](_ *nd.NDArray[T], err error) {
	if err != nil {
		panic(err)
	}
}
