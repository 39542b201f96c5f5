//go:build mpi

package spmd_test

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// These tests start MPI jobs of their own.
func needMpirun(t *testing.T) {
	t.Helper()
	if os.Getenv("OMPI_COMM_WORLD_SIZE") != "" || os.Getenv("PMI_RANK") != "" {
		t.Skip("runs as an MPI job itself")
	}
	if _, err := exec.LookPath("mpirun"); err != nil {
		t.Skip("needs mpirun:", err)
	}
}

// mpirun runs program on 3 ranks and returns its output and exit status. A job
// that hangs fails the test.
func mpirun(t *testing.T, env []string, program string, args ...string) (string, int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "mpirun", append([]string{"-n", "3", program}, args...)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	cmd.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
		"OMPI_MCA_rmaps_base_oversubscribe=1", "OMPI_MCA_btl_vader_single_copy_mechanism=none")
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		t.Fatalf("still running after a minute:\n%s", out)
	}
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func TestMpirunMistakes(t *testing.T) {
	needMpirun(t)
	program := buildMisuse(t, "-tags", "mpi")
	check := []string{"SPMD_CHECK=1", "SPMD_TIMEOUT=5"}
	line := func(call string) string { return call + " at misuse/main.go:" }
	for _, test := range []struct {
		mistake string
		env     []string
		want    []string
	}{
		{"panic", nil, []string{"rank 1 of 3 failed: panic: boom", "main.mistake"}},
		{"panic", check, []string{"rank 1 of 3 failed: panic: boom"}},
		{"goexit", nil, []string{"rank 1 of 3 failed: the rank's goroutine was ended (runtime.Goexit"}},
		{"goexit", check, []string{"rank 1 of 3 failed: the rank's goroutine was ended (runtime.Goexit"}},
		{"freed", nil, []string{"rank 1 of 3", "(spmd.Comm.Barrier at misuse/main.go:", "use of a freed communicator"}},
		{"none", []string{"SPMD_CHECK=maybe"}, []string{`SPMD_CHECK="maybe" is neither 1 nor 0`}},
		{"other type", []string{"SPMD_CHECK=true", "SPMD_TIMEOUT=5"}, []string{"rank 1: allreduce sum of 1 float32"}},
		{"error", nil, []string{"rank 1 of 3 failed: open nowhere.csv"}},
		{"error while others are busy", nil, []string{"rank 1 of 3 failed: open nowhere.csv"}},
		{"late error", nil, []string{"rank 1 of 3: open nowhere.csv"}},
		{"abort", nil, []string{"rank 1 of 3 failed: open nowhere.csv"}},
		{"return", nil, []string{"barrier waits for rank 1, which has returned"}},
		{"return", check, []string{"rank 0: barrier in " + line("spmd.Comm.Barrier"), "rank 1: returned"}},
		{"return in part", nil, []string{"rank 0 of 3 failed: barrier waits for rank 1, which has returned"}},
		{"return in part", check, []string{"rank 0: barrier in " + line("spmd.Comm.Barrier"), "rank 1: returned"}},
		{"return before send", nil, []string{"rank 1, which has returned"}},
		{"return before send", check, []string{line("spmd.Recv"), "waited 5s to receive 3 float64 from rank 1 with tag 7"}},
		{"long message", nil, []string{"rank 0 of 3", line("spmd.Recv"), "TRUNCATE"}},
		{"short message", nil, []string{"rank 0 of 3", line("spmd.Recv"), "shorter"}},
		{"other collective", check, []string{"rank 0: barrier in " + line("spmd.Comm.Barrier"),
			"rank 1: allreduce sum of 1 float64 in " + line("spmd.AllreduceOne"), "rank 2: barrier"}},
		{"other type", check, []string{"rank 0: allreduce sum of 1 float64", "rank 1: allreduce sum of 1 float32"}},
		{"other count", check, []string{"rank 0: allreduce sum of 1 float64", "rank 1: allreduce sum of 2 float64"}},
		{"other count later", check, []string{"rank 1: iallreduce sum of 1001 float64 in " + line("spmd.Iallreduce")}},
		{"other block", check, []string{"rank 1: expects 2 elements from rank 2, which sends 1", line("spmd.Alltoallv")}},
	} {
		name := test.mistake
		if test.env != nil {
			name += " checked"
		}
		t.Run(name, func(t *testing.T) {
			out, status := mpirun(t, test.env, program, test.mistake)
			if status == 0 {
				t.Error("exit status 0")
			}
			for _, want := range test.want {
				if !strings.Contains(out, want) {
					t.Errorf("no %q in the output", want)
				}
			}
			if t.Failed() {
				t.Logf("output:\n%s", out)
			}
		})
	}
}

func TestMpirunPrintsAgreedErrorOnce(t *testing.T) {
	needMpirun(t)
	out, status := mpirun(t, nil, buildMisuse(t, "-tags", "mpi"), "agreed error")
	if n := strings.Count(out, "nowhere.csv"); status != 1 || n != 1 {
		t.Errorf("exit status %d, printed %d times:\n%s", status, n, out)
	}
}

func TestMpirunStats(t *testing.T) {
	needMpirun(t)
	out, status := mpirun(t, []string{"SPMD_STATS=1"}, buildMisuse(t, "-tags", "mpi"), "none")
	if status != 0 || !strings.Contains(out, "communication of all 3 ranks:") ||
		!strings.Contains(strings.Join(strings.Fields(out), " "), "allreduce 3 3 24") {
		t.Errorf("exit status %d:\n%s", status, out)
	}
}

func TestMpirunWithoutTag(t *testing.T) {
	needMpirun(t)
	out, status := mpirun(t, nil, buildMisuse(t), "none")
	if n := strings.Count(out, "go build -tags mpi"); status != 1 || n != 1 {
		t.Errorf("exit status %d, hint printed %d times:\n%s", status, n, out)
	}
}
