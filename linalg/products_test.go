package linalg_test

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// TestReportHeat837 is heat #837: tensordot of a split array.
func TestReportHeat837(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		count := func(shape nd.Shape, axis split.Axis) *nd.NDArray[float64] {
			return nd.Reshape(nd.Arange[float64](c, 0, float64(shape.Size()), 1, split.None), shape...).Resplit(axis)
		}
		var r *nd.NDArray[float64]
		n := calls(c, func() { r = linalg.TensorDot(count(nd.Shape{2, 3, 4}, 0), count(nd.Shape{3, 4, 5}, split.None), 2) })
		if len(n) > 0 || r.Split() != 0 {
			t.Errorf("result %v, communicates %v", r.Layout(), n)
		}
		// numpy.tensordot(a, b, 2)
		want := [][]float64{{2530, 2596, 2662, 2728, 2794}, {6490, 6700, 6910, 7120, 7330}}
		checkArray(t, "tensordot", r, func(i []int) float64 { return want[i[0]][i[1]] })
	})
}

// productBytes returns the calls of f, and how many bytes this rank sends in them.
func productBytes(c *spmd.Comm, f func()) (map[string]int64, int64) {
	before := c.Stats()
	f()
	n, bytes := map[string]int64{}, int64(0)
	for op, k := range c.Stats().Sub(before) {
		n[op] = k.Calls
		bytes += k.Bytes
	}
	return n, bytes
}

// TestProductsCommunication: what products of every split communicate, and how
// their results are split.
func TestProductsCommunication(t *testing.T) {
	type none = map[string]int64
	gather, move := none{"allgatherv": 1}, none{"alltoallv": 1}
	scatter, reduce := none{"reducescatter": 1}, none{"allreduce": 1}
	bmm := func(a, b *nd.NDArray[float64]) *nd.NDArray[float64] { return linalg.MatMul(a, b) }
	einsum := func(s string) func(a, b *nd.NDArray[float64]) *nd.NDArray[float64] {
		return func(a, b *nd.NDArray[float64]) *nd.NDArray[float64] { return linalg.Einsum(s, a, b) }
	}
	over := func(a, b *nd.NDArray[float64]) *nd.NDArray[float64] {
		return linalg.TensorDotOver(a, b, []int{2, 1}, []int{0, 1})
	}
	tests := []struct {
		name   string
		f      func(a, b *nd.NDArray[float64]) *nd.NDArray[float64]
		sa, sb nd.Shape
		a, b   split.Axis
		want   map[string]int64
		axis   split.Axis
	}{
		{"tensordot", over, nd.Shape{8, 9, 7}, nd.Shape{7, 9, 6}, -1, -1, nil, -1},
		{"tensordot", over, nd.Shape{8, 9, 7}, nd.Shape{7, 9, 6}, 0, -1, nil, 0},
		{"tensordot", over, nd.Shape{8, 9, 7}, nd.Shape{7, 9, 6}, -1, 2, nil, 1},
		{"tensordot", over, nd.Shape{8, 9, 7}, nd.Shape{7, 9, 6}, 1, -1, scatter, 0},
		{"tensordot", over, nd.Shape{8, 9, 7}, nd.Shape{7, 9, 6}, -1, 0, scatter, 0},
		{"tensordot", over, nd.Shape{8, 9, 7}, nd.Shape{7, 9, 6}, 1, 1, scatter, 0},
		{"tensordot", over, nd.Shape{8, 9, 7}, nd.Shape{7, 9, 6}, 1, 0, none{"alltoallv": 1, "reducescatter": 1}, 0},
		{"tensordot", over, nd.Shape{8, 9, 7}, nd.Shape{7, 9, 6}, 0, 2, gather, 0},
		{"tensordot, b larger", over, nd.Shape{3, 9, 7}, nd.Shape{7, 9, 6}, 0, 2, gather, 1},
		{"tensordot", over, nd.Shape{8, 9, 7}, nd.Shape{7, 9, 6}, 0, 1, gather, 0},
		{"tensordot", over, nd.Shape{8, 9, 7}, nd.Shape{7, 9, 6}, 2, 2, gather, 1},
		{"bmm", bmm, nd.Shape{9, 3, 4}, nd.Shape{9, 4, 5}, 0, 0, nil, 0},
		{"bmm", bmm, nd.Shape{9, 3, 4}, nd.Shape{9, 4, 5}, 0, -1, nil, 0},
		{"bmm", bmm, nd.Shape{9, 3, 4}, nd.Shape{9, 4, 5}, -1, 0, nil, 0},
		{"bmm", bmm, nd.Shape{9, 8, 4}, nd.Shape{9, 4, 5}, 1, -1, nil, 1},
		{"bmm", bmm, nd.Shape{9, 3, 4}, nd.Shape{9, 4, 5}, 0, 1, move, 0},
		{"bmm", bmm, nd.Shape{9, 3, 4}, nd.Shape{9, 4, 5}, 2, 0, move, 0},
		{"bmm", bmm, nd.Shape{9, 3, 4}, nd.Shape{9, 4, 5}, 1, 2, none{"alltoallv": 2}, 0},
		{"bmm", bmm, nd.Shape{9, 3, 4}, nd.Shape{9, 4, 5}, 2, 1, scatter, 0},
		{"bmm, stack shorter than ranks", bmm, nd.Shape{1, 9, 4}, nd.Shape{1, 4, 5}, 1, 2, gather, 1},
		{"bmm, b for all", bmm, nd.Shape{9, 3, 4}, nd.Shape{4, 5}, 0, 0, gather, 0},
		{"bmm, vector", bmm, nd.Shape{9, 3, 4}, nd.Shape{4}, 0, -1, nil, 0},
		{"hadamard", einsum("ij,ij->ij"), nd.Shape{9, 4}, nd.Shape{9, 4}, 0, 0, nil, 0},
		{"row products", einsum("ij,ij->i"), nd.Shape{9, 4}, nd.Shape{9, 4}, 0, 0, nil, 0},
		{"column products", einsum("ij,ij->j"), nd.Shape{9, 4}, nd.Shape{9, 4}, 0, 0, reduce, -1},
		{"inner product", einsum("ij,ij->"), nd.Shape{9, 4}, nd.Shape{9, 4}, 0, 0, reduce, -1},
		{"inner", linalg.Inner[float64], nd.Shape{9, 4}, nd.Shape{8, 4}, 0, -1, nil, 0},
		{"outer", linalg.Outer[float64], nd.Shape{9}, nd.Shape{8}, 0, -1, nil, 0},
		{"outer", linalg.Outer[float64], nd.Shape{9}, nd.Shape{8}, -1, 0, nil, 1},
		{"outer", linalg.Outer[float64], nd.Shape{9}, nd.Shape{8}, 0, 0, gather, 0},
		{"outer", linalg.Outer[float64], nd.Shape{8}, nd.Shape{9}, 0, 0, gather, 1},
		{"kron", linalg.Kron[float64], nd.Shape{9, 2}, nd.Shape{2, 3}, 0, -1, nil, 0},
		{"kron", linalg.Kron[float64], nd.Shape{9, 2}, nd.Shape{2, 3}, 1, -1, nil, 1},
		{"kron", linalg.Kron[float64], nd.Shape{9, 2}, nd.Shape{2, 3}, 0, 1, gather, 0},
		{"kron", linalg.Kron[float64], nd.Shape{9, 2}, nd.Shape{2, 3}, -1, 1, gather, 1},
		{"cross", func(a, b *nd.NDArray[float64]) *nd.NDArray[float64] { return linalg.Cross(a, b, -1) }, nd.Shape{9, 3}, nd.Shape{9, 3}, 0, 0, nil, 0},
		{"cross", func(a, b *nd.NDArray[float64]) *nd.NDArray[float64] { return linalg.Cross(a, b, -1) }, nd.Shape{9, 3}, nd.Shape{3}, 0, -1, nil, 0},
		{"cross", func(a, b *nd.NDArray[float64]) *nd.NDArray[float64] { return linalg.Cross(a, b, -1) }, nd.Shape{9, 3}, nd.Shape{9, 3}, 1, 0, move, 0},
		{"vecdot", func(a, b *nd.NDArray[float64]) *nd.NDArray[float64] { return linalg.VecDot(a, b, -1) }, nd.Shape{9, 3}, nd.Shape{9, 3}, 0, 0, nil, 0},
		{"vecdot", func(a, b *nd.NDArray[float64]) *nd.NDArray[float64] { return linalg.VecDot(a, b, 0) }, nd.Shape{9, 3}, nd.Shape{9, 3}, 0, 0, reduce, -1},
	}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		p := c.Size()
		if p == 1 {
			return
		}
		for _, tt := range tests {
			a := array[float64](c, split.Block(tt.sa, tt.a, p), 1, false)
			b := array[float64](c, split.Block(tt.sb, tt.b, p), 2, false)
			var r *nd.NDArray[float64]
			got, bytes := productBytes(c, func() { r = tt.f(a, b) })
			want := maps.Clone(tt.want)
			if want == nil {
				want = none{}
			}
			what := fmt.Sprintf("%s of %v and %v on %d ranks", tt.name, a.Layout(), b.Layout(), p)
			if !maps.Equal(got, want) {
				t.Errorf("%s communicates %v, want %v", what, got, want)
			}
			if r.Split() != tt.axis {
				t.Errorf("%s: result %v, want split %v", what, r.Layout(), tt.axis)
			}
			// No rank sends more than p−1 times the smaller operand, or the result once.
			if most := 8 * int64(max((p-1)*min(a.Size(), b.Size()), r.Size(), a.LocalSize()+b.LocalSize())); bytes > most {
				t.Errorf("%s: rank %d sends %d bytes, more than %d", what, c.Rank(), bytes, most)
			}
		}
	})
}

// TestProductsOnOneRank: one rank never communicates, whatever the splits.
func TestProductsOnOneRank(t *testing.T) {
	spmdtest.Run(t, 1, func(c *spmd.Comm) {
		for i := split.Axis(-1); i < 3; i++ {
			for j := split.Axis(-1); j < 3; j++ {
				a := array[float64](c, split.Block(nd.Shape{4, 3, 3}, i, 1), 1, false)
				b := array[float64](c, split.Block(nd.Shape{4, 3, 3}, j, 1), 2, false)
				n := calls(c, func() {
					linalg.MatMul(a, b)
					linalg.TensorDot(a, linalg.Einsum("ijk->kji", b), 2)
					linalg.Kron(a, b)
					linalg.Outer(a, b)
					linalg.Einsum("ijk,ilk->jl", a, b)
				})
				if delete(n, "allreduce"); len(n) > 0 {
					t.Errorf("splits %v and %v: one rank communicates %v", i, j, n)
				}
			}
		}
	})
}

// TestMatMulStacked: destinations of every layout, also an operand.
func TestMatMulStacked(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		shape := nd.Shape{5, 3, 3}
		want := func(i []int) (sum float64) {
			for k := range 3 {
				sum += at[float64](1, []int{i[0], i[1], k}) * at[float64](2, []int{i[0], k, i[2]})
			}
			return sum
		}
		for n, la := range testLayouts(c, shape) {
			for m, lb := range testLayouts(c, shape) {
				a, b := array[float64](c, la, 1, n%2 == 1), array[float64](c, lb, 2, m%2 == 1)
				linalg.MatMulInto(a, a, b)
				checkArray(t, fmt.Sprintf("%v·%v", la, lb), a, want)
			}
		}
		// Large enough to be spread over workers.
		a := array[float64](c, split.Block(nd.Shape{40, 20, 20}, 0, c.Size()), 1, false)
		b := array[float64](c, split.Block(nd.Shape{20, 20}, split.None, c.Size()), 2, false)
		checkArray(t, "large stack", linalg.MatMul(a, nd.BroadcastTo(b, 40, 20, 20)), func(i []int) (sum float64) {
			for k := range 20 {
				sum += at[float64](1, []int{i[0], i[1], k}) * at[float64](2, []int{k, i[2]})
			}
			return sum
		})
	})
}

// TestMultiDotOrder: the cheap order of a chain that costs a hundred times as much
// from left to right.
func TestMultiDotOrder(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		if c.Size() == 1 {
			return
		}
		// From left to right there would be one sum over the ranks, of a matrix more.
		const n = 300
		a := nd.Ones[float64](c, nd.Shape{n, 2}, split.None)
		b := nd.Ones[float64](c, nd.Shape{2, n}, 1)
		x := nd.Ones[float64](c, nd.Shape{n}, 0)
		var r, s *nd.NDArray[float64]
		want := map[string]int64{"reducescatter": 2}
		if m := calls(c, func() { r = linalg.MultiDot(a, b, x) }); !maps.Equal(m, want) {
			t.Errorf("chain communicates %v, want %v", m, want)
		}
		if m := calls(c, func() { s = linalg.Einsum("ij,jk,k->i", a, b, x) }); !maps.Equal(m, want) {
			t.Errorf("chain of Einsum communicates %v, want %v", m, want)
		}
		checkArray(t, "chain", r, func([]int) float64 { return 2 * n })
		checkArray(t, "chain of Einsum", s, func([]int) float64 { return 2 * n })
	})
}

// TestEinsumMany: more operands than are tried in every order.
func TestEinsumMany(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		ops := make([]*nd.NDArray[int64], 10)
		var want [2][2]int64
		want[0][0], want[1][1] = 1, 1
		for k := range ops {
			ops[k] = array[int64](c, split.Block(nd.Shape{2, 2}, split.Axis(k%3-1), c.Size()), k, false)
			var next [2][2]int64
			for i := range 8 {
				next[i>>2][i>>1&1] += want[i>>2][i&1] * value[int64](k, i&1, i>>1&1)
			}
			want = next
		}
		r := linalg.Einsum("ab,bc,cd,de,ef,fg,gh,hi,ij,jk->ak", ops...)
		checkArray(t, "chain of ten", r, func(i []int) int64 { return want[i[0]][i[1]] })
	})
}

// TestMatrixPowerSingular: every rank has the error.
func TestMatrixPowerSingular(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.FromSlice(c, []float64{1, 2, 2, 4}, nd.Shape{2, 2}, 0)
		var singular *linalg.SingularError
		if _, err := linalg.MatrixPower(a, -2); !errors.As(err, &singular) {
			t.Errorf("power of a singular matrix: error %v", err)
		}
		if _, err := linalg.TensorInv(a, 1); !errors.As(err, &singular) {
			t.Errorf("inverse of a singular matrix: error %v", err)
		}
		for _, ord := range []linalg.MatrixOrd{linalg.Frobenius, linalg.MaxColSum, linalg.MinRowSum} {
			if v, err := linalg.CondIn(a, ord); err != nil || !math.IsInf(v, 1) {
				t.Errorf("condition number %v of a singular matrix is %v, error %v", ord, v, err)
			}
		}
		id, err := linalg.MatrixPower(a, 0)
		if err != nil || id.Split() != 0 {
			t.Errorf("power 0: %v, error %v", id.Layout(), err)
		}
		for _, n := range []int{1, 3} {
			p, _ := linalg.MatrixPower(a, n)
			p.Local() // not a's memory:
			nd.MulScalarInto(p, p, 0)
			checkArray(t, "operand", a, func(i []int) float64 { return []float64{1, 2, 2, 4}[2*i[0]+i[1]] })
		}
	})
}

func TestMatrixNormWorked(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	tests := []struct {
		x    []float64 // 2 × 2
		ord  linalg.MatrixOrd
		want float64
	}{
		{[]float64{3e200, 0, 0, 4e200}, linalg.Frobenius, 5e200},
		{[]float64{3e-200, 0, 0, 4e-200}, linalg.Frobenius, 5e-200},
		{[]float64{1e200, 1e200, 1e200, 1e200}, linalg.Spectral, 2e200},
		{[]float64{1e-200, 1e-200, 1e-200, 1e-200}, linalg.Nuclear, 2e-200},
		{[]float64{3e200, 0, 0, 4e200}, linalg.MinSpectral, 3e200},
		{[]float64{1e300, -1e300, 2, 3}, linalg.MaxRowSum, 2e300},
		{[]float64{1, nan, 2, 3}, linalg.Frobenius, nan},
		{[]float64{1, nan, 2, 3}, linalg.MaxColSum, nan},
		{[]float64{1, nan, 2, 3}, linalg.MinRowSum, nan},
		{[]float64{1, inf, 2, 3}, linalg.MaxColSum, inf},
		{[]float64{1, inf, 2, 3}, linalg.MinColSum, 3},
	}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, tt := range tests {
			for _, l := range testLayouts(c, nd.Shape{2, 2}) {
				a := nd.FromSlice(c, tt.x, nd.Shape{2, 2}, split.None).MoveTo(l)
				if got, err := linalg.MatrixNorm(a, tt.ord); err != nil || !near(got, tt.want, 1e-14) {
					t.Errorf("norm %v of %v, %v, is %v, want %v (error %v)", tt.ord, tt.x, l, got, tt.want, err)
				}
			}
		}
		// A stack of which one rank has the matrix without a norm: all have the error.
		bad := nd.FromFunc(c, nd.Shape{5, 2, 2}, 0, func(i []int) float64 {
			if i[0] == 3 {
				return inf
			}
			return 1
		})
		if _, err := linalg.MatrixNormOver(bad, linalg.Spectral, 1, 2); !errors.Is(err, linalg.ErrNotFinite) {
			t.Errorf("norm of a matrix with Inf: error %v", err)
		}
		// No elements: NumPy's answers.
		for _, l := range testLayouts(c, nd.Shape{0, 3}) {
			a := nd.FromLayout(c, l, func([]int) float64 { return 0 })
			for _, ord := range []linalg.MatrixOrd{linalg.Frobenius, linalg.MaxColSum, linalg.MinColSum, linalg.Nuclear} {
				if v, err := linalg.MatrixNorm(a, ord); v != 0 || err != nil {
					t.Errorf("norm %v of %v is %v, error %v", ord, l, v, err)
				}
			}
		}
	})
}

// TestMatrixNormCommunication: one allreduce if the matrices are not whole.
func TestMatrixNormCommunication(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		if c.Size() == 1 {
			return
		}
		for axis := split.None; axis < 3; axis++ {
			a := array[float64](c, split.Block(nd.Shape{9, 8, 7}, axis, c.Size()), 1, false)
			for ord := linalg.Frobenius; ord < linalg.Spectral; ord++ {
				var n *nd.NDArray[float64]
				got, bytes := productBytes(c, func() { n, _ = linalg.MatrixNormOver(a, ord, 1, 2, linalg.KeepDims()) })
				want := map[string]int64{}
				if axis > 0 {
					want["allreduce"] = 1
				}
				if !maps.Equal(got, want) || !n.Shape().Equal(nd.Shape{9, 1, 1}) {
					t.Errorf("norm %v of %v: %v communicates %v (%d bytes), want %v", ord, a.Layout(), n.Layout(), got, bytes, want)
				}
			}
			got := calls(c, func() { _, _ = linalg.MatrixNormOver(a, linalg.Nuclear, 1, 2) })
			if axis == split.None && len(got) > 0 || axis == 0 && !maps.Equal(got, map[string]int64{"allreduce": 1}) {
				t.Errorf("nuclear norms of %v communicate %v", a.Layout(), got)
			}
		}
	})
}

func TestProductsMisuse(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		z := func(axis split.Axis, shape ...int) *nd.NDArray[float64] { return nd.Zeros[float64](c, shape, axis) }
		other := c.Dup()
		defer other.Free()
		far := nd.Zeros[float64](other, nd.Shape{3, 4}, 0)
		for _, tt := range []struct {
			want string
			f    func()
		}{
			{"linalg.TensorDot at", func() { linalg.TensorDot(z(0, 3, 4), z(1, 5, 3), 1) }},
			{"axis 1 of (3, 4) split 0", func() { linalg.TensorDot(z(0, 3, 4), z(1, 5, 3), 1) }},
			{"3 axes of", func() { linalg.TensorDot(z(0, 3, 4), z(1, 5, 3), 3) }},
			{"-1 axes of", func() { linalg.TensorDot(z(0, 3, 4), z(1, 5, 3), -1) }},
			{"2 axes of (3, 4)", func() { linalg.TensorDotOver(z(0, 3, 4), z(1, 4, 3), []int{0, 1}, []int{1}) }},
			{"named twice", func() { linalg.TensorDotOver(z(0, 4, 4), z(1, 4, 4), []int{0, -2}, []int{0, 1}) }},
			{"axis", func() { linalg.TensorDotOver(z(0, 4, 4), z(1, 4, 4), []int{2}, []int{0}) }},
			{"communicators", func() { linalg.TensorDot(z(0, 4, 3), far, 1) }},
			{"communicators", func() { linalg.Kron(z(0, 4, 3), far) }},
			{"communicators", func() { linalg.Outer(z(0, 4, 3), far) }},
			{"communicators", func() { linalg.Einsum("ij,jk", z(0, 4, 3), far) }},
			{"communicators", func() { linalg.VecDot(z(0, 3, 4), far, -1) }},
			{"communicators", func() { linalg.MultiDot(z(0, 4, 3), far) }},
			{"linalg.Inner at", func() { linalg.Inner(z(0, 3, 4), z(1, 4, 3)) }},
			{"linalg.Einsum at", func() { linalg.Einsum("ij,jk", z(0, 3, 4), z(1, 3, 4)) }},
			{`"j" of "ij,jk" has extent 3 in operand 1`, func() { linalg.Einsum("ij,jk", z(0, 3, 4), z(1, 3, 4)) }},
			{"for 2 operands, not 1", func() { linalg.Einsum("ij,jk", z(0, 3, 4)) }},
			{"without operands", func() { linalg.Einsum[float64]("") }},
			{"does not fit operand 0, (3, 4)", func() { linalg.Einsum("ijk", z(0, 3, 4)) }},
			{"does not fit operand 0", func() { linalg.Einsum("i", z(0, 3, 4)) }},
			{"no letter", func() { linalg.Einsum("i1", z(0, 3, 4)) }},
			{"does not fit", func() { linalg.Einsum("i..", z(0, 3, 4)) }},
			{`has "k", which`, func() { linalg.Einsum("ij->ik", z(0, 3, 4)) }},
			{`has "i" twice`, func() { linalg.Einsum("ij->ii", z(0, 3, 4)) }},
			{"extents 3 and 4", func() { linalg.Einsum("ii", z(0, 3, 4)) }},
			{"the points", func() { linalg.Einsum("i...->i", z(0, 3, 4)) }},
			{"have 4 and 3 elements", func() { linalg.VecDot(z(0, 3, 4), z(1, 4, 3), 1) }},
			{"has to be negative", func() { linalg.VecDot(z(0, 3, 4), z(0, 4), 0) }},
			{"do not broadcast", func() { linalg.VecDot(z(0, 3, 4), z(0, 2, 4), -1) }},
			{"vectors of 3 elements", func() { linalg.Cross(z(0, 3, 4), z(1, 3, 4), 1) }},
			{"linalg.Cross at", func() { linalg.Cross(z(0, 2, 3), z(1, 4, 3), -1) }},
			{"linalg.MatrixPower at", func() { _, _ = linalg.MatrixPower(z(0, 2, 3), 2) }},
			{"factor 1 of 3", func() { linalg.MultiDot(z(0, 2, 3), z(0, 3), z(0, 3, 2)) }},
			{"factors 0 and 1, (2, 3) split 0", func() { linalg.MultiDot(z(0, 2, 3), z(0, 2, 2)) }},
			{"no matrices", func() { linalg.MultiDot[float64]() }},
			{"stacks (2, 3, 4) split 0", func() { linalg.MatMul(z(0, 2, 3, 4), z(0, 3, 4, 2)) }},
			{"the destination", func() { linalg.MatMulInto(z(0, 3, 3), z(0, 2, 3, 4), z(0, 4, 2)) }},
			{"MatrixNormOver", func() { _, _ = linalg.MatrixNorm(z(0, 2, 3, 4), linalg.Frobenius) }},
			{"have no elements", func() { _, _ = linalg.MatrixNorm(z(0, 0, 3), linalg.MaxRowSum) }},
			{"have no elements", func() { _, _ = linalg.MatrixNorm(z(0, 0, 3), linalg.Spectral) }},
			{"axes 1 and -1", func() { _, _ = linalg.MatrixNormOver(z(0, 4, 3), linalg.Spectral, 1, -1) }},
			{"linalg.CondIn at", func() { _, _ = linalg.CondIn(z(0, 4, 3), linalg.MaxColSum) }},
			{"no square system", func() { _, _ = linalg.TensorSolve(z(0, 4, 3), z(0, 4)) }},
			{"not square with 1 axes", func() { _, _ = linalg.TensorInv(z(0, 4, 2, 2, 2), 1) }},
		} {
			before := c.Stats()
			err := nd.Try(tt.f)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v does not say %q", err, tt.want)
			}
			if d := c.Stats().Sub(before); len(d) > 0 {
				t.Errorf("%q: communicates %v before", tt.want, d)
			}
		}
	})
}
