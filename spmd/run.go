package spmd

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"caloric/spmd/internal/embedded"
	"caloric/spmd/internal/wire"
)

// job is what one rank knows of the run it is part of.
type job struct {
	started time.Time
	mpi     bool   // the ranks are processes
	trace   string // the trace file, empty for none
	events  []event
}

func newJob(started time.Time) *job {
	return &job{started: started, trace: os.Getenv("SPMD_TRACE")}
}

// wantsStats reports whether SPMD_STATS asks for the totals at the end.
func wantsStats() (bool, error) {
	s := os.Getenv("SPMD_STATS")
	if s == "" {
		return false, nil
	}
	on, err := strconv.ParseBool(s)
	if err != nil {
		return false, fmt.Errorf("spmd: SPMD_STATS=%q is neither 1 nor 0", s)
	}
	return on, nil
}

// Run runs f on n embedded ranks: goroutines of this process, each with its own
// rank of one communicator. It returns nil if f returns nil on every rank. When
// f fails or panics on a rank, or the ranks' communication does not fit
// together, the whole run ends and Run returns one error that says which rank
// failed, where, and why. No rank is left waiting; one that does not communicate
// goes on to its end.
func Run(n int, f func(c *Comm) error) error { return run(n, f, nil) }

// run is Run. It calls late, unless that is nil, if ranks do not end although
// the run has failed, as they do not communicate.
func run(n int, f func(c *Comm) error, late func(error)) error {
	if n < 1 {
		return fmt.Errorf("spmd.Run: %d ranks", n)
	}
	stats, err := wantsStats()
	if err != nil {
		return err
	}
	started := time.Now()
	workers := max(1, runtime.GOMAXPROCS(0)/n)
	var mu sync.Mutex
	total := Stats{}
	err = embedded.Run(n, func(t wire.Transport) error {
		c := newComm(t, nil, newJob(started), workers)
		if err := runRank(c, f); err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		total.merge(c.Stats())
		return nil
	}, late)
	if err == nil && stats {
		fmt.Fprintf(os.Stderr, "communication of all %d ranks:\n%s", n, total)
	}
	return err
}

// runRank calls f, turns a panic into an error, and writes the trace.
func runRank(c *Comm, f func(*Comm) error) (err error) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		err = panicError(p, frames(string(debug.Stack())))
	}()
	if c.job.trace == "" {
		return f(c)
	}
	if c.rank == 0 { // a file that cannot be written is better known before the work than after
		if err := os.WriteFile(c.job.trace, []byte("[]\n"), 0o644); err != nil {
			return fmt.Errorf("spmd: SPMD_TRACE: %w", err)
		}
		finished := false
		defer func() {
			if !finished { // what rank 0 knows, as the ranks cannot be asked any more
				os.WriteFile(c.job.trace, []byte("[\n"+traceOf(c)+"\n]\n"), 0o644)
			}
		}()
		if err := f(c); err != nil {
			return err
		}
		finished = true
	} else if err := f(c); err != nil {
		return err
	}
	counted := c.stats
	err = writeTrace(c)
	c.stats = counted // the trace's own messages are not the program's
	return err
}

// panicError is the error of a rank that panicked. The library's own errors
// explain themselves; anything else carries the stack.
func panicError(p any, stack string) error {
	err, ok := p.(error)
	if !ok {
		return fmt.Errorf("panic: %v\n%s", p, stack)
	}
	var plain interface{ Misuse() }
	var comm *Error
	if errors.As(err, &plain) || errors.As(err, &comm) {
		return err
	}
	return fmt.Errorf("panic: %w\n%s", err, stack)
}

// frames cuts from a stack what surrounds the panicking function and the rank's.
func frames(stack string) string {
	if _, after, ok := strings.Cut(stack, "\npanic("); ok {
		_, after, _ = strings.Cut(after, "\n") // panic's arguments
		_, stack, _ = strings.Cut(after, "\n") // and its place
	}
	stack, _, _ = strings.Cut(stack, "\ncaloric/spmd.runRank(")
	return strings.TrimSuffix(stack, "\n")
}

func (s Stats) merge(o Stats) {
	for op, n := range o {
		m := s[op]
		m.add(n)
		s[op] = m
	}
}

// Option says how [Main] starts a program.
type Option func(*options)

type options struct{ ranks int }

// Ranks makes [Main] run n embedded ranks, whatever SPMD_RANKS says. A job that
// mpirun or srun started with another number of ranks ends with an error. 0
// changes nothing.
func Ranks(n int) Option { return func(o *options) { o.ranks = n } }

// checked returns f for a job whose number of ranks is not Main's to choose.
func (o *options) checked(how string, f func(*Comm) error) func(*Comm) error {
	return func(c *Comm) error {
		if o.ranks != 0 && o.ranks != c.size {
			return fmt.Errorf("spmd: the program asks for %d ranks, %s started %d", o.ranks, how, c.size)
		}
		return f(c)
	}
}

// Main is the body of a program's main function: it runs f on every rank of the
// job and ends the process.
//
// Started by mpirun or srun and built with -tags mpi, the process is one rank
// of the MPI world. Built without the tag it refuses to be one of several
// copies and says how to rebuild. Started on its own it runs SPMD_RANKS
// embedded ranks, 1 by default, or as many as [Ranks] says.
//
// An error from f, or a panic on any rank, ends every rank with one message
// and exit status 1. SPMD_STATS=1 prints what was communicated,
// SPMD_TRACE=file.json writes a timeline, SPMD_CHECK=1 makes MPI ranks compare
// their calls as embedded ranks always do.
func Main(f func(c *Comm) error, opts ...Option) {
	os.Exit(mainStatus(f, opts))
}

func mainStatus(f func(c *Comm) error, opts []Option) int {
	var o options
	for _, set := range opts {
		set(&o)
	}
	if how := launcher(); how != "" {
		return mainMPI(how, o.checked(how, f))
	}
	n := o.ranks
	if s := os.Getenv("SPMD_RANKS"); n == 0 && s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil || n < 1 {
			fmt.Fprintf(os.Stderr, "spmd: SPMD_RANKS=%q is not a number of ranks\n", s)
			return 1
		}
	}
	if n == 0 {
		n = 1
	}
	var once sync.Once
	fail := func(err error) {
		once.Do(func() {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		})
	}
	if err := run(n, f, fail); err != nil {
		fail(err)
	}
	return 0
}
