// Command tour walks through Caloric's arrays in the order of the tutorial "Heat
// Basics": creation, types, operations, broadcasting, indexing, split arrays and
// their local parts, transposes, reductions with and across the split, products
// under each split, and the exercise at its end.
//
//	go run ./cmd/examples/tour -ranks 4
//	mpirun -n 4 ./tour                     (built with -tags mpi)
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"caloric/nd"
	"caloric/spmd"
)

var (
	ranks = flag.Int("ranks", 0, "embedded ranks (default SPMD_RANKS or 1)")
	size  = flag.Int("n", 400, "rows and columns of the matrices that are multiplied")
)

func main() {
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), "Usage: tour [flags], as in tour -ranks 4\nShows what arrays do, split by split.\n\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "tour: %q is no flag\n", flag.Arg(0))
		os.Exit(2)
	}
	spmd.Main(func(c *spmd.Comm) error { return tour(c, os.Stdout, *size) }, spmd.Ranks(*ranks))
}

// tour runs all of it. Rank 0 writes to w.
func tour(c *spmd.Comm, w io.Writer, n int) error {
	if n < 1 {
		return fmt.Errorf("tour: -n is %d, want at least 1", n)
	}
	t := guide{c: c, w: w}
	for _, part := range []func(*guide){
		creation, types, operations, broadcasting, indexing, help,
		splitArrays, transposed, reductions, elementwise,
		func(t *guide) { products(t, n) }, memory, exercise,
	} {
		part(&t)
	}
	return t.err
}

// guide writes what the tour shows. Its methods are collective.
type guide struct {
	c   *spmd.Comm
	w   io.Writer
	err error // the first that writing gave, on rank 0
}

// say writes a line on rank 0.
func (t *guide) say(format string, args ...any) {
	if t.c.Rank() == 0 {
		_, err := fmt.Fprintf(t.w, format+"\n", args...)
		t.err = errors.Join(t.err, err)
	}
}

// show writes what a program would write to get a, and a.
func show[T nd.Element](t *guide, expression string, a *nd.NDArray[T], opts ...nd.PrintOption) {
	var zero T
	opts = append([]nd.PrintOption{nd.Separator(", ")}, opts...)
	t.say("> %s\n%s\n%T, split %v\n", expression, nd.Sprint(a, opts...), zero, a.Split())
}

// eachRank writes every rank's text, in the order of the ranks.
func (t *guide) eachRank(text string) {
	lengths := make([]int64, t.c.Size())
	lengths[t.c.Rank()] = int64(len(text))
	spmd.Allreduce(t.c, lengths, spmd.Sum)
	counts, total := make([]int, len(lengths)), 0
	for r, n := range lengths {
		counts[r] = int(n)
		total += counts[r]
	}
	all := make([]uint8, total)
	spmd.Gatherv(t.c, []uint8(text), all, counts, 0)
	for r, n := range counts {
		t.say("rank %d: %s", r, all[:n])
		all = all[n:]
	}
	t.say("")
}

// communicated calls f and writes which collectives it took, and the bytes that
// rank 0 sent.
func (t *guide) communicated(what string, f func()) {
	before := t.c.Stats()
	f()
	spent := t.c.Stats().Sub(before).Total()
	t.say("%s: collectives %d, bytes %d", what, spent.Calls, spent.Bytes)
}
