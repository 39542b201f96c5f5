package nd_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"sync"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// goldenArray is an array of testdata/indexing.json: [dtype, shape, values].
type goldenArray struct {
	dtype  string
	shape  nd.Shape
	values []float64
}

func (a *goldenArray) UnmarshalJSON(b []byte) error {
	var values []*float64
	if err := json.Unmarshal(b, &[]any{&a.dtype, &a.shape, &values}); err != nil {
		return err
	}
	for _, v := range values {
		if v == nil {
			a.values = append(a.values, math.NaN())
		} else {
			a.values = append(a.values, *v)
		}
	}
	return nil
}

// indexCase is a case of testdata/indexing.json.
type indexCase struct {
	Op, Dtype, Side    string
	A                  goldenArray
	Out                []goldenArray
	Keys, More         []*goldenArray
	Mask, Values       *goldenArray
	Axis               int
	Axes               []int
	Items              []any
	layoutTurn, number int
	layout             *split.Layout
}

// String says which case it is, in which layouts.
func (k *indexCase) String() string {
	return fmt.Sprintf("case %d, %s of %s %v, turn %d", k.number, k.Op, k.Dtype, k.layout, k.layoutTurn)
}

var indexCases = sync.OnceValue(func() []indexCase {
	text, err := os.ReadFile("testdata/indexing.json")
	if err != nil {
		panic(err)
	}
	var cases []indexCase
	if err := json.Unmarshal(text, &cases); err != nil {
		panic(err)
	}
	return cases
})

// elements returns the values of a golden array as elements of type T.
func elements[T nd.Element](g *goldenArray) []T {
	n := g.shape.Size()
	out := make([]T, n)
	for i := range out {
		switch p := any(&out[i]).(type) {
		case *bool:
			*p = g.values[i] != 0
		case *int8:
			*p = int8(g.values[i])
		case *int32:
			*p = int32(g.values[i])
		case *int64:
			*p = int64(g.values[i])
		case *uint8:
			*p = uint8(g.values[i])
		case *float32:
			*p = float32(g.values[i])
		case *float64:
			*p = g.values[i]
		case *complex64:
			*p = complex(float32(g.values[2*i]), float32(g.values[2*i+1]))
		case *complex128:
			*p = complex(g.values[2*i], g.values[2*i+1])
		}
	}
	return out
}

// inLayout returns a golden array in a layout.
func inLayout[T nd.Element](c *spmd.Comm, g *goldenArray, l *split.Layout) *nd.NDArray[T] {
	x := elements[T](g)
	return nd.FromLayout(c, l, func(i []int) T { return x[flat(l.Shape(), i)] })
}

// next returns a golden array in the next of its layouts, in turn.
func next[T nd.Element](c *spmd.Comm, k *indexCase, g *goldenArray) *nd.NDArray[T] {
	layouts := testLayouts(c, g.shape)
	k.layoutTurn += 5
	return inLayout[T](c, g, layouts[k.layoutTurn%len(layouts)])
}

func nextAll[T nd.Element](c *spmd.Comm, k *indexCase, gs []*goldenArray) []*nd.NDArray[T] {
	out := make([]*nd.NDArray[T], len(gs))
	for i, g := range gs {
		if g != nil {
			out[i] = next[T](c, k, g)
		}
	}
	return out
}

// items returns the items of a basic slice.
func (k *indexCase) items() []nd.Item {
	var items []nd.Item
	for _, it := range k.Items {
		switch it := it.(type) {
		case float64:
			items = append(items, nd.Index(int(it)))
		case string:
			if it == "n" {
				items = append(items, nd.NewAxis())
			} else {
				items = append(items, nd.Ellipsis())
			}
		case []any:
			bound := func(v any, open int) int {
				if v == nil {
					return open
				}
				return int(v.(float64))
			}
			items = append(items, nd.Range(bound(it[0], nd.Open), bound(it[1], nd.Open), bound(it[2], 1)))
		}
	}
	return items
}

// checkGolden checks an array against a golden one, NaN included.
// Every rank checks its own part.
func checkGolden[T nd.Element](t testing.TB, what fmt.Stringer, got *nd.NDArray[T], want *goldenArray) {
	t.Helper()
	if !got.Shape().Equal(want.shape) {
		t.Fatalf("%s has shape %v, want %v", what, got.Shape(), want.shape)
	}
	g, w := got.Local(), inLayout[T](got.Comm(), want, got.Layout()).Local()
	if !slices.EqualFunc(g, w, func(x, y T) bool { return x == y || x != x && y != y }) {
		t.Fatalf("%s: rank %d has %v, want %v (result %v)", what, got.Comm().Rank(), g, w, got.Layout())
	}
}

// numbered is what only numbers have.
type numbered[T nd.Element] struct {
	addAt  func(a *nd.NDArray[T], keys []*nd.NDArray[int64], v *nd.NDArray[T])
	search func(a, v *nd.NDArray[T], side nd.Side) *nd.NDArray[int64]
}

func realNumbers[T nd.Real]() numbered[T] { return numbered[T]{nd.AddAt[T], nd.SearchSorted[T]} }

func TestGoldenIndexing(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for i := range indexCases() {
			k := indexCases()[i] // a copy: the layouts' turn is the rank's own
			k.number = i
			switch k.Dtype {
			case "bool":
				runIndexCase(t, c, &k, numbered[bool]{})
			case "int8":
				runIndexCase(t, c, &k, realNumbers[int8]())
			case "int32":
				runIndexCase(t, c, &k, realNumbers[int32]())
			case "int64":
				runIndexCase(t, c, &k, realNumbers[int64]())
			case "uint8":
				runIndexCase(t, c, &k, realNumbers[uint8]())
			case "float32":
				runIndexCase(t, c, &k, realNumbers[float32]())
			case "float64":
				runIndexCase(t, c, &k, realNumbers[float64]())
			case "complex64":
				runIndexCase(t, c, &k, numbered[complex64]{addAt: nd.AddAt[complex64]})
			case "complex128":
				runIndexCase(t, c, &k, numbered[complex128]{addAt: nd.AddAt[complex128]})
			}
		}
	})
}

// runIndexCase runs a case with its array in every layout, and the other operands
// in layouts of theirs in turn.
func runIndexCase[T nd.Element](t testing.TB, c *spmd.Comm, k *indexCase, numbers numbered[T]) {
	for i, l := range testLayouts(c, k.A.shape) {
		k.layoutTurn = k.number + 3*i
		a := inLayout[T](c, &k.A, l)
		k.layout = l
		if i%3 == 2 && a.NDim() > 1 { // a view of other strides
			a = nd.Copy(a.T()).T()
		}
		indexOne(t, c, k, a, numbers)
		if k.Op != "slice" && !a.Layout().Equal(l) {
			t.Fatalf("%s changed the layout to %v", k, a.Layout())
		}
	}
}

func indexOne[T nd.Element](t testing.TB, c *spmd.Comm, k *indexCase, a *nd.NDArray[T], numbers numbered[T]) {
	out := func(got ...*nd.NDArray[T]) {
		for _, g := range got {
			checkGolden(t, k, g, &k.Out[0])
		}
	}
	ints := func(got ...*nd.NDArray[int64]) {
		if len(got) != len(k.Out) {
			t.Fatalf("%s: %d results, want %d", k, len(got), len(k.Out))
		}
		for i, g := range got {
			checkGolden(t, k, g, &k.Out[i])
		}
	}
	keys := func() []*nd.NDArray[int64] { return nextAll[int64](c, k, k.Keys) }
	mask := func() *nd.NDArray[bool] { return next[bool](c, k, k.Mask) }
	values := func() *nd.NDArray[T] { return next[T](c, k, k.Values) }
	axis := split.Axis(k.layoutTurn%2 - 1)
	switch k.Op {
	case "take":
		i := keys()[0]
		out(nd.Take(a, i, k.Axis))
		dst := next[T](c, k, &k.Out[0])
		nd.TakeInto(dst, a, i, k.Axis)
		out(dst)
	case "takeflat":
		i := keys()[0]
		dst := next[T](c, k, &k.Out[0])
		nd.TakeFlatInto(dst, a, i)
		out(nd.TakeFlat(a, i), dst)
	case "takeat":
		i := keys()
		dst := next[T](c, k, &k.Out[0])
		nd.TakeAtInto(dst, a, i...)
		out(nd.TakeAt(a, i...), dst)
	case "setat":
		nd.SetAt(a, keys(), values())
		out(a)
	case "addat":
		numbers.addAt(a, keys(), values())
		out(a)
	case "along":
		i := keys()[0]
		dst := next[T](c, k, &k.Out[0])
		nd.TakeAlongAxisInto(dst, a, i, k.Axis)
		out(nd.TakeAlongAxis(a, i, k.Axis), dst)
	case "putalong":
		nd.PutAlongAxis(a, keys()[0], values(), k.Axis)
		out(a)
	case "put":
		nd.Put(a, keys()[0], values())
		out(a)
	case "mask":
		out(nd.MaskedSelect(a, mask()))
	case "setwhere":
		m, v := mask(), values()
		if v.NDim() == 0 && v.Layout().Replicated() {
			nd.SetWhereScalar(a, m, v.Item())
		} else {
			nd.SetWhere(a, m, v)
		}
		out(a)
	case "place":
		nd.Place(a, mask(), values())
		out(a)
	case "compress":
		out(nd.Compress(mask(), a, k.Axis))
	case "extract":
		out(nd.Extract(mask(), a))
	case "nonzero":
		ints(nd.Nonzero(a)...)
	case "argwhere":
		ints(nd.ArgWhere(a), nd.FlatNonzero(a))
	case "where":
		m, v := mask(), values()
		out(nd.Where(m, a, v))
	case "copyto":
		m, v := mask(), values()
		nd.CopyWhere(a, v, m)
		out(a)
	case "select":
		out(nd.Select(nextAll[bool](c, k, k.Keys), nextAll[T](c, k, k.More), a.Item()))
	case "choose":
		out(nd.Choose(keys()[0], nextAll[T](c, k, k.More)...))
	case "searchsorted":
		side := nd.Left
		if k.Side == "right" {
			side = nd.Right
		}
		ints(numbers.search(a, values(), side))
	case "unravel":
		ints(nd.UnravelIndex(next[int64](c, k, &k.A), k.Axes...)...)
	case "ravelmulti":
		ints(nd.RavelMultiIndex(keys(), k.Axes...))
	case "indices":
		for axis := split.None; int(axis) <= len(k.Axes); axis++ {
			ints(nd.Indices(c, k.Axes, axis))
		}
	case "ix":
		ints(nd.BroadcastTo(nd.Ix(keys()...)[0], 3, 2))
	case "tril":
		ints(nd.TrilIndices(c, k.Axes[0], k.Axes[1], k.Axes[2], axis)...)
	case "triu":
		ints(nd.TriuIndices(c, k.Axes[0], k.Axes[1], k.Axes[2], axis)...)
	case "diagindices":
		ints(nd.DiagIndices(c, k.Axes[0], k.Axes[1], axis)...)
	case "slice":
		out(a.Slice(k.items()...))
	case "setslice":
		a.SetSlice(values(), k.items()...)
		out(a)
	default:
		t.Fatalf("no operation %q", k.Op)
	}
}
