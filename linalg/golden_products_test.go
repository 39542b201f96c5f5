package linalg_test

import (
	"encoding/json"
	"fmt"
	"math/cmplx"
	"os"
	"slices"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// goldenProduct is a case of testdata/products.json.
type goldenProduct struct {
	Op, Spec string
	Shapes   [][]int
	Args     []int
	Complex  bool
	Shape    nd.Shape
	Result   []float64
}

func (g *goldenProduct) String() string { return fmt.Sprint(g.Op, " ", g.Spec, g.Shapes, g.Args) }

// at returns element k of the result.
func (g *goldenProduct) at(k int) complex128 {
	if g.Complex && len(g.Result) == 2*g.Shape.Size() {
		return complex(g.Result[2*k], g.Result[2*k+1])
	}
	return complex(g.Result[k], 0)
}

// goldenOperand is operand s of a case, counted from 1.
func goldenOperand[T nd.Number](c *spmd.Comm, l *split.Layout, s int, transposed bool) *nd.NDArray[T] {
	n := len(l.Shape())
	f := func(index []int) T {
		k := 0
		for d, i := range index {
			k = k*l.Shape()[d] + i
		}
		return anyNumber[T]((k*7+s*5+k*k)%11-5, (k*5+s*3)%7-3)
	}
	if !transposed || n < 2 {
		return nd.FromLayout(c, l, f)
	}
	perm := make([]int, n)
	for k := range perm {
		perm[k] = n - 1 - k
	}
	t, _ := split.Transpose(l, perm)
	return nd.FromLayout(c, t, func(index []int) T {
		index = slices.Clone(index)
		slices.Reverse(index)
		return f(index)
	}).T()
}

func anyNumber[T nd.Number](re, im int) T {
	var t T
	switch t := any(&t).(type) {
	case *int64:
		*t = int64(re)
	case *float32:
		*t = float32(re)
	case *float64:
		*t = float64(re)
	case *complex64:
		*t = complex(float32(re), float32(im))
	case *complex128:
		*t = complex(float64(re), float64(im))
	}
	return t
}

func anyComplex[T nd.Number](v T) complex128 {
	switch v := any(v).(type) {
	case int64:
		return complex(float64(v), 0)
	case float32:
		return complex(float64(v), 0)
	case float64:
		return complex(v, 0)
	case complex64:
		return complex128(v)
	case complex128:
		return v
	}
	panic("type")
}

func goldenProducts(t testing.TB) (cases []goldenProduct) {
	data, err := os.ReadFile("testdata/products.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

// TestGoldenProducts has every case of real numbers in float64, and some in
// float32 and int64, alike for complex numbers; on every layout of the first
// operand with some of the others'.
func TestGoldenProducts(t *testing.T) {
	cases := goldenProducts(t)
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for i := range cases {
			g := &cases[i]
			var layouts [][]*split.Layout
			for _, s := range g.Shapes {
				layouts = append(layouts, testLayouts(c, s))
			}
			for k := range max(len(layouts[0]), len(layouts[len(layouts)-1])) * (len(layouts) - len(layouts)/2) {
				ls := make([]*split.Layout, len(layouts))
				for s := range ls {
					// Each operand goes through its layouts at another pace.
					ls[s] = layouts[s][(k+s*(k/len(layouts[0])+i+c.Size()))%len(layouts[s])]
				}
				switch {
				case !g.Complex && (k+i)%5 == 4:
					checkInexactGolden[float32](t, c, g, ls, k)
				case !g.Complex:
					checkInexactGolden[float64](t, c, g, ls, k)
					if (k+i)%5 == 3 {
						checkGoldenProduct(t, c, g, ls, k, numberProduct[int64])
					}
				case (k+i)%5 == 4:
					checkInexactGolden[complex64](t, c, g, ls, k)
				default:
					checkInexactGolden[complex128](t, c, g, ls, k)
				}
			}
		}
	})
}

func checkInexactGolden[T nd.Inexact](t testing.TB, c *spmd.Comm, g *goldenProduct, ls []*split.Layout, k int) {
	checkGoldenProduct(t, c, g, ls, k, numberProduct[T])
	switch g.Op {
	case "norm", "cond":
		checkGoldenNorm[T](t, c, g, ls[0], k)
	case "matrixpower", "tensorinv", "tensorsolve":
		var ops []*nd.NDArray[T]
		for s, l := range ls {
			ops = append(ops, goldenOperand[T](c, l, s+1+boolInt(g.Op == "tensorinv"), k%3 == s))
		}
		var r *nd.NDArray[T]
		var err error
		switch g.Op {
		case "matrixpower":
			r, err = linalg.MatrixPower(ops[0], g.Args[0])
			if !r.Layout().Equal(ls[0]) {
				t.Errorf("%v of %v has layout %v", g, ls[0], r.Layout())
			}
		case "tensorinv":
			r, err = linalg.TensorInv(ops[0], 2)
		case "tensorsolve":
			r, err = linalg.TensorSolve(ops[0], ops[1])
		}
		if err != nil {
			t.Errorf("%v of %v: %v", g, ls, err)
			return
		}
		compareGolden(t, g, ls, r, 2000*roundoff[T]())
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// checkGoldenProduct checks a case that f computes, exactly; f returns nil if it
// is of another kind.
func checkGoldenProduct[T nd.Number](t testing.TB, c *spmd.Comm, g *goldenProduct, ls []*split.Layout, k int, f func(g *goldenProduct, ops []*nd.NDArray[T]) *nd.NDArray[T]) {
	var ops []*nd.NDArray[T]
	for s, l := range ls {
		ops = append(ops, goldenOperand[T](c, l, s+1, (k+s)%3 == 1))
	}
	r := f(g, ops)
	if r == nil {
		return
	}
	if r.Comm() != c {
		t.Errorf("%v of %v: result on %v", g, ls, r.Comm())
	}
	compareGolden(t, g, ls, r, 0)
	for s, l := range ls {
		if !ops[s].Layout().Equal(l) || !slices.Equal(ops[s].Local(), goldenOperand[T](c, l, s+1, false).Local()) {
			t.Errorf("%v of %v: operand %d has changed", g, ls, s)
		}
	}
}

func numberProduct[T nd.Number](g *goldenProduct, ops []*nd.NDArray[T]) *nd.NDArray[T] {
	switch g.Op {
	case "einsum":
		return linalg.Einsum(g.Spec, ops...)
	case "inner":
		return linalg.Inner(ops[0], ops[1])
	case "outer":
		return linalg.Outer(ops[0], ops[1])
	case "kron":
		return linalg.Kron(ops[0], ops[1])
	case "vecdot":
		return linalg.VecDot(ops[0], ops[1], g.Args[0])
	case "cross":
		return linalg.Cross(ops[0], ops[1], g.Args[0])
	case "tensordot":
		return linalg.TensorDot(ops[0], ops[1], g.Args[0])
	case "tensordotover":
		n := len(g.Args) / 2
		return linalg.TensorDotOver(ops[0], ops[1], g.Args[:n], g.Args[n:])
	case "matmul":
		return linalg.MatMul(ops[0], ops[1])
	case "multidot":
		return linalg.MultiDot(ops...)
	}
	return nil
}

// compareGolden checks this rank's part of a result, relative to the largest number.
func compareGolden[T nd.Number](t testing.TB, g *goldenProduct, ls []*split.Layout, r *nd.NDArray[T], tolerance float64) {
	t.Helper()
	if !r.Shape().Equal(g.Shape) {
		t.Errorf("%v of %v: shape %v, want %v", g, ls, r.Shape(), g.Shape)
		return
	}
	size := 0.0
	for k := range g.Shape.Size() {
		size = max(size, cmplx.Abs(g.at(k)))
	}
	box := r.Layout().Local(r.Comm().Rank())
	local := r.Local()
	i := 0
	eachIndex(box.Shape(), func(index []int) {
		k := 0
		for d, n := range index {
			k = k*g.Shape[d] + n + box.Lo[d]
		}
		if got := anyComplex(local[i]); !(cmplx.Abs(got-g.at(k)) <= tolerance*size) {
			t.Errorf("%v of %v (%T): element %d is %v, want %v", g, ls, local[i], k, got, g.at(k))
		}
		i++
	})
}

func checkGoldenNorm[T nd.Inexact](t testing.TB, c *spmd.Comm, g *goldenProduct, l *split.Layout, k int) {
	a := goldenOperand[T](c, l, 1, k%2 == 1)
	ord := linalg.MatrixOrd(g.Args[0])
	tolerance := 50 * roundoff[T]()
	if g.Op == "cond" {
		got, err := linalg.CondIn(a, ord)
		if want := g.Result[0]; err != nil || !near(got, want, 200*roundoff[T]()) {
			t.Errorf("%v of %v is %v, want %v (error %v)", g, l, got, want, err)
		}
		return
	}
	n, err := linalg.MatrixNormOver(a, ord, g.Args[1], g.Args[2])
	if err != nil {
		t.Errorf("%v of %v: %v", g, l, err)
		return
	}
	want, _ := split.Reduce(l, []int{(g.Args[1] + len(l.Shape())) % len(l.Shape()), (g.Args[2] + len(l.Shape())) % len(l.Shape())}, false)
	if !n.Layout().Equal(want) {
		t.Errorf("%v of %v has layout %v, want %v", g, l, n.Layout(), want)
	}
	compareGolden(t, &goldenProduct{Op: g.Op, Args: g.Args, Shape: g.Shape, Result: g.Result}, []*split.Layout{l}, n, tolerance)
	if len(g.Shape) == 0 {
		got, err := linalg.MatrixNorm(a, ord)
		if err != nil || !near(got, g.Result[0], tolerance) {
			t.Errorf("%v of %v is %v, want %v (error %v)", g, l, got, g.Result[0], err)
		}
	}
}
