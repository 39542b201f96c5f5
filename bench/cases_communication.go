package main

import (
	"fmt"

	"caloric/spmd"
)

// communicationCases are collectives without arrays: on one element for their
// latency, on 8 MB in all for their bandwidth.
func communicationCases(s sizes) []benchCase {
	n := s.order
	name := func(op string, n int) string { return fmt.Sprintf("%s n=%s f64", op, count(n)) }
	// parts returns a send buffer of n/p elements for each rank.
	parts := func(c *spmd.Comm, each int) ([]float64, []int) {
		counts := make([]int, c.Size())
		for r := range counts {
			counts[r] = each
		}
		return make([]float64, each*c.Size()), counts
	}
	return []benchCase{
		{name: "barrier", setup: func(c *spmd.Comm) func() { return c.Barrier }},
		{name: name("allreduce", 1), setup: func(c *spmd.Comm) func() {
			return func() { spmd.AllreduceOne(c, 1.0, spmd.Max) }
		}},
		{name: name("allreduce", n), bytes: 8 * float64(n), setup: func(c *spmd.Comm) func() {
			buf := make([]float64, n)
			return func() { spmd.Allreduce(c, buf, spmd.Sum) }
		}},
		{name: name("bcast", n), bytes: 8 * float64(n), setup: func(c *spmd.Comm) func() {
			buf := make([]float64, n)
			return func() { spmd.Bcast(c, buf, 0) }
		}},
		{name: name("allgatherv", n), bytes: 8 * float64(n), setup: func(c *spmd.Comm) func() {
			recv, counts := parts(c, n/c.Size())
			send := make([]float64, n/c.Size())
			return func() { spmd.Allgatherv(c, send, recv, counts) }
		}},
		{name: name("alltoallv", n), bytes: 8 * float64(n), setup: func(c *spmd.Comm) func() {
			send, counts := parts(c, n/c.Size()/c.Size())
			recv, _ := parts(c, n/c.Size()/c.Size())
			return func() { spmd.Alltoallv(c, send, counts, recv, counts) }
		}},
	}
}
