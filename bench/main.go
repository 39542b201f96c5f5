package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"time"

	"caloric/spmd"
)

// samples is how often a case is timed, after warmups that are not.
const (
	samples = 7
	warmups = 2
)

// sampleTime is how long one sample should take at least: short cases are
// repeated within it.
const sampleTime = 20 * time.Millisecond

// result is one line of the output.
type result struct {
	Name    string  `json:"name"`
	Ranks   int     `json:"ranks"`
	Seconds float64 `json:"seconds"` // the median of one run
	Min     float64 `json:"min"`
	GBps    float64 `json:"gbps,omitempty"`  // bytes moved by all ranks
	Triad   float64 `json:"triad,omitempty"` // GBps as a fraction of the triad's
}

func main() {
	ranks := flag.Int("ranks", 0, "embedded ranks (1 if not set); not for a program that mpirun starts")
	pattern := flag.String("run", "", "time only the cases whose names match this regular expression")
	asJSON := flag.Bool("json", false, "print one JSON object a line")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "bench: %q is no flag; choose cases with -run\n", flag.Arg(0))
		os.Exit(2)
	}
	match, err := regexp.Compile(*pattern)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench: -run:", err)
		os.Exit(1)
	}
	spmd.Main(func(c *spmd.Comm) error {
		triad := 0.0
		for i, k := range cases() {
			if i > 0 && !match.MatchString(k.name) {
				continue
			}
			r := measure(c, k)
			if i == 0 {
				triad = r.GBps
			} else if r.GBps > 0 {
				r.Triad = r.GBps / triad
			}
			if c.Rank() == 0 {
				print(r, *asJSON)
			}
		}
		return nil
	}, spmd.Ranks(*ranks))
}

// measure times one case. Every rank takes the same decisions: they follow from
// the slowest rank's time.
func measure(c *spmd.Comm, k benchCase) result {
	f := k.setup(c)
	once := sample(c, f, 1)
	repeats := max(1, min(1_000_000, int(sampleTime.Seconds()/max(once, 1e-9))))
	for range warmups {
		sample(c, f, repeats)
	}
	times := make([]float64, samples)
	for i := range times {
		times[i] = sample(c, f, repeats)
	}
	slices.Sort(times)
	r := result{Name: k.name, Ranks: c.Size(), Seconds: times[samples/2], Min: times[0]}
	if k.bytes > 0 {
		r.GBps = float64(k.bytes) / r.Seconds / 1e9
	}
	return r
}

// sample returns the seconds that one of repeats runs of f takes on the slowest rank.
func sample(c *spmd.Comm, f func(), repeats int) float64 {
	c.Barrier()
	start := time.Now()
	for range repeats {
		f()
	}
	return spmd.AllreduceOne(c, time.Since(start).Seconds()/float64(repeats), spmd.Max)
}

func print(r result, asJSON bool) {
	if asJSON {
		json.NewEncoder(os.Stdout).Encode(r)
		return
	}
	line := fmt.Sprintf("%-28s %2d ranks %12s", r.Name, r.Ranks, time.Duration(r.Seconds*1e9).Round(time.Nanosecond))
	if r.GBps > 0 {
		line += fmt.Sprintf("  %7.2f GB/s", r.GBps)
	}
	if r.Triad > 0 {
		line += fmt.Sprintf("  %4.0f %% of triad", 100*r.Triad)
	}
	fmt.Println(line)
}
