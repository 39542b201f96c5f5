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
