package nd_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/spmd"
)

// goldenReductions is testdata/reductions.txt, which says how it is written.
type goldenReductions struct {
	arrays  map[string]map[string][]string // by type and name
	results map[string][]goldenReduction   // by operation and type
}

type goldenReduction struct {
	array, to string
	axes      []int
	values    []string
}

// reducedShape is the shape of the arrays.
var reducedShape = nd.Shape{2, 2, 3}

func readReductions(t *testing.T) *goldenReductions {
	text, err := os.ReadFile("testdata/reductions.txt")
	if err != nil {
		t.Fatal(err)
	}
	g := &goldenReductions{map[string]map[string][]string{}, map[string][]goldenReduction{}}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if f[0] == "array" {
			if g.arrays[f[2]] == nil {
				g.arrays[f[2]] = map[string][]string{}
			}
			g.arrays[f[2]][f[1]] = f[3:]
			continue
		}
		key := f[0] + " of " + f[1]
		g.results[key] = append(g.results[key], goldenReduction{f[2], f[4], parseAxes(t, f[3]), f[5:]})
	}
	return g
}

func parseAxes(t *testing.T, over string) []int {
	switch over {
	case "all":
		return nil
	case "none":
		return []int{}
	}
	var axes []int
	for word := range strings.SplitSeq(over, ",") {
		k, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		axes = append(axes, k)
	}
	return axes
}

// goldenReducer compares reductions with NumPy's.
type goldenReducer struct {
	t    testing.TB
	c    *spmd.Comm
	g    *goldenReductions
	done *sync.Map // the operations that were compared
}

func TestReductionsAreNumPys(t *testing.T) {
	g := readReductions(t)
	var done sync.Map
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		k := &goldenReducer{t, c, g, &done}
		reduceElement[bool](k)
		reduceInteger[int8](k)
		reduceInteger[int16](k)
		reduceInteger[int32](k)
		reduceInteger[int64](k)
		reduceUnsigned[uint8](k)
		reduceUnsigned[uint16](k)
		reduceUnsigned[uint32](k)
		reduceUnsigned[uint64](k)
		reduceReal[float32](k)
		reduceReal[float64](k)
		reduceComplex[complex64](k)
		reduceComplex[complex128](k)
	})
	for name := range g.results {
		if _, ok := done.Load(name); !ok {
			t.Errorf("%s is not compared", name)
		}
	}
}

// compare checks op on every array of type T that there are results of, each time
// in some of the layouts in turn. Where sums or products are rounded they may differ in the last places,
// by the order of the operations.
func compare[T, R nd.Element](k *goldenReducer, name string, op func(*nd.NDArray[T], ...nd.Option) *nd.NDArray[R], ulps float64) {
	k.t.Helper()
	of, to := fmt.Sprintf("%T", *new(T)), fmt.Sprintf("%T", *new(R))
	arrays := map[string][]*nd.NDArray[T]{}
	for key, words := range k.g.arrays[of] {
		x := parseAll[T](words)
		for _, l := range testLayouts(k.c, reducedShape) {
			arrays[key] = append(arrays[key], nd.FromLayout(k.c, l, func(i []int) T { return x[flat(reducedShape, i)] }))
		}
	}
	results := k.g.results[name+" of "+of]
	if len(results) == 0 {
		k.t.Fatalf("testdata/gen_reductions.py has no %s of %s", name, of)
	}
	k.done.Store(name+" of "+of, true)
	for i, r := range results {
		if r.to != to {
			k.t.Fatalf("%s of %s is %s, want %s", name, of, to, r.to)
		}
		want := parseAll[R](r.values)
		for j, a := range arrays[r.array] {
			if n := len(arrays[r.array]); n > 3 && (i+j)%n%4 != 0 {
				continue
			}
			got := op(a, options(r.axes, i%2 == 1)...)
			eachLocal(got, func(at int, v R) {
				if v != want[at] && !near(v, want[at], ulps) {
					k.t.Errorf("%s of %s %s, %v over %v: result %d is %v, want %v", name, r.array, of, a.Layout(), r.axes, at, v, want[at])
				}
			})
		}
	}
}

const (
	ulpsOfMany = 32
	ulpsOfVar  = 2048 // of numbers that are large beside their deviations
)

func reduceElement[T nd.Element](k *goldenReducer) {
	compare(k, "All", nd.All[T], 0)
	compare(k, "Any", nd.Any[T], 0)
	compare(k, "CountNonzero", nd.CountNonzero[T], 0)
}

func reduceNumber[T nd.Number](k *goldenReducer) {
	reduceElement[T](k)
	compare(k, "Sum", nd.Sum[T], 0)
	compare(k, "Prod", nd.Prod[T], ulpsOfMany)
}

func reduceReal[T nd.Real](k *goldenReducer) {
	reduceNumber[T](k)
	compare(k, "SumAs[float64]", nd.SumAs[float64, T], ulpsOfMany)
	compare(k, "ProdAs[float64]", nd.ProdAs[float64, T], ulpsOfMany)
	compare(k, "Min", nd.Min[T], 0)
	compare(k, "Max", nd.Max[T], 0)
	compare(k, "ArgMin", nd.ArgMin[T], 0)
	compare(k, "ArgMax", nd.ArgMax[T], 0)
	compare(k, "Mean", nd.Mean[float64, T], ulpsOfMany)
	compare(k, "Var", nd.Var[float64, T], ulpsOfVar)
	compare(k, "Var(ddof=1)", func(a *nd.NDArray[T], o ...nd.Option) *nd.NDArray[float64] {
		return nd.Var[float64](a, append(o, nd.DDof(1))...)
	}, ulpsOfVar)
	compare(k, "Std", nd.Std[float64, T], ulpsOfVar)
}

func reduceInteger[T nd.Integer](k *goldenReducer) {
	reduceReal[T](k)
	compare(k, "SumAs[int64]", nd.SumAs[int64, T], 0)
}

func reduceUnsigned[T nd.Integer](k *goldenReducer) {
	reduceInteger[T](k)
	compare(k, "ProdAs[uint64]", nd.ProdAs[uint64, T], 0)
}

func reduceComplex[T nd.Complex](k *goldenReducer) {
	reduceNumber[T](k)
	compare(k, "MeanComplex", nd.MeanComplex[complex128, T], ulpsOfMany)
}
