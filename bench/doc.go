// Command bench times Caloric's operations on embedded ranks, or as an MPI program
// on the ranks that mpirun starts, beside the limits of the machine.
//
//	go run ./bench -ranks 2
//	go run ./bench -ranks 2 -run 'add|sum' -json
//	go build -tags mpi -o bin/bench ./bench && mpirun -n 2 bin/bench
//
// A case runs until it has been warmed up and timed seven times; a barrier comes
// before each sample, a sample is the time of the slowest rank, and what is
// printed is the median. The triad, z = x + 3y in a plain loop over memory that is
// larger than the caches, is the bandwidth that memory-bound cases are held against.
package main
