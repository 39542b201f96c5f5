// Command bench measures Caloric beside the limits of the machine and beside its
// peers, and makes tables, plots and a page of what it measured.
//
//	go run ./bench                                 // every case, on one rank
//	go run ./bench -ranks 2 -run '^sum' -json out.json
//	go run ./bench -list                           // the names of the cases
//	go run ./bench -h                              // flags and commands
//	go run ./bench process -ranks 2 -json out.json // start of a program, peak memory
//	go run ./bench scaling -json out.json          // strong and weak scaling
//	go run ./bench report -html page.html *.json   // ratios, goals, plots
//
//	go build -tags mpi,cblas -o bin/bench ./bench && mpirun -n 2 bin/bench
//
// A case is run once to warm up and to see how long it takes, then timed seven
// times, fewer if that takes longer than -budget. A barrier comes before each
// sample, a sample is the time of the slowest rank, and the result is the median.
// Short cases are repeated within a sample.
//
// The scripts in bench/peers run cases of the same names with NumPy, Heat, Dask,
// mpi4py and PyLops-MPI and write the same JSON; bench/run.sh measures everything.
package main
