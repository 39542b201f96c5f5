// Command lasso fits a linear model with an L1 penalty to a table, whose rows are
// spread over the ranks; each rank reads its own. It minimizes
// ‖y - b - Xw‖²/(2n) + λ‖w‖₁, and most coefficients become 0.
//
//	go run ./cmd/examples/lasso -ranks 4
//	go run ./cmd/examples/lasso -file table.csv -target price -lambda 0.1
//	mpirun -n 4 ./lasso -file table.npy -standardize     (built with -tags mpi)
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
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
	file     = flag.String("file", "", "table, a .csv, .tsv, .txt or .npy `file` (default the breast cancer data)")
	skip     = flag.Int("skip", 0, "`lines` before the table in a text file")
	without  = flag.String("without", "", "`columns` to leave out: names or numbers, from 1, or from -1 for the last")
	target   = flag.String("target", "-1", "`column` to predict: its name or number")
	lambda   = flag.Float64("lambda", 0.01, "weight of the penalty")
	standard = flag.Bool("standardize", false, "divide the features by their standard deviations")
	sweeps   = flag.Int("sweeps", 100_000, "the most sweeps over the features to take")
	tol      = flag.Float64("tol", 1e-4, "stop when the duality gap is less than this part of the target's variance")
	out      = flag.String("out", "", "`file` for the coefficients and, after them, the intercept")
	ranks    = flag.Int("ranks", 0, "embedded ranks (default SPMD_RANKS or 1)")
)

func main() {
	program.ParseFlags("lasso", "Fits a linear model with an L1 penalty to a table.", "-file table.csv -target price -lambda 0.1")
	spmd.Main(run, spmd.Ranks(*ranks))
}

func run(c *spmd.Comm) error {
	switch {
	case !(*lambda >= 0) || math.IsInf(*lambda, 0):
		return fmt.Errorf("lasso: -lambda %v is no number from 0 on", *lambda)
	case *sweeps < 0:
		return fmt.Errorf("lasso: -sweeps %d is negative", *sweeps)
	case !(*tol >= 0):
		return fmt.Errorf("lasso: -tol %v is no number from 0 on", *tol)
	}
	if err := program.CheckOutputs(c, []string{*file}, program.Output{Flag: "out", Path: *out}); err != nil {
		return fmt.Errorf("lasso: %w", err)
	}
	x, y, names, what, err := load(c)
	if err != nil {
		return err
	}
	if *standard {
		if err := learn.CheckFinite(x, "the features"); err != nil {
			return program.Explain(err, source(), names, what)
		}
		scale := nd.Std[float64](x, nd.Over(0))
		nd.SetWhereScalar(scale, nd.EqualScalar(scale, 0), 1)
		x = nd.Div(x, scale)
	}
	line := program.NewProgress(c)
	r, err := learn.Lasso(x, y, *lambda, learn.LassoOptions{Sweeps: *sweeps, Tol: *tol,
		Progress: func(sweep int, gap float64) {
			line.Print("sweep %d of %d: duality gap %.2g", sweep, *sweeps, gap)
		}})
	line.Clear()
	if err != nil {
		return program.Explain(err, source(), names, what)
	}
	if c.Rank() == 0 {
		print(r, x.Shape(), names, c.Stats())
	}
	if *out != "" {
		all := append(append([]float64{}, r.Coefficients...), r.Intercept)
		return io.Save(*out, nd.FromSlice(c, all, nd.Shape{len(all)}, nd.None))
	}
	return nil
}

func source() string { return cmp.Or(*file, "breast_cancer.csv") }

// load reads the features and the target, split along their rows, and their names.
func load(c *spmd.Comm) (x, y *nd.NDArray[float64], names []string, what string, err error) {
	if *file == "" {
		x, names, err = csv.ReadTable[float64](c, strings.NewReader(tables.BreastCancer), int64(len(tables.BreastCancer)), source(), 0, csv.Skip(1))
	} else {
		x, names, err = program.Load(c, *file, *skip)
	}
	if err != nil {
		return nil, nil, nil, "", err
	}
	n := x.Shape()[1]
	columns, err := program.Columns(*without, names, n)
	if err != nil {
		return nil, nil, nil, "", fmt.Errorf("lasso: %w", err)
	}
	t, err := program.Column(*target, names, n)
	if err != nil {
		return nil, nil, nil, "", fmt.Errorf("lasso: -target: %w", err)
	}
	names = program.Names(names, n)
	if slices.Contains(columns, t) {
		return nil, nil, nil, "", fmt.Errorf("lasso: -target %s is among the columns of -without %s", *target, *without)
	}
	what, y = names[t], x.Slice(nd.Whole(), nd.Index(t))
	x, names = program.Without(x, names, append(columns, t))
	if len(names) == 0 {
		return nil, nil, nil, "", errors.New("lasso: the table needs features beside the target")
	}
	return x, y, names, what, nil
}

// print writes the model and what rank 0 communicated for it.
func print(r *learn.LassoResult, shape nd.Shape, names []string, stats spmd.Stats) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	used := 0
	for j, v := range r.Coefficients {
		fmt.Fprintf(w, "%s\t%.8f\t\n", names[j], v)
		if v != 0 {
			used++
		}
	}
	fmt.Fprintf(w, "intercept\t%.8f\t\n", r.Intercept)
	w.Flush()
	if math.IsNaN(r.R2) {
		fmt.Println("R² undefined: the target is constant")
	} else {
		fmt.Printf("R² %.8f\n", r.R2)
	}
	state := "converged"
	if !r.Converged {
		state = "not converged"
	}
	fmt.Printf("%d of %d features used for %d rows; %d sweeps, %s, duality gap %.1e\n\ncommunication of rank 0:\n%v",
		used, len(names), shape[0], r.Sweeps, state, r.Gap, stats)
}
