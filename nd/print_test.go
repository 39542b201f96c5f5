package nd_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/spmd"
)

// printCase is an array and NumPy's text of it; see testdata/gen_print.py.
type printCase struct {
	Name, Type, Text string
	Shape            nd.Shape
	Values           string
	Step             float64
}

func TestFprintIsNumPys(t *testing.T) {
	text, err := os.ReadFile("testdata/print.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []printCase
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, p := range cases {
			switch p.Type {
			case "bool":
				checkPrint[bool](t, c, p)
			case "int8":
				checkPrint[int8](t, c, p)
			case "int16":
				checkPrint[int16](t, c, p)
			case "int32":
				checkPrint[int32](t, c, p)
			case "int64":
				checkPrint[int64](t, c, p)
			case "uint8":
				checkPrint[uint8](t, c, p)
			case "uint16":
				checkPrint[uint16](t, c, p)
			case "uint32":
				checkPrint[uint32](t, c, p)
			case "uint64":
				checkPrint[uint64](t, c, p)
			case "float32":
				checkPrint[float32](t, c, p)
			case "float64":
				checkPrint[float64](t, c, p)
			case "complex64":
				checkPrint[complex64](t, c, p)
			case "complex128":
				checkPrint[complex128](t, c, p)
			default:
				t.Fatalf("type %s", p.Type)
			}
		}
	})
}

func checkPrint[T nd.Element](t testing.TB, c *spmd.Comm, p printCase) {
	x := make([]T, p.Shape.Size())
	if p.Step == 0 {
		x = parseAll[T](strings.Fields(p.Values))
	} else {
		for i := range x {
			setNumber(reflect.ValueOf(&x[i]).Elem(), float64(i)*p.Step)
		}
	}
	for _, l := range testLayouts(c, p.Shape) {
		a := nd.FromLayout(c, l, func(i []int) T { return x[flat(p.Shape, i)] })
		var b bytes.Buffer
		if err := nd.Fprint(&b, a); err != nil {
			t.Error(err)
		}
		want := ""
		if c.Rank() == 0 {
			want = p.Text + "\n"
		}
		if b.String() != want {
			t.Errorf("%s %s, %v, prints\n%swant\n%s", p.Name, p.Type, l, b.String(), want)
		}
	}
}

func setNumber(v reflect.Value, x float64) {
	switch {
	case v.Kind() == reflect.Bool:
		v.SetBool(x != 0)
	case v.CanInt():
		v.SetInt(int64(x))
	case v.CanFloat():
		v.SetFloat(x)
	default:
		v.SetComplex(complex(x, 0))
	}
}

// broken is a writer that fails.
type broken struct{}

var errBroken = errors.New("broken")

func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestFprintReturnsTheWritersError(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		err := nd.Fprint(broken{}, nd.Zeros[int8](c, nd.Shape{3}, 0))
		if c.Rank() == 0 && err != errBroken || c.Rank() > 0 && err != nil {
			t.Errorf("the error on %v is %v", c, err)
		}
	})
}

func TestStringShowsThisRanksPart(t *testing.T) {
	spmdtest.Run(t, 2, func(c *spmd.Comm) {
		a := nd.Arange[float64](c, 0, 5, 1, 0).Slice(nd.From(1))
		want := []string{
			"NDArray[float64] (4,) split 0, rank 0 of 2 holds [0:2]\n[1. 2.]",
			"NDArray[float64] (4,) split 0, rank 1 of 2 holds [2:4]\n[3. 4.]",
		}
		if got := a.String(); got != want[c.Rank()] {
			t.Errorf("%q, want %q", got, want[c.Rank()])
		}
	})
}
