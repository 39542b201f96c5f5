package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caloric/cmd/examples/internal/programtest"
	"caloric/internal/spmdtest"
	"caloric/io/csv"
	"caloric/io/npy"
	"caloric/nd"
	"caloric/spmd"
)

func TestMain(m *testing.M) { programtest.Main(m, main) }

// want is the model of scikit-learn with alpha 0.1 for the standardized breast cancer
// data, and that with alpha 0.3 for the data as they are; see internal/learn/testdata.
var want = []struct{ args, lines string }{
	{"-standardize -lambda 0.1 -tol 1e-13", "column 1 0.00000000\ncolumn 8 -0.01714279\ncolumn 21 -0.12960440\ncolumn 22 -0.01092863\ncolumn 28 -0.16209542\nR² 0.64884079\n4 of 30 features used for 569 rows;"},
	{"-lambda 0.3 -tol 1e-13", "column 1 0.00000000\ncolumn 4 0.00024084\ncolumn 22 -0.00580007\ncolumn 23 -0.01551018\ncolumn 24 0.00014910\nintercept 2.15097479\nR² 0.65180977\n4 of 30 features used for 569 rows;"},
}

func TestBreastCancer(t *testing.T) {
	for _, ranks := range []string{"1", "2", "3", "4", "7"} {
		for _, tt := range want {
			out, stderr, status := programtest.Run(t, append(strings.Fields(tt.args), "-ranks", ranks)...)
			if status != 0 || stderr != "" {
				t.Fatalf("%s ranks: status %d, %s", ranks, status, stderr)
			}
			flat := strings.Join(strings.Fields(out), " ")
			for line := range strings.SplitSeq(tt.lines, "\n") {
				if !strings.Contains(flat, line) {
					t.Errorf("%s on %s ranks: no %q in\n%s", tt.args, ranks, line, out)
				}
			}
		}
	}
}

// TestAnyTable: y = 2a - c + 5, from text and from an array, and what is written.
func TestAnyTable(t *testing.T) {
	spmdtest.Embedded(t)
	dir := t.TempDir()
	text, array, out := filepath.Join(dir, "a.csv"), filepath.Join(dir, "a.npy"), filepath.Join(dir, "w.csv")
	rows := "# made\na,y,one,c\n"
	var flat []float32
	for i := range 20 {
		a, c := float64(i%7), float64(i*i%5)
		rows += fmt.Sprintf("%v,%v,0.1,%v\n", a, 2*a-c+5, c)
		flat = append(flat, float32(a), float32(2*a-c+5), 0.1, float32(c))
	}
	if err := os.WriteFile(text, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := spmd.Run(1, func(c *spmd.Comm) error {
		return npy.Save(array, nd.FromSlice(c, flat, nd.Shape{20, 4}, 0))
	}); err != nil {
		t.Fatal(err)
	}
	for _, ranks := range []string{"1", "3", "7"} {
		for _, tt := range []struct{ args, want string }{
			{"-skip 1 -target y -file " + text, "a 2.00000000 one 0.00000000 c -1.00000000 intercept 5.00000000 R² 1.00000000 2 of 3 features used for 20 rows;"},
			{"-target 2 -file " + array, "column 1 2.00000000 column 3 0.00000000 column 4 -1.00000000 intercept 5.00000000 R² 1.00000000"},
			{"-target -3 -without 3 -standardize -file " + array, "column 1 3.86134692 column 4 -1.67332005 intercept"},
			{"-target one -skip 1 -file " + text, "R² undefined: the target is constant"},
			{"-target 2 -lambda 1 -sweeps 1 -tol 0 -file " + array, "1 sweeps, not converged"},
		} {
			got, stderr, status := programtest.Run(t, append(strings.Fields("-lambda 0 -tol 0 "+tt.args), "-ranks", ranks, "-out", out)...)
			if status != 0 || stderr != "" || !strings.Contains(strings.Join(strings.Fields(got), " "), tt.want) {
				t.Errorf("%s on %s ranks: status %d, %s, no %q in\n%s", tt.args, ranks, status, stderr, tt.want, got)
			}
		}
	}
	programtest.Run(t, "-target", "2", "-lambda", "0", "-file", array, "-out", out, "-ranks", "2", "-tol", "0")
	if err := spmd.Run(1, func(c *spmd.Comm) error {
		w, err := csv.Load[float64](c, out, 0)
		if err != nil {
			return err
		}
		for i, v := range w.Local() {
			if math.Abs(v-[]float64{2, 0, -1, 5}[i]) > 1e-9 {
				t.Errorf("wrote %v", w)
			}
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

func TestBadInput(t *testing.T) {
	ok := "a,y\n1,2\n3,4\n"
	programtest.Refuses(t, append(programtest.Tables(), []programtest.BadInput{
		{Name: "nan.csv", Text: "a,b,y\n1,2,2\n3,4,5\n1,nan,4\n", Want: "nan.csv: row 3, b: not a finite number"},
		{Name: "nan.csv", Text: "a,b,y\n1,2,2\n3,4,5\n1,nan,4\n", Args: "-standardize", Want: "nan.csv: row 3, b: not a finite number"},
		{Name: "inf.csv", Text: "a,b,y\n1,2,-inf\n3,4,5\n1,7,4\n", Want: "inf.csv: row 1, y: not a finite number"},
		{Name: "huge.csv", Text: "a,b\n1,1e200\n2,-1e200\n", Want: "too large"},
		{Name: "narrow.csv", Text: "y\n1\n2\n", Want: "needs features"},
		{Name: "names.csv", Text: ok, Args: "-target c", Want: `no column is named "c"; there are a, y`},
		{Name: "numbers.csv", Text: "1,2\n3,4\n", Args: "-target 0", Want: "column 0 of 2"},
		{Args: "-lambda -1", Want: "lambda -1"},
		{Args: "-lambda NaN", Want: "lambda NaN"},
		{Args: "-sweeps -1", Want: "negative"},
		{Args: "-out a.xls", Want: "the extension is none of"},
	}...))
	out, stderr, status := programtest.Run(t, "table.csv")
	if want := "lasso: \"table.csv\" is no flag; name the table with -file\n"; status != 2 || out != "" || stderr != want {
		t.Errorf("status %d, %q, %q", status, out, stderr)
	}
}
