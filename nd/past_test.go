package nd_test

import (
	"math"
	"testing"

	"caloric/internal/nontemporal"
	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/spmd"
)

// Results that are written past the caches are what they are otherwise, whatever the
// types, layouts, strides and lengths, and nothing beside them is written.
func TestPastTheCaches(t *testing.T) {
	old := nontemporal.SetBytes(1)
	defer nontemporal.SetBytes(old)
	t.Run("float64", pastTheCaches[float64])
	t.Run("float32", pastTheCaches[float32])
}

func pastTheCaches[T nd.Float](t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, shape := range []nd.Shape{{}, {0}, {7}, {1531}, {5, 0, 3}, {37, 301}, {2, 19, 67}} {
			x := make([]T, shape.Size())
			for i := range x {
				x[i] = T(i%97) / 8
			}
			for _, l := range testLayouts(c, shape) {
				pastOf(t, c, arrayOf(c, l, x), x)
			}
		}
	})
}

// pastOf tries operations on a, whose elements are x.
func pastOf[T nd.Float](t testing.TB, c *spmd.Comm, a *nd.NDArray[T], x []T) {
	check := func(op string, got *nd.NDArray[T], want func(at int) T) {
		eachLocal(got, func(at int, v T) {
			if v != want(at) {
				t.Fatalf("%s of %v: element %d is %v, not %v", op, a.Layout(), at, v, want(at))
			}
		})
	}
	same := func(at int) T { return x[at] }
	twice := func(at int) T { return 2 * x[at] }
	root := func(at int) T { return T(math.Sqrt(float64(x[at]))) }
	check("Add", nd.Add(a, a), twice)
	check("Sqrt", nd.Sqrt(a), root)
	check("MulScalar", nd.MulScalar(a, 2), twice)
	check("Sqrt of a transpose", nd.Sqrt(a.T()).T(), root)
	check("Lazy", nd.Lazy(a).Add(a).Sqrt().Eval(), func(at int) T { return T(math.Sqrt(float64(2 * x[at]))) })
	check("Copy", nd.Copy(a), same)
	check("Copy of a transpose", nd.Copy(a.T()).T(), same)
	for axis := nd.None; int(axis) < a.NDim(); axis++ {
		check("Resplit", a.Resplit(axis), same)
	}
	b := nd.Copy(a)
	nd.AddInto(b, b, b)
	check("AddInto the operand", b, twice)
	nd.Lazy(b).Mul(b).Into(b)
	check("Lazy into the operand", b, func(at int) T { return 4 * x[at] * x[at] })
	if n := len(x); a.NDim() == 1 && n > 0 {
		wide := nd.FullLike(nd.Concatenate(0, a, a), T(-1))
		part := wide.Slice(nd.Range(3, 3+n))
		nd.CopyInto(part, a)
		check("CopyInto a slice", part, same)
		nd.AddInto(part, a, a)
		check("AddInto a slice", part, twice)
		check("what lies beside the slice", wide, func(at int) T {
			if at < 3 || at >= 3+n {
				return -1
			}
			return 2 * x[at-3]
		})
		check("Roll", nd.Roll(a, 5), func(at int) T { return x[((at-5)%n+n)%n] })
	}
}
