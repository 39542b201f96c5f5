package spmd

import (
	"os"
	"strconv"
)

// launcher returns what started this process as one rank of a job, "mpirun" or
// "srun", and "" if nothing did.
func launcher() string {
	// What each mpirun tells its processes: Open MPI, MPICH and Intel MPI, MVAPICH.
	if anySet("OMPI_COMM_WORLD_SIZE", "MPI_LOCALNRANKS", "MV2_COMM_WORLD_SIZE") {
		return "mpirun"
	}
	if slurmStep() {
		// A step of one task is the shell of an interactive job, or as good as alone.
		if os.Getenv("SLURM_STEP_NUM_TASKS") == "1" {
			return ""
		}
		return "srun"
	}
	// Launchers that speak only PMI, the protocol below mpirun.
	if anySet("PMIX_RANK", "PMI_RANK") {
		return "mpirun"
	}
	return ""
}

// slurmStep reports whether srun started this process. A batch script has
// SLURM_PROCID as well, but no step, or one of the reserved numbers at the top
// of the 32-bit range.
func slurmStep() bool {
	step, err := strconv.ParseUint(os.Getenv("SLURM_STEP_ID"), 10, 64)
	return err == nil && step < 0xfffffff0 && anySet("SLURM_PROCID")
}

func anySet(names ...string) bool {
	for _, name := range names {
		if os.Getenv(name) != "" {
			return true
		}
	}
	return false
}
