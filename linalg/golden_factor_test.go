package linalg_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/cmplx"
	"os"
	"slices"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/linalg"
	"caloric/nd"
	"caloric/spmd"
)

// goldenFactors is a case of testdata/factorizations.json.
type goldenFactors struct {
	Name, Type                        string
	Shape                             []int
	A, L, U, B, X, XH, Inv, Det, Sign numbers
	Trace, H, Cholesky                numbers
	Triangular                        []numbers
	Perm                              []int
	RHS                               int
	LogDet, Cond                      float64
}

// numbers are real numbers or pairs.
type numbers []complex128

func (n *numbers) UnmarshalJSON(data []byte) error {
	var re []float64
	if json.Unmarshal(data, &re) == nil {
		for _, v := range re {
			*n = append(*n, complex(v, 0))
		}
		return nil
	}
	var z [][2]float64
	if err := json.Unmarshal(data, &z); err != nil {
		return err
	}
	for _, v := range z {
		*n = append(*n, complex(v[0], v[1]))
	}
	return nil
}

func TestGoldenFactors(t *testing.T) {
	narrowBlocks(t)
	data, err := os.ReadFile("testdata/factorizations.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []goldenFactors
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for i := range cases {
			switch g := &cases[i]; g.Type {
			case "float32":
				checkGoldenFactors[float32](t, c, g)
			case "float64":
				checkGoldenFactors[float64](t, c, g)
			case "complex64":
				checkGoldenFactors[complex64](t, c, g)
			case "complex128":
				checkGoldenFactors[complex128](t, c, g)
			}
		}
	})
}

func checkGoldenFactors[T nd.Inexact](t testing.TB, c *spmd.Comm, g *goldenFactors) {
	m, n := g.Shape[0], g.Shape[1]
	table := func(values numbers, cols int) func(i, j int) T {
		return func(i, j int) T {
			v := values[i*cols+j]
			return number[T](real(v), imag(v))
		}
	}
	for k, l := range testLayouts(c, g.Shape) {
		what := fmt.Sprintf("%s %s %v", g.Name, g.Type, l)
		check := func(name string, got []complex128, want numbers) {
			t.Helper()
			size := matrix128{data: want}.largest()
			for i, v := range got {
				if g.Name == "graded" {
					size = cmplx.Abs(want[i])
				}
				if d := cmplx.Abs(v - want[i]); len(got) != len(want) || !(d <= roundoff[T]()*g.Cond*40*size) {
					t.Errorf("%s: %s is %v, want %v", what, name, got, want)
					return
				}
			}
		}
		a := elements(c, l, k%2 == 0, table(g.A, n))
		f := linalg.LU(a)
		if !slices.Equal(f.Perm(), g.Perm) {
			t.Errorf("%s: permutation %v, want %v", what, f.Perm(), g.Perm)
		}
		check("L", whole(f.L()).data, g.L)
		check("U", whole(f.U()).data, g.U)
		if m != n {
			continue
		}
		layouts := testLayouts(c, nd.Shape{n, g.RHS})
		b := elements(c, layouts[k%len(layouts)], k%2 == 0, table(g.B, g.RHS))
		x, _ := f.Solve(b)
		check("solution", whole(x).data, g.X)
		x, _ = f.SolveAdjoint(b)
		check("solution of the adjoint", whole(x).data, g.XH)
		inv, _ := f.Inv()
		check("inverse", whole(inv).data, g.Inv)
		check("determinant", []complex128{complexOf(f.Det())}, g.Det)
		sign, logDet := f.SlogDet()
		check("sign", []complex128{complexOf(sign)}, g.Sign)
		if d := math.Abs(logDet - g.LogDet); !(d <= roundoff[T]()*g.Cond*40) {
			t.Errorf("%s: log-determinant is %v, want %v", what, logDet, g.LogDet)
		}
		check("trace", []complex128{complexOf(linalg.Trace(a))}, g.Trace)
		h := elements(c, l, k%2 == 1, table(g.H, n))
		ch, err := linalg.Cholesky(h)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		check("Cholesky factor", whole(ch).data, g.Cholesky)
		for i, want := range g.Triangular {
			if (i+k)%2 > 0 {
				continue // takes too long
			}
			var opts []linalg.TriangularOption
			if i/6 == 1 {
				opts = append(opts, linalg.LowerTriangle)
			}
			if i/3%2 == 1 {
				opts = append(opts, linalg.UnitDiagonal)
			}
			switch i % 3 {
			case 1:
				opts = append(opts, linalg.TransposedSolve)
			case 2:
				opts = append(opts, linalg.AdjointSolve)
			}
			x, err := linalg.SolveTriangular(a, b, opts...)
			if err != nil {
				t.Errorf("%s: %v", what, err)
				continue
			}
			check(fmt.Sprintf("triangular solution %v", opts), whole(x).data, want)
		}
	}
}
