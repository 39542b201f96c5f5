package main

import (
	"runtime"
	"slices"
	"time"

	"caloric/spmd"
)

// settings say how long a case is measured.
type settings struct {
	warmups int           // runs before the first sample, beside the one that estimates
	samples int           // timed samples
	sample  time.Duration // the least time of a sample: short cases are repeated in it
	budget  time.Duration // ends a case after three samples, after one if a run takes twice as long
}

// watch is [watchLoad], unless a test knows better.
var watch = watchLoad

// measure times one case. Every rank takes the same decisions, as they follow
// from the slowest rank's time.
func measure(c *spmd.Comm, s settings, k benchCase) result {
	runtime.GC() // what the case before left behind
	f := k.setup(c)
	spent := sample(c, f, 1) // the first run allocates workspace and pages
	if spent < s.budget.Seconds()/8 {
		spent = sample(c, f, 1)
	}
	repeats := max(1, min(1_000_000, int(s.sample.Seconds()/max(spent, 1e-9))))
	if spent < s.budget.Seconds()/8 {
		for range s.warmups {
			sample(c, f, repeats)
		}
	}
	least := 3
	if spent > 2*s.budget.Seconds() {
		least = 1
	}
	var times []float64
	load, before := watch(c), allocated(c)
	total := spent
	for len(times) < s.samples && (len(times) < least || total < s.budget.Seconds()) {
		t := sample(c, f, repeats)
		times, total = append(times, t), total+t*float64(repeats)
	}
	r := result{Name: k.name, Unit: inSeconds, Samples: len(times), Repeats: repeats,
		Bytes: k.bytes, Flops: k.flops, Limit: k.limit, Foreign: load()}
	if k.everywhere {
		r.Bytes, r.Flops = r.Bytes*float64(c.Size()), r.Flops*float64(c.Size())
	}
	r.Alloc = (allocated(c) - before) / float64(len(times)*repeats)
	slices.Sort(times)
	r.Median, r.Min, r.Max = median(times), times[0], times[len(times)-1]
	return r
}

// median returns the median of sorted numbers.
func median(x []float64) float64 {
	n := len(x)
	return (x[(n-1)/2] + x[n/2]) / 2
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

// allocated returns the bytes that all ranks' processes have allocated so far.
func allocated(c *spmd.Comm) float64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return sumOverProcesses(c, float64(m.TotalAlloc))
}

// sumOverProcesses adds up a number that each process has: once if the ranks are
// goroutines of this one.
func sumOverProcesses(c *spmd.Comm, v float64) float64 {
	if transport() == "embedded" {
		return spmd.BcastOne(c, v, 0)
	}
	return spmd.AllreduceOne(c, v, spmd.Sum)
}
