package nd_test

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// kernelShapes are large enough for whole blocks, for tiles of rows, for pieces
// that several workers share, and for a remainder of each.
var kernelShapes = []nd.Shape{{70001}, {1030, 67}, {67, 1030}, {20011, 4}, {3, 24001}, {2, 131, 301}}

// kernelViews are arrays of one shape in different memory.
func kernelViews[T nd.Element](c *spmd.Comm, shape nd.Shape, axis nd.Axis, f func(i int) T) []*nd.NDArray[T] {
	value := func(index []int) T { return f(flat(shape, index)) }
	plain := nd.FromFunc(c, shape, axis, value)
	double := slices.Clone(shape)
	double[len(shape)-1] *= 2
	spaced := nd.FromFunc(c, double, axis, func(index []int) T { return f(flat(double, index) / 2) })
	items := []nd.Item{nd.Ellipsis(), nd.Range(0, nd.Open, 2)}
	if c.Size() > 3 || raceEnabled && c.Size() > 1 {
		return []*nd.NDArray[T]{plain, spaced.Slice(items...)}
	}
	turned := slices.Clone(shape)
	slices.Reverse(turned)
	if axis != split.None {
		axis = nd.Axis(len(shape)-1) - axis
	}
	transposed := nd.FromFunc(c, turned, axis, func(index []int) T {
		at := 0
		for k := len(index) - 1; k >= 0; k-- {
			at = at*turned[k] + index[k]
		}
		return f(at)
	})
	return []*nd.NDArray[T]{plain, spaced.Slice(items...), transposed.T()}
}

// rough is a number that goes up and down with i, with ties.
func rough(i int) float64 { return float64(int32(uint32(i)*2654435761)>>8) / (1 << 20) }

// TestLargeReductions compares reductions of arrays of many blocks with those of
// each group of elements, one after the other.
func TestLargeReductions(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for i, shape := range kernelShapes {
			if c.Size() > 2 && i > 1 || raceEnabled && i > 0 {
				break
			}
			for axis := split.None; int(axis) < len(shape); axis++ {
				checkLarge(t, c, shape, axis, rough)
			}
			checkLarge(t, c, shape, 0, func(i int) float32 { return float32(rough(i)) })
		}
		spoilt := func(i int) float64 {
			switch i % 4099 {
			case 1700:
				return math.NaN()
			case 2:
				return math.Inf(1)
			case 3:
				return math.Copysign(0, -1)
			}
			return rough(i)
		}
		if raceEnabled && c.Size() > 2 {
			return
		}
		checkLarge(t, c, nd.Shape{1030, 67}, 0, spoilt)
		checkLarge(t, c, nd.Shape{67, 1030}, 1, spoilt)
	})
}

func checkLarge[T nd.Float](t testing.TB, c *spmd.Comm, shape nd.Shape, axis nd.Axis, f func(i int) T) {
	values := make([]T, shape.Size())
	for i := range values {
		values[i] = f(i)
	}
	sets := [][]int{nil, {0}}
	if len(shape) > 1 {
		sets = append(sets, []int{len(shape) - 1})
	}
	for v, a := range kernelViews(c, shape, axis, f) {
		for _, axes := range sets {
			g, _ := groups(values, shape, axes, false)
			opts := options(axes, false)
			compareGroups(t, "Sum", v, axes, a, nd.Sum(a, opts...), g, 1e-6, func(x []T) T { return T(sumOfAll(x)) })
			compareGroups(t, "Mean", v, axes, a, nd.Mean[float64](a, opts...), g, 1e-12, meanOfAll)
			compareGroups(t, "Var", v, axes, a, nd.Var[float64](a, opts...), g, 1e-9, func(x []T) float64 {
				m, s := meanOfAll(x), 0.0
				for _, v := range x {
					s += (float64(v) - m) * (float64(v) - m)
				}
				return s / float64(len(x))
			})
			compareGroups(t, "Max", v, axes, a, nd.Max(a, opts...), g, 0, func(x []T) T { return slices.MaxFunc(x, nanLast) })
			compareGroups(t, "Min", v, axes, a, nd.Min(a, opts...), g, 0, func(x []T) T { return slices.MinFunc(x, nanFirst) })
			compareGroups(t, "ArgMax", v, axes, a, nd.ArgMax(a, opts...), g, 0, func(x []T) int64 { return int64(argOfAll(x, nanLast)) })
			compareGroups(t, "ArgMin", v, axes, a, nd.ArgMin(a, opts...), g, 0, func(x []T) int64 {
				return int64(argOfAll(x, func(a, b T) int { return -nanFirst(a, b) }))
			})
			positive := nd.GreaterScalar(a, 0)
			compareGroups(t, "Count", v, axes, a, nd.CountNonzero(positive, opts...), g, 0, func(x []T) int64 {
				n := int64(0)
				for _, v := range x {
					if v > 0 {
						n++
					}
				}
				return n
			})
		}
	}
}

// nanLast and nanFirst order numbers with NaN above or below all others.
func nanLast[T nd.Float](a, b T) int {
	switch {
	case a != a && b != b || a == b:
		return 0
	case a != a || a > b && b == b:
		return 1
	}
	return -1
}

func nanFirst[T nd.Float](a, b T) int {
	if a != a || b != b {
		return -nanLast(a, b)
	}
	return nanLast(a, b)
}

func argOfAll[T nd.Float](x []T, compare func(a, b T) int) int {
	at := 0
	for i, v := range x {
		if compare(v, x[at]) > 0 {
			at = i
		}
	}
	return at
}

func sumOfAll[T nd.Float](x []T) (s float64) {
	for _, v := range x {
		s += float64(v)
	}
	return s
}

func meanOfAll[T nd.Float](x []T) float64 { return sumOfAll(x) / float64(len(x)) }

func compareGroups[T nd.Float, R float32 | float64 | int64](t testing.TB, name string, view int, axes []int, a *nd.NDArray[T], got *nd.NDArray[R], g [][]T, tol float64, want func(x []T) R) {
	eachLocal(got, func(at int, v R) {
		w := want(g[at])
		if v == w || v != v && w != w {
			return
		}
		size := 1 + math.Abs(float64(w))
		if name == "Sum" {
			for _, u := range g[at] {
				size += math.Abs(float64(u))
			}
		}
		if d := math.Abs(float64(v) - float64(w)); !(d <= tol*size) {
			t.Fatalf("%s over %v of %v, view %d: result %d is %v, want %v", name, axes, a.Layout(), view, at, v, w)
		}
	})
}

// TestWorkersDoNotMatter checks that sums have the same bits on any number of
// workers.
func TestWorkersDoNotMatter(t *testing.T) {
	spmdtest.Embedded(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	first := map[string]uint64{}
	for _, workers := range []int{1, 2, 3, 8} {
		runtime.GOMAXPROCS(workers)
		spmdtest.Run(t, 1, func(c *spmd.Comm) {
			for _, shape := range kernelShapes {
				for v, a := range kernelViews(c, shape, split.None, rough) {
					for o, opts := range [][]nd.Option{nil, {nd.Over(0)}, {nd.Over(-1)}} {
						for k, r := range []*nd.NDArray[float64]{nd.Sum(a, opts...), nd.Var[float64](a, opts...)} {
							h := uint64(0)
							for _, x := range r.Local() {
								h = h*1099511628211 + math.Float64bits(x)
							}
							key := fmt.Sprint(shape, v, o, k)
							if workers == 1 {
								first[key] = h
							} else if first[key] != h {
								t.Errorf("shape %v, view %d, reduction %d: other bits on %d workers than on 1", shape, v, k, workers)
							}
						}
					}
				}
			}
		})
	}
}

// TestStrips compares elementwise operations on transposed arrays, some of which go
// in strips, with what they compute of each element.
func TestStrips(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, shape := range []nd.Shape{{7, 600}, {9, 640}, {520, 9}, {3, 8, 523}, {1, 11, 1, 517}} {
			if raceEnabled && c.Size() > 3 {
				return
			}
			for axis := split.None; int(axis) < len(shape); axis++ {
				views := kernelViews(c, shape, axis, rough)
				for i, x := range views {
					for j, y := range views {
						got := nd.Mul(x, y)
						check := func(name string, a *nd.NDArray[float64], want func(v float64) float64) {
							eachLocal(a, func(at int, v float64) {
								if w := want(rough(at)); v != w {
									t.Fatalf("%s of views %d and %d of %v: element %d is %v, want %v", name, i, j, a.Layout(), at, v, w)
								}
							})
						}
						check("Mul", got, func(v float64) float64 { return v * v })
						nd.NegInto(got, y)
						check("Neg", got, func(v float64) float64 { return -v })
						nd.CopyInto(got, x)
						check("Copy", got, func(v float64) float64 { return v })
						nd.Axpy(2, y, got)
						check("Axpy", got, func(v float64) float64 { return 3 * v })
						nd.WhereInto(got, nd.GreaterScalar(x, 0), x, nd.Neg(y))
						check("Where", got, math.Abs)
						into := kernelViews(c, shape, axis, func(int) float64 { return 0 })[j]
						nd.MulInto(into, x, y)
						check("MulInto", into, func(v float64) float64 { return v * v })
					}
				}
			}
		}
	})
}

// TestNaNBesideDoesNotMatter checks that a column without NaN has the same sum
// whether another column has one, on any number of workers.
func TestNaNBesideDoesNotMatter(t *testing.T) {
	spmdtest.Embedded(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, workers := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(workers)
		spmdtest.Run(t, 1, func(c *spmd.Comm) {
			a := nd.FromFunc(c, nd.Shape{3000, 33}, nd.None, func(i []int) float64 {
				x := float64(33*i[0] + i[1])
				return math.Sin(1.7*x) * math.Exp(8*math.Cos(x))
			})
			b := nd.Copy(a)
			b.SetSliceScalar(math.NaN(), nd.Index(5), nd.Index(32))
			for name, f := range map[string]func(a *nd.NDArray[float64]) *nd.NDArray[float64]{
				"NanSum": func(a *nd.NDArray[float64]) *nd.NDArray[float64] { return nd.NanSum(a, nd.Over(0)) },
				"NanVar": func(a *nd.NDArray[float64]) *nd.NDArray[float64] { return nd.NanVar[float64](a, nd.Over(0)) },
			} {
				if want, got := f(a).At(0), f(b).At(0); math.Float64bits(want) != math.Float64bits(got) {
					t.Errorf("%s on %d workers: %v, beside a NaN %v", name, workers, want, got)
				}
			}
		})
	}
}
