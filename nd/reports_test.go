package nd_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// The cases of this file were reported as wrong, or hung, in other distributed
// array systems. Each is named after its report.

// spread returns the array of the values of x along axis 0 in every layout.
func spread[T nd.Element](c *spmd.Comm, x []T) []*nd.NDArray[T] {
	var all []*nd.NDArray[T]
	for _, l := range testLayouts(c, nd.Shape{len(x)}) {
		all = append(all, nd.FromLayout(c, l, func(i []int) T { return x[i[0]] }))
	}
	return all
}

func wantNumber(t testing.TB, what string, got, want float64) {
	t.Helper()
	if got != want && !(got != got && want != want) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func TestReportHeat528EyeOfNonSquareShape(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		e := nd.Eye[float64](c, 4, 6, 0, 1)
		for i := range 4 {
			for j := range 6 {
				want := 0.0
				if i == j {
					want = 1
				}
				wantNumber(t, "eye", e.At(i, j), want)
			}
		}
	})
}

func TestReportHeat1034PartsOfOtherShapes(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		n := c.Rank() + 1
		err := nd.Try(func() { nd.FromLocal(c, make([]float64, n*n), nd.Shape{n, n}, 0) })
		if c.Size() == 1 {
			if err != nil {
				t.Error(err)
			}
			return
		}
		if err == nil {
			t.Fatal("no error")
		}
		for _, s := range gatherText(c, err.Error()) {
			if s != err.Error() {
				t.Errorf("ranks disagree: %q and %q", s, err)
			}
		}
	})
}

func TestReportHeat1074ResultsStayOnTheirCommunicator(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		g := c.Split(c.Rank()%2, 0)
		a := nd.Arange[float64](g, 0, 8, 1, 0)
		s := nd.Sum(nd.Add(a, a))
		if s.Comm() != g {
			t.Error("the result left its communicator")
		}
		wantNumber(t, "sum", s.Item(), 56)
		b := nd.Arange[float64](c, 0, 8, 1, 0)
		if g != c && nd.Try(func() { nd.Add(a, b) }) == nil {
			t.Error("operands of two communicators are no error")
		}
	})
}

func TestReportHeat730SplitIndexDrops(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.Ones[float64](c, nd.Shape{2, 2}, 1)
		for _, b := range []*nd.NDArray[float64]{nd.Sum(a, nd.Over(0)), a.Slice(nd.Index(0))} {
			if !b.Shape().Equal(nd.Shape{2}) || b.Split() != 0 {
				t.Errorf("%v", b.Layout())
			}
		}
		checkValues(t, nd.Sum(a, nd.Over(0)), []float64{2, 2})
		checkValues(t, a.Slice(nd.Index(0)), []float64{1, 1})
	})
}

func TestReportHeat441ArgOfTheFlattenedArray(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for axis := split.None; axis < 2; axis++ {
			a := nd.FromSlice(c, []float64{1, 2, 9, 3, 4, 5}, nd.Shape{2, 3}, axis)
			wantNumber(t, "argmax", float64(nd.ArgMax(a).Item()), 2)
			wantNumber(t, "argmin", float64(nd.ArgMin(a).Item()), 0)
		}
	})
}

func TestReportHeat767AxisZeroIsAnAxis(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for axis := split.None; axis < 2; axis++ {
			a := nd.FromSlice(c, []float64{1, 2, 3, 6}, nd.Shape{2, 2}, axis)
			checkValues(t, nd.Std[float64](a, nd.Over(0)), []float64{1, 2})
		}
	})
}

func TestReportHeat2495MomentsWithEmptyRanks(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		x := nd.Arange[float64](c, 0, 9, 1, 0).Slice(nd.From(6))
		wantNumber(t, "mean", nd.Mean[float64](x).Item(), 7)
		if v := nd.Var[float64](x).Item(); math.Abs(v-2.0/3) > 1e-15 {
			t.Errorf("var is %v", v)
		}
	})
}

func TestReportHeat661ElementwiseMinimum(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		x := nd.FromSlice(c, []int32{1, 5}, nd.Shape{2}, 0)
		y := nd.FromSlice(c, []float64{2.5, 2.5}, nd.Shape{2}, 0)
		before := c.Stats()
		m := nd.Minimum(nd.AsType[float64](x), y)
		n := nd.MinimumScalar(x, 3)
		if calls := c.Stats().Sub(before).Total().Calls; calls != 0 || m.Split() != 0 {
			t.Errorf("minimum made %d calls, its result is %v", calls, m.Layout())
		}
		checkValues(t, m, []float64{1, 2.5})
		checkValues(t, n, []int32{1, 3})
	})
}

func TestReportHeat731UnaryIntoOfEmptyParts(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, a := range spread(c, []float64{1, 2, 3}) {
			out := nd.ZerosLike(a)
			nd.ExpInto(out, a)
			for i, v := range out.Gather() {
				if want := math.Exp(float64(i + 1)); math.Abs(v-want) > 1e-14*want {
					t.Errorf("exp %d is %v", i+1, v)
				}
			}
		}
	})
}

func TestReportHeat1057PrintOfAColumnSplitArray(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		var b bytes.Buffer
		if err := nd.Fprint(&b, nd.FromFunc(c, nd.Shape{4, 4}, 1, func(i []int) float64 { return float64(i[0]*4 + i[1]) })); err != nil {
			t.Error(err)
		}
		want := "[[ 0.  1.  2.  3.]\n [ 4.  5.  6.  7.]\n [ 8.  9. 10. 11.]\n [12. 13. 14. 15.]]\n"
		if c.Rank() != 0 {
			want = ""
		}
		if b.String() != want {
			t.Errorf("rank %d printed %q", c.Rank(), b.String())
		}
	})
}

func TestReportNaNIsNotHidden(t *testing.T) { // probes P5 and P7
	nan := math.NaN()
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, x := range [][]float64{{nan, 1, 2, 3, 4, 5}, {1, 2, 3, 4, 5, nan}, {1, 2, nan, 3, 4, 5}} {
			for _, a := range spread(c, x) {
				wantNumber(t, "mean", nd.Mean[float64](a).Item(), nan)
				wantNumber(t, "min", nd.Min(a).Item(), nan)
				wantNumber(t, "max", nd.Max(a).Item(), nan)
				wantNumber(t, "var", nd.Var[float64](a).Item(), nan)
				wantNumber(t, "sum", nd.Sum(a).Item(), nan)
			}
		}
	})
}

func TestReportMeanKeepsItsPrecision(t *testing.T) { // probe P9, numpy #8869
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		wantNumber(t, "mean of 10 times 0.1", nd.Mean[float64](nd.Full(c, nd.Shape{10}, 0.1, 0)).Item(), 0.1)
		ones := nd.Ones[float32](c, nd.Shape{100000, 4, 2}, 0)
		checkValues(t, nd.Mean[float32](ones, nd.Over(0, 1)), []float32{1, 1})
	})
}

func TestReportSliceBounds(t *testing.T) { // probes P11 and P13, dask #3579
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, a := range spread(c, []int64{0, 1, 2, 3, 4, 5}) {
			checkValues(t, a.Slice(nd.Range(2, 100, 1)), []int64{2, 3, 4, 5})
			checkValues(t, a.Slice(nd.Range(-100, 2, 1)), []int64{0, 1})
			checkValues(t, a.Slice(nd.Range(nd.Open, nd.Open, -1)), []int64{5, 4, 3, 2, 1, 0})
			checkValues(t, a.Slice(nd.Range(0, nd.Open, -1)), []int64{0})
		}
	})
}

func TestReportAssignToAnUnbalancedArray(t *testing.T) { // probe P19
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.Arange[int64](c, 0, 9, 1, 0).Slice(nd.From(2))
		nd.CopyInto(a.Slice(nd.To(3)), nd.Full(c, nd.Shape{}, int64(-1), split.None))
		checkValues(t, a, []int64{-1, -1, -1, 5, 6, 7, 8})
	})
}

func TestReportReductionShapes(t *testing.T) { // probes P33, P35 and P37, pydata/sparse #117
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		err := nd.Try(func() { nd.Max(nd.Zeros[float64](c, nd.Shape{0, 3}, 0)) })
		if err == nil || !strings.Contains(err.Error(), "nd.Max at nd/reports_test.go:") || !strings.Contains(err.Error(), "(0, 3)") {
			t.Errorf("max of nothing: %v", err)
		}
		if s := nd.Sum(nd.Arange[int64](c, 0, 5, 1, 0), nd.Over(0)); !s.Shape().Equal(nd.Shape{}) || s.Item() != 10 {
			t.Errorf("1-d sum over axis 0 has shape %v", s.Shape())
		}
		if s := nd.Sum(nd.Arange[int64](c, 0, 6, 1, 0), nd.KeepDims()); !s.Shape().Equal(nd.Shape{1}) || s.Item() != 15 {
			t.Errorf("sum with kept axes has shape %v", s.Shape())
		}
		for axis := split.Axis(0); axis < 2; axis++ {
			a := nd.FromFunc(c, nd.Shape{40, 50}, axis, func(i []int) int64 { return int64(i[0] ^ i[1]) })
			checkValues(t, nd.Sum(a, nd.Over(-1)), nd.Sum(a, nd.Over(1)).Gather())
		}
	})
}

func TestReportPeersReductions(t *testing.T) { // cuPyNumeric #359, Arkouda #2754, Dask #985 and #11989
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for axis := split.Axis(0); axis < 2; axis++ {
			checkValues(t, nd.All(nd.FromSlice(c, []int32{0, 1, 0}, nd.Shape{1, 3}, axis), nd.Over(0)), []bool{false, true, false})
		}
		for _, a := range spread(c, []int64{math.MaxInt64, math.MaxInt64, math.MaxInt64, math.MaxInt64}) {
			wantNumber(t, "argmin of equal largest values", float64(nd.ArgMin(a).Item()), 0)
		}
		for _, a := range spread(c, []float64{math.Inf(1), math.Inf(1)}) {
			wantNumber(t, "argmin of infinities", float64(nd.ArgMin(a).Item()), 0)
		}
	})
}

func TestReportHeat880ShiftedViews(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.Arange[int64](c, 0, 10, 1, 0)
		l := a.Layout()
		checkValues(t, nd.Add(a.Slice(nd.To(-1)), a.Slice(nd.From(1))), []int64{1, 3, 5, 7, 9, 11, 13, 15, 17})
		checkValues(t, a, []int64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
		if a.Layout() != l {
			t.Error("the operand's layout changed")
		}
	})
}

func TestReportHeat901RowSplitPlusColumnSplit(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		s := nd.Add(nd.Full(c, nd.Shape{4, 6}, 8.0, 0), nd.Ones[float64](c, nd.Shape{4, 6}, 1))
		wantNumber(t, "smallest", nd.Min(s).Item(), 9)
		wantNumber(t, "largest", nd.Max(s).Item(), 9)
	})
}
