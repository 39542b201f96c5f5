package main

import (
	"os"
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
	}
	all["nd.Max"].resolve(all)
	all["nd.Top"].resolve(all)
	want := map[string]*function{
		"nd.Sum": {name: "nd.Sum", summary: "returns a[0] + a[1] + … as Add does", communication: "one allreduce", split: "None, as split.Reduce"},
		"nd.Max": {name: "nd.Max", summary: "is the largest", communication: "one allreduce", split: "None, as split.Reduce"},
		"nd.Top": {name: "nd.Top", summary: "is the largest but one; see Max", communication: "one allreduce", split: "None, as split.Reduce"},
		"nd.Min": {name: "nd.Min", summary: "is the smallest", communication: "none"},
	}
	if d := cmp.Diff(want, all, cmp.AllowUnexported(function{})); d != "" {
		t.Errorf("(-want +got):\n%s", d)
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
