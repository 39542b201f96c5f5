package nd_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"caloric/internal/recycle"
	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// What uses a released array panics with a message that says so.
func TestReleased(t *testing.T) {
	spmdtest.Run(t, 2, func(c *spmd.Comm) {
		b := nd.Full(c, nd.Shape{6, 4}, 2.0, 0)
		for _, l := range []nd.Axis{0, 1, split.None} {
			a := nd.Full(c, nd.Shape{6, 4}, 1.0, l)
			a.Release()
			a.Release()
			for _, o := range []struct {
				name string
				f    func()
			}{
				{"Add left", func() { nd.Add(a, b) }},
				{"Add right", func() { nd.Add(b, a) }},
				{"AddInto", func() { nd.AddInto(b, a, b) }},
				{"AddInto dst", func() { nd.AddInto(a, b, b) }},
				{"AddScalar", func() { nd.AddScalar(a, 1) }},
				{"Exp", func() { nd.Exp(a) }},
				{"ExpInto", func() { nd.ExpInto(a, b) }},
				{"Sum", func() { nd.Sum(a) }},
				{"Mean", func() { nd.Mean[float64](a, nd.Over(0)) }},
				{"CumSum", func() { nd.CumSum(a, 0) }},
				{"Copy", func() { nd.Copy(a) }},
				{"CopyInto", func() { nd.CopyInto(b, a) }},
				{"AsType", func() { nd.AsType[float32](a) }},
				{"ZerosLike", func() { nd.ZerosLike(a) }},
				{"T", func() { a.T() }},
				{"Slice", func() { a.Slice(nd.Range(0, 1)) }},
				{"Reshape", func() { a.Reshape(-1) }},
				{"Resplit", func() { a.Resplit(1 - max(a.Split(), 0)) }},
				{"Balance", func() { a.Balance() }},
				{"Local", func() { a.Local() }},
				{"Memory", func() { a.Memory() }},
				{"At", func() { a.At(0, 0) }},
				{"Sort", func() { nd.Sort(a, 0) }},
				{"Concatenate", func() { nd.Concatenate(0, b, a) }},
				{"Fprint", func() { _ = fmt.Sprint(a) }},
			} {
				name, err := o.name, nd.Try(o.f)
				if name == "Fprint" {
					if err != nil || !strings.Contains(fmt.Sprint(a), "released") {
						t.Errorf("a released array prints %v (%v)", a, err)
					}
					continue
				}
				var m *nd.Error
				if !errors.As(err, &m) || !strings.Contains(m.Text, "released") {
					t.Errorf("%s of a released array, split %v: %v", name, l, err)
				}
			}
		}
	})
}

// Release takes memory back at once, unless a view or a slice may still use it.
func TestReleaseReuses(t *testing.T) {
	spmdtest.Run(t, 1, func(c *spmd.Comm) {
		const n = 50_021 // of a size that no other test has
		fresh := func() *nd.NDArray[float64] { return nd.Full(c, nd.Shape{n}, 1.0, 0) }
		idle := func() int { return recycle.Read().Idle }
		a := fresh()
		nd.Sum(a)
		nd.AddInto(a, a, a)
		mid := idle()
		a.Release()
		if idle() <= mid {
			t.Errorf("%d bytes are idle after Release, %d before", idle(), mid)
		}
		for _, o := range []struct {
			name string
			keep func(a *nd.NDArray[float64]) []float64
		}{
			{"Local", func(a *nd.NDArray[float64]) []float64 { return a.Local() }},
			{"Memory", func(a *nd.NDArray[float64]) []float64 { d, _, _ := a.Memory(); return d }},
			{"view", func(a *nd.NDArray[float64]) []float64 { return a.Slice(nd.From(1)).Local() }},
			{"shape", func(a *nd.NDArray[float64]) []float64 { return a.Reshape(1, n).Local() }},
			{"tril", func(a *nd.NDArray[float64]) []float64 { return nd.Tril(a.Reshape(1, n), n).Local() }},
		} {
			a := fresh()
			name, s := o.name, o.keep(a)
			a.Release()
			for range 4 {
				nd.Full(c, nd.Shape{n}, 3.0, 0)
			}
			for i, v := range s {
				if v != 1 {
					t.Fatalf("%s: element %d of memory that is in use became %v", name, i, v)
				}
			}
		}
		own := make([]float64, n)
		w := nd.Wrap(c, split.Block(nd.Shape{n}, 0, 1), own)
		w.Release()
		nd.Full(c, nd.Shape{n}, 3.0, 0)
		if own[0] != 0 {
			t.Error("the caller's own memory was given to another array")
		}
	})
}

// Embedded ranks that make temporaries, keep views of some and slices of others,
// and release what they can, all find their own numbers.
func TestRecycleStress(t *testing.T) {
	defer nd.SetRecycleLimit(nd.SetRecycleLimit(2 << 20))
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		const n = 3001
		type kept struct {
			view  *nd.NDArray[float64]
			slice []float64
			want  float64
		}
		var keep []kept
		check := func(k kept) {
			for i, v := range k.slice {
				if v != k.want {
					t.Fatalf("rank %d: element %d of a slice is %v, not %v", c.Rank(), i, v, k.want)
				}
			}
			if k.view != nil {
				for _, v := range nd.Copy(k.view).Local() {
					if v != k.want {
						t.Fatalf("rank %d: a view has %v, not %v", c.Rank(), v, k.want)
					}
				}
			}
		}
		x := nd.Full(c, nd.Shape{8 * c.Size(), n}, 1.0, 0)
		for step := range 24 {
			v := float64(step)
			a := nd.MulScalar(x, v)
			b := nd.Add(a, x) // v + 1
			switch step % 5 {
			case 0:
				keep = append(keep, kept{view: b.T(), want: v + 1})
			case 1:
				keep = append(keep, kept{slice: b.Local(), want: v + 1})
			case 2:
				keep = append(keep, kept{view: b.Slice(nd.Range(1, 3), nd.Range(5, n-7, 3)), want: v + 1})
			case 3:
				moved := b.Resplit(1)
				keep = append(keep, kept{slice: moved.Local()[moved.LocalSize()/2:], want: v + 1})
				b.Release()
			}
			if got := nd.Max(a).Item(); got != v {
				t.Fatalf("step %d: the temporary has %v", step, got)
			}
			if step%2 == 0 {
				a.Release()
			}
			if step%7 == 0 && c.Rank() == 0 {
				runtime.GC()
			}
			if len(keep) > 6 {
				for _, k := range keep {
					check(k)
				}
				keep = keep[3:]
			}
		}
	})
}

// A loop of temporaries holds a bounded amount of memory, and many are in the
// memory of dead ones: how many depends on when the collector runs.
func TestTemporariesBounded(t *testing.T) {
	const limit = 8 << 20
	defer nd.SetRecycleLimit(nd.SetRecycleLimit(limit))
	spmdtest.Run(t, 2, func(c *spmd.Comm) {
		const n, rounds = 1 << 17, 80
		a, b := nd.Full(c, nd.Shape{n}, 1.0, 0), nd.Full(c, nd.Shape{n}, 2.0, 0)
		c.Barrier()
		before, peak := recycle.Read(), 0
		for range rounds {
			nd.Mul(nd.Add(a, b), a)
			now := recycle.Read()
			peak = max(peak, now.InUse+now.Idle-before.InUse-before.Idle)
		}
		now := recycle.Read()
		if peak > 5*limit {
			t.Errorf("temporaries held up to %d bytes at once", peak)
		}
		if hits, all := now.Hits-before.Hits, now.Hits+now.Misses-before.Hits-before.Misses; 8*hits < all {
			t.Errorf("%d of %d temporaries are in memory of dead ones", hits, all)
		}
		c.Barrier()
	})
}

// An expression whose operand has been released is told so, on the caller's goroutine.
func TestExpressionOfReleased(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, n := range []int{0, 5, 1 << 17} {
			a, b := nd.Full(c, nd.Shape{n}, 1.0, 0), nd.Full(c, nd.Shape{n}, 2.0, 0)
			v := a.Slice(nd.From(n / 2))
			x, y := nd.Lazy(a).Mul(b), nd.Lazy(v).AddScalar(1)
			a.Release()
			v.Release()
			for name, f := range map[string]func(){
				"Eval": func() { x.Eval() }, "Into": func() { x.Into(b) }, "Sum": func() { x.Sum() }, "Any": func() { x.GreaterScalar(0).Any() },
				"view": func() { y.Sum() }, "where": func() { x.Sum(nd.OnlyWhere(nd.GreaterScalar(b, 0))) },
			} {
				if err := nd.Try(f); err == nil {
					t.Errorf("%s of %d numbers: no error", name, n)
				}
			}
		}
	})
}

// TestRearrangeInPlace rolls arrays into themselves and joins slices into their array.
func TestRearrangeInPlace(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		const n = 31
		for _, axis := range []nd.Axis{0, 1, nd.None} {
			for k := 1; k < n; k += 3 {
				make := func() *nd.NDArray[float64] { return nd.Arange(c, 0.0, 2*n, 1, nd.None).Reshape(n, 2).Resplit(axis) }
				want := nd.Roll(make(), k, 0)
				a := nd.Copy(make())
				nd.RollInto(a, a, k, 0)
				if !nd.ArrayEqual(a, want) {
					t.Errorf("split %v: rolled by %d in place", axis, k)
				}
				a = nd.Copy(make())
				nd.ConcatenateInto(a, 0, a.Slice(nd.From(n-k)), a.Slice(nd.To(n-k)))
				if !nd.ArrayEqual(a, want) {
					t.Errorf("split %v: joined in place at %d", axis, k)
				}
			}
		}
	})
}
