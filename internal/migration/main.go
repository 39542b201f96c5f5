// Command migration writes docs/numpy.md: every name of NumPy with its Caloric
// name, from names.tsv, and what the function communicates and how its result is
// split, from the functions' comments. Run it at the root of the repository:
//
//	go run ./internal/migration
package main

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"strings"
)

func main() {
	page, err := write(".")
	if err == nil {
		err = os.WriteFile("docs/numpy.md", page, 0o666)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// names has a line for each group of NumPy's names with one meaning: these names,
// the Caloric names that stand for them, and a note, with tabs between. Names that
// have no Caloric one have the reason in the note. Lines without tabs are headings and text.
//
//go:embed names.tsv
var names string

// entry is a line of names.
type entry struct {
	numpy   []string
	caloric []string
	note    string
}

func parseEntry(line string) (entry, error) {
	f := strings.Split(line, "\t")
	if len(f) != 3 || f[0] == "" || f[1] == "" && f[2] == "" {
		return entry{}, fmt.Errorf("names.tsv: want a name, Caloric names and a note with tabs between, not %q", line)
	}
	return entry{strings.Fields(f[0]), strings.Fields(f[1]), f[2]}, nil
}

const introduction = `# From NumPy to Caloric

Every function of NumPy and what stands for it here, what it communicates, and how
its result is split. Where NumPy's name has no counterpart the note says why. The
columns on communication and splits are taken from the functions' comments, which
say more: ` + "`go doc ./nd Sum`" + `.

- Functions whose result has a known shape also have a form that writes into an
  array and allocates nothing: ` + "`nd.AddInto(dst, a, b)`" + `. Where an array can be a number
  there is a form for that: ` + "`nd.AddScalar(a, 2)`, `nd.ScalarSub(1, a)`, `nd.ScalarWhere(m, 0, a)`,\n  `nd.SetWhereScalar(a, m, 0)`, `a.SetSliceScalar(0, nd.Range(1, 3))`" + `.
- ` + "`axis=` and `keepdims=` of reductions are `nd.Over(0, 1)` and `nd.KeepDims()`" + `; without
  ` + "`Over`" + ` the whole array is reduced, as in NumPy. Other functions take a plain axis:
  ` + "`nd.Sort(a, -1)`, `nd.Concatenate(0, a, b)`" + `.
- Element types are never promoted: ` + "`nd.AsType[float64](a)`" + ` converts. Where the
  result's type is free it is named: ` + "`nd.Mean[float64](a)`" + `.
- ` + "`csv` and `npy` are the packages `caloric/io/csv` and `caloric/io/npy`" + `.
- "a" is the first operand in the columns, "dst" the array written to.
`

// write returns the page. The packages' folders are below root.
func write(root string) ([]byte, error) {
	functions, err := readPackages(root)
	if err != nil {
		return nil, err
	}
	var page bytes.Buffer
	var missing []error
	page.WriteString(introduction + "\n")
	used, open := map[string]bool{}, false
	for line := range strings.Lines(names) {
		line = strings.TrimRight(line, "\n")
		if !strings.Contains(line, "\t") {
			page.WriteString(line + "\n")
			open = false
			continue
		}
		e, err := parseEntry(line)
		if err != nil {
			return nil, err
		}
		if !open {
			page.WriteString("| NumPy | Caloric | communication | result split | note |\n| --- | --- | --- | --- | --- |\n")
			open = true
		}
		var shown []string // of the names that exist
		first := &function{}
		for i, name := range e.caloric {
			f := functions[name]
			if f == nil {
				missing = append(missing, fmt.Errorf("names.tsv: %s: no %s", e.numpy[0], name))
				continue
			}
			if i == 0 {
				first = f
			}
			used[name] = true
			shown = append(shown, name)
		}
		row(&page, quoted(e.numpy), quoted(shown), first.communication, first.split, e.note)
	}
	page.WriteString("\n## What NumPy does not have\n\n| Caloric | | communication | result split |\n| --- | --- | --- | --- |\n")
	for _, f := range inOrder(functions) {
		if !used[f.name] && !isForm(f.name, functions) {
			row(&page, "`"+f.name+"`", f.summary, f.communication, f.split)
		}
	}
	return page.Bytes(), errors.Join(missing...)
}

func quoted(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "`" + strings.Join(names, "`, `") + "`"
}

func row(page *bytes.Buffer, cells ...string) {
	for _, c := range cells {
		page.WriteString("| " + strings.ReplaceAll(c, "|", `\|`) + " ")
	}
	page.WriteString("|\n")
}
