// Command moments describes the columns of a table, its rows, or all of it: mean,
// variance, skewness and so on. The rows are spread over the ranks; each rank reads
// its own.
//
//	go run ./cmd/examples/moments -ranks 4
//	go run ./cmd/examples/moments -file table.csv -over columns -out moments.csv
//	mpirun -n 4 ./moments -file table.npy     (built with -tags mpi)
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"caloric/cmd/examples/internal/program"
	"caloric/internal/learn"
	"caloric/internal/tables"
	"caloric/io"
	"caloric/io/csv"
	"caloric/nd"
	"caloric/spmd"
)

var (
	file  = flag.String("file", "", "table, a .csv, .tsv, .txt or .npy `file` (default the breast cancer data)")
	skip  = flag.Int("skip", 0, "`lines` before the table in a text file")
	over  = flag.String("over", "rows", "what to go over: rows, which describes each column, columns or all")
	ddof  = flag.Int("ddof", 0, "subtracted from the divisor n of the variance")
	out   = flag.String("out", "", "`file` for the moments, a row for each column, row or table")
	ranks = flag.Int("ranks", 0, "embedded ranks (default SPMD_RANKS or 1)")
)

// statistics are the names of what is printed and written.
var statistics = []string{"mean", "var", "std", "skew", "kurtosis", "min", "max"}

func main() {
	program.ParseFlags("moments", "Describes the columns of a table, its rows, or all of it.", "-file table.csv -over columns -out moments.csv")
	spmd.Main(run, spmd.Ranks(*ranks))
}

func run(c *spmd.Comm) error {
	what, ok := map[string]learn.Over{"all": learn.All, "rows": learn.Rows, "columns": learn.Columns}[*over]
	if !ok {
		return fmt.Errorf("moments: -over %q is none of all, columns, rows", *over)
	}
	if err := program.CheckOutputs(c, []string{*file}, program.Output{Flag: "out", Path: *out}); err != nil {
		return fmt.Errorf("moments: %w", err)
	}
	line := program.NewProgress(c)
	line.Print("reading %s", cmp.Or(*file, "breast_cancer.csv"))
	defer line.Clear()
	x, names, err := load(c)
	if err != nil {
		return err
	}
	start := time.Now()
	m := learn.Describe(x, what, *ddof)
	took := time.Since(start)
	table := nd.Stack(-1, m.Mean, m.Var, m.Std, m.Skew, m.Kurtosis, m.Min, m.Max)
	table = table.Reshape(-1, len(statistics))
	if *out != "" {
		if err := save(*out, table); err != nil {
			return err
		}
	}
	lines := table.Shape()[0]
	if what == learn.Columns {
		lines = min(lines, 10)
	}
	shown := table.Slice(nd.To(lines)).Gather() // collective: every rank
	line.Clear()
	if c.Rank() == 0 {
		print(shown, rowNames(what, names, lines), m.Count, table.Shape()[0], took, c.Stats())
	}
	return nil
}

// load reads the table, split along its rows.
func load(c *spmd.Comm) (*nd.NDArray[float64], []string, error) {
	if *file == "" {
		return csv.ReadTable[float64](c, strings.NewReader(tables.BreastCancer), int64(len(tables.BreastCancer)), "breast_cancer.csv", 0, csv.Skip(1))
	}
	return program.Load(c, *file, *skip)
}

// save writes the moments, with their names if it is a text file.
func save(path string, table *nd.NDArray[float64]) error {
	if strings.HasSuffix(strings.ToLower(path), ".csv") {
		return csv.Save(path, table, csv.Names(statistics...))
	}
	return io.Save(path, table)
}

// rowNames returns the names of the first n things that are described.
func rowNames(over learn.Over, columns []string, n int) []string {
	switch over {
	case learn.All:
		return []string{"all"}
	case learn.Rows:
		return program.Names(columns, n)[:n]
	}
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("row %d", i+1)
	}
	return names
}

// print writes the moments and what rank 0 communicated for them.
func print(values []float64, names []string, count, all int, took time.Duration, stats spmd.Stats) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "\t%s\t\n", strings.Join(statistics, "\t"))
	for i, name := range names {
		fmt.Fprintf(w, "%s\t", name)
		for _, v := range values[i*len(statistics):][:len(statistics)] {
			fmt.Fprintf(w, "%.7g\t", v)
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	if len(names) < all {
		fmt.Printf("and %d more, which -out writes\n", all-len(names))
	}
	fmt.Printf("of %d numbers each, in %v\n\ncommunication of rank 0:\n%v", count, took.Round(time.Microsecond), stats)
}
