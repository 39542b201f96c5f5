package recycle

import (
	"runtime"
	"runtime/metrics"
	"time"
)

// patience is how long to wait for the finalizers of a collection that has ended.
const patience = 200 * time.Microsecond

// collect returns when the collector has found blocks of the class dead, or has
// found none. It is called with p.mu locked, and unlocks it meanwhile.
func (p *pool) collect(class int) {
	p.run()
	for end := time.Now().Add(patience); len(p.free[class]) == 0 && time.Now().Before(end); {
		p.mu.Unlock()
		runtime.Gosched() // to the goroutine of the finalizers
		p.mu.Lock()
	}
}

// run has the collector run, with p.mu unlocked meanwhile. Ranks that call it at
// once share one collection.
func (p *pool) run() {
	if done := p.collecting; done != nil {
		p.mu.Unlock()
		<-done
		p.mu.Lock()
	} else {
		done = make(chan struct{})
		p.collecting = done
		p.mu.Unlock()
		runtime.GC()
		p.mu.Lock()
		p.stats.Collections++
		p.live = p.stats.InUse // less what finalizers are about to find
		p.collecting = nil
		close(done)
	}
}

// small counts bytes given out in small blocks. Go puts off its collections for as many
// bytes as it found alive, large blocks among them; so that small ones do not walk through
// that much memory that has left the caches, or was never touched, the collector runs earlier.
func (p *pool) small(size int) {
	if p.smallBytes.Add(int64(size)) < smallLimit {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	n := int(p.smallBytes.Swap(0))
	if !p.watching {
		p.watch()
		return // Go may have collected many times
	}
	if p.smallDead += n; p.limit > 0 && p.smallDead >= max(smallLimit, p.worth()) {
		p.smallDead = 0
		p.run()
	}
}

// scannable returns how many bytes of the heap may hold pointers. That, and not how
// long a collection took, tells what one costs: it may have had to wait for a core.
func scannable() int {
	s := [...]metrics.Sample{{Name: "/gc/scan/heap:bytes"}}
	metrics.Read(s[:])
	if s[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return int(s[0].Value.Uint64())
}

// watch arranges for tick to be called after every collection, whoever asks for it.
func (p *pool) watch() {
	if !p.watching {
		p.watching = true
		p.scan = scannable()
		p.watchNext()
	}
}

func (p *pool) watchNext() {
	type sentinel struct{ _ [64]byte } // too large to share its block with others
	runtime.SetFinalizer(new(sentinel), func(*sentinel) {
		p.tick()
		p.watchNext()
	})
}

// tick notes that a collection has ended, and returns blocks to Go that have not
// been wanted for some.
func (p *pool) tick() {
	scan := scannable()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cycle++
	p.scan = scan
	p.smallDead = 0
	now := time.Now()
	for c := range p.free {
		free := p.free[c]
		old := 0
		for old < len(free) && p.cycle-free[old].cycle > keptCycles && now.Sub(free[old].since) > keptTime {
			old++
		}
		p.drop(c, old)
	}
}

// shed returns idle blocks to Go, those first that have been idle longest, until no
// more than limit is idle beside size more bytes.
func (p *pool) shed(size, limit int) {
	for p.stats.Idle > 0 && p.stats.Idle+size > limit {
		oldest := -1
		for c := range p.free {
			if free := p.free[c]; len(free) > 0 && (oldest < 0 || free[0].since.Before(p.free[oldest][0].since)) {
				oldest = c
			}
		}
		p.drop(oldest, 1)
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
