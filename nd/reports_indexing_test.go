package nd_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// ints returns the array of the given numbers in every layout.
func ints(c *spmd.Comm, shape nd.Shape, x ...int64) []*nd.NDArray[int64] {
	var all []*nd.NDArray[int64]
	for _, l := range testLayouts(c, shape) {
		all = append(all, nd.FromLayout(c, l, func(i []int) int64 { return x[flat(shape, i)] }))
	}
	return all
}

func TestReportHeat346IndexOfA3DArray(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.Ones[float64](c, nd.Shape{4, 5, 5}, 1).Slice(nd.Index(0))
		if !a.Shape().Equal(nd.Shape{5, 5}) || a.Split() != 0 {
			t.Errorf("%v", a.Layout())
		}
	})
}

func TestReportHeat668IndexingAnUnevenLayout(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		m := nd.FromFunc(c, nd.Shape{13, 10}, 0, func(i []int) bool { return i[0]*i[1]%7 == 3 || i[0] < 3 })
		w := nd.ArgWhere(m)
		col := w.Slice(nd.Whole(), nd.Index(0))
		if !slices.Equal(col.Layout().Counts(), w.Layout().Counts()) {
			t.Errorf("counts %v, want %v", col.Layout().Counts(), w.Layout().Counts())
		}
		checkValues(t, col, nd.Nonzero(m)[0].Gather())
		w.SetSliceScalar(-1, nd.Whole(), nd.Index(0))
		if s := nd.Sum(w.Slice(nd.Whole(), nd.Index(0))).Item(); s != -int64(w.Shape()[0]) {
			t.Errorf("after setting the column its sum is %d", s)
		}
	})
}

func TestReportHeat754SliceOfOneKeepsItsAxis(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.Ones[float64](c, nd.Shape{1, 10}, 1).Slice(nd.Whole(), nd.Range(0, 1, 1))
		want := nd.Shape{1, 0}
		if c.Rank() == 0 {
			want = nd.Shape{1, 1}
		}
		if !a.Shape().Equal(nd.Shape{1, 1}) || !a.LocalShape().Equal(want) {
			t.Errorf("shape %v, local %v", a.Shape(), a.LocalShape())
		}
	})
}

func TestReportHeat824KeysInTheirOrder(t *testing.T) { // and heat #1857, probe P15
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, x := range spread(c, []int64{10, 9, 8, 7, 6, 5, 4, 3, 2}) {
			for _, k := range ints(c, nd.Shape{4}, 3, 3, 1, 8) {
				checkValues(t, nd.Take(x, k, 0), []int64{7, 7, 9, 2})
			}
			for _, k := range ints(c, nd.Shape{4}, 3, 3, -3, 8) {
				checkValues(t, nd.TakeAt(x, k), []int64{7, 7, 4, 2})
			}
			for _, k := range ints(c, nd.Shape{2, 2}, 1, 1, 2, 3) {
				checkValues(t, nd.Take(x, k, 0), []int64{9, 9, 8, 7})
			}
			for _, k := range ints(c, nd.Shape{3}, 4, 4, 0) {
				checkValues(t, nd.TakeFlat(x, k), []int64{6, 6, 10})
			}
		}
		x := nd.Arange[int64](c, 0, 60, 10, 0)
		got := nd.Take(x, nd.FromSlice(c, []int64{1, 2, 2, 3, 3, 4}, nd.Shape{3, 2}, 0), 0)
		checkValues(t, got, []int64{10, 20, 20, 30, 30, 40})
		if got.Split() != 0 || !got.Shape().Equal(nd.Shape{3, 2}) {
			t.Errorf("%v", got.Layout())
		}
	})
}

func TestReportHeat843MaskedAssignment(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, m := range spread(c, []bool{true, false, true, false, false, true}) {
			for _, v := range spread(c, []int64{10, 20, 30}) {
				for _, x := range spread(c, []int64{0, 1, 2, 3, 4, 5}) {
					nd.SetWhere(x, m, v)
					checkValues(t, x, []int64{10, 1, 20, 3, 4, 30})
				}
			}
		}
	})
}

func TestReportHeat592RowsByAList(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, l := range testLayouts(c, nd.Shape{10, 2}) {
			rows := nd.Take(counting(c, l), nd.FromSlice(c, []int64{1, 4, 7}, nd.Shape{3}, split.None), 0)
			checkValues(t, rows, []int32{3, 4, 9, 10, 15, 16})
		}
	})
}

func TestReportHeat2332IndicesByAxis(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		at := nd.Nonzero(nd.GreaterScalar(nd.Arange[int64](c, 0, 7, 1, 0), 3))
		if len(at) != 1 {
			t.Fatalf("%d arrays", len(at))
		}
		checkValues(t, at[0], []int64{4, 5, 6})
	})
}

func TestReportDask12508EmptyReverseSliceSetsNothing(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		x := nd.Arange[int64](c, 0, 10, 1, 0)
		x.SetSliceScalar(-1, nd.Range(-11, -7, -2))
		checkValues(t, x, []int64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
		checkValues(t, x.Slice(nd.Range(0, nd.Open, -1)), []int64{0}) // #3579
	})
}

func TestReportDask8352MinOfASelection(t *testing.T) { // and #3906
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, l := range testLayouts(c, nd.Shape{2, 3}) {
			x := nd.FromLayout(c, l, func(i []int) float64 { return float64((2*i[0] - 1) * (i[1] + 1)) })
			wantNumber(t, "min of what is not negative", nd.Min(nd.MaskedSelect(x, nd.GreaterEqualScalar(x, 0))).Item(), 1)
		}
		for _, x := range spread(c, []float64{0, 1, 2, 3}) {
			y := nd.MaskedSelect(x, nd.NotEqualScalar(x, 0))
			wantNumber(t, "min", nd.Min(y).Item(), 1)
			if s := nd.Std[float64](y).Item(); math.Abs(s-0.81650) > 1e-5 {
				t.Errorf("std is %v", s)
			}
		}
	})
}

func TestReportCuPyNumeric486IndexWithoutAxes(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, a := range spread(c, []int64{4, 3, 2, 1, 0}) {
			three := nd.Full(c, nd.Shape{}, int64(3), split.None)
			if got := nd.TakeAt(a, three); got.NDim() != 0 || got.Item() != 1 {
				t.Errorf("%v", got.Layout())
			}
			nd.SetAtScalar(a, nd.Keys(three), -1)
			checkValues(t, a, []int64{4, 3, 2, -1, 0})
		}
	})
}

func TestReportPairedKeys(t *testing.T) { // probe P17
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, l := range testLayouts(c, nd.Shape{6, 2}) {
			for _, i := range ints(c, nd.Shape{2}, 5, 0) {
				for _, j := range ints(c, nd.Shape{2}, 1, 0) {
					checkValues(t, nd.TakeAt(counting(c, l), i, j), []int32{12, 1})
				}
			}
		}
	})
}

func TestReportSetSliceOfAnUnbalancedArray(t *testing.T) { // probe P19
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, v := range spread(c, []int64{-1, -1, -1}) {
			a := nd.Arange[int64](c, 0, 9, 1, 0).Slice(nd.From(2))
			a.SetSlice(v, nd.Range(0, 3, 1))
			checkValues(t, a, []int64{-1, -1, -1, 5, 6, 7, 8})
		}
	})
}

func TestReportWhereDoesNotCompute(t *testing.T) { // probe P27
	nan, inf := math.NaN(), math.Inf(1)
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, x := range spread(c, []float64{nan, 1, -2, inf}) {
			bad := nd.LogicalNot(nd.Less(x, nd.FullLike(x, inf)))
			checkValues(t, nd.ScalarWhere(bad, 0, x), []float64{0, 1, -2, 0})
			checkValues(t, nd.Where(bad, nd.ZerosLike(x), x), []float64{0, 1, -2, 0})
			checkValues(t, nd.WhereScalar(nd.LogicalNot(bad), x, 0), []float64{0, 1, -2, 0})
			checkValues(t, nd.WhereScalars(bad, int8(2), 3), []int8{2, 3, 3, 2})
			nd.SetWhereScalar(x, bad, 0)
			checkValues(t, x, []float64{0, 1, -2, 0})
		}
	})
}

func TestReportAddAtCountsDuplicates(t *testing.T) { // Heat lacks ufunc.at; the histogram of split numbers
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, k := range ints(c, nd.Shape{7}, 0, 2, 2, -1, 0, 2, 3) {
			for _, bins := range spread(c, make([]int64, 4)) {
				nd.AddAtScalar(bins, nd.Keys(k), 1)
				checkValues(t, bins, []int64{2, 0, 3, 2})
			}
		}
	})
}

func TestPiecewise(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, x := range spread(c, []float64{-4, 9, 16, 0, -1}) {
			neg := nd.LessScalar(x, 0)
			got := nd.Piecewise(x, []*nd.NDArray[bool]{neg}, []func(*nd.NDArray[float64]) *nd.NDArray[float64]{
				func(y *nd.NDArray[float64]) *nd.NDArray[float64] { return nd.ZerosLike(y) }, nd.Sqrt[float64]})
			checkValues(t, got, []float64{0, 3, 4, 0, 0})
		}
	})
}

// TestIndexingMistakes checks that mistakes are the same error on every rank,
// also one that only one rank's keys make.
func TestIndexingMistakes(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		n := 2 * c.Size()
		a := nd.Arange[int64](c, 0, int64(n), 1, 0)
		whole := nd.Arange[int64](c, 0, int64(n), 1, split.None)
		m := nd.Zeros[float64](c, nd.Shape{n, 3}, 1)
		fine := nd.Arange[int64](c, 0, int64(n), 1, 0)
		bad := nd.Copy(fine) // the last rank alone has a bad index
		bad.SetSliceScalar(int64(n), nd.From(n-1))
		badEverywhere := nd.FromSlice(c, []int64{0, int64(-n - 1)}, nd.Shape{2}, split.None)
		mask := nd.FromFunc(c, nd.Shape{n}, 0, func(i []int) bool { return i[0]%2 == 0 })
		for _, r := range []struct {
			name, want string
			do         func()
		}{
			{"take", "out of range for axis 0", func() { nd.Take(a, bad, 0) }},
			{"take of a replicated array", "out of range for axis 0", func() { nd.Take(whole, bad, 0) }},
			{"take along another axis", "out of range for axis 0", func() { nd.Take(m, bad, 0) }},
			{"take by replicated keys", "out of range for axis 0", func() { nd.Take(a, badEverywhere, 0) }},
			{"take of nothing", "of extent 0", func() { nd.Take(a.Slice(nd.To(0)), fine, 0) }},
			{"take pairs", "out of range for axis 0", func() { nd.TakeAt(m, bad) }},
			{"axis", "axis", func() { nd.Take(a, fine, 1) }},
			{"too many arrays", "2 arrays", func() { nd.TakeAt(a, fine, fine) }},
			{"no arrays", "no array", func() { nd.TakeAt(a, nil) }},
			{"arrays that do not broadcast", "broadcast", func() { nd.TakeAt(m, fine, nd.Zeros[int64](c, nd.Shape{n + 1}, 0)) }},
			{"set", "out of range", func() { nd.SetAtScalar(a, nd.Keys(bad), 1) }},
			{"set a replicated array", "out of range", func() { nd.SetAtScalar(whole, nd.Keys(bad), 1) }},
			{"set values", "do not broadcast", func() { nd.SetAt(a, nd.Keys(fine), nd.Zeros[int64](c, nd.Shape{n + 1}, 0)) }},
			{"add", "out of range", func() { nd.AddAt(a, nd.Keys(bad), fine) }},
			{"put", "out of range", func() { nd.Put(a, bad, fine) }},
			{"put nothing", "no values", func() { nd.Put(a, fine, a.Slice(nd.To(0))) }},
			{"along", "do not fit", func() { nd.TakeAlongAxis(m, fine, 0) }},
			{"along, index", "out of range for axis 0", func() { nd.TakeAlongAxis(a, bad, 0) }},
			{"mask shape", "mask of shape", func() { nd.MaskedSelect(a, nd.Zeros[bool](c, nd.Shape{n + 1}, 0)) }},
			{"mask axes", "mask of shape", func() { nd.SetWhereScalar(a, nd.Zeros[bool](c, nd.Shape{n, 1}, 0), 1) }},
			{"mask values", "do not broadcast", func() { nd.SetWhere(a, mask, nd.Zeros[int64](c, nd.Shape{n + 1}, 0)) }},
			{"condition", "condition of shape", func() { nd.Compress(nd.Zeros[bool](c, nd.Shape{n + 1}, 0), a, 0) }},
			{"extract", "condition of shape", func() { nd.Extract(mask, m) }},
			{"place nothing", "no values", func() { nd.Place(a, mask, a.Slice(nd.To(0))) }},
			{"nonzero", "without axes", func() { nd.Nonzero(nd.Sum(a)) }},
			{"where", "broadcast", func() { nd.Where(mask, a, nd.Zeros[int64](c, nd.Shape{n + 1}, 0)) }},
			{"choose", "choice", func() { nd.Choose(bad, a, a) }},
			{"select", "conditions", func() { nd.Select([]*nd.NDArray[bool]{mask}, []*nd.NDArray[int64]{}, 0) }},
			{"search", "sorted array", func() { nd.SearchSorted(m, m, nd.Left) }},
			{"unravel", "out of range", func() { nd.UnravelIndex(bad, n) }},
			{"ravel", "arrays of indices", func() { nd.RavelMultiIndex(nd.Keys(fine), n, 3) }},
			{"set a slice", "does not broadcast", func() { a.SetSlice(fine, nd.To(1)) }},
			{"set a slice out of range", "out of range", func() { a.SetSliceScalar(1, nd.Index(n)) }},
			{"take into", "the destination", func() { nd.TakeInto(a, a, nd.Zeros[int64](c, nd.Shape{n + 1}, 0), 0) }},
		} {
			err := nd.Try(r.do)
			if err == nil || !strings.Contains(err.Error(), r.want) {
				t.Errorf("%s: %v", r.name, err)
				continue
			}
			for _, s := range gatherText(c, err.Error()) {
				if s != err.Error() {
					t.Errorf("%s: ranks disagree: %q and %q", r.name, s, err)
				}
			}
		}
		checkValues(t, a, whole.Gather()) // nothing was set
	})
}

// TestAliasedAssignment assigns an array's own elements to it.
func TestAliasedAssignment(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for i := range testLayouts(c, nd.Shape{6}) {
			fresh := func() *nd.NDArray[int64] { return spread(c, []int64{3, 0, 5, 1, 2, 4})[i] }
			a := fresh()
			a.SetSlice(a.Slice(nd.To(4)), nd.From(2))
			checkValues(t, a, []int64{3, 0, 3, 0, 5, 1})
			a = fresh()
			a.SetSlice(a, nd.Range(nd.Open, nd.Open, -1))
			checkValues(t, a, []int64{4, 2, 1, 5, 0, 3})
			a = fresh()
			nd.SetAt(a, nd.Keys(a), a)
			checkValues(t, a, []int64{0, 1, 2, 3, 4, 5})
			a = fresh()
			nd.TakeInto(a, a, a, 0)
			checkValues(t, a, []int64{1, 3, 4, 0, 5, 2})
			a = fresh()
			nd.AddAt(a, nd.Keys(a.Slice(nd.From(3))), a.Slice(nd.To(3)))
			checkValues(t, a, []int64{3, 3, 5, 1, 7, 4})
			a = fresh()
			nd.WhereInto(a, nd.GreaterScalar(a, 2), nd.Copy(a).Slice(nd.Range(nd.Open, nd.Open, -1)), a)
			checkValues(t, a, []int64{4, 0, 1, 1, 2, 3})
		}
	})
}
