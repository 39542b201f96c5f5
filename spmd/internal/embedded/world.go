package embedded

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"caloric/internal/caller"
	"caloric/spmd/internal/wire"
)

// errEnded is what communication returns on a rank when another has ended the job.
var errEnded = errors.New("the job has ended")

// world is the ranks of one Run. Its mutex guards what happens when ranks sleep,
// fail or finish, and is not touched while they keep up with each other.
type world struct {
	n        int
	spin     int // loads of an awaited value before a rank yields its core
	failed   atomic.Bool
	sleepers atomic.Int64

	mu     sync.Mutex
	live   int       // ranks whose body has not returned
	parked int       // ranks that sleep
	ranks  []rankState
	cause  string // why the job ended, if not by a rank's error
	errs   []error
	first  int // the first rank whose body failed, -1 for none
}

// rankState is what the world knows of one rank.
type rankState struct {
	wait     *atomic.Uint64 // what the rank sleeps for: *wait ≥ target
	target   uint64
	wake     chan struct{}
	returned bool
	doing    string // what it was waiting in when the job ended
}

// Run runs body on n ranks, each a goroutine, and returns when all have ended.
// Its error is the first failing rank's, or says how the ranks' calls did not
// fit together.
func Run(n int, body func(t wire.Transport) error) error {
	w := &world{n: n, live: n, first: -1, ranks: make([]rankState, n), errs: make([]error, n)}
	if n <= runtime.GOMAXPROCS(0) {
		w.spin = 4000
	}
	for r := range w.ranks {
		w.ranks[r].wake = make(chan struct{}, 1)
	}
	members := make([]int, n)
	for r := range members {
		members[r] = r
	}
	g := newGroup(w, members)
	var wg sync.WaitGroup
	for r := range n {
		wg.Go(func() { w.runRank(r, g.member(r), body) })
	}
	wg.Wait()
	return w.result()
}

func (w *world) runRank(rank int, t wire.Transport, body func(t wire.Transport) error) {
	err := errors.New("the rank's goroutine was ended (runtime.Goexit, as by testing.T.FailNow)")
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
		w.finish(rank, err)
	}()
	err = body(t)
}

// grace is how long the other ranks may go on after one has failed, so that
// those that fail alike can say so too.
const grace = 200 * time.Millisecond

// finish records the end of a rank's body.
func (w *world) finish(rank int, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ranks[rank].returned = true
	w.live--
	if err != nil && !errors.Is(err, errEnded) {
		w.errs[rank] = err
		if w.first < 0 {
			w.first = rank
			time.AfterFunc(grace, func() {
				w.mu.Lock()
				defer w.mu.Unlock()
				if w.live > 0 {
					w.end("")
				}
			})
		}
	}
	w.checkProgress()
}

// result composes the error of the whole run.
func (w *world) result() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.first < 0 {
		if w.cause == "" {
			return nil
		}
		return errors.New("spmd: " + w.cause + w.table())
	}
	err := w.errs[w.first]
	same := 0
	for _, e := range w.errs {
		if e != nil && e.Error() == err.Error() {
			same++
		}
	}
	if same > 1 || w.n == 1 {
		return err
	}
	return fmt.Errorf("rank %d of %d: %w", w.first, w.n, err)
}

// table returns a line for each rank, or run of ranks, that says where it was.
func (w *world) table() string {
	var b strings.Builder
	for lo := 0; lo < w.n; {
		hi := lo + 1
		for w.n > 16 && hi < w.n && w.where(hi) == w.where(lo) {
			hi++
		}
		if hi == lo+1 {
			fmt.Fprintf(&b, "\n  rank %d: %s", lo, w.where(lo))
		} else {
			fmt.Fprintf(&b, "\n  ranks %d-%d: %s", lo, hi-1, w.where(lo))
		}
		lo = hi
	}
	return b.String()
}

func (w *world) where(rank int) string {
	switch s := &w.ranks[rank]; {
	case s.doing != "":
		return s.doing
	case s.returned:
		return "returned"
	}
	return "running"
}

// end ends the job. The mutex is held.
func (w *world) end(cause string) {
	if w.failed.Load() {
		return
	}
	w.cause = cause
	w.failed.Store(true)
	for r := range w.ranks {
		w.unpark(r)
	}
}

// fail ends the job because calls did not fit together.
func (w *world) fail(cause string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end(cause)
}

// report notes what the rank was doing when the job ended.
func (w *world) report(rank int, what string) error {
	site := caller.Find().String()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ranks[rank].doing == "" {
		w.ranks[rank].doing = strings.TrimSpace(what + " in " + site)
	}
	return errEnded
}

// checkProgress ends the job if every rank that still runs sleeps for something
// that no one is left to do. The mutex is held.
func (w *world) checkProgress() {
	if w.live == 0 || w.parked < w.live || w.failed.Load() {
		return
	}
	for r := range w.ranks {
		if s := &w.ranks[r]; s.wait != nil && s.wait.Load() >= s.target {
			return
		}
	}
	switch {
	case w.first >= 0:
		w.end("")
	case w.live < w.n:
		w.end("ranks wait for ranks that have returned")
	default:
		w.end("every rank waits: deadlock")
	}
}

// await returns when *a ≥ target, or with errEnded if the job ends before. The
// rank spins while the others can be expected to be close, then yields, then
// sleeps.
func (w *world) await(rank int, a *atomic.Uint64, target uint64) error {
	for range w.spin {
		if a.Load() >= target {
			return nil
		}
	}
	for range 32 {
		if a.Load() >= target {
			return nil
		}
		if w.failed.Load() {
			break
		}
		runtime.Gosched()
	}
	s := &w.ranks[rank]
	w.mu.Lock()
	w.sleepers.Add(1)
	if a.Load() < target && !w.failed.Load() {
		s.wait, s.target = a, target
		w.parked++
		w.checkProgress()
		w.mu.Unlock()
		<-s.wake
		w.mu.Lock()
	}
	w.sleepers.Add(-1)
	w.mu.Unlock()
	if a.Load() >= target {
		return nil
	}
	return errEnded
}

// wake wakes the ranks whose awaited value has come. It is called after each
// change of one, and costs one load while nobody sleeps.
func (w *world) wake() {
	if w.sleepers.Load() == 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for r := range w.ranks {
		if s := &w.ranks[r]; s.wait != nil && s.wait.Load() >= s.target {
			w.unpark(r)
		}
	}
}

// unpark lets a sleeping rank go on. The mutex is held.
func (w *world) unpark(rank int) {
	if s := &w.ranks[rank]; s.wait != nil {
		s.wait = nil
		w.parked--
		s.wake <- struct{}{}
	}
}
