package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/report.txt")

// fixture is the comparison of the files in testdata, whose numbers are made up.
func fixture(t *testing.T) *comparison {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatal("no fixtures", err)
	}
	var docs []*document
	for _, path := range paths {
		d, err := readDocument(path)
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, d)
	}
	return compare(docs)
}

func TestReport(t *testing.T) {
	var b bytes.Buffer
	if err := fixture(t).print(&b, true); err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/report.txt"
	if *update {
		if err := os.WriteFile(golden, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("the report is not as in %s:\n%s", golden, b.String())
	}
}

func TestSideBySide(t *testing.T) {
	const want = `| case                    | 1 rank, default | 2 ranks, default | 2 ranks, mpi,cblas | Heat, 2 ranks, 1 thread | NumPy, 1 rank, 1 thread | NumPy, 1 rank, 2 threads | ratio |
| ----------------------- | --------------- | ---------------- | ------------------ | ----------------------- | ----------------------- | ------------------------ | ----- |
| add/into n=1e7 f64      | 5.00 ms         | 6.00 ms ?        |                    | 8.00 ms                 | 7.00 ms                 |                          | 1.3×  |
| add/into n=1e3 f64      | 1.00 µs         |                  |                    |                         |                         |                          |       |
| sqrt n=1e3 f64          | 2.00 µs         |                  |                    |                         |                         |                          |       |
| add n=1e7 f64           |                 | 5.50 ms          |                    | 5.00 ms                 |                         |                          | 0.91× |
| exp n=1e7 f64           |                 | 25.0 ms          | 8.00 ms            | 9.00 ms                 |                         |                          | 1.1×  |
| sort n=1e6 f64          |                 | 50.0 ms          |                    | 2.00 s                  | 100 ms                  | 90.0 ms                  | 40×   |
| resplit 1→none 4000 f64 |                 | 20.0 ms          |                    | error                   |                         |                          |       |
| matmul 2000 f64 s0·s0   |                 | 110 ms           | 110 ms             | 130 ms                  | 220 ms                  | 112 ms                   | 1.2×  |
| start                   |                 | 20.0 ms          |                    | 2.80 s                  |                         |                          | 140×  |
| rss/add n=1e8 f64       |                 |                  | 1.21 GB            | 1.44 GB                 |                         |                          | 1.2×  |
`
	got := fixture(t).sideBySide().markdown()
	if got != want {
		t.Errorf("the table is\n%s", got)
	}
}

// The page has every plot and table in it and asks for nothing from outside.
func TestPageIsSelfContained(t *testing.T) {
	c := fixture(t)
	figures, err := c.figures()
	if err != nil {
		t.Fatal(err)
	}
	text, err := c.page(figures)
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	outside := regexp.MustCompile(`(?i)<script|<link|<img|<iframe|@import|url\(|\b(src|href)\s*=\s*["']?[^"'#]`)
	if at := outside.FindStringIndex(page); at != nil {
		t.Errorf("the page refers to something: %.80s", page[at[0]:])
	}
	for _, name := range []string{"strong", "weak", "ratios-default-embedded-2", "roofline-default-embedded-2"} {
		if !strings.Contains(page, `<figure id="`+name+`">`) {
			t.Errorf("no figure %s", name)
		}
	}
	if n := strings.Count(page, "<svg"); n != len(figures) || n != strings.Count(page, "</svg>") {
		t.Errorf("%d figures, %d svg elements", len(figures), n)
	}
	for _, s := range c.sections(true) {
		if !strings.Contains(page, "<h2>"+s.Title+"</h2>") {
			t.Errorf("no section %s", s.Title)
		}
	}
	if strings.Contains(page, "ZgotmplZ") {
		t.Error("the template refused a value")
	}
	if !strings.Contains(page, "(model)") {
		t.Error("the modelled curves are not labelled")
	}
}

func TestDocumentsAreReadBack(t *testing.T) {
	d := fixture(t).runs[0]
	path := filepath.Join(t.TempDir(), "sub", "d.json")
	if err := d.write(path); err != nil {
		t.Fatal(err)
	}
	back, err := readDocument(path)
	if err != nil {
		t.Fatal(err)
	}
	if back.header() != d.header() || len(back.Results) != len(d.Results) {
		t.Errorf("%+v is read back as %+v", d, back)
	}
	if err := os.WriteFile(path, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := readDocument(path); err == nil {
		t.Error("a file without a library is no error")
	}
}

func TestQuantity(t *testing.T) {
	for _, test := range []struct {
		v    float64
		unit string
		want string
	}{
		{1.5, inSeconds, "1.50 s"}, {0.0123, inSeconds, "12.3 ms"}, {456e-6, inSeconds, "456 µs"},
		{2e-9, inSeconds, "2.00 ns"}, {2e-10, inSeconds, "0.20 ns"}, {-5e-7, inSeconds, "-500 ns"},
		{1.2e9, inBytes, "1.20 GB"}, {950, inBytes, "950 B"}, {0, inBytes, "0.00 B"},
	} {
		if got := quantity(test.v, test.unit); got != test.want {
			t.Errorf("quantity(%v, %s) = %s, want %s", test.v, test.unit, got, test.want)
		}
	}
}
