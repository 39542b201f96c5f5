package nd

import (
	"caloric/internal/recycle"
	"caloric/spmd"
)

// laneCuts says which part of each of this rank's lanes goes to which rank.
type laneCuts struct {
	c          *spmd.Comm
	count, n   int     // lanes, and their length here
	at         [][]int // at[i][r]:at[i][r+1] of lane i goes to rank r
	recv       []int64 // recv[r*count+i] keys of lane i come from rank r
	sends, get []int   // sums over the lanes
}

func newLaneCuts(c *spmd.Comm, count, n int) *laneCuts {
	x := &laneCuts{c: c, count: count, n: n, at: make([][]int, count)}
	for i := range x.at {
		x.at[i] = make([]int, c.Size()+1)
	}
	return x
}

// exchangeCounts tells every rank how much it gets.
func (x *laneCuts) exchangeCounts() {
	size := x.c.Size()
	send := make([]int64, size*x.count)
	x.sends, x.get = make([]int, size), make([]int, size)
	for r := range size {
		for i := range x.count {
			n := x.at[i][r+1] - x.at[i][r]
			send[r*x.count+i] = int64(n)
			x.sends[r] += n
		}
	}
	x.recv = make([]int64, len(send))
	per := make([]int, size)
	fillInts(per, x.count)
	spmd.Alltoallv(x.c, send, per, x.recv, per)
	for r := range size {
		x.get[r] = sumInt64(x.recv[r*x.count : (r+1)*x.count])
	}
}

// runs returns how many keys of lane i come from each rank.
func (x *laneCuts) runs(i int) []int {
	n := make([]int, x.c.Size())
	for r := range n {
		n[r] = int(x.recv[r*x.count+i])
	}
	return n
}

// sendCuts sends the parts of values, which lie in lanes, to their ranks and
// returns what this rank gets: in each lane the ranks' parts in rank order.
func sendCuts[V Element](x *laneCuts, values []V) []V { return sendParts(x, cutParts(x, values)) }

// cutParts returns the parts of values: part r*x.count+i of lane i goes to rank r.
func cutParts[V Element](x *laneCuts, values []V) [][]V {
	parts := make([][]V, 0, x.c.Size()*x.count)
	for r := range x.c.Size() {
		for i := range x.count {
			parts = append(parts, values[i*x.n+x.at[i][r]:i*x.n+x.at[i][r+1]])
		}
	}
	return parts
}

// sendParts is sendCuts of parts in any place. Ranks that share memory copy them from
// each other.
func sendParts[V Element](x *laneCuts, parts [][]V) []V {
	size := x.c.Size()
	from, total := starts(x.get)
	out := recycle.Make[V](total)
	into := make([][]V, size*x.count) // as parts: what comes
	for i, at := 0, 0; i < x.count; i++ {
		for r := range size {
			n := int(x.recv[r*x.count+i])
			into[r*x.count+i] = out[at : at+n]
			at += n
		}
	}
	if x.c.SharesMemory() {
		readParts(x, parts, func(i int, in [][]V) {
			for r, part := range in {
				copy(into[r*x.count+i], part)
			}
		})
		return out
	}
	send := recycle.Make[V](x.count * x.n)
	at := 0
	for _, part := range parts {
		at += copy(send[at:], part)
	}
	recv := out
	if x.count > 1 {
		recv = recycle.Make[V](total)
	}
	spmd.Alltoallv(x.c, send, x.sends, recv, x.get)
	recycle.Free(send)
	if x.count > 1 {
		for r := range size {
			for i := range x.count {
				from[r] += copy(into[r*x.count+i], recv[from[r]:])
			}
		}
		recycle.Free(recv)
	}
	return out
}

// readParts calls read for each lane with the parts of it, in the memory of the ranks
// that have them, that come here. They have to share memory.
func readParts[V Element](x *laneCuts, parts [][]V, read func(i int, in [][]V)) {
	size, me := x.c.Size(), x.c.Rank()
	in := make([][]V, x.count*size)
	shown := 0
	spmd.AlltoallvDirect[V](x.c, x.count*x.n, x.sends, &parts, func(r int, theirs *[][]V) error {
		for i := range x.count {
			in[i*size+r] = (*theirs)[me*x.count+i]
		}
		if shown++; shown == size {
			for i := range x.count {
				read(i, in[i*size:(i+1)*size])
			}
		}
		return nil
	})
}
