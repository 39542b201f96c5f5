package nd

import "caloric/spmd"

// Every operation that gives elements to other owners goes through this file: it
// says which elements go where, as a stream for each pair of ranks, and exchange
// carries that out within the limit of [SetScratchLimit].

// stream is what a rank sends to each rank, or gets from it: a sequence of elements
// for each, of which both ranks know the number and the order.
type stream[T Element] struct {
	counts []int
	// all is the memory that holds the elements of all ranks, in rank order, where
	// such memory exists.
	all []T
	// run returns the memory of n elements of rank r's from element from on if they
	// are side by side there, else nil.
	run func(r, from, n int) []T
	// move copies elements of rank r's, from element from on, to buf if they are to
	// be sent, or from buf if they have arrived.
	move func(r, from int, buf []T)
}

const (
	// streamTag is the tag of the messages of an exchange in rounds.
	streamTag = spmd.MaxTag - 1

	// roundBytes is the size of buffers from which on an exchange is done in rounds
	// though the limit would allow more.
	roundBytes = 4 << 20

	// messageBytes is the most that a message of a round has: what has been packed is
	// sent, and what has arrived is unpacked, while it is in a second level cache,
	// beside the buffers of the transport.
	messageBytes = 256 << 10
)

// scratchFits reports whether buffers of the given numbers of elements may be used at
// once, without rounds.
func scratchFits[T Element](elements int) bool {
	return int64(elements)*int64(itemSize[T]()) <= min(roundBytes, scratchLimit.Load())
}

// messageSize returns 0 if an exchange fits without rounds, else the largest number
// of elements of its messages. A share of the limit's bytes is for their buffers: two,
// of which one is packed while the other travels, to and from every other rank.
func messageSize[T Element](c *spmd.Comm, fits bool, share int) int {
	if fits {
		return 0
	}
	lanes := max(1, c.Size()-1)
	most := min(messageBytes, scratchLimit.Load()/int64(share*4*lanes))
	return max(1, int(most)/itemSize[T]())
}

// exchangeStreams sends and receives elements: by one alltoallv if size is 0, else in
// rounds of messages of at most size elements. The choice is the same on every rank.
// keep moves what stays on this rank, unless memory for all has it; without keep, one
// alltoallv moves that too.
//
// Collective. Communication: one alltoallv, or each stream in as few messages as size
// allows.
func exchangeStreams[T Element](c *spmd.Comm, send, recv *stream[T], size int, keep func()) {
	if size > 0 {
		exchangeRounds(c, send, recv, size, keep)
		return
	}
	me := c.Rank()
	out, outCounts := send.all, send.counts
	in, inCounts := recv.all, recv.counts
	stays := out == nil && in == nil && keep != nil // then it need not pass through the buffers
	if stays {
		outCounts, inCounts = append([]int(nil), outCounts...), append([]int(nil), inCounts...)
		outCounts[me], inCounts[me] = 0, 0
	}
	if send.all == nil {
		out = borrowScratch[T](sumOfCounts(outCounts))
		at := 0
		for r, n := range outCounts {
			if n > 0 {
				send.move(r, 0, out[at:at+n])
				at += n
			}
		}
	}
	if recv.all == nil {
		in = borrowScratch[T](sumOfCounts(inCounts))
	}
	spmd.Alltoallv(c, out, outCounts, in, inCounts)
	if send.all == nil {
		returnScratch(out)
	}
	if recv.all == nil {
		at := 0
		for r, n := range inCounts {
			if n > 0 {
				recv.move(r, 0, in[at:at+n])
				at += n
			}
		}
		returnScratch(in)
	}
	if stays {
		keep()
	}
}

// exchangeRounds is exchangeStreams in rounds, each of one message from a rank to another.
// Elements that are side by side in memory are neither packed nor unpacked.
func exchangeRounds[T Element](c *spmd.Comm, send, recv *stream[T], size int, keep func()) {
	sends, rounds := lanesOf(c, send, size)
	recvs, n := lanesOf(c, recv, size)
	rounds = max(rounds, n)
	var pending [2][]arrival[T]
	start := func(round int) {
		list := pending[round&1][:0]
		for i := range recvs {
			l := &recvs[i]
			from, n := l.part(round, size)
			if n == 0 {
				continue
			}
			p := arrival[T]{peer: l.peer, from: from}
			to := recv.run(l.peer, from, n)
			if to == nil {
				p.buf = l.buffer(round, size)[:n]
				to = p.buf
			}
			p.request = spmd.Irecv(c, to, l.peer, streamTag)
			list = append(list, p)
		}
		for i := range sends {
			l := &sends[i]
			from, n := l.part(round, size)
			if n == 0 {
				continue
			}
			data := send.run(l.peer, from, n)
			if data == nil {
				data = l.buffer(round, size)[:n]
				send.move(l.peer, from, data)
			}
			list = append(list, arrival[T]{request: spmd.Isend(c, data, l.peer, streamTag)})
		}
		pending[round&1] = list
	}
	finish := func(round int) {
		for _, p := range pending[round&1] {
			p.request.Wait()
			if p.buf != nil {
				recv.move(p.peer, p.from, p.buf)
			}
		}
	}
	if rounds > 0 {
		start(0)
	}
	keep() // while the first messages travel
	for round := 1; round < rounds; round++ {
		start(round)
		finish(round - 1)
	}
	if rounds > 0 {
		finish(rounds - 1)
	}
	for _, l := range append(sends, recvs...) {
		for _, b := range l.bufs {
			returnScratch(b)
		}
	}
}

// arrival is a message on its way.
type arrival[T Element] struct {
	request *spmd.Request
	peer    int
	from    int // the first of its elements in the stream
	buf     []T // what it arrives in, nil if that is where it belongs, or it is sent
}

// lane is a stream to or from one other rank.
type lane[T Element] struct {
	peer, count int
	bufs        [2][]T
}

// lanesOf returns the lanes of s, and how many rounds they need.
func lanesOf[T Element](c *spmd.Comm, s *stream[T], size int) (list []lane[T], rounds int) {
	for r, n := range s.counts {
		if n > 0 && r != c.Rank() {
			list = append(list, lane[T]{peer: r, count: n})
			rounds = max(rounds, (n-1)/size+1)
		}
	}
	return list, rounds
}

// part returns which elements travel in a round.
func (l *lane[T]) part(round, size int) (from, n int) {
	from = min(round*size, l.count)
	return from, min(size, l.count-from)
}

// buffer returns the memory for a round's elements where they are packed.
func (l *lane[T]) buffer(round, size int) []T {
	b := &l.bufs[round&1]
	if *b == nil {
		*b = borrowScratch[T](min(size, l.count))
	}
	return *b
}
