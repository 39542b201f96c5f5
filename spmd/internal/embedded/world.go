package embedded

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"caloric/internal/caller"
	"caloric/spmd/internal/wire"
)

// world is the ranks of one Run. Its mutex guards what happens when ranks sleep,
// fail or finish, and is not touched while they keep up with each other.
type world struct {
	n        int
	ended    error // what communication returns once the job has ended
	late     func(error)
	spin     int // loads of an awaited value before a rank yields its core
	failed   atomic.Bool
	parked   atomic.Int64 // ranks that sleep, or are about to
	returned atomic.Int64 // ranks whose body has ended

	mu    sync.Mutex
	ranks []rankState
	cause string // why the job ended, if not by a rank's error
	errs  []error
	first int // the first rank whose body failed, -1 for none
}

// rankState is what the world knows of one rank.
type rankState struct {
	wait     *atomic.Uint64 // what the rank sleeps for: *wait ≥ target
	target   uint64
	wake     chan struct{}
	returned bool
	was      string // what it was doing when the job ended
	stopped  bool   // it was communicating
}

// The effort that a waiting rank makes before it sleeps.
const (
	spins  = 4000 // loads, a few microseconds, if every rank has a core
	yields = 32
)

// Run runs body on n ranks, each a goroutine, and returns when all have ended.
// Its error is the first failing rank's, or says how the ranks' calls did not
// fit together. A rank that does not communicate does not learn of a failure: if
// one still runs a while later, and late is not nil, late is called with the error.
func Run(n int, body func(t wire.Transport) error, late func(error)) error {
	w := &world{n: n, ended: errors.New("the job has ended"), late: late, first: -1, ranks: make([]rankState, n), errs: make([]error, n)}
	if n <= runtime.GOMAXPROCS(0) {
		w.spin = spins
	}
	for r := range w.ranks {
		w.ranks[r].wake = make(chan struct{}, 1)
	}
	members := make([]int, n)
	for r := range members {
		members[r] = r
	}
	g := newGroup(w, members, "world")
	var wg sync.WaitGroup
	for r := range n {
		wg.Go(func() { w.runRank(r, g.member(r), body) })
	}
	wg.Wait()
	err := w.result()
	w.failed.Store(true) // a communicator that outlives its run answers with ended
	return err
}

func (w *world) runRank(rank int, t wire.Transport, body func(t wire.Transport) error) {
	err := wire.ErrGoexit
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

// patience is how long ranks may go on after the job has ended.
const patience = time.Second

// finish records the end of a rank's body. What a rank says once the ranks' calls
// were found not to fit is a consequence of that.
func (w *world) finish(rank int, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ranks[rank].returned = true
	w.returned.Add(1)
	if err != nil && w.cause == "" && !errors.Is(err, w.ended) {
		w.errs[rank] = err
		if w.first < 0 {
			w.first = rank
			time.AfterFunc(grace, func() {
				w.mu.Lock()
				defer w.mu.Unlock()
				w.end("")
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
		return errors.New("spmd: " + w.cause + ":" + w.table())
	}
	err := w.errs[w.first]
	same := 0
	for _, e := range w.errs {
		if e != nil && e.Error() == err.Error() {
			same++
		}
	}
	others := ""
	if slices.ContainsFunc(w.ranks, func(s rankState) bool { return s.stopped || !s.returned }) {
		others = "\nwhere the ranks were:" + w.table()
	}
	switch {
	case same == w.n:
		return err
	case same > 1:
		more := "another"
		if same > 2 {
			more = fmt.Sprintf("%d others", same-1)
		}
		return fmt.Errorf("rank %d of %d, and %s: %w%s", w.first, w.n, more, err, others)
	}
	return fmt.Errorf("rank %d of %d: %w%s", w.first, w.n, err, others)
}

// table returns a line for each rank that says where it was, or for each run of
// alike ranks if they are many.
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

// where says what a rank was doing when the job ended. Of an error that is not
// the run's own it gives the first line.
func (w *world) where(rank int) string {
	err := w.errs[rank]
	switch {
	case w.ranks[rank].stopped || err == nil:
		return w.ranks[rank].was
	case err.Error() == w.errs[w.first].Error():
		return "failed"
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return "failed: " + line
}

// What a rank was doing if it was not communicating.
const (
	running  = "running"
	returned = "returned"
)

// end ends the job. The mutex is held.
func (w *world) end(cause string) {
	if w.failed.Load() {
		return
	}
	w.cause = cause
	w.failed.Store(true)
	for r := range w.ranks {
		w.ranks[r].was = running
		if w.ranks[r].returned {
			w.ranks[r].was = returned
		}
		w.unpark(r)
	}
	if w.late != nil {
		time.AfterFunc(patience, func() {
			if int(w.returned.Load()) < w.n {
				w.late(w.result())
			}
		})
	}
}

// fail ends the job because calls did not fit together.
func (w *world) fail(cause string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end(cause)
}

// report notes what the rank was doing when the job ended, or the first thing
// that it did afterwards.
func (w *world) report(rank int, what string) error {
	site := caller.Find().String()
	w.mu.Lock()
	defer w.mu.Unlock()
	if s := &w.ranks[rank]; s.was == running {
		s.was, s.stopped = strings.TrimSuffix(what+" in "+site, " in "), true
	}
	return w.ended
}

// checkProgress ends the job if every rank that still runs sleeps for something
// that no one is left to do. The mutex is held.
func (w *world) checkProgress() {
	live := w.n - int(w.returned.Load())
	if live == 0 || int(w.parked.Load()) < live {
		return
	}
	for r := range w.ranks {
		if w.ready(r) {
			return
		}
	}
	w.stuck()
}

// stuck ends the job because ranks wait in vain. The mutex is held.
func (w *world) stuck() {
	switch {
	case w.first >= 0:
		w.end("") // that rank's error says it all
	case w.returned.Load() > 0:
		w.end("ranks wait for ranks that have returned")
	default:
		w.end("ranks wait for each other")
	}
}

// ready reports whether a rank sleeps though what it sleeps for has come. The
// mutex is held.
func (w *world) ready(rank int) bool {
	s := &w.ranks[rank]
	return s.wait != nil && s.wait.Load() >= s.target
}

// await returns when *a ≥ target, or with w.ended if the job ends before. The
// rank spins while the others can be expected to be close, then yields, then
// sleeps.
func (w *world) await(rank int, a *atomic.Uint64, target uint64) error {
	for range w.spin {
		if a.Load() >= target {
			return nil
		}
	}
	for range yields {
		if a.Load() >= target {
			return nil
		}
		if w.failed.Load() {
			return w.ended
		}
		runtime.Gosched()
	}
	s := &w.ranks[rank]
	w.mu.Lock()
	// Counted before the last look at *a, as wake looks at the count after the
	// change of *a: one of the two sees the other.
	w.parked.Add(1)
	if a.Load() >= target || w.failed.Load() {
		w.parked.Add(-1)
		w.mu.Unlock()
	} else {
		s.wait, s.target = a, target
		w.checkProgress()
		w.mu.Unlock()
		<-s.wake
	}
	if a.Load() >= target {
		return nil
	}
	return w.ended
}

// wake wakes those of ranks whose awaited value has come. It is called after
// each change of one, and costs one load while nobody sleeps.
func (w *world) wake(ranks ...int) {
	if w.parked.Load() == 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range ranks {
		if w.ready(r) {
			w.unpark(r)
		}
	}
}

// unpark lets a sleeping rank go on. The mutex is held.
func (w *world) unpark(rank int) {
	if s := &w.ranks[rank]; s.wait != nil {
		s.wait = nil
		w.parked.Add(-1)
		s.wake <- struct{}{}
	}
}

// hopeless is asked by a test that has found *a < target. It reports whether a
// wait would not wait either, as the job has ended. It ends the job if a rank
// has returned that needs says should have changed *a.
func (w *world) hopeless(a *atomic.Uint64, target uint64, needs func(rank int) bool) bool {
	if w.failed.Load() {
		return true
	}
	if w.returned.Load() > 0 {
		w.mu.Lock()
		defer w.mu.Unlock()
		for r := range w.ranks {
			if w.ranks[r].returned && needs(r) && a.Load() < target {
				w.stuck()
				return true
			}
		}
	}
	runtime.Gosched() // to those who can change it
	return false
}
