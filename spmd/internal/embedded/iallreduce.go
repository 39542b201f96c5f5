package embedded

import (
	"slices"
	"sync/atomic"
	"unsafe"

	"caloric/spmd/internal/reduce"
	"caloric/spmd/internal/wire"
)

// pendingReduce is a non-blocking reduction that some members have posted.
type pendingReduce struct {
	calls  []call        // by member; the buffers are copies
	posted atomic.Uint64 // how many members have
	taken  int           // how many have the result
}

// reduceRequest is one member's end of a pendingReduce.
type reduceRequest struct {
	m    *member
	p    *pendingReduce
	seq  uint64 // of the reduction among those of the group
	buf  wire.Buffer
	done bool
	err  error
}

// Iallreduce implements wire.Transport. The operand is copied, and reduced by
// each member for itself when it waits.
func (m *member) Iallreduce(buf wire.Buffer, op wire.Op) (wire.Request, error) {
	m.posted++
	own := buf
	own.Ptr = unsafe.Pointer(unsafe.SliceData(make([]uint64, (buf.Size()+7)/8)))
	copy(own.Bytes(), buf.Bytes())
	mine := call{kind: iallreduce, buf: own, op: op}
	g := m.g
	if !m.usable() {
		return nil, g.w.report(m.rank, mine.String()+g.on())
	}
	g.mu.Lock()
	p := g.reduces[m.posted]
	if p == nil {
		p = &pendingReduce{calls: make([]call, m.Size())}
		g.reduces[m.posted] = p
	}
	p.calls[m.me] = mine
	last := p.posted.Load()+1 == uint64(m.Size())
	cause := ""
	if last {
		cause = misfit(m.Size(), func(r int) *call { return &p.calls[r] })
	}
	if cause == "" {
		p.posted.Add(1)
	}
	g.mu.Unlock()
	q := &reduceRequest{m: m, p: p, seq: m.posted, buf: buf}
	if cause != "" {
		g.w.fail(cause)
		return q, q.ended()
	}
	if last {
		g.w.wake(g.ranks...)
	}
	return q, nil
}

func (q *reduceRequest) ended() error {
	return q.m.g.w.report(q.m.rank, q.p.calls[q.m.me].String()+q.m.g.on())
}

// Wait implements wire.Request.
func (q *reduceRequest) Wait() error {
	if q.done {
		return q.err
	}
	q.done = true
	g := q.m.g
	if g.w.await(q.m.rank, &q.p.posted, uint64(q.m.Size())) != nil {
		q.err = q.ended()
		return q.err
	}
	copy(q.buf.Bytes(), q.p.calls[0].buf.Bytes())
	for _, c := range q.p.calls[1:] {
		reduce.Into(c.op, q.buf, c.buf)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if q.p.taken++; q.p.taken == q.m.Size() {
		delete(g.reduces, q.seq)
	}
	return nil
}

// Test implements wire.Request.
func (q *reduceRequest) Test() bool {
	n := uint64(q.m.Size())
	return q.done || q.p.posted.Load() == n || q.m.g.w.hopeless(&q.p.posted, n, q.needs)
}

// needs reports whether a rank has yet to post the reduction.
func (q *reduceRequest) needs(rank int) bool {
	g := q.m.g
	g.mu.Lock()
	defer g.mu.Unlock()
	r := slices.Index(g.ranks, rank)
	return r >= 0 && q.p.calls[r].kind != iallreduce
}
