// Package spmd starts the ranks of a program and lets them communicate: one
// program, many processes, each with its own data.
//
//	func main() {
//		spmd.Main(func(c *spmd.Comm) error {
//			n := spmd.AllreduceOne(c, int64(c.Rank()), spmd.Sum)
//			fmt.Println(c, "sum of ranks:", n)
//			return nil
//		})
//	}
//
// Ranks are either goroutines of this process (embedded: [Run], or [Main] with
// SPMD_RANKS=4 in the environment), or processes started by mpirun or srun, if
// the program was built with -tags mpi. The program is the same.
//
// # Words
//
// A communicator ([Comm]) is an ordered group of ranks. A collective is a
// function that every rank of a communicator calls, in the same order: each takes
// part, and each waits for those it needs data from. Its counts and types have to
// fit together. Where they do not, embedded ranks end with an error that names
// every rank's operation and source line; MPI ranks do so with SPMD_CHECK=1.
//
// # Environment
//
//	SPMD_RANKS=4           embedded ranks that Main runs
//	SPMD_STATS=1           print what was communicated when the job ends
//	SPMD_TRACE=file.json   write a timeline for Chrome's or Perfetto's trace viewer
//	SPMD_CHECK=1           compare the ranks' calls under MPI (slow; for finding a hang)
package spmd
