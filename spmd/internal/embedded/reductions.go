package embedded

import (
	"unsafe"

	"caloric/spmd/internal/reduce"
	"caloric/spmd/internal/wire"
)

// Operands are reduced in rank order whatever their size, so that a result does
// not depend on how it was computed. Small operands travel in the slots, where
// the last member to come reduces them. Of large ones, each member reduces its
// share of the elements through all members' buffers.

// blockBytes is the size of the blocks in which large operands are reduced.
const blockBytes = 4096

// inlined returns what is in a side of a slot, as elements like b's.
func inlined(s *side, b wire.Buffer) wire.Buffer {
	b.Ptr = unsafe.Pointer(&s.inline)
	return b
}

// Allreduce implements wire.Transport.
func (m *member) Allreduce(buf wire.Buffer, op wire.Op) error {
	return m.allreduce(call{kind: allreduce, buf: buf, op: op}, reduce.By(op))
}

// AllreduceFunc implements wire.Transport.
func (m *member) AllreduceFunc(buf wire.Buffer, f wire.Func) error {
	return m.allreduce(call{kind: allreduce, buf: buf, user: true}, f)
}

func (m *member) allreduce(c call, f wire.Func) error {
	buf := c.buf
	if small(buf) {
		if err := m.reduceInline(c, f); err != nil {
			return err
		}
		copy(buf.Bytes(), m.inlined(buf, 0).Bytes())
		return nil
	}
	if err := m.enter(c, nil); err != nil {
		return err
	}
	m.reduceShare(buf, f, func(at int, result wire.Buffer) {
		for r := range m.Size() {
			copy(m.call(r).buf.Slice(at, result.Len).Bytes(), result.Bytes())
		}
	})
	return m.leave()
}

// reduceInline enters c with its operand in the slot and leaves the result in
// the slot of member 0.
func (m *member) reduceInline(c call, f wire.Func) error {
	buf := c.buf
	m.inline(&c)
	return m.enter(c, func() {
		acc := m.inlined(buf, 0)
		for r := 1; r < m.Size(); r++ {
			f.Combine(acc, m.inlined(buf, r))
		}
	})
}

// reduceShare reduces this member's share of the members' operands, which are
// like buf, and passes the result to done block by block.
func (m *member) reduceShare(buf wire.Buffer, f wire.Func, done func(at int, result wire.Buffer)) {
	if m.Size() == 1 {
		return
	}
	m.eachBlock(buf, func(at, n int) {
		acc := m.scratch(0, buf, n)
		copy(acc.Bytes(), m.call(0).buf.Slice(at, n).Bytes())
		for r := 1; r < m.Size(); r++ {
			f.Combine(acc, m.call(r).buf.Slice(at, n))
		}
		done(at, acc)
	})
}

// eachBlock calls f for the blocks of this member's share of the elements.
func (m *member) eachBlock(b wire.Buffer, f func(at, n int)) {
	lo, hi := b.Len*m.me/m.Size(), b.Len*(m.me+1)/m.Size()
	step := max(1, blockBytes/max(1, b.Elem))
	for at := lo; at < hi; at += step {
		f(at, min(step, hi-at))
	}
}

// scratch returns memory for n elements like b's: piece 0 or 1 of the member's own.
func (m *member) scratch(piece int, b wire.Buffer, n int) wire.Buffer {
	words := max(blockBytes, n*b.Elem+7) / 8
	if len(m.block) < 2*words {
		m.block = make([]uint64, 2*words)
	}
	b.Ptr, b.Len = unsafe.Pointer(&m.block[piece*words]), n
	return b
}

// Reduce implements wire.Transport.
func (m *member) Reduce(buf wire.Buffer, op wire.Op, root int) error {
	c := call{kind: reduction, buf: buf, op: op, root: root}
	if small(buf) {
		if err := m.reduceInline(c, reduce.By(op)); err != nil || m.me != root {
			return err
		}
		copy(buf.Bytes(), m.inlined(buf, 0).Bytes())
		return nil
	}
	if err := m.enter(c, nil); err != nil {
		return err
	}
	m.reduceShare(buf, reduce.By(op), func(at int, result wire.Buffer) {
		copy(m.call(root).buf.Slice(at, result.Len).Bytes(), result.Bytes())
	})
	return m.leave()
}

// ReduceScatter implements wire.Transport.
func (m *member) ReduceScatter(send, recv wire.Buffer, counts []int, op wire.Op) error {
	if err := m.enter(call{kind: reduceScatter, buf: send, counts: counts, op: op}, nil); err != nil {
		return err
	}
	// In blocks, so that recv stays in the cache while it is added to.
	at, n := start(counts, m.me), counts[m.me]
	step := max(1, blockBytes/send.Elem)
	for i := 0; i < n; i += step {
		acc := recv.Slice(i, min(step, n-i))
		copy(acc.Bytes(), m.call(0).buf.Slice(at+i, acc.Len).Bytes())
		for r := 1; r < m.Size(); r++ {
			reduce.Into(op, acc, m.call(r).buf.Slice(at+i, acc.Len))
		}
	}
	return m.leave()
}

// Exscan implements wire.Transport.
func (m *member) Exscan(buf wire.Buffer, op wire.Op) error {
	c := call{kind: exscan, buf: buf, op: op}
	if small(buf) {
		m.inline(&c)
		err := m.enter(c, func() {
			m.scan(op, func(r int) wire.Buffer { return m.inlined(buf, r) })
		})
		if err == nil {
			copy(buf.Bytes(), m.inlined(buf, m.me).Bytes())
		}
		return err
	}
	if err := m.enter(c, nil); err != nil {
		return err
	}
	m.eachBlock(buf, func(at, n int) {
		m.scan(op, func(r int) wire.Buffer { return m.call(r).buf.Slice(at, n) })
	})
	return m.leave()
}

// scan replaces the operand of each member but the first by the reduction of
// those before it.
func (m *member) scan(op wire.Op, operand func(r int) wire.Buffer) {
	first := operand(0)
	sum, next := m.scratch(0, first, first.Len), m.scratch(1, first, first.Len)
	copy(sum.Bytes(), first.Bytes())
	for r := 1; r < m.Size(); r++ {
		own := operand(r).Bytes()
		copy(next.Bytes(), own)
		copy(own, sum.Bytes())
		reduce.Into(op, sum, next)
	}
}
