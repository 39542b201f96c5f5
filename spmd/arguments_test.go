package spmd_test

import (
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/spmd"
)

// TestArguments passes arguments that are wrong whatever the other ranks do:
// each is an *Error on the rank that makes the call, before it communicates.
func TestArguments(t *testing.T) {
	two, three := make([]float64, 2), make([]float64, 3)
	spmdtest.Run(t, 3, func(c *spmd.Comm) {
		ones := []int{1, 1, 1}
		for want, call := range map[string]func(){
			"bcast: root 3 is not a rank of a communicator of 3":        func() { spmd.Bcast(c, two, 3) },
			"bcast: root -1 is not a rank of a communicator of 3":       func() { spmd.BcastOne(c, true, -1) },
			"reduce: root 9 is not a rank of a communicator of 3":       func() { spmd.Reduce(c, two, spmd.Sum, 9) },
			"gatherv: root 3 is not a rank":                             func() { spmd.Gatherv(c, two[:1], three, ones, 3) },
			"scatterv: root 3 is not a rank":                            func() { spmd.Scatterv(c, three, ones, two[:1], 3) },
			"allreduce: xor is not defined for float64":                 func() { spmd.Allreduce(c, two, spmd.Xor) },
			"allreduce: sum is not defined for bool":                    func() { spmd.AllreduceOne(c, true, spmd.Sum) },
			"iallreduce: min is not defined for complex128":             func() { spmd.Iallreduce(c, []complex128{1}, spmd.Min) },
			"exscan: max is not defined for complex64":                  func() { spmd.Exscan(c, []complex64{1}, spmd.Max) },
			"reducescatter: and is not defined for float32":             func() { spmd.ReduceScatter(c, []float32{1, 2, 3}, []float32{0}, ones, spmd.And) },
			"allgatherv: 2 counts for 3 ranks":                          func() { spmd.Allgatherv(c, two[:1], two, []int{1, 1}) },
			"allgatherv: count of rank 2 is -1":                         func() { spmd.Allgatherv(c, two[:1], two, []int{1, 2, -1}) },
			"counts [1 1 1] add up to 3, but len(recv) is 2":            func() { spmd.Allgatherv(c, two[:1], two, ones) },
			"is 1, but len(send) is 2":                                  func() { spmd.Allgatherv(c, two, three, ones) },
			"is 1, but len(recv) is 2":                                  func() { spmd.ReduceScatter(c, three, two, ones, spmd.Sum) },
			"alltoallv: counts [1 1 1] add up to 3, but len(send) is 2": func() { spmd.Alltoallv(c, two, ones, three, ones) },
			"alltoallv: counts [1 1 1] add up to 3, but len(recv) is 2": func() { spmd.Alltoallv(c, three, ones, two, ones) },
			"send: peer 3 is not a rank of a communicator of 3":         func() { spmd.Send(c, two, 3, 0) },
			"recv: peer -1 is not a rank of a communicator of 3":        func() { spmd.Recv(c, two, -1, 0) },
			"isend: tag -1 is not between 0 and":                        func() { spmd.Isend(c, two, 0, -1) },
			"irecv: tag 32768 is not between 0 and 32767":               func() { spmd.Irecv(c, two, 0, spmd.MaxTag+1) },
			"sendrecv: peer 7 is not a rank of a communicator of 3":     func() { spmd.Sendrecv(c, two, 7, two, 0, 0) },
			"sendrecv: tag 100000 is not between 0 and":                 func() { spmd.Sendrecv(c, two, 0, three, 0, 100000) },
			"free: the world communicator cannot be freed":              func() { c.Free() },
			"sendrecv: peer -5 is not a rank of a communicator of 3":    func() { spmd.Sendrecv(c, two, 0, two, -5, 0) },
			"gatherv: counts [0 0 0] add up to 0, but len(recv) is 3":   func() { spmd.Gatherv(c, nil, three, make([]int, 3), c.Rank()) },
			"scatterv: counts [0 0 0] add up to 0, but len(send) is 3":  func() { spmd.Scatterv(c, three, make([]int, 3), nil, c.Rank()) },
		} {
			func() {
				defer func() {
					e, ok := recover().(*spmd.Error)
					if !ok {
						t.Errorf("no *spmd.Error, want %s", want)
						return
					}
					op, cause, found := strings.Cut(want, ": ")
					if !found {
						op, cause = e.Op, want
					}
					if e.Op != op || !strings.Contains(e.Cause.Error(), cause) || e.Rank != c.Rank() ||
						!strings.Contains(e.Site, " at spmd/arguments_test.go:") {
						t.Errorf("error %v, want %s", e, want)
					}
				}()
				call()
			}()
		}
	})
}
