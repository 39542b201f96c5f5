package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/spmd"
)

// TestMain lets the test binary stand in for the program: with RIDGE_MAIN set it
// is the program.
func TestMain(m *testing.M) {
	if os.Getenv("RIDGE_MAIN") != "" {
		main()
	}
	spmdtest.Main(m)
}

var want = []float64{-0.43117266, -11.33365493, 24.77124181, 15.37347285, -30.08840059,
	16.6531523, 1.46210701, 7.52111093, 32.84375086, 3.26638487}

func TestDiabetes(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		table, names, err := load(c, "")
		if err != nil {
			t.Error(err)
			return
		}
		if got := strings.Join(names, " "); got != "age sex bmi bp s1 s2 s3 s4 s5 s6 progression" {
			t.Errorf("columns %s", got)
		}
		m, err := fit(table, 1)
		if err != nil {
			t.Error(err)
			return
		}
		for j, v := range m.coefficients {
			if math.Abs(v-want[j]) > 6e-9 {
				t.Errorf("%s: %.9f, want %.8f", names[j], v, want[j])
			}
		}
		if len(m.coefficients) != len(want) || math.Abs(m.r2-0.51758216) > 6e-9 || m.solver.Iterations > 20 {
			t.Errorf("%d coefficients, R² %.9f, %d iterations", len(m.coefficients), m.r2, m.solver.Iterations)
		}
	})
}

func TestConstantColumns(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		path := filepath.Join(spmdtest.TempDir(t, c), "table.csv")
		if c.Rank() == 0 {
			if err := os.WriteFile(path, []byte("a,b,y\n0.1,1,3\n0.1,2,5\n0.1,4,9\n"), 0o600); err != nil {
				t.Error(err)
			}
		}
		c.Barrier()
		table, _, err := load(c, path)
		if err != nil {
			t.Error(err)
			return
		}
		m, err := fit(table, 0)
		if err != nil || m.coefficients[0] != 0 || math.Abs(m.r2-1) > 1e-12 || fmt.Sprint(m.constant) != "[true false false]" {
			t.Errorf("%+v, error %v", m, err)
		}
	})
}

// program runs the program with the given arguments.
func program(t *testing.T, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	spmdtest.Embedded(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), "RIDGE_MAIN=1")
	cmd.Dir = t.TempDir() // it needs no file of the source tree
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return o.String(), e.String(), cmd.ProcessState.ExitCode()
}

func TestProgram(t *testing.T) {
	for _, ranks := range []string{"1", "2", "3", "4", "7"} {
		out, stderr, status := program(t, "-ranks", ranks)
		if status != 0 || stderr != "" {
			t.Errorf("%s ranks: status %d, %s", ranks, status, stderr)
		}
		for j, name := range strings.Fields("age sex bmi bp s1 s2 s3 s4 s5 s6") {
			if line := fmt.Sprintf("%s %.8f", name, want[j]); !strings.Contains(strings.Join(strings.Fields(out), " "), line) {
				t.Errorf("%s ranks: no %q in\n%s", ranks, line, out)
			}
		}
		for _, text := range []string{"R² 0.51758216\n", "CG iterations", "allreduce"} {
			if !strings.Contains(out, text) {
				t.Errorf("%s ranks: no %q in\n%s", ranks, text, out)
			}
		}
	}
}

func TestPositionalArgument(t *testing.T) {
	out, stderr, status := program(t, "table.csv", "-ranks", "2")
	if want := "ridge: \"table.csv\" is no flag; name the table with -file\n"; status != 2 || out != "" || stderr != want {
		t.Errorf("status %d, %q, %q", status, out, stderr)
	}
}

// TestBadInput: one message, whatever the number of ranks, and exit status 1.
func TestBadInput(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"missing.csv", "", "missing.csv: no such file"},
		{"ragged.csv", "a,b,y\n1,2,3\n4,5\n6,7,8\n", "ragged.csv:3"},
		{"text.csv", "a,b,y\n1,2,3\n4,x,5\n", "text.csv:3:3"},
		{"empty.csv", "", "empty.csv: no rows"},
		{"header.csv", "a,b,y\n", "header.csv: no rows"},
		{"narrow.csv", "y\n1\n2\n", "needs features"},
		{"nan.csv", "a,b,y\n1,2,1\n1,nan,3\n", "column 2 has numbers that are not finite"},
		{"huge.csv", "a,b,y\n1,2,1e200\n1,3,-1e200\n", "column 3 has numbers that are not finite or too large"},
	}
	for _, tt := range tests {
		for _, ranks := range []string{"1", "3"} {
			path := filepath.Join(t.TempDir(), tt.name)
			if tt.name != "missing.csv" {
				if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			out, stderr, status := program(t, "-ranks", ranks, "-file", path)
			if status != 1 || out != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, tt.want) {
				t.Errorf("%s on %s ranks: status %d, %q, %q", tt.name, ranks, status, out, stderr)
			}
		}
	}
	if _, stderr, status := program(t, "-lambda", "-1"); status != 1 || !strings.Contains(stderr, "lambda") {
		t.Errorf("negative lambda: status %d, %s", status, stderr)
	}
	if _, stderr, status := program(t, "-ranks", "-1"); status != 1 || strings.Count(stderr, "\n") != 1 {
		t.Errorf("-1 ranks: status %d, %s", status, stderr)
	}
}
