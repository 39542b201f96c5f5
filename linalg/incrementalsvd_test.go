package linalg_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

func TestIncrementalSVD(t *testing.T) {
	t.Run("float64", testIncrementalSVD[float64])
	t.Run("complex128", testIncrementalSVD[complex128])
	t.Run("float32", testIncrementalSVD[float32])
}

// testIncrementalSVD: columns a block at a time against the decomposition of all.
func testIncrementalSVD[T nd.Inexact](t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		blocks := []int{4, 1, 0, 6, 3}
		const n = 14
		cases := 0
		for _, m := range []int{30, 9, 3, 1} {
			for _, kind := range []string{"smooth", "rank 2", "zero", "graded"} {
				f := func(i, j int) T { return kindOf[T](kind, i, j) }
				whole, err := linalg.SVDVals(matrixOf(c, split.Block(nd.Shape{m, n}, split.None, c.Size()), false, f))
				if err != nil {
					t.Error(err)
					return
				}
				for i, first := range testLayouts(c, nd.Shape{m, blocks[0]}) {
					if cases++; cases%7 > 0 {
						continue
					}
					for _, rank := range []int{0, 2} {
						what := fmt.Sprintf("%T %d × %d, %s, from %v, rank %d", f(0, 0), m, n, kind, first, rank)
						d, err := linalg.NewIncrementalSVD(matrixOf(c, first, i%2 == 0, f), rank, 0)
						done := blocks[0]
						for j, k := range blocks[1:] {
							if err != nil {
								break
							}
							ls := testLayouts(c, nd.Shape{m, k})
							from := done
							err = d.Append(matrixOf(c, ls[(i+j)%len(ls)], j%2 == 0, func(i, j int) T { return f(i, from+j) }))
							done += k
						}
						if err != nil {
							t.Errorf("%s: %v", what, err)
							continue
						}
						checkIncrementalSVD(t, c, what, d, newSmallMatrix(m, n, f), whole.Gather(), first, rank)
					}
				}
			}
		}
	})
}

func checkIncrementalSVD[T nd.Inexact](t testing.TB, c *spmd.Comm, what string, d *linalg.IncrementalSVD[T], a smallMatrix[T], values []float64, first *split.Layout, rank int) {
	u, v, s := d.U(), d.Vh(), d.S().Gather()
	axis := [2]split.Axis{0, 1}
	if first.Replicated() {
		axis = [2]split.Axis{split.None, split.None}
	}
	if c.Size() > 1 && (u.Split() != axis[0] || v.Split() != axis[1]) || len(s) != d.Rank() || rank > 0 && len(s) > rank {
		t.Errorf("%s: u is %v, vh %v, of rank %d", what, u.Layout(), v.Layout(), d.Rank())
		return
	}
	us, vs := gathered(u), gathered(v)
	if !picked(c, what) {
		return
	}
	tol, top := 10*precision[T](a.m, a.n), 0.0
	if len(values) > 0 {
		top = values[0]
	}
	if e, g := orthogonality(us), orthogonality(vs.adjoint()); len(s) > 0 && !(e <= tol && g <= tol) {
		t.Errorf("%s: UᴴU is off by %g, VᴴV by %g", what, e, g)
	}
	near := newSmallMatrix(us.m, us.n, func(i, j int) T { return us.at(i, j) * number[T](s[j], 0) })
	rest := 0.0
	for i, x := range near.times(vs).data {
		rest = math.Hypot(rest, modulus(x-a.data[i]))
	}
	if !(rest <= d.Bound()+tol*top) {
		t.Errorf("%s: A is off by %g, the bound %g", what, rest, d.Bound())
	}
	for i, x := range values {
		got := 0.0
		if i < len(s) {
			got = s[i]
		}
		if rank == 0 && !(math.Abs(got-x) <= tol*top) || got > x+tol*top {
			t.Errorf("%s: singular value %d is %g, of all %g", what, i, got, x)
		}
	}
}

// TestIncrementalSVDOf: what it communicates, leaves out, and refuses.
func TestIncrementalSVDOf(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		p := c.Size()
		f := func(i []int) float64 { return smooth[float64](i[0], i[1]) }
		d, err := linalg.NewIncrementalSVD(nd.FromFunc(c, nd.Shape{8 * p, 3}, 0, f), 3, 0, linalg.LeftOnly)
		if err != nil {
			t.Error(err)
			return
		}
		for _, axis := range []split.Axis{split.None, 0, 1} {
			b := nd.FromFunc(c, nd.Shape{8 * p, 2}, axis, f)
			got := calls(c, func() { err = d.Append(b) })
			want := calls(c, func() { linalg.QR(nd.Ones[float64](c, nd.Shape{8 * p, 5}, 0), linalg.Reduced) })
			if p > 1 && axis == 1 {
				want["alltoallv"] = 1
			}
			if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("Append of %v communicates %v, want %v (%v)", b.Layout(), got, want, err)
			}
		}
		before := d.S().Gather()
		if err := d.Append(nd.Full(c, nd.Shape{8 * p, 1}, math.Inf(1), 0)); !errors.Is(err, linalg.ErrNotFinite) || fmt.Sprint(d.S().Gather()) != fmt.Sprint(before) {
			t.Errorf("Append of Inf: %v", err)
		}
		if nd.Try(func() { d.Vh() }) == nil || nd.Try(func() { d.Append(nd.Ones[float64](c, nd.Shape{2, 2}, 0)) }) == nil {
			t.Errorf("no panic")
		}
	})
}
