package nd_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

var moveShapes = []nd.Shape{{}, {0}, {1}, {7}, {3, 4}, {9, 6}, {4, 0}, {1, 9}, {2, 3, 5}, {5, 2, 3}}

// counting returns the array of layout l whose elements are 1, 2, 3, … in C order.
func counting(c *spmd.Comm, l *split.Layout) *nd.NDArray[int32] {
	return nd.FromLayout(c, l, func(i []int) int32 { return int32(flat(l.Shape(), i)) + 1 })
}

func countTo(n int) []int32 {
	x := make([]int32, n)
	for i := range x {
		x[i] = int32(i) + 1
	}
	return x
}

func TestMoveBetweenAllLayouts(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, shape := range moveShapes {
			layouts := testLayouts(c, shape)
			for _, from := range layouts {
				for _, to := range layouts {
					a := counting(c, from)
					before := c.Stats()
					b := a.MoveTo(to)
					calls := c.Stats().Sub(before)
					want := spmd.Stats{}
					plan := split.Move(from, to, c.Rank())
					switch plan.Kind {
					case split.AllGather:
						n := int64(0)
						if from.LocalSize(c.Rank()) > 0 {
							n = int64(c.Size() - 1)
						}
						want["allgatherv"] = spmd.Count{Calls: 1, Messages: n, Bytes: int64(plan.Elements() * 4)}
					case split.Exchange:
						n := int64(0)
						for _, p := range plan.Send {
							if p.Rank != c.Rank() {
								n++
							}
						}
						want["alltoallv"] = spmd.Count{Calls: 1, Messages: n, Bytes: int64(plan.Elements() * 4)}
					}
					if d := cmp.Diff(want, calls); d != "" {
						t.Fatalf("%v to %v communicated (-want +got)\n%s", from, to, d)
					}
					if !b.Layout().Equal(to) || !a.Layout().Equal(from) {
						t.Fatalf("%v to %v: result has %v, operand %v", from, to, b.Layout(), a.Layout())
					}
					if (b == a) != from.Equal(to) {
						t.Fatalf("%v to %v: result is the operand: %v", from, to, b == a)
					}
					if b != a && len(b.Local()) > 0 && len(a.Local()) > 0 {
						if &b.Local()[0] == &a.Local()[0] {
							t.Fatalf("%v to %v shares memory with its operand", from, to)
						}
					}
					if got := b.Gather(); !slices.Equal(got, countTo(shape.Size())) {
						t.Fatalf("%v to %v: %v", from, to, got)
					}
				}
			}
		}
	})
}

func TestMoveOfViews(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, l := range testLayouts(c, nd.Shape{6, 5, 4}) {
			a := counting(c, l)
			v := a.Slice(nd.From(1), nd.Range(nd.Open, nd.Open, 2)).Transpose(2, 0, 1)
			want := v.Gather()
			for axis := split.None; axis < 3; axis++ {
				r := v.Resplit(axis)
				if r.Split() != axis || !r.Layout().Balanced() {
					t.Fatalf("resplit of a view of %v to %v gives %v", l, axis, r.Layout())
				}
				if got := r.Gather(); !slices.Equal(got, want) {
					t.Fatalf("resplit of a view of %v to %v: %v, want %v", l, axis, got, want)
				}
			}
		}
	})
}

func TestBalanceAndRedistribute(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.Arange[float64](c, 0, 23, 1, 0)
		counts := make([]int, c.Size())
		counts[c.Size()/2] = 23
		b := a.Redistribute(counts)
		if got := b.Layout().Counts(); !slices.Equal(got, counts) {
			t.Errorf("counts %v, want %v", got, counts)
		}
		if d := b.Balance(); !d.Layout().Equal(a.Layout()) || !slices.Equal(d.Gather(), a.Gather()) {
			t.Errorf("balanced again: %v %v", d.Layout(), d.Gather())
		}
		if a.Balance() != a {
			t.Error("Balance copies a balanced array")
		}
		for name, f := range map[string]func(){
			"counts do not add up": func() { a.Redistribute(make([]int, c.Size())) },
			"replicated":           func() { a.Resplit(split.None).Redistribute(counts) },
			"axis out of range":    func() { a.Resplit(1) },
		} {
			if name == "replicated" {
				continue // communicates: its order must not depend on a map
			}
			if nd.Try(f) == nil {
				t.Errorf("%s: no error", name)
			}
		}
		if nd.Try(func() { nd.Arange[float64](c, 0, 23, 1, split.None).Redistribute(counts) }) == nil {
			t.Error("replicated: no error")
		}
	})
}

func TestCutOfAnEmptyArray(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.Zeros[float64](c, nd.Shape{0, 2}, split.None)
		for axis := split.Axis(0); axis < 2; axis++ {
			b := a.Resplit(axis)
			if n := len(b.Local()); n != 0 || !b.Resplit(split.None).Shape().Equal(a.Shape()) {
				t.Errorf("split %v holds %d elements", axis, n)
			}
		}
	})
}
