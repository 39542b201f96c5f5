// Command kmeans finds clusters in the rows of a table, which are spread over the
// ranks; each rank reads its own.
//
//	go run ./cmd/examples/kmeans -ranks 4
//	go run ./cmd/examples/kmeans -file table.csv -without name,class -k 3 -labels labels.csv
//	mpirun -n 4 ./kmeans -file table.npy -k 20 -init random     (built with -tags mpi)
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"caloric/cmd/examples/internal/program"
	"caloric/internal/learn"
	"caloric/internal/tables"
	"caloric/io"
	"caloric/io/csv"
	"caloric/nd"
	"caloric/spmd"
)

var (
	file    = flag.String("file", "", "table, a .csv, .tsv, .txt or .npy `file` (default the digits)")
	skip    = flag.Int("skip", 0, "`lines` before the table in a text file")
	without = flag.String("without", "", "`columns` to leave out: names or numbers, from 1, or from -1 for the last")
	k       = flag.Int("k", 10, "clusters")
	start   = flag.String("init", "k-means++", "first centers: random, k-means++, or a file with a center in each row")
	seed    = flag.Uint64("seed", 1, "of the random numbers that choose the first centers")
	steps   = flag.Int("steps", 300, "the most steps to take")
	tol     = flag.Float64("tol", 1e-4, "stop when the centers' squared moves are less than this part of the variance")
	labels  = flag.String("labels", "", "`file` for the cluster of each row, from 0")
	centers = flag.String("centers", "", "`file` for the centers")
	ranks   = flag.Int("ranks", 0, "embedded ranks (default SPMD_RANKS or 1)")
)

func main() {
	program.ParseFlags("kmeans", "Finds clusters in the rows of a table.", "-file table.csv -without name -k 3 -labels labels.csv")
	spmd.Main(run, spmd.Ranks(*ranks))
}

func run(c *spmd.Comm) error {
	switch {
	case *steps < 0:
		return fmt.Errorf("kmeans: -steps %d is negative", *steps)
	case !(*tol >= 0):
		return fmt.Errorf("kmeans: -tol %v is no number from 0 on", *tol)
	}
	if err := program.CheckOutputs(c, []string{*file, *start}, program.Output{Flag: "labels", Path: *labels}, program.Output{Flag: "centers", Path: *centers}); err != nil {
		return fmt.Errorf("kmeans: %w", err)
	}
	x, names, err := load(c)
	if err != nil {
		return err
	}
	first, err := firstCenters(x)
	if err != nil {
		return program.Explain(err, cmp.Or(*file, "digits.csv"), names, "")
	}
	line := program.NewProgress(c)
	r, err := learn.KMeans(x, first, learn.KMeansOptions{Steps: *steps, Tol: *tol,
		Progress: func(step, changed int, moved float64) {
			line.Print("step %d of %d: %d rows changed their cluster, the centers moved by %.2g", step, *steps, changed, moved)
		}})
	line.Clear()
	if err != nil {
		return program.Explain(err, cmp.Or(*file, "digits.csv"), names, "")
	}
	if c.Rank() == 0 {
		print(r, x.Shape(), names, c.Stats())
	}
	if *labels != "" {
		if err := io.Save(*labels, r.Labels); err != nil {
			return err
		}
	}
	if *centers != "" {
		return io.Save(*centers, r.Centers)
	}
	return nil
}

// load reads the table, split along its rows, without the columns to leave out.
func load(c *spmd.Comm) (*nd.NDArray[float64], []string, error) {
	out := *without
	var x *nd.NDArray[float64]
	var names []string
	var err error
	if *file == "" {
		x, names, err = csv.ReadTable[float64](c, strings.NewReader(tables.Digits), int64(len(tables.Digits)), "digits.csv", 0)
		out += ",65" // the digit
	} else {
		x, names, err = program.Load(c, *file, *skip)
	}
	if err != nil {
		return nil, nil, err
	}
	columns, err := program.Columns(out, names, x.Shape()[1])
	if err != nil {
		return nil, nil, fmt.Errorf("kmeans: %w", err)
	}
	x, names = program.Without(x, program.Names(names, x.Shape()[1]), columns)
	return x, names, nil
}

// firstCenters returns the centers that -init says.
func firstCenters(x *nd.NDArray[float64]) (*nd.NDArray[float64], error) {
	if *start == "random" || *start == "k-means++" {
		return learn.Choose(x, *k, *start, *seed)
	}
	first, _, err := program.Load(x.Comm(), *start, 0)
	if err != nil {
		return nil, fmt.Errorf("-init is random, k-means++ or a file: %w", err)
	}
	f := first.Shape()
	if d := x.Shape()[1]; f[1] != d {
		return nil, fmt.Errorf("the centers of %s have %d columns, the table has %d", *start, f[1], d)
	}
	set := false
	flag.Visit(func(f *flag.Flag) { set = set || f.Name == "k" })
	if set && *k != f[0] {
		return nil, fmt.Errorf("-k is %d, and %s has %d centers", *k, *start, f[0])
	}
	return first.Resplit(nd.None), learn.CheckClusters(x, first.Shape()[0])
}

// print writes the clusters and what rank 0 communicated for them.
func print(r *learn.KMeansResult[float64], shape nd.Shape, names []string, stats spmd.Stats) {
	state := "converged"
	if !r.Converged {
		state = "not converged"
	}
	fmt.Printf("%d rows, %d columns, %d clusters\n%d steps, %s, inertia %.10g\n\n", shape[0], shape[1], len(r.Counts), r.Steps, state, r.Inertia)
	empty := 0
	for _, n := range r.Counts {
		if n == 0 {
			empty++
		}
	}
	if empty > 0 {
		fmt.Printf("%d of the clusters are empty: fewer rows differ than there are clusters, or first centers lie far from all\n\n", empty)
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	shown := min(len(names), 6)
	fmt.Fprint(w, "cluster\trows\t")
	for _, name := range names[:shown] {
		fmt.Fprintf(w, "%s\t", name)
	}
	fmt.Fprintln(w)
	for j, n := range r.Counts {
		fmt.Fprintf(w, "%d\t%d\t", j, n)
		for _, v := range r.Centers.Local()[j*len(names):][:shown] {
			fmt.Fprintf(w, "%.6g\t", v)
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	if shown < len(names) {
		fmt.Printf("and %d more columns, which -centers writes\n", len(names)-shown)
	}
	fmt.Printf("\ncommunication of rank 0:\n%v", stats)
}
