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

// TestBreastCancer: values of NumPy and SciPy; see internal/learn/testdata.
func TestBreastCancer(t *testing.T) {
	for _, ranks := range []string{"1", "2", "3", "4", "7"} {
		for _, tt := range []struct{ args, want string }{
			{"", "column 30 0.08394582 0.0003256361 0.01804539 1.658193 5.188111 0.05504 0.2075 column 31 0.6274165 0.233765 0.4834925 -0.5270672 -1.7222 0 1 of 569 numbers each"},
			{"-over all", "all 59.91448 50555.6 224.8457 6.212703 51.40317 0 4254 of 17639 numbers each"},
			{"-over columns", "row 9 50.48056 24487.84 156.4859 3.598706 11.72862 0 739.3 row 10 48.1753 21948.68 148.1509 3.64706 12.20543 0 711.4"},
			{"-over columns", "and 559 more, which -out writes of 31 numbers each"},
		} {
			out, stderr, status := programtest.Run(t, append(strings.Fields(tt.args), "-ranks", ranks)...)
			if status != 0 || stderr != "" || !strings.Contains(strings.Join(strings.Fields(out), " "), tt.want) {
				t.Errorf("%s on %s ranks: status %d, %s, no %q in\n%s", tt.args, ranks, status, stderr, tt.want, out)
			}
		}
	}
}

// TestAnyTable: text and arrays, and what is written.
func TestAnyTable(t *testing.T) {
	spmdtest.Embedded(t)
	dir := t.TempDir()
	text, array, flags := filepath.Join(dir, "a.tsv"), filepath.Join(dir, "a.npy"), filepath.Join(dir, "b.npy")
	if err := os.WriteFile(text, []byte("length\twidth\n1\tnan\n2\t5\n6\t5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := spmd.Run(1, func(c *spmd.Comm) error {
		if err := npy.Save(flags, nd.FromSlice(c, []bool{true, false, true, true}, nd.Shape{4}, 0)); err != nil {
			return err
		}
		return npy.Save(array, nd.FromFunc(c, nd.Shape{12, 2}, 0, func(i []int) uint8 { return uint8((2*i[0] + i[1]) * (2*i[0] + i[1]) % 37) }))
	}); err != nil {
		t.Fatal(err)
	}
	for _, ranks := range []string{"1", "3", "7"} {
		for _, tt := range []struct{ args, want string }{
			{"-ddof 1 -file " + text, "length 3 7 2.645751 0.5951701 -1.5 1 6 width NaN NaN NaN NaN NaN NaN NaN of 3 numbers each"},
			{"-file " + array, "column 1 20.66667 158.8889 12.60511 -0.4373387 -1.385459 0 36 column 2 15.91667 114.2431 10.68845 0.303811 -1.320332 1 34 of 12"},
			{"-over columns -file " + array, "row 10 28 0 0 NaN NaN 28 28 and 2 more, which -out writes of 2"},
			{"-over all -file " + flags, "all 0.75 0.1875 0.4330127 -1.154701 -0.6666667 0 1 of 4"},
		} {
			out, stderr, status := programtest.Run(t, append(strings.Fields(tt.args), "-ranks", ranks)...)
			if status != 0 || stderr != "" || !strings.Contains(strings.Join(strings.Fields(out), " "), tt.want) {
				t.Errorf("%s on %s ranks: status %d, %s, no %q in\n%s", tt.args, ranks, status, stderr, tt.want, out)
			}
		}
		out := filepath.Join(dir, "m.csv")
		if _, stderr, status := programtest.Run(t, "-over", "columns", "-file", array, "-out", out, "-ranks", ranks); status != 0 {
			t.Fatal(stderr)
		}
		if err := spmd.Run(2, func(c *spmd.Comm) error {
			m, names, err := csv.LoadTable[float64](c, out, 0)
			if err == nil && (fmt.Sprint(names) != "[mean var std skew kurtosis min max]" || fmt.Sprint(m.Shape(), m.At(11, 0)) != "(12, 7) 7") {
				t.Errorf("wrote %v %v", names, m)
			}
			return err
		}); err != nil {
			t.Error(err)
		}
	}
}

func TestBadInput(t *testing.T) {
	programtest.Refuses(t, append(programtest.Tables(), []programtest.BadInput{
		{Args: "-over time", Want: `-over "time" is none of all, columns, rows`},
		{Args: "-out a.xls", Want: "the extension is none of"},
	}...))
	out, stderr, status := programtest.Run(t, "table.csv")
	if want := "moments: \"table.csv\" is no flag; name the table with -file\n"; status != 2 || out != "" || stderr != want {
		t.Errorf("status %d, %q, %q", status, out, stderr)
	}
}
