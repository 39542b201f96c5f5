// Command ridge fits a linear model with an L2 penalty to a CSV file: a line of
// names, then rows of numbers, the last column being the target. The rows are
// spread over the ranks, and each rank reads its own.
//
//	go run ./cmd/examples/ridge -ranks 4
//	mpirun -n 4 ./ridge -file table.csv -lambda 10     (built with -tags mpi)
package main

import (
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"text/tabwriter"

	"caloric/io/csv"
	"caloric/linalg"
	"caloric/nd"
	"caloric/spmd"
)

// The diabetes data of Efron, Hastie, Johnstone and Tibshirani (2004), "Least
// Angle Regression", Annals of Statistics 32.
//
//go:embed diabetes.csv
var diabetes string

var (
	file   = flag.String("file", "", "CSV `file` with a header, the target in the last column (default the diabetes data)")
	lambda = flag.Float64("lambda", 1, "weight of the penalty")
	ranks  = flag.Int("ranks", 0, "embedded ranks (default SPMD_RANKS or 1)")
)

func main() {
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), "Usage: ridge [flags], as in ridge -file table.csv -lambda 10\nFits a linear model with an L2 penalty to a table.\n\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "ridge: %q is no flag; name the table with -file\n", flag.Arg(0))
		os.Exit(2)
	}
	spmd.Main(run, spmd.Ranks(*ranks))
}

func run(c *spmd.Comm) error {
	table, names, err := load(c, *file)
	if err != nil {
		return err
	}
	m, err := fit(table, *lambda)
	if err != nil {
		return err
	}
	if c.Rank() == 0 {
		m.print(names, c.Stats())
	}
	return nil
}

// load reads the table, split along its rows.
func load(c *spmd.Comm, path string) (*nd.NDArray[float64], []string, error) {
	if path == "" {
		return csv.ReadTable[float64](c, strings.NewReader(diabetes), int64(len(diabetes)), "diabetes.csv", 0)
	}
	return csv.LoadTable[float64](c, path, 0)
}

// model is a fitted model, the same on every rank.
type model struct {
	coefficients []float64 // of the standardized features
	constant     []bool    // columns of one value only
	intercept    float64   // the target's mean
	r2           float64
	solver       linalg.Result
}

// fit minimizes ‖y - Xw‖² + λ‖w‖², where the columns of X are standardized and y
// is centered.
func fit(table *nd.NDArray[float64], lambda float64) (*model, error) {
	features := table.Shape()[1] - 1
	switch {
	case features < 1:
		return nil, errors.New("ridge: the table has one column; it needs features and a target")
	case lambda < 0 || math.IsNaN(lambda) || math.IsInf(lambda, 0):
		return nil, fmt.Errorf("ridge: lambda is %v; it must be finite and not negative", lambda)
	}
	m := &model{}
	table, err := m.standardize(table)
	if err != nil {
		return nil, err
	}
	x, y := table.Slice(nd.Whole(), nd.To(-1)), table.Slice(nd.Whole(), nd.Index(-1))

	// The normal equations (XᵀX + λI) w = Xᵀy. Each rank multiplies its rows; one
	// reduce-scatter adds the products up.
	gram := linalg.MatMul(x.T(), x)
	nd.AddInto(gram, gram, nd.MulScalar(nd.Eye[float64](table.Comm(), features, features, 0, 0), lambda))
	w, solver, err := linalg.CG(linalg.AsOperator(gram), linalg.MatMul(x.T(), y), linalg.Rtol(1e-12))
	if err != nil {
		return nil, err
	}
	m.coefficients, m.solver = w.Gather(), solver

	residual := nd.Sub(y, linalg.MatMul(x, w))
	m.r2 = 1 - linalg.Dot(residual, residual)/linalg.Dot(y, y)
	if math.IsNaN(m.r2) && !m.constant[features] {
		return nil, errors.New("ridge: the target's numbers are too large to square")
	}
	return m, nil
}

// standardize returns the table with columns of mean 0 and, but for the target,
// standard deviation 1. A column of one value becomes 0; one whose mean or standard
// deviation is not finite is an error.
func (m *model) standardize(table *nd.NDArray[float64]) (*nd.NDArray[float64], error) {
	mean, std := nd.Mean[float64](table, nd.Over(0)), nd.Std[float64](table, nd.Over(0))
	low, high := nd.Min(table, nd.Over(0)).Local(), nd.Max(table, nd.Over(0)).Local()
	target := len(low) - 1
	m.constant = make([]bool, len(low))
	for j := range low {
		if s := std.Local()[j]; math.IsNaN(s) || math.IsInf(s, 0) {
			return nil, fmt.Errorf("ridge: column %d has numbers that are not finite or too large to square", j+1)
		}
		if low[j] == high[j] {
			m.constant[j] = true
			mean.Local()[j], std.Local()[j] = low[j], 1
		}
	}
	std.Local()[target] = 1
	m.intercept = mean.Local()[target]
	return nd.Div(nd.Sub(table, mean), std), nil
}

// print writes the model and what rank 0 communicated for it.
func (m *model) print(names []string, stats spmd.Stats) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	for j, v := range m.coefficients {
		name, note := fmt.Sprintf("column %d", j+1), ""
		if names != nil {
			name = names[j]
		}
		if m.constant[j] {
			note = "  constant"
		}
		fmt.Fprintf(w, "%s\t%.8f\t%s\n", name, v, note)
	}
	fmt.Fprintf(w, "intercept\t%.8f\t\n", m.intercept)
	w.Flush()
	if m.constant[len(m.coefficients)] {
		fmt.Println("R² undefined: the target is constant")
	} else {
		fmt.Printf("R² %.8f\n", m.r2)
	}
	fmt.Printf("%d CG iterations, residual %.1e\n\ncommunication of rank 0:\n%v", m.solver.Iterations, m.solver.Residual, stats)
}
