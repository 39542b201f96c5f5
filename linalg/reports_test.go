package linalg_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// TestReportHeat871SameSplitProducts: one row or column on each rank.
func TestReportHeat871SameSplitProducts(t *testing.T) {
	rows := []float64{5, -3, 2, -3, 2, -1, -3, 2, -2}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, axis := range []split.Axis{0, 1} {
			a := nd.FromSlice(c, rows, nd.Shape{3, 3}, axis)
			unit := nd.FromFunc(c, nd.Shape{3, 3}, axis, func(i []int) float64 { return float64(btoi(i[0] == i[1])) })
			p := linalg.MatMul(a, unit)
			checkArray(t, "A·1", p, func(i []int) float64 { return rows[3*i[0]+i[1]] })
			// Numbers drawn by rank differ from those of one process.
			checkArray(t, "1·A", linalg.MatMul(unit, a), func(i []int) float64 { return rows[3*i[0]+i[1]] })
		}
	})
}

// TestReportHeat360PartialProducts: of columns times rows each rank keeps its rows
// of the result, and sends no more than the others' parts of it.
func TestReportHeat360PartialProducts(t *testing.T) {
	const m, k, n = 24, 10, 7
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a, b := nd.Ones[float64](c, nd.Shape{m, k}, 1), nd.Ones[float64](c, nd.Shape{k, n}, 0)
		before := c.Stats()
		p := linalg.MatMul(a, b)
		got := c.Stats().Sub(before)
		if want := int64(8 * m * n); c.Size() > 1 && (p.Split() != 0 || !p.Layout().Balanced() || got.Total().Bytes > want) {
			t.Errorf("the product is %v after %v", p.Layout(), got)
		}
		checkArray(t, "product", p, func([]int) float64 { return k })
	})
}

// TestReportHeat1112ExtentsOf32Bits: a BLAS behind cgo counts in 32 bits, and what
// it cannot count is said so.
func TestReportHeat1112ExtentsOf32Bits(t *testing.T) {
	defer linalg.SetForeignLimit(7)()
	spmdtest.Run(t, 1, func(c *spmd.Comm) {
		a := nd.Ones[float64](c, nd.Shape{9, 3}, 0)
		for _, tt := range []struct {
			name string
			f    func()
		}{
			{"product", func() { linalg.MatMul(a, a.T()) }},
			{"vector", func() { linalg.MatMul(a, nd.Ones[float64](c, nd.Shape{3}, split.None)) }},
			{"QR", func() { linalg.QR(a, linalg.Complete) }},
			{"SVD", func() { linalg.SVD(nd.Ones[float64](c, nd.Shape{9, 8}, 0)) }},
			{"EigH", func() { linalg.EigH(nd.Ones[float64](c, nd.Shape{9, 9}, 0)) }},
			{"LU", func() { linalg.LU(nd.Ones[float64](c, nd.Shape{99, 99}, 0)) }},
		} {
			err := nd.Try(tt.f)
			if complexAllocates != (err != nil) || err != nil && !strings.Contains(err.Error(), "32 bits") { // that is the build with such a BLAS
				t.Errorf("%s: %v", tt.name, err)
			}
		}
	})
}

// TestReportPylops172NormsOfAStack: the norm of parts of ten elements and of one.
func TestReportPylops172NormsOfAStack(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, axis := range []split.Axis{split.None, 0} {
			x := nd.FromFunc(c, nd.Shape{10}, axis, func(i []int) float64 { return float64(i[0]) })
			y := nd.Full(c, nd.Shape{1}, -4.0, axis)
			both := linalg.Norm(vector(c, split.None, linalg.Norm(x), linalg.Norm(y)))
			if want := math.Sqrt(285 + 16); math.Abs(both-want) > 1e-14*want {
				t.Errorf("split %v: %v, want %v", axis, both, want)
			}
			if n := linalg.Norm(nd.Full(c, nd.Shape{}, -4.0, split.None)); n != 4 {
				t.Errorf("norm of an array without axes: %v", n)
			}
		}
	})
}

// TestReportOGS1786MaximumNorm: the largest magnitude of all ranks.
func TestReportOGS1786MaximumNorm(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, l := range testLayouts(c, nd.Shape{3}) {
			x := nd.FromLayout(c, l, func(i []int) float64 { return []float64{1, -7, 3}[i[0]] })
			if n := linalg.Norm(x, linalg.Ord(math.Inf(1))); n != 7 {
				t.Errorf("%v: %v", l, n)
			}
		}
	})
}

// TestReportPylops177NormsOfRows is R1 and R2: along the split axis, and of a
// replicated array.
func TestReportPylops177NormsOfRows(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		want := []float64{math.Sqrt(5), math.Sqrt(50)}
		for _, l := range testLayouts(c, nd.Shape{2, 3}) {
			x := nd.FromLayout(c, l, func(i []int) float64 { return float64(3*i[0] + i[1]) })
			n := linalg.NormOver(x, -1)
			checkArray(t, "norm", nd.Abs(nd.Sub(n, nd.FromSlice(c, want, nd.Shape{2}, split.None).MoveTo(n.Layout()))), func([]int) float64 { return 0 })
		}
	})
}

// TestReportNormOfFractionalOrder is R3.
func TestReportNormOfFractionalOrder(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, axis := range []split.Axis{split.None, 0} {
			n := linalg.Norm(vector(c, axis, 1.0, -2, -3, 4), linalg.Ord(1.5))
			if math.Abs(n-6.617860323274746) > 1e-14 {
				t.Errorf("split %v: %v", axis, n)
			}
		}
	})
}

// TestReportDotOfUnbalancedVectors is probe P21.
func TestReportDotOfUnbalancedVectors(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		x := nd.FromFunc(c, nd.Shape{9}, 0, func(i []int) float64 { return float64(i[0]) })
		b := x.Slice(nd.Range(4, 9, 1))
		if d, m := linalg.Dot(b, b), linalg.MatMul(b, b).Item(); d != 190 || m != 190 {
			t.Errorf("%v, %v, want 190", d, m)
		}
		if d := linalg.Dot(b, b.Resplit(split.None)); d != 190 {
			t.Errorf("with a replicated one: %v, want 190", d)
		}
	})
}

// TestReportSolversStartedAtTheSolution is probe P43 and its siblings.
func TestReportSolversStartedAtTheSolution(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, axis := range []split.Axis{split.None, 0, 1} {
			unit := linalg.AsOperator(nd.FromFunc(c, nd.Shape{3, 3}, axis, func(i []int) float64 { return float64(btoi(i[0] == i[1])) }))
			for _, value := range []float64{0, 2} {
				b := nd.Full(c, nd.Shape{3}, value, 0)
				for _, name := range squareNames {
					x, res, err := squareSolvers[float64]()[name](unit, b, linalg.Start(b))
					if err != nil || res.Iterations > 0 {
						t.Errorf("%s, A split %v, b = %v: %v after %d steps", name, axis, value, err, res.Iterations)
					}
					checkArray(t, name, x, func([]int) float64 { return value })
				}
			}
		}
	})
}

// TestReportPylops222StartOfCG: without a start the first residual is b.
func TestReportPylops222StartOfCG(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.FromSlice(c, []float64{4, 1, 1, 3}, nd.Shape{2, 2}, 0)
		_, res, err := linalg.CG(linalg.AsOperator(a), vector(c, 0, 1.0, 2), linalg.Rtol(1e-12))
		if err != nil || math.Abs(res.Residuals[0]-math.Sqrt(5)) > 1e-15*4 {
			t.Errorf("residuals %v, %v", res.Residuals, err)
		}
	})
}

// TestReportPylops291ResultsStay: a product does not change what an earlier one gave.
func TestReportPylops291ResultsStay(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.FromSlice(c, []float64{4, 1, 1, 3}, nd.Shape{2, 2}, 0)
		f := linalg.LU(a)
		y1, err1 := f.Solve(vector(c, 0, 5.0, 4))
		first := y1.Gather()
		y2, err2 := f.Solve(vector(c, 0, 9.0, 5))
		if err1 != nil || err2 != nil {
			t.Error(err1, err2)
			return
		}
		for i, got := range [][]float64{first, y1.Gather(), y2.Gather()} {
			want := []float64{[]float64{1, 1, 2}[i], 1}
			if math.Abs(got[0]-want[0]) > 1e-14 || math.Abs(got[1]-want[1]) > 1e-14 {
				t.Errorf("solution %d is %v, want %v", i, got, want)
			}
		}
	})
}

// TestReportHeatInverseOfSplit: Heat's inverse and determinant of split matrices are row
// by row, lose small pivots, and give no error for a singular matrix.
func TestReportHeatInverseOfSplit(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, l := range testLayouts(c, nd.Shape{3, 3}) {
			d := []float64{1e-9, 1, 1e9}
			x, err := linalg.Inv(nd.FromLayout(c, l, func(i []int) float64 { return d[i[0]] * float64(btoi(i[0] == i[1])) }))
			if err != nil {
				t.Errorf("%v: %v", l, err)
				continue
			}
			checkArray(t, "inverse", x, func(i []int) float64 { return 1 / d[i[0]] * float64(btoi(i[0] == i[1])) })
			var singular *linalg.SingularError
			if _, err := linalg.Inv(nd.FromLayout(c, l, func(i []int) float64 { return float64(i[0]) })); !errors.As(err, &singular) {
				t.Errorf("%v: inverse of a singular matrix: %v", l, err)
			}
		}
	})
}
