package nd

import (
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

// eachPiece calls f with boxes of at most n elements each that make up box, in C order.
// They are as long along the last axes as they can be.
func eachPiece(box split.Box, n int, f func(split.Box)) {
	if box.Size() <= n {
		if box.Size() > 0 {
			f(box)
		}
		return
	}
	shape, inner := box.Shape(), 1
	k := len(shape) - 1
	for k > 0 && inner*shape[k] <= n {
		inner *= shape[k]
		k--
	}
	// Axes after k fit, axis k does not.
	step := max(1, n/inner)
	p := split.Box{Lo: append([]int(nil), box.Lo...), Hi: append([]int(nil), box.Hi...)}
	for j := range k {
		p.Hi[j] = p.Lo[j] + 1
	}
	for {
		for at := box.Lo[k]; at < box.Hi[k]; at += step {
			p.Lo[k], p.Hi[k] = at, min(at+step, box.Hi[k])
			f(split.Box{Lo: append([]int(nil), p.Lo...), Hi: append([]int(nil), p.Hi...)})
		}
		j := k - 1
		for ; j >= 0; j-- {
			p.Lo[j], p.Hi[j] = p.Lo[j]+1, p.Hi[j]+1
			if p.Lo[j] < box.Hi[j] {
				break
			}
			p.Lo[j], p.Hi[j] = box.Lo[j], box.Lo[j]+1
		}
		if j < 0 {
			return
		}
	}
}

// piecesOf returns what eachPiece calls its function with.
func piecesOf(box split.Box, n int) []split.Box {
	var list []split.Box
	eachPiece(box, n, func(b split.Box) { list = append(list, b) })
	return list
}
