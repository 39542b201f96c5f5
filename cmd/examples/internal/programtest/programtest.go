// Package programtest lets tests run an example program as its users do.
package programtest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
)

// variable makes a test binary the program.
const variable = "CALORIC_EXAMPLE_MAIN"

// Main is the body of TestMain. It lets the test binary stand in for the program.
func Main(m *testing.M, program func()) {
	if os.Getenv(variable) != "" {
		program()
		return
	}
	spmdtest.Main(m)
}

// Run runs the program with the given arguments, in an empty folder. Under mpirun it
// skips the test.
func Run(t testing.TB, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	spmdtest.Embedded(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), variable+"=1")
	cmd.Dir = t.TempDir() // it needs no file of the source tree
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return o.String(), e.String(), cmd.ProcessState.ExitCode()
}

// BadInput is input that the program refuses.
type BadInput struct {
	Name, Text string // of the file that -file names; without a name there is none
	Args       string // other arguments
	Want       string // part of the message
}

// Refuses checks that the program ends with status 1 and one message of one line for
// each, on one rank and on three.
func Refuses(t *testing.T, tests []BadInput) {
	t.Helper()
	for _, tt := range tests {
		for _, ranks := range []string{"1", "3"} {
			args := append([]string{"-ranks", ranks}, strings.Fields(tt.Args)...)
			if tt.Name != "" {
				path := filepath.Join(t.TempDir(), tt.Name)
				args = append(args, "-file", path)
				if tt.Text != "" {
					if err := os.WriteFile(path, []byte(tt.Text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
			}
			out, stderr, status := Run(t, args...)
			if status != 1 || out != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, tt.Want) {
				t.Errorf("%q on %s ranks: status %d, %q, %q, want %q", args, ranks, status, out, stderr, tt.Want)
			}
		}
	}
}

// Tables are files that no program takes for a table.
func Tables() []BadInput {
	return []BadInput{
		{Name: "missing.csv", Want: "missing.csv: no such file"},
		{Name: "missing.npy", Want: "missing.npy: no such file"},
		{Name: "ragged.csv", Text: "a,b,y\n1,2,3\n4,5\n6,7,8\n", Want: "ragged.csv:3"},
		{Name: "text.csv", Text: "a,b,y\n1,2,3\n4,x,5\n", Want: "text.csv:3:3"},
		{Name: "words.tsv", Text: "a\tb\n1\t2\n4\tfive\n", Want: "words.tsv:3:3"},
		{Name: "header.csv", Text: "a,b,y\n", Want: "header.csv: no rows"},
		{Name: "skip.csv", Text: "569,30,0\n1,2\n", Want: "skip.csv:2"},
		{Name: "fake.npy", Text: "a,b,y\n1,2,3\n", Want: "fake.npy"},
		{Name: "table.xls", Text: "1", Want: `extension ".xls" is none of .csv, .npy, .tsv, .txt`},
		{Name: "a.csv", Text: "1,2\n3,4\n", Args: "-skip -1", Want: "-1 lines to skip"},
		{Args: "-ranks -1", Want: "-1"},
	}
}
