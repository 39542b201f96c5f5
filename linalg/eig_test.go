package linalg_test

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/cmplx"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

func TestEig(t *testing.T) {
	t.Run("float64", testEig[float64])
	t.Run("float32", testEig[float32])
}

func testEig[T nd.Float](t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for at, n := range []int{0, 1, 2, 5, 12} {
			for i, l := range someLayouts[T](c, nd.Shape{n, n}, at) {
				for _, kind := range []string{"smooth", "zero", "hilbert", "graded", "repeated"} {
					f := func(i, j int) T { return kindOf[T](kind, i, j) }
					a := matrixOf(c, l, i%2 == 1, f)
					what := fmt.Sprintf("%T %v, %s", T(0), l, kind)
					var w, v *nd.NDArray[complex128]
					var err error
					got := calls(c, func() { w, v, err = linalg.Eig(a) })
					want := map[string]int64{}
					if c.Size() > 1 && !l.Replicated() {
						want["allgatherv"] = 1
					}
					only, err2 := linalg.EigVals(a)
					if err != nil || err2 != nil || !v.Layout().Equal(l) || !w.Layout().Replicated() || !maps.Equal(got, want) {
						t.Errorf("%s: %v, %v, w %v, v %v, communicates %v", what, err, err2, w, v, got)
						return
					}
					ws, vs, os := w.Gather(), gathered(v), only.Gather()
					if !picked(c, what) {
						continue
					}
					z := newSmallMatrix(n, n, func(i, j int) complex128 { return complex(float64(f(i, j)), 0) })
					size := z.largest() * float64(n)
					vw := newSmallMatrix(n, n, func(i, j int) complex128 { return vs.at(i, j) * ws[j] })
					if d := z.times(vs).distance(vw); n > 0 && !(d <= 1e-14*size*float64(n)) {
						t.Errorf("%s: A·V − V·diag(w) is %g", what, d)
					}
					sum, trace := complex128(0), complex128(0)
					for j := range n {
						sum, trace = sum+os[j], trace+z.at(j, j)
						norm := 0.0
						for i := range n {
							norm = math.Hypot(norm, cmplx.Abs(vs.at(i, j)))
						}
						if math.Abs(norm-1) > 1e-13 || j > 0 && imag(ws[j]) < 0 && ws[j] != cmplx.Conj(ws[j-1]) {
							t.Errorf("%s: vector %d of norm %v, values %v", what, j, norm, ws)
						}
					}
					if cmplx.Abs(sum-trace) > 1e-13*size {
						t.Errorf("%s: the sum of EigVals is %v, the trace %v", what, sum, trace)
					}
				}
			}
		}
		// NumPy: eigvals([[0, 1, 0], [0, 0, 1], [1, 0, 0]]), the third roots of 1.
		cycle := nd.FromFunc(c, nd.Shape{3, 3}, 0, func(i []int) float64 { return float64(btoi(i[1] == (i[0]+1)%3)) })
		w, err := linalg.EigVals(cycle)
		if err != nil {
			t.Error(err)
			return
		}
		for i, x := range []complex128{complex(-0.5, math.Sqrt(0.75)), complex(-0.5, -math.Sqrt(0.75)), 1} {
			if got := w.Gather()[i]; cmplx.Abs(got-x) > 1e-14 {
				t.Errorf("eigenvalue %d of a cycle is %v, want %v", i, got, x)
			}
		}
		if _, _, err := linalg.Eig(nd.Full(c, nd.Shape{3, 3}, math.NaN(), 1)); !errors.Is(err, linalg.ErrNotFinite) {
			t.Errorf("NaN: %v", err)
		}
	})
}

func TestNormOverAxes(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, s := range []nd.Shape{{3, 4, 5}, {2, 0, 3}, {1, 7, 2}} {
			for i, l := range testLayouts(c, s) {
				a := array[float64](c, l, 1, i%2 == 1)
				for _, axes := range [][]int{{0, 1}, {-1, 0}, {1, 2}, {0, 1, 2}, {1}, {}} {
					for _, p := range orders {
						checkNormOverAxes(t, c, a, axes, p, (i+len(axes))%2 == 0)
					}
				}
			}
		}
		if nd.Try(func() { linalg.NormOverAxes(nd.Ones[float64](c, nd.Shape{2, 2}, 0), []int{0, -2}) }) == nil {
			t.Errorf("an axis named twice: no panic")
		}
	})
}

func checkNormOverAxes(t testing.TB, c *spmd.Comm, a *nd.NDArray[float64], axes []int, p float64, keep bool) {
	l := a.Layout()
	over := [3]bool{}
	for _, k := range axes {
		over[(k+3)%3] = true
	}
	empty := false
	shape := nd.Shape{}
	for k, n := range l.Shape() {
		if !over[k] {
			shape = append(shape, n)
		} else {
			empty = empty || n == 0
			if keep {
				shape = append(shape, 1)
			}
		}
	}
	opts := []linalg.NormOption{linalg.Ord(p)}
	if keep {
		opts = append(opts, linalg.KeepDims())
	}
	if math.IsInf(p, -1) && empty && shape.Size() > 0 {
		if nd.Try(func() { linalg.NormOverAxes(a, axes, opts...) }) == nil {
			t.Errorf("smallest of nothing: no panic")
		}
		return
	}
	var n *nd.NDArray[float64]
	before := c.Stats()
	n = linalg.NormOverAxes(a, axes, opts...)
	got := c.Stats().Sub(before)
	axis := int(l.Axis())
	across := l.Axis() != split.None && over[axis]
	if k := got.Total().Calls; k != int64(btoi(across)) || got["allreduce"].Calls != k {
		t.Errorf("norm %v over %v of %v: communicates %v", p, axes, l, got)
	}
	if !n.Shape().Equal(shape) || across && n.Split() != split.None || !across && (n.Split() == split.None) != (l.Axis() == split.None) {
		t.Errorf("norm %v over %v of %v: result %v", p, axes, l, n.Layout())
		return
	}
	var index [3]int
	checkArray(t, "values", n, func(at []int) float64 {
		var of []float64
		k := 0
		for d := range 3 {
			if !over[d] || keep {
				index[d] = at[k]
				k++
			}
		}
		s := l.Shape()
		var walk func(d int, i [3]int)
		walk = func(d int, i [3]int) {
			switch {
			case d == 3:
				of = append(of, value[float64](1+2*i[2], i[0], i[1]))
			case over[d]:
				for i[d] = range s[d] {
					walk(d+1, i)
				}
			default:
				walk(d+1, i)
			}
		}
		walk(0, index)
		want := norm(p, of)
		box := n.Layout().Local(c.Rank())
		got, offset := n.Local(), 0
		for k, i := range at {
			offset = offset*(box.Hi[k]-box.Lo[k]) + i - box.Lo[k]
		}
		if near(got[offset], want, 1e-13) {
			return got[offset]
		}
		return want
	})
}

func TestRankTolerance(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		d := []float64{100, 1, 1e-3, 1e-9}
		a := nd.FromFunc(c, nd.Shape{4, 4}, 1, func(i []int) float64 { return d[i[0]] * float64(btoi(i[0] == i[1])) })
		for _, tt := range []struct {
			opt  linalg.RankOption
			want int
		}{{linalg.Tol(0), 4}, {linalg.Tol(1e-3), 2}, {linalg.Tol(0.5e-3), 3}, {linalg.Rcond(1e-4), 2}, {linalg.Tol(200), 0}} {
			if got, err := linalg.MatrixRank(a, tt.opt); got != tt.want || err != nil {
				t.Errorf("rank with %v: %d, %v, want %d", tt.opt, got, err, tt.want)
			}
		}
	})
}
