package spmdtest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"caloric/spmd"
)

// counted runs f and compares what it communicated over c with want, leaving out
// what sends nothing when c has one rank.
func counted(t testing.TB, c *spmd.Comm, want spmd.Stats, what string, f func()) {
	t.Helper()
	for op, n := range want {
		if c.Size() == 1 {
			want[op] = spmd.Count{Calls: n.Calls}
		}
	}
	before := c.Stats()
	f()
	if diff := cmp.Diff(want, c.Stats().Sub(before)); diff != "" {
		t.Errorf("%s on %v is counted as (-want +got):\n%s", what, c, diff)
	}
}

// stats compares the counts of each collective with what the definition of
// spmd.Count says. An operand without elements sends nothing.
func stats(t testing.TB, c *spmd.Comm) {
	p, me := c.Size(), c.Rank()
	others := int64(p - 1)
	once := func(op string, n int64, sends bool) spmd.Stats {
		if !sends || n == 0 {
			return spmd.Stats{op: {Calls: 1}}
		}
		return spmd.Stats{op: {Calls: 1, Messages: 1, Bytes: n}}
	}
	toOthers := func(op string, n int64, sends bool) spmd.Stats {
		if !sends || n == 0 {
			return spmd.Stats{op: {Calls: 1}}
		}
		return spmd.Stats{op: {Calls: 1, Messages: others, Bytes: others * n}}
	}
	// blocks are counts of float32, which elements of each rank's own are not sent.
	blocks := func(op string, counts []int, sends bool) spmd.Stats {
		n := spmd.Count{Calls: 1}
		for r, k := range counts {
			if sends && r != me && k > 0 {
				n.Messages++
				n.Bytes += 4 * int64(k)
			}
		}
		return spmd.Stats{op: n}
	}
	counted(t, c, once("barrier", 0, false), "Barrier", c.Barrier)
	for _, n := range []int{0, 3, 2000} {
		bytes := int64(4 * n)
		buf := make([]float32, n)
		counted(t, c, toOthers("bcast", bytes, me == 0), "Bcast", func() { spmd.Bcast(c, buf, 0) })
		counted(t, c, once("allreduce", bytes, true), "Allreduce", func() { spmd.Allreduce(c, buf, spmd.Sum) })
		counted(t, c, once("allreduce", bytes, true), "AllreduceFunc", func() {
			spmd.AllreduceFunc(c, buf, func(acc, next []float32) {})
		})
		counted(t, c, once("reduce", bytes, me != p-1), "Reduce", func() { spmd.Reduce(c, buf, spmd.Sum, p-1) })
		counted(t, c, once("exscan", bytes, me != p-1), "Exscan", func() { spmd.Exscan(c, buf, spmd.Sum) })
		want := once("iallreduce", bytes, true)
		want["wait"] = spmd.Count{Calls: 1}
		counted(t, c, want, "Iallreduce", func() { spmd.Iallreduce(c, buf, spmd.Sum).Wait() })
	}
	for _, counts := range patterns(p) {
		all, mine := make([]float32, sum(counts)), make([]float32, counts[me])
		bytes := int64(4 * len(mine))
		counted(t, c, toOthers("allgatherv", bytes, true), "Allgatherv", func() { spmd.Allgatherv(c, mine, all, counts) })
		counted(t, c, once("gatherv", bytes, me != 0), "Gatherv", func() { spmd.Gatherv(c, mine, all, counts, 0) })
		counted(t, c, blocks("scatterv", counts, me == 0), "Scatterv", func() { spmd.Scatterv(c, all, counts, mine, 0) })
		counted(t, c, blocks("reducescatter", counts, true), "ReduceScatter", func() {
			spmd.ReduceScatter(c, all, mine, counts, spmd.Max)
		})
		// Every rank sends counts[r] elements to rank r.
		recvs := make([]int, p)
		for r := range recvs {
			recvs[r] = counts[me]
		}
		counted(t, c, blocks("alltoallv", counts, true), "Alltoallv", func() {
			spmd.Alltoallv(c, all, counts, make([]float32, p*counts[me]), recvs)
		})
	}
	counted(t, c, spmd.Stats{"split": {Calls: 1}}, "Split", func() { c.Split(0, 0) })
	counted(t, c, spmd.Stats{"dup": {Calls: 1}, "free": {Calls: 1}}, "Dup", func() { c.Dup().Free() })
	counted(t, c, spmd.Stats{}, "asking for a rank", func() { _ = c.String() })
}

// messageStats counts messages where they are sent; one to oneself sends nothing.
func messageStats(t testing.TB, c *spmd.Comm) {
	p, me := c.Size(), c.Rank()
	next, previous := (me+1)%p, (me+p-1)%p
	buf, in := make([]uint64, 5), make([]uint64, 5)
	sent := spmd.Count{Calls: 1, Messages: 1, Bytes: 40}
	counted(t, c, spmd.Stats{"sendrecv": sent}, "Sendrecv", func() { spmd.Sendrecv(c, buf, next, in, previous, 0) })
	counted(t, c, spmd.Stats{"isend": sent, "irecv": {Calls: 1}, "wait": {Calls: 2}}, "Isend", func() {
		r := spmd.Irecv(c, in, previous, 0)
		spmd.Isend(c, buf, next, 0).Wait()
		r.Wait()
	})
	counted(t, c, spmd.Stats{"sendrecv": {Calls: 1}}, "Sendrecv with itself", func() { spmd.Sendrecv(c, buf, me, in, me, 0) })
	if p == 1 {
		return
	}
	switch me {
	case 0:
		counted(t, c, spmd.Stats{"send": sent}, "Send", func() { spmd.Send(c, buf, 1, 0) })
		counted(t, c, spmd.Stats{"send": {Calls: 1, Messages: 1}}, "empty Send", func() { spmd.Send(c, buf[:0], 1, 0) })
	case 1:
		counted(t, c, spmd.Stats{"recv": {Calls: 2}}, "Recv", func() {
			spmd.Recv(c, in, 0, 0)
			spmd.Recv(c, in[:0], 0, 0)
		})
	}
}

// parentStats counts what a part of c communicates for the part and for c.
func parentStats(t testing.TB, c *spmd.Comm) {
	part := c.Split(c.Rank()%2, 0).Dup()
	want := spmd.Count{Calls: 2, Messages: 2, Bytes: 16}
	if part.Size() == 1 {
		want = spmd.Count{Calls: 2}
	}
	before := c.Stats()
	for range 2 {
		spmd.AllreduceOne(part, int64(1), spmd.Sum)
	}
	if diff := cmp.Diff(spmd.Stats{"allreduce": want}, part.Stats()); diff != "" {
		t.Errorf("Stats of a part of %v (-want +got):\n%s", c, diff)
	}
	if diff := cmp.Diff(spmd.Stats{"allreduce": want}, c.Stats().Sub(before)); diff != "" {
		t.Errorf("Stats of %v (-want +got):\n%s", c, diff)
	}
	if got := part.Stats().Total(); got != want {
		t.Errorf("Total is %v, want %v", got, want)
	}
}
