package recycle

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"
	"unsafe"
)

// A class holds every size that is mapped to it, and wastes at most a sixteenth.
func TestClasses(t *testing.T) {
	sizes := []int{minBytes, minBytes + 1, 1 << 20, 1<<20 + 1, 80_000_000, 1 << 46}
	for range 1000 {
		sizes = append(sizes, minBytes+rand.IntN(1<<uint(1+rand.IntN(45))))
	}
	for _, n := range sizes {
		c := classOf(n)
		if s := classSize(c); s < n || s-n > n/16 || classOf(s) != c || c > 0 && classSize(c-1) >= n {
			t.Errorf("size %d is of class %d, which holds %d", n, c, s)
		}
	}
}

// A freed block is the next one of its size, for elements of any type.
func TestFree(t *testing.T) {
	const n = 100_000
	a := Make[float64](n)
	p := unsafe.Pointer(unsafe.SliceData(a))
	for i := range a {
		a[i] = 1
	}
	Free(a)
	b := MakeZero[complex64](n)
	if unsafe.Pointer(unsafe.SliceData(b)) != p {
		t.Error("a freed block is not used again")
	}
	for i, v := range b {
		if v != 0 {
			t.Fatalf("element %d of zeros is %v", i, v)
		}
	}
	if len(b) != n || cap(b) != n {
		t.Errorf("length %d and capacity %d for %d elements", len(b), cap(b), n)
	}
	if s := Make[bool](0); len(s) != 0 {
		t.Errorf("%d elements for none", len(s))
	}
}

// Blocks that nothing refers to are used again; others, also those that only a
// slice of their middle refers to, never are.
func TestDead(t *testing.T) {
	const n = 70_000
	kept := func() []int64 {
		s := Make[int64](n)
		for i := range s {
			s[i] = int64(i)
		}
		return s[n/2 : n/2+10]
	}()
	var dead uintptr
	func() { dead = uintptr(unsafe.Pointer(unsafe.SliceData(Make[int64](n)))) }()
	again := false
	for range 200 {
		runtime.GC()
		time.Sleep(time.Millisecond)
		s := Make[int64](n)
		again = again || uintptr(unsafe.Pointer(unsafe.SliceData(s))) == dead
		clear(s)
	}
	if !again {
		t.Error("a dead block is not used again")
	}
	for i, v := range kept {
		if v != int64(n/2+i) {
			t.Fatalf("element %d of a kept slice is %d", i, v)
		}
	}
}

// Many goroutines that hold, drop and free blocks of some sizes never see each
// other's elements.
func TestStress(t *testing.T) {
	defer SetLimit(SetLimit(8 << 20))
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(g), 1))
			type held struct {
				s   []uint64
				tag uint64
			}
			var hold []held
			check := func(h held) {
				for i := 0; i < len(h.s); i += 511 {
					if h.s[i] != h.tag {
						t.Errorf("a held block of %d has %x, not %x", len(h.s), h.s[i], h.tag)
						return
					}
				}
			}
			for step := range 300 {
				s := Make[uint64](minBytes/8 + 3000*rng.IntN(4))
				h := held{s, uint64(g)<<32 | uint64(step)}
				for i := 0; i < len(s); i += 511 {
					s[i] = h.tag
				}
				switch rng.IntN(4) {
				case 0:
					check(h)
					Free(s)
				case 1: // dead
				case 2: // kept by its middle
					k := len(s) / 511 / 2 * 511
					hold = append(hold, held{s[k:], h.tag})
				case 3:
					hold = append(hold, h)
				}
				if len(hold) > 20 {
					for _, h := range hold {
						check(h)
					}
					hold = hold[10:]
				}
			}
		})
	}
	wg.Wait()
}

// A long loop of large temporaries holds a bounded amount of memory.
func TestBounded(t *testing.T) {
	const size, limit = 80_000_000, 256 << 20
	rounds := 1000
	if poison { // which takes as long as to use them
		rounds = 40
	}
	defer SetLimit(SetLimit(limit))
	before := Read()
	base, peak := before.InUse+before.Idle, 0
	for range rounds {
		s := Make[float64](size / 8)
		s[0] = 1
		now := Read()
		peak = max(peak, now.InUse+now.Idle-base)
	}
	now := Read()
	t.Logf("peak %d MB, %d hits, %d misses, %d collections", peak/1e6, now.Hits-before.Hits, now.Misses-before.Misses,
		now.Collections-before.Collections)
	if peak > 4*limit+2*classSize(classOf(size)) {
		t.Errorf("%d temporaries of 80 MB held up to %d MB at once", rounds, peak/1e6)
	}
	if misses := now.Misses - before.Misses; misses > 8+rounds/20 {
		t.Errorf("%d of %d temporaries are in new memory", misses, rounds)
	}
}

// A loop finds the memory of its dead temporaries after a few, also while Go
// collects by itself and idle blocks of another size fill the limit.
func TestSoon(t *testing.T) {
	defer SetLimit(SetLimit(DefaultLimit))
	var others [][]byte
	for range DefaultLimit / (64 << 20) {
		others = append(others, Make[byte](64<<20))
	}
	for _, s := range others {
		Free(s)
	}
	others = nil
	for _, c := range []struct{ size, rounds, misses int }{
		{80_000_000, 20, 8}, {20_000_000, 60, 16}, {1_000_000, 400, 120}, {80_000, 4000, 1300},
	} {
		before := Read()
		for i := range c.rounds {
			Make[byte](c.size)[0] = 1
			if i%11 == 0 {
				go runtime.GC()
			}
		}
		now := Read()
		if n := now.Misses - before.Misses; n > c.misses {
			t.Errorf("%d of %d temporaries of %d bytes are in new memory", n, c.rounds, c.size)
		}
		if now.Idle > DefaultLimit {
			t.Errorf("%d bytes are idle", now.Idle)
		}
	}
}

// Small results do not walk through as much memory as large ones keep alive.
func TestSmallAfterLarge(t *testing.T) {
	defer SetLimit(SetLimit(DefaultLimit))
	large := Make[byte](200 << 20) // Go would collect after as many bytes again
	runtime.GC()
	before := Read().Collections
	const size, bytes = 8000, 8 * smallLimit
	for range bytes / size {
		Make[byte](size)[0] = 1
	}
	if n := Read().Collections - before; n < bytes/smallLimit/2 || n > bytes/smallLimit+1 {
		t.Errorf("%d collections", n)
	}
	runtime.KeepAlive(large)
}

// With a limit of 0 nothing is kept.
func TestNoLimit(t *testing.T) {
	defer SetLimit(SetLimit(0))
	if s := Read(); s.Idle != 0 {
		t.Errorf("%d bytes are idle", s.Idle)
	}
	hits := Read().Hits
	for range 20 {
		Free(Make[int32](100_000))
	}
	if s := Read(); s.Idle != 0 || s.Hits != hits {
		t.Errorf("%d bytes are idle, %d hits", s.Idle, s.Hits-hits)
	}
}

// Blocks that are not wanted any more go back to Go.
func TestTrim(t *testing.T) {
	Free(Make[float32](1 << 20))
	if Read().Idle == 0 {
		t.Fatal("nothing is idle")
	}
	for end := time.Now().Add(10 * time.Second); Read().Idle > 0 && time.Now().Before(end); {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	if n := Read().Idle; n > 0 {
		t.Errorf("%d bytes are still idle", n)
	}
}
