package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"caloric/nd"
	"caloric/spmd"
)

// Some things can only be seen from outside a program. The command process starts
// this program again, as "start" and as "peak", under the launcher that it is
// given, and writes what it saw.

const startName = "start"

// timeout bounds what a program that is watched may take.
const timeout = 2 * time.Minute

// peakName names the case of a sum whose memory is watched.
func peakName(s sizes) string { return vectorName[float64]("rss/add", s.resident) }

// start is a program that does as little as ranks can: one sum of one number.
func start(args []string) error {
	flags := flag.NewFlagSet("start", flag.ExitOnError)
	ranks := flags.Int("ranks", 0, "embedded ranks")
	parse(flags, args)
	spmd.Main(func(c *spmd.Comm) error {
		if v := spmd.AllreduceOne(c, 1.0, spmd.Sum); v != float64(c.Size()) {
			return fmt.Errorf("the sum of ones over %d ranks is %v", c.Size(), v)
		}
		return nil
	}, spmd.Ranks(*ranks))
	return nil
}

// peak is a program that adds two arrays and prints the bytes that a rank has
// had resident at most: those of its process, divided by the ranks in it.
func peak(args []string) error {
	flags := flag.NewFlagSet("peak", flag.ExitOnError)
	ranks := flags.Int("ranks", 0, "embedded ranks")
	n := flags.Int("n", fullSizes.resident, "elements")
	parse(flags, args)
	spmd.Main(func(c *spmd.Comm) error {
		a, b := nd.Ones[float64](c, nd.Shape{*n}, 0), nd.Ones[float64](c, nd.Shape{*n}, 0)
		sum := nd.Add(a, b)
		if v := sum.At(*n - 1); v != 2 {
			return fmt.Errorf("1 + 1 is %v", v)
		}
		rss := peakRSS()
		runtime.KeepAlive(a) // else one rank's sum takes the memory of the other's operand
		runtime.KeepAlive(b)
		if transport() == "embedded" {
			rss /= float64(c.Size())
		}
		rss = spmd.AllreduceOne(c, rss, spmd.Max)
		if c.Rank() == 0 {
			fmt.Println(rss)
		}
		return nil
	}, spmd.Ranks(*ranks))
	return nil
}

// process measures the time that a program of some ranks takes from start to
// end, and the memory of one.
func process(args []string) error {
	flags := flag.NewFlagSet("process", flag.ExitOnError)
	ranks := flags.Int("ranks", 2, "embedded ranks, unless -launch is given")
	launch := flags.String("launch", "", `what starts the ranks, with the program: "mpirun -n 2 bin/bench"`)
	build := flags.String("build", "", "the build tags of the program of -launch")
	samples := flags.Int("samples", 7, "samples")
	n := flags.Int("n", fullSizes.resident, "elements of the sum whose memory is watched")
	file := flags.String("json", "", "write the results to this file, - for standard output")
	parse(flags, args)
	self, err := os.Executable()
	if err != nil {
		return err
	}
	command, embedded := strings.Fields(*launch), []string{}
	if len(command) == 0 {
		command, embedded = []string{self}, []string{"-ranks", strconv.Itoa(*ranks)}
	}
	run := func(args ...string) (string, error) {
		ctx, cancel := context.WithTimeout(context.Background(), timeout)
		defer cancel()
		args = slices.Concat(command[1:], args, embedded)
		cmd := exec.CommandContext(ctx, command[0], args...)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			err = fmt.Errorf("%s %s: %w", command[0], strings.Join(args, " "), err)
		}
		return string(out), err
	}
	doc := &document{Library: "Caloric", Version: version(), Build: buildTags(), Transport: "embedded",
		Ranks: *ranks, Threads: max(1, cores() / *ranks), Date: time.Now().UTC().Format(time.RFC3339), Machine: thisMachine()}
	if *launch != "" {
		doc.Transport = "mpi"
	}
	if *build != "" {
		doc.Build = *build
	}
	times := make([]float64, 0, *samples)
	for i := range *samples + 1 {
		begin := time.Now()
		if _, err := run("start"); err != nil {
			return err
		}
		if i > 0 { // the first run reads the program from disk
			times = append(times, time.Since(begin).Seconds())
		}
	}
	slices.Sort(times)
	doc.Results = append(doc.Results, result{Name: startName, Unit: inSeconds, Median: median(times),
		Min: times[0], Max: times[len(times)-1], Samples: len(times), Repeats: 1})
	size := fullSizes
	size.resident = *n
	out, err := run("peak", "-n", strconv.Itoa(*n))
	if err != nil {
		return err
	}
	rss, err := strconv.ParseFloat(strings.TrimSpace(out), 64)
	if err != nil {
		return fmt.Errorf("peak printed %q", out)
	}
	doc.Results = append(doc.Results, result{Name: peakName(size), Unit: inBytes, Median: rss, Min: rss, Max: rss, Samples: 1, Repeats: 1})
	for _, r := range doc.Results {
		if *file != "-" {
			fmt.Println(doc.line(r))
		}
	}
	if *file == "" {
		return nil
	}
	return doc.write(*file)
}
