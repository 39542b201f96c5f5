package main

import (
	"fmt"
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

// TestDigits: from given centers the program reaches what scikit-learn does (see
// internal/learn/testdata), and what it writes can be read.
func TestDigits(t *testing.T) {
	spmdtest.Embedded(t)
	dir := t.TempDir()
	start, labels, centers := filepath.Join(dir, "start.npy"), filepath.Join(dir, "labels.csv"), filepath.Join(dir, "centers.npy")
	err := spmd.Run(1, func(c *spmd.Comm) error {
		x, _, err := load(c)
		if err != nil {
			return err
		}
		return npy.Save(start, nd.Add(x.Slice(nd.To(10)), nd.MulScalar(x.Slice(nd.Range(10, 20)), 0.3141592653)))
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, ranks := range []string{"1", "2", "3", "4", "7"} {
		out, stderr, status := programtest.Run(t, "-ranks", ranks, "-init", start, "-tol", "0", "-labels", labels, "-centers", centers)
		if status != 0 || stderr != "" {
			t.Fatalf("%s ranks: status %d, %s", ranks, status, stderr)
		}
		for _, text := range []string{"1797 rows, 64 columns, 10 clusters\n", wantSteps, "allreduce", "and 58 more columns"} {
			if !strings.Contains(out, text) {
				t.Errorf("%s ranks: no %q in\n%s", ranks, text, out)
			}
		}
		err := spmd.Run(2, func(c *spmd.Comm) error {
			l, err := csv.Load[int64](c, labels, 0)
			if err != nil {
				return err
			}
			m, err := npy.Load[float64](c, centers, nd.None)
			if err != nil {
				return err
			}
			if got := fmt.Sprint(l.Shape(), nd.Max(l).Item(), m.Shape()); got != "(1797, 1) 9 (10, 64)" {
				t.Errorf("wrote %s", got)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// wantSteps is what scikit-learn reports.
const wantSteps = "9 steps, converged, inertia 1187868.616\n"

// TestAnyTable: the digits as they are without arguments, other files, other centers.
func TestAnyTable(t *testing.T) {
	spmdtest.Embedded(t)
	dir := t.TempDir()
	text, array := filepath.Join(dir, "a.csv"), filepath.Join(dir, "a.npy")
	if err := os.WriteFile(text, []byte("name,x,y\n1,0,0\n2,0,1\n3,9,9\n4,9,8\n5,0,0.5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := spmd.Run(1, func(c *spmd.Comm) error {
		return npy.Save(array, nd.FromSlice(c, []int16{0, 1, 100, 101}, nd.Shape{4}, 0))
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, ranks := range []string{"1", "3", "7"} {
		for _, tt := range []struct{ args, want string }{
			{"-seed 4", "1797 rows, 64 columns, 10 clusters\n"},
			{"-without name -k 2 -init random -file " + text, "5 rows, 2 columns, 2 clusters\n"},
			{"-without name,x -k 5 -file " + text, "converged, inertia 0\n"},
			{"-without 1 -k 2 -seed 3 -file " + text, "converged, inertia 1\n"},
			{"-k 2 -file " + array, "4 rows, 1 columns, 2 clusters\n"},
			{"-k 3 -steps 1 -tol 0 -without name -file " + text, "1 steps, not converged"},
			{"-k 3 -init k-means++ -without -3 -tol 9 -file " + text, "1 steps, converged"},
		} {
			out, stderr, status := programtest.Run(t, append(strings.Fields(tt.args), "-ranks", ranks)...)
			if status != 0 || stderr != "" || !strings.Contains(out, tt.want) {
				t.Errorf("%s on %s ranks: status %d, %s, no %q in\n%s", tt.args, ranks, status, stderr, tt.want, out)
			}
		}
	}
}

func TestBadInput(t *testing.T) {
	ok := "a,b\n1,2\n3,4\n"
	programtest.Refuses(t, append(programtest.Tables(), []programtest.BadInput{
		{Name: "nan.csv", Text: "a,b\n1,2\n3,4\n1,nan\n", Args: "-k 2", Want: "nan.csv: row 3, b: not a finite number"},
		{Name: "inf.csv", Text: "1,2,3\n1,2,inf\n4,5,6\n", Args: "-k 2 -without 1 -init random", Want: "inf.csv: row 2, column 3: not a finite number"},
		{Name: "huge.csv", Text: "a,b\n1,1e200\n2,-1e200\n", Args: "-k 1", Want: "too large"},
		{Name: "few.csv", Text: ok, Args: "-k 3", Want: "more clusters than rows"},
		{Name: "none.csv", Text: ok, Args: "-k 0", Want: "0 clusters"},
		{Name: "no.csv", Text: ok, Args: "-k 1 -without a,b", Want: "no columns"},
		{Name: "names.csv", Text: ok, Args: "-k 1 -without c", Want: `no column is named "c"; there are a, b`},
		{Name: "numbers.csv", Text: "1,2\n3,4\n", Args: "-k 1 -without 3", Want: "column 3 of 2"},
		{Name: "numbers.csv", Text: "1,2\n3,4\n", Args: "-k 1 -without a", Want: "columns have numbers, from 1 to 2"},
		{Args: "-init best", Want: "-init is random, k-means++ or a file"},
		{Args: "-steps -1", Want: "negative"},
		{Args: "-tol NaN", Want: "-tol NaN is no number"},
		{Args: "-labels a.xls", Want: "the extension is none of"},
		{Args: "-centers nowhere/a.csv", Want: "nowhere"},
	}...))
	out, stderr, status := programtest.Run(t, "table.csv")
	if want := "kmeans: \"table.csv\" is no flag; name the table with -file\n"; status != 2 || out != "" || stderr != want {
		t.Errorf("status %d, %q, %q", status, out, stderr)
	}
}
