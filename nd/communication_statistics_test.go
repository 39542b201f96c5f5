package nd_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/spmd"
)

// TestCommunicationOfStatistics is the table of what statistics and comparisons
// communicate: calls, and bytes of each rank.
func TestCommunicationOfStatistics(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		const rows, cols = 24, 10
		shape := nd.Shape{rows, cols}
		value := func(i []int) float64 { return math.Sin(float64(flat(shape, i))) }
		a := nd.FromFunc(c, shape, 0, value)
		b := nd.FromFunc(c, shape, 1, value)
		r := nd.FromFunc(c, shape, nd.None, value)
		z := nd.AsType[complex128](a)
		mask, columnMask := nd.GreaterScalar(a, 0.0), nd.GreaterScalar(b, 0.0)
		w, wb := nd.Ones[float64](c, nd.Shape{rows}, 0), nd.Ones[float64](c, nd.Shape{rows}, nd.None)
		fw := nd.Ones[int64](c, nd.Shape{rows}, 0)
		none := spmd.Stats{}
		once := func(op string, bytes int) spmd.Stats { return spmd.Stats{op: {Calls: 1, Bytes: int64(bytes)}} }
		allreduce := func(bytes int) spmd.Stats { return once("allreduce", bytes) }
		cov := func(k, elem int) spmd.Stats {
			return spmd.Stats{"allreduce": {Calls: 2, Bytes: int64(elem * (k + 3 + k*(k+1)/2))}}
		}
		for _, row := range []struct {
			name string
			do   func()
			want spmd.Stats
		}{
			{"ptp", func() { nd.Ptp(a) }, allreduce(16)},
			{"ptp of columns", func() { nd.Ptp(a, nd.Over(0)) }, allreduce(16 * cols)},
			{"ptp of rows", func() { nd.Ptp(a, nd.Over(1)) }, none},
			{"ptp, replicated", func() { nd.Ptp(r) }, none},
			{"skew", func() { nd.Skew[float64](a) }, allreduce(48)},
			{"skew of rows", func() { nd.Skew[float64](a, nd.Over(1)) }, none},
			{"kurtosis of columns", func() { nd.Kurtosis[float64](a, nd.Over(0)) }, allreduce(48 * cols)},
			{"average", func() { nd.Average[float64](a, r) }, allreduce(16)},
			{"average along rows", func() { nd.Average[float64](a, w, nd.Over(0)) }, allreduce(16 * cols)},
			{"average, replicated weights", func() { nd.Average[float64](a, wb, nd.Over(0)) }, allreduce(16 * cols)},
			{"average of rows", func() { nd.Average[float64](a, a, nd.Over(1)) }, none},
			{"average without weights", func() { nd.Average[float64, float64, float64](a, nil) }, allreduce(8)},
			{"nansum", func() { nd.NanSum(a) }, allreduce(16)},
			{"nansum of columns", func() { nd.NanSum(a, nd.Over(0)) }, allreduce(16 * cols)},
			{"nansum of rows", func() { nd.NanSum(a, nd.Over(1)) }, none},
			{"nansum, complex", func() { nd.NanSum(z) }, allreduce(24)},
			{"nansum of integers", func() { nd.NanSum(fw) }, allreduce(8)},
			{"nanprod", func() { nd.NanProd(a) }, allreduce(16)},
			{"nanmin", func() { nd.NanMin(a) }, allreduce(16)},
			{"nanmax of rows", func() { nd.NanMax(a, nd.Over(1)) }, none},
			{"nanptp", func() { nd.NanPtp(a) }, allreduce(24)},
			{"nanmean", func() { nd.NanMean[float64](a) }, allreduce(16)},
			{"nanvar", func() { nd.NanVar[float64](a) }, allreduce(32)},
			{"nanstd of rows", func() { nd.NanStd[float64](a, nd.Over(1)) }, none},
			{"nanargmin", func() { nd.NanArgMin(a) }, allreduce(16)},
			{"nanargmax of rows", func() { nd.NanArgMax(a, nd.Over(1)) }, allreduce(1)},
			{"nanargmax, replicated", func() { nd.NanArgMax(r) }, none},
			{"count NaN", func() { nd.CountNaN(a) }, allreduce(8)},
			{"masked sum", func() { nd.Sum(a, nd.OnlyWhere(mask)) }, allreduce(16)},
			{"masked mean of rows", func() { nd.Mean[float64](a, nd.OnlyWhere(mask), nd.Over(1)) }, none},
			{"masked max", func() { nd.Max(a, nd.OnlyWhere(mask), nd.Initial(-9)) }, allreduce(16)},
			{"sum from an initial value", func() { nd.Sum(a, nd.Initial(2)) }, allreduce(8)},
			{"covariance of columns", func() { nd.Cov[float64](a, nil, nd.RowVar(false)) }, cov(cols, 8)},
			{"covariance, weighted", func() { nd.Cov[float64](a, nil, nd.RowVar(false), nd.FWeights(fw), nd.AWeights(w)) }, cov(cols, 8)},
			{"covariance of two", func() { nd.Cov[float64](a, a, nd.RowVar(false)) }, cov(2*cols, 8)},
			{"covariance, complex", func() { nd.CovComplex[complex128](z, nil, nd.RowVar(false)) }, cov(cols, 16)},
			{"covariance, replicated", func() { nd.Cov[float64](r, nil) }, none},
			{"correlation of columns", func() { nd.CorrCoef[float64](a, nil, nd.RowVar(false)) }, cov(cols, 8)},
			{"is close", func() { nd.IsClose(a, a) }, none},
			{"is close, replicated", func() { nd.IsClose(a, r) }, none},
			{"all close", func() { nd.AllClose(a, r) }, allreduce(1)},
			{"all close, replicated", func() { nd.AllClose(r, r) }, none},
			{"array equal", func() { nd.ArrayEqual(a, a) }, allreduce(1)},
			{"array equal, other shape", func() { nd.ArrayEqual(a, a.T()) }, none},
			{"array equiv", func() { nd.ArrayEquiv(a, nd.FromSlice(c, []float64{1}, nd.Shape{1}, nd.None)) }, allreduce(1)},
			{"nan to num", func() { nd.NanToNum(a) }, none},
		} {
			before := c.Stats()
			row.do()
			got := c.Stats().Sub(before)
			for op, n := range got {
				n.Messages = 0
				got[op] = n
			}
			if c.Size() == 1 { // calls, but nothing to send
				for op, n := range row.want {
					row.want[op] = spmd.Count{Calls: n.Calls}
				}
			}
			if d := cmp.Diff(row.want, got); d != "" {
				t.Errorf("%s communicates (-want +got)\n%s", row.name, d)
			}
		}
		// Along the variables, and with a mask or weights that are elsewhere.
		calls := func(name string, f func(), want map[string]int64) {
			before := c.Stats()
			f()
			got := c.Stats().Sub(before)
			calls := map[string]int64{}
			for op, n := range got {
				calls[op] = n.Calls
			}
			if d := cmp.Diff(want, calls); d != "" && c.Size() > 1 {
				t.Errorf("%s communicates (-want +got)\n%s", name, d)
			}
			if max := int64(8 * (rows*cols + rows + 3 + rows*rows + rows)); got.Total().Bytes > max {
				t.Errorf("%s sends %d bytes, more than %d", name, got.Total().Bytes, max)
			}
		}
		calls("covariance of split variables", func() { nd.Cov[float64](a, nil) },
			map[string]int64{"alltoallv": 1, "allreduce": 1, "reducescatter": 1})
		calls("correlation of split variables", func() { nd.CorrCoef[float64](a, nil) },
			map[string]int64{"alltoallv": 1, "allreduce": 1, "reducescatter": 1, "allgatherv": 1})
		calls("a mask split in another way", func() { nd.Sum(a, nd.OnlyWhere(columnMask)) },
			map[string]int64{"alltoallv": 1, "allreduce": 1})
		calls("weights split in another way", func() { nd.Average[float64](a, b) },
			map[string]int64{"alltoallv": 1, "allreduce": 1})
		calls("array equal, other split", func() { nd.ArrayEqual(a, b) },
			map[string]int64{"alltoallv": 1, "allreduce": 1})
	})
}

func TestErrorsOfStatistics(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.Ones[float64](c, nd.Shape{4, 3}, 0)
		n := nd.Ones[int32](c, nd.Shape{4}, 0)
		mask := nd.GreaterScalar(a, 0.0)
		before := c.Stats()
		for _, row := range []struct {
			name string
			do   func()
		}{
			{"mask of another shape", func() { nd.Sum(a, nd.OnlyWhere(nd.Zeros[bool](c, nd.Shape{4}, 0))) }},
			{"masked minimum without a start", func() { nd.Min(a, nd.OnlyWhere(mask)) }},
			{"masked position", func() { nd.ArgMin(a, nd.OnlyWhere(mask)) }},
			{"masked position without NaN", func() { nd.NanArgMin(a, nd.OnlyWhere(mask)) }},
			{"masked quantile", func() { nd.Median[float64](a, nd.OnlyWhere(mask)) }},
			{"mean from a start", func() { nd.Mean[float64](a, nd.Initial(1)) }},
			{"mean without NaN from a start", func() { nd.NanMean[float64](a, nd.Initial(1)) }},
			{"start of another type", func() { nd.Sum(n, nd.Initial(1.5)) }},
			{"start out of range", func() { nd.Sum(n, nd.Initial(1<<40)) }},
			{"weights of another shape", func() { nd.Average[float64](a, nd.Ones[float64](c, nd.Shape{5}, 0)) }},
			{"weights along no axis", func() { nd.Average[float64](a, n) }},
			{"axis out of range", func() { nd.Skew[float64](a, nd.Over(2)) }},
			{"range of nothing", func() { nd.Ptp(nd.Zeros[float64](c, nd.Shape{0}, 0)) }},
			{"covariance of a cube", func() { nd.Cov[float64](nd.Zeros[float64](c, nd.Shape{2, 2, 2}, 0), nil) }},
			{"covariance of other lengths", func() { nd.Cov[float64](a, nd.Ones[float64](c, nd.Shape{4}, 0)) }},
			{"covariance weights of other length", func() { nd.Cov[float64](a, nil, nd.FWeights(nd.Ones[int64](c, nd.Shape{4}, 0))) }},
			{"covariance over an axis", func() { nd.Cov[float64](a, nil, nd.Over(0)) }},
			{"shapes that do not broadcast", func() { nd.IsClose(a, a.T()) }},
			{"infinite tolerance", func() { nd.IsClose(a, a, nd.RTol(math.Inf(1))) }},
		} {
			if nd.Try(row.do) == nil {
				t.Errorf("%s is no error", row.name)
			}
		}
		if d := cmp.Diff(spmd.Stats{}, c.Stats().Sub(before)); d != "" {
			t.Errorf("mistakes communicate (-want +got)\n%s", d)
		}
		// These depend on the data: every rank gets the error alike.
		bad := nd.FromFunc(c, nd.Shape{3}, 0, func(i []int) int64 { return int64(i[0]) - 1 })
		if nd.Try(func() { nd.Cov[float64](a, nil, nd.FWeights(bad)) }) == nil {
			t.Error("a negative weight is no error")
		}
		half := nd.FromFunc(c, nd.Shape{4, 3}, 0, func(i []int) float64 { return math.Log(float64(i[0] - 1)) })
		if nd.Try(func() { nd.NanArgMax(half, nd.Over(1)) }) == nil {
			t.Error("a row of NaN alone is no error")
		}
		checkValues(t, nd.NanArgMax(half, nd.Over(0)), []int64{3, 3, 3})
	})
}

func TestIntoFormsOfStatistics(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		shape := nd.Shape{6, 4}
		for _, l := range testLayouts(c, shape) {
			a := nd.FromLayout(c, l, func(i []int) float64 { return float64(flat(shape, i) * flat(shape, i) % 17) })
			for _, axis := range []nd.Axis{nd.None, 0} {
				dst := nd.Zeros[float64](c, nd.Shape{4}, axis)
				for _, row := range []struct {
					f    func(a *nd.NDArray[float64], opts ...nd.Option) *nd.NDArray[float64]
					into func(dst, a *nd.NDArray[float64], opts ...nd.Option)
				}{
					{nd.Ptp[float64], nd.PtpInto[float64]}, {nd.Skew[float64, float64], nd.SkewInto[float64, float64]},
					{nd.Kurtosis[float64, float64], nd.KurtosisInto[float64, float64]},
					{nd.NanSum[float64], nd.NanSumInto[float64]}, {nd.NanProd[float64], nd.NanProdInto[float64]},
					{nd.NanMin[float64], nd.NanMinInto[float64]}, {nd.NanMax[float64], nd.NanMaxInto[float64]},
					{nd.NanMean[float64, float64], nd.NanMeanInto[float64, float64]},
					{nd.NanVar[float64, float64], nd.NanVarInto[float64, float64]},
					{nd.NanStd[float64, float64], nd.NanStdInto[float64, float64]},
				} {
					row.into(dst, a, nd.Over(0))
					checkValues(t, dst, row.f(a, nd.Over(0)).Gather())
				}
			}
			n := nd.Zeros[float64](c, shape, 1)
			nd.NanToNumInto(n, nd.Log(nd.Neg(a)), nd.NaNAs(2), nd.NegInfAs(3))
			checkValues(t, n, nd.WhereScalars(nd.EqualScalar(a, 0), 3.0, 2.0).Gather())
			same := nd.Zeros[bool](c, shape, 0)
			nd.IsCloseInto(same, a, nd.AddScalar(a, 1e-12))
			if !nd.All(same).Item() {
				t.Error("numbers 1e-12 apart are not close")
			}
			checkValues(t, nd.IsCloseScalar(a, 0), nd.EqualScalar(a, 0).Gather())
		}
	})
}

// TestLargeReductions has more elements than one block, in every order.
func TestLargeReductionsWithoutNaN(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		shape := nd.Shape{1500, 3, 5}
		for _, perm := range [][]int{{0, 1, 2}, {2, 0, 1}, {1, 2, 0}} {
			a := nd.FromFunc(c, shape, 0, func(i []int) float64 {
				n := flat(shape, i)
				if n%7 == 3 || i[0]%100 == 99 {
					return math.NaN()
				}
				return float64(n%1000) / 8
			})
			v := a.Transpose(perm...)
			full := nd.NanToNum(v)
			ok := nd.LogicalNot(nd.IsNaN(v))
			for k := range 3 {
				over := nd.Over(k)
				checkValues(t, nd.NanSum(v, over), nd.Sum(full, over).Gather())
				checkValues(t, nd.Sum(v, over, nd.OnlyWhere(ok)), nd.Sum(full, over).Gather())
				checkValues(t, nd.CountNotNaN(v, over), nd.CountNonzero(ok, over).Gather())
				checkValues(t, nd.CountNonzero(nd.IsNaN(v), over), nd.CountNaN(v, over).Gather())
			}
			wantNumber(t, "sum", nd.NanSum(v).Item(), nd.Sum(full).Item())
			wantNumber(t, "largest", nd.NanMax(v).Item(), 999.0/8)
			var1, var2 := nd.NanVar[float64](v).Item(), nd.Var[float64](v, nd.OnlyWhere(ok)).Item()
			if math.Abs(var1-var2) > 1e-12*var2 {
				t.Errorf("variance %v, masked %v", var1, var2)
			}
		}
	})
}
