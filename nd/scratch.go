package nd

import (
	"sync/atomic"

	"caloric/internal/misuse"
	"caloric/internal/recycle"
	"caloric/spmd"
)

// defaultScratch is the limit of [SetScratchLimit] that holds until it is called.
const defaultScratch = 64 << 20

var scratchLimit atomic.Int64

func init() { scratchLimit.Store(defaultScratch) }

// scratchInUse and scratchPeak count the bytes of buffers for messages, for tests.
var scratchInUse, scratchPeak atomic.Int64

// SetScratchLimit bounds the buffers, in bytes of each rank, in which elements are
// packed for messages when they change owners, and returns the bound that held
// before, 64 MiB at first. It holds for [NDArray.Resplit], [NDArray.Balance],
// [NDArray.MoveTo] and what moves operands, for [Reshape], [Resize] and [Roll], for
// all that joins, repeats, pads, flips or cuts arrays, for indexing by masks and by
// arrays, and for what reads its neighbours' elements, as [Gradient].
//
// These communicate as their comments say, by one alltoallv or allgatherv, where
// buffers for all that any rank may have to send and get are within the limit and
// 4 MiB. Every rank finds that out by itself, from shapes and layouts, which bound
// what is sent. Beyond it they communicate in rounds, of a message of at most
// L/(4(P-1)) bytes, and 256 KiB, from each of P ranks to each other one, where L is the
// limit: the same bytes, in the least number of such messages for each pair of ranks.
// Packing the next messages overlaps with sending, and elements that are side by side
// in memory are not packed. There is always room for 4 elements to and from each
// other rank.
// Outside the limit are the lists by which masks and arrays of indices name what
// moves: up to 20 bytes for each element or row that a rank asks others for, 8 for
// each that it has for them, 16 for a moment, and 8 for each of replicated indices.
// [Reshape], and Roll of the C order, have half the limit for messages and half for
// an operand that is not contiguous. Where the order of the ranks' elements counts,
// as in [AddAt], ranks send one after another in rounds, and keys travel apart from
// their values. Ranks that share memory copy from each other in [Reshape], Resplit
// and the like and need no buffers.
//
// Local, but the limit has to be the same on every rank, or they wait for each other.
// Embedded ranks share it, so that to change it between moves is for one rank alone,
// between two barriers; best is to set it once, before the first array moves.
// Communication: none. Panics if bytes is not positive.
func SetScratchLimit(bytes int) int {
	if bytes <= 0 {
		misuse.Panic("a limit of %d bytes", bytes)
	}
	return int(scratchLimit.Swap(int64(bytes)))
}

// borrowScratch returns memory for n elements, which returnScratch takes back.
func borrowScratch[T Element](n int) []T {
	now := scratchInUse.Add(int64(n * itemSize[T]()))
	for {
		peak := scratchPeak.Load()
		if now <= peak || scratchPeak.CompareAndSwap(peak, now) {
			break
		}
	}
	return recycle.Make[T](n)
}

func returnScratch[T Element](s []T) {
	scratchInUse.Add(-int64(len(s) * itemSize[T]()))
	recycle.Free(s)
}

// noDirect makes ranks that share memory pack as others do, for tests.
var noDirect atomic.Bool

func direct(c *spmd.Comm) bool { return c.SharesMemory() && !noDirect.Load() }
