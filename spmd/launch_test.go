package spmd

import "testing"

func TestLauncher(t *testing.T) {
	type env map[string]string
	all := []string{"OMPI_COMM_WORLD_SIZE", "MPI_LOCALNRANKS", "MV2_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK",
		"SLURM_STEP_ID", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}
	for _, test := range []struct {
		name string
		env  env
		want string
	}{
		{"alone", env{}, ""},
		{"Open MPI", env{"OMPI_COMM_WORLD_SIZE": "1"}, "mpirun"},
		{"MPICH", env{"PMI_RANK": "0", "PMI_SIZE": "2", "MPI_LOCALNRANKS": "2"}, "mpirun"},
		{"PMIx", env{"PMIX_RANK": "3"}, "mpirun"},
		{"srun", env{"SLURM_STEP_ID": "0", "SLURM_PROCID": "1", "SLURM_STEP_NUM_TASKS": "4"}, "srun"},
		{"srun with PMI", env{"SLURM_STEP_ID": "0", "SLURM_PROCID": "1", "PMI_RANK": "1"}, "srun"},
		{"batch script", env{"SLURM_PROCID": "0", "SLURM_NTASKS": "4"}, ""},
		{"batch step", env{"SLURM_STEP_ID": "4294967291", "SLURM_PROCID": "0"}, ""},
		{"srun --pty bash", env{"SLURM_STEP_ID": "0", "SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "1", "PMIX_RANK": "0"}, ""},
		{"mpirun of several nodes in Slurm", env{"OMPI_COMM_WORLD_SIZE": "8", "SLURM_STEP_ID": "0", "SLURM_PROCID": "1", "SLURM_STEP_NUM_TASKS": "2"}, "mpirun"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, name := range all {
				t.Setenv(name, test.env[name])
			}
			if got := launcher(); got != test.want {
				t.Errorf("launcher() = %q, want %q", got, test.want)
			}
		})
	}
}
