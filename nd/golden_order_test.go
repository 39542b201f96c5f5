package nd_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/spmd"
)

// orderArray is an array of testdata/order.json; see gen_order.py.
type orderArray struct {
	dtype  string
	shape  nd.Shape
	values any // a slice of the type
}

func (a *orderArray) UnmarshalJSON(text []byte) error {
	var words string
	if err := json.Unmarshal(text, &[]any{&a.dtype, &a.shape, &words}); err != nil {
		return err
	}
	a.values = orderParsers[a.dtype](strings.Fields(words))
	return nil
}

func parser[T nd.Element](words []string) any { return parseAll[T](words) }

var orderParsers = map[string]func([]string) any{
	"bool": parser[bool], "int8": parser[int8], "int32": parser[int32], "int64": parser[int64], "uint8": parser[uint8],
	"float32": parser[float32], "float64": parser[float64], "complex64": parser[complex64], "complex128": parser[complex128],
}

// orderCase is a case of testdata/order.json.
type orderCase struct {
	op, dtype string
	in        []orderArray
	ints      []int
	numbers   []float64
	words     []string
	out       []orderArray
}

func (k *orderCase) UnmarshalJSON(text []byte) error {
	var numbers []string
	err := json.Unmarshal(text, &[]any{&k.op, &k.dtype, &k.in, &k.ints, &numbers, &k.words, &k.out})
	k.numbers = parseAll[float64](numbers)
	return err
}

var orderCases = sync.OnceValue(func() (cases []orderCase) {
	text, err := os.ReadFile("testdata/order.json")
	if err == nil {
		err = json.Unmarshal(text, &cases)
	}
	if err != nil {
		panic(err)
	}
	return cases
})

func TestGoldenOrder(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for i, k := range orderCases() {
			shape := k.in[0].shape
			for turn := range len(testLayouts(c, shape)) {
				// Under the race detector a third of the layouts, each time others,
				// except on 3 ranks.
				if raceEnabled && c.Size() != 3 && (turn+i+c.Size())%3 != 0 {
					continue
				}
				runOrderCase(t, c, &orderRun{orderCase: &k, turn: turn})
			}
		}
	})
}

// orderRun is one run of a case, with its operands in certain layouts.
type orderRun struct {
	*orderCase
	turn int
	used []any // the layouts
}

func (k *orderRun) String() string {
	return fmt.Sprintf("%s of %s %v %v %v %v", k.op, k.dtype, k.used, k.ints, k.numbers, k.words)
}

// operand returns operand i of the case, in the layout whose turn it is.
func operand[T nd.Element](c *spmd.Comm, k *orderRun, i int) *nd.NDArray[T] {
	in := k.in[i]
	layouts := testLayouts(c, in.shape)
	l := layouts[(k.turn*(i+1)+i*c.Size())%len(layouts)]
	if i == 0 {
		l = layouts[k.turn]
	}
	k.used = append(k.used, l)
	x := in.values.([]T)
	a := nd.FromLayout(c, l, func(index []int) T { return x[flat(in.shape, index)] })
	if k.turn%2 == 1 && len(in.shape) > 1 { // with strides
		a = nd.SwapAxes(nd.Copy(nd.SwapAxes(a, 0, -1)), 0, -1)
	}
	return a
}

// wantOrder compares result i of the case.
func wantOrder[T nd.Element](t testing.TB, k *orderRun, i int, got *nd.NDArray[T]) {
	t.Helper()
	if !got.Shape().Equal(k.out[i].shape) {
		t.Fatalf("%v: result %d has shape %v, want %v", k, i, got.Shape(), k.out[i].shape)
	}
	want := k.out[i].values.([]T)
	for j, v := range got.Gather() {
		if !closeTo(v, want[j]) {
			t.Fatalf("%v of %v: element %d of result %d in %v is %v, want %v\n%v\n%v", k, k.in, j, i, got.Layout(), v, want[j], got.Gather(), want)
		}
	}
}

// closeTo reports whether got is want: floats to 12 digits, float32 to 5.
func closeTo[T nd.Element](got, want T) bool {
	if got == want {
		return true
	}
	switch any(got).(type) {
	case float32:
		return near(got, want, 100)
	case float64:
		return near(got, want, 4500)
	case complex64, complex128: // NaN parts are not compared as numbers
		return fmt.Sprint(got) == fmt.Sprint(want)
	}
	return false
}

func runOrderCase(t testing.TB, c *spmd.Comm, k *orderRun) {
	t.Helper()
	switch k.dtype {
	case "bool":
		runOrderElement[bool](t, c, k)
	case "int8":
		runOrderInteger[int8](t, c, k)
	case "int32":
		runOrderInteger[int32](t, c, k)
	case "int64":
		runOrderInteger[int64](t, c, k)
	case "uint8":
		runOrderInteger[uint8](t, c, k)
	case "float32":
		runOrderReal[float32](t, c, k)
	case "float64":
		runOrderReal[float64](t, c, k)
	case "complex64":
		runOrderElement[complex64](t, c, k)
	case "complex128":
		runOrderElement[complex128](t, c, k)
	default:
		t.Fatalf("%v", k)
	}
}

func runOrderInteger[T nd.Integer](t testing.TB, c *spmd.Comm, k *orderRun) {
	t.Helper()
	switch k.op {
	case "bincount":
		wantOrder(t, k, 0, nd.Bincount(operand[T](c, k, 0), k.ints[0]))
	case "bincountweights":
		wantOrder(t, k, 0, nd.BincountWeights(operand[T](c, k, 0), operand[float64](c, k, 1), k.ints[0]))
	default:
		runOrderReal[T](t, c, k)
	}
}

func runOrderReal[T nd.Real](t testing.TB, c *spmd.Comm, k *orderRun) {
	t.Helper()
	two := func(h, e *nd.NDArray[float64]) {
		t.Helper()
		wantOrder(t, k, 0, h)
		wantOrder(t, k, 1, e)
	}
	counts := func(h *nd.NDArray[int64], e *nd.NDArray[float64]) {
		t.Helper()
		wantOrder(t, k, 0, h)
		wantOrder(t, k, 1, e)
	}
	options := func(keep int, axes []int) (opts []nd.Option) {
		if keep == 1 {
			opts = append(opts, nd.KeepDims())
		}
		if len(axes) > 0 {
			opts = append(opts, nd.Over(axes...))
		}
		return opts
	}
	switch a := operand[T](c, k, 0); k.op {
	case "digitize":
		wantOrder(t, k, 0, nd.Digitize(a, operand[T](c, k, 1), k.ints[0] == 1))
	case "bucketize":
		wantOrder(t, k, 0, nd.Bucketize(a, operand[T](c, k, 1), k.ints[0] == 1))
	case "histogram":
		counts(nd.Histogram(a, nd.EqualBins(k.ints[0])))
	case "histogramin":
		counts(nd.Histogram(a, nd.BinsIn(k.ints[0], k.numbers[0], k.numbers[1])))
	case "histogramedges":
		counts(nd.Histogram(a, nd.BinEdges(k.numbers...)))
	case "histogramweights":
		two(nd.HistogramWeights(a, operand[float64](c, k, 1), nd.EqualBins(k.ints[0])))
	case "histogramedgesweights":
		two(nd.HistogramWeights(a, operand[float64](c, k, 1), nd.BinEdges(k.numbers...)))
	case "histogramdensity":
		two(nd.HistogramDensity(a, nil, nd.EqualBins(k.ints[0])))
	case "binedges":
		wantOrder(t, k, 0, nd.HistogramBinEdges(a, nd.BinsBy(k.words[0])))
	case "histogram2d", "histogram2ddensity":
		h, x, y := nd.Histogram2D(a, operand[T](c, k, 1), nd.EqualBins(k.ints[0]), nd.EqualBins(k.ints[1]))
		if k.op == "histogram2ddensity" {
			h, x, y = nd.Histogram2DDensity(a, operand[T](c, k, 1), operand[float64](c, k, 2), nd.EqualBins(k.ints[0]), nd.EqualBins(k.ints[1]))
		}
		two(h, x)
		wantOrder(t, k, 2, y)
	case "histogramdd":
		h, e := nd.HistogramDD(a, nd.EqualBins(k.ints[0]), nd.EqualBins(k.ints[1]), nd.EqualBins(k.ints[2]))
		wantOrder(t, k, 0, h)
		for i, e := range e {
			wantOrder(t, k, i+1, e)
		}
	case "median":
		wantOrder(t, k, 0, nd.Median[float64](a, options(k.ints[0], k.ints[1:])...))
	case "nanmedian":
		wantOrder(t, k, 0, nd.NanMedian[float64](a, options(k.ints[0], k.ints[1:])...))
	case "quantile", "nanquantile":
		one, several := nd.Quantile[float64, T], nd.Quantiles[float64, T]
		if k.op == "nanquantile" {
			one, several = nd.NanQuantile[float64, T], nd.NanQuantiles[float64, T]
		}
		opts := append(options(k.ints[0], k.ints[2:]), nd.Method(k.words[0]))
		if k.ints[1] == 1 {
			wantOrder(t, k, 0, one(a, k.numbers[0], opts...))
		} else {
			wantOrder(t, k, 0, several(a, k.numbers, opts...))
		}
	default:
		k.used = nil
		runOrderElement[T](t, c, k)
	}
}

func runOrderElement[T nd.Element](t testing.TB, c *spmd.Comm, k *orderRun) {
	t.Helper()
	a := operand[T](c, k, 0)
	layout, before := a.Layout(), slices.Clone(a.Local())
	two := func(v *nd.NDArray[T], at *nd.NDArray[int64]) {
		t.Helper()
		wantOrder(t, k, 0, v)
		wantOrder(t, k, 1, at)
	}
	switch k.op {
	case "sort", "sortdescending":
		var opts []nd.SortOption
		if k.op != "sort" {
			opts = append(opts, nd.Descending())
		}
		s := nd.Sort(a, k.ints[0], opts...)
		wantOrder(t, k, 0, s)
		if s.Split() != a.Split() || int(s.Split()) != k.ints[0] && int(s.Split()) != k.ints[0]+a.NDim() && s.Layout() != layout {
			t.Fatalf("%v: the result has %v", k, s.Layout())
		}
		into := nd.ZerosLike(a)
		nd.SortInto(into, a, k.ints[0], opts...)
		wantOrder(t, k, 0, into)
	case "argsort":
		wantOrder(t, k, 0, nd.ArgSort(a, k.ints[0]))
	case "argsortdescending":
		wantOrder(t, k, 0, nd.ArgSort(a, k.ints[0], nd.Descending()))
	case "topk":
		two(nd.TopK(a, k.ints[0], k.ints[1]))
	case "bottomk":
		two(nd.TopK(a, k.ints[0], k.ints[1], nd.Ascending()))
	case "partition":
		// The elements asked for are in place; what is before them is not sorted.
		for _, kth := range k.ints[1:] {
			at := nd.Range(kth, kth+1, 1)
			if kth == -1 {
				at = nd.From(-1)
			}
			items := []nd.Item{at} // the axis is 0
			want := arrayOfCase[T](c, k.out[0]).Slice(items...).Gather()
			p := nd.Partition(a, k.ints[1:], k.ints[0])
			by := nd.TakeAlongAxis(a, nd.ArgPartition(a, k.ints[1:], k.ints[0]), k.ints[0])
			for i, v := range p.Slice(items...).Gather() {
				if w := by.Slice(items...).Gather()[i]; !closeTo(v, want[i]) || !closeTo(w, want[i]) {
					t.Fatalf("%v: element %d is %v and %v, want %v", k, kth, v, w, want[i])
				}
			}
			sorted := nd.Sort(a, k.ints[0]).Gather()
			for i, v := range nd.Sort(p, k.ints[0]).Gather() {
				if !closeTo(v, sorted[i]) {
					t.Fatalf("%v: the elements are not those of the operand", k)
				}
			}
		}
	case "lexsort":
		keys := []*nd.NDArray[T]{a}
		for i := 1; i < len(k.in); i++ {
			keys = append(keys, operand[T](c, k, i))
		}
		wantOrder(t, k, 0, nd.LexSort(k.ints[0], keys...))
	case "unique":
		wantOrder(t, k, 0, nd.Unique(a))
	case "uniqueall":
		u := nd.UniqueAll(a)
		two(u.Values, u.Indices)
		wantOrder(t, k, 2, u.Inverse)
		wantOrder(t, k, 3, u.Counts)
		if u.Inverse.Layout() != layout {
			t.Fatalf("%v: the inverse has %v", k, u.Inverse.Layout())
		}
		if k.turn%2 == 0 {
			two(nd.UniqueIndex(a))
			_, i := nd.UniqueInverse(a)
			wantOrder(t, k, 2, i)
			_, n := nd.UniqueCounts(a)
			wantOrder(t, k, 3, n)
		}
	case "uniqueaxis":
		u := nd.UniqueAxis(a, k.ints[0])
		two(u.Values, u.Indices)
		wantOrder(t, k, 2, u.Inverse)
		wantOrder(t, k, 3, u.Counts)
	case "union":
		wantOrder(t, k, 0, nd.Union1D(a, operand[T](c, k, 1)))
	case "intersect":
		wantOrder(t, k, 0, nd.Intersect1D(a, operand[T](c, k, 1)))
	case "setdiff":
		wantOrder(t, k, 0, nd.SetDiff1D(a, operand[T](c, k, 1)))
	case "setxor":
		wantOrder(t, k, 0, nd.SetXor1D(a, operand[T](c, k, 1)))
	case "isin":
		wantOrder(t, k, 0, nd.IsIn(a, operand[T](c, k, 1)))
	default:
		t.Fatalf("unknown operation %v", k)
	}
	for i, v := range a.Local() {
		if a.Layout() != layout || !closeTo(v, before[i]) {
			t.Fatalf("%v: the operand changed", k)
		}
	}
}

func arrayOfCase[T nd.Element](c *spmd.Comm, a orderArray) *nd.NDArray[T] {
	return nd.FromSlice(c, a.values.([]T), a.shape, -1)
}
