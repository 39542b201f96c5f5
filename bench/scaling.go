package main

import (
	"errors"
	"flag"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/plot/plotter"

	"caloric/spmd"
)

// The modes of scaling.
const (
	strong = "strong"
	weak   = "weak"
)

// point is one operation on some ranks.
type point struct {
	Op       string  `json:"op"`
	Mode     string  `json:"mode"` // strong or weak
	Ranks    int     `json:"ranks"`
	Size     int     `json:"size"` // what the operation's size is
	Seconds  float64 `json:"seconds"`
	Model    bool    `json:"model"`    // computed, not timed
	Compute  float64 `json:"compute"`  // of a model: the seconds of a rank's own work
	Messages int64   `json:"messages"` // of the rank that sends most
	Bytes    int64   `json:"bytes"`
}

// selectedOps returns the operations whose names match; it is an error if none does.
func selectedOps(tiny bool, chosen choice) (some []scaledOp, err error) {
	var names []string
	for _, op := range scaledOps(tiny) {
		names = append(names, op.name)
		if chosen.has(op.name) {
			some = append(some, op)
		}
	}
	if some == nil {
		return nil, fmt.Errorf("-run %q matches none of %s", chosen.run.String(), strings.Join(names, ", "))
	}
	return some, nil
}

// scaling measures operations on 1 rank to as many as there are cores, and
// computes the times of more ranks from what they communicate.
func scaling(args []string) error {
	flags := flag.NewFlagSet("scaling", flag.ExitOnError)
	var chosen choice
	flags.Var(&chosen.run, "run", "only the operations whose names match this regular expression")
	file := flags.String("json", "", "write the results to this file, - for standard output")
	most := flags.Int("ranks", 256, "the most ranks that are modelled")
	var net network
	flags.Float64Var(&net.Latency, "latency", 0, "seconds of a message in the model, measured here if 0")
	flags.Float64Var(&net.Bandwidth, "bandwidth", 0, "bytes a second in the model, measured here if 0")
	s := settings{}
	flags.IntVar(&s.samples, "samples", 5, "samples a point")
	flags.DurationVar(&s.budget, "budget", time.Second, "stop after three samples when a point has taken this long")
	flags.DurationVar(&s.sample, "sample", 5*time.Millisecond, "repeat short operations until a sample takes this long")
	tiny := flags.Bool("tiny", false, "small sizes, for testing")
	parse(flags, args)
	if transport() != "embedded" {
		return errors.New("scaling: not under mpirun; it starts its own ranks")
	}
	ops, err := selectedOps(*tiny, chosen)
	if err != nil {
		return err
	}
	if err := net.measure(s); err != nil {
		return err
	}
	var points []point
	for _, op := range ops {
		for _, mode := range []string{strong, weak} {
			list, err := op.points(mode, *most, s, net)
			if err != nil {
				return err
			}
			points = append(points, list...)
			if *file != "-" {
				fmt.Print(scalingTable(list).markdown(), "\n")
			}
		}
	}
	if *file == "" {
		return nil
	}
	doc := &document{Library: "Caloric", Version: version(), Build: buildTags(), Transport: "embedded", Ranks: cores(), Threads: 1,
		Date: time.Now().UTC().Format(time.RFC3339), Machine: thisMachine(), Scaling: points,
		Limits: map[string]float64{"latency": net.Latency, "bandwidth": net.Bandwidth}}
	return doc.write(*file)
}

// measure sets what is 0 of a network to that between two embedded ranks.
func (n *network) measure(s settings) error {
	return spmd.Run(2, func(c *spmd.Comm) error {
		const large = 16 << 20
		latency := best(c, s, pingPong(c, 8)) / 2
		bandwidth := large / (best(c, s, pingPong(c, large)) / 2)
		if c.Rank() != 0 {
			return nil
		}
		if n.Latency == 0 {
			n.Latency = latency
		}
		if n.Bandwidth == 0 {
			n.Bandwidth = bandwidth
		}
		return nil
	})
}

// scaledOp is an operation that is scaled. Its work grows with the power order
// of its size.
type scaledOp struct {
	name  string
	size  int // on one rank
	order int
	setup func(c *spmd.Comm, n int) func()
}

// points returns the times of an operation in one mode.
func (o scaledOp) points(mode string, most int, s settings, net network) ([]point, error) {
	var list []point
	var alone float64 // one rank's time of the size on one rank
	for p := 1; p <= most; p *= 2 {
		n := o.size
		if mode == weak {
			n = growth(o.size, p, o.order)
		}
		pt := point{Op: o.name, Mode: mode, Ranks: p, Size: n, Model: p > cores()}
		var err error
		if pt.Model {
			var stats []spmd.Stats
			if stats, err = o.count(p, n); err == nil {
				pt.Compute = alone
				if mode == strong {
					pt.Compute = alone / float64(p)
				}
				slowest := 0.0
				for _, st := range stats {
					slowest = max(slowest, net.time(st, p))
				}
				pt.Seconds = pt.Compute + slowest
				pt.Messages, pt.Bytes = mostSent(stats)
			}
		} else {
			pt.Seconds, err = o.time(p, n, s)
			if p == 1 {
				alone = pt.Seconds
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s on %s: %w", o.name, ranksText(p), err)
		}
		list = append(list, pt)
	}
	return list, nil
}

// time measures the operation on p embedded ranks of one thread each.
func (o scaledOp) time(p, n int, s settings) (t float64, err error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(p))
	err = spmd.Run(p, func(c *spmd.Comm) error {
		r := measure(c, s, benchCase{setup: func(c *spmd.Comm) func() { return o.setup(c, n) }})
		if c.Rank() == 0 {
			t = r.Median
		}
		return nil
	})
	return t, err
}

// count runs the operation once on p embedded ranks and returns what each
// communicated.
func (o scaledOp) count(p, n int) ([]spmd.Stats, error) {
	stats := make([]spmd.Stats, p)
	err := spmd.Run(p, func(c *spmd.Comm) error {
		f := o.setup(c, n)
		before := c.Stats()
		f()
		stats[c.Rank()] = c.Stats().Sub(before)
		return nil
	})
	return stats, err
}

func mostSent(stats []spmd.Stats) (messages, bytes int64) {
	for _, s := range stats {
		t := s.Total()
		messages, bytes = max(messages, t.Messages), max(bytes, t.Bytes)
	}
	return messages, bytes
}

// scalingTable prints points.
func scalingTable(points []point) table {
	t := table{{"operation", "mode", "ranks", "size", "time", "from", "messages", "bytes"}}
	for _, p := range points {
		line := []string{p.Op, p.Mode, fmt.Sprint(p.Ranks), fmt.Sprint(p.Size), quantity(p.Seconds, inSeconds), "measured", "", ""}
		if p.Model {
			line[5], line[6], line[7] = "model", fmt.Sprint(p.Messages), quantity(float64(p.Bytes), inBytes)
		}
		t = append(t, line)
	}
	return t
}

// curve is one line of a scaling plot.
type curve struct {
	name  string
	model bool
	color int
	xys   plotter.XYs
}

// scalingCurves returns speedups or efficiencies, measured and modelled ones
// apart. A modelled curve starts at the last point that was measured.
func scalingCurves(points []point, mode string) []curve {
	var ops []string
	for _, p := range points {
		if p.Mode == mode && !slices.Contains(ops, p.Op) {
			ops = append(ops, p.Op)
		}
	}
	var curves []curve
	for i, op := range ops {
		measured, model := curve{name: op, color: i}, curve{name: op + " (model)", model: true, color: i}
		alone := 0.0
		for _, p := range points {
			if p.Mode != mode || p.Op != op || p.Seconds == 0 {
				continue
			}
			if p.Ranks == 1 {
				alone = p.Seconds
			}
			xy := plotter.XY{X: float64(p.Ranks), Y: alone / p.Seconds}
			if p.Model {
				if n := len(measured.xys); len(model.xys) == 0 && n > 0 {
					model.xys = append(model.xys, measured.xys[n-1])
				}
				model.xys = append(model.xys, xy)
			} else {
				measured.xys = append(measured.xys, xy)
			}
		}
		for _, c := range []curve{measured, model} {
			if len(c.xys) > 0 {
				curves = append(curves, c)
			}
		}
	}
	return curves
}
