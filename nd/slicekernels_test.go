package nd_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/spmd"
)

// TestElementwiseSameOnAnyRanks: the functions of whole slices give each element the same
// bits on any number of ranks, in any layout and through any strides.
func TestElementwiseSameOnAnyRanks(t *testing.T) {
	t.Run("float64", sameOnAnyRanks[float64])
	t.Run("float32", sameOnAnyRanks[float32])
}

func sameOnAnyRanks[T nd.Float](t *testing.T) {
	shape := nd.Shape{9, 13}
	r := rand.New(rand.NewPCG(3, 4))
	x, y := make([]T, shape.Size()), make([]T, shape.Size())
	for i := range x {
		x[i], y[i] = T(r.Float64()*4-0.5), T(r.Float64()*6-3)
	}
	for i, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1e30, 0x1p-140, 800} {
		x[i*14], y[i*11+1] = T(v), T(v)
	}
	unary := append(unaryInexact[T](), unaryFloat[T]()...)
	binary := append(binaryFloat[T](), binaryNumber[T]()...)
	var want1, want2 [][]T // on one rank
	spmd.Run(1, func(c *spmd.Comm) error {
		a, b := nd.FromSlice(c, x, shape, 0), nd.FromSlice(c, y, shape, 0)
		for _, o := range unary {
			want1 = append(want1, o.f(a).Local())
		}
		for _, o := range binary {
			want2 = append(want2, o.f(a, b).Local())
		}
		return nil
	})
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, l := range testLayouts(c, shape) {
			a, b := arrayOf(c, l, x), arrayOf(c, l, y)
			check := func(op string, got *nd.NDArray[T], want []T) {
				eachLocal(got, func(at int, v T) {
					if v != want[at] && (v == v || want[at] == want[at]) {
						t.Errorf("%s of %v on %v is %v, and on one rank %v", op, x[at], l, v, want[at])
					}
				})
			}
			for k, o := range unary {
				check(o.name, o.f(a), want1[k])
				check(o.name+" of columns", o.f(a.T()).T(), want1[k])
				dst := nd.Zeros[T](c, nd.Shape{shape[0], 2 * shape[1]}, l.Axis()).Slice(nd.Whole(), nd.Range(0, 2*shape[1], 2))
				o.into(dst, a)
				check(o.name+"Into every other column", dst, want1[k])
			}
			for k, o := range binary {
				check(o.name, o.f(a, b), want2[k])
				check(o.name+" of columns", o.f(a.T(), b.T()).T(), want2[k])
			}
		}
	})
}
