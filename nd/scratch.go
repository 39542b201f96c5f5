package nd

import (
	"slices"
	"sync/atomic"

	"caloric/internal/misuse"
	"caloric/internal/recycle"
	"caloric/split"
	"caloric/spmd"
)

// defaultScratch is the limit of [SetScratchLimit] that holds until it is called.
const defaultScratch = 64 << 20

var scratchLimit atomic.Int64

func init() { scratchLimit.Store(defaultScratch) }

// scratchInUse and scratchPeak count the bytes of buffers for messages, for tests.
var scratchInUse, scratchPeak atomic.Int64

// SetScratchLimit bounds the buffers, in bytes of each rank, in which elements are
// packed for messages when a layout changes ([NDArray.Resplit], [NDArray.Balance],
// [NDArray.MoveTo] and what moves operands), and returns the bound that held
// before, 64 MiB at first. Beyond it a move is done in rounds, in which packing the
// next messages overlaps with sending; there is always room for 4 elements to and
// from each other rank. Ranks that share memory copy from each other and need no
// buffers.
//
// Local, but the limit is the same on every rank; embedded ranks share it.
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

// piecesOf returns boxes of at most n elements each that make up box, in C order,
// the first of them the largest. They are as long along the last axes as they can be.
func piecesOf(box split.Box, n int) []split.Box {
	size := box.Size()
	switch {
	case size == 0:
		return nil
	case size <= n:
		return []split.Box{box}
	}
	k := 0
	for box.Hi[k]-box.Lo[k] == 1 {
		k++
	}
	// Whole indices of axis k, or where one does not fit, what it is cut into.
	step := max(1, n/(size/(box.Hi[k]-box.Lo[k])))
	var list []split.Box
	for at := box.Lo[k]; at < box.Hi[k]; at += step {
		p := split.Box{Lo: slices.Clone(box.Lo), Hi: slices.Clone(box.Hi)}
		p.Lo[k], p.Hi[k] = at, min(at+step, box.Hi[k])
		list = append(list, piecesOf(p, n)...)
	}
	return list
}
