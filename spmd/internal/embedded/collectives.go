package embedded

import (
	"fmt"
	"slices"

	"caloric/spmd/internal/wire"
)

// Barrier implements wire.Transport.
func (m *member) Barrier() error { return m.enter(call{kind: barrier}, nil) }

// small reports whether b can travel in a slot.
func small(b wire.Buffer) bool { return b.Size() <= inlineBytes }

// inline copies the operand of c to this member's slot, before it enters c.
func (m *member) inline(c *call) {
	s := &m.g.slots[m.me].side[(m.calls+1)&1]
	copy(inlined(s, c.buf).Bytes(), c.buf.Bytes())
	c.buf.Ptr = nil
}

// inlined returns what is in the slot of member r, as elements like b's.
func (m *member) inlined(b wire.Buffer, r int) wire.Buffer { return inlined(m.side(r), b) }

// Bcast implements wire.Transport.
func (m *member) Bcast(buf wire.Buffer, root int) error {
	c := call{kind: bcast, buf: buf, root: root}
	if small(buf) {
		if m.me == root {
			m.inline(&c)
		}
		c.buf.Ptr = nil
		if err := m.enter(c, nil); err != nil || m.me == root {
			return err
		}
		copy(buf.Bytes(), m.inlined(buf, root).Bytes())
		return nil
	}
	if err := m.enter(c, nil); err != nil {
		return err
	}
	if m.me != root {
		copy(buf.Bytes(), m.call(root).buf.Bytes())
	}
	return m.leave()
}

// Allgatherv implements wire.Transport.
func (m *member) Allgatherv(send, recv wire.Buffer, counts []int) error {
	return m.gather(call{kind: allgatherv, buf: send, counts: counts}, recv, true)
}

// Gatherv implements wire.Transport.
func (m *member) Gatherv(send, recv wire.Buffer, counts []int, root int) error {
	return m.gather(call{kind: gatherv, buf: send, counts: counts, root: root}, recv, m.me == root)
}

func (m *member) gather(c call, recv wire.Buffer, receives bool) error {
	inSlots := slices.Max(c.counts)*c.buf.Elem <= inlineBytes
	if inSlots {
		m.inline(&c)
	}
	if err := m.enter(c, nil); err != nil {
		return err
	}
	if receives {
		at := 0
		for r, n := range c.counts {
			from := m.call(r).buf
			if inSlots {
				from = m.inlined(from, r)
			}
			copy(recv.Slice(at, n).Bytes(), from.Bytes())
			at += n
		}
	}
	if inSlots {
		return nil
	}
	return m.leave()
}

// Scatterv implements wire.Transport.
func (m *member) Scatterv(send, recv wire.Buffer, counts []int, root int) error {
	if err := m.enter(call{kind: scatterv, buf: send, counts: counts, root: root}, nil); err != nil {
		return err
	}
	copy(recv.Bytes(), m.call(root).buf.Slice(start(counts, m.me), counts[m.me]).Bytes())
	return m.leave()
}

// Alltoallv implements wire.Transport.
func (m *member) Alltoallv(send wire.Buffer, sendCounts []int, recv wire.Buffer, recvCounts []int) error {
	m.starts = append(m.starts[:0], 0)
	for _, n := range sendCounts {
		m.starts = append(m.starts, m.starts[len(m.starts)-1]+n)
	}
	if err := m.enter(call{kind: alltoallv, buf: send, starts: m.starts}, nil); err != nil {
		return err
	}
	at := 0
	for r, n := range recvCounts {
		c := m.call(r)
		lo, hi := c.starts[m.me], c.starts[m.me+1]
		if hi-lo != n {
			m.g.w.fail(fmt.Sprintf("counts do not fit: rank %d sends %d elements to rank %d, which expects %d",
				m.g.ranks[r], hi-lo, m.rank, n))
			return m.ended()
		}
		copy(recv.Slice(at, n).Bytes(), c.buf.Slice(lo, n).Bytes())
		at += n
	}
	return m.leave()
}
