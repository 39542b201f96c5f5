package linalg_test

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// skewed returns element (i, j) of a matrix that is not Hermitian: the definite one
// with other numbers above the diagonal.
func skewed[T nd.Inexact](n, i, j int) T {
	v := definite[T](n, i, j)
	if i < j {
		v *= number[T](0.5, 0.25)
	}
	return v
}

// flipped returns element (i, j) of a Hermitian matrix that is not definite.
func flipped[T nd.Inexact](n, i, j int) T {
	v := definite[T](n, i, j)
	if i == j && i%3 == 1 {
		v = -v
	}
	return v
}

type element[T nd.Inexact] func(n, i, j int) T

func (e element[T]) matrix(c *spmd.Comm, l *split.Layout) *nd.NDArray[T] {
	return nd.FromLayout(c, l, func(i []int) T { return e(l.Shape()[0], i[0], i[1]) })
}

// rightSide returns the product of the matrix and the solution.
func (e element[T]) rightSide(c *spmd.Comm, l *split.Layout) *nd.NDArray[T] {
	n := l.Shape()[0]
	return nd.FromLayout(c, l, func(i []int) (sum T) {
		for j := range n {
			sum += e(n, i[0], j) * solution[T](j)
		}
		return sum
	})
}

func TestKrylovSolvers(t *testing.T) {
	t.Run("float64", func(t *testing.T) { testSolvers[float64](t, 1e-11) })
	t.Run("complex128", func(t *testing.T) { testSolvers[complex128](t, 1e-11) })
	t.Run("float32", func(t *testing.T) { testSolvers[float32](t, 1e-5) })
	t.Run("complex64", func(t *testing.T) { testSolvers[complex64](t, 1e-5) })
}

func testSolvers[T nd.Inexact](t *testing.T, tolerance float64) {
	elements := map[string]element[T]{"pipelined": definite[T], "bicgstab": skewed[T], "gmres": skewed[T], "minres": flipped[T]}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, n := range []int{0, 1, 3, 12} {
			vectors := testLayouts(c, nd.Shape{n})
			for k, la := range testLayouts(c, nd.Shape{n, n}) {
				for s, name := range squareNames[1:] {
					lb := vectors[(k+s)%len(vectors)]
					e := elements[name]
					a, b := e.matrix(c, la), e.rightSide(c, lb)
					if k%2 == 1 { // a view whose memory is in another order
						a = nd.FromLayout(c, transposedLayout(la), func(i []int) T { return e(n, i[1], i[0]) }).T()
					}
					ones := func([]int) T { return number[T](1, 1) }
					x0 := nd.FromLayout(c, vectors[(k+2*s+1)%len(vectors)], ones)
					opts := []linalg.SolverOption{linalg.Rtol(tolerance), linalg.Restart(5)}
					if (k+s)%2 == 0 {
						opts = append(opts, linalg.Start(x0))
					}
					what := fmt.Sprintf("%s, %v x = %v", name, la, lb)
					switch (k + s) % 3 {
					case 1:
						if name != "minres" { // the diagonal is not positive
							opts = append(opts, linalg.Precondition(jacobiOf(t, a)))
							what += ", Jacobi"
						}
					case 2:
						if name != "minres" {
							opts = append(opts, linalg.Precondition(blockJacobiOf(t, a, 1+k%3)))
							what += ", blocks"
						}
					}
					x, res, err := squareSolvers[T]()[name](linalg.AsOperator(a), b, opts...)
					if err != nil || res.Reason != linalg.Converged || len(res.Residuals) != res.Iterations+1 {
						t.Errorf("%s: %+v, error %v", what, res, err)
					}
					if r := residualNorm(a, x, b); r > 50*tolerance*linalg.Norm(b) {
						t.Errorf("%s: residual %v", what, r)
					}
					if x.Split() != lb.Axis() {
						t.Errorf("%s: solution %v", what, x.Layout())
					}
					checkArray(t, "start", x0, ones)
					if !a.Layout().Equal(la) || !b.Layout().Equal(lb) {
						t.Errorf("%s: operands moved", what)
					}
				}
			}
		}
	})
}

func transposedLayout(l *split.Layout) *split.Layout {
	t, err := split.Transpose(l, []int{1, 0})
	if err != nil {
		panic(err)
	}
	return t
}

func jacobiOf[T nd.Inexact](t testing.TB, a *nd.NDArray[T]) linalg.Operator[T] {
	M, err := linalg.Jacobi(a)
	if err != nil {
		t.Error(err)
	}
	return M
}

func blockJacobiOf[T nd.Inexact](t testing.TB, a *nd.NDArray[T], size int) linalg.Operator[T] {
	M, err := linalg.BlockJacobi(a, size)
	if err != nil {
		t.Error(err)
	}
	return M
}

// stepCalls returns the operations and the bytes of allreduces of one step: those
// of a run of many steps less those of a run of few, over the difference.
func stepCalls(t testing.TB, c *spmd.Comm, few, many int, run func(steps int)) (calls map[string]int64, reduced float64) {
	count := func(steps int) spmd.Stats {
		before := c.Stats()
		run(steps)
		return c.Stats().Sub(before)
	}
	less, more := count(few), count(many)
	calls = map[string]int64{}
	for op, n := range more.Sub(less) {
		if n.Calls%int64(many-few) != 0 {
			t.Errorf("%d calls of %s in %d steps", n.Calls, op, many-few)
		}
		calls[op] = n.Calls / int64(many-few)
	}
	d := more.Sub(less)
	return calls, float64(d["allreduce"].Bytes+d["iallreduce"].Bytes) / float64(many-few)
}

// TestKrylovBudget: the scalars of a step share allreduces; the product's own
// communication is an allgatherv for a matrix that is split along its rows.
func TestKrylovBudget(t *testing.T) {
	const n = 40
	tests := []struct {
		name      string
		jacobi    bool
		products  int64 // a step
		reduces   int64
		immediate int64 // non-blocking allreduces
		bytes     float64
	}{
		{"cg", false, 1, 2, 0, 16},
		{"cg", true, 1, 2, 0, 24},
		{"pipelined", false, 1, 0, 1, 16},
		{"pipelined", true, 1, 0, 1, 24},
		{"bicgstab", false, 2, 2, 0, 48},
		{"bicgstab", true, 2, 2, 0, 48},
		{"minres", false, 1, 1, 0, 24},
		{"minres", true, 1, 2, 0, 16},
		{"gmres", false, 1, 1, 0, 8 * 8.5}, // 6, 7 … 11 inner products
	}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		if c.Size() == 1 {
			return
		}
		for _, axis := range []split.Axis{0, 1, split.None} {
			for _, tt := range tests {
				diagonal, below, above := 2.0, -1.0, -1.0
				switch tt.name {
				case "bicgstab":
					above = -0.7
				case "gmres": // a cyclic shift, which makes every vector orthogonal to those before
					diagonal, below, above = 0, 1, 0
				}
				a := nd.FromFunc(c, nd.Shape{n, n}, axis, func(i []int) float64 {
					switch i[0] - i[1] {
					case 0:
						return diagonal
					case 1, 1 - n:
						return below
					case -1, n - 1:
						return above
					}
					return 0
				})
				b := nd.FromFunc(c, nd.Shape{n}, min(axis, 0), func(i []int) float64 {
					if tt.name == "gmres" && i[0] > 0 {
						return 0
					}
					return math.Sin(float64(3*i[0])) + 0.5
				})
				A := linalg.AsOperator(a)
				opts := []linalg.SolverOption{linalg.Rtol(0), linalg.Restart(20)}
				if tt.jacobi {
					opts = append(opts, linalg.Precondition(jacobiOf(t, a)))
				}
				got, bytes := stepCalls(t, c, 4, 10, func(steps int) {
					_, res, _ := squareSolvers[float64]()[tt.name](A, b, append(opts, linalg.MaxIter(steps))...)
					if res.Iterations != steps || res.Reason != linalg.MaxIterations {
						t.Errorf("%s: %+v", tt.name, res)
					}
				})
				want := map[string]int64{}
				if axis != split.None {
					want[map[split.Axis]string{0: "allgatherv", 1: "reducescatter"}[axis]] = tt.products
					if tt.reduces > 0 {
						want["allreduce"] = tt.reduces
					}
					if tt.immediate > 0 {
						want["iallreduce"], want["wait"] = tt.immediate, tt.immediate
					}
				}
				if !maps.Equal(got, want) || axis != split.None && bytes != tt.bytes {
					t.Errorf("%s, A split %v, Jacobi %v: %v and %v bytes, want %v and %v", tt.name, axis, tt.jacobi, got, bytes, want, tt.bytes)
				}
			}
		}
	})
}

// TestKrylovAllocations: the loops allocate nothing.
func TestKrylovAllocations(t *testing.T) {
	if krylovRace {
		t.Skip("pools of memory forget at random under the race detector")
	}
	spmdtest.Run(t, 1, func(c *spmd.Comm) {
		allocationFree[float64](t, c)
		if !complexAllocates {
			allocationFree[complex64](t, c)
		}
	})
}

func allocationFree[T nd.Inexact](t testing.TB, c *spmd.Comm) {
	const n = 60
	a := nd.FromFunc(c, nd.Shape{n, n}, 0, func(i []int) T {
		switch abs(i[0] - i[1]) {
		case 0:
			return number[T](2.1, 0)
		case 1:
			return number[T](-1, 0)
		}
		return 0
	})
	b := nd.FromFunc(c, nd.Shape{n}, 0, func(i []int) T { return number[T](math.Sin(float64(3*i[0])), 1) })
	op := linalg.AsOperator(a)
	check := func(what string, run func(steps int)) {
		steps := func(k int) float64 { return testing.AllocsPerRun(3, func() { run(k) }) }
		few, many := steps(3), steps(16)
		for range 5 { // a collection in between empties the pools
			if few == many {
				return
			}
			few, many = steps(3), steps(16)
		}
		t.Errorf("%s: %v allocations in 3 steps, %v in 16", what, few, many)
	}
	for _, name := range squareNames {
		for _, M := range []linalg.Operator[T]{nil, jacobiOf(t, a), blockJacobiOf(t, a, 7)} {
			opts := []linalg.SolverOption{linalg.Rtol(0), linalg.Restart(5)}
			if M != nil {
				opts = append(opts, linalg.Precondition(M))
			}
			check(fmt.Sprintf("%s with %T", name, M), func(steps int) {
				squareSolvers[T]()[name](op, b, append(opts[:len(opts):len(opts)], linalg.MaxIter(steps))...)
			})
		}
	}
	for _, damp := range []float64{0, 0.5} {
		check("CGLS", func(k int) { linalg.CGLS(op, b, linalg.Rtol(0), linalg.MaxIter(k), linalg.Damp(damp)) })
		check("LSQR", func(k int) { linalg.LSQR(op, b, linalg.Rtol(0), linalg.MaxIter(k), linalg.Damp(damp)) })
	}
	check("PowerIteration", func(k int) { linalg.PowerIteration(op, b, linalg.Rtol(0), linalg.MaxIter(k)) })
}

// TestKrylovGuards: nothing to do, and nothing that can be done.
func TestKrylovGuards(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, axis := range []split.Axis{split.None, 0} {
			matrix := func(x ...float64) linalg.Operator[float64] {
				n := int(math.Sqrt(float64(len(x))))
				return linalg.AsOperator(nd.FromSlice(c, x, nd.Shape{n, n}, axis))
			}
			eye, singular := matrix(1, 0, 0, 0, 1, 0, 0, 0, 1), matrix(1, 0, 0, 0, 2, 0, 0, 0, 0)
			turn := matrix(0, 1, -1, 0)
			nan := matrix(1, 0, 0, 0, math.NaN(), 0, 0, 0, 1)
			negative := linalg.Precondition(matrix(-1, 0, 0, 0, -1, 0, 0, 0, -1))
			zero := nd.Zeros[float64](c, nd.Shape{3}, axis)
			b := vector(c, axis, 1.0, -2, 3)
			options := func(o ...linalg.SolverOption) []linalg.SolverOption { return o }
			tests := []struct {
				name    string
				solvers []string
				a       linalg.Operator[float64]
				b       *nd.NDArray[float64]
				opts    []linalg.SolverOption
				reason  linalg.Reason
				detail  string
				steps   int // -1 for any
				x       []float64
			}{
				{"zero from zero", squareNames, eye, zero, options(linalg.Start(zero)), linalg.Converged, "", 0, []float64{0, 0, 0}},
				{"zero from elsewhere", squareNames, eye, zero, options(linalg.Start(b)), linalg.Converged, "", 0, []float64{0, 0, 0}},
				{"from the solution", squareNames, eye, b, options(linalg.Start(b), linalg.Rtol(0)), linalg.Converged, "", 0, []float64{1, -2, 3}},
				{"identity", squareNames, eye, b, nil, linalg.Converged, "", 1, []float64{1, -2, 3}},
				{"near enough", squareNames, eye, b, options(linalg.Atol(4)), linalg.Converged, "", 0, []float64{0, 0, 0}},
				{"no steps", squareNames, eye, b, options(linalg.MaxIter(0)), linalg.MaxIterations, "", 0, []float64{0, 0, 0}},
				{"infinite", squareNames, eye, vector(c, axis, 1, math.Inf(1), 0), nil, linalg.NotFinite, "", 0, []float64{0, 0, 0}},
				{"NaN", squareNames, eye, vector(c, axis, 1, math.NaN(), 0), nil, linalg.NotFinite, "", 0, []float64{0, 0, 0}},
				{"NaN in A", squareNames, nan, b, nil, linalg.NotFinite, "", 0, []float64{0, 0, 0}},
				{"small", squareNames, eye, vector(c, axis, 1e-200, -2e-200, 0), nil, linalg.Converged, "", 1, []float64{1e-200, -2e-200, 0}},
				{"large", squareNames, eye, vector(c, axis, 1e200, -2e200, 0), nil, linalg.Converged, "", 1, []float64{1e200, -2e200, 0}},
				{"indefinite", []string{"cg", "pipelined"}, matrix(1, 0, 0, 0, -1, 0, 0, 0, 1), vector(c, axis, 0.0, 1, 0), nil,
					linalg.NotPositiveDefinite, "", 0, []float64{0, 0, 0}},
				{"negative M", []string{"cg", "pipelined", "minres"}, eye, b, options(negative), linalg.BadPreconditioner, "", 0, []float64{0, 0, 0}},
				{"singular, solvable", squareNames, singular, vector(c, axis, 1.0, 2, 0), nil, linalg.Converged, "", -1, []float64{1, 1, 0}},
				{"singular", []string{"minres"}, singular, vector(c, axis, 1.0, 2, 1), nil, linalg.Minimal, "", 2, nil},
				{"singular from b", []string{"minres"}, singular, vector(c, axis, 0.0, 0, 1), nil, linalg.Minimal, "", 0, []float64{0, 0, 0}},
				{"singular", []string{"gmres"}, singular, vector(c, axis, 1.0, 2, 1), nil, linalg.Breakdown, "pivot", -1, nil},
				{"turn", []string{"bicgstab"}, turn, vector(c, axis, 1.0, 0), nil, linalg.Breakdown, "r̂ᴴA·p", 0, []float64{0, 0}},
				{"turn", []string{"gmres"}, turn, vector(c, axis, 1.0, 0), nil, linalg.Converged, "", 2, []float64{0, 1}},
				{"zero matrix", []string{"bicgstab", "gmres"}, matrix(0, 0, 0, 0), vector(c, axis, 1.0, 0), nil, linalg.Breakdown, "", -1, []float64{0, 0}},
				{"zero matrix", []string{"cg", "pipelined"}, matrix(0, 0, 0, 0), vector(c, axis, 1.0, 0), nil, linalg.NotPositiveDefinite, "", 0, []float64{0, 0}},
			}
			for _, tt := range tests {
				for _, solver := range tt.solvers {
					what := solver + ", " + tt.name
					x, res, err := squareSolvers[float64]()[solver](tt.a, tt.b, tt.opts...)
					if res.Reason != tt.reason || tt.steps >= 0 && res.Iterations != tt.steps || !strings.Contains(res.Detail, tt.detail) {
						t.Errorf("%s: %+v", what, res)
					}
					if got := x.Gather(); tt.x != nil && !closeTo(got, tt.x, 1e-14) {
						t.Errorf("%s: x = %v, want %v", what, got, tt.x)
					}
					if len(res.Residuals) != res.Iterations+1 {
						t.Errorf("%s: residuals %v", what, res.Residuals)
					}
					checkFailure(t, what, err, res)
					if tt.reason == linalg.Minimal && !closeTo([]float64{res.Residual}, []float64{1}, 1e-14) {
						t.Errorf("%s: %+v", what, res)
					}
				}
			}
		}
	})
}

// checkFailure reports an error that does not go with the result.
func checkFailure(t testing.TB, what string, err error, res linalg.Result) {
	t.Helper()
	var failed *linalg.NotConvergedError
	if (err == nil) != (res.Reason == linalg.Converged) || err != nil && !errors.As(err, &failed) {
		t.Errorf("%s: error %v", what, err)
	}
	if err != nil && (!strings.Contains(err.Error(), res.Reason.String()) || !strings.Contains(err.Error(), res.Detail)) {
		t.Errorf("%s: error %v", what, err)
	}
}

// closeTo reports whether the vectors agree up to a part of the largest element.
func closeTo(got, want []float64, tolerance float64) bool {
	size := 0.0
	for _, v := range want {
		size = max(size, math.Abs(v))
	}
	return slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) <= tolerance*size })
}

func TestKrylovOperator(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		const n = 20
		for _, l := range testLayouts(c, nd.Shape{n}) {
			for _, name := range squareNames {
				last := 0
				b := nd.FromLayout(c, l, func([]int) float64 { return 1 })
				x, res, err := squareSolvers[float64]()[name](tridiagonal{n}, b, linalg.Rtol(1e-12),
					linalg.Callback(func(step int, x *nd.NDArray[float64], residual float64) {
						if step != last+1 || !x.Layout().Equal(l) || !(residual >= 0) {
							t.Errorf("%s: step %d after %d, iterate %v, residual %v", name, step, last, x.Layout(), residual)
						}
						last = step
					}))
				if err != nil || last != res.Iterations || !x.Layout().Equal(l) {
					t.Errorf("%s, %v: %+v, error %v", name, l, res, err)
				}
				for i, got := range x.Gather() {
					if want := float64((i+1)*(n-i)) / 2; math.Abs(got-want) > 1e-9 {
						t.Errorf("%s, %v: x[%d] = %v, want %v", name, l, i, got, want)
					}
				}
			}
		}
	})
}

// TestKrylovIllConditioned: a diagonal from 1e-4 to 1e4, which its inverse makes easy.
func TestKrylovIllConditioned(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		const n = 17
		d := nd.FromFunc(c, nd.Shape{n}, 0, func(i []int) float64 { return math.Pow(10, float64(i[0]-8)/2) })
		a := nd.FromFunc(c, nd.Shape{n, n}, 0, func(i []int) float64 {
			v := 0.1 / float64(1+abs(i[0]-i[1]))
			if i[0] == i[1] {
				v = 1
			}
			return v * math.Pow(10, float64(i[0]+i[1]-16)/4)
		})
		b := nd.EmptyLike(d)
		linalg.MatMulInto(b, a, nd.OnesLike(d))
		M, err := linalg.Jacobi(d)
		if err != nil {
			t.Error(err)
		}
		for _, name := range squareNames {
			x, res, err := squareSolvers[float64]()[name](linalg.AsOperator(a), b, linalg.Rtol(1e-12), linalg.Precondition(M))
			if err != nil || res.Iterations > 2*n {
				t.Errorf("%s: %+v, error %v", name, res, err)
			}
			if r := residualNorm(a, x, b); r > 1e-10*linalg.Norm(b) {
				t.Errorf("%s: residual %v", name, r)
			}
		}
	})
}

func TestKrylovMisuse(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		square := linalg.AsOperator(nd.Zeros[float64](c, nd.Shape{3, 3}, 0))
		wide := linalg.AsOperator(nd.Zeros[float64](c, nd.Shape{2, 3}, 0))
		b := nd.Ones[float64](c, nd.Shape{3}, 0)
		other := linalg.Precondition(linalg.AsOperator(nd.Zeros[float32](c, nd.Shape{3, 3}, 0)))
		for _, k := range []struct {
			want string
			f    func()
		}{
			{"linalg.GMRES at", func() { linalg.GMRES(wide, b) }},
			{"linalg.BiCGSTAB at", func() { linalg.BiCGSTAB(square, nd.Ones[float64](c, nd.Shape{4}, 0)) }},
			{"preconditioner of 2 × 3", func() { linalg.MINRES(square, b, linalg.Precondition(wide)) }},
			{"float32", func() { linalg.PipelinedCG(square, b, other) }},
			{"linalg.CGLS at", func() { linalg.CGLS(wide, b) }},
			{"damping by -1", func() { linalg.LSQR(square, b, linalg.Damp(-1)) }},
			{"(4,)", func() { linalg.LSQR(square, b, linalg.Start(nd.Ones[float64](c, nd.Shape{4}, 0))) }},
			{"linalg.Lanczos at", func() { linalg.Lanczos(wide, b, 2) }},
			{"-1 vectors", func() { linalg.Lanczos(square, b, -1) }},
			{"linalg.PowerIteration at", func() { linalg.PowerIteration(wide, b) }},
			{"linalg.Jacobi at", func() { linalg.Jacobi(nd.Zeros[float64](c, nd.Shape{2, 3}, 0)) }},
			{"linalg.BlockJacobi at", func() { linalg.BlockJacobi(b, 1) }},
		} {
			if err := nd.Try(k.f); err == nil || !strings.Contains(err.Error(), k.want) {
				t.Errorf("error %v does not say %q", err, k.want)
			}
		}
	})
}

// overlapped is an operator that looks whether a reduction is under way.
type overlapped struct {
	tridiagonal
	c           *spmd.Comm
	before      spmd.Stats // of other tests on the same ranks
	inside, all *int
}

func (o overlapped) Apply(dst, x *nd.NDArray[float64]) {
	s := o.c.Stats().Sub(o.before)
	if s["iallreduce"].Calls > s["wait"].Calls {
		*o.inside++
	}
	*o.all++
	o.tridiagonal.Apply(dst, x)
}

// TestPipelinedCGOverlap: the product is applied while the scalars are added up.
func TestPipelinedCGOverlap(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		if c.Size() == 1 {
			return
		}
		const n = 40
		before := c.Stats()
		A := overlapped{tridiagonal{n}, c, before, new(int), new(int)}
		b := nd.Ones[float64](c, nd.Shape{n}, 0)
		_, res, err := linalg.PipelinedCG(A, b, linalg.Rtol(1e-10))
		got := c.Stats().Sub(before)
		if err != nil || *A.inside < res.Iterations || *A.all-*A.inside > 4 || got["allreduce"].Calls > 4 {
			t.Errorf("%d of %d products during a reduction, %+v, error %v\n%v", *A.inside, *A.all, res, err, got)
		}
	})
}

// TestPipelinedCGAccuracy: the recurrences drift, the solution does not.
func TestPipelinedCGAccuracy(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		const n = 50
		d := nd.FromFunc(c, nd.Shape{n}, 0, func(i []int) float64 { return math.Pow(10, 6*float64(i[0])/(n-1)) })
		a := nd.FromFunc(c, nd.Shape{n, n}, 0, func(i []int) float64 {
			if i[0] == i[1] {
				return math.Pow(10, 6*float64(i[0])/(n-1))
			}
			return 0
		})
		x, res, err := linalg.PipelinedCG(linalg.AsOperator(a), d, linalg.Rtol(1e-11), linalg.MaxIter(2000))
		if r := residualNorm(a, x, d); err != nil || r > 1.1e-11*linalg.Norm(d) || len(res.Residuals) != res.Iterations+1 {
			t.Errorf("residual %v of %v, %d steps, error %v", r, res.Target, res.Iterations, err)
		}
	})
}
