package nd_test

import (
	"encoding/json"
	"math/cmplx"
	"os"
	"reflect"
	"slices"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// convolveCase is a case of testdata/convolve.json: see gen_convolve.py.
type convolveCase struct {
	name, dtype, mode, ends string
	fill                    float64
	axis                    int
	aShape                  []int
	a                       []float64
	kShape                  []int
	k                       []float64
	shape                   []int
	want                    []float64
}

func (c *convolveCase) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&c.name, &c.dtype, &c.mode, &c.ends, &c.fill, &c.axis, &c.aShape, &c.a, &c.kShape, &c.k, &c.shape, &c.want})
}

var convolveModes = map[string]nd.ConvolveMode{"full": nd.ConvFull, "same": nd.ConvSame, "valid": nd.ConvValid}

var convolveEnds = map[string]nd.Ends{"crop": nd.EndsCrop, "fill": nd.EndsFill, "edge": nd.EndsEdge,
	"reflect": nd.EndsReflect, "symmetric": nd.EndsSymmetric, "wrap": nd.EndsWrap}

// convolveNumbers returns x as T: pairs of it if T is complex.
func convolveNumbers[T nd.Number](x []float64) []T {
	var out []T
	v := reflect.ValueOf(new(T)).Elem()
	for i := 0; i < len(x); i++ {
		switch {
		case v.CanInt():
			v.SetInt(int64(x[i]))
		case v.CanUint():
			v.SetUint(uint64(x[i]))
		case v.CanFloat():
			v.SetFloat(x[i])
		default:
			v.SetComplex(complex(x[i], x[i+1]))
			i++
		}
		out = append(out, v.Interface().(T))
	}
	return out
}

// convolveCloseTo reports whether got is want: integers exactly, the others to within tol
// times the largest of want.
func convolveCloseTo[T nd.Number](got, want []T) bool {
	tol := 0.0
	switch any(*new(T)).(type) {
	case float32, complex64:
		tol = 1e-5
	case float64, complex128:
		tol = 1e-12
	default:
		return slices.Equal(got, want)
	}
	if len(got) != len(want) {
		return false
	}
	of := func(x T) complex128 {
		switch v := reflect.ValueOf(x); {
		case v.CanFloat():
			return complex(v.Float(), 0)
		default:
			return v.Complex()
		}
	}
	most := 1.0
	for _, w := range want {
		most = max(most, cmplx.Abs(of(w)))
	}
	for i := range got {
		if !(cmplx.Abs(of(got[i])-of(want[i])) <= tol*most) {
			return false
		}
	}
	return true
}

func runConvolveCase[T nd.Number](t testing.TB, c *spmd.Comm, k *convolveCase, turn int) {
	t.Helper()
	av, kv, want := convolveNumbers[T](k.a), convolveNumbers[T](k.k), convolveNumbers[T](k.want)
	mode, ends := convolveModes[k.mode], convolveEnds[k.ends]
	kLayouts := testLayouts(c, k.kShape)
	for i, l := range testLayouts(c, k.aShape) {
		if raceEnabled && (i+turn)%3 != 0 {
			continue // the race detector takes its time: each case on some of the layouts
		}
		a := nd.FromLayout(c, l, func(index []int) T { return av[flat(k.aShape, index)] })
		v := nd.FromLayout(c, kLayouts[(i+turn)%len(kLayouts)], func(index []int) T { return kv[flat(k.kShape, index)] })
		if len(k.aShape) == 2 && turn%2 == 1 {
			a = nd.Copy(a.T()).T()
		}
		kept := slices.Clone(a.Local())
		before := c.Stats()
		var got *nd.NDArray[T]
		switch k.name {
		case "convolve":
			got = nd.Convolve(a, v, mode)
		case "correlate":
			got = nd.Correlate(a, v, mode)
		case "along":
			got = nd.ConvolveAlong(a, v, k.axis, mode)
		case "convolve2d":
			got = nd.Convolve2D(a, v, mode, ends)
			if k.fill != 0 {
				got = nd.Convolve2DFill(a, v, mode, T(convolveNumbers[T]([]float64{k.fill, 0})[0]))
			}
		case "correlate2d":
			got = nd.Correlate2D(a, v, mode, ends)
			if k.fill != 0 {
				got = nd.Correlate2DFill(a, v, mode, T(convolveNumbers[T]([]float64{k.fill, 0})[0]))
			}
		default:
			t.Fatalf("unknown function %q", k.name)
		}
		calls := c.Stats().Sub(before)
		if !got.Shape().Equal(k.shape) || !got.LocalShape().Equal(got.Layout().LocalShape(c.Rank())) {
			t.Fatalf("%s(%v, %v, %s): layout %v, local shape %v, want shape %v", k.name, a.Layout(), v.Layout(), k.mode, got.Layout(), got.LocalShape(), k.shape)
		}
		if g := got.Gather(); !convolveCloseTo(g, want) {
			t.Fatalf("%s(%v, %v, %s, %s %v) of %s is\n%v, want\n%v", k.name, a.Layout(), v.Layout(), k.mode, k.ends, k.fill, k.dtype, g, want)
		}
		if !slices.Equal(a.Local(), kept) || a.Layout().Axis() != l.Axis() {
			t.Fatalf("%s changed its operand", k.name)
		}
		checkConvolveCalls(t, k, a.Layout(), v.Layout(), calls)
	}
}

// checkConvolveCalls checks what a case communicated: messages for the larger
// operand, an allgatherv for the smaller one, each only if that is split.
func checkConvolveCalls(t testing.TB, k *convolveCase, a, v *split.Layout, got spmd.Stats) {
	t.Helper()
	turned := (k.name == "convolve" || k.name == "correlate") && v.Shape().Size() > a.Shape().Size() ||
		k.mode == "valid" && k.name[len(k.name)-1] == 'd' && v.Shape().Size() > a.Shape().Size()
	if turned {
		a, v = v, a
	}
	times := int64(1)
	if k.fill != 0 {
		times = 2
	}
	alltoall := int64(0)
	if turned && k.name[:4] == "corr" || a.Ranks() > 8 {
		alltoall = 1
	}
	if a.Replicated() && got.Total().Calls != got["allgatherv"].Calls || v.Replicated() && got["allgatherv"].Calls != 0 ||
		got["allgatherv"].Calls > times || got["alltoallv"].Calls > alltoall {
		t.Fatalf("%s of %v and %v takes\n%v", k.name, a, v, got)
	}
}

func readConvolveCases(t testing.TB) []*convolveCase {
	text, err := os.ReadFile("testdata/convolve.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []*convolveCase
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

func TestGoldenConvolve(t *testing.T) {
	cases := readConvolveCases(t)
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for i, k := range cases {
			run := map[string]func(testing.TB, *spmd.Comm, *convolveCase, int){
				"int8": runConvolveCase[int8], "int16": runConvolveCase[int16], "int32": runConvolveCase[int32],
				"int64": runConvolveCase[int64], "uint8": runConvolveCase[uint8], "uint32": runConvolveCase[uint32],
				"float32": runConvolveCase[float32], "float64": runConvolveCase[float64],
				"complex64": runConvolveCase[complex64], "complex128": runConvolveCase[complex128],
			}[k.dtype]
			run(t, c, k, i)
		}
	})
}
