package linalg_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// The operands' shapes; every rank count meets some with fewer rows than ranks.
var productShapes = [][2]nd.Shape{
	{{3, 4}, {4, 5}},
	{{9, 7}, {7, 2}},
	{{1, 6}, {6, 1}},
	{{5, 1}, {1, 5}},
	{{0, 3}, {3, 4}},
	{{3, 0}, {0, 4}},
	{{2, 3}, {3, 0}},
	{{6, 5}, {5}},
	{{5}, {5, 6}},
	{{8}, {8}},
	{{0}, {0}},
	{{0}, {0, 3}},
	{{17, 33}, {33, 9}},
}

func TestMatMul(t *testing.T) {
	t.Run("float64", testMatMul[float64])
	t.Run("uint16", testMatMul[uint16])
	if krylovRace {
		return // the others run through the same code
	}
	t.Run("float32", testMatMul[float32])
	t.Run("complex128", testMatMul[complex128])
	t.Run("complex64", testMatMul[complex64])
	t.Run("int64", testMatMul[int64])
}

func testMatMul[T nd.Number](t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		n := 0
		for _, s := range productShapes {
			for _, la := range testLayouts(c, s[0]) {
				for _, lb := range testLayouts(c, s[1]) {
					checkMatMul[T](t, c, la, lb, n)
					n++
				}
			}
		}
	})
}

// checkMatMul checks one product; n chooses transposed operands and the
// destination of MatMulInto.
func checkMatMul[T nd.Number](t testing.TB, c *spmd.Comm, la, lb *split.Layout, n int) {
	a, b := array[T](c, la, 1, n%3 == 1), array[T](c, lb, 2, n%2 == 1)
	what := fmt.Sprintf("%v · %v", la, lb)
	wantLayout, err := split.MatMul(la, lb)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	product := bruteForce[T](la.Shape(), lb.Shape())

	var m *nd.NDArray[T]
	got := calls(c, func() { m = linalg.MatMul(a, b) })
	if want := productCalls(la, lb); !maps.Equal(got, want) {
		t.Errorf("%s: communicates %v, want %v", what, got, want)
	}
	if !m.Layout().Equal(wantLayout) || m.Comm() != c {
		t.Errorf("%s: result %v, want %v", what, m.Layout(), wantLayout)
	}
	checkArray(t, what, m, product)

	layouts := testLayouts(c, wantLayout.Shape())
	dst := array[T](c, layouts[n%len(layouts)], 3, n%5 == 1)
	linalg.MatMulInto(dst, a, b)
	checkArray(t, fmt.Sprintf("%s into %v", what, dst.Layout()), dst, product)
	checkArray(t, "left operand of "+what, a, func(i []int) T { return at[T](1, i) })
	checkArray(t, "right operand of "+what, b, func(i []int) T { return at[T](2, i) })
	if !a.Layout().Equal(la) || !b.Layout().Equal(lb) {
		t.Errorf("%s: operands became %v and %v", what, a.Layout(), b.Layout())
	}
}

// bruteForce returns the elements of the product of test arrays 1 and 2.
func bruteForce[T nd.Number](sa, sb nd.Shape) func(index []int) T {
	left := func(i, l int) T { return value[T](1, i, l) }
	if len(sa) == 1 {
		left = func(_, l int) T { return value[T](1, l, 0) }
	}
	return func(index []int) (sum T) {
		i, j := 0, 0
		if len(sa) == 2 {
			i = index[0]
		}
		if len(sb) == 2 {
			j = index[len(index)-1]
		}
		for l := range sb[0] {
			sum += left(i, l) * value[T](2, l, j)
		}
		return sum
	}
}

// productCalls returns what a product of these layouts is to communicate.
func productCalls(a, b *split.Layout) map[string]int64 {
	want := map[string]int64{}
	vectors := len(a.Shape()) == 1 && len(b.Shape()) == 1
	if a.Ranks() == 1 {
		if vectors && !(a.Replicated() && b.Replicated()) {
			want["allreduce"] = 1
		}
		return want
	}
	rows := len(a.Shape()) == 2
	inner := split.Axis(len(a.Shape()) - 1)
	switch {
	case a.Axis() != inner && b.Axis() != 0: // rows of a, columns of b
		if !a.Replicated() && b.Axis() == 1 {
			want["allgatherv"] = 1
		}
	case a.Axis() == 0 && rows && b.Axis() == 0, a.Axis() == inner && b.Axis() == 1:
		want["allgatherv"] = 1
	default:
		if a.Axis() == inner && b.Axis() == 0 && !slices.Equal(a.Counts(), b.Counts()) {
			want["alltoallv"] = 1
		}
		if rows {
			want["reducescatter"] = 1
		} else {
			want["allreduce"] = 1
		}
	}
	return want
}

// TestMatMulIntoOperand: the destination may be an operand, and a part of one.
func TestMatMulIntoOperand(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		square := bruteForce[float64](nd.Shape{6, 6}, nd.Shape{6, 6})
		for _, l := range testLayouts(c, nd.Shape{6, 6}) {
			a, b := array[float64](c, l, 1, false), array[float64](c, l, 2, false)
			linalg.MatMulInto(a, a, b)
			checkArray(t, fmt.Sprintf("a = a·b, %v", l), a, square)
			a = array[float64](c, l, 1, false)
			linalg.MatMulInto(b, a, b)
			checkArray(t, fmt.Sprintf("b = a·b, %v", l), b, square)
		}
	})
}

// TestMatMulViews: slices with steps of either sign, which BLAS cannot read in place.
func TestMatMulViews(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, axis := range []split.Axis{split.None, 0} {
			whole := array[float64](c, split.Block(nd.Shape{12, 9}, axis, c.Size()), 1, false)
			b := array[float64](c, split.Block(nd.Shape{4, 3}, split.None, c.Size()), 2, false)
			for _, cols := range []nd.Item{nd.Range(1, 9, 2), nd.Range(2, 6, 1), nd.Range(8, 0, -2)} {
				a := whole.Slice(nd.Range(2, 11, 3), cols)
				checkArray(t, "view", linalg.MatMul(a, b), func(index []int) (sum float64) {
					for l := range 4 {
						j := map[nd.Item]int{nd.Range(1, 9, 2): 1 + 2*l, nd.Range(2, 6, 1): 2 + l, nd.Range(8, 0, -2): 8 - 2*l}[cols]
						sum += value[float64](1, 2+3*index[0], j) * value[float64](2, l, index[1])
					}
					return sum
				})
			}
		}
	})
}

// TestMatMulParallel: products large enough to be split over workers.
func TestMatMulParallel(t *testing.T) {
	t.Run("complex128", testMatMulLarge[complex128])
	t.Run("int64", testMatMulLarge[int64])
	t.Run("float64", testMatMulLarge[float64])
}

func testMatMulLarge[T nd.Number](t *testing.T) {
	spmdtest.Run(t, 1, func(c *spmd.Comm) {
		for _, s := range [][2]nd.Shape{{{150, 140}, {140, 150}}, {{700, 300}, {300}}, {{300}, {300, 700}}} {
			a := array[T](c, split.Block(s[0], 0, 1), 1, false)
			b := array[T](c, split.Block(s[1], 0, 1), 2, true)
			checkArray(t, fmt.Sprint(s), linalg.MatMul(a, b), bruteForce[T](s[0], s[1]))
		}
	})
}

// TestMatMulStaleNaN: what a destination held before does not matter.
func TestMatMulStaleNaN(t *testing.T) {
	t.Run("float64", testStaleNaN[float64])
	t.Run("float32", testStaleNaN[float32])
	t.Run("complex128", testStaleNaN[complex128])
}

func testStaleNaN[T nd.Inexact](t *testing.T) {
	spmdtest.Run(t, 1, func(c *spmd.Comm) {
		for _, s := range [][2]nd.Shape{{{3, 4}, {4, 5}}, {{3, 4}, {4}}, {{3, 0}, {0, 2}}} {
			for _, transposed := range []bool{false, true} {
				a, b := array[T](c, split.Block(s[0], 0, 1), 1, transposed), array[T](c, split.Block(s[1], 0, 1), 2, transposed)
				l, _ := split.MatMul(a.Layout(), b.Layout())
				nan := nd.FromLayout(c, l, func([]int) (v T) { return v / v })
				linalg.MatMulInto(nan, a, b)
				checkArray(t, fmt.Sprint(s), nan, bruteForce[T](s[0], s[1]))
			}
		}
	})
}

// TestMatMulIsOne is heat #871: a matrix with one row or column a rank.
func TestMatMulIsOne(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, axis := range []split.Axis{0, 1} {
			m := []float64{5, -3, 2, -3, 2, -1, -3, 2, -2}
			a := nd.FromSlice(c, m, nd.Shape{3, 3}, axis)
			p := linalg.MatMul(a, nd.Eye[float64](c, 3, 3, 0, axis))
			if got := p.Gather(); !slices.Equal(got, m) || p.Split() != axis {
				t.Errorf("split %v: %v split %v, want %v", axis, got, p.Split(), m)
			}
		}
	})
}

// TestMatMulOnGroup is heat #1074: products on parts of the world stay there.
func TestMatMulOnGroup(t *testing.T) {
	spmdtest.Run(t, 4, func(c *spmd.Comm) {
		group := c.Split(c.Rank()%2, c.Rank())
		before := c.Stats()
		// Only one of the groups multiplies: anything on the world would hang.
		if c.Rank()%2 == 0 {
			for _, la := range testLayouts(group, nd.Shape{4, 4}) {
				for _, lb := range testLayouts(group, nd.Shape{4, 4}) {
					checkMatMul[float64](t, group, la, lb, 0)
				}
			}
		} else if d := c.Stats().Sub(before); len(d) > 0 {
			t.Errorf("idle ranks communicate: %v", d)
		}
		c.Barrier()
	})
}

func TestMatMulMisuse(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		zeros := func(axis split.Axis, shape ...int) *nd.NDArray[float64] { return nd.Zeros[float64](c, shape, axis) }
		other := c.Dup()
		defer other.Free()
		for want, f := range map[string]func(){
			"linalg.MatMul at":     func() { linalg.MatMul(zeros(0, 3, 4), zeros(1, 5, 3)) },
			"(3, 4) split 0":       func() { linalg.MatMul(zeros(0, 3, 4), zeros(1, 5, 3)) },
			"(5, 3) split 1":       func() { linalg.MatMul(zeros(0, 3, 4), zeros(1, 5, 3)) },
			"4 columns against 5":  func() { linalg.MatMul(zeros(0, 3, 4), zeros(1, 5, 3)) },
			"no matrix product":    func() { linalg.MatMul(zeros(0, 3, 4), zeros(split.None)) },
			"(2, 3, 4)":            func() { linalg.MatMul(zeros(0, 2, 3, 4), zeros(0, 5, 2)) },
			"the destination":      func() { linalg.MatMulInto(zeros(0, 3, 3), zeros(0, 3, 4), zeros(0, 4, 2)) },
			"linalg.MatMulInto at": func() { linalg.MatMulInto(zeros(0, 3, 3), zeros(0, 3, 4), zeros(0, 4, 2)) },
			"communicators":        func() { linalg.MatMul(zeros(0, 2, 2), nd.Zeros[float64](other, nd.Shape{2, 2}, 0)) },
		} {
			if err := nd.Try(f); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v does not say %q", err, want)
			}
		}
	})
}

// TestProductAllocations: a matrix operator has its workspace after the first product.
func TestProductAllocations(t *testing.T) {
	spmdtest.Run(t, 1, func(c *spmd.Comm) {
		a := array[float64](c, split.Block(nd.Shape{50, 50}, 0, 1), 1, false)
		x, y := nd.Ones[float64](c, nd.Shape{50}, 0), nd.Zeros[float64](c, nd.Shape{50}, 0)
		op := linalg.AsOperator(a)
		if n := testing.AllocsPerRun(20, func() { op.Apply(y, x) }); n > 0 {
			t.Errorf("Apply allocates %v times", n)
		}
		if n := testing.AllocsPerRun(20, func() { op.ApplyAdjoint(y, x) }); n > 0 {
			t.Errorf("ApplyAdjoint allocates %v times", n)
		}
	})
}

// TestMatMulNaN: zero times NaN or Inf is NaN, whichever way the operands lie.
func TestMatMulNaN(t *testing.T) {
	t.Run("float64", testMatMulNaN[float64])
	t.Run("float32", testMatMulNaN[float32])
	t.Run("complex128", testMatMulNaN[complex128])
}

func testMatMulNaN[T nd.Inexact](t *testing.T) {
	spmdtest.Run(t, 1, func(c *spmd.Comm) {
		for _, n := range []int{1, 3, 70} {
			for way := range 4 {
				square := func(transposed bool, f func(i []int) T) *nd.NDArray[T] {
					a := nd.FromFunc(c, nd.Shape{n, n}, 0, f)
					if transposed {
						return a.T()
					}
					return a
				}
				bad := func(i []int) T { return number[T](math.Inf(i[0]%2), 0) - number[T](math.Inf(i[1]%2), 0) }
				zero := square(way%2 == 1, func([]int) T { return 0 })
				nan := square(way > 1, bad)
				line := zero.Slice(nd.Index(0))
				for name, m := range map[string]*nd.NDArray[T]{
					"zero·nan":   linalg.MatMul(zero, nan),
					"nan·zero":   linalg.MatMul(nan, zero),
					"vector·nan": linalg.MatMul(line, nan),
					"nan·vector": linalg.MatMul(nan, line),
				} {
					for _, v := range m.Local() {
						if v == v {
							t.Errorf("%s, %d × %d, way %d: %v", name, n, n, way, v)
							break
						}
					}
				}
			}
		}
	})
}
