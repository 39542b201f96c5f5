package nd_test

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	words "caloric/internal/misuse"
	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// lazyInput is an array with NaN, infinities and zeros of both signs.
func lazyInput(c *spmd.Comm, l *split.Layout, seed int) *nd.NDArray[float64] {
	special := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0}
	return nd.FromLayout(c, l, func(i []int) float64 {
		k := flat(l.Shape(), i)*7 + seed
		if k%11 < len(special) && k%5 == 0 {
			return special[k%11]
		}
		return float64(k%23)/3 - 3
	})
}

// TestLazyLayouts checks expressions of two arrays of every pair of layouts.
func TestLazyLayouts(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		check := func(what string, err error) {
			t.Helper()
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
		for _, la := range testLayouts(c, nd.Shape{6, 5}) {
			a := lazyInput(c, la, 0)
			column := lazyInput(c, split.Block(nd.Shape{6, 1}, la.Axis(), c.Size()), 2)
			for _, lb := range testLayouts(c, nd.Shape{6, 5}) {
				b := lazyInput(c, lb, 1)
				what := fmt.Sprintf("%v with %v", la, lb)
				x := nd.Lazy(a).Sub(b).Square().Add(nd.Lazy(column).Exp())
				want := nd.Add(nd.Square(nd.Sub(a, b)), nd.Exp(column))
				check(what, lazySameBits(x.Eval(), want))
				for axis := range 2 {
					check(what, lazySameBits(x.Sum(nd.Over(axis)), nd.Sum(want, nd.Over(axis))))
					check(what, lazySameBits(x.ArgMax(nd.Over(axis)), nd.ArgMax(want, nd.Over(axis))))
				}
				mask := nd.Greater(a, b)
				check(what, lazySameBits(x.Sum(nd.OnlyWhere(mask), nd.Initial(1.5)), nd.Sum(want, nd.OnlyWhere(mask), nd.Initial(1.5))))
				check(what, lazySameBits(x.Max(nd.Initial(1.5)), nd.Max(want, nd.Initial(1.5))))
				count := nd.Lazy(a).Less(b).LogicalOr(nd.Lazy(a).IsNaN()).CountNonzero()
				check(what, lazySameBits(count, nd.CountNonzero(nd.LogicalOr(nd.Less(a, b), nd.IsNaN(a)))))
			}
		}
	})
}

// TestLazyTypes checks operations that go from one type to another.
func TestLazyTypes(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		check := func(err error) {
			t.Helper()
			if err != nil {
				t.Error(err)
			}
		}
		for _, l := range testLayouts(c, nd.Shape{7, 3}) {
			a, b := lazyInput(c, l, 0), lazyInput(c, l, 5)
			z := nd.ComplexOf[complex64](a, b)
			n := nd.FromLayout(c, l, func(i []int) int16 { return int16(i[0] - 2*i[1]) })
			check(lazySameBits(nd.LazyComplexOf[complex64](nd.Lazy(a), b).Eval(), z))
			check(lazySameBits(nd.LazyModulus[float32](nd.LazyComplex(z).Square()).AddScalar(1).Eval(), nd.AddScalar(nd.Modulus[float32](nd.Square(z)), 1)))
			check(lazySameBits(nd.LazyRealPart[float64](z).Add(nd.LazyImagPart[float64](z)).Eval(), nd.Add(nd.RealPart[float64](z), nd.ImagPart[float64](z))))
			check(lazySameBits(nd.LazyAngle[float64](nd.LazyComplex(z)).Eval(), nd.Angle[float64](z)))
			check(lazySameBits(nd.LazyAs[float64](nd.LazyInteger(n).Abs()).Sqrt().Mul(a).Eval(), nd.Mul(nd.Sqrt(nd.AsType[float64](nd.Abs(n))), a)))
			check(lazySameBits(nd.LazyAsInteger[int8](n).Eval(), nd.AsType[int8](n)))
			check(lazySameBits(nd.LazyAsComplex[complex128](a).Conj().Eval(), nd.Conj(nd.AsType[complex128](a))))
			check(lazySameBits(nd.Lazy(a).Clip(-1, 2).Eval(), nd.Clip(a, -1, 2)))
			check(lazySameBits(nd.LazyInteger(n).Mean(nd.Over(0)), nd.Mean[float64](n, nd.Over(0))))
			mask := nd.LazyBool(nd.Greater(a, b)).BitXor(nd.Lazy(a).SignBit())
			check(lazySameBits(mask.Eval(), nd.BitXor(nd.Greater(a, b), nd.SignBit(a))))
			check(lazySameBits(nd.LazyInteger(n).Where(mask.BitNot(), n).Eval(), n))
			check(lazySameBits(nd.Lazy(a).Eval(), a))
			check(lazySameBits(nd.Lazy(a).Prod(), nd.Prod(a)))
		}
	})
}

// TestLazyReadsWhenEvaluated checks that an expression sees what its arrays hold
// when it is evaluated, and that a part used twice is computed once.
func TestLazyReadsWhenEvaluated(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.Ones[float64](c, nd.Shape{9}, 0)
		row := nd.Ones[float64](c, nd.Shape{1}, split.None)
		x := nd.Lazy(a).Exp()
		y := x.Mul(x).Add(nd.Lazy(row).MulScalar(2))
		for i := range 3 {
			nd.CopyInto(a, nd.Full(c, nd.Shape{}, float64(i), split.None))
			nd.CopyInto(row, nd.Full(c, nd.Shape{}, float64(-i), split.None))
			e := nd.Exp(a)
			if err := lazySameBits(y.Eval(), nd.Add(nd.Mul(e, e), nd.MulScalar(row, 2))); err != nil {
				t.Error(err)
			}
		}
	})
}

// TestLazyOverlap evaluates into views that share memory with operands.
func TestLazyOverlap(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, l := range testLayouts(c, nd.Shape{6, 6}) {
			for _, name := range sortedKeys(views(lazyInput(c, l, 0))) {
				a := lazyInput(c, l, 0)
				pair, ok := views(a)[name]
				if !ok || !pair[0].Shape().Equal(pair[1].Shape()) && name != "a row" && name != "a column" {
					continue
				}
				dst, x := pair[0], pair[1]
				want := nd.Copy(dst)
				nd.CopyInto(want, nd.Add(nd.Square(x), x))
				if err := nd.Try(func() { nd.Lazy(x).Square().Add(x).Into(dst) }); err != nil {
					if nd.Try(func() { nd.CopyInto(dst, x) }) == nil {
						t.Errorf("%s: %v", name, err)
					}
					continue
				}
				wantSameFloats(t, name, nd.Copy(dst), want)
			}
		}
	})
}

func wantSameFloats(t testing.TB, name string, got, want *nd.NDArray[float64]) {
	t.Helper()
	if err := lazySameBits(got, want); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

// TestLazyWorkers checks large expressions, which several workers share.
func TestLazyWorkers(t *testing.T) {
	spmdtest.Embedded(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	spmdtest.Run(t, 1, func(c *spmd.Comm) {
		for _, shape := range []nd.Shape{{300007}, {3, 70000}, {70000, 3}, {257, 513}, {40, 50, 60}} {
			l := split.Block(shape, split.None, 1)
			a, b := lazyInput(c, l, 0), nd.Abs(lazyInput(c, l, 4))
			x := nd.Lazy(a).Mul(b).Add(a)
			want := nd.Add(nd.Mul(a, b), a)
			wantSameFloats(t, fmt.Sprint("Eval of ", shape), x.Eval(), want)
			y := nd.Lazy(b).Sqrt()
			root := nd.Sqrt(b)
			wantSameFloats(t, fmt.Sprint("Sum of ", shape), y.Sum(), nd.Sum(root))
			for axis := range shape {
				wantSameFloats(t, fmt.Sprint("Sum of ", shape, " over ", axis), y.Sum(nd.Over(axis)), nd.Sum(root, nd.Over(axis)))
				wantSameFloats(t, fmt.Sprint("Std of ", shape, " over ", axis), y.Std(nd.Over(axis)), nd.Std[float64](root, nd.Over(axis)))
			}
			transposed := lazyInput(c, split.Block(nd.Copy(a.T()).Shape(), split.None, 1), 3).T()
			wantSameFloats(t, fmt.Sprint("Eval with a view of ", shape), x.Sub(transposed).Eval(), nd.Sub(want, transposed))
		}
	})
}

// TestLazyAllocations checks that a second evaluation allocates nothing.
func TestLazyAllocations(t *testing.T) {
	spmdtest.Run(t, 1, func(c *spmd.Comm) {
		for _, n := range []int{1, 100, 5000} {
			a, b := nd.Ones[float64](c, nd.Shape{n, 3}, 0), nd.Ones[float64](c, nd.Shape{n, 3}, 0)
			row := nd.Ones[float64](c, nd.Shape{3}, split.None)
			sum, rows, columns := nd.Zeros[float64](c, nd.Shape{}, split.None), nd.Sum(a, nd.Over(1)), nd.Sum(a, nd.Over(0))
			x := nd.Lazy(a).Mul(b).Add(a).SubScalar(2)
			y := x.Mul(nd.Lazy(row).Exp())
			view := nd.Zeros[float64](c, nd.Shape{n, 6}, 0).Slice(nd.Whole(), nd.Range(nd.Open, nd.Open, 2))
			over0, over1 := nd.Over(0), nd.Over(1)
			for _, m := range []struct {
				name string
				do   func()
			}{
				{"Into", func() { x.Into(b) }},
				{"Into a view", func() { x.Into(view) }},
				{"with a row", func() { y.Into(b) }},
				{"into an operand", func() { y.Into(a) }},
				{"Sum", func() { x.SumInto(sum) }},
				{"Sum of columns", func() { y.SumInto(columns, over0) }},
				{"Sum of rows", func() { y.SumInto(rows, over1) }},
				{"Max", func() { y.MaxInto(sum) }},
				{"Mean", func() { y.MeanInto(sum) }},
				{"Var", func() { y.VarInto(sum) }},
			} {
				if got := allocations(m.do); got != 0 {
					t.Errorf("%s of %d rows allocates %v times", m.name, n, got)
				}
			}
		}
	})
}

// TestLazyMisuse checks the messages: a mistake in an operation is found when it is
// made, one in an evaluation then, and each names the method.
func TestLazyMisuse(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a, b := nd.Zeros[float64](c, nd.Shape{3, 4}, 0), nd.Zeros[float64](c, nd.Shape{5}, split.None)
		other := nd.Zeros[float64](c.Dup(), nd.Shape{3, 4}, 0)
		n, z := nd.Zeros[int64](c, nd.Shape{0}, 0), nd.Zeros[complex128](c, nd.Shape{2}, 0)
		mask := nd.Zeros[bool](c, nd.Shape{2}, split.None)
		x := nd.Lazy(a).Exp()
		before := c.Stats()
		for _, m := range []misuse{
			{"nd.Expr.Add", func() { nd.Lazy(a).Add(b) }, "shapes (3, 4) split 0 and (5,) replicated do not broadcast"},
			{"nd.Expr.Less", func() { x.Less(nd.Lazy(b)) }, "shapes (3, 4) split 0 and (5,) replicated do not broadcast"},
			{"nd.Expr.Where", func() { x.Where(mask, a) }, "shapes (2,) replicated, (3, 4) split 0 and (3, 4) split 0 do not broadcast"},
			{"nd.Expr.Mul", func() { x.Mul(other) }, "operands on different communicators (" + words.Comms(c, other.Comm()) + ")"},
			{"nd.Expr.Into", func() { x.Into(b) }, "shape (3, 4) split 0 does not broadcast to the destination's (5,) replicated"},
			{"nd.Expr.Into", func() { x.Into(other) }, "operands on different communicators (" + words.Comms(other.Comm(), c) + ")"},
			{"nd.Expr.Sum", func() { x.Sum(nd.Over(2)) }, "axis 2 is out of range for 2 axes"},
			{"nd.Expr.SumInto", func() { x.SumInto(b, nd.Over(0)) }, "the reduction of (3, 4) split 0 has shape (4,), the destination is (5,) replicated"},
			{"nd.IntegerExpr.Max", func() { nd.LazyInteger(n).Neg().Max() }, "no elements to choose from in an array of shape (0,) split 0"},
			{"nd.LazyAs", func() { nd.LazyAs[float64](z) }, "no conversion from complex128 to float64: take RealPart, ImagPart or Modulus"},
		} {
			var e *nd.Error
			if err := nd.Try(m.do); !errors.As(err, &e) || e.Func != m.name || e.Text != m.text || !strings.HasSuffix(e.File, "lazy_cases_test.go") {
				t.Errorf("got\n%v\nwant %s … %s", err, m.name, m.text)
			}
		}
		if n := c.Stats().Sub(before).Total().Calls; n != 0 {
			t.Errorf("mistakes communicate: %d calls", n)
		}
	})
}

// TestLazyCommunication checks that an operand used twice moves once, that only the
// result moves to a destination of another layout, and that the rest is local.
func TestLazyCommunication(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		p := c.Size()
		a, b := lazyInput(c, split.Block(nd.Shape{12, 10}, 0, p), 0), lazyInput(c, split.Block(nd.Shape{12, 10}, 1, p), 1)
		small := lazyInput(c, split.Block(nd.Shape{12, 1}, 0, p), 0)
		columns, sum := nd.ZerosLike[float64](b), nd.Zeros[float64](c, nd.Shape{}, split.None)
		calls := func(f func()) (n int64) {
			before := c.Stats()
			f()
			return c.Stats().Sub(before).Total().Calls
		}
		one := calls(func() { a.Resplit(1) })
		all := calls(func() { nd.SumInto(sum, a) })
		for _, m := range []struct {
			what string
			want int64
			do   func()
		}{
			{"building", 0, func() { nd.Lazy(a).Mul(b).AddScalar(1) }},
			{"aligned operands", 0, func() { nd.Lazy(a).Mul(a).Add(small).Eval() }},
			{"an operand used twice", one, func() { nd.Lazy(a).Mul(b).Add(b).Eval() }},
			{"into another layout", one, func() { nd.Lazy(a).Mul(a).Add(a).Into(columns) }},
			{"a sum", all, func() { nd.Lazy(a).Mul(a).SumInto(sum) }},
			{"a sum of moved operands", one + all, func() { nd.Lazy(a).Mul(b).SumInto(sum) }},
			{"a sum that is local", 0, func() { nd.Lazy(a).Mul(a).Sum(nd.Over(1)) }},
		} {
			if got := calls(m.do); got != m.want {
				t.Errorf("%s: %d calls, want %d", m.what, got, m.want)
			}
		}
	})
}
