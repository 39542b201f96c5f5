package embedded

import (
	"fmt"
	"slices"
	"sync/atomic"
	"unsafe"

	"caloric/spmd/internal/reduce"
	"caloric/spmd/internal/wire"
)

// eagerBytes is the size up to which a message is buffered, so that its sender
// need not wait.
const eagerBytes = 4096

// mailbox holds the messages to one member that have only one of their sides.
type mailbox struct {
	sends, recvs []*message
}

// message is a send or a receive that waits for its other side.
type message struct {
	m     *member // who posted it
	peer  int
	tag   int
	buf   wire.Buffer
	done  atomic.Uint64
	text  string
	eager bool
}

func (x *message) String() string {
	return fmt.Sprintf("%s of %d %s, tag %d", x.text, x.buf.Len, typeName(x.buf), x.tag)
}

// Wait implements wire.Request.
func (x *message) Wait() error {
	if err := x.m.g.w.await(x.m.rank, &x.done, 1); err != nil {
		return x.m.g.w.report(x.m.rank, x.String())
	}
	return nil
}

// Test implements wire.Request.
func (x *message) Test() bool { return x.done.Load() == 1 }

// deliver copies a message from its sender to its receiver. The side that comes
// later calls it, with the group's mutex held.
func (m *member) deliver(send, recv *message) error {
	if send.buf.Len != recv.buf.Len || send.buf.Type != recv.buf.Type || send.buf.Elem != recv.buf.Elem {
		m.g.w.fail(fmt.Sprintf("a message does not fit: rank %d sends %d %s to rank %d, which receives %d %s (tag %d)",
			recv.peer, send.buf.Len, typeName(send.buf), send.peer, recv.buf.Len, typeName(recv.buf), send.tag))
		return errEnded
	}
	copy(recv.buf.Bytes(), send.buf.Bytes())
	send.done.Store(1)
	recv.done.Store(1)
	return nil
}

// Isend implements wire.Transport.
func (m *member) Isend(buf wire.Buffer, to, tag int) (wire.Request, error) {
	return m.isend(buf, to, tag, "isend")
}

func (m *member) isend(buf wire.Buffer, to, tag int, name string) (*message, error) {
	s := &message{m: m, peer: to, tag: tag, buf: buf, text: fmt.Sprintf("%s to rank %d", name, to)}
	g := m.g
	g.mu.Lock()
	box := &g.boxes[to]
	for i, r := range box.recvs {
		if r.peer == m.me && r.tag == tag {
			box.recvs = slices.Delete(box.recvs, i, i+1)
			err := m.deliver(s, r)
			g.mu.Unlock()
			g.w.wake()
			if err != nil {
				return s, g.w.report(m.rank, s.String())
			}
			return s, nil
		}
	}
	if buf.Size() <= eagerBytes {
		own := make([]uint64, (buf.Size()+7)/8)
		s.buf.Ptr = unsafe.Pointer(unsafe.SliceData(own))
		copy(s.buf.Bytes(), buf.Bytes())
		s.done.Store(1)
	}
	box.sends = append(box.sends, s)
	g.mu.Unlock()
	return s, nil
}

// Irecv implements wire.Transport.
func (m *member) Irecv(buf wire.Buffer, from, tag int) (wire.Request, error) {
	return m.irecv(buf, from, tag, "irecv")
}

func (m *member) irecv(buf wire.Buffer, from, tag int, name string) (*message, error) {
	r := &message{m: m, peer: from, tag: tag, buf: buf, text: fmt.Sprintf("%s from rank %d", name, from)}
	g := m.g
	g.mu.Lock()
	box := &g.boxes[m.me]
	for i, s := range box.sends {
		if s.m.me == from && s.tag == tag {
			box.sends = slices.Delete(box.sends, i, i+1)
			err := m.deliver(s, r)
			g.mu.Unlock()
			g.w.wake()
			if err != nil {
				return r, g.w.report(m.rank, r.String())
			}
			return r, nil
		}
	}
	box.recvs = append(box.recvs, r)
	g.mu.Unlock()
	return r, nil
}

// Send implements wire.Transport.
func (m *member) Send(buf wire.Buffer, to, tag int) error {
	s, err := m.isend(buf, to, tag, "send")
	if err != nil {
		return err
	}
	return s.Wait()
}

// Recv implements wire.Transport.
func (m *member) Recv(buf wire.Buffer, from, tag int) error {
	r, err := m.irecv(buf, from, tag, "recv")
	if err != nil {
		return err
	}
	return r.Wait()
}

// Sendrecv implements wire.Transport.
func (m *member) Sendrecv(send wire.Buffer, to int, recv wire.Buffer, from, tag int) error {
	r, err := m.irecv(recv, from, tag, "sendrecv")
	if err != nil {
		return err
	}
	s, err := m.isend(send, to, tag, "sendrecv")
	if err != nil {
		return err
	}
	if err := s.Wait(); err != nil {
		return err
	}
	return r.Wait()
}

// pendingReduce is a non-blocking reduction that some members have posted.
type pendingReduce struct {
	calls  []call // by member; the buffers are copies
	posted atomic.Uint64
	taken  int
}

// reduceRequest is one member's end of a pendingReduce.
type reduceRequest struct {
	m    *member
	p    *pendingReduce
	seq  uint64
	buf  wire.Buffer
	op   wire.Op
	done bool
	err  error
}

// Iallreduce implements wire.Transport. The operand is copied, and reduced by
// each member for itself when it waits.
func (m *member) Iallreduce(buf wire.Buffer, op wire.Op) (wire.Request, error) {
	own := buf
	own.Ptr = unsafe.Pointer(unsafe.SliceData(make([]uint64, (buf.Size()+7)/8)))
	copy(own.Bytes(), buf.Bytes())
	g := m.g
	g.mu.Lock()
	m.posted++
	p := g.reduces[m.posted]
	if p == nil {
		p = &pendingReduce{calls: make([]call, m.Size())}
		g.reduces[m.posted] = p
	}
	p.calls[m.me] = call{kind: allreduce, buf: own, op: op}
	fit := true
	if p.posted.Load()+1 == uint64(m.Size()) {
		for r := range p.calls {
			fit = fit && p.calls[0].fits(&p.calls[r])
		}
	}
	if fit {
		p.posted.Add(1)
	}
	g.mu.Unlock()
	q := &reduceRequest{m: m, p: p, seq: m.posted, buf: buf, op: op}
	if !fit {
		g.w.fail("ranks called different collectives")
		return q, g.w.report(m.rank, "i"+p.calls[m.me].String())
	}
	g.w.wake()
	return q, nil
}

// Wait implements wire.Request.
func (q *reduceRequest) Wait() error {
	if q.done {
		return q.err
	}
	q.done = true
	w := q.m.g.w
	if err := w.await(q.m.rank, &q.p.posted, uint64(q.m.Size())); err != nil {
		q.err = w.report(q.m.rank, "i"+q.p.calls[q.m.me].String())
		return q.err
	}
	copy(q.buf.Bytes(), q.p.calls[0].buf.Bytes())
	for _, c := range q.p.calls[1:] {
		reduce.Into(q.op, q.buf, c.buf)
	}
	g := q.m.g
	g.mu.Lock()
	defer g.mu.Unlock()
	if q.p.taken++; q.p.taken == q.m.Size() {
		delete(g.reduces, q.seq)
	}
	return nil
}

// Test implements wire.Request.
func (q *reduceRequest) Test() bool { return q.done || q.p.posted.Load() == uint64(q.m.Size()) }
