package linalg_test

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

func TestSolve(t *testing.T) {
	narrowBlocks(t)
	t.Run("float64", testSolve[float64])
	t.Run("float32", testSolve[float32])
	t.Run("complex128", testSolve[complex128])
	t.Run("complex64", testSolve[complex64])
}

func testSolve[T nd.Inexact](t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, n := range []int{0, 1, 2, 14} {
			for k, l := range testLayouts(c, nd.Shape{n, n}) {
				a := elements(c, l, k%2 == 0, general[T])
				A, f := whole(a), linalg.LU(a)
				for s, shape := range []nd.Shape{{n}, {n, 1}, {n, 5}, {n, 0}} {
					layouts := testLayouts(c, shape)
					for m, lb := range layouts {
						if (m+k+s)%3 > 0 {
							continue // takes too long
						}
						checkSolve(t, f, A, l, elements(c, lb, m%2 == 0, general[T]))
					}
				}
				b := elements(c, testLayouts(c, nd.Shape{n})[0], false, general[T])
				x, err := linalg.Solve(a, b)
				if err != nil || A.times(whole(x)).apart(whole(b)) > limitFor[T](whole(x), n) {
					t.Errorf("%v: Solve is off, error %v", l, err)
				}
				inv, err := linalg.Inv(a)
				unit := tabulate(n, n, func(i, j int) complex128 { return complex(float64(btoi(i == j)), 0) })
				if err != nil || !inv.Layout().Equal(l) || !inv.IsContiguous() {
					t.Errorf("%v: inverse %v, error %v", l, inv.Layout(), err)
				} else if d := A.times(whole(inv)).apart(unit); !(d <= limitFor[T](whole(inv), n)) {
					t.Errorf("%v: A·A⁻¹ is off by %v", l, d)
				}
				if whole(a).apart(A) > 0 || !a.Layout().Equal(l) {
					t.Errorf("%v: operand changed", l)
				}
			}
		}
	})
}

// limitFor returns how far A·X may be from B for an n × n A of elements around 1.
func limitFor[T nd.Inexact](x matrix128, n int) float64 {
	return roundoff[T]() * float64(10+10*n) * math.Max(1, x.largest())
}

// checkSolve solves with A, which has the factors f, and its adjoint.
func checkSolve[T nd.Inexact](t testing.TB, f *linalg.LUFactors[T], A matrix128, l *split.Layout, b *nd.NDArray[T]) {
	c, lb, n := b.Comm(), b.Layout(), A.rows
	what := fmt.Sprintf("%v, b %v", l, lb)
	B := whole(b)
	for _, adjoint := range []bool{false, true} {
		want, op := map[string]int64{}, "reduce"
		if adjoint {
			op = "bcast"
		}
		switch {
		case c.Size() == 1:
		case !l.Replicated():
			countMoves(want, lb)
			want[op] = 2 * max(0, blocksOf(n)-1)
		case lb.Axis() == 0 && len(lb.Shape()) == 1:
			want["allgatherv"] = 1
		case lb.Axis() == 0:
			want["alltoallv"] = 2
			if lb.Equal(split.Block(lb.Shape(), 1, c.Size())) {
				want["alltoallv"] = 0
			}
		}
		var x *nd.NDArray[T]
		var err error
		got := calls(c, func() {
			if adjoint {
				x, err = f.SolveAdjoint(b)
			} else {
				x, err = f.Solve(b)
			}
		})
		if err != nil || !maps.Equal(got, nonzero(want)) {
			t.Errorf("%s: communicates %v, want %v, error %v", what, got, want, err)
		}
		M := A
		if adjoint {
			M = A.h()
		}
		X := whole(x)
		if d := M.times(X).apart(B); !(d <= limitFor[T](X, n)) || !x.Layout().Equal(lb) {
			t.Errorf("%s, adjoint %v: A·x is off by %v, layout %v", what, adjoint, d, x.Layout())
		}
	}
	if whole(b).apart(B) > 0 || !b.Layout().Equal(lb) {
		t.Errorf("%s: right-hand side changed", what)
	}
}

func TestSolveTriangular(t *testing.T) {
	narrowBlocks(t)
	t.Run("float64", testSolveTriangular[float64])
	t.Run("float32", testSolveTriangular[float32])
	t.Run("complex128", testSolveTriangular[complex128])
	t.Run("complex64", testSolveTriangular[complex64])
}

func testSolveTriangular[T nd.Inexact](t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		count := 0
		for _, n := range []int{0, 1, 13} {
			for k, l := range testLayouts(c, nd.Shape{n, n}) {
				for opts := range linalg.TriangularOption(12) { // of 12 on, both transposed and adjoint
					if c.Size() > 2 && (int(opts)+k)%2 > 0 {
						continue // takes too long
					}
					shape := nd.Shape{n, 3}
					if count%3 == 0 {
						shape = nd.Shape{n}
					}
					layouts := testLayouts(c, shape)
					checkTriangular[T](t, c, l, layouts[count%len(layouts)], opts, count)
					count++
				}
			}
		}
	})
}

func checkTriangular[T nd.Inexact](t testing.TB, c *spmd.Comm, la, lb *split.Layout, opts linalg.TriangularOption, count int) {
	n := la.Shape()[0]
	lower, unit := opts&linalg.LowerTriangle != 0, opts&linalg.UnitDiagonal != 0
	a := elements(c, la, count%2 == 0, func(i, j int) T {
		switch {
		case i == j && unit, lower && j > i, !lower && j < i: // not read
			return number[T](math.NaN(), 0)
		case i == j:
			return general[T](i, j) + number[T](2, 0)
		}
		return general[T](i, j) / number[T](4, 0)
	})
	b := elements(c, lb, count%3 == 0, general[T])
	A := whole(a)
	A = tabulate(n, n, func(i, j int) complex128 {
		switch {
		case i == j && unit:
			return 1
		case lower && j > i, !lower && j < i:
			return 0
		}
		return A.at(i, j)
	})
	want, op := map[string]int64{}, "reduce"
	if opts&linalg.TransposedSolve != 0 {
		A, op = A.t(), "bcast"
	} else if opts&linalg.AdjointSolve != 0 {
		A, op = A.h(), "bcast"
	}
	what := fmt.Sprintf("%v, b %v, options %b", la, lb, opts)
	var x *nd.NDArray[T]
	var err error
	got := calls(c, func() { x, err = linalg.SolveTriangular(a, b, opts) })
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	if c.Size() > 1 && !la.Replicated() {
		countMoves(want, lb)
		want["alltoallv"]++
		want[op] = max(0, blocksOf(n)-1)
		want["allreduce"] = int64(btoi(!unit))
		if !maps.Equal(got, nonzero(want)) {
			t.Errorf("%s: communicates %v, want %v", what, got, want)
		}
	}
	X := whole(x)
	if d := A.times(X).apart(whole(b)); !(d <= limitFor[T](X, n)) || !x.Layout().Equal(lb) {
		t.Errorf("%s: A·x is off by %v, layout %v", what, d, x.Layout())
	}
}

func TestSolveTriangularSingular(t *testing.T) {
	narrowBlocks(t)
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, l := range testLayouts(c, nd.Shape{9, 9}) {
			a := elements(c, l, false, func(i, j int) float64 { return float64(btoi(i == j && i != 4 && i != 7)) })
			b := elements(c, split.Block(nd.Shape{9}, 0, c.Size()), false, general[float64])
			_, err := linalg.SolveTriangular(a, b)
			var e *linalg.SingularError
			if !errors.As(err, &e) || e.Column != 4 {
				t.Errorf("%v: %v", l, err)
			}
		}
	})
}

// TestSolveIllConditioned: the residual stays small though the solution is not
// determined well, or its elements and those of the matrix differ by 1e18.
func TestSolveIllConditioned(t *testing.T) {
	narrowBlocks(t)
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		const n = 10
		for axis := split.None; axis < 2; axis++ {
			l := split.Block(nd.Shape{n, n}, axis, c.Size())
			b := elements(c, split.Block(nd.Shape{n}, split.Axis(min(axis, 0)), c.Size()), false, func(i, _ int) float64 { return 1 })
			hilbert := elements(c, l, false, func(i, j int) float64 { return 1 / float64(1+i+j) })
			x, err := linalg.Solve(hilbert, b)
			if err != nil {
				t.Error(err)
				continue
			}
			X := whole(x)
			if d := whole(hilbert).times(X).apart(whole(b)); d > 1e-15*X.largest() {
				t.Errorf("Hilbert, split %v: A·x is off by %v", axis, d)
			}
			graded := elements(c, l, false, func(i, j int) float64 {
				return math.Pow(10, float64(2*i-9)) * (float64(btoi(i == j)) + general[float64](i, j)/20)
			})
			x, err = linalg.Solve(graded, b)
			if err != nil {
				t.Error(err)
				continue
			}
			// Each equation in proportion to its terms, not to those of the largest.
			A, X := whole(graded), whole(x)
			for i := range n {
				sum, size := complex128(-1), 1.0
				for j := range n {
					v := A.at(i, j) * X.at(j, 0)
					sum, size = sum+v, size+cmplx.Abs(v)
				}
				// Refined, it is off by n+1 roundings, 1.2e-15, and little more.
				if d := cmplx.Abs(sum); d > 4e-15*size {
					t.Errorf("graded, split %v: row %d of A·x is off by %v of %v", axis, i, d, size)
				}
			}
		}
	})
}

// TestSolveRefined: a vector takes one more product and solution, many columns none.
func TestSolveRefined(t *testing.T) {
	const n = 40
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for axis := split.None; axis < 2; axis++ {
			a := nd.FromFunc(c, nd.Shape{n, n}, axis, func(i []int) float64 { return smooth[float64](i[0], i[1]) })
			for cols := range 4 {
				shape := nd.Shape{n, cols}
				if cols == 0 {
					shape = nd.Shape{n}
				}
				b := nd.Ones[float64](c, shape, split.Axis(min(axis, 0)))
				x := nd.Ones[float64](c, shape, b.Split())
				want := map[string]int64{}
				add := func(f func()) {
					for op, n := range calls(c, f) {
						want[op] += n
					}
				}
				var f *linalg.LUFactors[float64]
				add(func() { f = linalg.LU(a) })
				add(func() { f.Solve(b) })
				if cols <= 2 { // n/16
					add(func() { linalg.MatMulInto(x, a, b) })
					add(func() { f.SolveInto(x, x) })
				}
				if got := calls(c, func() { linalg.Solve(a, b) }); !maps.Equal(got, want) {
					t.Errorf("%v, %d columns: communicates %v, want %v", a.Layout(), cols, got, want)
				}
				if got := calls(c, func() { linalg.SolveInto(x, a, b) }); !maps.Equal(got, want) {
					t.Errorf("%v, %d columns into: communicates %v, want %v", a.Layout(), cols, got, want)
				}
			}
		}
	})
}

// TestFactorWideBlocks takes the default blocks, several a rank, against one rank.
func TestFactorWideBlocks(t *testing.T) {
	const n = 200
	r := rand.New(rand.NewPCG(1, 2))
	data := make([]float64, n*n)
	for i := range data {
		data[i] = r.Float64() - 0.5
	}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.FromSlice(c, data, nd.Shape{n, n}, 1)
		b := nd.FromSlice(c, data[:3*n], nd.Shape{n, 3}, 0)
		f := linalg.LU(a)
		x, err := f.Solve(b)
		if err != nil {
			t.Error(err)
			return
		}
		r := linalg.MatMul(a, x)
		nd.Axpy(-1, b, r)
		if d := linalg.Norm(r); d > 1e-12*linalg.Norm(x) {
			t.Errorf("A·x is off by %v", d)
		}
		inv, _ := f.Inv()
		unit := linalg.MatMul(inv, a)
		nd.Axpy(-1, nd.Eye[float64](c, n, n, 0, 1), unit)
		if d := linalg.Norm(unit); d > 1e-12*linalg.Norm(inv) {
			t.Errorf("A⁻¹·A is off by %v", d)
		}
		gram := linalg.MatMul(a.T(), a)
		nd.Axpy(1, nd.Eye[float64](c, n, n, 0, gram.Split()), gram)
		l, err := linalg.Cholesky(gram)
		if err != nil {
			t.Error(err)
			return
		}
		back := linalg.MatMul(l, l.T())
		nd.Axpy(-1, gram, back)
		if d := linalg.Norm(back); d > 1e-14*linalg.Norm(gram) {
			t.Errorf("L·Lᵀ is off by %v", d)
		}
	})
}
