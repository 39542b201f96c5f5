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
	Options          struct {
		Precision, Threshold, EdgeItems *int
		MaxLineWidth                    *int `json:"max_line_width"`
		SuppressSmall                   bool `json:"suppress_small"`
		Separator                       *string
	}
}

func (p *printCase) options() []nd.PrintOption {
	var opts []nd.PrintOption
	add := func(n *int, o func(int) nd.PrintOption) {
		if n != nil {
			opts = append(opts, o(*n))
		}
	}
	add(p.Options.Precision, nd.Precision)
	add(p.Options.Threshold, nd.Threshold)
	add(p.Options.EdgeItems, nd.EdgeItems)
	add(p.Options.MaxLineWidth, nd.LineWidth)
	if p.Options.SuppressSmall {
		opts = append(opts, nd.SuppressSmall())
	}
	if p.Options.Separator != nil {
		opts = append(opts, nd.Separator(*p.Options.Separator))
	}
	return opts
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
		if err := nd.Fprint(&b, a, p.options()...); err != nil {
			t.Error(err)
		}
		want := ""
		if c.Rank() == 0 {
			want = p.Text + "\n"
		}
		if b.String() != want {
			t.Errorf("%s %s, %v, %v, prints\n%swant\n%s", p.Name, p.Type, l, p.Options, b.String(), want)
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

func TestSprintIsTheTextOnEveryRank(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.Arange[float64](c, 0, 5, 1, 0)
		got := nd.Sprint(nd.DivScalar(a, 3), nd.Precision(2), nd.Separator(", "))
		if want := "[0.  , 0.33, 0.67, 1.  , 1.33]"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

func TestPrintOptionsMistakes(t *testing.T) {
	for want, f := range map[string]func(){
		"-1 digits, want at least 0":          func() { nd.Precision(-1) },
		"-1 elements, want at least 0":        func() { nd.Threshold(-1) },
		"0 items, want at least 1":            func() { nd.EdgeItems(0) },
		"0 characters, want at least 1":       func() { nd.LineWidth(0) },
		`the separator "\n" has a line break`: func() { nd.Separator("\n") },
	} {
		if err := nd.Try(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
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
