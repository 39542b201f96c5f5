package recycle

import (
	"runtime"
	"time"
)

// patience is how long to wait for the finalizers of a collection that has ended.
const patience = 200 * time.Microsecond

// collect returns when the collector has found blocks of the class dead, or has
// found none. It is called with p.mu locked, and unlocks it meanwhile. Ranks that
// call it at once share one collection.
func (p *pool) collect(class int) {
	if done := p.collecting; done != nil {
		p.mu.Unlock()
		<-done
		p.mu.Lock()
	} else {
		done = make(chan struct{})
		p.collecting = done
		p.mu.Unlock()
		start := time.Now()
		runtime.GC()
		p.mu.Lock()
		// At most about twice the last: one that had to wait for a core says little.
		p.took = min(time.Since(start), 2*p.took+time.Millisecond)
		p.stats.Collections++
		p.handed = 0
		p.collecting = nil
		close(done)
	}
	for end := time.Now().Add(patience); len(p.free[class]) == 0 && time.Now().Before(end); {
		p.mu.Unlock()
		runtime.Gosched() // to the goroutine of the finalizers
		p.mu.Lock()
	}
}

// watch arranges for tick to be called after every collection, whoever asks for it.
func (p *pool) watch() {
	type sentinel struct{ _ [64]byte } // too large to share its block with others
	runtime.SetFinalizer(new(sentinel), func(*sentinel) {
		p.tick()
		p.watch()
	})
}

// tick notes that a collection has ended, and returns blocks to Go that have not
// been wanted for some.
func (p *pool) tick() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cycle++
	p.handed = 0
	for c := range p.free {
		free := p.free[c]
		old := 0
		for old < len(free) && p.cycle-free[old].cycle > keptCycles {
			old++
		}
		p.drop(c, old)
	}
}

// shed returns idle blocks to Go, the smallest first, until no more than the limit
// is idle beside size more bytes.
func (p *pool) shed(size int) {
	for c := 0; c < classes && p.stats.Idle > 0 && p.stats.Idle+size > p.limit; c++ {
		p.drop(c, len(p.free[c]))
	}
}

// drop forgets the n blocks of a class that have been idle longest.
func (p *pool) drop(class, n int) {
	if n == 0 {
		return
	}
	free := p.free[class]
	left := copy(free, free[n:])
	clear(free[left:])
	p.free[class] = free[:left]
	p.stats.Idle -= n * classSize(class)
}
