package linalg_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/cmplx"
	"os"
	"strconv"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// krylovCase is one system of testdata/krylov.json, made by gen_krylov.py.
type krylovCase struct {
	Name       string
	Complex    bool
	Rows, Cols int
	A, B       []float64
	X0, X      []float64
	Damp       float64
	Steps      map[string]map[string][]float64 // the iterate of a solver after so many steps
	Norms      map[string][]float64
}

func krylovCases(t testing.TB) []krylovCase {
	text, err := os.ReadFile("testdata/krylov.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []krylovCase
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

// goldenNumbers returns numbers of which, for a complex case, imaginary parts follow real ones.
func goldenNumbers[T nd.Inexact](x []float64, complexes bool) []T {
	if !complexes {
		y := make([]T, len(x))
		for i, v := range x {
			y[i] = number[T](v, 0)
		}
		return y
	}
	y := make([]T, len(x)/2)
	for i := range y {
		y[i] = number[T](x[2*i], x[2*i+1])
	}
	return y
}

func toComplex[T nd.Inexact](v T) complex128 {
	switch v := any(v).(type) {
	case float32:
		return complex(float64(v), 0)
	case float64:
		return complex(v, 0)
	case complex64:
		return complex128(v)
	case complex128:
		return v
	}
	panic("no such type")
}

// distance returns the largest difference of two vectors over the largest element
// of the second.
func distance[T nd.Inexact](got, want []T) float64 {
	if len(got) != len(want) {
		return math.Inf(1)
	}
	diff, size := 0.0, 1.0
	for i, w := range want {
		d := cmplx.Abs(toComplex(got[i]) - toComplex(w))
		if math.IsNaN(d) {
			return math.Inf(1)
		}
		diff, size = max(diff, d), max(size, cmplx.Abs(toComplex(w)))
	}
	return diff / size
}

// TestKrylovGolden compares iterates with SciPy's.
func TestKrylovGolden(t *testing.T) {
	cases := krylovCases(t)
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, k := range cases {
			if k.Complex {
				goldenCase[complex128](t, c, k, 1e-9)
				goldenCase[complex64](t, c, k, 2e-3)
				continue
			}
			goldenCase[float64](t, c, k, 1e-9)
			goldenCase[float32](t, c, k, 2e-3)
		}
	})
}

func goldenCase[T nd.Inexact](t testing.TB, c *spmd.Comm, k krylovCase, tolerance float64) {
	a := nd.FromSlice(c, goldenNumbers[T](k.A, k.Complex), nd.Shape{k.Rows, k.Cols}, split.None)
	b := nd.FromSlice(c, goldenNumbers[T](k.B, k.Complex), nd.Shape{k.Rows}, split.None)
	layouts := testLayouts(c, nd.Shape{k.Rows})
	for i, l := range testLayouts(c, nd.Shape{k.Rows, k.Cols}) {
		lb := layouts[(i+1)%len(layouts)]
		a, b := a.MoveTo(l), b.MoveTo(lb)
		what := fmt.Sprintf("%s, %v and %v", k.Name, l, lb)
		var start []linalg.SolverOption
		if k.X0 != nil {
			x0 := nd.FromSlice(c, goldenNumbers[T](k.X0, k.Complex), nd.Shape{k.Cols}, split.None)
			start = append(start, linalg.Start(x0.Resplit(lb.Axis())))
		}
		for s, solver := range []string{"cg", "pipelined", "jacobi-cg", "jacobi-pipelined", "bicgstab", "jacobi-bicgstab",
			"gmres", "minres", "jacobi-minres", "lsqr", "cgls"} {
			goldenSolver(t, what, solver, i+s, k, a, b, start, tolerance)
		}
	}
}

// goldenSolver compares after some of the numbers of steps, in turn.
func goldenSolver[T nd.Inexact](t testing.TB, what, solver string, turn int, k krylovCase, a, b *nd.NDArray[T], start []linalg.SolverOption, tolerance float64) {
	steps := k.Steps[map[string]string{"pipelined": "cg", "jacobi-pipelined": "jacobi-cg", "cgls": "lsqr"}[solver]]
	if steps == nil {
		steps = k.Steps[solver]
	}
	if steps == nil || solver == "cgls" && start != nil && k.Damp != 0 {
		return // what CGLS damps is not the distance from the start
	}
	A := linalg.AsOperator(a)
	options := append([]linalg.SolverOption{linalg.Rtol(0)}, start...)
	if len(solver) > 7 && solver[:7] == "jacobi-" {
		M, err := linalg.Jacobi(a)
		if err != nil {
			t.Fatal(err)
		}
		options, solver = append(options, linalg.Precondition(M)), solver[7:]
	}
	for s, text := range []string{"1", "2", "3", "5"} {
		want, ok := steps[text]
		if !ok || (s+turn)%3 != 0 {
			continue
		}
		n, _ := strconv.Atoi(text)
		opts := append([]linalg.SolverOption{linalg.MaxIter(n), linalg.Damp(k.Damp), linalg.Restart(n)}, options...)
		var x *nd.NDArray[T]
		var done int
		switch solver {
		case "lsqr", "cgls":
			solve := linalg.LSQR[T]
			if solver == "cgls" {
				solve = linalg.CGLS[T]
			}
			var res linalg.LeastSquaresResult
			x, res, _ = solve(A, b, opts...)
			done = res.Iterations
			checkNorms(t, what+" "+solver, res, k.Norms[text], tolerance, start != nil)
		default:
			var res linalg.Result
			x, res, _ = squareSolvers[T]()[solver](A, b, opts...)
			done = res.Iterations
			if r := residualNorm(a, x, b); math.Abs(r-res.Residual) > tolerance*linalg.Norm(b) && solver != "minres" {
				t.Errorf("%s: %s says %v, the residual is %v", what, solver, res.Residual, r)
			}
		}
		if d := distance(x.Gather(), goldenNumbers[T](want, k.Complex)); d > tolerance || done != n {
			t.Errorf("%s: %s after %d of %d steps is off by %v", what, solver, done, n, d)
		}
	}
}

// checkNorms compares with r1norm, r2norm, anorm, acond, arnorm and xnorm.
func checkNorms(t testing.TB, what string, res linalg.LeastSquaresResult, want []float64, tolerance float64, started bool) {
	got := []float64{res.Misfit, res.Damped, res.NormA, res.CondA, res.Residual, res.NormX}
	for i, w := range want {
		if res.NormA == 0 && (i == 2 || i == 3 || i == 5) || started && i == 5 {
			continue // an estimate by LSQR only, which for a start SciPy has of x
		}
		if math.Abs(got[i]-w) > 10*tolerance*max(1, w) {
			t.Errorf("%s: norm %d is %v, want %v", what, i, got[i], w)
		}
	}
	if len(res.Misfits) != res.Iterations+1 || len(res.Residuals) != res.Iterations+1 ||
		res.DampedMisfits != nil && len(res.DampedMisfits) != res.Iterations+1 {
		t.Errorf("%s: histories of %d, %d and %d for %d steps", what,
			len(res.Misfits), len(res.Residuals), len(res.DampedMisfits), res.Iterations)
	}
}

type squareSolver[T nd.Inexact] func(A linalg.Operator[T], b *nd.NDArray[T], opts ...linalg.SolverOption) (*nd.NDArray[T], linalg.Result, error)

// squareSolvers returns the solvers of square systems by name.
func squareSolvers[T nd.Inexact]() map[string]squareSolver[T] {
	return map[string]squareSolver[T]{"cg": linalg.CG[T], "pipelined": linalg.PipelinedCG[T], "bicgstab": linalg.BiCGSTAB[T],
		"gmres": linalg.GMRES[T], "minres": linalg.MINRES[T]}
}

// squareNames are the names in an order that is the same on every rank.
var squareNames = []string{"cg", "pipelined", "bicgstab", "gmres", "minres"}

func residualNorm[T nd.Inexact](a, x, b *nd.NDArray[T]) float64 {
	r := nd.Copy(b)
	ax := nd.EmptyLike(b)
	linalg.MatMulInto(ax, a, x)
	nd.Axpy(number[T](-1, 0), ax, r)
	return linalg.Norm(r)
}
