package nd_test

import (
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// TestScanCommunication checks what scans and differences communicate, and that
// nothing is gathered: a scan sends one element a lane, a difference the rows that
// the rank before lacks.
func TestScanCommunication(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		const rows, cols = 40, 6
		a := nd.FromFunc(c, nd.Shape{rows, cols}, 0, func(i []int) float64 { return float64(i[0] + i[1]) })
		b := a.T() // split along axis 1
		all := a.Resplit(split.None)
		single, small := nd.AsType[float32](a), nd.AsType[int8](a)
		line := a.Slice(nd.Whole(), nd.Index(0))
		x := nd.Linspace(c, 0.0, 1, rows, 0)
		whole := x.Resplit(split.None)
		few := nd.Linspace(c, 0.0, 1, 5, split.None)
		// All on the last rank, and on every second one.
		counts, ragged := make([]int, c.Size()), make([]int, c.Size())
		counts[c.Size()-1] = rows
		for r, left := 0, rows; left > 0; r = (r + 2) % (c.Size() + c.Size()%2) {
			ragged[r%c.Size()]++
			left--
		}
		last, gaps := a.Redistribute(counts), a.Redistribute(ragged)
		nothing := spmd.Stats{}
		scan := func(bytes int64) spmd.Stats {
			if c.Size() == 1 {
				return nothing
			}
			if c.Rank() == c.Size()-1 {
				return spmd.Stats{"exscan": {Calls: 1}}
			}
			return spmd.Stats{"exscan": {Calls: 1, Messages: 1, Bytes: bytes}}
		}
		// exchange of n rows of cols elements with one rank on either side.
		exchange := func(before, after int, bytes int64) spmd.Stats {
			if c.Size() == 1 {
				return nothing
			}
			n := spmd.Count{Calls: 1}
			if c.Rank() > 0 && before > 0 {
				n.Messages++
				n.Bytes += int64(before) * bytes
			}
			if c.Rank() < c.Size()-1 && after > 0 {
				n.Messages++
				n.Bytes += int64(after) * bytes
			}
			return spmd.Stats{"alltoallv": n}
		}
		reduce := func(bytes int64) spmd.Stats {
			n := spmd.Count{Calls: 1, Messages: 1, Bytes: bytes}
			if c.Size() == 1 {
				n = spmd.Count{Calls: 1}
			}
			return spmd.Stats{"allreduce": n}
		}
		both := func(s, u spmd.Stats) spmd.Stats {
			for op, n := range u { // of different operations
				s[op] = n
			}
			return s
		}
		const row = 8 * cols
		for _, k := range []struct {
			name string
			do   func()
			want spmd.Stats
		}{
			{"cumsum", func() { nd.CumSum(a, 0) }, scan(row)},
			{"cumsum of float32", func() { nd.CumSum(single, 0) }, scan(row)},
			{"cumsum of int8", func() { nd.CumSum(small, 0) }, scan(cols)},
			{"cumsum in int64", func() { nd.CumSumAs[int64](small, 0) }, scan(row)},
			{"cumsum of columns", func() { nd.CumSum(b, 1) }, scan(row)},
			{"cumsum along another axis", func() { nd.CumSum(a, 1) }, nothing},
			{"cumsum of a replicated array", func() { nd.CumSum(all, 0) }, nothing},
			{"cumsum of a vector", func() { nd.CumSum(line) }, scan(8)},
			{"cumsum flattened", func() { nd.CumSum(a) }, scan(8)},
			{"cumsum of one rank's", func() { nd.CumSum(last, 0) }, scan(row)},
			{"cumsum in place", func() { nd.CumSumInto(a, a, 0) }, scan(row)},
			{"cumulative sum", func() { nd.CumulativeSum(a, 0, nd.IncludeInitial) }, scan(row)},
			{"cumprod", func() { nd.CumProd(a, 0) }, scan(row)},
			{"cumprod along another axis", func() { nd.CumProd(b, 0) }, nothing},
			{"cummax", func() { nd.CumMax(small, 0) }, scan(cols)},
			{"cummin", func() { nd.CumMin(a, 0) }, scan(row)},
			{"nancumsum", func() { nd.NanCumSum(a, 0) }, scan(row)},
			{"nancumprod", func() { nd.NanCumProd(a, 0) }, scan(row)},
			{"diff", func() { nd.Diff(a, 1, 0) }, exchange(1, 0, row)},
			{"diff of order 3", func() { nd.Diff(a, 3, 0) }, exchange(3, 0, row)},
			{"diff of columns", func() { nd.Diff(b, 2, 1) }, exchange(2, 0, row)},
			{"diff along another axis", func() { nd.Diff(a, 2, 1) }, nothing},
			{"diff of a replicated array", func() { nd.Diff(all, 2, 0) }, nothing},
			{"diff of one rank's", func() { nd.Diff(last, 2, 0) }, nothing},
			{"diff after a scalar", func() { nd.Diff(a, 1, 0, nd.WithPrependScalar(1.0)) }, exchange(1, 0, row)},
			{"diff around rows", func() { nd.Diff(a, 1, 0, nd.WithPrepend(all), nd.WithAppend(all)) }, exchange(1, 0, row)},
			{"ediff1d", func() { nd.EDiff1D(a, []float64{1}, []float64{2, 3}) }, exchange(1, 0, 8)},
			{"gradient", func() { nd.Gradient(a, 0) }, exchange(1, 1, row)},
			{"gradient of uneven points", func() { nd.Gradient(a, 0, nd.Coordinates(squares(rows))) }, exchange(1, 1, row)},
			{"gradient along another axis", func() { nd.Gradient(a, 1) }, nothing},
			{"gradient of one rank's", func() { nd.Gradient(last, 0, nd.EdgeOrder(2)) }, nothing},
			{"gradients", func() { nd.Gradients(a, nd.EdgeOrder(2)) }, exchange(1, 1, row)},
			{"trapezoid", func() { nd.Trapezoid(a, 1, 0) }, reduce(row)},
			{"trapezoid along another axis", func() { nd.Trapezoid(a, 1, 1) }, nothing},
			{"trapezoid at replicated points", func() { nd.TrapezoidAt(a, whole, 0) }, reduce(row)},
			{"trapezoid at points", func() { nd.TrapezoidAt(a, x, 0) }, both(reduce(row), exchange(1, 1, 8))},
			{"interp", func() { nd.Interp(a, few, few) }, nothing},
		} {
			checkCalls(t, c, k.name, k.do, k.want)
		}
		// With empty ranks between, a row still travels once, to whoever lacks it.
		before := c.Stats()
		nd.Diff(gaps, 2, 0)
		if n := c.Stats().Sub(before).Total(); n.Calls > 1 || n.Bytes > 2*row*2 {
			t.Errorf("diff of %v:\n%v", gaps.Layout(), c.Stats().Sub(before))
		}
	})
}

func squares(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i * i)
	}
	return x
}

func checkCalls(t testing.TB, c *spmd.Comm, name string, do func(), want spmd.Stats) {
	t.Helper()
	before := c.Stats()
	do()
	got := c.Stats().Sub(before)
	if len(got) != len(want) {
		t.Errorf("%s on %v:\n%vwant\n%v", name, c, got, want)
		return
	}
	for op, n := range want {
		if got[op] != n {
			t.Errorf("%s on %v:\n%vwant\n%v", name, c, got, want)
		}
	}
}
