package nd

import (
	"sync/atomic"

	"caloric/internal/misuse"
	"caloric/internal/recycle"
)

// Release ends a's life and gives its memory to the next array of that size.
// Without it the memory is given on when Go's collector finds that a, every view of
// it, and every slice that [NDArray.Local] or [NDArray.Memory] returned are out of
// use; so it is never needed, and saves the collector work in a loop whose
// temporaries are large. Where a view or such a slice has been taken, or a itself
// is a view or uses memory of the caller's own ([Wrap], [FromLocal]), Release
// leaves the memory to the collector: it never changes what another array holds.
//
// A released array must not be used any more: what computes with it or reads it
// panics. Its views stay usable. What returns a itself where there is nothing to do,
// such as [NDArray.Resplit] on one rank, is released with it. To release an array
// again changes nothing.
//
// Local. Communication: none.
func (a *NDArray[T]) Release() {
	if a.comm == nil {
		return
	}
	if atomic.LoadUint32(&a.sole) == 1 {
		recycle.Free(a.data)
	}
	a.comm, a.data, a.sole = nil, nil, 0
}

// SetRecycleLimit bounds the memory of dead arrays, in bytes of this process, and
// returns the bound that held before, 256 MiB at first. Memory of large arrays is
// used again: for temporaries in a loop it is neither cleared nor fetched from the
// operating system each time. When three large arrays may have died since the last
// collection, or up to eight of 128 MiB together, but no more than the bound, a new
// array is preceded by one, which finds the dead ones; it takes well below a
// millisecond unless the program has a large heap of other things, and is put off
// where it would take longer than new memory does. As much again may lie ready for
// use; what is not wanted for some collections and a second goes back to Go, and
// from there to the operating system. Where live arrays hold
// more, half of what they hold may lie ready. 0 recycles nothing.
//
// Local; the ranks of one process share the bound. Communication: none.
// Panics if bytes is negative.
func SetRecycleLimit(bytes int) int {
	if bytes < 0 {
		misuse.Panic("a limit of %d bytes", bytes)
	}
	return recycle.SetLimit(bytes)
}

// lend notes that something else refers to a's memory now. Ranks' goroutines may
// read one array at once.
func (a *NDArray[T]) lend() {
	if a.comm == nil {
		panicReleased()
	}
	if atomic.LoadUint32(&a.sole) == 1 {
		atomic.StoreUint32(&a.sole, 0)
	}
}

func panicReleased() { misuse.Panic("the array has been released, or has no communicator") }
