package nd_test

import (
	"math"
	"slices"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// reduceShapes are the shapes that reductions are tried on.
var reduceShapes = []nd.Shape{{}, {1}, {0}, {5}, {3, 4}, {4, 0}, {1, 9}, {2, 3, 5}, {33, 3}, {3, 40, 2}, {1100}, {18, 35}}

// axesOf returns the sets of axes to reduce an array of n axes over, nil for all.
func axesOf(n int) [][]int {
	sets := [][]int{nil}
	for m := range 1 << n {
		var axes []int
		for k := range n {
			if m>>k&1 == 1 {
				axes = append(axes, k-n*(k%2)) // odd axes as negative numbers
			}
		}
		sets = append(sets, axes)
	}
	return sets
}

func options(axes []int, keep bool) []nd.Option {
	var o []nd.Option
	if axes != nil {
		o = append(o, nd.Over(axes...))
	}
	if keep {
		o = append(o, nd.KeepDims())
	}
	return o
}

// groups returns, for each index of the result of reducing shape over axes (nil
// for all), the elements of x that are reduced together, in C order, and the
// result's shape.
func groups[T any](x []T, shape, axes []int, keep bool) ([][]T, nd.Shape) {
	reduced := make([]bool, len(shape))
	for k := range shape {
		reduced[k] = axes == nil || slices.Contains(axes, k) || slices.Contains(axes, k-len(shape))
	}
	var out, kept nd.Shape
	for k, d := range shape {
		switch {
		case !reduced[k]:
			out, kept = append(out, d), append(kept, d)
		case keep:
			out = append(out, 1)
		}
	}
	g := make([][]T, kept.Size())
	eachIndex(shape, func(index []int) {
		var i []int
		for k := range shape {
			if !reduced[k] {
				i = append(i, index[k])
			}
		}
		at := flat(kept, i)
		g[at] = append(g[at], x[flat(shape, index)])
	})
	if out == nil {
		out = nd.Shape{}
	}
	return g, out
}

// checkReduction tries op on every layout of every shape, also on transposed and
// strided views, against ref on each group of elements.
func checkReduction[T, R nd.Element](t testing.TB, c *spmd.Comm, name string, value func(i int) T,
	op func(*nd.NDArray[T], ...nd.Option) *nd.NDArray[R], ref func([]T) R, needsSome bool, same func(a, b R) bool) {
	for _, shape := range reduceShapes {
		x := make([]T, shape.Size())
		for i := range x {
			x[i] = value(i)
		}
		var arrays []*nd.NDArray[T]
		for _, l := range testLayouts(c, shape) {
			arrays = append(arrays, nd.FromLayout(c, l, func(index []int) T { return x[flat(shape, index)] }))
		}
		checkGroups(t, name, arrays, x, op, ref, needsSome, same)
		for _, kind := range sortedKeys(reduceViews) {
			var views []*nd.NDArray[T]
			for _, a := range arrays {
				if axis := reduceViews[kind].unsplit; len(shape) > 1 && (axis < 0 || int(a.Split()) != axis*(len(shape)-1)) {
					views = append(views, viewed(a, kind))
				}
			}
			if len(views) > 0 {
				checkGroups(t, name+" of "+kind, views, views[0].Gather(), op, ref, needsSome, same)
			}
		}
		for _, a := range arrays {
			eachLocal(a, func(at int, v T) {
				if v != x[at] && (v == v || x[at] == x[at]) {
					t.Fatalf("%s changed its operand %v", name, a.Layout())
				}
			})
		}
	}
}

// reduceViews are the views that reductions are tried on: what they slice, and
// the axis that must not be split, 0 the first, 1 the last, -1 none.
var reduceViews = map[string]struct {
	items   []nd.Item
	unsplit int
}{
	"the transpose":                {nil, -1},
	"the lower rows":               {[]nd.Item{nd.From(1)}, -1},
	"reversed rows":                {[]nd.Item{nd.Range(nd.Open, nd.Open, -1)}, 0},
	"every second column reversed": {[]nd.Item{nd.Ellipsis(), nd.Range(nd.Open, nd.Open, -2)}, 1},
}

func viewed[T nd.Element](a *nd.NDArray[T], kind string) *nd.NDArray[T] {
	if items := reduceViews[kind].items; items != nil {
		return a.Slice(items...)
	}
	return a.T()
}

// checkGroups compares reductions of arrays, all of the elements x but in different
// layouts, with ref of the elements that are reduced together, over every set of axes.
func checkGroups[T, R nd.Element](t testing.TB, name string, arrays []*nd.NDArray[T], x []T,
	op func(*nd.NDArray[T], ...nd.Option) *nd.NDArray[R], ref func([]T) R, needsSome bool, same func(a, b R) bool) {
	shape := arrays[0].Shape()
	for _, axes := range axesOf(len(shape)) {
		g, _ := groups(x, shape, axes, false)
		if needsSome && len(g) > 0 && len(g[0]) == 0 {
			if err := nd.Try(func() { op(arrays[0], options(axes, false)...) }); err == nil {
				t.Fatalf("%s of %v over %v: no error for no elements", name, shape, axes)
			}
			continue
		}
		want := make([]R, len(g))
		for i := range g {
			want[i] = ref(g[i])
		}
		for i, a := range arrays {
			keep := (i+len(axes))%2 == 1
			l := a.Layout()
			before := a.Comm().Stats()
			got := op(a, options(axes, keep)...)
			calls := a.Comm().Stats().Sub(before)
			layout, across := split.Reduce(l, normal(axes, len(shape)), keep)
			if n := calls.Total().Calls; across && (n != 1 || calls["allreduce"].Calls != 1) || !across && n != 0 {
				t.Fatalf("%s of %v over %v communicated %v", name, l, axes, calls)
			}
			if !got.Layout().Equal(layout) {
				t.Fatalf("%s of %v over %v keep %v has layout %v, want %v", name, l, axes, keep, got.Layout(), layout)
			}
			eachLocal(got, func(at int, v R) {
				if !same(v, want[at]) {
					t.Fatalf("%s of %v over %v keep %v: result %d is %v, want %v", name, l, axes, keep, at, v, want[at])
				}
			})
		}
	}
}

func normal(axes []int, n int) []int {
	var out []int
	for k := range n {
		if axes == nil || slices.Contains(axes, k) || slices.Contains(axes, k-n) {
			out = append(out, k)
		}
	}
	return out
}

func equal[T comparable](a, b T) bool { return a == b }

func close12(a, b float64) bool {
	return a == b || a != a && b != b || math.Abs(a-b) <= 1e-12*max(math.Abs(a), math.Abs(b), 1)
}

func value64(i int) float64 { return math.Sin(float64(3*i+1)) * float64(i%7+1) }

func fold[T, A any](first A, f func(A, T) A) func([]T) A {
	return func(x []T) A {
		acc := first
		for _, v := range x {
			acc = f(acc, v)
		}
		return acc
	}
}

func TestSum(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		checkReduction(t, c, "Sum", value64, nd.Sum[float64], fold(0.0, func(s, v float64) float64 { return s + v }), false, close12)
		checkReduction(t, c, "Sum int8", func(i int) int8 { return int8(i * 37) }, nd.Sum[int8],
			fold(int8(0), func(s, v int8) int8 { return s + v }), false, equal)
		checkReduction(t, c, "SumAs int64", func(i int) int8 { return int8(i * 37) }, nd.SumAs[int64, int8],
			fold(int64(0), func(s int64, v int8) int64 { return s + int64(v) }), false, equal)
		checkReduction(t, c, "Sum complex64", func(i int) complex64 { return complex(float32(i%5), float32(i%3)) }, nd.Sum[complex64],
			fold(complex64(0), func(s, v complex64) complex64 { return s + v }), false, equal)
	})
}

func TestProd(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		checkReduction(t, c, "Prod", func(i int) float64 { return 1 + math.Sin(float64(i))/64 }, nd.Prod[float64],
			fold(1.0, func(s, v float64) float64 { return s * v }), false, close12)
		checkReduction(t, c, "Prod uint16", func(i int) uint16 { return uint16(2*i + 1) }, nd.Prod[uint16],
			fold(uint16(1), func(s, v uint16) uint16 { return s * v }), false, equal)
	})
}

func TestMinMax(t *testing.T) {
	withNaN := func(i int) float64 {
		if i%11 == 4 {
			return math.NaN()
		}
		return value64(i)
	}
	sameNaN := func(a, b float64) bool { return a == b || a != a && b != b }
	refMin, refMax := fold(math.Inf(1), func(a, b float64) float64 { return min(a, b) }), fold(math.Inf(-1), func(a, b float64) float64 { return max(a, b) })
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		checkReduction(t, c, "Min", withNaN, nd.Min[float64], refMin, true, sameNaN)
		checkReduction(t, c, "Max", withNaN, nd.Max[float64], refMax, true, sameNaN)
		checkReduction(t, c, "Max uint8", func(i int) uint8 { return uint8(i * 7) }, nd.Max[uint8],
			fold(uint8(0), func(a, b uint8) uint8 { return max(a, b) }), true, equal)
		checkReduction(t, c, "Min int32", func(i int) int32 { return int32(i*i%17 - 8) }, nd.Min[int32],
			fold(int32(math.MaxInt32), func(a, b int32) int32 { return min(a, b) }), true, equal)
	})
}

// argRef returns the index of the first extreme element, NaN before any number.
func argRef(beats func(a, b float64) bool) func([]float64) int64 {
	return func(x []float64) int64 {
		best := 0
		for i, v := range x {
			if x[best] == x[best] && (v != v || beats(v, x[best])) {
				best = i
			}
		}
		return int64(best)
	}
}

func TestArgMinMax(t *testing.T) {
	ties := func(i int) float64 {
		if i%13 == 9 {
			return math.NaN()
		}
		return float64(i * 5 % 7)
	}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, shape := range reduceShapes {
			if shape.Size() == 0 {
				continue
			}
			for _, value := range []func(int) float64{ties, func(i int) float64 { return float64(i * 5 % 7) }} {
				x := make([]float64, shape.Size())
				for i := range x {
					x[i] = value(i)
				}
				for _, l := range testLayouts(c, shape) {
					a := nd.FromLayout(c, l, func(index []int) float64 { return x[flat(shape, index)] })
					sets := [][]int{nil}
					for k := range shape {
						sets = append(sets, []int{k})
					}
					for _, axes := range sets {
						g, _ := groups(x, shape, axes, false)
						for j, v := range nd.ArgMax(a, options(axes, false)...).Gather() {
							if w := argRef(func(a, b float64) bool { return a > b })(g[j]); v != w {
								t.Fatalf("ArgMax of %v over %v: result %d is %v, want %v", l, axes, j, v, w)
							}
						}
						for j, v := range nd.ArgMin(a, options(axes, false)...).Gather() {
							if w := argRef(func(a, b float64) bool { return a < b })(g[j]); v != w {
								t.Fatalf("ArgMin of %v over %v: result %d is %v, want %v", l, axes, j, v, w)
							}
						}
					}
				}
			}
		}
	})
}

func moments(x []float64) (mean, m2 float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		m2 += (v - mean) * (v - mean)
	}
	return mean, m2
}

func TestMeanVarStd(t *testing.T) {
	near := func(a, b float64) bool {
		return a == b || a != a && b != b || math.Abs(a-b) <= 1e-10*max(math.Abs(a), math.Abs(b), 1)
	}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		checkReduction(t, c, "Mean", value64, nd.Mean[float64, float64], func(x []float64) float64 {
			if len(x) == 0 {
				return math.NaN()
			}
			m, _ := moments(x)
			return m
		}, false, close12)
		checkReduction(t, c, "Var", value64, nd.Var[float64, float64], func(x []float64) float64 {
			_, m2 := moments(x)
			return m2 / float64(len(x))
		}, false, near)
		checkReduction(t, c, "Std", value64, func(a *nd.NDArray[float64], o ...nd.Option) *nd.NDArray[float64] {
			return nd.Std[float64](a, append(o, nd.DDof(1))...)
		}, func(x []float64) float64 {
			_, m2 := moments(x)
			return math.Sqrt(m2 / max(float64(len(x))-1, 0))
		}, false, near)
		checkReduction(t, c, "Mean int32 as float32", func(i int) int32 { return int32(i % 8) }, nd.Mean[float32, int32], func(x []int32) float32 {
			s := 0.0
			for _, v := range x {
				s += float64(v)
			}
			return float32(s / float64(len(x)))
		}, false, func(a, b float32) bool { return a == b || a != a && b != b })
	})
}

func TestAllAnyCount(t *testing.T) {
	value := func(i int) int16 { return int16(i % 3) }
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		checkReduction(t, c, "All", value, nd.All[int16], fold(true, func(a bool, v int16) bool { return a && v != 0 }), false, equal)
		checkReduction(t, c, "Any", value, nd.Any[int16], fold(false, func(a bool, v int16) bool { return a || v != 0 }), false, equal)
		checkReduction(t, c, "CountNonzero", value, nd.CountNonzero[int16],
			fold(int64(0), func(n int64, v int16) int64 {
				if v != 0 {
					n++
				}
				return n
			}), false, equal)
	})
}

func TestReduceIntoAllocatesNothing(t *testing.T) {
	spmdtest.Run(t, 1, func(c *spmd.Comm) {
		a := nd.FromFunc(c, nd.Shape{50, 40}, 0, func(i []int) float64 { return value64(i[0]*40 + i[1]) })
		b := nd.FromFunc(c, nd.Shape{50, 40}, 0, func(i []int) float32 { return float32(i[0] - i[1]) })
		view := a.T()
		s, v := nd.Zeros[float64](c, nd.Shape{}, split.None), nd.Zeros[float64](c, nd.Shape{40}, split.None)
		s32 := nd.Zeros[float32](c, nd.Shape{}, split.None)
		at, w := nd.Zeros[int64](c, nd.Shape{50}, 0), nd.Zeros[float64](c, nd.Shape{50}, 0)
		for name, f := range map[string]func(){
			"SumInto":         func() { nd.SumInto(s, a) },
			"SumInto over 0":  func() { nd.SumInto(v, a, nd.Over(0)) },
			"SumInto of T":    func() { nd.SumInto(s, view) },
			"SumInto float32": func() { nd.SumInto(s32, b) },
			"MaxInto":         func() { nd.MaxInto(v, a, nd.Over(0)) },
			"ArgMaxInto":      func() { nd.ArgMaxInto(at, a, nd.Over(1)) },
			"StdInto":         func() { nd.StdInto(w, a, nd.Over(1), nd.DDof(1)) },
			"MeanInto":        func() { nd.MeanInto(s, a) },
		} {
			if n := allocations(f); n > 0 {
				t.Errorf("%s allocates %v times", name, n)
			}
		}
	})
}

func TestReduceIntoOtherLayout(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.FromFunc(c, nd.Shape{6, 5}, 0, func(i []int) float64 { return float64(i[0]*5 + i[1]) })
		want := nd.Sum(a, nd.Over(0)).Gather()
		for _, l := range testLayouts(c, nd.Shape{5}) {
			dst := nd.FromLayout(c, l, func([]int) float64 { return -1 })
			nd.SumInto(dst, a, nd.Over(0))
			if got := dst.Gather(); !slices.Equal(got, want) {
				t.Errorf("into %v: %v, want %v", l, got, want)
			}
		}
	})
}

func TestSumAccuracy(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		const n = 1 << 20
		a := nd.Full(c, nd.Shape{n, 2}, float32(0.1), 0)
		want := float32(float64(float32(0.1)) * n)
		for _, got := range nd.Sum(a, nd.Over(0)).Gather() {
			if got != want {
				t.Errorf("sum of 2^20 times 0.1 is %v, want %v", got, want)
			}
		}
	})
}
