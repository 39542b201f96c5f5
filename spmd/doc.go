// Package spmd starts the ranks of a program and lets them communicate: one
// program, many processes, each with its own data.
//
//	func main() {
//		spmd.Main(func(c *spmd.Comm) error {
//			sum := spmd.AllreduceOne(c, int64(c.Rank()), spmd.Sum)
//			fmt.Println(c, "sum of ranks:", sum)
//			return nil
//		})
//	}
//
// Ranks are either goroutines of this process (embedded: [Run], or [Main] with
// SPMD_RANKS=4 in the environment), or processes started by mpirun or srun, if
// the program was built with -tags mpi. The program is the same.
//
// # Communication
//
// A communicator ([Comm]) is an ordered group of ranks; [Comm.Split] and
// [Comm.Dup] make others from it. A collective is a function that every rank of
// a communicator calls, all in the same order:
//
//	Bcast, Scatterv                        from one rank to all
//	Reduce, Gatherv                        from all ranks to one
//	Allreduce, AllreduceFunc, Allgatherv   from all ranks to all
//	Alltoallv                              from each rank to each
//	ReduceScatter, Exscan                  a reduction, and a part of it to each rank
//	BcastOne, AllreduceOne                 of one element, which allocate nothing
//	Agree                                  an error of any rank becomes everyone's
//
// [Send], [Recv] and [Sendrecv] are between two ranks. [Isend], [Irecv] and
// [Iallreduce] return before they are done, with a [Request] to wait for.
//
// Data is in slices of any [Element] type, which may be empty. Counts are numbers
// of elements; the blocks that they count lie one after another in rank order.
// What a call reads and what it writes must not overlap.
//
// # Failures
//
// Communication functions return no errors, as no caller could act on one: where
// one fails it panics with an [*Error], and [Run] or [Main] ends every rank and
// says what happened. So does an error that the rank's function returns, and any
// other panic. Ranks that call different collectives, or the same one with
// arguments that do not fit together, or that wait for one that has returned, are
// told so, with every rank's operation and source line: embedded ranks always,
// MPI ranks if SPMD_CHECK=1.
//
// # Environment
//
//	SPMD_RANKS=4           embedded ranks that Main runs
//	SPMD_STATS=1           print what was communicated when the job ends
//	SPMD_TRACE=file.json   write a timeline for Chrome's or Perfetto's trace viewer
//	SPMD_CHECK=1           compare the ranks' calls under MPI (slow; for finding a hang)
//	SPMD_TIMEOUT=60        seconds after which a compared call that others do not answer fails
package spmd
