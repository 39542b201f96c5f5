package spmd_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"caloric/internal/spmdtest"
	"caloric/spmd"
)

// buildMisuse builds the program of testdata/misuse.
func buildMisuse(t *testing.T, flags ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "misuse")
	args := append([]string{"build", "-o", file}, flags...)
	if out, err := exec.Command("go", append(args, "./testdata/misuse")...).CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return file
}

// TestMainProgram starts a program as its user would.
func TestMainProgram(t *testing.T) {
	spmdtest.Embedded(t)
	program := buildMisuse(t)
	for _, test := range []struct {
		mistake string
		env     []string
		status  int
		want    []string // in what it prints, nothing if empty
	}{
		{"none", nil, 0, nil},
		{"none", []string{"SPMD_STATS=1"}, 0, []string{"communication of all 1 ranks:", "allreduce      1         0      0"}},
		{"none", []string{"SPMD_STATS=1", "SPMD_RANKS=4"}, 0, []string{"communication of all 4 ranks:", "allreduce      4         4     32"}},
		{"none", []string{"SPMD_RANKS=256"}, 0, nil},
		{"none", []string{"SPMD_RANKS=0"}, 1, []string{`spmd: SPMD_RANKS="0" is not a number of ranks`}},
		{"none", []string{"SPMD_RANKS=-2"}, 1, []string{`spmd: SPMD_RANKS="-2" is not a number of ranks`}},
		{"none", []string{"SPMD_RANKS=four"}, 1, []string{`spmd: SPMD_RANKS="four" is not a number of ranks`}},
		{"error", []string{"SPMD_RANKS=3"}, 1, []string{"rank 1 of 3: open nowhere.csv: no such file"}},
		{"error while others are busy", []string{"SPMD_RANKS=3"}, 1, []string{"rank 1 of 3: open nowhere.csv", "rank 0: running"}},
		{"abort", []string{"SPMD_RANKS=3"}, 1, []string{"rank 1 of 3: ", "open nowhere.csv: no such file"}},
		{"agreed error", []string{"SPMD_RANKS=3"}, 1, []string{"open nowhere.csv: no such file"}},
		{"panic", []string{"SPMD_RANKS=3"}, 1, []string{"rank 1 of 3: panic: boom", "main.mistake"}},
		{"return", []string{"SPMD_RANKS=3"}, 1, []string{"rank 1: returned"}},
		{"none", []string{"SPMD_RANKS=2", "SPMD_TRACE=/nowhere/t.json"}, 1, []string{"/nowhere/t.json"}},
	} {
		t.Run(strings.Join(append(test.env, test.mistake), " "), func(t *testing.T) {
			cmd := exec.Command(program, test.mistake)
			cmd.Env = append(slices.DeleteFunc(os.Environ(), func(s string) bool { return strings.HasPrefix(s, "SPMD_") }), test.env...)
			out, err := cmd.CombinedOutput()
			if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != test.status {
				t.Errorf("%v, want exit status %d", err, test.status)
			}
			for _, want := range test.want {
				if !strings.Contains(string(out), want) {
					t.Errorf("no %q in what it prints", want)
				}
			}
			if test.want == nil && len(out) > 0 || t.Failed() {
				t.Errorf("printed:\n%s", out)
			}
		})
	}
}

// TestTrace reads the timeline of a job as a viewer does.
func TestTrace(t *testing.T) {
	spmdtest.Embedded(t)
	file := filepath.Join(t.TempDir(), "trace.json")
	t.Setenv("SPMD_TRACE", file)
	err := spmd.Run(3, func(c *spmd.Comm) error {
		c.Barrier()
		spmd.Allreduce(c, make([]float64, 5), spmd.Sum)
		if part := c.Split(c.Rank()/2, 0); part.Size() == 2 {
			spmd.BcastOne(part, int8(1), 0)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var events []struct {
		Name, Ph string
		Pid      int
		Ts, Dur  float64
		Args     struct {
			Name                   string
			Ranks, Messages, Bytes int
		}
	}
	if err := json.Unmarshal(text, &events); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	tracks, calls, end := map[int]string{}, map[int][]string{}, map[int]float64{}
	for _, e := range events {
		if e.Ph == "M" {
			tracks[e.Pid] = e.Args.Name
			continue
		}
		calls[e.Pid] = append(calls[e.Pid], e.Name)
		if e.Ph != "X" || e.Ts < end[e.Pid] || e.Dur < 0 {
			t.Errorf("event %+v, after one that ended at %v", e, end[e.Pid])
		}
		end[e.Pid] = e.Ts + e.Dur - 0.001 // the time is rounded
		if e.Name == "allreduce" && (e.Args.Ranks != 3 || e.Args.Messages != 1 || e.Args.Bytes != 40) {
			t.Errorf("allreduce with %+v", e.Args)
		}
		if e.Name == "bcast" && e.Args.Ranks != 2 {
			t.Errorf("bcast with %+v", e.Args)
		}
	}
	if diff := cmp.Diff(map[int]string{0: "rank 0", 1: "rank 1", 2: "rank 2"}, tracks); diff != "" {
		t.Errorf("tracks (-want +got):\n%s", diff)
	}
	all := []string{"barrier", "allreduce", "split"}
	if diff := cmp.Diff(map[int][]string{0: append(all[:3:3], "bcast"), 1: append(all[:3:3], "bcast"), 2: all}, calls); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}

// TestStatsPrinted: a run that went well prints what all ranks have communicated.
func TestStatsPrinted(t *testing.T) {
	spmdtest.Embedded(t)
	t.Setenv("SPMD_STATS", "1")
	stderr := os.Stderr
	defer func() { os.Stderr = stderr }()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	os.Stderr = w
	run := spmd.Run(3, func(c *spmd.Comm) error {
		spmd.BcastOne(c, 1.0, 2)
		part := c.Split(0, 0)
		part.Barrier()
		part.Free()
		return nil
	})
	failed := spmd.Run(2, func(c *spmd.Comm) error { return errors.New("no") })
	w.Close()
	var out bytes.Buffer
	if _, err := out.ReadFrom(r); err != nil {
		t.Fatal(err)
	}
	const want = `communication of all 3 ranks:
  operation  calls  messages  bytes
    barrier      3         0      0
      bcast      3         2     16
       free      3         0      0
      split      3         0      0
`
	if diff := cmp.Diff(want, out.String()); run != nil || failed == nil || diff != "" {
		t.Errorf("errors %v and %v, printed (-want +got):\n%s", run, failed, diff)
	}
}

// TestWorkers: the ranks share the processors, and each has at least one.
func TestWorkers(t *testing.T) {
	spmdtest.Embedded(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	for n, want := range map[int]int{1: 8, 2: 4, 3: 2, 8: 1, 20: 1} {
		err := spmd.Run(n, func(c *spmd.Comm) error {
			if got, part := c.Workers(), c.Split(0, 0).Workers(); got != want || part != want {
				t.Errorf("%d and %d workers on %v, want %d", got, part, c, want)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	if runtime.GOMAXPROCS(0) != 8 {
		t.Error("Run changed GOMAXPROCS")
	}
	if err := spmd.Run(0, nil); err == nil {
		t.Error("Run of 0 ranks succeeds")
	}
}

func TestStatsSub(t *testing.T) {
	before := spmd.Stats{"send": {Calls: 2, Messages: 2, Bytes: 10}, "bcast": {Calls: 1, Messages: 3, Bytes: 24}}
	after := spmd.Stats{"send": {Calls: 3, Messages: 3, Bytes: 10}, "bcast": {Calls: 1, Messages: 3, Bytes: 24}, "recv": {Calls: 1}}
	want := spmd.Stats{"send": {Calls: 1, Messages: 1}, "recv": {Calls: 1}}
	if diff := cmp.Diff(want, after.Sub(before)); diff != "" {
		t.Errorf("Sub (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(spmd.Count{Calls: 5, Messages: 6, Bytes: 34}, after.Total()); diff != "" {
		t.Errorf("Total (-want +got):\n%s", diff)
	}
}
