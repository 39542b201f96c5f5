package nd_test

import (
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// TestCommunication is the table of what each kind of operation communicates on
// a rank. Messages and bytes are those of rank 0, which has elements to send.
func TestCommunication(t *testing.T) {
	shape := nd.Shape{8, 21, 2}
	none := spmd.Stats{}
	calls := func(op string, n int64) spmd.Stats { return spmd.Stats{op: {Calls: n}} }
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.FromFunc(c, shape, 1, func(i []int) float64 { return float64(flat(shape, i)) })
		b := nd.OnesLike(a)
		r := nd.Ones[float64](c, nd.Shape{2}, split.None)
		other := nd.Ones[float64](c, shape, 0)
		into, sum := nd.ZerosLike(a), nd.Zeros[float64](c, nd.Shape{8, 2}, split.None)
		for _, row := range []struct {
			name string
			do   func()
			want spmd.Stats
		}{
			{"add, equal layouts", func() { nd.Add(a, b) }, none},
			{"add into", func() { nd.AddInto(into, a, b) }, none},
			{"add a replicated row", func() { nd.Add(a, r) }, none},
			{"add a number", func() { nd.AddScalar(a, 1) }, none},
			{"add, other split", func() { nd.Add(a, other) }, calls("alltoallv", 1)},
			{"exp", func() { nd.Exp(a) }, none},
			{"compare", func() { nd.Less(a, b) }, none},
			{"axpy", func() { nd.Axpy(2, b, into) }, none},
			{"scale", func() { nd.Scale(2, into) }, none},
			{"convert", func() { nd.AsType[float32](a) }, none},
			{"copy", func() { nd.Copy(a) }, none},
			{"like", func() { nd.ZerosLike(a); nd.OnesLike(a); nd.EmptyLike(a); nd.FullLike(a, 2) }, none},
			{"create", func() { nd.Zeros[int8](c, shape, 0); nd.Eye[int8](c, 4, 4, 0, 1); nd.Arange[int8](c, 0, 9, 1, 0) }, none},
			{"transpose", func() { a.T(); a.Transpose(1, 0, 2) }, none},
			{"slice", func() { a.Slice(nd.From(1), nd.Range(2, 20, 3), nd.Index(0)) }, none},
			{"metadata", func() { _ = a.String(); a.Shape(); a.LocalShape(); a.Layout() }, none},
			{"index on the split axis", func() { a.Slice(nd.Whole(), nd.Index(3)) }, calls("bcast", 1)},
			{"reverse the split axis", func() { a.Slice(nd.Whole(), nd.Range(nd.Open, nd.Open, -1)) }, calls("alltoallv", 1)},
			{"element", func() { a.At(0, 0, 0) }, calls("bcast", 1)},
			{"element of a replicated array", func() { r.At(0) }, none},
			{"sum", func() { nd.Sum(a) }, calls("allreduce", 1)},
			{"sum over the split axis", func() { nd.Sum(a, nd.Over(1)) }, calls("allreduce", 1)},
			{"sum over the split axis into", func() { nd.SumInto(sum, a, nd.Over(1)) }, calls("allreduce", 1)},
			{"sum over two axes", func() { nd.Sum(a, nd.Over(0, 1)) }, calls("allreduce", 1)},
			{"sum over other axes", func() { nd.Sum(a, nd.Over(0, 2)) }, none},
			{"sum of a replicated array", func() { nd.Sum(r) }, none},
			{"mean", func() { nd.Mean[float64](a) }, calls("allreduce", 1)},
			{"std", func() { nd.Std[float64](a, nd.Over(1)) }, calls("allreduce", 1)},
			{"argmax", func() { nd.ArgMax(a) }, calls("allreduce", 1)},
			{"all", func() { nd.All(a) }, calls("allreduce", 1)},
			{"resplit", func() { a.Resplit(0) }, calls("alltoallv", 1)},
			{"resplit to none", func() { a.Resplit(split.None) }, calls("allgatherv", 1)},
			{"resplit from none", func() { r.Resplit(0) }, none},
			{"resplit to the same", func() { a.Resplit(1) }, none},
			{"balance, balanced", func() { a.Balance() }, none},
			{"gather", func() { a.Gather() }, calls("allgatherv", 1)},
		} {
			before := c.Stats()
			row.do()
			got := c.Stats().Sub(before)
			for op, n := range got { // what is sent depends on the rank; MoveBetweenAllLayouts checks it
				got[op] = spmd.Count{Calls: n.Calls}
			}
			want := row.want
			if c.Size() == 1 && (row.name == "add, other split" || row.name == "reverse the split axis" || row.name == "resplit" || row.name == "resplit to none" || row.name == "gather") {
				want = none // nothing to move on one rank
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s communicates (-want +got)\n%s", row.name, d)
			}
		}
	})
}

// TestResplitMemory checks that a resplit allocates its result and at most two
// local blocks, one where axis 0 is left or entered.
func TestResplitMemory(t *testing.T) {
	spmdtest.Embedded(t)
	const n, ranks, slack = 600, 4, 200_000
	for _, move := range []struct {
		from, to nd.Axis
		blocks   int // beside the result's
	}{{0, 1, 1}, {1, 0, 1}, {1, 2, 2}, {0, split.None, 0}, {split.None, 0, 0}} {
		err := spmd.Run(ranks, func(c *spmd.Comm) error {
			a := nd.Ones[float64](c, nd.Shape{n, n, 2}, move.from)
			var before, after runtime.MemStats
			c.Barrier()
			if c.Rank() == 0 {
				runtime.ReadMemStats(&before)
			}
			c.Barrier()
			b := a.Resplit(move.to)
			c.Barrier()
			if c.Rank() == 0 {
				runtime.ReadMemStats(&after)
				whole := 8 * n * n * 2
				limit := move.blocks*whole + slack
				if move.to == split.None {
					limit += ranks * whole
				} else {
					limit += whole
				}
				if got := int(after.TotalAlloc - before.TotalAlloc); got > limit {
					t.Errorf("%v→%v allocates %d bytes on all ranks, want at most %d", move.from, move.to, got, limit)
				}
			}
			runtime.KeepAlive(b)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestIntoKeepsItsBufferAndAllocatesNothing(t *testing.T) {
	spmdtest.Run(t, 1, func(c *spmd.Comm) {
		x, y := nd.Arange[float64](c, 0, 5000, 1, 0), nd.Ones[float64](c, nd.Shape{5000}, 0)
		dst := nd.ZerosLike(x)
		buf := &dst.Local()[0]
		strided, half := nd.Zeros[float64](c, nd.Shape{5000, 2}, 0).Slice(nd.Whole(), nd.Index(1)), nd.ZerosLike(x)
		for _, row := range []struct {
			name string
			do   func()
		}{
			{"AddInto", func() { nd.AddInto(dst, x, y) }},
			{"AddInto, dst an operand", func() { nd.AddInto(dst, dst, y) }},
			{"AddInto, strided", func() { nd.AddInto(strided, x, y) }},
			{"AddScalarInto", func() { nd.AddScalarInto(dst, x, 2) }},
			{"SqrtInto", func() { nd.SqrtInto(dst, x) }},
			{"Axpy", func() { nd.Axpy(0.5, x, dst) }},
			{"Scale", func() { nd.Scale(0.5, dst) }},
			{"CopyInto", func() { nd.CopyInto(half, x) }},
		} {
			if n := allocations(row.do); n != 0 {
				t.Errorf("%s allocates %v times", row.name, n)
			}
		}
		if buf != &dst.Local()[0] {
			t.Error("the destination has another buffer now")
		}
		if want := nd.Arange[float64](c, 0, 5000, 1, 0).Local(); !slices.Equal(x.Local(), want) {
			t.Error("an operand changed")
		}
	})
}
