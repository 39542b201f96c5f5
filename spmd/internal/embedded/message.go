package embedded

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"caloric/spmd/internal/wire"
)

// eagerBytes is the size up to which a message is buffered, so that its sender
// need not wait.
const eagerBytes = 4096

// mailbox holds the messages to one member that have only one of their sides,
// in the order in which they were posted.
type mailbox struct {
	mu           sync.Mutex
	sends, recvs []*message
	_            cacheLine
}

// message is a send or a receive.
type message struct {
	m    *member // who posted it
	kind messageKind
	peer int
	tag  int
	buf  wire.Buffer
	done atomic.Uint64
}

type messageKind uint8

const (
	send messageKind = iota
	recv
	isend
	irecv
	sendrecvTo
	sendrecvFrom
)

var messageNames = [...]string{"send of %d %s to", "recv of %d %s from", "isend of %d %s to", "irecv of %d %s from",
	"sendrecv of %d %s to", "sendrecv of %d %s from"}

func (x *message) String() string {
	return fmt.Sprintf(messageNames[x.kind]+" rank %d with tag %d", x.buf.Len, typeName(x.buf), x.peer, x.tag) + x.m.g.on()
}

// ended notes that the rank was at x when the job ended.
func (x *message) ended() error { return x.m.g.w.report(x.m.rank, x.String()) }

// Wait implements wire.Request.
func (x *message) Wait() error {
	if x.m.g.w.await(x.m.rank, &x.done, 1) != nil {
		return x.ended()
	}
	return nil
}

// Test implements wire.Request.
func (x *message) Test() bool {
	return x.done.Load() == 1 || x.m.g.w.hopeless(&x.done, 1, x.needs)
}

// needs reports whether a rank is the other side.
func (x *message) needs(rank int) bool { return rank == x.m.g.ranks[x.peer] }

// take removes and returns the first of the messages in box whose other side x is.
func (x *message) take(box *[]*message) *message {
	for i, y := range *box {
		if y.m.me == x.peer && y.peer == x.m.me && y.tag == x.tag {
			*box = slices.Delete(*box, i, i+1)
			return y
		}
	}
	return nil
}

// deliver copies a message from its sender to its receiver. The side that comes
// later calls it.
func (g *group) deliver(from, to *message) error {
	if from.buf.Len != to.buf.Len || from.buf.Type != to.buf.Type || from.buf.Elem != to.buf.Elem {
		g.w.fail(fmt.Sprintf("a message with tag %d does not fit: rank %d sends %d %s, rank %d receives %d %s", from.tag,
			from.m.rank, from.buf.Len, typeName(from.buf), to.m.rank, to.buf.Len, typeName(to.buf)))
		return g.w.ended
	}
	copy(to.buf.Bytes(), from.buf.Bytes())
	from.done.Store(1)
	to.done.Store(1)
	return nil
}

func (m *member) post(kind messageKind, buf wire.Buffer, peer, tag int) (*message, error) {
	x := &message{m: m, kind: kind, peer: peer, tag: tag, buf: buf}
	if !m.usable() {
		return x, x.ended()
	}
	var err error
	switch kind {
	case recv, irecv, sendrecvFrom:
		err = m.postRecv(x)
	default:
		err = m.postSend(x)
	}
	if err != nil {
		return x, x.ended()
	}
	return x, nil
}

func (m *member) postSend(x *message) error {
	box := &m.g.boxes[x.peer]
	box.mu.Lock()
	if y := x.take(&box.recvs); y != nil {
		box.mu.Unlock()
		err := m.g.deliver(x, y)
		m.g.w.wake(y.m.rank)
		return err
	}
	defer box.mu.Unlock()
	if x.buf.Size() <= eagerBytes {
		payload := x.buf.Bytes()
		own := make([]uint64, (x.buf.Size()+7)/8)
		x.buf.Ptr = unsafe.Pointer(unsafe.SliceData(own))
		copy(x.buf.Bytes(), payload)
		x.done.Store(1)
	}
	box.sends = append(box.sends, x)
	return nil
}

func (m *member) postRecv(x *message) error {
	box := &m.g.boxes[m.me]
	box.mu.Lock()
	if y := x.take(&box.sends); y != nil {
		box.mu.Unlock()
		err := m.g.deliver(y, x)
		m.g.w.wake(y.m.rank)
		return err
	}
	defer box.mu.Unlock()
	box.recvs = append(box.recvs, x)
	return nil
}

// Isend implements wire.Transport.
func (m *member) Isend(buf wire.Buffer, to, tag int) (wire.Request, error) {
	return m.post(isend, buf, to, tag)
}

// Irecv implements wire.Transport.
func (m *member) Irecv(buf wire.Buffer, from, tag int) (wire.Request, error) {
	return m.post(irecv, buf, from, tag)
}

// Send implements wire.Transport.
func (m *member) Send(buf wire.Buffer, to, tag int) error {
	x, err := m.post(send, buf, to, tag)
	if err != nil {
		return err
	}
	return x.Wait()
}

// Recv implements wire.Transport.
func (m *member) Recv(buf wire.Buffer, from, tag int) error {
	x, err := m.post(recv, buf, from, tag)
	if err != nil {
		return err
	}
	return x.Wait()
}

// Sendrecv implements wire.Transport.
func (m *member) Sendrecv(out wire.Buffer, to int, in wire.Buffer, from, tag int) error {
	r, err := m.post(sendrecvFrom, in, from, tag)
	if err != nil {
		return err
	}
	s, err := m.post(sendrecvTo, out, to, tag)
	if err != nil {
		return err
	}
	if err := s.Wait(); err != nil {
		return err
	}
	return r.Wait()
}
