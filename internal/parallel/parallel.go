// Package parallel shares work out among a rank's goroutines.
package parallel

import (
	"sync"
	"sync/atomic"
)

// Each calls f for every i < count, on up to workers goroutines, each of which takes
// the next i when it is done with one. With one worker it calls f in turn.
func Each(workers, count int, f func(i int)) {
	Take(workers, count, func(next func() (int, bool)) {
		for i, ok := next(); ok; i, ok = next() {
			f(i)
		}
	})
}

// Ranges calls f with parts ranges that cover n in order, each but the first on a
// goroutine of its own.
func Ranges(parts, n int, f func(lo, hi int)) {
	var wg sync.WaitGroup
	for p := 1; p < parts; p++ {
		wg.Go(func() { f(p*n/parts, (p+1)*n/parts) })
	}
	f(0, n/parts)
	wg.Wait()
}

// Take calls work once on each of up to workers goroutines. work takes each i < count
// by calling next until that returns false, and may keep memory from one to the next.
func Take(workers, count int, work func(next func() (i int, ok bool))) {
	var taken atomic.Int64
	next := func() (int, bool) {
		i := int(taken.Add(1)) - 1
		return i, i < count
	}
	workers = min(workers, count)
	if workers <= 1 {
		work(next)
		return
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() { work(next) })
	}
	wg.Wait()
}
