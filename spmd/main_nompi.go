//go:build !mpi

package spmd

import (
	"fmt"
	"os"
)

// mainMPI refuses to run: without MPI every process would be a job of its own.
func mainMPI(how string, _ func(*Comm) error) int {
	if r := launchRank(); r == "" || r == "0" {
		fmt.Fprintf(os.Stderr, "spmd: this program was started by %s but built without MPI; rebuild it with: go build -tags mpi\n", how)
	}
	return 1
}

// launchRank returns the rank that the launcher gave this process, "" if unknown.
func launchRank() string {
	for _, name := range []string{"OMPI_COMM_WORLD_RANK", "MV2_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"} {
		if r := os.Getenv(name); r != "" {
			return r
		}
	}
	return ""
}
