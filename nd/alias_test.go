package nd_test

import (
	"slices"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// wantSame checks that got holds what want does, where got was computed in
// memory that it shares with its operands and want was not.
func wantSame[T nd.Element](t testing.TB, name string, got, want *nd.NDArray[T]) {
	t.Helper()
	if g, w := got.Gather(), want.Gather(); !slices.Equal(g, w) {
		t.Errorf("%s on %v: %v, want %v", name, got.Layout(), g, w)
	}
}

// views returns pairs of views of one array that share memory: equal, shifted,
// crossed, reversed, and apart.
func views(a *nd.NDArray[float64]) map[string][2]*nd.NDArray[float64] {
	reverse := nd.Range(nd.Open, nd.Open, -1)
	v := map[string][2]*nd.NDArray[float64]{
		"itself":             {a, a},
		"the whole as slice": {a.Slice(nd.Whole()), a},
		"the transpose":      {a.T(), a},
		"shifted down":       {a.Slice(nd.From(1)), a.Slice(nd.To(-1))},
		"shifted right":      {a.Slice(nd.Whole(), nd.From(2)), a.Slice(nd.Whole(), nd.To(-2))},
		"shifted left":       {a.Slice(nd.Whole(), nd.To(-1)), a.Slice(nd.Whole(), nd.From(1))},
		"every second":       {a.Slice(nd.Whole(), nd.Range(0, 4, 2)), a.Slice(nd.Whole(), nd.Range(1, 5, 2))},
		"a row":              {a, a.Slice(nd.Range(2, 3, 1))},
		"a column":           {a, a.Slice(nd.Whole(), nd.Range(1, 2, 1))},
	}
	if a.Split() != 0 {
		v["reversed down"] = [2]*nd.NDArray[float64]{a.Slice(reverse), a}
	}
	if a.Split() != 1 {
		v["reversed right"] = [2]*nd.NDArray[float64]{a, a.Slice(nd.Whole(), reverse)}
	}
	return v
}

// TestIntoSharedMemory checks every kind of elementwise driver where the
// destination is a view of an operand's memory.
func TestIntoSharedMemory(t *testing.T) {
	drivers := map[string]func(dst, a *nd.NDArray[float64]){
		"unary":        func(dst, a *nd.NDArray[float64]) { nd.SquareInto(dst, a) },
		"binary":       func(dst, a *nd.NDArray[float64]) { nd.SubInto(dst, dst, a) },
		"binary, left": func(dst, a *nd.NDArray[float64]) { nd.SubInto(dst, a, dst) },
		"scalar":       func(dst, a *nd.NDArray[float64]) { nd.SubScalarInto(dst, a, 3) },
		"scalar, left": func(dst, a *nd.NDArray[float64]) { nd.ScalarSubInto(dst, 3, a) },
		"copy":         func(dst, a *nd.NDArray[float64]) { nd.CopyInto(dst, a) },
		"convert":      func(dst, a *nd.NDArray[float64]) { nd.AsTypeInto(dst, a) },
		"axpy":         func(dst, a *nd.NDArray[float64]) { nd.Axpy(2, a, dst) },
		"axpby":        func(dst, a *nd.NDArray[float64]) { nd.Axpby(2, a, -3, dst) },
		"clip":         func(dst, a *nd.NDArray[float64]) { nd.ClipInto(dst, a, 3, 20) },
		"round":        func(dst, a *nd.NDArray[float64]) { nd.RoundInto(dst, a, -1) },
	}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, l := range testLayouts(c, nd.Shape{5, 5}) {
			fresh := func() *nd.NDArray[float64] {
				return nd.FromLayout(c, l, func(i []int) float64 { return float64(5*i[0] + i[1]) })
			}
			for _, pair := range sortedKeys(views(fresh())) {
				for _, name := range sortedKeys(drivers) {
					shared := views(fresh())[pair]
					dst, a := nd.Copy(shared[0]), nd.Copy(shared[1])
					drivers[name](dst, a)
					drivers[name](shared[0], shared[1])
					wantSame(t, name+" into "+pair, shared[0], dst)
				}
			}
		}
	})
}

// TestReduceIntoSharedMemory reduces an array into a view of itself.
func TestReduceIntoSharedMemory(t *testing.T) {
	row, column := nd.Range(1, 2, 1), nd.Range(2, 3, 1)
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, l := range testLayouts(c, nd.Shape{4, 6}) {
			for _, axis := range []int{0, 1} {
				a := nd.FromLayout(c, l, func(i []int) float64 { return float64(6*i[0] + i[1]) })
				want := nd.Copy(nd.Sum(a, nd.Over(axis), nd.KeepDims()))
				dst := a.Slice(row)
				if axis == 1 {
					dst = a.Slice(nd.Whole(), column)
				}
				nd.SumInto(dst, a, nd.Over(axis), nd.KeepDims())
				wantSame(t, "sum into a view", dst, want)
			}
		}
	})
}

// TestIntoPartsOfOneArray checks that operands and destination can be disjoint
// blocks of one array without a copy.
func TestIntoPartsOfOneArray(t *testing.T) {
	spmdtest.Run(t, 1, func(c *spmd.Comm) {
		a := nd.FromFunc(c, nd.Shape{3, 1000}, 1, func(i []int) float64 { return float64(i[0]*1000 + i[1]) })
		x, y, z := a.Slice(nd.Index(0)), a.Slice(nd.Index(1)), a.Slice(nd.Index(2))
		if n := allocations(func() { nd.AddInto(z, x, y) }); n != 0 {
			t.Errorf("AddInto of rows of one array allocates %v times", n)
		}
		if got := z.At(7); got != 1014 {
			t.Errorf("the sum is %v, want 1014", got)
		}
	})
}

// TestWrappedMemoryOverlaps checks arrays that Wrap made of overlapping slices.
func TestWrappedMemoryOverlaps(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		l := split.Block(nd.Shape{8 * c.Size()}, 0, c.Size())
		mem := make([]float64, 9)
		for i := range mem {
			mem[i] = float64(i)
		}
		nd.AddScalarInto(nd.Wrap(c, l, mem[1:]), nd.Wrap(c, l, mem[:8]), 10)
		if want := []float64{0, 10, 11, 12, 13, 14, 15, 16, 17}; !slices.Equal(mem, want) {
			t.Errorf("%v, want %v", mem, want)
		}
	})
}

// TestResultsShareNothing checks that what a function returns can be changed
// without changing its operand.
func TestResultsShareNothing(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, l := range testLayouts(c, nd.Shape{4, 3}) {
			a := counting(c, l)
			want := a.Gather()
			a.Gather()[0] = -1
			for _, b := range []*nd.NDArray[int32]{nd.Copy(a), nd.AsType[int32](a), nd.Abs(a), nd.Clip(a, 0, 99), nd.Sum(a, nd.Over()),
				nd.FromSlice(c, want, nd.Shape{4, 3}, 0), nd.Copy(a.Slice(nd.Index(0)))} {
				if b.Split() == split.None && a.Split() == split.None && b.NDim() == 1 {
					continue // a view of a replicated array that is replicated already
				}
				nd.Scale(-1, b)
			}
			shape := a.Shape()
			shape[0] = 99
			a.LocalShape()[0] = 99
			if a.Split() != split.None {
				a.Layout().Counts()[0] = 99
			}
			checkValues(t, a, want)
		}
	})
}

// TestLargeStrided runs the parallel paths on views.
func TestLargeStrided(t *testing.T) {
	spmdtest.Run(t, 1, func(c *spmd.Comm) {
		const n = 300
		a := nd.FromFunc(c, nd.Shape{n, n}, 0, func(i []int) float64 { return float64(n*i[0] + i[1]) })
		row := a.Slice(nd.Index(1))
		b := nd.Add(a.T(), row)
		back := nd.Range(nd.Open, nd.Open, -1)
		nd.AddInto(a.Slice(nd.Whole(), back), b, a) // the destination is an operand, backwards
		for _, i := range []int{0, 1, 17, n - 1} {
			for _, j := range []int{0, 2, 255, n - 1} {
				want := float64(n*j+i) + float64(n+j) + float64(n*i+j)
				if got := a.At(i, n-1-j); got != want {
					t.Fatalf("element %d, %d is %v, want %v", i, n-1-j, got, want)
				}
			}
		}
		v := b.T().Slice(nd.Whole(), back)
		for axis := range 2 {
			wantSame(t, "sum of a large view", nd.Sum(v, nd.Over(axis)), nd.Sum(nd.Copy(v), nd.Over(axis)))
			wantSame(t, "argmax of a large view", nd.ArgMax(v, nd.Over(axis)), nd.ArgMax(nd.Copy(v), nd.Over(axis)))
		}
		wantSame(t, "argmin of a large view", nd.ArgMin(v), nd.ArgMin(nd.Copy(v)))
	})
}
