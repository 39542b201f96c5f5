package nd_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// TestScanInto writes scans to destinations of every layout, strided ones, and the
// operand itself.
func TestScanInto(t *testing.T) {
	shape := nd.Shape{5, 12}
	value := func(i []int) float64 { return float64((7*i[0]+5*i[1])%11-4) / 4 }
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		layouts := testLayouts(c, shape)
		for _, op := range []struct {
			name string
			to   func(a *nd.NDArray[float64], axis ...int) *nd.NDArray[float64]
			into func(dst, a *nd.NDArray[float64], axis ...int)
		}{
			{"cumsum", nd.CumSum[float64], nd.CumSumInto[float64]},
			{"cumprod", nd.CumProd[float64], nd.CumProdInto[float64]},
			{"cummax", nd.CumMax[float64], nd.CumMaxInto[float64]},
			{"cummin", nd.CumMin[float64], nd.CumMinInto[float64]},
			{"nancumsum", nd.NanCumSum[float64], nd.NanCumSumInto[float64]},
			{"nancumprod", nd.NanCumProd[float64], nd.NanCumProdInto[float64]},
			{"cumsumas", nd.CumSumAs[float64, float64], nd.CumSumAsInto[float64, float64]},
			{"cumprodas", nd.CumProdAs[float64, float64], nd.CumProdAsInto[float64, float64]},
			{"diff", func(a *nd.NDArray[float64], axis ...int) *nd.NDArray[float64] {
				if len(axis) == 0 {
					return nd.Diff(nd.Ravel(a), 0, 0)
				}
				return nd.Diff(a, 1, axis[0], nd.WithAppendScalar(2.0))
			}, func(dst, a *nd.NDArray[float64], axis ...int) {
				if len(axis) == 0 {
					nd.DiffInto(dst, nd.Ravel(a), 0, 0)
					return
				}
				nd.DiffInto(dst, a, 1, axis[0], nd.WithAppendScalar(2.0))
			}},
			{"gradient", func(a *nd.NDArray[float64], axis ...int) *nd.NDArray[float64] {
				if len(axis) == 0 {
					return nd.Gradient(nd.Ravel(a), 0)
				}
				return nd.Gradient(a, axis[0])
			}, func(dst, a *nd.NDArray[float64], axis ...int) {
				if len(axis) == 0 {
					nd.GradientInto(dst, nd.Ravel(a), 0)
					return
				}
				nd.GradientInto(dst, a, axis[0])
			}},
		} {
			for _, axes := range [][]int{{0}, {-1}, {}} {
				want := op.to(nd.FromFunc(c, shape, split.None, value), axes...)
				for i, from := range layouts {
					for j, to := range testLayouts(c, want.Shape()) {
						if c.Size() > 1 && (i+j)%3 != 0 {
							continue
						}
						what := fmt.Sprintf("%s along %v of %v into %v", op.name, axes, from, to)
						a := nd.FromLayout(c, from, value)
						dst := nd.Wrap(c, to, make([]float64, to.LocalSize(c.Rank())))
						op.into(dst, a, axes...)
						wantClose(t, what, dst, want)
						if len(axes) > 0 { // columns first, and every second element
							big := nd.Zeros[float64](c, nd.Shape{2 * shape[1], 2 * shape[0]}, 0)
							view := big.Slice(nd.Range(nd.Open, nd.Open, 2), nd.Range(nd.Open, nd.Open, 2)).T()
							op.into(view, a, axes...)
							wantClose(t, what+" strided", view, want)
						}
					}
					if a := nd.FromLayout(c, from, value); len(axes) > 0 {
						op.into(a, a, axes...)
						wantClose(t, op.name+" in place", a, want)
					}
				}
			}
		}
	})
}

func wantClose(t testing.TB, what string, a, want *nd.NDArray[float64]) {
	t.Helper()
	got, w := a.Gather(), want.Gather()
	for i := range w {
		if !closeFloat(got[i], w[i], 1e-12*(1+math.Abs(w[i]))) {
			t.Fatalf("%s: element %d is %v, want %v\n%v\n%v", what, i, got[i], w[i], got, w)
		}
	}
}

// TestScanIntoAllocatesNothing runs scans into arrays that exist.
func TestScanIntoAllocatesNothing(t *testing.T) {
	spmdtest.Run(t, 1, func(c *spmd.Comm) {
		a, long := nd.Ones[float64](c, nd.Shape{700, 20}, 0), nd.Ones[float64](c, nd.Shape{3000}, 0)
		single := nd.Ones[float32](c, nd.Shape{700, 20}, 0)
		dst, wide := nd.ZerosLike(a), nd.Zeros[float64](c, nd.Shape{700, 20}, 0)
		for what, f := range map[string]func(){ // nothing here communicates
			"rows":      func() { nd.CumSumInto(dst, a, 0) },
			"lanes":     func() { nd.CumSumInto(dst, a, 1) },
			"strided":   func() { nd.CumProdInto(dst.T(), dst.T(), 0) },
			"in place":  func() { nd.CumMaxInto(a, a, 0) },
			"flattened": func() { nd.CumMinInto(long, long) },
			"nan":       func() { nd.NanCumSumInto(dst, a, 1) },
			"wider":     func() { nd.CumSumAsInto(wide, single, 0) },
		} {
			n := allocations(f)
			if what == "strided" { // the two transposes
				n -= allocations(func() { dst.T(); dst.T() })
			}
			if n > 0 {
				t.Errorf("%s: %v allocations", what, n)
			}
		}
	})
}

// TestScanOnWorkers cuts lanes among the workers of a rank.
func TestScanOnWorkers(t *testing.T) {
	spmdtest.Embedded(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	for _, ranks := range []int{1, 2} {
		spmdtest.Run(t, ranks, func(c *spmd.Comm) {
			for _, shape := range []nd.Shape{{140000}, {3, 45000}, {100, 2, 700}} {
				x := make([]int64, shape.Size())
				for i := range x {
					x[i] = int64(i*7919%1009) - 400
				}
				for axis := range shape {
					want, top := serialScan(x, shape, axis)
					for s := split.None; s < min(2, nd.Axis(len(shape))); s++ {
						a := nd.FromSlice(c, x, shape, s)
						got := nd.CumSum(a, axis).Gather()
						most := nd.CumMax(a, axis).Gather()
						real := nd.CumSum(nd.AsType[float64](a), axis).Gather()
						if !slices.Equal(got, want) || !slices.Equal(most, top) {
							t.Fatalf("scan of %v along %d", a.Layout(), axis)
						}
						for i, v := range want {
							if real[i] != float64(v) {
								t.Fatalf("scan of %v along %d: element %d is %v, want %v", a.Layout(), axis, i, real[i], v)
							}
						}
						d := nd.CumSum(nd.Diff(a, 1, axis, nd.WithPrependScalar[int64](0)), axis)
						if !slices.Equal(d.Gather(), x) {
							t.Fatalf("sums of differences of %v along %d", a.Layout(), axis)
						}
					}
				}
			}
		})
	}
}

func serialScan(x []int64, shape nd.Shape, axis int) (sums, tops []int64) {
	sums, tops = slices.Clone(x), slices.Clone(x)
	step := shape[axis+1:].Size()
	for i := range x {
		if i/step%shape[axis] > 0 {
			sums[i] += sums[i-step]
			tops[i] = max(tops[i], tops[i-step])
		}
	}
	return sums, tops
}

// TestCumSumIsAccurate compares with exact prefix sums: the error stays at a few
// roundings however many elements there are, where a running sum's grows.
func TestCumSumIsAccurate(t *testing.T) {
	const n = 200000
	r := rand.New(rand.NewPCG(1, 2))
	x, exact := make([]float64, n), make([]float64, n)
	sum, naive, worst := new(big.Float).SetPrec(300), 0.0, 0.0
	for i := range x {
		x[i] = r.Float64()
		exact[i], _ = sum.Add(sum, new(big.Float).SetFloat64(x[i])).Float64()
		naive += x[i]
		worst = max(worst, math.Abs(naive-exact[i])/exact[i])
	}
	if worst < 20*0x1p-53 {
		t.Fatalf("a running sum is right to %g: nothing to see", worst)
	}
	// 1e16 + 1 - 1e16 and the like: what a running sum loses altogether.
	hard := []float64{1e16, 1, 1, -1e16, 1, 0.5}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.FromSlice(c, x, nd.Shape{n}, 0)
		got := nd.CumSum(a).Gather()
		limit := 0x1p-53 * float64(c.Size()+1)
		for i, v := range got {
			if math.Abs(v-exact[i]) > limit*exact[i] {
				t.Fatalf("sum of %d elements is off by %g", i+1, (v-exact[i])/exact[i])
			}
			if i > 0 && v < got[i-1] {
				t.Fatalf("sum of %d elements is less than that of %d", i+1, i)
			}
		}
		rows := nd.CumSum(a.Reshape(n/16, 16), 0).Gather()
		for j := range 16 {
			s := 0.0
			for i := range 100 {
				s += x[16*i+j]
			}
			if math.Abs(rows[16*99+j]-s) > 1e-14*s {
				t.Errorf("column %d: %v, want %v", j, rows[16*99+j], s)
			}
		}
		h := nd.CumSum(nd.FromSlice(c, hard, nd.Shape{6}, split.None))
		checkValues(t, h, []float64{1e16, 1e16, 1e16 + 2, 2, 3, 3.5})
		single := nd.CumSum(nd.Full[float32](c, nd.Shape{300000}, 0.1, 0))
		if v := single.At(-1); math.Abs(float64(v)-300000*float64(float32(0.1))) > 0.01 {
			t.Errorf("sum of 300000 float32 of 0.1 is %v", v)
		}
	})
}

func TestScanMisuse(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a, v := nd.Zeros[float64](c, nd.Shape{4, 3}, 1), nd.Zeros[float64](c, nd.Shape{5}, 0)
		for _, m := range []struct {
			do   func()
			text string
		}{
			{func() { nd.CumSum(a, 2) }, "axis 2 is out of range for 2 axes"},
			{func() { nd.CumMax(a, 0, 1) }, "2 axes given, one expected"},
			{func() { nd.CumSumInto(a, a) }, "the flattened array has shape (12,), the destination (4, 3)"},
			{func() { nd.CumSumInto(v, v.Reshape(5, 1), 0) }, "the result has shape (5, 1), the destination (5,)"},
			{func() { nd.CumulativeSumInto(v, v, 0, nd.IncludeInitial) }, "the result has shape (6,), the destination (5,)"},
			{func() { nd.Diff(a, -1, 0) }, "differences of order -1"},
			{func() { nd.Diff(a, 1, 0, nd.WithPrepend(v)) }, "(5,) cannot be put before or after (4, 3) along axis 0"},
			{func() { nd.DiffInto(v, v, 1, 0, nd.WithPrepend(v)) }, "the result has shape (9,), the destination (5,)"},
			{func() { nd.Gradient(a, 0, nd.EdgeOrder(3)) }, "edges of order 3"},
			{func() { nd.Gradient(a.Slice(nd.To(1)), 0) }, "axis 0 of shape (1, 3) has too few indices for edges of order 1"},
			{func() { nd.Gradient(a, 0, nd.Coordinates([]float64{1, 2})) }, "2 coordinates for axis 0 of shape (4, 3)"},
			{func() { nd.Gradients(a, nd.GridSpacing(1, 2, 3)) }, "3 distances or coordinates for 2 axes"},
			{func() { nd.TrapezoidAt(a, v, 0) }, "coordinates of shape (5,) for axis 0 of shape (4, 3)"},
			{func() { nd.Trapezoid(a, 1, -3) }, "axis -3 is out of range for 2 axes"},
			{func() { nd.Interp(v, a, v) }, "points of shapes (4, 3) and (5,)"},
			{func() { nd.Interp(v, v, v, nd.InterpPeriod(0.0)) }, "a period of 0"},
		} {
			stats := c.Stats()
			err := nd.Try(m.do)
			if err == nil || !strings.HasSuffix(err.Error(), ": "+m.text) {
				t.Errorf("%v, want %q", err, m.text)
			}
			if n := c.Stats().Sub(stats).Total().Calls; n > 0 {
				t.Errorf("%q after %d calls", m.text, n)
			}
		}
	})
}

// TestDiffAcrossEmptyRanks takes differences whose neighbours lie several ranks away.
func TestDiffAcrossEmptyRanks(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, shape := range []nd.Shape{{10, 3}, {3, 10}, {2, 10, 2}, {10}} {
			axis := slices.Index(shape, 10)
			for _, l := range testLayouts(c, shape) {
				for n := range 12 {
					a := nd.FromLayout(c, l, func(i []int) int64 { return int64(i[axis]*i[axis]*i[axis] + flat(shape, i)) })
					whole := nd.Diff(a.Resplit(split.None), n, axis)
					d := nd.Diff(a, n, axis)
					if d.Split() != a.Split() {
						t.Fatalf("difference %d of %v has %v", n, l, d.Layout())
					}
					checkValues(t, d, whole.Local())
				}
			}
		}
	})
}
