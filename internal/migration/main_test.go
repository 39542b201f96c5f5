package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPageIsUpToDate(t *testing.T) {
	want, err := write("../..")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../docs/numpy.md")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); d != "" {
		t.Errorf("docs/numpy.md is not what go run ./internal/migration writes (-want +got):\n%s", d)
	}
}

// TestEveryNameOfNumPy counts NumPy's names: 460 of its core, and all of linalg,
// fft and random.
func TestEveryNameOfNumPy(t *testing.T) {
	counts, seen := map[string]int{}, map[string]bool{}
	for line := range strings.Lines(names) {
		line = strings.TrimRight(line, "\n")
		if !strings.Contains(line, "\t") {
			continue
		}
		e, err := parseEntry(line)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range e.numpy {
			group, _, found := strings.Cut(name, ".")
			if !found {
				group = "core"
			}
			if strings.ContainsAny(name, "[@") {
				continue // syntax, not a name
			}
			counts[group]++
			if seen[name] {
				t.Errorf("%s is there twice", name)
			}
			seen[name] = true
		}
	}
	if d := cmp.Diff(map[string]int{"core": 460, "linalg": 33, "fft": 19, "random": 63}, counts); d != "" {
		t.Errorf("names in each group (-want +got):\n%s", d)
	}
}

func TestParseEntryMistakes(t *testing.T) {
	for _, line := range []string{"a\tnd.A", "\tnd.A\t", "a\t\t"} {
		if _, err := parseEntry(line); err == nil {
			t.Errorf("no error for %q", line)
		}
	}
}

func TestNewFunction(t *testing.T) {
	all := map[string]*function{
		"nd.Sum": newFunction("nd.Sum", "Sum returns a[0] + a[1] + … as [Add] does:\n\n\tnd.Sum(a)\n\nCollective. Result split: None, as\n[split.Reduce]. Communication: one allreduce. Panics if x.\n"),
		"nd.Max": newFunction("nd.Max", "Max is the largest.\n\nResult split and communication: as [Sum]. Panics."),
		"nd.Top": newFunction("nd.Top", "Top is the largest but one; see [Max]."),
		"nd.Min": newFunction("nd.Min", "Min is the smallest. Local."),
		"nd.All": newFunction("nd.All", "All.\n\nCollective. Result split, communication and panics: as [Sum]."),
		"nd.Any": newFunction("nd.Any", "Any.\n\nCollective, result split and communication: as [Sum]; split ones\nmove before. Panics."),
		"nd.Cov": newFunction("nd.Cov", "Cov.\n\nResult split: None. Communication of k rows: 8k bytes; else 8. Panics."),
	}
	all["nd.All"].resolve(all)
	all["nd.Any"].resolve(all)
	all["nd.Max"].resolve(all)
	all["nd.Top"].resolve(all)
	want := map[string]*function{
		"nd.Sum": {name: "nd.Sum", summary: "returns a[0] + a[1] + … as Add does", communication: "one allreduce", split: "None, as split.Reduce"},
		"nd.Max": {name: "nd.Max", summary: "is the largest", communication: "one allreduce", split: "None, as split.Reduce"},
		"nd.Top": {name: "nd.Top", summary: "is the largest but one; see Max", communication: "one allreduce", split: "None, as split.Reduce"},
		"nd.Min": {name: "nd.Min", summary: "is the smallest", communication: "none"},
		"nd.All": {name: "nd.All", communication: "one allreduce", split: "None, as split.Reduce"},
		"nd.Any": {name: "nd.Any", communication: "as Sum; split ones move before", split: "None, as split.Reduce"},
		"nd.Cov": {name: "nd.Cov", communication: "of k rows: 8k bytes; else 8", split: "None"},
	}
	if d := cmp.Diff(want, all, cmp.AllowUnexported(function{})); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// Every function that stands for a name of NumPy says what it communicates.
func TestCommunicationIsKnown(t *testing.T) {
	functions, err := readPackages("../..")
	if err != nil {
		t.Fatal(err)
	}
	noFunctions := strings.Fields("nd.Element nd.Number nd.Integer nd.Inexact nd.Float nd.Complex nd.Over nd.Precision")
	for line := range strings.Lines(names) {
		e, err := parseEntry(strings.TrimRight(line, "\n"))
		if err != nil || len(e.caloric) == 0 || slices.Contains(noFunctions, e.caloric[0]) {
			continue
		}
		if f := functions[e.caloric[0]]; f != nil && f.communication == "" {
			t.Errorf("%s: nothing is known of the communication of %s", e.numpy[0], f.name)
		}
	}
}

func TestIsForm(t *testing.T) {
	all := map[string]*function{}
	for _, name := range []string{"nd.Sub", "nd.SubInto", "nd.SubScalar", "nd.ScalarSub", "nd.ScalarSubInto", "nd.Axpy", "nd.Over"} {
		all[name] = &function{name: name, communication: "none"}
	}
	all["nd.Over"].communication = ""
	for name := range all {
		if got, want := isForm(name, all), name != "nd.Sub" && name != "nd.Axpy"; got != want {
			t.Errorf("isForm(%s) = %v", name, got)
		}
	}
}
