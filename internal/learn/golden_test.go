package learn_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/internal/tables"
	"caloric/io/csv"
	"caloric/nd"
	"caloric/spmd"
)

func TestMain(m *testing.M) { spmdtest.Main(m) }

// goldens is testdata/golden.json.
type goldens struct {
	KMeans []struct {
		Start        string
		Steps, Taken int
		Tol, Inertia float64
		Labels       string
		Centers      []float64
	}
	Moments []struct {
		Table  string
		Axis   int
		Values [][]*float64
	}
}

func golden(t *testing.T) (g goldens) {
	t.Helper()
	b, err := os.ReadFile("testdata/golden.json")
	if err == nil {
		err = json.Unmarshal(b, &g)
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// table returns one of the two tables, split along its rows.
func table(t testing.TB, c *spmd.Comm, name string) *nd.NDArray[float64] {
	text, skip := tables.Digits, 0
	if name == "breast_cancer" {
		text, skip = tables.BreastCancer, 1
	}
	a, _, err := csv.ReadTable[float64](c, strings.NewReader(text), int64(len(text)), name, 0, csv.Skip(skip), csv.Header(false))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// layouts returns x, which is split along axis 0, in one of several layouts.
func layouts[T nd.Element](c *spmd.Comm, x *nd.NDArray[T], i int) *nd.NDArray[T] {
	switch i % 5 {
	case 1:
		return x.Resplit(1)
	case 2:
		return x.Resplit(nd.None)
	case 3: // on the last rank alone
		n := x.Shape()[0]
		return nd.Concatenate(0, nd.Zeros[T](c, nd.Shape{n * (c.Size() - 1), x.Shape()[1]}, 0), x).Balance().Slice(nd.From(n * (c.Size() - 1)))
	case 4: // a view with gaps
		return nd.Concatenate(1, x, x).Slice(nd.Whole(), nd.To(x.Shape()[1]))
	}
	return x
}
