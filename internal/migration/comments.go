package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// packages are the folders of the functions that the page names.
var packages = []string{"nd", "linalg", "random", "io", "io/csv", "io/npy"}

// function is an exported function or method, and what its comment says.
type function struct {
	name          string // as nd.Sum or nd.NDArray.Resplit
	summary       string // the first sentence, without the function's name
	communication string
	split         string
	like          string // the function that the comment refers to, if it says neither
}

// readPackages returns the exported functions and types of packages by name.
func readPackages(root string) (map[string]*function, error) {
	all := map[string]*function{}
	for _, folder := range packages {
		paths, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
		if err != nil {
			return nil, err
		}
		fset := token.NewFileSet()
		var files []*ast.File
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
			if err != nil {
				return nil, err
			}
			files = append(files, f)
		}
		p, err := doc.NewFromFiles(fset, files, folder)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
		add := func(name, text string) { all[p.Name+"."+name] = newFunction(p.Name+"."+name, text) }
		for _, f := range p.Funcs {
			add(f.Name, f.Doc)
		}
		for _, t := range p.Types {
			add(t.Name, t.Doc)
			for _, f := range t.Funcs {
				add(f.Name, f.Doc)
			}
			for _, f := range t.Methods {
				add(t.Name+"."+f.Name, f.Doc)
			}
		}
	}
	for range 4 { // what one comment refers to may refer to another
		for _, f := range inOrder(all) {
			f.resolve(all)
		}
	}
	return all, nil
}

var (
	// What a line is about, what else it is about, and of what.
	keyword = regexp.MustCompile(`(Collective, result split|Result split|Communication)((?:(?:,| and) (?:communication|memory|panics))*)( of [^.:]{1,40})?: `)
	end     = regexp.MustCompile(` (Panics|Extra memory|Peak extra memory|Memory|Over the split)\b`)
	link    = regexp.MustCompile(`\[((?:[a-z/]+\.)?[A-Z]\w*(?:\.[A-Z]\w*)?)\]`)
	refers  = regexp.MustCompile(`\bsee (?:NDArray\.)?([A-Z]\w*)|^is (?:NDArray\.)?([A-Z]\w*)`)
	same    = regexp.MustCompile(`^as (?:NDArray\.)?(\w+)$`)
	as      = regexp.MustCompile(`^as (?:NDArray\.)?\w+`)
)

func newFunction(name, text string) *function {
	plain := func(s string) string { return link.ReplaceAllString(strings.Join(strings.Fields(s), " "), "$1") }
	first, _, _ := strings.Cut(text, "\n\n")
	text = plain(text)
	f := &function{name: name, summary: summary(name, plain(first))}
	marks := keyword.FindAllStringSubmatchIndex(text, -1)
	for i, m := range marks {
		stop := len(text)
		if i+1 < len(marks) {
			stop = marks[i+1][0]
		}
		value := text[m[1]:stop]
		if e := end.FindStringIndex(value); e != nil {
			value = value[:e[0]]
		}
		value = strings.TrimRight(value, ". ")
		if m[6] >= 0 { // "Communication of k variables: …"
			value = strings.TrimSpace(text[m[6]:m[7]]) + ": " + value
		}
		aboutSplit := text[m[2]:m[3]] != "Communication"
		if !aboutSplit || strings.Contains(text[m[4]:m[5]], "communication") {
			f.communication = value
		}
		if aboutSplit {
			f.split = value
			if reference := as.FindString(value); reference != "" && f.communication == value {
				f.split = reference // what follows it is about what moves
			}
		}
	}
	if m := refers.FindStringSubmatch(f.summary + ". " + text); m != nil && len(marks) == 0 {
		f.like = m[1] + m[2]
	}
	if len(marks) == 0 && regexp.MustCompile(`\bLocal\b`).MatchString(text) {
		f.communication = "none"
	}
	return f
}

// summary returns a comment's first sentence without the name at its start.
func summary(name, text string) string {
	text, _, _ = strings.Cut(text, ". ")
	text = strings.TrimRight(text, ".:")
	word, rest, _ := strings.Cut(text, " ")
	if strings.HasSuffix(name, "."+word) {
		text = rest
	}
	return text
}

// resolve replaces "as Sum" with what Sum's comment says.
func (f *function) resolve(all map[string]*function) {
	pkg, _, _ := strings.Cut(f.name, ".")
	other := func(text string) *function {
		m := same.FindStringSubmatch(text)
		if m == nil {
			return nil
		}
		if g := all[pkg+"."+m[1]]; g != nil {
			return g
		}
		return all[pkg+".NDArray."+m[1]]
	}
	if g := other("as " + f.like); g != nil && f.communication == "" && f.split == "" {
		f.communication, f.split, f.like = g.communication, g.split, g.like
	}
	if g := other(f.communication); g != nil && g.communication != "" {
		f.communication = g.communication
	}
	if g := other(f.split); g != nil && g.split != "" {
		f.split = g.split
	}
}

// isForm reports whether name is a form of another function, such as AddInto,
// AddScalar or ScalarSub, or no function of arrays at all: a type or an option.
func isForm(name string, all map[string]*function) bool {
	f := all[name]
	pkg, base, _ := strings.Cut(name, ".")
	for _, other := range []string{
		strings.TrimSuffix(base, "Into"), strings.TrimSuffix(base, "Scalar"), strings.TrimPrefix(base, "Scalar"),
		strings.TrimSuffix(strings.TrimPrefix(base, "Scalar"), "Into"), strings.TrimSuffix(base, "ScalarInto"),
	} {
		if other != base && all[pkg+"."+other] != nil {
			return true
		}
	}
	return f.communication == ""
}

func inOrder(all map[string]*function) []*function {
	list := make([]*function, 0, len(all))
	for _, f := range all {
		list = append(list, f)
	}
	slices.SortFunc(list, func(f, g *function) int { return cmp.Compare(f.name, g.name) })
	return list
}
