package nd_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/spmd"
)

// specialCase is a case of testdata/specials.json: see gen_specials.py.
type specialCase struct {
	f     string
	with  []json.RawMessage
	want  statArray
	words string
}

func (c *specialCase) UnmarshalJSON(text []byte) error {
	err := json.Unmarshal(text, &[]any{&c.f, &c.with, &c.want.kind, &c.want.shape, &c.words})
	c.want.words = strings.Fields(c.words)
	return err
}

func (c *specialCase) number(t testing.TB, i int) float64 {
	var x float64
	if err := json.Unmarshal(c.with[i], &x); err != nil {
		t.Fatal(err)
	}
	return x
}

func (c *specialCase) array(t testing.TB, i int) statArray {
	var a statArray
	if err := json.Unmarshal(c.with[i], &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// specialOperand returns operand i in the layout of that number.
func specialOperand[T nd.Element](t testing.TB, c *spmd.Comm, k *specialCase, i, layout int) *nd.NDArray[T] {
	g := k.array(t, i)
	x := parseAll[T](g.words)
	ls := testLayouts(c, g.shape)
	a := nd.FromLayout(c, ls[layout%len(ls)], func(at []int) T { return x[flat(g.shape, at)] })
	if layout%2 == 1 && len(g.shape) == 2 {
		a = nd.Copy(a.T()).T()
	}
	return a
}

func checkSpecial[T nd.Element](t testing.TB, k *specialCase, got *nd.NDArray[T]) {
	t.Helper()
	if kind := fmt.Sprintf("%T", *new(T)); kind != k.want.kind {
		t.Fatalf("%s of %s: type %s, want %s", k.f, k.with, kind, k.want.kind)
	}
	if !got.Shape().Equal(k.want.shape) {
		t.Fatalf("%s of %s: shape %v, want %v", k.f, k.with, got.Shape(), k.want.shape)
	}
	want := parseAll[T](k.want.words)
	eachLocal(got, func(at int, v T) {
		if v != want[at] && !statNear(v, want[at]) {
			t.Errorf("%s of %s: element %d of %v is %v, want %v", k.f, k.with, at, got.Layout(), v, want[at])
		}
	})
}

func runSpecialFloat[T nd.Float](t testing.TB, c *spmd.Comm, k *specialCase, layout int) {
	a := specialOperand[T](t, c, k, 0, layout)
	switch k.f {
	case "Fraction", "Whole":
		fraction, whole := nd.ModF(a)
		checkSpecial(t, k, map[bool]*nd.NDArray[T]{true: fraction, false: whole}[k.f == "Fraction"])
	case "Mantissa":
		m, _ := nd.FrExp(a)
		checkSpecial(t, k, m)
	case "Exponent":
		_, e := nd.FrExp(a)
		checkSpecial(t, k, e)
	case "LdExp":
		checkSpecial(t, k, nd.LdExp(a, specialOperand[int32](t, c, k, 1, layout+1)))
	}
}

func runSpecialNumber[T nd.Number](t testing.TB, c *spmd.Comm, k *specialCase, layout int) {
	switch k.f {
	case "PolyVal":
		checkSpecial(t, k, nd.PolyVal(parseAll[T](k.array(t, 0).words), specialOperand[T](t, c, k, 1, layout)))
		return
	}
	a := specialOperand[T](t, c, k, 0, layout)
	axis := int(k.number(t, 1))
	n := a.Shape()[(axis+a.NDim())%a.NDim()]
	before, want := c.Stats(), map[string]int64{}
	var r *nd.NDArray[T]
	if k.f == "ReverseAlong" {
		r = nd.ApplyAlongAxis(a, axis, n, func(out, v []T) {
			for i := range v {
				out[i] = v[n-1-i]
				v[n-1-i] = 0
			}
		})
	} else {
		r = nd.ApplyAlongAxis(a, axis, 2, func(out, v []T) { out[0], out[1] = v[0], v[n-1] })
	}
	if c.Size() > 1 && int(a.Split()) == (axis+a.NDim())%a.NDim() {
		want["alltoallv"] = 1
		if a.NDim() == 1 {
			want = map[string]int64{"allgatherv": 1}
		}
	}
	got := c.Stats().Sub(before)
	if total := got.Total().Calls; total > int64(len(want)) || len(want) > 0 && a.Size() > 0 && total == 0 {
		t.Errorf("%s along %d of %v communicates %v, want %v", k.f, axis, a.Layout(), got, want)
	}
	checkSpecial(t, k, r)
}

func TestGoldenSpecials(t *testing.T) {
	text, err := os.ReadFile("testdata/specials.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []*specialCase
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	windows := map[string]func(*spmd.Comm, int, nd.Axis) *nd.NDArray[float64]{
		"Bartlett": nd.Bartlett[float64], "Blackman": nd.Blackman[float64], "Hamming": nd.Hamming[float64], "Hanning": nd.Hanning[float64],
	}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, k := range cases {
			for axis := nd.None; axis <= 0; axis++ {
				switch k.f {
				case "Bartlett", "Blackman", "Hamming", "Hanning":
					checkSpecial(t, k, windows[k.f](c, int(k.number(t, 0)), axis))
				case "Kaiser":
					checkSpecial(t, k, nd.Kaiser[float64](c, int(k.number(t, 0)), k.number(t, 1), axis))
				case "LogSpace":
					checkSpecial(t, k, nd.LogSpace(c, k.number(t, 0), k.number(t, 1), int(k.number(t, 2)), k.number(t, 3), axis))
				case "GeomSpace":
					checkSpecial(t, k, nd.GeomSpace(c, k.number(t, 0), k.number(t, 1), int(k.number(t, 2)), axis))
				}
			}
			if len(k.want.shape) == 0 || k.with[0][0] != '[' {
				continue
			}
			i := 0
			if k.f == "PolyVal" {
				i = 1
			}
			for layout := range testLayouts(c, k.array(t, i).shape) {
				switch kind := k.array(t, 0).kind; {
				case k.f == "BitwiseCount":
					switch kind {
					case "int8":
						checkSpecial(t, k, nd.BitwiseCount(specialOperand[int8](t, c, k, 0, layout)))
					case "int32":
						checkSpecial(t, k, nd.BitwiseCount(specialOperand[int32](t, c, k, 0, layout)))
					case "int64":
						checkSpecial(t, k, nd.BitwiseCount(specialOperand[int64](t, c, k, 0, layout)))
					case "uint8":
						checkSpecial(t, k, nd.BitwiseCount(specialOperand[uint8](t, c, k, 0, layout)))
					}
				case k.f == "PolyVal" || strings.HasSuffix(k.f, "Along"):
					map[string]func(testing.TB, *spmd.Comm, *specialCase, int){
						"int8": runSpecialNumber[int8], "int32": runSpecialNumber[int32], "int64": runSpecialNumber[int64],
						"uint8": runSpecialNumber[uint8], "float32": runSpecialNumber[float32], "float64": runSpecialNumber[float64],
						"complex64": runSpecialNumber[complex64], "complex128": runSpecialNumber[complex128],
					}[kind](t, c, k, layout)
				case kind == "float32":
					runSpecialFloat[float32](t, c, k, layout)
				case kind == "float64":
					runSpecialFloat[float64](t, c, k, layout)
				}
			}
		}
		for _, f := range []func(){
			func() { nd.GeomSpace(c, 0.0, 2, 3, nd.None) },
			func() { nd.GeomSpace(c, -1.0, 2, 3, nd.None) },
			func() { nd.LogSpace(c, 0.0, 2, -3, 10, nd.None) },
			func() { nd.Hanning[float64](c, -1, 0) },
			func() { nd.ApplyAlongAxis(nd.Ones[float64](c, nd.Shape{3}, 0), 1, 1, func(_, _ []float64) {}) },
		} {
			if nd.Try(f) == nil {
				t.Error("a mistake is no error")
			}
		}
		wantNumber(t, "sinc", nd.Sinc(nd.Full(c, nd.Shape{}, 0.5, nd.None)).Item(), 2/math.Pi)
	})
}
