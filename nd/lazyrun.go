package nd

import (
	"sync"
	"unsafe"

	"caloric/internal/nontemporal"
	"caloric/internal/parallel"
	"caloric/spmd"
)

// lazyFrame is what one worker needs to evaluate a plan: where the registers'
// blocks are, and memory for those that are no array's own.
type lazyFrame struct {
	at  []unsafe.Pointer
	mem []complex128
	p   *lazyPlan
}

var lazyFrames = sync.Pool{New: func() any { return new(lazyFrame) }}

// frame returns a frame with extra bytes of memory beside the registers', and
// with the numbers filled in for n elements.
func (p *lazyPlan) frame(n, extra int) *lazyFrame {
	f := lazyFrames.Get().(*lazyFrame)
	f.p = p
	if need := (p.bytes + extra + 15) / 16; len(f.mem) < need {
		f.mem = make([]complex128, need)
	}
	if cap(f.at) < len(p.regs) {
		f.at = make([]unsafe.Pointer, len(p.regs))
	}
	f.at = f.at[:len(p.regs)]
	for i := range p.regs {
		f.at[i] = f.scratch(p.regs[i].offset)
	}
	for i, c := range p.numbers {
		c.fill(f.at[len(p.inputs)+i], min(n, p.block))
	}
	for i := range p.inputs {
		if a := &p.space.arrays[i]; a.constant(p.space.ndim) {
			p.space.fillOne(a, f.at[i], min(n, p.block))
		}
	}
	return f
}

func (f *lazyFrame) scratch(offset int) unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(unsafe.SliceData(f.mem)), offset)
}

// release gives the frame back. It forgets the arrays.
func (f *lazyFrame) release() {
	clear(f.at)
	f.p = nil
	lazyFrames.Put(f)
}

// constant reports whether a is one element that every index reads.
func (a *lazyStrides) constant(ndim int) bool {
	for _, s := range a.stride[:ndim] {
		if s != 0 {
			return false
		}
	}
	return true
}

func (s *lazySpace) fillOne(a *lazyStrides, block unsafe.Pointer, n int) {
	if n > 0 {
		a.run(a.offset, 0, n, block, true)
	}
}

// load sets the inputs' registers to n elements from position lo on: the arrays'
// own memory where it is contiguous, else packed.
func (p *lazyPlan) load(f *lazyFrame, lo, n int) {
	s := &p.space
	for i := range s.arrays {
		a := &s.arrays[i]
		if at := s.direct(a, lo, n); at != nil {
			f.at[i] = at
			continue
		}
		block := f.scratch(p.regs[i].offset)
		f.at[i] = block
		if !a.constant(s.ndim) {
			s.move(a, lo, n, block, true)
		}
	}
}

// runInto evaluates the whole space into the destination.
func (p *lazyPlan) runInto(c *spmd.Comm) {
	n := p.space.size()
	if n == 0 {
		return
	}
	if workers := c.Workers(); workers > 1 && n >= parallelSize {
		p.runParallel(n, workers)
		return
	}
	p.runPart(0, n)
}

func (p *lazyPlan) runParallel(n, workers int) {
	parallel.Ranges(workers, n, p.runPart)
}

// runPart evaluates the positions from lo to hi. The last step of a block writes
// to the destination's own memory where that is contiguous.
func (p *lazyPlan) runPart(lo, hi int) {
	f := p.frame(hi-lo, 0)
	defer f.release()
	s := &p.space
	most := p.block
	past := s.writtenPast()
	if past {
		most = min(most, pastBytes/s.own.size)
		defer nontemporal.Fence()
	}
	for lo < hi {
		n := s.upTo(lo, min(most, hi-lo))
		block := f.scratch(p.regs[p.result].offset)
		switch d := s.direct(&s.own, lo, n); {
		case d != nil && past:
			p.eval(f, lo, n, block)
			size := n * s.own.size
			nontemporal.Copy(unsafe.Slice((*byte)(d), size), unsafe.Slice((*byte)(block), size))
		case d != nil:
			p.eval(f, lo, n, d)
		default:
			p.eval(f, lo, n, block)
			s.move(&s.own, lo, n, block, false)
		}
		lo += n
	}
}

// evalAll is eval for any number of elements, without a destination of the space's.
func (p *lazyPlan) evalAll(f *lazyFrame, lo, n int, dst unsafe.Pointer) {
	size := p.regs[p.result].size
	for done := 0; done < n; {
		m := p.space.upTo(lo+done, min(p.block, n-done))
		p.eval(f, lo+done, m, unsafe.Add(dst, done*size)) // never an address past the end
		done += m
	}
}
