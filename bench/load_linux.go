package main

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"caloric/spmd"
)

// ticks is the rate of the kernel's counters of processor time, USER_HZ.
const ticks = 100

// watchLoad starts to watch what other programs take of the processors. The
// function it returns tells their share of all cores since, from 0 to 1.
func watchLoad(c *spmd.Comm) func() float64 {
	busy, own, start := busyTime(), ownTime(), time.Now()
	return func() float64 {
		wall := time.Since(start).Seconds() * float64(cores())
		mine := sumOverProcesses(c, ownTime()-own)
		foreign := spmd.BcastOne(c, (busyTime()-busy-mine)/wall, 0)
		if wall < 0.2 { // the counters are too coarse for less
			return 0
		}
		return max(0, min(1, foreign))
	}
}

// busyTime returns the seconds that all cores together have worked since the
// machine started.
func busyTime() float64 {
	f, err := os.Open("/proc/stat")
	if err != nil {
		return 0
	}
	defer f.Close()
	line, _ := bufio.NewReader(f).ReadString('\n')
	sum := 0.0
	for i, field := range strings.Fields(line) {
		// cpu user nice system idle iowait irq softirq steal guest guest_nice
		if i == 0 || i == 4 || i == 5 || i > 8 {
			continue
		}
		v, _ := strconv.ParseFloat(field, 64)
		sum += v
	}
	return sum / ticks
}

// ownTime returns the processor time of this process in seconds.
func ownTime() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

// peakRSS returns the most memory that this process has had resident, in bytes.
func peakRSS() float64 {
	return 1024 * statusField("VmHWM:")
}

func statusField(name string) float64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			v, _ := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 64)
			return v
		}
	}
	return 0
}

// processor returns the model name of the first core.
func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
