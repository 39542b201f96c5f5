package nd_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// orderShapes are large enough for every stage of a search for splitters, and
// have few and many lanes along their axes.
var orderShapes = []nd.Shape{{20011}, {6007, 2}, {3, 4001}, {611, 17}, {301, 2, 3}}

// orderKinds are distributions of numbers that are hard to cut evenly.
var orderKinds = []struct {
	name string
	of   func(r *rand.Rand, i int) float64
}{
	{"uniform", func(r *rand.Rand, _ int) float64 { return r.Float64() }},
	{"few values", func(r *rand.Rand, _ int) float64 { return float64(r.IntN(3)) }},
	{"one value", func(*rand.Rand, int) float64 { return 7 }},
	{"sorted", func(_ *rand.Rand, i int) float64 { return float64(i) }},
	{"reversed", func(_ *rand.Rand, i int) float64 { return -float64(i) }},
	{"skewed", func(r *rand.Rand, _ int) float64 { return math.Exp(100 * r.NormFloat64()) }},
	{"NaN", func(r *rand.Rand, i int) float64 {
		if i%3 == 0 {
			return math.NaN()
		}
		return r.NormFloat64()
	}},
}

// lastNaN orders numbers as Sort does.
func lastNaN(x, y float64) int {
	switch {
	case x != x && y != y:
		return 0
	case x != x:
		return 1
	case y != y:
		return -1
	}
	return cmp.Compare(x, y)
}

// sortedLanes returns the indices that sort x along axis, by a stable sort.
func sortedLanes(x []float64, shape nd.Shape, axis int) []int64 {
	out := make([]int64, len(x))
	inner := nd.Shape(shape[axis+1:]).Size()
	for start := range x {
		if start/inner%shape[axis] != 0 {
			continue
		}
		at := make([]int64, shape[axis])
		for i := range at {
			at[i] = int64(i)
		}
		slices.SortStableFunc(at, func(i, j int64) int { return lastNaN(x[start+int(i)*inner], x[start+int(j)*inner]) })
		for i, j := range at {
			out[start+i*inner] = j
		}
	}
	return out
}

func TestSortLarge(t *testing.T) {
	type reference struct {
		x    []float64
		at   []int64
		axis int
		name string
		nd.Shape
	}
	var refs []reference
	r := rand.New(rand.NewPCG(1, 2))
	for i, shape := range orderShapes {
		for j, k := range orderKinds {
			if i > 0 && (i+j)%3 != 0 {
				continue
			}
			x := make([]float64, shape.Size())
			for p := range x {
				x[p] = k.of(r, p)
			}
			for axis := range shape {
				refs = append(refs, reference{x, sortedLanes(x, shape, axis), axis, k.name, shape})
			}
		}
	}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for i, ref := range refs {
			layouts := testLayouts(c, ref.Shape)
			l := layouts[1+(3*ref.axis+i%3)%(len(layouts)-1)] // mostly along the axis
			a := nd.FromLayout(c, l, func(index []int) float64 { return ref.x[flat(ref.Shape, index)] })
			s, at := nd.Sort(a, ref.axis), nd.ArgSort(a, ref.axis)
			if int(l.Axis()) == ref.axis && !s.Layout().Balanced() || !s.Layout().Equal(at.Layout()) {
				t.Fatalf("%s: %v sorted along %d has %v and %v", ref.name, l, ref.axis, s.Layout(), at.Layout())
			}
			eachLocal(at, func(p int, v int64) {
				if v != ref.at[p] {
					t.Fatalf("%s: %v, index %d of axis %d is %d, want %d", ref.name, l, p, ref.axis, v, ref.at[p])
				}
			})
			inner := nd.Shape(ref.Shape[ref.axis+1:]).Size()
			n := ref.Shape[ref.axis]
			eachLocal(s, func(p int, v float64) {
				from := p - p/inner%n*inner + int(ref.at[p])*inner
				if lastNaN(v, ref.x[from]) != 0 {
					t.Fatalf("%s: %v, element %d of axis %d is %v, want %v", ref.name, l, p, ref.axis, v, ref.x[from])
				}
			})
		}
	})
}

// TestSortManyTypes sorts long vectors of the types that the golden cases have no
// long vectors of.
func TestSortManyTypes(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		sortOfType(t, c, func(r *rand.Rand) bool { return r.IntN(2) == 1 }, func(x, y bool) bool { return !x && y })
		sortOfType(t, c, func(r *rand.Rand) int16 { return int16(r.Uint32()) }, func(x, y int16) bool { return x < y })
		sortOfType(t, c, func(r *rand.Rand) uint16 { return uint16(r.Uint32()) }, func(x, y uint16) bool { return x < y })
		sortOfType(t, c, func(r *rand.Rand) uint32 { return r.Uint32() >> r.IntN(30) }, func(x, y uint32) bool { return x < y })
		sortOfType(t, c, func(r *rand.Rand) uint64 { return r.Uint64() >> r.IntN(60) }, func(x, y uint64) bool { return x < y })
		sortOfType(t, c, func(r *rand.Rand) int8 { return int8(r.Uint32()) }, func(x, y int8) bool { return x < y })
		sortOfType(t, c, func(r *rand.Rand) float32 { return float32(r.NormFloat64()) }, func(x, y float32) bool { return x < y })
		sortOfType(t, c, func(r *rand.Rand) complex64 { return complex(float32(r.IntN(9)), float32(r.NormFloat64())) },
			func(x, y complex64) bool { return real(x) < real(y) || real(x) == real(y) && imag(x) < imag(y) })
		sortOfType(t, c, func(r *rand.Rand) complex128 { return complex(float64(r.IntN(9)), r.NormFloat64()) },
			func(x, y complex128) bool { return real(x) < real(y) || real(x) == real(y) && imag(x) < imag(y) })
	})
}

func sortOfType[T nd.Element](t testing.TB, c *spmd.Comm, of func(r *rand.Rand) T, less func(x, y T) bool) {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	x := make([]T, 4099)
	for i := range x {
		x[i] = of(r)
	}
	want := slices.Clone(x)
	slices.SortFunc(want, func(x, y T) int {
		switch {
		case less(x, y):
			return -1
		case less(y, x):
			return 1
		}
		return 0
	})
	a := nd.FromSlice(c, x, nd.Shape{len(x)}, 0).Slice(nd.From(0))
	checkValues(t, nd.Sort(a, 0), want)
	checkValues(t, nd.TakeFlat(a, nd.ArgSort(a, 0)), want)
	slices.Reverse(want)
	down := nd.Sort(a, 0, nd.Descending())
	checkValues(t, down, want)
	top, at := nd.TopK(a, 50, 0)
	checkValues(t, top, want[:50])
	checkValues(t, nd.TakeFlat(a, at), want[:50])
	slices.Reverse(want)
	values, inverse := nd.UniqueInverse(a)
	checkValues(t, values, slices.Compact(want))
	checkValues(t, nd.TakeFlat(values, inverse), x)
	if s := values.Split(); s != 0 {
		t.Errorf("Unique is split along %v", s)
	}
}

func TestQuantilesLarge(t *testing.T) {
	qs := []float64{0, 0.01, 0.25, 0.5, 0.500001, 0.9, 1}
	r := rand.New(rand.NewPCG(5, 6))
	shape := nd.Shape{4003, 3}
	for _, k := range orderKinds {
		x, lanes := make([]float64, shape.Size()), make([][]float64, shape[1])
		for i := range x {
			x[i] = k.of(r, i)
			lanes[i%len(lanes)] = append(lanes[i%len(lanes)], x[i])
		}
		whole, each := quantilesOf(qs, x), quantilesOf(qs, lanes...)
		medians := quantilesOf([]float64{0.5}, lanes...)
		for j := range lanes {
			if slices.ContainsFunc(lanes[j], func(v float64) bool { return v != v }) {
				medians[j] = math.NaN()
			}
		}
		spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
			for _, l := range testLayouts(c, shape) {
				a := nd.FromLayout(c, l, func(index []int) float64 { return x[flat(shape, index)] })
				checkClose(t, k.name, nd.NanQuantiles[float64](a, qs), whole)
				checkClose(t, k.name+" over 0", nd.NanQuantiles[float64](a, qs, nd.Over(0)), each)
				checkClose(t, k.name+" median", nd.Median[float64](a, nd.Over(0)), medians)
			}
		})
	}
}

func checkClose(t testing.TB, name string, a *nd.NDArray[float64], want []float64) {
	t.Helper()
	for i, v := range a.Gather() {
		if w := want[i]; !near(v, w, 4500) {
			t.Fatalf("%s of %v: element %d is %v, want %v", name, a.Layout(), i, v, w)
		}
	}
}

// quantilesOf returns the quantiles qs of the lanes, those of one q after another,
// leaving out NaN.
func quantilesOf(qs []float64, lanes ...[]float64) (out []float64) {
	for _, q := range qs {
		for _, x := range lanes {
			x = slices.DeleteFunc(slices.Clone(x), func(v float64) bool { return v != v })
			slices.Sort(x)
			if len(x) == 0 {
				out = append(out, math.NaN())
				continue
			}
			at := q * float64(len(x)-1)
			lo := int(at)
			hi, w := min(lo+1, len(x)-1), at-float64(lo)
			out = append(out, x[lo]*(1-w)+x[hi]*w)
		}
	}
	return out
}

// TestQuantileOfManyLanes reduces many short lanes, which are shared out.
func TestQuantileOfManyLanes(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		shape := nd.Shape{15, 40, 3}
		for _, l := range testLayouts(c, shape) {
			a := nd.FromLayout(c, l, func(i []int) int32 { return int32(i[0]*7%15 + 100*i[1] + i[2]) })
			m := nd.Median[float32](a, nd.Over(0))
			want, _ := split.Reduce(l, []int{0}, false)
			if !m.Layout().Equal(want) {
				t.Errorf("median of %v has %v", l, m.Layout())
			}
			eachLocal(m, func(at int, v float32) {
				if w := float32(7 + 100*(at/3) + at%3); v != w {
					t.Fatalf("median %d of %v is %v, want %v", at, l, v, w)
				}
			})
		}
	})
}

// TestOrderOfZeros checks that zeros of either sign are equal, and that sorting
// keeps their signs.
func TestOrderOfZeros(t *testing.T) {
	minus := math.Copysign(0, -1)
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, a := range spread(c, []float64{0, 1, minus, 0, -1, minus}) {
			checkValues(t, nd.ArgSort(a, 0), []int64{4, 0, 2, 3, 5, 1})
			checkValues(t, nd.ArgSort(a, 0, nd.Descending()), []int64{1, 0, 2, 3, 5, 4})
			checkValues(t, nd.SignBit(nd.Sort(a, 0)), []bool{true, true, true, false, false, false})
			checkValues(t, nd.Unique(a), []float64{-1, 0, 1})
			checkValues(t, nd.IsIn(a, nd.Full(c, nd.Shape{1}, minus, 0)), []bool{true, false, true, true, false, true})
		}
		for _, a := range spread(c, []complex128{0, complex(minus, -1), complex(0, -2), complex(minus, 1)}) {
			checkValues(t, nd.ArgSort(a, 0), []int64{2, 1, 0, 3})
		}
	})
}

// TestOrderInto checks the forms that write into an array of any layout.
func TestOrderInto(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		shape := nd.Shape{5, 6}
		a := nd.FromFunc(c, shape, 0, func(i []int) int64 { return int64((7*i[0] + 5*i[1]) % 11) })
		bounds := nd.FromSlice(c, []int64{2, 5, 8}, nd.Shape{3}, 0)
		for _, l := range testLayouts(c, shape) {
			at := nd.FromLayout(c, l, func([]int) int64 { return -1 })
			nd.ArgSortInto(at, a, 0)
			checkValues(t, at, nd.ArgSort(a, 0).Gather())
			nd.DigitizeInto(at, a, bounds, true)
			checkValues(t, at, nd.Digitize(a, bounds, true).Gather())
			nd.SortInto(at, a, 1, nd.Descending())
			checkValues(t, at, nd.Sort(a, 1, nd.Descending()).Gather())
		}
		for _, l := range testLayouts(c, nd.Shape{6}) {
			m := nd.FromLayout(c, l, func([]int) float64 { return -1 })
			nd.MedianInto(m, a, nd.Over(0))
			checkValues(t, m, nd.Median[float64](a, nd.Over(0)).Gather())
			nd.QuantileInto(m, a, 0.3, nd.Over(0))
			checkValues(t, m, nd.Quantile[float64](a, 0.3, nd.Over(0)).Gather())
		}
		if nd.Try(func() { nd.MedianInto(nd.Zeros[float64](c, nd.Shape{5}, 0), a, nd.Over(0)) }) == nil {
			t.Error("a destination of another shape is no error")
		}
	})
}

func TestOrderMistakes(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.Arange[float64](c, 0, 12, 1, 0)
		m := a.Reshape(3, 4)
		n := nd.AsType[int64](a)
		for _, row := range []struct {
			name string
			do   func()
		}{
			{"sort axis", func() { nd.Sort(a, 1) }},
			{"sort 0-d", func() { nd.Sort(nd.Full(c, nd.Shape{}, 1.0, split.None), 0) }},
			{"sort into", func() { nd.SortInto(m, a, 0) }},
			{"partition", func() { nd.Partition(a, []int{12}, 0) }},
			{"topk", func() { nd.TopK(a, 13, 0) }},
			{"topk negative", func() { nd.TopK(a, -1, 0) }},
			{"no keys", func() { nd.LexSort[int8](0) }},
			{"lexsort shapes", func() { nd.LexSort(0, a, m) }},
			{"quantile", func() { nd.Quantile[float64](a, 1.5) }},
			{"percentile", func() { nd.Percentile[float64](a, -1) }},
			{"nan quantile", func() { nd.Quantile[float64](a, math.NaN()) }},
			{"method", func() { nd.Quantile[float64](a, 0.5, nd.Method("middle")) }},
			{"quantile axis", func() { nd.Median[float64](a, nd.Over(1)) }},
			{"bincount negative", func() { nd.Bincount(nd.Neg(n), 0) }},
			{"bincount matrix", func() { nd.Bincount(nd.AsType[int64](m), 0) }},
			{"bincount weights", func() { nd.BincountWeights(n, m, 0) }},
			{"bounds", func() { nd.Digitize(a, nd.FromSlice(c, []float64{1, 3, 2}, nd.Shape{3}, 0), false) }},
			{"bounds falling", func() { nd.Bucketize(a, nd.FromSlice(c, []float64{3, 2}, nd.Shape{2}, 0), false) }},
			{"bounds matrix", func() { nd.Digitize(a, m, false) }},
			{"no bins", func() { nd.Histogram(a, nd.EqualBins(0)) }},
			{"falling edges", func() { nd.Histogram(a, nd.BinEdges(1, 0)) }},
			{"one edge", func() { nd.Histogram(a, nd.BinEdges(1)) }},
			{"range", func() { nd.Histogram(a, nd.BinsIn(3, 1, 0)) }},
			{"NaN range", func() { nd.Histogram(nd.Log(nd.Neg(a)), nd.EqualBins(3)) }},
			{"rule", func() { nd.Histogram(a, nd.BinsBy("best")) }},
			{"rule and weights", func() { nd.HistogramWeights(a, a, nd.BinsBy("auto")) }},
			{"weights", func() { nd.HistogramWeights(a, m, nd.EqualBins(3)) }},
			{"points", func() { nd.Histogram2D(a, m, nd.EqualBins(3), nd.EqualBins(3)) }},
			{"columns", func() { nd.HistogramDD(m, nd.EqualBins(3)) }},
		} {
			if err := nd.Try(row.do); err == nil {
				t.Errorf("%s: no error", row.name)
			}
		}
	})
}
