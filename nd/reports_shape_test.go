package nd_test

import (
	"slices"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

func TestReportHeat425ResplitOfColumns(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, l := range testLayouts(c, nd.Shape{9, 6}) {
			a := counting(c, l)
			for axis := split.None; axis < 2; axis++ {
				checkValues(t, a.Resplit(axis), countTo(54))
			}
		}
	})
}

func TestReportHeat654ReshapeOfRows(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, l := range testLayouts(c, nd.Shape{160, 17}) {
			checkValues(t, counting(c, l).Reshape(2, 80, 17), countTo(2720))
		}
		// The large one of the report, a hundredth of it, with an odd number of rows.
		checkValues(t, counting(c, split.Block(nd.Shape{16032, 17}, 0, c.Size())).Reshape(501, 32, 17), countTo(16032*17))
	})
}

func TestReportHeat2016FlipOfNegativeAxes(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.Arange[int64](c, 0, 9, 1, 0).Reshape(3, 3)
		checkValues(t, nd.Flip(a, -2, -1), []int64{8, 7, 6, 5, 4, 3, 2, 1, 0})
		checkValues(t, nd.Flip(a, -1), []int64{2, 1, 0, 5, 4, 3, 8, 7, 6})
	})
}

func TestReportHeat754SliceOfOneElementKeepsItsAxis(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.Ones[float64](c, nd.Shape{1, 10}, 1).Slice(nd.Whole(), nd.Range(0, 1, 1))
		if want := (nd.Shape{1, max(0, 1-c.Rank())}); !a.Shape().Equal(nd.Shape{1, 1}) || !a.LocalShape().Equal(want) {
			t.Errorf("shape %v, local %v", a.Shape(), a.LocalShape())
		}
		if b := nd.Squeeze(a); !b.Shape().Equal(nd.Shape{}) || b.Item() != 1 {
			t.Errorf("squeezed: %v", b)
		}
		checkValues(t, nd.Concatenate(1, a, a), []float64{1, 1})
	})
}

func TestReportDask867ColumnThenReshape(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		var want []int32
		for i := range 50 {
			want = append(want, int32(i*4+1)+1)
		}
		for _, l := range testLayouts(c, nd.Shape{1000, 4}) {
			b := counting(c, l).Slice(nd.To(50), nd.Index(1)).Reshape(2, 25)
			if !b.Shape().Equal(nd.Shape{2, 25}) {
				t.Errorf("shape %v", b.Shape())
			}
			checkValues(t, b, want)
		}
	})
}

func TestReportTriangleOfAnUnbalancedMatrix(t *testing.T) { // probe P23
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for axis := split.None; axis < 2; axis++ {
			a := nd.Ones[float64](c, nd.Shape{5, 4}, axis).Slice(nd.From(1))
			wantNumber(t, "sum of the triangle", nd.Sum(nd.Triu(a, 0)).Item(), 10)
			wantNumber(t, "sum of the other", nd.Sum(nd.Tril(a, 0)).Item(), 10)
		}
	})
}

func TestReportPadWhenOneRankHasEverything(t *testing.T) { // probe P25
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, a := range spread(c, []int64{0}) {
			checkValues(t, nd.Pad(a, [][2]int{{2, 2}}, nd.PadZero), []int64{0, 0, 0, 0, 0})
			checkValues(t, nd.PadConstant(a, [][2]int{{2, 2}}, 1), []int64{1, 1, 0, 1, 1})
		}
	})
}

func TestReportReshapeKeepsItsOperand(t *testing.T) { // probe P39
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for axis := split.None; axis < 2; axis++ {
			a := nd.FromFunc(c, nd.Shape{2, 3}, axis, func(i []int) int32 { return int32(i[0]*3+i[1]) + 1 })
			l := a.Layout()
			b := a.Reshape(3, 2)
			nd.Ravel(a)
			nd.Squeeze(a)
			nd.Diag(a, 0)
			if a.Layout() != l || a.Split() != axis || b.Split() != axis {
				t.Errorf("the operand has split %v, the result %v, want %v", a.Split(), b.Split(), axis)
			}
			checkValues(t, a, countTo(6))
			checkValues(t, b, countTo(6))
		}
	})
}

// Replicas must not be added up, nor sent, when they meet a split array.
func TestReportConcatenateOfReplicatedAndSplit(t *testing.T) { // jax R17
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		want := append(countTo(6), countTo(4)...)
		for _, l := range testLayouts(c, nd.Shape{6}) {
			for _, m := range testLayouts(c, nd.Shape{4}) {
				checkValues(t, nd.Concatenate(0, counting(c, l), counting(c, m)), want)
			}
		}
		for _, l := range testLayouts(c, nd.Shape{3, 2}) {
			for _, m := range testLayouts(c, nd.Shape{3, 2}) {
				s := nd.Stack(0, counting(c, l), counting(c, m))
				if got := s.Gather(); !slices.Equal(got, append(countTo(6), countTo(6)...)) {
					t.Errorf("stack of %v and %v: %v", l, m, got)
				}
			}
		}
	})
}
