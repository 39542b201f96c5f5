package spmd

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
)

// operation numbers the kinds of communication that are counted and traced.
type operation uint8

const (
	opBarrier operation = iota
	opBcast
	opReduce
	opAllreduce
	opAllgatherv
	opGatherv
	opScatterv
	opAlltoallv
	opReduceScatter
	opExscan
	opSend
	opRecv
	opSendrecv
	opIsend
	opIrecv
	opIallreduce
	opWait
	opSplit
	opDup
	opFree
	numOps
)

var operationNames = [numOps]string{"barrier", "bcast", "reduce", "allreduce", "allgatherv", "gatherv",
	"scatterv", "alltoallv", "reducescatter", "exscan", "send", "recv", "sendrecv", "isend", "irecv",
	"iallreduce", "wait", "split", "dup", "free"}

func (o operation) String() string { return operationNames[o] }

// Count says how often an operation was called on this rank and what it sent.
//
// Messages and Bytes count what this rank hands to other ranks, as if each
// block went directly to each rank that needs it: an alltoallv counts its
// non-empty blocks for other ranks, an allgatherv its block once per other
// rank, a bcast the root's data once per other rank, a reduce-scatter the
// pieces owned by others. An allreduce, reduce or exscan counts its operand
// once. A communicator of one rank sends nothing.
type Count struct {
	Calls    int64
	Messages int64
	Bytes    int64
}

func (n *Count) add(m Count) {
	n.Calls += m.Calls
	n.Messages += m.Messages
	n.Bytes += m.Bytes
}

// Stats maps the name of each operation that was called ("allreduce",
// "alltoallv", "send" …) to its count.
type Stats map[string]Count

// Sub returns what was counted since before was taken.
func (s Stats) Sub(before Stats) Stats {
	d := Stats{}
	for op, n := range s {
		b := before[op]
		n = Count{n.Calls - b.Calls, n.Messages - b.Messages, n.Bytes - b.Bytes}
		if n != (Count{}) {
			d[op] = n
		}
	}
	return d
}

// Total returns the sum over all operations.
func (s Stats) Total() Count {
	var t Count
	for _, n := range s {
		t.add(n)
	}
	return t
}

// String returns a table, one operation a line, in alphabetical order.
func (s Stats) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "operation\tcalls\tmessages\tbytes\t\n")
	ops := make([]string, 0, len(s))
	for op := range s {
		ops = append(ops, op)
	}
	slices.Sort(ops)
	for _, op := range ops {
		n := s[op]
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t\n", op, n.Calls, n.Messages, n.Bytes)
	}
	w.Flush()
	return b.String()
}

// Stats returns what this rank has communicated over c and the communicators
// made from it.
//
// Local.
func (c *Comm) Stats() Stats {
	s := Stats{}
	for op, n := range c.stats {
		if n != (Count{}) {
			s[operation(op).String()] = n
		}
	}
	return s
}

// count adds one call to c and to the communicators it was made from.
func (c *Comm) count(o operation, messages, bytes int) {
	for p := c; p != nil; p = p.parent {
		p.stats[o].add(Count{1, int64(messages), int64(bytes)})
		if p.aside {
			return
		}
	}
}
